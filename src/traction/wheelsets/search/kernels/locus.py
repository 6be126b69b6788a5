"""The contact locus of a wheel above a rail, and its overlaps. Lengths are in m, angles in rad.

For each circle of the wheel the locus has the point whose normal lies across the track. A rail that is the
same along x can touch the wheel there only, so that the locus and the section of the rail decide where they
touch. Lowering the wheelset changes every vertical distance by the same amount: one locus serves all heights.

On a roller it has the points whose vertical distance is stationary along x: there the normal, seen from the
side, points to the roller's axis. This too does not depend on the height.
"""

import math

from traction.compiled import kernel
from traction.wheelsets.geometry.kernels.curve_points import arc_at, point_on

FARTHEST = (
    0.5  #: sine of the angle around the axle beyond which a point is not on the lower part of the wheel
)
TURNS = 40  #: of Newton's rule on the angle around the axle; five are usual
WEIGHT = 2.5  #: power of the overlap: its square, over a length that grows with its root


@kernel
def find_locus(wheel, rail, head, pose, rotation, locus):
    """Fill the locus at the nodes of the wheel: x, y, gap, arc position and piece on the rail, (5, n).

    head: first and last node of the rail between its sides, between which y grows; pose: y and z of the
    centre of the wheelset, radius, y of the origin of the wheel's profile in the wheelset, and curvature
    of a roller, 0 for a rail; rotation: from wheelset to track, (3, 3). The gap is infinite
    where there is no rail below.
    """
    yc, zc, radius, offset, curvature = pose
    first, last = head
    lowest, highest = rail[1, first], rail[1, last]
    j = first
    for i in range(wheel.shape[1]):
        locus[2, i] = math.inf
        ty, tz = wheel[3, i], wheel[4, i]
        if ty <= 0.0:
            continue
        sine = -(rotation[0, 1] * tz) / (rotation[0, 0] * ty)
        if curvature > 0.0:
            sine = face_roller(rail, head, (yc, curvature), rotation, wheel[:, i], radius, offset, sine)
        if abs(sine) > FARTHEST:
            continue
        cosine = math.sqrt(1.0 - sine * sine)
        r, across = radius - wheel[2, i], wheel[1, i] + offset
        along, down = r * sine, -r * cosine
        x = rotation[0, 0] * along + rotation[0, 1] * across + rotation[0, 2] * down
        y = yc + rotation[1, 0] * along + rotation[1, 1] * across + rotation[1, 2] * down
        z = zc + rotation[2, 0] * along + rotation[2, 1] * across + rotation[2, 2] * down
        locus[0, i], locus[1, i] = x, y
        upward = rotation[2, 0] * ty * sine + rotation[2, 1] * tz - rotation[2, 2] * ty * cosine
        if upward >= 0.0 or not lowest <= y <= highest:
            continue
        while j < last - 1 and y > rail[1, j + 1]:
            j += 1
        while j > first and y < rail[1, j]:
            j -= 1
        s = arc_at(rail, j, y)
        _, below, _, _ = point_on(rail, j, s)
        if curvature > 0.0:
            up, ahead = 1.0 + curvature * below, curvature * x
            below -= ahead * x / (up + math.sqrt(up * up - ahead * ahead))
        locus[2, i], locus[3, i], locus[4, i] = z - below, s, j


@kernel
def face_roller(rail, head, place, rotation, node, radius, offset, sine):
    """Sine of the angle around the axle at which a circle of the wheel faces a roller's axis.

    There N_x rho = N_z x, with the normal N of the wheel and the height rho above the axis; `place` is y of
    the wheelset and the curvature of the roller. 1 where there is no such point.
    """
    yc, curvature = place
    across, r, ty, tz = node[1] + offset, radius - node[2], node[3], node[4]
    first, last = head
    j = first
    for _ in range(TURNS):
        if not abs(sine) <= FARTHEST:
            return 1.0
        cosine = math.sqrt(1.0 - sine * sine)
        x = rotation[0, 0] * r * sine + rotation[0, 1] * across - rotation[0, 2] * r * cosine
        y = yc + rotation[1, 0] * r * sine + rotation[1, 1] * across - rotation[1, 2] * r * cosine
        y = min(max(y, rail[1, first]), rail[1, last])
        while j < last - 1 and y > rail[1, j + 1]:
            j += 1
        while j > first and y < rail[1, j]:
            j -= 1
        _, z, _, _ = point_on(rail, j, arc_at(rail, j, y))
        up, ahead = 1.0 + curvature * z, curvature * x
        if not abs(ahead) < up:
            return 1.0
        rise = math.sqrt(up * up - ahead * ahead)
        nx = rotation[0, 0] * ty * sine + rotation[0, 1] * tz - rotation[0, 2] * ty * cosine
        nz = rotation[2, 0] * ty * sine + rotation[2, 1] * tz - rotation[2, 2] * ty * cosine
        # of the slope only what depends on the angle strongly: the rest is of the order of yaw and roll
        slope = ty * rotation[0, 0] * (rise + rotation[2, 2] * cosine * curvature * r)
        step = (nx * rise - nz * ahead) / slope
        sine -= step
        if abs(step) <= 1e-15:
            return sine
    return 1.0


@kernel
def find_overlaps(locus, rail, height, curvature, found):
    """Fill the regions in which the wheel, raised by `height`, overlaps the rail; return their number.

    found: a row for each region: first and last node; y and arc position on the rail where it begins and
    ends, (4); x from and to; weight, and with it the means of x, y and the angle of the rail; largest
    overlap; height of the rail where it begins and ends. Weights are the squares of the vertical overlap,
    integrated along x over a wheel of the given curvature, 1/m.
    """
    count, inside, n = 0, False, locus.shape[1]
    for i in range(n + 1):
        depth = -math.inf
        if i < n:
            depth = -(locus[2, i] + height)
        if depth > 0.0:
            if not inside:
                inside = True
                row = found[min(count, found.shape[0] - 1)]
                row[:] = 0.0
                row[0], row[6], row[7], row[12] = i, math.inf, -math.inf, 0.0
            half = math.sqrt(2.0 * depth / curvature)
            row[6], row[7] = min(row[6], locus[0, i] - half), max(row[7], locus[0, i] + half)
            row[12] = max(row[12], depth)
            row[1] = i
        elif inside:
            inside = False
            weigh_region(locus, rail, height, row)
            count += 1
    return count


@kernel
def find_nearest(locus, y):
    """Node of the locus that is nearest to y, of those above the rail."""
    nearest, least = 0, math.inf
    for i in range(locus.shape[1]):
        apart = abs(locus[1, i] - y)
        if locus[2, i] < math.inf and apart < least:
            nearest, least = i, apart
    return nearest


@kernel
def weigh_region(locus, rail, height, row):
    """Complete a region between its first and last node: ends, weight and means."""
    a, b, n = int(row[0]), int(row[1]), locus.shape[1]
    row[2], row[4] = edge_between(locus, height, a, max(a - 1, 0))
    row[3], row[5] = edge_between(locus, height, b, min(b + 1, n - 1))
    row[13] = point_on(rail, int(locus[4, a]), row[4])[1]
    row[14] = point_on(rail, int(locus[4, b]), row[5])[1]
    total, mx, my, ma = 0.0, 0.0, 0.0, 0.0
    for i in range(a, b + 1):
        before = row[2] if i == a else locus[1, i - 1]
        after = row[3] if i == b else locus[1, i + 1]
        _, _, dy, dz = point_on(rail, int(locus[4, i]), locus[3, i])
        w = 0.5 * abs(after - before) * (-(locus[2, i] + height)) ** WEIGHT
        total += w
        mx += w * locus[0, i]
        my += w * locus[1, i]
        ma += w * math.atan2(dz, dy)
    if total > 0.0:
        row[8], row[9], row[10], row[11] = total, mx / total, my / total, ma / total
    else:
        _, _, dy, dz = point_on(rail, int(locus[4, a]), locus[3, a])
        row[9], row[10], row[11] = locus[0, a], locus[1, a], math.atan2(dz, dy)


@kernel
def edge_between(locus, height, i, k):
    """y and arc position where the overlap at node i ends towards its neighbour k."""
    inner = -(locus[2, i] + height)
    outer = locus[2, k] + height
    if k == i or not outer < math.inf:
        return locus[1, i], locus[3, i]
    share = inner / (inner + outer)
    return (
        locus[1, i] + share * (locus[1, k] - locus[1, i]),
        locus[3, i] + share * (locus[3, k] - locus[3, i]),
    )
