"""How the state of a beam, (w, psi, M, V), goes on along its parts, and the equations that all of them obey.

Along a part the state obeys the system of `part_stiffness`. States are in units of one length a and one
bending stiffness B for the whole beam,

    Y = (w/a, psi, M a/B, V a^2/B).

Unknown are M and V just after all nodes, and u: w and psi of the nodes, or, where a stiff spring or a rigid
support holds, the force or moment that goes from the beam into it.
"""

import numpy as np

from traction.beams.exact.kernels.part_stiffness import NEGLIGIBLE, TERMS, expand, part_numbers, times_system
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
def equations(T, counts, gives, holds, jumps, loads, band, right):
    """Rows band[i, SIDE + j - i] of what u, M and V just after all nodes obey, and right sides.

    Each node is displaced by `gives` u, and springs hold it by `holds` u; `loads` (force, moment) push;
    `jumps` (side, w or psi) are those of w and psi just before and just after it. All are in units of the
    beam. Beyond the last node M and V are zero.
    """
    band[:], right[:] = 0.0, 0.0
    _held(0, 0, holds[0], loads[0], band, right)
    node = 0
    for s in range(counts.size):
        for _ in range(counts[s]):
            column, row = 4 * node, 4 * node + 2
            gave, jumped = gives[node], jumps[node, 1]
            node += 1
            _held(row + 2, column + 4, holds[node], loads[node], band, right)
            for i in range(2):
                band[row + i, SIDE + 2] = gives[node, i]  # of column + 4 + i
                right[row + i] += jumps[node, 0, i]
                _joined(T[s, i], row + i, column, gave, jumped, band, right)
                _joined(T[s, 3 - i], row + 2 + i, column, gave, jumped, band, right)
    for i in range(2):
        band[4 * node + 2 + i, SIDE] = 1.0


@kernel
def _joined(T, row, column, gives, jump, band, right):
    """Add - T y of the part before a node to an equation: one row of the state at its end."""
    right[row] += T[4]
    for j in range(4):
        band[row, SIDE + column + j - row] -= T[j] * gives[j] if j < 2 else T[j]
        if j < 2:
            right[row] += T[j] * jump[j]


@kernel
def _held(row, column, holds, load, band, right):
    """V - k w = - F and M + k psi = moment of what comes after a node."""
    for i in range(2):
        sign = -1.0 if i == 0 else 1.0
        band[row + i, SIDE + column + 3 - i - row - i] = 1.0
        band[row + i, SIDE + column + i - row - i] = sign * holds[i]
        right[row + i] = sign * load[i]


@kernel
def by_columns(band, full):
    """The rows of a band as LAPACK's columns, full[2 SIDE + i - j, j]."""
    n = len(band)
    for i in range(n):
        for d in range(max(0, SIDE - i), min(2 * SIDE + 1, n + SIDE - i)):
            full[3 * SIDE - d, i + d - SIDE] = band[i, d]


@kernel
def _lack(i, band, x, right):
    """Right side of an equation less its left one, and the sum of the sizes of its terms."""
    total, size = right[i], abs(right[i])
    for d in range(max(0, SIDE - i), min(2 * SIDE + 1, right.size + SIDE - i)):
        product = band[i, d] * x[i + d - SIDE]
        total -= product
        size += abs(product)
    return total, size


@kernel
def residual(band, x, right, lacks):
    """Right sides less equations times x, and the largest over the terms of its equation; NaN is infinite."""
    worst = 0.0
    for i in range(right.size):
        lacks[i], size = _lack(i, band, x, right)
        if np.isnan(lacks[i]):
            return np.inf
        if abs(lacks[i]) > worst * size:
            worst = abs(lacks[i]) / size
    return worst


@kernel
def missing(band, x, right, least):
    """The largest that an equation misses, over the largest terms of those of its kind; NaN is infinite.

    There are four kinds: of V, M, w and psi. The last two equations are of M and V. Terms count as `least`
    where they are smaller.
    """
    lacks, sizes, n = np.zeros(4), np.full(4, least), right.size
    for i in range(n):
        kind = i % 4 if i < n - 2 else n - 1 - i
        lack, size = _lack(i, band, x, right)
        if np.isnan(lack):
            return np.inf
        lacks[kind], sizes[kind] = max(lacks[kind], abs(lack)), max(sizes[kind], size)
    worst = 0.0
    for kind in range(4):
        if lacks[kind] > worst * sizes[kind]:
            worst = lacks[kind] / sizes[kind]
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
