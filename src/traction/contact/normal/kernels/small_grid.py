"""Frictionless contact on a small grid in one piece, from a start to a solution that is checked.

Units: SI; pressures in Pa, gaps, approaches and displacements in m.
"""

import numpy as np

from traction.compiled import kernel
from traction.contact.normal.kernels.pressure_fields import measure_violations
from traction.contact.normal.kernels.pressure_iteration import CONVERGED, RESCALE, iterate_pressure
from traction.contact.normal.kernels.window_products import multiply_by_waves

ALL_SIDES_FREE = (False, False, False, False)
ROUNDS = 20  #: of iterations, each followed by a check in which rounding has not accumulated


@kernel
def press_small_grid(fields, work, influence, load, limits, start, residuals):
    """Iterate from the pressure in the fields until the contact conditions hold over the grid.

    The tuples are those of `pressure_iteration`; start: the approach, and whether the fields have the
    displacement of the pressure. Returns approach, number of iterations, and whether the solution settled.
    """
    gap, pressure, displacement, contact = fields
    waves, factor = influence[2], influence[4]
    force_given, (tol, pressure_tol, patience, most, most_summed) = load[1], limits
    approach, known = start
    count, settled = 0, False
    for _ in range(ROUNDS):
        if not known:
            multiply_by_waves(pressure, waves, factor, displacement)
        if not force_given:
            scale_to_approach(gap, pressure, displacement, approach)
        mark_pressed(pressure, contact)
        state = (RESCALE, approach, 0, 0, 0.0, 0.0, np.inf, False, False)
        left = (tol, pressure_tol, patience, most - count, most_summed)
        state = iterate_pressure(
            fields, work, influence, load, ALL_SIDES_FREE, left, state, residuals[count:]
        )
        approach, depth, converged = state[1], state[4], state[0] == CONVERGED
        count += state[2]
        multiply_by_waves(pressure, waves, factor, displacement)
        known = True
        violations = measure_violations(gap, displacement, pressure, approach)
        settled = converged and max(violations[0], violations[1]) <= tol * depth
        if settled or not converged or count >= most:
            break
    return approach, count, settled


@kernel
def mark_pressed(pressure, contact):
    """Mark the elements that have pressure."""
    ny, nx = pressure.shape
    for j in range(ny):
        for i in range(nx):
            contact[j, i] = pressure[j, i] > 0.0


@kernel
def scale_to_approach(gap, pressure, displacement, approach):
    """Scale a pressure and its displacement to the least energy at an approach."""
    ny, nx = gap.shape
    work, asked = 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            work += pressure[j, i] * displacement[j, i]
            asked += pressure[j, i] * (approach - gap[j, i])
    if not work > 0.0:
        return
    factor = max(0.0, asked / work)
    for j in range(ny):
        for i in range(nx):
            pressure[j, i] *= factor
            displacement[j, i] *= factor
