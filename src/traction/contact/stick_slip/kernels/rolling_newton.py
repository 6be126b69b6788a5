"""Newton's method for stick and slip in steady rolling on a small window, in one piece.

The steps are those of `newton_iteration`, in the same order. Where they lead astray, or need many inner
iterations, it gives up: then that one finds a way.

Units: tractions and bounds in Pa, slips in m.
"""

import math

import numpy as np

from traction.compiled import kernel
from traction.contact.stick_slip.kernels.krylov_vectors import combine, scalar_product, substitute_back
from traction.contact.stick_slip.kernels.rolling_step import compute_slip, solve_rolling_step
from traction.contact.stick_slip.kernels.stick_slip_states import (
    OCTAVES,
    classify,
    fill_downstream_factors,
    fill_right_side,
    step_to_bound,
)

MOST_STEPS = 24  #: of Newton's method
MOST_DIRECTIONS = 24  #: of the linear problem of a step
LOOSEST, TIGHTEST = 0.1, 1e-9  #: relative residuals of the linear problem
LOST = 1e6  #: violation after which the iteration does not return by itself


@kernel
def iterate_rolling(fields, given, states, influence, inverse, upstream, tol, residuals):
    """Change tractions and slips until the friction law is met; returns numbers of errors and of products.

    fields: traction and slip, (2, ny, nx); given: bound, rho and own influence of the elements; states:
    state, normal and weight; influence and inverse: those of `solve_rolling_step`.
    `residuals` takes the violation of the friction law over the largest bound of each step. Of errors there
    are none where the iteration gave up.
    """
    traction, slip = fields
    bound, rho, own = given
    state, normal, weight = states
    ny, nx = bound.shape
    largest, products = bound.max(), 0
    step, change = np.empty((2, ny, nx)), np.empty((2, ny, nx))
    side = np.empty((2, ny, nx))
    damping, shares = np.empty((OCTAVES, ny, nx)), np.empty((2, ny, nx))
    vectors = make_space(2 * ny * nx)
    for k in range(MOST_STEPS):
        error = classify(traction, slip, bound, rho, state, normal, weight) / largest
        residuals[k] = error
        if error <= tol:
            return k + 1, products
        if not error <= LOST:
            break
        change[:] = 0.0
        if step_to_bound(traction, bound, state, normal, step) > 0.0:
            products += 1
            compute_slip(step, influence, upstream, change)
        fill_right_side(traction, slip, change, rho, state, normal, weight, side)
        add_fields(traction, slip, step.reshape(side.size), change.reshape(side.size))
        fill_downstream_factors(state, normal, weight, own, damping, shares)
        left = min(LOOSEST, max(TIGHTEST, 0.3 * error, 0.6 * tol / error))
        count = begin_space(side.reshape(side.size), vectors)
        if count < 0:
            continue
        limits = (left * vectors[5][0], MOST_DIRECTIONS)
        count, more = solve_rolling_step(
            states, (damping, shares), influence, inverse, upstream, vectors, limits, count
        )
        if more or count == 0:
            break
        products += count
        x, extra = combine_directions(count, vectors)
        add_fields(traction, slip, x, extra)
    return 0, products


@kernel
def make_space(size):
    """Memory of a Krylov space: basis, directions and their slips, triangle, rotations, right side."""
    return (
        np.empty((MOST_DIRECTIONS + 2, size)),
        np.empty((MOST_DIRECTIONS + 2, size)),
        np.empty((MOST_DIRECTIONS + 2, size)),
        np.empty((MOST_DIRECTIONS + 2, MOST_DIRECTIONS + 3)),
        np.empty((2, MOST_DIRECTIONS + 2)),
        np.empty(MOST_DIRECTIONS + 3),
    )


@kernel
def begin_space(side, vectors):
    """Make a right side the first vector of the basis, and its size the first residual; -1 if it is zero."""
    basis, right = vectors[0], vectors[5]
    size = math.sqrt(scalar_product(side, side))
    if size == 0.0:
        return -1
    scale = 1.0 / size
    for i in range(side.size):
        basis[0, i] = scale * side[i]
    right[0] = size
    return 0


@kernel
def combine_directions(count, vectors):
    """The best combination of the first directions, and its slip."""
    _, directions, slips, triangle, _, right = vectors
    weights, x, slip = np.empty(count), np.empty(directions.shape[1]), np.empty(slips.shape[1])
    substitute_back(triangle, right, weights)
    combine(weights, directions, x)
    combine(weights, slips, slip)
    return x, slip


@kernel
def add_fields(traction, slip, more, change):
    """Add tractions and the slip that comes with them, given as vectors."""
    _, ny, nx = traction.shape
    n = 0
    for c in range(2):
        for j in range(ny):
            for i in range(nx):
                traction[c, j, i] += more[n]
                slip[c, j, i] += change[n]
                n += 1
