"""Fields over a grid, (ny, nx): where they are not zero, on another grid, and errors of a pressure.

Units: pressures in Pa, distances and penetrations in m, work per area in N/m.
"""

from traction.compiled import kernel


@kernel
def find_bounding_box(mask):
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
def resample(field, source, target, result):
    """Bilinear interpolation of a field at the elements of another grid, zero beyond its outermost elements.

    source, target: x and y of the first element, and their distances along x and y.
    """
    ny, nx = field.shape
    x0, y0, dx, dy = source
    first_x, first_y, step_x, step_y = target
    for j in range(result.shape[0]):
        v = (first_y + j * step_y - y0) / dy
        row = min(max(int(v), 0), max(ny - 2, 0))
        up, above = v - row, min(row + 1, ny - 1)
        for i in range(result.shape[1]):
            u = (first_x + i * step_x - x0) / dx
            if not (0.0 <= u <= nx - 1.0 and 0.0 <= v <= ny - 1.0):
                result[j, i] = 0.0
                continue
            column = min(int(u), max(nx - 2, 0))
            across, right = u - column, min(column + 1, nx - 1)
            low = field[row, column] + across * (field[row, right] - field[row, column])
            high = field[above, column] + across * (field[above, right] - field[above, column])
            result[j, i] = low + up * (high - low)


@kernel
def measure_violations(gap, displacement, pressure, approach):
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
