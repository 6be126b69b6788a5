"""Where a field is not zero, and how well a pressure meets the conditions of contact; fields are (ny, nx).

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
