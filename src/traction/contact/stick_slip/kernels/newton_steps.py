"""One Newton step of stick and slip on a small window in compiled code.

It does what `stick_slip_linear` and `krylov` do with any products; here they go by waves, and nothing is left
to the interpreter. Fields are (2, ny, nx); vectors of the Krylov space hold a field and then the shifts.
"""

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.element_products import slip_of
from traction.contact.stick_slip.kernels.krylov_vectors import (
    arnoldi,
    back_substituted,
    combine,
    scalar_product,
)
from traction.contact.stick_slip.kernels.stick_slip_states import (
    OCTAVES,
    balance,
    blended,
    downstream_factors,
    free_and_weighted,
    project,
    right_side,
    scaled,
    scaled_back,
    swept_downstream,
    to_bound,
)
from traction.halfspace.kernels.tensor_products import tensor_product

USUAL = 8  #: iterations for which there is room at first
SINGULAR = 1e-12  #: relative size below which two shifts are the same


@kernel
def newton_step(operators, fields, states, iterate, limits):
    """Bring slipping elements to their bound, and solve for all free components and shifts, in place.

    operators: of `slip_of`, waves of the inverse with their factor, and the side of the neighbour upstream.
    fields: those of `SlipEquation`. states: of `classify`. iterate: traction, slip, shifts. limits: tolerance
    and most iterations of the linear solver. Returns the number of products.
    """
    operator, inverse, upstream = operators
    bound, own, rho, rigid, resultants, given, scale = fields
    state, normal, weight = states
    traction, slip, shifts = iterate
    step, change, b = np.empty(slip.shape), np.zeros(slip.shape), np.zeros(slip.size + given.size)
    field, products = b[: slip.size].reshape(slip.shape), 0
    if to_bound(traction, bound, state, normal, step) > 0.0:
        flat = (2, bound.size)
        slip_of(operator, step.reshape(flat), change.reshape(flat))
        products += 1
    right_side(traction, slip, change, rho, state, normal, weight, field)
    size = slip.size
    _increase(traction.reshape(size), 1.0, step.reshape(size))
    _increase(slip.reshape(size), 1.0, change.reshape(size))
    forces = np.zeros((given.size, size))
    for m in range(given.size):
        _increase(forces[m], scale[m], resultants[m].reshape(size))
        b[size + m] = scale[m] * given[m] - scalar_product(forces[m], traction.reshape(size))
    factors, damping = np.empty(slip.shape), np.empty((OCTAVES, *bound.shape))
    if upstream == 0:
        balance(states, own, rho, factors, damping[0])
    else:
        downstream_factors(states, own, damping, factors)
    preconditioner = inverse, upstream, states, (factors, damping)
    border = _border(preconditioner, rigid, forces)
    x, extra, iterations = _solved(operator, preconditioner, border, b, limits)
    _increase(traction.reshape(size), 1.0, x[:size])
    _increase(slip.reshape(size), 1.0, extra)
    _increase(shifts, 1.0, x[size:])
    return products + iterations


@kernel(inlined=True)
def _border(preconditioner, rigid, forces):
    """Rigid slips and forces, tractions that a unit of each shift would ask for, shifts that bring forces."""
    number, size = forces.shape
    pushes, slips = np.empty((number, size)), np.zeros((number, size))
    free = np.empty(preconditioner[3][0].shape)
    state, normal, _ = preconditioner[2]
    for m in range(number):
        _increase(slips[m], 1.0, rigid[m].reshape(size))
        project(rigid[m], state, normal, free)
        _tractions(preconditioner, free, pushes[m].reshape(free.shape))
    matrix, shifts = np.zeros((number, number)), np.zeros((number, number))
    for m in range(number):
        for k in range(number):
            matrix[m, k] = scalar_product(forces[m], pushes[k])
    _invert(matrix, shifts)
    return slips, forces, pushes, shifts


@kernel
def _invert(matrix, result):
    """Inverse of a matrix of one or two rows; that of the part it is made of, where it is singular."""
    if len(matrix) == 1 and matrix[0, 0] != 0.0:
        result[0, 0] = 1.0 / matrix[0, 0]
    elif len(matrix) == 2:
        (a, b), (c, d) = (matrix[0, 0], matrix[0, 1]), (matrix[1, 0], matrix[1, 1])
        size, determinant = a * a + b * b + c * c + d * d, a * d - b * c
        if abs(determinant) > SINGULAR * size:
            result[0, 0], result[0, 1] = d / determinant, -b / determinant
            result[1, 0], result[1, 1] = -c / determinant, a / determinant
        elif size > 0.0:  # of rank one
            result[0, 0], result[0, 1], result[1, 0], result[1, 1] = a / size, c / size, b / size, d / size


@kernel(inlined=True)
def _tractions(preconditioner, slip, result):
    """About the free tractions that bring about a slip, see `LinearStep`."""
    (waves, scale), upstream, states, (factors, damping) = preconditioner
    work, field = np.empty(slip.shape, np.float32), np.empty(slip.shape, np.float32)
    if upstream != 0:
        alone = np.empty(slip.shape, np.float32)
        swept_downstream(slip, states, damping, upstream, work, alone)
        tensor_product(work, waves, scale, field)
        blended(field, alone, states, factors, result)
    else:
        scaled(slip, states[0], factors, work)
        tensor_product(work, waves, scale, field)
        scaled_back(field, slip, (states[0], states[1]), factors, damping[0], result)


@kernel(inlined=True)
def _preconditioned(preconditioner, border, r, result):
    """Tractions, then shifts that make up the forces, by the approximate inverse."""
    _, forces, pushes, shifts = border
    number, size = forces.shape
    shape = preconditioner[3][0].shape
    _tractions(preconditioner, r[:size].reshape(shape), result[:size].reshape(shape))
    for m in range(number):
        result[size + m] = 0.0
    for k in range(number):
        missing = scalar_product(forces[k], result[:size]) - r[size + k]
        for m in range(number):
            result[size + m] += shifts[m, k] * missing
    for m in range(number):
        _increase(result[:size], -result[size + m], pushes[m])


@kernel(inlined=True)
def _applied(operator, states, border, x, slip, result):
    """Residual of the step for free tractions and shifts x, and the slip that they make."""
    slips, forces, _, _ = border
    state, normal, weight = states
    number, size = forces.shape
    shape = (2, *state.shape)
    traction = x[:size].reshape(shape)
    slip_of(operator, x[:size].reshape(2, state.size), slip.reshape(2, state.size))
    for m in range(number):
        _increase(slip, x[size + m], slips[m])
        result[size + m] = scalar_product(forces[m], x[:size])
    free_and_weighted(slip.reshape(shape), traction, weight, state, normal, result[:size].reshape(shape))


@kernel(inlined=True)
def _solved(operator, preconditioner, border, b, limits):
    """Flexible GMRES (see `krylov`): x, the slip that it makes and the number of iterations."""
    tol, most = limits
    states, size = preconditioner[2], b.size - border[0].shape[0]
    total = np.sqrt(scalar_product(b, b))
    x, extra = np.zeros(b.size), np.zeros(size)
    if total == 0.0:
        return x, extra, 0
    basis, directions, slips = np.zeros((USUAL, b.size)), np.empty((USUAL, b.size)), np.empty((USUAL, size))
    triangle, image = np.empty((most, most + 1)), np.empty(b.size)
    rotations, g = (np.empty(most), np.empty(most)), np.zeros(most + 1)
    _increase(basis[0], 1.0 / total, b)
    g[0] = total
    n, more = 0, True
    while more and n < most:
        if n + 1 == len(basis):
            basis, directions, slips = _with_room(basis), _with_room(directions), _with_room(slips)
        _preconditioned(preconditioner, border, basis[n], directions[n])
        _applied(operator, states, border, directions[n], slips[n], image)
        left, more = arnoldi(basis, n, image, triangle, rotations, g)
        if left < 0.0:
            break
        n += 1
        more = more and left > tol * total
    y = back_substituted(triangle, g[:n])
    combine(y, directions, x)
    combine(y, slips, extra)
    return x, extra, n


@kernel
def _with_room(vectors):
    """The same vectors in an array for twice as many."""
    n, size = vectors.shape
    more = np.zeros((2 * n, size))
    for k in range(n):
        _increase(more[k], 1.0, vectors[k])
    return more


@kernel
def _increase(total, factor, vector):
    """Add a vector times a factor; plain loops compile faster than sums of arrays."""
    for i in range(total.size):
        total[i] += factor * vector[i]
