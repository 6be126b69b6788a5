"""A contact law in pieces: between two rows of a table the force is a parabola in the approach.

Row i holds (approach, F, dF/d(approach), half of its derivative, energy, known) where its piece begins; the
piece ends where the next row begins. Energies are integrals of the force. A row whose `KNOWN` is zero begins
a gap of the table, in which only the energy at its beginning is known: forces are not numbers. The rows of
several laws may be stacked: `first` and `end` are those of one law.

Units: SI; approaches in m, forces in N, energies in J.
"""

import math

from traction.compiled import kernel

BEGINS, FORCE, SLOPE, BEND, ENERGY, KNOWN = range(6)  #: columns
COLUMNS = 6


@kernel
def find_piece(rows, first, end, approach):
    """Row of the piece that contains an approach: the first one for lower approaches."""
    low, high = first, end
    while high - low > 1:  # halves at most 64 times
        middle = (low + high) // 2
        if rows[middle, BEGINS] <= approach:
            low = middle
        else:
            high = middle
    return low


@kernel
def piece_response(rows, row, approach):
    """Force (N), stiffness (N/m) and energy (J) at an approach (m) in the piece of this row."""
    if rows[row, KNOWN] == 0.0:
        return math.nan, math.nan, math.nan
    x = approach - rows[row, BEGINS]
    force, slope, bend = rows[row, FORCE], rows[row, SLOPE], rows[row, BEND]
    energy = rows[row, ENERGY] + x * (force + x * (0.5 * slope + x * bend / 3.0))
    return force + x * (slope + x * bend), slope + 2.0 * bend * x, energy


@kernel
def piece_mean(rows, row, start, stop):
    """Mean force between two approaches in one piece."""
    x, y = start - rows[row, BEGINS], stop - rows[row, BEGINS]
    return (
        rows[row, FORCE] + 0.5 * rows[row, SLOPE] * (x + y) + rows[row, BEND] * (x * x + x * y + y * y) / 3.0
    )


@kernel
def pieces_mean(rows, first, end, start, stop):
    """Mean force between two approaches, and its derivative by the second: without cancellation."""
    i, j = find_piece(rows, first, end, start), find_piece(rows, first, end, stop)
    if rows[i, KNOWN] == 0.0 or rows[j, KNOWN] == 0.0:
        return math.nan, math.nan
    if i == j:
        x, y = start - rows[i, BEGINS], stop - rows[i, BEGINS]
        return piece_mean(rows, i, start, stop), 0.5 * rows[i, SLOPE] + rows[i, BEND] * (x + 2.0 * y) / 3.0
    low, high = min(i, j), max(i, j)
    lower, upper, ends, begins = min(start, stop), max(start, stop), rows[low + 1, BEGINS], rows[high, BEGINS]
    work = (ends - lower) * piece_mean(rows, low, lower, ends)
    work += (upper - begins) * piece_mean(rows, high, begins, upper)
    work += rows[high, ENERGY] - rows[low + 1, ENERGY]
    mean = work / (upper - lower)
    force, _, _ = piece_response(rows, j, stop)
    return mean, (force - mean) / (stop - start)
