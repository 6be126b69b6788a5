"""Exact stiffness of a part of a beam that vibrates, and of chains of such parts; see `part_transfer`.

Units: SI; stiffnesses in N/m, N and N m for (w, psi) in m and rad, lambda = omega^2 in 1/s^2.
"""

import math

import numpy as np

from traction.compiled import kernel


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
