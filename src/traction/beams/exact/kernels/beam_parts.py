"""Parts of a vibrating beam: transfer of the state (w, psi, M, V) along them, stiffness of chains, and
shapes.

Within a part of length l, y = (w/l, psi, M l/EI, V l^2/EI) obeys y' = A y along x/l, less p l^3/EI in its
last row under a load p:

    A = [[0, 1, 0, sigma], [0, 0, -1, 0], [0, rho, 0, 1], [-kappa, 0, 0, 0]],
    sigma = EI/(kGA l^2),  rho = lambda rho I l^2/EI,  kappa = (lambda m - k) l^4/EI,  lambda = omega^2.

The exponential of A is summed up as a series. Parts are short against the waves (`Segment.parts`), so that it
converges fast for every sign of kappa: no cases, no overflow, one formula for both theories and both spectra.
The exact stiffness of a part, and of chains of them, follows from it.

A shape is `pieces` (parts, 4, DEGREE), polynomials of w, psi, M and V in (x - middle)/l, in SI, and a `table`
with a row for each segment: where it starts, length of a part, number of its first part; and a last row with
the end of the beam and the number of parts.

Sections are rows of EI, m, 1/kGA, rho I, k and the length of a part. Kernels here are written number by
number: what numpy writes in one line takes the compiler a second.

Units: y and the coefficients are pure numbers; lambda = omega^2 in 1/s^2, sections, stiffnesses and shapes in
SI.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

TERMS = 40  #: of the series, at most
FEWEST_TERMS = 8  #: that are summed in any case
NEGLIGIBLE = 1e-18
DEGREE = 22  #: of the polynomials that hold a part of a shape


class PartNumbers(NamedTuple):
    """Coefficients of A, and their derivatives by lambda."""

    sigma: float
    rho: float
    kappa: float
    drho: float
    dkappa: float


@kernel
def part_numbers(section, square):
    """Coefficients of a part that vibrates with lambda = `square`."""
    EI, m, length = section[0], section[1], section[5]
    l2 = length * length
    drho, dkappa = section[3] * l2 / EI, m * l2 * l2 / EI
    kappa = square * dkappa - section[4] * l2 * l2 / EI
    return PartNumbers(EI * section[2] / l2, square * drho, kappa, drho, dkappa)


@kernel
def times_system(part, y, z):
    """Z = A y for the columns of y, (4, k)."""
    for j in range(y.shape[1]):
        w, psi, moment, shear = y[0, j], y[1, j], y[2, j], y[3, j]
        z[0, j] = psi + part.sigma * shear
        z[1, j] = -moment
        z[2, j] = shear + part.rho * psi
        z[3, j] = -part.kappa * w


@kernel
def transfer(part, reach, load, T, D):
    """T = (exp(A reach), state from zero under the load p l^3/EI), (4, 5), and D = dT/dlambda without load.

    States, loads and `reach` are in units of the part.
    """
    term, grown = np.zeros((4, 5)), np.empty((4, 5))
    slope, risen = np.zeros((4, 4)), np.empty((4, 4))
    for i in range(4):
        for j in range(5):
            T[i, j] = 0.0
        for j in range(4):
            D[i, j] = 0.0
        T[i, i] = term[i, i] = 1.0
    for k in range(1, TERMS):
        times_system(part, slope, risen)
        times_system(part, term, grown)
        if k == 1:
            grown[3, 4] -= load
        going = k <= FEWEST_TERMS
        for j in range(4):
            risen[2, j] += part.drho * term[1, j]
            risen[3, j] -= part.dkappa * term[0, j]
        for i in range(4):
            for j in range(5):
                term[i, j] = grown[i, j] * reach / k
                T[i, j] += term[i, j]
                going = going or abs(term[i, j]) > NEGLIGIBLE * abs(T[i, j])
            for j in range(4):
                slope[i, j] = risen[i, j] * reach / k
                D[i, j] += slope[i, j]
        if not going:
            break


@kernel
def transfer_parts(sections, square, reach, loads, T, D):
    """`transfer` over a share `reach` of a part of each segment under its load (N/m), and its derivative."""
    for s in range(len(sections)):
        load = loads[s] * sections[s, 5] ** 3 / sections[s, 0]
        transfer(part_numbers(sections[s], square), reach, load, T[s], D[s])


@kernel
def invert_coupling(T, X):
    """X = the inverse of the block of T by which (M, V) at the first end displace the last one."""
    determinant = T[0, 2] * T[1, 3] - T[0, 3] * T[1, 2]
    X[0, 0], X[0, 1] = T[1, 3] / determinant, -T[0, 3] / determinant
    X[1, 0], X[1, 1] = -T[1, 2] / determinant, T[0, 2] / determinant


@kernel(inlined=True)
def multiply(A, B, first, C):
    """C = A times the block of two columns of B from `first` on, (2, 2)."""
    for i in range(2):
        for j in range(2):
            C[i, j] = A[i, 0] * B[0, first + j] + A[i, 1] * B[1, first + j]


@kernel
def part_stiffness(section, T, D, K, M):
    """Stiffness K of a part and M = -dK/dlambda, for (w, psi) at both ends, in SI, from its `transfer`."""
    X, dX = np.empty((2, 2)), np.empty((2, 2))
    by_own, by_rate, space = np.empty((2, 2)), np.empty((2, 2)), np.empty((2, 2))
    invert_coupling(T, X)
    multiply(X, D, 2, space)
    multiply(space, X, 0, dX)  # - dX/dlambda
    multiply(X, T, 0, by_own)
    multiply(dX, T, 0, by_rate)
    multiply(X, D, 0, space)
    for i in range(2):
        for j in range(2):
            by_own[i, j] = -by_own[i, j]
            by_rate[i, j] = space[i, j] - by_rate[i, j]
    fill_ends(by_own, X, section, K)
    fill_ends(by_rate, dX, section, M)


@kernel
def fill_ends(own, other, section, K):
    """Forces at the ends from (M, V) at the first one, by its own and by the other end's displacements.

    There they are (-V, M); at the last end the part looks the same with rotations and moments turned round.
    """
    EI, length = section[0], section[5]
    for j in range(2):
        K[0, j], K[1, j] = -own[1, j], own[0, j]
        K[0, 2 + j], K[1, 2 + j] = -other[1, j], other[0, j]
    for i in range(2):
        for j in range(2):
            turn = 1.0 if i == j else -1.0
            K[2 + i, 2 + j] = turn * K[i, j]
            K[2 + i, j] = K[j, 2 + i]
    for i in range(4):
        for j in range(4):
            scale = (1.0 / length if i % 2 == 0 else 1.0) * (1.0 / length if j % 2 == 0 else 1.0)
            K[i, j] *= scale * EI / length


@kernel
def assemble(sections, counts, T, D, springs, K, M):
    """Lower bands K[i, d] = K(i, i - d) and M of a chain; `springs` are (node, w and psi stiffness).

    T and D are those of `transfer_parts`. Rigid springs are infinite.
    """
    for i in range(len(K)):
        for d in range(4):
            K[i, d] = M[i, d] = 0.0
    stiff, mass = np.empty((4, 4)), np.empty((4, 4))
    first = 0
    for s in range(counts.size):
        part_stiffness(sections[s], T[s], D[s], stiff, mass)
        for _ in range(counts[s]):
            for i in range(4):
                for j in range(i + 1):
                    K[first + i, i - j] += stiff[i, j]
                    M[first + i, i - j] += mass[i, j]
            first += 2
    for s in range(len(springs)):
        for row in range(2):
            hold(2 * int(springs[s, 0]) + row, springs[s, 1 + row], K, M)


@kernel
def hold(place, stiffness, K, M):
    """Add a spring; a rigid one takes the place out of the chain."""
    if math.isfinite(stiffness):
        K[place, 0] += stiffness
        return
    for d in range(4):
        K[place, d] = M[place, d] = 0.0
        if place + d < len(K):
            K[place + d, d] = M[place + d, d] = 0.0
    K[place, 0] = 1.0


@kernel
def negative_pivots(K):
    """Negative pivots of a band, which is destroyed: frequencies below the one it was made for.

    That is Wittrick and Williams' (1971) count, as no part has a clamped frequency below.
    """
    count = 0
    for i in range(len(K)):
        pivot = K[i, 0]
        if pivot == 0.0:
            pivot = 1e-300
        if pivot < 0.0:
            count += 1
        for a in range(1, min(4, len(K) - i)):
            for b in range(1, a + 1):
                K[i + a, a - b] -= K[i + a, a] * K[i + b, b] / pivot
    return count


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
