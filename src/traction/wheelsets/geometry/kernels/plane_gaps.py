"""Distance of wheel and rail over the plane of a patch, along its normal. Lengths are in m.

The plane passes through a point of the rail and is inclined by the contact angle about x. Each line along
its normal meets the section of the rail and the surface of revolution of the wheel.
"""

import math

from traction.compiled import kernel
from traction.wheelsets.geometry.kernels.curve_points import piece_around, point_on

STEPS = 25  #: of Newton's rule; three are usual
CLOSE = 1e-14  #: m, last step of Newton's rule
FAR = 1e-2  #: distance where the line meets no wheel or no rail, m


@kernel
def fill_plane_gaps(wheel, rail, frame, pose, rotation, lattice, gap):
    """Fill the distance (ny, nx) of wheel and rail; negative where they overlap.

    frame: origin (x, y, z), angle of the plane and arc position of the origin on the rail; pose: y and z of
    the centre of the wheelset, radius, y of the origin of the wheel's profile in the wheelset, and an arc
    position on the wheel to start from; rotation: from wheelset to track, (3, 3); lattice: x and s of the
    first element, and the steps.
    """
    x0, y0, z0, angle, arc = frame
    yc, zc, radius, offset, begin = pose
    first_x, first_s, dx, ds = lattice
    cosine, sine = math.cos(angle), math.sin(angle)
    # the normal of the plane in the axes of the wheelset
    nx = -rotation[1, 0] * sine + rotation[2, 0] * cosine
    ny = -rotation[1, 1] * sine + rotation[2, 1] * cosine
    nz = -rotation[1, 2] * sine + rotation[2, 2] * cosine
    rows, columns = gap.shape
    i, j = 0, 0
    row_n, row_w = 0.0, begin
    for k in range(rows):
        s = first_s + k * ds
        height, j, met = height_of_rail(rail, y0, z0, cosine, sine, s, arc + s, j)
        n, w = row_n, row_w
        for m in range(columns):
            if not met:
                gap[k, m] = FAR
                continue
            px, py, pz = x0 + first_x + m * dx, y0 + s * cosine - yc, z0 + s * sine - zc
            qx = rotation[0, 0] * px + rotation[1, 0] * py + rotation[2, 0] * pz
            qy = rotation[0, 1] * px + rotation[1, 1] * py + rotation[2, 1] * pz - offset
            qz = rotation[0, 2] * px + rotation[1, 2] * py + rotation[2, 2] * pz
            close = False
            for _ in range(STEPS):
                i = piece_around(wheel, w, i)
                yw, zw, ty, tz = point_on(wheel, i, w)
                ax, az = qx + n * nx, qz + n * nz
                r = math.sqrt(ax * ax + az * az)
                off, deep = qy + n * ny - yw, r + zw - radius
                pull = (ax * nx + az * nz) / r
                det = ny * tz + ty * pull
                if det == 0.0:
                    break
                step_n = (off * tz + deep * ty) / det
                step_w = (ny * deep - pull * off) / det
                n -= step_n
                w -= step_w
                if abs(step_n) + abs(step_w) <= CLOSE * (1.0 + 1e3 * abs(n)) + 1e-13:
                    close = True
                    break
            if close and wheel[0, 0] <= w <= wheel[0, wheel.shape[1] - 1]:
                gap[k, m] = n - height
            else:
                gap[k, m] = FAR
                n, w = row_n, row_w
            if m == 0 and close:
                row_n, row_w = n, w


@kernel
def height_of_rail(rail, y0, z0, cosine, sine, s, guess, j):
    """Height of the rail above the plane at s, the piece there, and whether the line meets the rail."""
    arc, end = guess, rail[0, rail.shape[1] - 1]
    for _ in range(STEPS):
        arc = min(max(arc, rail[0, 0]), end)
        j = piece_around(rail, arc, j)
        y, z, dy, dz = point_on(rail, j, arc)
        off = (y - y0) * cosine + (z - z0) * sine - s
        slope = dy * cosine + dz * sine
        if slope <= 0.0:
            return 0.0, j, False
        step = off / slope
        arc -= step
        if abs(step) <= 1e-13:
            return -(y - y0) * sine + (z - z0) * cosine, j, True
    return 0.0, j, False
