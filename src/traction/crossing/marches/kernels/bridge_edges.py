"""Wheels at the ends of a bridge that springs hold, or nothing: the step of the track is met over their arc.

The ground ends beside the end of the bridge, whose deflection w changes. A wheel of radius R stands on the
higher of the two, seen from its circle: with the distance y of its centre from the joint and the arc
A(y) = R - sqrt(R^2 - y^2) its approaches to the ground and to the bridge are

    e_g = d + z + r - A(y) over the bridge,    e_g = d + z + r over the ground,
    e_b = d + z + r - w(s) over the bridge,    e_b = d + z + r - w(end) - A(y) over the ground,

and its contact has the larger one, e_g + max(0, u) with u = e_b - e_g. The force acts on the body that is
higher. Where both are, u = 0 through a step, they share it: the bridge carries the part that keeps its end at
the circle. Over a step the part of the mean force that acts on the bridge is the mean slope of max(0, u),

    share = (max(0, u1) - max(0, u0))/(u1 - u0),

any value between 0 and 1 for u0 = u1 = 0. So F times the change of e_g + max(0, u) is the work on ground and
bridge, to rounding: energy is kept, and the drive does the work along the arcs. For a given share approaches
are linear in the forces; u1 falls nearly linearly with the share, which a few solutions determine.

Units: SI; lengths in m, forces in N.
"""

import math

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import segment_of, value_and_slope
from traction.crossing.choices import REACH

OFF, FIRST_EDGE, LAST_EDGE = -1, -2, -3  #: codes of wheels off the bridge, and over the ground next to it
AT_END, START, FREE, GROUND, GROUND_ARC, BRIDGE_ARC = range(6)  #: columns of `StepWork.edges`
EDGES = 6  #: columns
SHARED = 1e-11  #: of an approach at rest, by which a share may be off


@kernel
def arc(radius, y):
    """Height by which a circle rises from its lowest point at the distance y; steep from the radius on."""
    return y * y / (radius + math.sqrt(max(radius * radius - y * y, 0.0)))


@kernel
def end_near(ends, radii, place):
    """Number of the soft end of the bridge that a wheel is near, -1 if none; radii are 0 at level ends."""
    for end in range(2):
        if radii[end] > 0.0 and abs(place - ends[end * (ends.size - 1)]) <= REACH * radii[end]:
            return end
    return -1


@kernel
def place_code(ends, radii, place):
    """Segment of a wheel at a place, or one of the codes above."""
    segment = segment_of(ends, place)
    if segment >= 0:
        return segment
    near = end_near(ends, radii, place)
    return OFF if near < 0 else FIRST_EDGE - near


@kernel
def on_bridge(ends, code, place):
    """Segment and place of the bridge that a wheel with a code acts on, and the part 1 or 0 of its speed."""
    if code == FIRST_EDGE:
        return 0, ends[0], 0.0
    if code == LAST_EDGE:
        return ends.size - 2, ends[ends.size - 1], 0.0
    return code, place, 1.0


@kernel
def edge_arcs(ends, radii, near, place):
    """Arcs of a wheel near an end at a place: to the ground's edge and to the bridge's."""
    inside = place - ends[0] if near == 0 else ends[ends.size - 1] - place
    rise = arc(radii[near], inside)
    return (rise, 0.0) if inside > 0.0 else (0.0, rise)


@kernel
def deflection_under(bridge, code, place, q, total):
    """Deflection of the bridge where a wheel with a code acts on it, added to a `total`."""
    segment, x, _ = on_bridge(bridge.ends, code, place)
    for i in range(bridge.omega.size):
        value, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, x)
        total += value * q[i]
    return total


@kernel
def look_at_edge(bridge, radii, places, code, q, line):
    """Fill the line of `StepWork.edges` of a wheel at its `places` at both ends of a step.

    `q` are the modes at the start. FREE and GROUND are the arcs alone, `part_contacts` adds the motion
    without contact forces. Returns whether the wheel is near a soft end.
    """
    near = end_near(bridge.ends, radii, 0.5 * (places[0] + places[1]))
    line[AT_END] = near
    if near < 0:
        return False
    ground0, bridge0 = edge_arcs(bridge.ends, radii, near, places[0])
    ground1, bridge1 = edge_arcs(bridge.ends, radii, near, places[1])
    line[START] = ground0 - bridge0 - deflection_under(bridge, code, places[0], q, 0.0)
    line[FREE], line[GROUND] = ground1 - bridge1, -ground1
    line[GROUND_ARC], line[BRIDGE_ARC] = ground1 - ground0, bridge1 - bridge0
    return True


@kernel
def near_ends(edges):
    """Whether a wheel is near a soft end."""
    found = False
    for k in range(len(edges)):
        found |= edges[k, AT_END] >= 0.0
    return found


@kernel
def part_contacts(work):
    """Divide `work.matrix` and `work.right` into the parts of vehicles and bridge."""
    shapes, on = work.rows, work.on
    for k in range(on.size):
        sunk = 0.0
        if on[k] != OFF:
            for i in range(shapes.shape[2]):
                sunk += shapes[k, 2, i] * work.ends[0, i]
        work.edges[k, FREE] -= sunk
        work.edges[k, GROUND] += work.right[k] + sunk
        for j in range(on.size):
            beam = 0.0
            if on[k] != OFF and on[j] != OFF:
                for i in range(shapes.shape[2]):
                    beam += shapes[k, 2, i] * shapes[j, 0, i]
            work.parts[0, k, j], work.parts[1, k, j] = work.matrix[k, j] - beam, beam


@kernel
def blend_shares(work):
    """`work.right` and `work.matrix` for the shares of the wheels near soft ends; see the top of the file."""
    share, edges, B = work.share, work.edges, work.matrix
    vehicles, beam = work.parts[0], work.parts[1]
    for k in range(share.size):
        if edges[k, AT_END] >= 0.0:
            moved = max(edges[k, START], 0.0) + share[k] * (edges[k, FREE] - edges[k, START])
            work.right[k] = edges[k, GROUND] + moved
        for j in range(share.size):
            B[k, j] = vehicles[k, j] + share[k] * share[j] * beam[k, j]


@kernel
def balanced_share(start, free, falls):
    """The share s that is the mean slope of max(0, u) between u0 = `start` and u1 = `free` - `falls` s."""
    if start >= 0.0:
        if free >= falls:
            return 1.0
        b = free - start  # falls s^2 - b s - start = 0
        root = math.sqrt(b * b + 4.0 * falls * start)
        found = 0.5 * (b + root) / falls if b > 0.0 else 2.0 * start / (root - b) if root > b else 0.0
    else:
        if free <= 0.0:
            return 0.0
        b = free - start + falls  # falls s^2 - b s + free = 0
        found = 2.0 * free / (b + math.sqrt(max(b * b - 4.0 * falls * free, 0.0)))
    return min(max(found, 0.0), 1.0)


@kernel
def adjust_shares(work, static, F):
    """Find better shares from the forces F of a step; returns whether those it had are right."""
    share, edges, beam, settled = work.share, work.edges, work.parts[1], True
    old = share.copy()
    for k in range(share.size):
        if edges[k, AT_END] < 0.0:
            continue
        end, start = edges[k, FREE], edges[k, START]
        for j in range(share.size):
            end -= beam[k, j] * old[j] * F[j]
        off = max(end, 0.0) - max(start, 0.0) - old[k] * (end - start)
        if abs(off) > SHARED * static[k]:
            settled = False
            falls = beam[k, k] * F[k]
            share[k] = balanced_share(start, end + falls * old[k], falls)
    return settled


@kernel
def work_along_arcs(edges, share, force):
    """Work of the drive in a step on a wheel near an end, along both arcs."""
    return -force * ((1.0 - share) * edges[GROUND_ARC] + share * edges[BRIDGE_ARC])
