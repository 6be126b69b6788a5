"""Beam elements with the shape functions of a beam at rest (Friedman, Kosmatka 1993).

Between its ends an element without load bends as w = a cubic and psi = a parabola, exactly, for every
phi = 12 EI/(kGA l^2); phi = 0 gives Hermite's cubics. The stiffness is therefore exact and knows no locking.

Displacements are w and l psi. Then a stiffness is a few whole multiples of c = EI/(l^3 (1 + phi)), and with c
cut to 46 digits motions without strain need no force to the last digit. In other units rounding acts like
springs to the ground of 1e-16 EI/l^3 at every node, and 1000 elements miss the first frequency by 0.1 %.
"""

import math

import numpy as np

from traction.compiled import kernel

DEFLECTION, SLOPE, ROTATION, MOMENT, SHEAR = 0, 1, 2, 3, 4
DIGITS = 46  #: of c, so that its multiples up to 24 are exact in 53
CUBIC, LINEAR = 0, 1  #: how a force is shared by the ends: elements, differences
#: of Gauss's rule with 4 points on (0, 1), exact for the products of cubics
POINTS = np.polynomial.legendre.leggauss(4)[0] * 0.5 + 0.5
WEIGHTS = np.polynomial.legendre.leggauss(4)[1] * 0.5


@kernel
def shape_row(quantity, xi, length, phi, EI, row):
    """What each of (w, psi) at both ends gives of a quantity at xi = x/l."""
    c = 1.0 / (1.0 + phi)
    half = 0.5 * phi
    if quantity == DEFLECTION:
        row[2] = c * xi * (phi + xi * (3.0 - 2.0 * xi))
        row[0] = 1.0 - row[2]
        row[1] = c * length * xi * (1.0 + half - xi * (2.0 + half - xi))
        row[3] = c * length * xi * (-half - xi * (1.0 - half - xi))
    elif quantity == SLOPE:
        row[2] = c * (phi + 6.0 * xi * (1.0 - xi)) / length
        row[0] = -row[2]
        row[1] = c * (1.0 + half - xi * (4.0 + phi - 3.0 * xi))
        row[3] = c * (-half - xi * (2.0 - phi - 3.0 * xi))
    elif quantity == ROTATION:
        row[2] = c * 6.0 * xi * (1.0 - xi) / length
        row[0] = -row[2]
        row[1] = c * (1.0 + phi - xi * (4.0 + phi - 3.0 * xi))
        row[3] = -c * xi * (2.0 - phi - 3.0 * xi)
    elif quantity == MOMENT:
        factor = -c * EI / length
        row[2] = factor * (6.0 - 12.0 * xi) / length
        row[0] = -row[2]
        row[1] = factor * (6.0 * xi - 4.0 - phi)
        row[3] = factor * (6.0 * xi - 2.0 + phi)
    else:
        factor = 12.0 * c * EI / length**3
        row[0], row[2] = -factor, factor
        row[1] = row[3] = -0.5 * factor * length


@kernel
def cut(number, bits):
    """A number with so many binary digits."""
    mantissa, exponent = math.frexp(number)
    return math.ldexp(np.rint(math.ldexp(mantissa, bits)), exponent - bits)


@kernel
def bending_matrix(EI, length, phi, K):
    """Stiffness of an element for (w, l psi) at both ends, exact for motions without strain."""
    c = cut(EI / (length**3 * (1.0 + phi)), DIGITS)
    large = c * 64.0
    p = (phi * c + large) - large if phi < 64.0 else cut(phi * c, DIGITS)  # on the digits of c
    for i in range(4):
        for j in range(4):
            sign = -1.0 if (i == 2) != (j == 2) else 1.0
            if i % 2 == 0 and j % 2 == 0:
                K[i, j] = sign * 12.0 * c
            elif i % 2 == 1 and j % 2 == 1:
                K[i, j] = 4.0 * c + p if i == j else 2.0 * c - p
            else:
                K[i, j] = sign * 6.0 * c


@kernel
def element_matrices(section, length, K, M):
    """Stiffness with that of the foundation, and consistent mass, both (4, 4), for (w, l psi) at both ends.

    `section` is EI, m, 1/kGA, rho I, k.
    """
    EI, m, compliance, rotary, bed = section
    phi = 12.0 * EI * compliance / length**2
    bending_matrix(EI, length, phi, K)
    M[:] = 0.0
    w, psi = np.empty(4), np.empty(4)
    for p in range(POINTS.size):
        shape_row(DEFLECTION, POINTS[p], length, phi, EI, w)
        shape_row(ROTATION, POINTS[p], length, phi, EI, psi)
        for row in (w, psi):
            row[1] /= length
            row[3] /= length
        weight = WEIGHTS[p] * length
        for i in range(4):
            for j in range(4):
                if bed > 0.0:
                    K[i, j] += weight * bed * w[i] * w[j]
                M[i, j] += weight * (m * w[i] * w[j] + rotary * psi[i] * psi[j])


@kernel
def assemble(sections, counts, scales, K, M):
    """Bands (4, n) of all elements for (w, scale psi) at each node.

    `sections` are rows of EI, m, 1/kGA, rho I, k and the length of an element, which is the scale of all
    nodes but some between segments.
    """
    stiff, mass = np.empty((4, 4)), np.empty((4, 4))
    factors = np.ones(4)
    node = 0
    for s in range(counts.size):
        length = sections[s, 5]
        element_matrices(sections[s, :5], length, stiff, mass)
        for _ in range(counts[s]):
            factors[1], factors[3] = length / scales[node], length / scales[node + 1]
            for i in range(4):
                for j in range(i + 1):
                    K[i - j, 2 * node + i] += stiff[i, j] * (factors[i] * factors[j])
                    M[i - j, 2 * node + i] += mass[i, j] * (factors[i] * factors[j])
            node += 1


@kernel
def found(geometry, x):
    """Segment, cell and xi = x/l within it, of a place on the beam."""
    starts, lengths, firsts = geometry[0], geometry[1], geometry[2]
    s = min(np.searchsorted(starts, x, side="right") - 1, lengths.size - 1)
    along = (x - starts[s]) / lengths[s]
    inside = min(int(along), firsts[s + 1] - firsts[s] - 1)
    return s, firsts[s] + inside, along - inside


@kernel
def sample_rows(quantity, geometry, stiffnesses, x, rows, columns):
    """What each displacement gives of a quantity at places x: numbers and displacements, (places, 4)."""
    lengths, phis, scales = geometry[1], geometry[3], geometry[5]
    for k in range(x.size):
        s, cell, xi = found(geometry, x[k])
        shape_row(quantity, xi, lengths[s], phis[s], stiffnesses[s], rows[k])
        rows[k, 1] /= scales[cell]
        rows[k, 3] /= scales[cell + 1]
        for i in range(4):
            columns[k, i] = 2 * cell + i


@kernel
def share(geometry, x, places, values):
    """Numbers of the displacements that a force of 1 N at x works on, -1 where held, and its shares.

    `geometry` is (starts of segments and the end, lengths of a cell, first cells, phi, numbers, scales,
    kind).
    Returns whether x lies on the beam.
    """
    starts, lengths, _, phis, numbers, scales, kind = geometry
    if not starts[0] <= x <= starts[-1]:
        return False
    s, cell, xi = found(geometry, x)
    if kind == CUBIC:
        shape_row(DEFLECTION, xi, lengths[s], phis[s], 1.0, values)
        values[1] /= scales[cell]
        values[3] /= scales[cell + 1]
        for i in range(4):
            places[i] = numbers[2 * cell + i]
    else:
        values[0], values[1], values[2], values[3] = 1.0 - xi, xi, 0.0, 0.0
        places[0], places[1], places[2], places[3] = numbers[cell], numbers[cell + 1], -1, -1
    return True


@kernel
def add_forces(geometry, at, forces, r):
    """Add forces (N) at places `at` (m) to the vector r; off the beam they are none."""
    places, values = np.empty(4, np.int64), np.empty(4)
    for axle in range(at.size):
        if forces[axle] != 0.0 and share(geometry, at[axle], places, values):
            for i in range(4):
                if places[i] >= 0:
                    r[places[i]] += forces[axle] * values[i]
