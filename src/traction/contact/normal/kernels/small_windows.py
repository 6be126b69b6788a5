"""The whole iteration on a small window in compiled code.

Up to some thousand elements the products by waves and sums are faster than transforms, and nothing is left to
the interpreter; contacts that are solved at every step of a simulation are of this size.
"""

import numpy as np

from traction.compiled import kernel
from traction.contact.normal.kernels.pressure_fields import (
    add_influence,
    advance,
    assess,
    conjugate,
    nearest_neighbours,
    total_of,
    touches,
)
from traction.contact.normal.kernels.window_products import product

MAX_SUMMED = 16  #: elements leaving in one step whose influence is summed instead of taking a product


@kernel
def march(fields, influence, weights, load, sides, limits, residuals):
    """Iterate on (gap, pressure, displacement, contact) of a window until it converges or is crowded.

    influence: lags, tables of waves and factor; load: approach, sum of pressure wanted, whether the force is
    given, least depth; limits: tolerance, that of the next change of pressure, patience, most iterations.
    Returns approach, depth, iterations, converged, crowded; `residuals` holds one number per iteration.
    """
    gap, pressure, displacement, contact = fields
    lags, tables, factor = influence
    approach, target, force_given, least_depth = load
    tol, pressure_tol, patience, most = limits
    ny, nx = gap.shape
    residual, previous, direction = np.zeros((ny, nx)), np.zeros((ny, nx)), np.zeros((ny, nx))
    excess, change_of = np.empty((MAX_SUMMED, 3)), np.empty((ny, nx))
    energy, change, k, plain = 0.0, np.inf, 0, False
    while True:
        approach, error, depth = assess(gap, displacement, contact, approach, force_given, residual)
        depth = max(depth, least_depth)
        residuals[k] = error / depth
        rate = min(1.0, residuals[k] / residuals[k - 1]) if k > 0 and residuals[k - 1] > 0.0 else 1.0
        converged = error <= tol * depth and rate * change <= pressure_tol
        crowded = touches(contact, sides)
        if converged or crowded or k >= most:
            return approach, depth, k, converged, crowded
        plain = plain or (k >= patience and residuals[k] > 0.5 * residuals[k - patience])
        preconditioned = residual if plain else nearest_neighbours(residual, weights)
        energy = conjugate(preconditioned, residual, previous, direction, contact, energy, force_given)
        product(direction, tables, factor, change_of)
        left, change = advance(pressure, displacement, direction, change_of, residual, contact, excess)
        if left < 0:
            return approach, depth, k, error <= tol * depth, crowded
        if left > MAX_SUMMED:
            product(pressure, tables, factor, displacement)
        elif left > 0:
            add_influence(displacement, excess, left, lags, (2 * ny, 2 * nx), factor)
        if left > 0 and force_given:
            scaling = target / total_of(pressure)
            pressure *= scaling
            displacement *= scaling
        k += 1
