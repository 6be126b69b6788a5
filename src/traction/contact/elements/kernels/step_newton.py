"""Newton's method for stick and slip in a step of elements on a small window, in one piece.

The steps are those of `newton_iteration`, `linear_step` and `flexible_gmres`, in the same order: called one
by one, they take about as long as what they compute. Where the iteration leads astray, or needs many
directions, it gives up: then those find a way.

Units: tractions and bounds in Pa, slips and shifts in m; forces scaled to slips, in m.
"""

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.element_products import collect, displace_halfway, spread
from traction.contact.stick_slip.kernels.krylov_vectors import arnoldi, scalar_product
from traction.contact.stick_slip.kernels.rigid_border import add_rigid_slip, invert_pushes, make_up_forces
from traction.contact.stick_slip.kernels.rolling_newton import (
    LOOSEST,
    LOST,
    MOST_DIRECTIONS,
    MOST_STEPS,
    TIGHTEST,
    add_fields,
    begin_space,
    combine_directions,
    make_space,
)
from traction.contact.stick_slip.kernels.stick_slip_states import (
    apply_states,
    classify,
    fill_balance,
    fill_right_side,
    project,
    scale,
    scale_back,
    step_to_bound,
)
from traction.halfspace.kernels.tensor_products import multiply_by_tensor_waves


@kernel
def iterate_step(fields, given, states, border, influence, inverse, tol, residuals):
    """Change tractions, slips and shifts until friction and forces are met; numbers of errors and products.

    fields: traction and slip, (2, ny, nx), and shifts, (M,); given: bound, rho and own influence of the
    elements; states: state, normal and weight; border: slips of a unit of each shift and forces of the
    tractions, (M, 2 ny nx), the given forces and the largest ones, (M,); influence: that of
    `displace_elements`; inverse: tables and factor of `multiply_by_tensor_waves`. `residuals` takes the error
    of each step. Of errors there are none where the iteration gave up.
    """
    traction, slip, shifts = fields
    bound, rho, own = given
    state, normal, weight = states
    rigid, forces, goals, limits = border
    size, number = traction.size, shifts.size
    largest, products = bound.max(), 0
    step, change, side = np.empty_like(traction), np.empty_like(traction), np.empty(size + number)
    field, balance = side[:size].reshape(traction.shape), (np.empty_like(traction), np.empty_like(bound))
    pushes, ways = np.empty((number, size)), np.empty((number, number))
    vectors = make_space(size + number)
    for k in range(MOST_STEPS):
        error = classify(traction, slip, bound, rho, state, normal, weight) / largest
        error = find_error(traction.reshape(size), forces, goals, limits, error)
        residuals[k] = error
        if error <= tol:
            return k + 1, products
        if not error <= LOST:
            break
        change[:] = 0.0
        if step_to_bound(traction, bound, state, normal, step) > 0.0:
            products += 1
            displace_elements(step.reshape(2, bound.size), influence, change.reshape(2, bound.size))
        fill_right_side(traction, slip, change, rho, state, normal, weight, field)
        add_fields(traction, slip, step.reshape(size), change.reshape(size))
        for m in range(number):
            side[size + m] = goals[m] - scalar_product(forces[m], traction.reshape(size))
        fill_balance(state, normal, weight, own, rho, balance[0], balance[1])
        for m in range(number):
            project(rigid[m].reshape(traction.shape), state, normal, step)
            free_tractions(step, states, balance, inverse, pushes[m].reshape(traction.shape))
        ways[:] = 0.0
        if number > 0:
            invert_pushes(forces, pushes, ways)
        if begin_space(side, vectors) < 0:
            continue
        left = min(LOOSEST, max(TIGHTEST, 0.3 * error, 0.6 * tol / error)) * vectors[5][0]
        count, more = solve_step(
            states, balance, (rigid, forces, pushes, ways), influence, inverse, vectors, left
        )
        if more or count == 0:
            break
        products += count
        x, extra = combine_directions(count, vectors)
        add_fields(traction, slip, x, extra)
        for m in range(number):
            shifts[m] += x[size + m]
    return 0, products


@kernel
def find_error(traction, forces, goals, limits, error):
    """The largest of an error and those of the forces; one that is not a number stays."""
    for m in range(goals.size):
        missing = abs(scalar_product(forces[m], traction) - goals[m]) / limits[m]
        if error == error and not missing <= error:
            error = missing
    return error


@kernel
def solve_step(states, balance, border, influence, inverse, vectors, enough):
    """Add directions until the residual is at most `enough`; their number, and whether more are needed.

    balance: factors of `fill_balance`; border: slips and forces of the shifts, the tractions that these ask
    for, and the shifts that bring forces about; vectors: of the Krylov space.
    """
    state, normal, weight = states
    rigid, forces, pushes, ways = border
    basis, directions, slips, triangle, rotations, right = vectors
    shape, half = normal.shape, state.size
    size, number = 2 * half, len(forces)
    image = np.empty(size + number)
    n, more = 0, True
    while more and n < MOST_DIRECTIONS:
        r, x, slip = basis[n], directions[n], slips[n][:size]
        traction = x[:size]
        free_tractions(r[:size].reshape(shape), states, balance, inverse, traction.reshape(shape))
        if number > 0:
            make_up_forces(r, forces, pushes, ways, x)
        displace_elements(traction.reshape(2, half), influence, slip.reshape(2, half))
        if number > 0:
            add_rigid_slip(x, rigid, forces, slip, image)
        field = image[:size].reshape(shape)
        apply_states(slip.reshape(shape), traction.reshape(shape), weight, state, normal, field)
        left, more = arnoldi(basis, n, image, triangle, rotations, right)
        if left < 0.0:
            return n, False
        n += 1
        more = more and left > enough
    return n, more


@kernel
def free_tractions(slip, states, balance, inverse, result):
    """Approximate inverse of the linear problem: free tractions for a slip."""
    state, normal, _ = states
    work, field = np.empty(slip.shape, np.float32), np.empty(slip.shape, np.float32)
    scale(slip, state, balance[0], work)
    multiply_by_tensor_waves(work, inverse[0], inverse[1], field)
    scale_back(field, slip, state, normal, balance[0], balance[1], result)


@kernel
def displace_elements(traction, influence, total):
    """Sums over points of displacements by tractions, for each owner, (2, owners).

    influence: tables and factor of `multiply_by_tensor_waves`; cells of `spread`; those of
    `displace_halfway`; points of `collect`; memory for tractions and displacements of cells, and between.
    """
    tables, factor, (source, row, column, weights), uncut, points, (cells, u, between) = influence
    spread(traction, source, row, column, weights, cells)
    multiply_by_tensor_waves(cells, tables, factor, u)
    if between.size > 0:
        whole, its_row, its_column, stencil, wanted = uncut
        displace_halfway(traction, whole, its_row, its_column, stencil, wanted, between)
    collect(u, between, points, traction, total)
