"""Beam elements with the shape functions of a beam at rest (Friedman, Kosmatka 1993).

Between its ends an element without load bends as w = a cubic and psi = a parabola, exactly, for every
phi = 12 EI/(kGA l^2); phi = 0 gives Hermite's cubics. The stiffness is therefore exact and free of locking.

Units: SI; deflections w in m, rotations psi in rad, places in m; xi and phi are pure numbers.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

DEFLECTION, SLOPE, ROTATION, MOMENT, SHEAR = 0, 1, 2, 3, 4


class BeamCells(NamedTuple):
    """Cells of a discrete beam, and the displacements that a force on one of them works on."""

    starts: np.ndarray  #: of the segments, and the end of the beam, m
    lengths: np.ndarray  #: of a cell of each segment, m
    firsts: np.ndarray  #: number of the first cell of each segment, and of all cells
    phis: np.ndarray  #: 12 EI/(kGA l^2) of each segment
    numbers: np.ndarray  #: place in q of each displacement, -1 where it is held
    scales: np.ndarray  #: of the rotations of the nodes in q, m
    cubic: bool  #: whether a force is shared by the shapes of elements; linearly by the nodes of differences


@kernel
def deflection_row(xi, length, phi, row):
    """Weights of (w, psi) at both ends in the deflection at xi = x/l."""
    c, half = 1.0 / (1.0 + phi), 0.5 * phi
    row[2] = c * xi * (phi + xi * (3.0 - 2.0 * xi))
    row[0] = 1.0 - row[2]
    row[1] = c * length * xi * (1.0 + half - xi * (2.0 + half - xi))
    row[3] = c * length * xi * (-half - xi * (1.0 - half - xi))


@kernel
def shape_rows(quantity, places, lengths, phis, stiffnesses, rows):
    """Weights of (w, psi) at both ends in a quantity at xi = x/l of many elements, (positions, 4)."""
    for k in range(places.size):
        xi, length, phi, EI, row = places[k], lengths[k], phis[k], stiffnesses[k], rows[k]
        c, half = 1.0 / (1.0 + phi), 0.5 * phi
        if quantity == DEFLECTION:
            deflection_row(xi, length, phi, row)
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
def find_cell(geometry, x):
    """Segment, cell and xi = x/l within it, of a place on the beam."""
    s, after = 0, geometry.lengths.size
    while after - s > 1:
        middle = (s + after) // 2
        if geometry.starts[middle] <= x:
            s = middle
        else:
            after = middle
    along = (x - geometry.starts[s]) / geometry.lengths[s]
    inside = min(int(along), geometry.firsts[s + 1] - geometry.firsts[s] - 1)
    return s, geometry.firsts[s] + inside, along - inside


@kernel
def share_force(geometry, x, places, values):
    """Numbers of the displacements that a force of 1 N at x works on, -1 where held, and its shares.

    Returns whether x lies on the beam.
    """
    if not geometry.starts[0] <= x <= geometry.starts[-1]:
        return False
    s, cell, xi = find_cell(geometry, x)
    if geometry.cubic:
        deflection_row(xi, geometry.lengths[s], geometry.phis[s], values)
        values[1] /= geometry.scales[cell]
        values[3] /= geometry.scales[cell + 1]
        for i in range(4):
            places[i] = geometry.numbers[2 * cell + i]
    else:
        values[0], values[1], values[2], values[3] = 1.0 - xi, xi, 0.0, 0.0
        places[0], places[1] = geometry.numbers[cell], geometry.numbers[cell + 1]
        places[2] = places[3] = -1
    return True


@kernel
def add_forces(geometry, at, forces, r):
    """Add forces (N) at places `at` (m) to the vector r; off the beam they are none."""
    places, values = np.empty(4, np.int64), np.empty(4)
    for axle in range(at.size):
        if forces[axle] != 0.0 and share_force(geometry, at[axle], places, values):
            for i in range(4):
                if places[i] >= 0:
                    r[places[i]] += forces[axle] * values[i]


@kernel
def own_compliances(geometry, stiffnesses, at, found):
    """Deflection of a clamped element under 1 N at places `at` (m) on it, and its slope, found (places, 2).

    With p = xi (1 - xi): c = l^3/(12 EI (1 + phi)) p (4 p^2 + phi (1 + p) + phi^2); zero off the beam.
    """
    found[:] = 0.0
    for k in range(at.size):
        if not geometry.starts[0] <= at[k] <= geometry.starts[-1]:
            continue
        s, _, xi = find_cell(geometry, at[k])
        length, phi = geometry.lengths[s], geometry.phis[s]
        scale, p = length**3 / (12.0 * stiffnesses[s] * (1.0 + phi)), xi * (1.0 - xi)
        found[k, 0] = scale * p * (4.0 * p * p + phi * (1.0 + p) + phi * phi)
        turn = 12.0 * p * p + phi * (1.0 + 2.0 * p) + phi * phi
        found[k, 1] = scale / length * (1.0 - 2.0 * xi) * turn
