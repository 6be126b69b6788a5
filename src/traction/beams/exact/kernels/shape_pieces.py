"""Deflection, rotation, moment and shear force along a beam, as polynomials over its parts.

A shape is `pieces` (parts, 4, DEGREE), polynomials of w, psi, M and V in (x - middle)/l, in SI, and a `table`
with a row for each segment: where it starts, length of a part, number of its first part; and a last row with
the end of the beam and the number of parts.
"""

import numpy as np

from traction.beams.exact.kernels.part_transfer import part_numbers
from traction.compiled import kernel

DEGREE = 22  #: of the polynomials that hold a part of a shape


@kernel
def expand_parts(sections, counts, square, loads, halves, starts, pieces):
    """Pieces from the states at the starts of the parts, under uniform `loads` (N/m) of the segments.

    `halves` are transfers over half a part of each segment.
    """
    middle, units = np.empty(4), np.empty(4)
    part = 0
    for s in range(counts.size):
        EI, length = sections[s, 0], sections[s, 5]
        load = loads[s] * length**3 / EI
        numbers = part_numbers(sections[s], square)
        half = halves[s]
        units[0], units[1], units[2], units[3] = length, 1.0, EI / length, EI / length**2
        for _ in range(counts[s]):
            for i in range(4):
                middle[i] = half[i, 4]
                for j in range(4):
                    middle[i] += half[i, j] * (starts[part, j] / units[j])
            expand_middle(numbers, middle, load, units, pieces[part])
            part += 1


@kernel
def expand_middle(part, middle, load, units, piece):
    """Series of a solution about the middle of a part, where its state is known, under a load p l^3/EI."""
    w, psi, moment, shear = middle[0], middle[1], middle[2], middle[3]
    for k in range(DEGREE):
        piece[0, k], piece[1, k] = w * units[0], psi * units[1]
        piece[2, k], piece[3, k] = moment * units[2], shear * units[3]
        push = -part.kappa * w
        if k == 0:
            push -= load
        grown = psi + part.sigma * shear, -moment, shear + part.rho * psi
        w, psi, moment, shear = grown[0] / (k + 1), grown[1] / (k + 1), grown[2] / (k + 1), push / (k + 1)


@kernel
def sample_shape(pieces, table, row, order, x, values):
    """Derivative of some order of row `row` (w, psi, M, V) of a shape at places x; outside the beam zero."""
    last = len(table) - 1
    for i in range(x.size):
        values[i] = 0.0
        if x[i] < table[0, 0] or x[i] > table[last, 0]:
            continue
        s = 0
        while s < last - 1 and x[i] >= table[s + 1, 0]:
            s += 1
        length = table[s, 1]
        part = min(int((x[i] - table[s, 0]) / length), int(table[s + 1, 2]) - int(table[s, 2]) - 1)
        xi = (x[i] - table[s, 0]) / length - part - 0.5
        number = int(table[s, 2]) + part
        value = 0.0
        for k in range(DEGREE - 1, order - 1, -1):
            factor = 1.0
            for j in range(order):
                factor *= k - j
            value = value * xi + factor * pieces[number, row, k]
        values[i] = value / length**order
