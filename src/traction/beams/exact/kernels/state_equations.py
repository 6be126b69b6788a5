"""The equations that the states of a beam, (w, psi, M, V), obey at all of its nodes.

Along a part the state is transferred as in `beam_parts`. States are in units of one length a and one
bending stiffness B for the whole beam,

    Y = (w/a, psi, M a/B, V a^2/B).

Unknown are M and V just after all nodes, and u: w and psi of the nodes, or, where a stiff spring or a rigid
support holds, the force or moment that goes from the beam into it.
"""

import math

import numpy as np

from traction.compiled import kernel

SIDE = 5  #: diagonals of the equations on either side


@kernel
def fill_equations(T, counts, gives, holds, jumps, loads, band, right):
    """Rows band[i, SIDE + j - i] of what u, M and V just after all nodes obey, and right sides.

    Each node is displaced by `gives` u, and springs hold it by `holds` u; `loads` (force, moment) push;
    `jumps` (side, w or psi) are those of w and psi just before and just after it. All are in units of the
    beam. Beyond the last node M and V are zero.
    """
    for i in range(right.size):
        right[i] = 0.0
        for d in range(2 * SIDE + 1):
            band[i, d] = 0.0
    node = 0
    _balance_node(4 * node, holds[0], loads[0], band, right)
    for s in range(counts.size):
        for _ in range(counts[s]):
            column, row = 4 * node, 4 * node + 2
            gave, jumped = gives[node], jumps[node, 1]
            node += 1
            _balance_node(4 * node, holds[node], loads[node], band, right)
            for i in range(2):
                band[row + i, SIDE + 2] = gives[node, i]  # of column + 4 + i
                right[row + i] += jumps[node, 0, i]
                _add_transfer(T[s, i], row + i, column, gave, jumped, band, right)
                _add_transfer(T[s, 3 - i], row + 2 + i, column, gave, jumped, band, right)
    for i in range(2):
        band[4 * node + 2 + i, SIDE] = 1.0


@kernel
def _add_transfer(T, row, column, gives, jump, band, right):
    """Add - T y of the part before a node to an equation: one row of the state at its end."""
    right[row] += T[4]
    for j in range(4):
        band[row, SIDE + column + j - row] -= T[j] * gives[j] if j < 2 else T[j]
        if j < 2:
            right[row] += T[j] * jump[j]


@kernel
def _balance_node(first, holds, load, band, right):
    """V - k w = - F and M + k psi = moment of what comes after a node; its unknowns begin at `first`."""
    for i in range(2):
        sign = -1.0 if i == 0 else 1.0
        band[first + i, SIDE + 3 - 2 * i] = 1.0
        band[first + i, SIDE] = sign * holds[i]
        right[first + i] = sign * load[i]


@kernel
def _row_residual(i, band, x, right):
    """Right side of an equation less its left one, and the sum of the sizes of its terms."""
    total, size = right[i], abs(right[i])
    for d in range(max(0, SIDE - i), min(2 * SIDE + 1, right.size + SIDE - i)):
        product = band[i, d] * x[i + d - SIDE]
        total -= product
        size += abs(product)
    return total, size


@kernel
def residual(band, x, right, residuals):
    """Right sides less equations times x, and the largest over the terms of its equation; NaN is infinite."""
    worst = 0.0
    for i in range(right.size):
        residuals[i], size = _row_residual(i, band, x, right)
        if math.isnan(residuals[i]):
            return np.inf
        if abs(residuals[i]) > worst * size:
            worst = abs(residuals[i]) / size
    return worst


@kernel
def residual_by_kind(band, x, right, least):
    """The largest residual over the largest terms of equations of its kind; NaN is infinite.

    There are four kinds: of V, M, w and psi. The last two equations are of M and V. Terms count as `least`
    where they are smaller.
    """
    residuals, sizes, n = np.zeros(4), np.full(4, least), right.size
    for i in range(n):
        kind = i % 4 if i < n - 2 else n - 1 - i
        left, size = _row_residual(i, band, x, right)
        if math.isnan(left):
            return np.inf
        residuals[kind], sizes[kind] = max(residuals[kind], abs(left)), max(sizes[kind], size)
    worst = 0.0
    for kind in range(4):
        if residuals[kind] > worst * sizes[kind]:
            worst = residuals[kind] / sizes[kind]
    return worst
