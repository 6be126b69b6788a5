"""Exact stiffness of a stretch of beam that vibrates, and of chains of such stretches.

Within a part of length l, y = (w/l, psi, M l/EI, V l^2/EI) obeys y' = A y along x/l:

    A = [[0, 1, 0, sigma], [0, 0, -1, 0], [0, rho, 0, 1], [-kappa, 0, 0, 0]],
    sigma = EI/(kGA l^2),  rho = lambda rho I l^2/EI,  kappa = (lambda m - k) l^4/EI,  lambda = omega^2.

The exponential of A is summed up as a series. Parts are short against the waves (`Segment.parts`), so that it
converges fast for every sign of kappa: no cases, no overflow, one formula for both theories and both spectra.
"""

import numpy as np

from traction.compiled import kernel

TERMS = 40  #: of the series, at most
DEGREE = 22  #: of the polynomials that hold a part of a shape
NEGLIGIBLE = 1e-18


@kernel
def times_system(numbers, y, z):
    """Z = A y for the columns of y, (4, k)."""
    sigma, rho, kappa = numbers[0], numbers[1], numbers[2]
    for j in range(y.shape[1]):
        w, psi, moment, shear = y[0, j], y[1, j], y[2, j], y[3, j]
        z[0, j] = psi + sigma * shear
        z[1, j] = -moment
        z[2, j] = shear + rho * psi
        z[3, j] = -kappa * w


@kernel
def transfer(numbers, length, T, D):
    """T = exp(A length) and D, its derivative by lambda; numbers are sigma, rho, kappa, drho, dkappa."""
    T[:], D[:] = np.eye(4), 0.0
    term, grown = np.eye(4), np.empty((4, 4))
    slope, risen = np.zeros((4, 4)), np.empty((4, 4))
    for k in range(1, TERMS):
        times_system(numbers, slope, risen)
        times_system(numbers, term, grown)
        for j in range(4):
            risen[2, j] += numbers[3] * term[1, j]
            risen[3, j] -= numbers[4] * term[0, j]
        term[:] = grown * (length / k)
        slope[:] = risen * (length / k)
        T += term
        D += slope
        if np.abs(term).max() <= NEGLIGIBLE * np.abs(T).max() and k > 8:
            break


@kernel
def part_numbers(section, length, square):
    """Sigma, rho, kappa and the derivatives of the last two, of a part; section is EI, m, 1/kGA, rho I, k."""
    EI, m, compliance, rotary, bed = section
    l2 = length * length
    drho, dkappa = rotary * l2 / EI, m * l2 * l2 / EI
    return np.array((EI * compliance / l2, square * drho, square * dkappa - bed * l2 * l2 / EI, drho, dkappa))


@kernel
def part_stiffness(section, length, square, K, M):
    """Stiffness K of a part and M = -dK/dlambda, for (w, psi) at both ends, in SI."""
    EI = section[0]
    T, D = np.empty((4, 4)), np.empty((4, 4))
    transfer(part_numbers(section, length, square), 1.0, T, D)
    X = np.linalg.inv(np.ascontiguousarray(T[:2, 2:]))
    dX = -X @ np.ascontiguousarray(D[:2, 2:]) @ X
    near, far = np.ascontiguousarray(T[:2, :2]), np.ascontiguousarray(D[:2, :2])
    _ends(-(X @ near), X, K)
    _ends(dX @ near + X @ far, -dX, M)
    scale = np.array((1.0 / length, 1.0, 1.0 / length, 1.0))
    for i in range(4):
        for j in range(4):
            K[i, j] *= scale[i] * scale[j] * EI / length
            M[i, j] *= scale[i] * scale[j] * EI / length


@kernel
def _ends(own, other, K):
    """Forces at the ends from (M, V) at the first one, by its own and by the other end's displacements.

    There they are (-V, M); at the last end the part looks the same with rotations and moments turned round.
    """
    for j in range(2):
        K[0, j], K[1, j] = -own[1, j], own[0, j]
        K[0, 2 + j], K[1, 2 + j] = -other[1, j], other[0, j]
    for i in range(2):
        for j in range(2):
            turn = 1.0 if i == j else -1.0
            K[2 + i, 2 + j] = turn * K[i, j]
            K[2 + i, j] = K[j, 2 + i]


@kernel
def assemble(sections, counts, square, springs, K, M):
    """Lower bands K[i, d] = K(i, i - d) and M of a chain; `springs` are (node, w and psi stiffness).

    `sections` are rows of EI, m, 1/kGA, rho I, k and the length of a part; rigid springs are infinite.
    """
    K[:], M[:] = 0.0, 0.0
    stiff, mass = np.empty((4, 4)), np.empty((4, 4))
    first = 0
    for s in range(counts.size):
        part_stiffness(sections[s, :5], sections[s, 5], square, stiff, mass)
        for _ in range(counts[s]):
            for i in range(4):
                for j in range(i + 1):
                    K[first + i, i - j] += stiff[i, j]
                    M[first + i, i - j] += mass[i, j]
            first += 2
    for node, against_w, against_psi in springs:
        _hold(2 * int(node), against_w, K, M)
        _hold(2 * int(node) + 1, against_psi, K, M)


@kernel
def _hold(place, stiffness, K, M):
    """Add a spring; a rigid one takes the place out of the chain."""
    if np.isfinite(stiffness):
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
def frequencies_below(sections, counts, square, springs):
    """Number of natural frequencies whose square is below this."""
    n = 2 * (counts.sum() + 1)
    K, M = np.empty((n, 4)), np.empty((n, 4))
    assemble(sections, counts, square, springs, K, M)
    return negative_pivots(K)


@kernel
def polynomials(sections, counts, square, d, pieces):
    """w, psi, M, V of a chain over each part, as polynomials in (x - middle)/l, (parts, 4, DEGREE), in SI.

    `d` are the displacements of the nodes.
    """
    T, D, half = np.empty((4, 4)), np.empty((4, 4)), np.empty((4, 4))
    part = 0
    for s in range(counts.size):
        EI, length = sections[s, 0], sections[s, 5]
        numbers = part_numbers(sections[s, :5], length, square)
        transfer(numbers, 1.0, T, D)
        transfer(numbers, 0.5, half, D)
        near, inverse = np.ascontiguousarray(T[:2, :2]), np.linalg.inv(np.ascontiguousarray(T[:2, 2:]))
        units = np.array((length, 1.0, EI / length, EI / length**2))
        start = np.empty(4)
        for _ in range(counts[s]):
            start[0], start[1] = d[2 * part] / length, d[2 * part + 1]
            end = np.array((d[2 * part + 2] / length, d[2 * part + 3]))
            start[2:] = inverse @ (end - near @ start[:2])
            expand(numbers, half @ start, 0.0, units, pieces[part])
            part += 1


@kernel
def expand(numbers, middle, load, units, piece):
    """Series of a solution about the middle of a part, where its state is known, under a load p l^3/EI."""
    y, z = np.empty((4, 1)), np.empty((4, 1))
    y[:, 0] = middle
    for k in range(DEGREE):
        piece[:, k] = y[:, 0] * units
        times_system(numbers, y, z)
        if k == 0:
            z[3, 0] -= load
        y[:] = z / (k + 1)


@kernel
def sample(pieces, table, row, order, x):
    """Derivative of some order of row `row` (w, psi, M, V) of a shape at x; outside the beam zero.

    `table` has a row for each segment: where it starts, length of a part, number of its first part; and a
    last row with the end of the beam and the number of parts.
    """
    last = len(table) - 1
    if x < table[0, 0] or x > table[last, 0]:
        return 0.0
    s = 0
    while s < last - 1 and x >= table[s + 1, 0]:
        s += 1
    length = table[s, 1]
    part = min(int((x - table[s, 0]) / length), int(table[s + 1, 2]) - int(table[s, 2]) - 1)
    xi = (x - table[s, 0]) / length - part - 0.5
    coefficients = pieces[int(table[s, 2]) + part, row]
    value = 0.0
    for k in range(DEGREE - 1, order - 1, -1):
        factor = 1.0
        for i in range(order):
            factor *= k - i
        value = value * xi + factor * coefficients[k]
    return value / length**order


@kernel
def sample_many(pieces, table, row, order, x, values):
    """`sample` at many places."""
    for i in range(x.size):
        values[i] = sample(pieces, table, row, order, x[i])
