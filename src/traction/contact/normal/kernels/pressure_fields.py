"""Vector operations of the normal contact iteration, fused; all arrays are (ny, nx)."""

import numpy as np

from traction.compiled import kernel


@kernel
def assess(gap, displacement, contact, approach, find_approach, residual):
    """Residual approach - gap - displacement in the contact, which takes in the elements that penetrate.

    With `find_approach` the approach is the one of least residual (its mean over the contact), and the
    residual is made free of its mean, as changes of the pressure must not change the force.
    Returns the approach, the largest residual and the deepest undeformed penetration in the contact.
    """
    ny, nx = gap.shape
    if find_approach:
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
            value = approach - gap[j, i] - displacement[j, i]
            if not contact[j, i]:
                if value > 0.0:
                    contact[j, i] = True
                elif value <= 0.0:
                    residual[j, i] = 0.0
                    continue
            residual[j, i] = value
            total += value
            n += 1
            depth = max(depth, abs(approach - gap[j, i]))
            if not abs(value) <= largest:  # lets NaN through
                largest = abs(value)
    if find_approach:
        _subtract(residual, contact, total / max(n, 1))
    return approach, largest, depth


@kernel
def _subtract(field, contact, value):
    ny, nx = field.shape
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                field[j, i] -= value


@kernel
def conjugate(preconditioned, residual, previous, direction, contact, energy, keep_force):
    """Next direction z + beta d (Polak-Ribiere), zero outside the contact; of zero sum with `keep_force`.

    `energy` is r.z of the last step, zero to begin anew; `previous` is overwritten by the residual.
    Returns r.z of this step.
    """
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
                direction[j, i] = preconditioned[j, i] - mean + beta * direction[j, i]
                total += direction[j, i]
            else:
                direction[j, i] = 0.0
    if keep_force:
        _subtract(direction, contact, total / max(n, 1))
    return now


@kernel
def _along(direction, product, residual):
    """Gain of energy and curvature along a direction with the given product."""
    ny, nx = direction.shape
    gain, curvature = 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            gain += residual[j, i] * direction[j, i]
            curvature += direction[j, i] * product[j, i]
    return gain, curvature


@kernel
def advance(pressure, displacement, direction, product, residual, contact, excess):
    """Step of least energy along the direction; pressures that turn negative leave the contact.

    `excess` (n, 3) takes row, column and the pressure cut off of the first n elements that leave; the
    displacement still lacks their share. Returns the number of elements that left, or -1 when no step is
    possible, and the largest change of pressure over the largest pressure.
    """
    ny, nx = pressure.shape
    gain, curvature = _along(direction, product, residual)
    if not curvature > 0.0:
        return -1, np.inf
    step, left, change, peak = gain / curvature, 0, 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            before = pressure[j, i]
            after = before + step * direction[j, i]
            displacement[j, i] += step * product[j, i]
            if after < 0.0:
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
def add_influence(displacement, excess, n, lags, lengths, factor):
    """Add the displacement of n element pressures by summation, on a torus of `lengths`."""
    ny, nx = displacement.shape
    row = np.empty(nx)
    for k in range(n):
        source, column, pressure = int(excess[k, 0]), int(excess[k, 1]), factor * excess[k, 2]
        for j in range(ny):
            distance = abs(j - source)
            if distance >= lags.shape[0]:
                distance = lengths[0] - distance
            influence = lags[distance]
            if nx <= influence.size:
                for i in range(column):
                    row[i] = influence[column - i]
                for i in range(column, nx):
                    row[i] = influence[i - column]
            else:
                for i in range(nx):
                    row[i] = influence[min(abs(i - column), lengths[1] - abs(i - column))]
            for i in range(nx):
                displacement[j, i] += pressure * row[i]


@kernel
def descend(solution, direction, product, residual, contact):
    """Step of least energy without limits: updates solution and residual, returns the largest residual."""
    ny, nx = solution.shape
    gain, curvature = _along(direction, product, residual)
    step, largest = gain / curvature, 0.0
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                solution[j, i] += step * direction[j, i]
                residual[j, i] -= step * product[j, i]
                if not abs(residual[j, i]) <= largest:
                    largest = abs(residual[j, i])
    return largest


@kernel
def touches(contact, sides):
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
def total_of(field):
    """Sum of all entries, in a fixed order."""
    total = 0.0
    for j in range(field.shape[0]):
        row = 0.0
        for i in range(field.shape[1]):
            row += field[j, i]
        total += row
    return total


@kernel
def bounding_box(mask):
    """First and last row and column with a true entry; first > last when there is none."""
    ny, nx = mask.shape
    top, bottom, left, right = ny, -1, nx, -1
    for j in range(ny):
        for i in range(nx):
            if mask[j, i]:
                top, bottom = min(top, j), j
                left, right = min(left, i), max(right, i)
    return top, bottom, left, right


@kernel
def _add_beside(total, row, weight):
    """Add both neighbours along a row; in two loops, each of which works on many elements at once."""
    for i in range(1, row.size):
        total[i] += weight * row[i - 1]
    for i in range(row.size - 1):
        total[i] += weight * row[i + 1]


@kernel
def nearest_neighbours(field, weights):
    """Sum over each element and its neighbours; weights[dj, di] for the distances dj and di of 0 and 1."""
    ny, nx = field.shape
    total = np.empty((ny, nx))
    centre, beside, above, diagonal = weights[0, 0], weights[0, 1], weights[1, 0], weights[1, 1]
    for j in range(ny):
        for i in range(nx):
            total[j, i] = centre * field[j, i]
        _add_beside(total[j], field[j], beside)
        for other in (j - 1, j + 1):
            if 0 <= other < ny:
                for i in range(nx):
                    total[j, i] += above * field[other, i]
                _add_beside(total[j], field[other], diagonal)
    return total


@kernel
def certify(gap, displacement, pressure, approach):
    """Largest penetration, largest |distance| under pressure, their work, least pressure, overlap, total."""
    ny, nx = gap.shape
    penetration, residual, work, least, overlap, total = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            distance = gap[j, i] + displacement[j, i] - approach
            if not -distance <= penetration:
                penetration = -distance
            if pressure[j, i] != 0.0:
                if not abs(distance) <= residual:
                    residual = abs(distance)
                work += abs(pressure[j, i] * distance)
                overlap = max(overlap, abs(approach - gap[j, i]))
                total += pressure[j, i]
            if not pressure[j, i] >= least:
                least = pressure[j, i]
    return penetration, residual, work, least, overlap, total
