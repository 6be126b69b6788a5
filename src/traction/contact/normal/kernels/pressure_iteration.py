"""Conjugate gradients for the pressure on one window, from the first residual to the last.

The iteration follows Polonsky and Keer (Wear 231, 1999): conjugate gradients on the elements in contact;
elements whose pressure turns negative leave the contact, elements that penetrate enter it. A contact that is
`fixed` keeps its elements, and the pressure may have any sign.

On a small window all is done here. Where products and preconditioning are done by transforms, the iteration
returns whenever it needs one, and is entered again with it: `state` is where it stands. All fields are
(ny, nx). The tuples below are passed as plain ones, which the compiler recognises several times faster.
`press_small_grid` goes from a start to a checked solution on a grid that needs no window.

Units: SI; pressures in Pa, gaps, approaches and displacements in m.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.contact.normal.kernels.pressure_fields import measure_violations
from traction.contact.normal.kernels.window_products import multiply_by_waves

#: what comes next; where the iteration returns with one of them, that is what it waits for:
DISPLACE = 0  #: compute the displacement of the pressure
RESCALE = 1  #: waits for the displacement of the pressure; scale both to the force
ASSESS = 2
TURN = 3  #: waits for the preconditioned residual
MULTIPLY = 4  #: compute the product of the direction
STEP = 5  #: waits for the product of the direction
CONVERGED = 6
STOPPED = 7  #: after as many iterations as allowed, when crowded, or when no step is possible
ALL_SIDES_FREE = (False, False, False, False)
ROUNDS = 20  #: of iterations, each followed by a check in which rounding has not accumulated


class ContactFields(NamedTuple):
    """What the iteration changes, and the gap."""

    gap: np.ndarray  #: m
    pressure: np.ndarray  #: Pa
    displacement: np.ndarray  #: m
    contact: np.ndarray  #: which elements are in contact


class WindowInfluence(NamedTuple):
    """The half space on a window."""

    lags: np.ndarray  #: influence at distances >= 0
    lengths: tuple[int, int]  #: of the torus that it is periodic on, along y and x
    waves: tuple[np.ndarray, np.ndarray]  #: for products on a small window, of `tabulate_waves`; else empty
    neighbours: np.ndarray  #: weights of the nearest neighbours in the preconditioner of a small window
    factor: float  #: of all influence, m/Pa


class ContactLoad(NamedTuple):
    """What is asked of the pressure."""

    total: float  #: sum of the pressure where the force is given, Pa
    force_given: bool
    fixed: bool  #: the elements in contact stay, and no others come
    least_depth: float  #: least scale of residuals, m


class IterationLimits(NamedTuple):
    """When the iteration ends, and how it goes."""

    tol: float  #: largest residual over the depth
    pressure_tol: float  #: expected next change of the pressure over the largest pressure
    patience: int  #: iterations without half the residual, after which steps are not preconditioned
    most: int  #: iterations
    most_summed: int  #: elements leaving in one step whose influence is summed instead of taking a product


class IterationState(NamedTuple):
    """Where the iteration stands."""

    stage: int
    approach: float  #: m
    iterations: int = 0
    products: int = 0  #: that were asked for
    depth: float = 0.0  #: largest |approach - gap| in the contact, m: the scale of residuals
    energy: float = 0.0  #: r.z of the last step, zero to begin anew
    change: float = np.inf  #: of the pressure in the last step, over the largest pressure
    plain: bool = False  #: steps are no longer preconditioned: cutting those off is safe
    crowded: bool = False  #: the contact reached a side of the window inside the grid


@kernel
def iterate_pressure(fields, work, influence, load, sides, limits, state, residuals):
    """Iterate until the end, or until a product or preconditioned residual is needed; returns the new state.

    `work` is (5, ny, nx): residual, preconditioned residual, the residual before, direction and its product.
    The pressure must not reach the marked `sides` (top, bottom, left, right).
    `residuals` takes the largest residual over the depth of each iteration.
    """
    _, pressure, displacement, contact = fields
    residual, preconditioned, direction, product = work[0], work[1], work[3], work[4]
    lags, lengths, waves, neighbours, factor = influence
    total, force_given, fixed, least_depth = load
    tol, pressure_tol, patience, most, most_summed = limits
    stage, approach, iterations, products, depth, energy, change, plain, crowded = state
    while stage < CONVERGED:
        if stage in (DISPLACE, MULTIPLY):
            source, result = (pressure, displacement) if stage == DISPLACE else (direction, product)
            stage += 1
            if waves[0].size == 0:
                products += 1
                break
            multiply_by_waves(source, waves, factor, result)
        if stage == RESCALE:
            if force_given:
                rescale_pressure(pressure, displacement, total)
            stage = ASSESS
        if stage == ASSESS:
            keep = (force_given, fixed, fixed and iterations > 0)
            approach, error, depth = assess_contact(fields, residual, approach, keep)
            depth = max(depth, least_depth)
            residuals[iterations] = error / depth
            crowded = reaches_side(contact, sides)
            if error <= tol * depth and _find_rate(residuals, iterations) * change <= pressure_tol:
                stage = CONVERGED
            elif crowded or iterations >= most:
                stage = STOPPED
            else:
                stage = TURN
                before = residuals[iterations - patience] if iterations >= patience else np.inf
                plain = plain or residuals[iterations] > 0.5 * before
                if waves[0].size == 0 and not plain:
                    break
                if not plain:
                    sum_neighbours(residual, neighbours, preconditioned)
        if stage == TURN:
            energy = turn_direction(work, contact, energy, force_given, plain)
            stage = MULTIPLY
        elif stage == STEP:
            excess = np.empty((most_summed, 3))
            left, change = advance_pressure(fields, work, excess, fixed)
            if left < 0:  # the residual is zero to rounding, or not a number
                stage = CONVERGED if residuals[iterations] <= tol else STOPPED
                break
            iterations += 1
            stage = ASSESS if left == 0 else RESCALE if left <= most_summed else DISPLACE
            if stage == RESCALE:
                add_influence(displacement, excess[:left], lags, lengths, factor)
    return stage, approach, iterations, products, depth, energy, change, plain, crowded


@kernel
def _find_rate(residuals, iterations):
    """Factor by which the last iteration changed the residual, at most 1."""
    now, before = residuals[iterations], residuals[max(iterations - 1, 0)]
    return now / before if 0.0 < before and now < before else 1.0


@kernel
def assess_contact(fields, residual, approach, keep):
    """Residual approach - gap - displacement in the contact, extended by the elements that penetrate.

    What to `keep`: the force; the elements of the contact; the residual as it stands. With the force, the
    approach is the one of least residual (its mean over the contact), and the residual is made free of its
    mean, as changes of the pressure must not change the force.
    Returns the approach, the largest residual and the deepest undeformed penetration in the contact.
    """
    gap, _, displacement, contact = fields
    keep_force, keep_contact, keep_residual = keep
    ny, nx = gap.shape
    if keep_force:
        total, n = 0.0, 0
        for j in range(ny):
            for i in range(nx):
                if contact[j, i]:
                    total += gap[j, i] + displacement[j, i]
                    n += 1
        approach = total / max(n, 1)
    largest, depth, total, n = 0.0, 0.0, 0.0, 0
    for j in range(ny):
        for i in range(nx):
            value = residual[j, i] if keep_residual else approach - gap[j, i] - displacement[j, i]
            if not contact[j, i]:
                if keep_contact or value <= 0.0:
                    residual[j, i] = 0.0
                    continue
                contact[j, i] = value > 0.0  # a NaN stays outside and is seen
            residual[j, i] = value
            total += value
            n += 1
            depth = max(depth, abs(approach - gap[j, i]))
            if not abs(value) <= largest:  # lets NaN through
                largest = abs(value)
    if keep_force:
        _subtract_inside(residual, contact, total / max(n, 1))
    return approach, largest, depth


@kernel
def _subtract_inside(field, contact, value):
    """Subtract a number in the contact."""
    ny, nx = field.shape
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                field[j, i] -= value


@kernel
def reaches_side(contact, sides):
    """Whether the contact lies on one of the marked sides (top, bottom, left, right)."""
    ny, nx = contact.shape
    top, bottom, left, right = sides
    for i in range(nx):
        if (top and contact[0, i]) or (bottom and contact[ny - 1, i]):
            return True
    for j in range(ny):  # noqa: SIM110 - numba compiles loops, not generators
        if (left and contact[j, 0]) or (right and contact[j, nx - 1]):
            return True
    return False


@kernel
def turn_direction(work, contact, energy, keep_force, plain):
    """Next direction z + beta d (Polak-Ribiere), zero outside the contact; of zero sum with `keep_force`.

    `energy` is r.z of the last step, zero to begin anew. Returns r.z of this step.
    """
    residual, previous, direction = work[0], work[2], work[3]
    preconditioned = work[0] if plain else work[1]
    ny, nx = residual.shape
    total, n = 0.0, 0
    for j in range(ny if keep_force else 0):
        for i in range(nx):
            if contact[j, i]:
                total += preconditioned[j, i]
                n += 1
    mean = total / max(n, 1)
    now, change = 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                z = preconditioned[j, i] - mean
                now += residual[j, i] * z
                change += previous[j, i] * z
            previous[j, i] = residual[j, i]
    beta = max(0.0, (now - change) / energy) if energy > 0.0 else 0.0
    total = 0.0
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                before = direction[j, i] if energy > 0.0 else 0.0  # at first there is none
                direction[j, i] = preconditioned[j, i] - mean + beta * before
                total += direction[j, i]
            else:
                direction[j, i] = 0.0
    if keep_force:
        _subtract_inside(direction, contact, total / max(n, 1))
    return now


@kernel
def advance_pressure(fields, work, excess, fixed):
    """Step of least energy along the direction; pressures that turn negative leave a contact.

    In a `fixed` contact the step changes the residual instead of the displacement.
    `excess` (n, 3) takes row, column and the pressure cut off of the first n elements that leave; the
    displacement does not include them yet. Returns the number of elements that left, or -1 when no step is
    possible, and the largest change of pressure over the largest pressure.
    """
    _, pressure, displacement, contact = fields
    residual, direction, product = work[0], work[3], work[4]
    ny, nx = pressure.shape
    gain, curvature = 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            gain += residual[j, i] * direction[j, i]
            curvature += direction[j, i] * product[j, i]
    # A fixed contact may be wider than the length to which the displacement of a line is counted: then it is
    # a saddle that is looked for.
    if not (curvature > 0.0 or (fixed and curvature < 0.0)):
        return -1, np.inf
    step, left, change, peak = gain / curvature, 0, 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            before = pressure[j, i]
            after = before + step * direction[j, i]
            if fixed:
                residual[j, i] -= step * product[j, i]
            else:
                displacement[j, i] += step * product[j, i]
            if after < 0.0 and not fixed:
                if left < excess.shape[0]:
                    excess[left, 0], excess[left, 1], excess[left, 2] = j, i, -after
                after = 0.0
                contact[j, i] = False
                left += 1
            pressure[j, i] = after
            change = max(change, abs(after - before))
            peak = max(peak, after)
    return left, change / peak if peak > 0.0 else np.inf


@kernel
def add_influence(displacement, excess, lags, lengths, factor):
    """Add the displacement of single elements, rows of (row, column, pressure), on a torus of `lengths`."""
    ny, nx = displacement.shape
    for k in range(excess.shape[0]):
        source, column, pressure = int(excess[k, 0]), int(excess[k, 1]), factor * excess[k, 2]
        for j in range(ny):
            distance = abs(j - source)
            if distance >= lags.shape[0]:
                distance = lengths[0] - distance
            row, influence = displacement[j], lags[distance]
            if nx <= influence.size:
                for i in range(column):
                    row[i] += pressure * influence[column - i]
                for i in range(column, nx):
                    row[i] += pressure * influence[i - column]
            else:
                for i in range(nx):
                    across = abs(i - column)
                    row[i] += pressure * influence[min(across, lengths[1] - across)]


@kernel
def rescale_pressure(pressure, displacement, total):
    """Scale the pressure and its displacement to a sum of the pressure, which is taken in a fixed order."""
    ny, nx = pressure.shape
    found = 0.0
    for j in range(ny):
        row = 0.0
        for i in range(nx):
            row += pressure[j, i]
        found += row
    factor = total / found
    for j in range(ny):
        for i in range(nx):
            pressure[j, i] *= factor
            displacement[j, i] *= factor


@kernel
def sum_neighbours(field, weights, total):
    """Sum over each element and its neighbours; weights[dj, di] for the distances dj and di of 0 and 1."""
    ny, nx = field.shape
    centre, beside = weights[0, 0], weights[0, 1]
    above, diagonal = weights[1, 0], weights[1, 1]
    padded = np.zeros((ny + 2, nx + 2))
    for j in range(ny):
        for i in range(nx):
            padded[j + 1, i + 1] = field[j, i]
    for j in range(ny):
        over = padded[j]
        here = padded[j + 1]
        under = padded[j + 2]
        for i in range(nx):
            total[j, i] = (
                centre * here[i + 1]
                + beside * here[i]
                + beside * here[i + 2]
                + above * over[i + 1]
                + diagonal * over[i]
                + diagonal * over[i + 2]
                + above * under[i + 1]
                + diagonal * under[i]
                + diagonal * under[i + 2]
            )


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
