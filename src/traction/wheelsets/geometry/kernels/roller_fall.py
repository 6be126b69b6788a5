"""How far a roller falls away from a rail of its profile, along the normal of a plane. Lengths are in m."""

import math

from traction.compiled import kernel
from traction.wheelsets.geometry.kernels.curve_points import piece_around, point_on
from traction.wheelsets.geometry.kernels.plane_gaps import FAR, STEPS, height_of_rail


@kernel
def add_roller_fall(rail, frame, curvature, lattice, gap):
    """Add to the distances (ny, nx) above a rail how far the roller is below it; at most `FAR`.

    frame: origin (x, y, z), angle of the plane and arc position of the origin on the profile, with x counted
    from the roller's top; lattice: x and s of the first element, and the steps.
    """
    x0, y0, z0, angle, arc = frame
    first_x, first_s, dx, ds = lattice
    cosine, sine = math.cos(angle), math.sin(angle)
    rows, columns = gap.shape
    j = 0
    for k in range(rows):
        s = first_s + k * ds
        height, j, met = height_of_rail(rail, y0, z0, cosine, sine, s, arc + s, j)
        n, at = height, arc + s
        for m in range(columns):
            if not met or gap[k, m] >= FAR:
                continue
            x = x0 + first_x + m * dx
            line = (y0 + s * cosine, z0 + s * sine, cosine, sine)
            n, at, j, close = meet_roller(rail, curvature, line, x, n, at, j)
            if close:
                gap[k, m] = min(gap[k, m] + height - n, FAR)
            else:
                gap[k, m] = FAR
                n, at = height, arc + s


@kernel
def meet_roller(rail, curvature, line, x, n, at, j):
    """Where a line across the track meets a roller at x: n along it, arc position, piece; whether it does.

    line: y and z of its foot, cosine and sine of its angle. The circle through the height z of the profile
    has sqrt(x^2 + rho^2) - rho = z - zeta at the height zeta, rho above the axis.
    """
    y0, z0, cosine, sine = line
    first, end = rail[0, 0], rail[0, rail.shape[1] - 1]
    for _ in range(STEPS):
        at = min(max(at, first), end)
        j = piece_around(rail, at, j)
        y, z, dy, dz = point_on(rail, j, at)
        zeta = z0 + n * cosine
        up, ahead = 1.0 + curvature * zeta, curvature * x
        far = math.sqrt(ahead * ahead + up * up)
        aside, above = y0 - n * sine - y, zeta + ahead * x / (far + up) - z
        pull = cosine * up / far
        det = sine * dz + pull * dy
        if not det > 0.0:
            return n, at, j, False
        step_n, step_s = (dy * above - dz * aside) / det, -(pull * aside + sine * above) / det
        n -= step_n
        at -= step_s
        if abs(step_n) + abs(step_s) <= 1e-14 * (1.0 + 1e3 * abs(n)) + 1e-13:
            return n, at, j, True
    return n, at, j, False
