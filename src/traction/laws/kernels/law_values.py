"""Contact laws in compiled code: force and its derivatives by approach and by its rate.

F = k delta^n, and with it Hertz's law, is written here only. `memory` is that of a plastic contact, `DENT`
and the others are indices in it. Approaches count from the first touch.

A law in pieces is a parabola in the approach between two rows of a table. Row i holds (approach, F,
dF/d(approach), half of its derivative, energy, known) where its piece begins; the piece ends where the next
row begins. Energies are integrals of the force. A row whose `KNOWN` is zero begins a gap of the table, in
which only the energy at its beginning is known: forces are not numbers. The rows of several laws may be
stacked: `first` and `end` are those of one law.

Units: SI; approaches in m, rates in m/s, forces in N, stiffnesses in N/m, energies in J.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

POWER, PLASTIC, TABULATED = 0, 1, 2  #: kinds
UNLOADING, DEEPEST, DENT, UNLOADED_COEFFICIENT, SPENT = 0, 1, 2, 3, 4  #: places in the memory
REMEMBERED = 5
BEGINS, FORCE, SLOPE, BEND, ENERGY, KNOWN = range(6)  #: columns of laws in pieces
COLUMNS = 6


@kernel
def power_response(coefficient, exponent, depth):
    """Force k delta^n, stiffness n F/delta and energy F delta/(n + 1); nothing before the first touch."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    force = coefficient * depth**exponent
    return force, exponent * force / depth, force * depth / (exponent + 1.0)


@kernel
def hertz_mean(coefficient, start, end):
    """Mean of k max(0, d)^(3/2) between two approaches, and its derivative by the second.

    Where both touch, the roots a and b of the approaches give (2k/5) (a^5 - b^5)/(a^2 - b^2) without
    cancellation.
    """
    if start <= 0.0 and end <= 0.0:
        return 0.0, 0.0
    if start <= 0.0 or end <= 0.0:
        _, _, energy = power_response(coefficient, 1.5, max(start, end))
        mean = energy / abs(end - start)
        force, _, _ = power_response(coefficient, 1.5, end)
        return mean, (force - mean) / (end - start)
    a, b = math.sqrt(end), math.sqrt(start)
    mean = 0.4 * coefficient * (a**4 + a**3 * b + a * a * b * b + a * b**3 + b**4) / (a + b)
    return mean, 0.2 * coefficient * (3.0 * a**3 + 6.0 * a * a * b + 4.0 * a * b * b + 2.0 * b**3) / (
        a + b
    ) ** 2


class CompiledLaw(NamedTuple):
    """A contact law as kernels take it."""

    kind: int
    coefficient: float  #: k, N/m^n
    exponent: float  #: n
    damping: float  #: c, s/m
    yield_approach: float  #: m
    table: np.ndarray  #: rows (ln depth, ln F, d ln F/d ln depth, energy), see `contact_law`


@kernel
def contact_force(law, memory, approach, rate):
    """Force (N) and its derivatives by the approach (N/m) and by its rate (N s/m).

    The force of a damped contact that opens faster than 1/c is negative.
    """
    depth = approach - memory[DENT]
    if not depth > 0.0:
        return 0.0, 0.0, 0.0
    if law.kind == PLASTIC:
        force, slope = _plastic_force(law, memory, approach)
        return force, slope, 0.0
    if law.kind == TABULATED:
        force, slope = table_force(law.table, depth)
    else:
        force, slope, _ = power_response(law.coefficient, law.exponent, depth)
    c = law.damping
    if c == 0.0:
        return force, slope, 0.0
    factor = 1.0 + c * rate  # below zero the bodies let go of each other: the march ends the contact there
    return force * factor, slope * factor, force * c


@kernel
def _plastic_force(law, memory, approach):
    """Thornton (1997): Hertz up to yield, then a straight line; back by Hertz with a larger radius."""
    n, limit = law.exponent, law.yield_approach
    if memory[UNLOADING] > 0.0:
        force, slope, _ = power_response(memory[UNLOADED_COEFFICIENT], n, approach - memory[DENT])
        return force, slope
    if approach <= limit:
        force, slope, _ = power_response(law.coefficient, n, approach)
        return force, slope
    force, slope, _ = power_response(law.coefficient, n, limit)
    return force + slope * (approach - limit), slope


@kernel
def has_to_turn(law, memory, approach):
    """Whether a contact that opens now has flowed and must unload elastically."""
    return law.kind == PLASTIC and memory[UNLOADING] == 0.0 and approach > law.yield_approach


@kernel
def turn_back(law, memory, approach):
    """Begin to unload from `approach`, the deepest yet; elastic below yield."""
    k, n, limit = law.coefficient, law.exponent, law.yield_approach
    if approach <= limit:
        return
    force, _ = _plastic_force(law, memory, approach)
    at_yield, slope, taken = power_response(k, n, limit)
    # the contact area of the plastic force is that of an elastic force on a larger radius
    elastic = at_yield * ((2.0 * force + at_yield) / (3.0 * at_yield)) ** 1.5
    memory[UNLOADED_COEFFICIENT] = k * math.sqrt(elastic / force)
    memory[UNLOADING] = 1.0
    memory[DEEPEST] = approach
    memory[DENT] = approach - (force / memory[UNLOADED_COEFFICIENT]) ** (1.0 / n)
    stored = force * (approach - memory[DENT]) / (n + 1.0)
    straight = approach - limit
    memory[SPENT] = taken + at_yield * straight + 0.5 * slope * straight**2 - stored


@kernel
def table_force(table, depth):
    """Cubic in ln F over ln(depth) between the rows (ln depth, ln F, slope, energy); straight outside."""
    x = math.log(depth)
    last = table.shape[0] - 1
    if x <= table[0, 0] or x >= table[last, 0]:
        row = 0 if x <= table[0, 0] else last
        force = math.exp(table[row, 1] + table[row, 2] * (x - table[row, 0]))
        return force, table[row, 2] * force / depth
    low, high = 0, last
    while high - low > 1:  # halves at most 64 times
        middle = (low + high) // 2
        if table[middle, 0] <= x:
            low = middle
        else:
            high = middle
    width = table[high, 0] - table[low, 0]
    s = (x - table[low, 0]) / width
    a, b = width * table[low, 2], width * table[high, 2]
    rise = table[high, 1] - table[low, 1]
    c2, c3 = 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise
    force = math.exp(table[low, 1] + s * (a + s * (c2 + s * c3)))
    return force, force / depth * (a + s * (2.0 * c2 + 3.0 * s * c3)) / width


@kernel
def contact_energy(law, memory, approach):
    """Elastic energy in the contact plus what plastic flow has taken, J."""
    depth = approach - memory[DENT]
    spent = memory[SPENT]
    if not depth > 0.0:
        return spent
    if law.kind == TABULATED:
        return table_energy(law.table, depth)
    k, n, limit = law.coefficient, law.exponent, law.yield_approach
    if has_to_turn(law, memory, approach):
        at_yield, slope, taken = power_response(k, n, limit)
        straight = approach - limit
        return taken + at_yield * straight + 0.5 * slope * straight**2
    own = memory[UNLOADED_COEFFICIENT] if memory[UNLOADING] > 0.0 else k
    return power_response(own, n, depth)[2] + spent


@kernel
def table_energy(table, depth):
    """Energy of the row below plus Simpson's rule over eight parts."""
    row = 0
    for k in range(table.shape[0]):
        if math.exp(table[k, 0]) <= depth:
            row = k
    start, energy = math.exp(table[row, 0]), table[row, 3]
    if depth < start:
        force, _ = table_force(table, depth)
        return force * depth / (table[0, 2] + 1.0)
    if row == table.shape[0] - 1:  # a power law: in closed form
        force, _ = table_force(table, depth)
        return energy + (force * depth - math.exp(table[row, 1]) * start) / (table[row, 2] + 1.0)
    h = (depth - start) / 16.0
    for j in range(17):
        weight = 1.0 if j in (0, 16) else (4.0 if j % 2 else 2.0)
        force, _ = table_force(table, max(start + j * h, 1e-300))
        energy += weight * h / 3.0 * force
    return energy


@kernel
def contact_energies(law, memories, approaches):
    """`contact_energy` of many states."""
    found = np.empty(approaches.size)
    for k in range(approaches.size):
        found[k] = contact_energy(law, memories[k], approaches[k])
    return found


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
