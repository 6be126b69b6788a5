"""How the state of a beam, (w, psi, M, V), goes on along its parts, and the equations that all of them obey.

Along a part the state obeys the system of `stiffness_kernels`. Unknown are the states just after all nodes,
in units of one length a and one bending stiffness B for the whole beam,

    Y = (w/a, psi, M a/B, V a^2/B).
"""

import numpy as np

from traction.beams.stiffness_kernels import NEGLIGIBLE, TERMS, expand, part_numbers, times_system
from traction.compiled import kernel

SIDE = 5  #: diagonals of the equations on either side


@kernel
def carried(numbers, reach, load, T):
    """T = (exp(A reach), state from nothing under the load p l^3/EI), (4, 5), in units of a part."""
    T[:] = 0.0
    term, grown = np.zeros((4, 5)), np.empty((4, 5))
    for i in range(4):
        T[i, i] = term[i, i] = 1.0
    for k in range(1, TERMS):
        times_system(numbers, term, grown)
        if k == 1:
            grown[3, 4] -= load
        going = k <= 4
        for i in range(4):
            for j in range(5):
                term[i, j] = grown[i, j] * reach / k
                T[i, j] += term[i, j]
                going = going or abs(term[i, j]) > NEGLIGIBLE * abs(T[i, j])
        if not going:
            break


@kernel
def transfers(sections, square, loads, units, T):
    """Over a part of each segment, (segments, 4, 5), in units (a, B) of the beam.

    `sections` are rows of EI, m, 1/kGA, rho I, k and the length of a part, `loads` uniform ones, N/m.
    """
    a, B = units
    to = np.ones(5)
    for s in range(len(sections)):
        EI, length = sections[s, 0], sections[s, 5]
        numbers = part_numbers(sections[s, :5], length, square)
        carried(numbers, 1.0, loads[s] * length**3 / EI, T[s])
        ratio = length / a
        to[0], to[2], to[3] = 1.0 / ratio, ratio * B / EI, ratio**2 * B / EI
        for i in range(4):
            for j in range(5):
                T[s, i, j] *= to[j] / to[i]


@kernel
def equations(T, counts, springs, jumps, loads, band, right):
    """Rows band[i, SIDE + j - i] of what the states just after all nodes obey, and right sides.

    At each node `springs` (against w, against psi) hold and `loads` (force, moment) push; `jumps` (side, w or
    psi) are those of w and psi just before and just after it. All are in units of the beam. Beyond the last
    node M and V are zero.
    """
    band[:], right[:] = 0.0, 0.0
    _held(0, 0, springs[0], jumps[0], loads[0], band, right)
    node = 0
    for s in range(counts.size):
        for _ in range(counts[s]):
            column, row = 4 * node, 4 * node + 2
            node += 1
            _held(row + 2, column + 4, springs[node], jumps[node], loads[node], band, right)
            for i in range(2):
                band[row + i, SIDE + 2] = 1.0  # of column + 4 + i
                _joined(T[s], i, row + i, column, band, right)
                right[row + i] += jumps[node, 0, i] + jumps[node, 1, i]
                if np.isfinite(springs[node, i]):
                    _joined(T[s], 3 - i, row + 2 + i, column, band, right)
    for i in range(2):
        band[4 * node + 2 + i, SIDE] = 1.0


@kernel
def _joined(T, i, row, column, band, right):
    """Add - T y of the part before a node to an equation: row i of the state at its end."""
    for j in range(4):
        band[row, SIDE + column + j - row] -= T[i, j]
    right[row] += T[i, 4]


@kernel
def _held(row, column, spring, jump, load, band, right):
    """V - k w = - F and M + k psi = moment of what comes after a node, or w = 0 and psi = 0 of the node.

    The node has w and psi of the state after it, less the jump in between.
    """
    for i in range(2):
        sign = -1.0 if i == 0 else 1.0
        after = jump[1, i]
        if np.isfinite(spring[i]):
            band[row + i, SIDE + column + 3 - i - row - i] = 1.0
            band[row + i, SIDE + column + i - row - i] = sign * spring[i]
            right[row + i] = sign * (load[i] + spring[i] * after)
        else:
            band[row + i, SIDE + column + i - row - i] = 1.0
            right[row + i] = after


@kernel
def by_columns(band, full):
    """The rows of a band as LAPACK's columns, full[2 SIDE + i - j, j]."""
    n = len(band)
    for i in range(n):
        for d in range(max(0, SIDE - i), min(2 * SIDE + 1, n + SIDE - i)):
            full[3 * SIDE - d, i + d - SIDE] = band[i, d]


@kernel
def residual(band, x, right, lacks):
    """Right side less equations times x, and the largest of it over what rounding of the terms may bring."""
    worst = 0.0
    n = right.size
    for i in range(n):
        total, size = right[i], abs(right[i])
        for d in range(max(0, SIDE - i), min(2 * SIDE + 1, n + SIDE - i)):
            product = band[i, d] * x[i + d - SIDE]
            total -= product
            size += abs(product)
        lacks[i] = total
        if size > 0.0:
            worst = max(worst, abs(total) / size)
    return worst


@kernel
def ends(T, counts, starts, found):
    """States at the ends of all parts from those at their starts, (parts, 4)."""
    part = 0
    for s in range(counts.size):
        for _ in range(counts[s]):
            for i in range(4):
                found[part, i] = T[s, i, 4]
                for j in range(4):
                    found[part, i] += T[s, i, j] * starts[part, j]
            part += 1


@kernel
def polynomials(sections, counts, square, loads, starts, pieces):
    """w, psi, M, V over each part as polynomials in (x - middle)/l, (parts, 4, DEGREE), in SI.

    `starts` are the states at the starts of the parts.
    """
    half, middle = np.empty((4, 5)), np.empty(4)
    part = 0
    for s in range(counts.size):
        EI, length = sections[s, 0], sections[s, 5]
        load = loads[s] * length**3 / EI
        numbers = part_numbers(sections[s, :5], length, square)
        carried(numbers, 0.5, load, half)
        units = np.array((length, 1.0, EI / length, EI / length**2))
        for _ in range(counts[s]):
            for i in range(4):
                middle[i] = half[i, 4]
                for j in range(4):
                    middle[i] += half[i, j] * (starts[part, j] / units[j])
            expand(numbers, middle, load, units, pieces[part])
            part += 1
