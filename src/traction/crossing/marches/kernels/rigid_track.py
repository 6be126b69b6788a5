"""What rigid wheels stand on: the track and, next to a soft end of the bridge, the ground beside it.

Each wheel has two places of contact. The first is the bridge, or the ground where no bridge is near; the
second is the ground beside a soft end, up to REACH of the wheel's radius R from the joint. With the arcs A of
`bridge_edges` the wheel, lower by z than at rest, is kept above both:

    z + r <= A_g(y) of the ground,    z + r <= w + A_b(y) of the bridge.

So a wheel leaves the edge of the ground on its circle or in flight, lands on the bridge, and meets the edge
beyond it where its circle touches it, with the velocity V A_g' = -V y/R by which the edge lifts it: an
impulse, as of any landing. Wheels without a radius or a mass meet steps of the track at once: they are put on
the other side, by a work of the drive.

Units: SI; lengths in m, velocities in m/s.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import value_and_slope
from traction.crossing.marches.kernels.bridge_edges import OFF, arc, end_near, on_bridge, place_code

TOUCH = 1e-10  #: m, within which a wheel next to a soft end touches


class RigidContacts(NamedTuple):
    """Contacts of rigid wheels; 2 k is the first of wheel k, 2 k + 1 the ground beside a soft end."""

    radii: np.ndarray  #: of the wheels at both ends, m, 0 where they meet the step at once, (wheels, 2)
    near: np.ndarray  #: soft end that each wheel is next to in a step, -1 for none, (wheels,)
    held: np.ndarray  #: which contacts touch, (times, contacts)
    push: np.ndarray  #: mean forces in the steps, N, (steps, contacts)
    struck: np.ndarray  #: part J/h of them in the steps after landings, N, likewise
    turned: np.ndarray  #: velocities that wheels gain where the track turns, m/s, (times, wheels)
    sunk: np.ndarray  #: by how much wheels sink where they meet steps of the track at once, m, likewise
    followed: np.ndarray  #: whether modes follow the change of a wheel's force into a step, (steps, wheels)
    matrix: np.ndarray  #: of the equations of the contacts in a step, (contacts, contacts)
    right: np.ndarray  #: their right side


STATES = ("held", "push", "struck", "turned", "sunk", "followed")  #: with a row for each time or step


def make_contacts(radii: np.ndarray, times: int) -> RigidContacts:
    """Storage for wheels of these radii (m, (wheels, 2)), all of which touch the track at first."""
    wheels = len(radii)
    held = np.zeros((times, 2 * wheels), dtype=np.bool_)
    held[0, ::2] = True
    push, struck = np.zeros((2, times - 1, 2 * wheels))
    turned, sunk = np.zeros((2, times, wheels))
    followed = np.zeros((times - 1, wheels), dtype=np.bool_)
    matrix, right = np.zeros((2 * wheels, 2 * wheels)), np.zeros(2 * wheels)
    near = np.full(wheels, -1)
    return RigidContacts(radii, near, held, push, struck, turned, sunk, followed, matrix, right)


@kernel
def contact_arc(ends, contacts, place, c):
    """Height of a wheel's circle over the edge at contact c, and its slope along the track."""
    near = contacts.near[c // 2]
    if near < 0:
        return 0.0, 0.0
    inside = place - ends[0] if near == 0 else ends[ends.size - 1] - place
    if (inside > 0.0) != (c % 2 == 1):  # over the bridge the ground has an edge, over the ground the bridge
        return 0.0, 0.0
    radius = contacts.radii[c // 2, near]
    slope = inside / math.sqrt(max(radius * radius - inside * inside, 0.01 * radius * radius))
    return arc(radius, inside), slope if near == 0 else -slope


@kernel
def is_bridge(work, c):
    """Whether contact c is one with the bridge."""
    return c % 2 == 0 and work.on[c // 2] != OFF


@kernel
def exists(contacts, c):
    """Whether a wheel has contact c: the second only next to a soft end."""
    return c % 2 == 0 or contacts.near[c // 2] >= 0


@kernel
def fixed_track(bridge, cars, way, contacts, n, c):
    """Depth of the track at contact c at time n and its velocity downwards, if the bridge did not deflect."""
    rail, speed = way.rail[min(n, len(way.rail) - 1), c // 2], way.speed[n]
    rise, slope = contact_arc(bridge.ends, contacts, way.place[n] - cars.behind[c // 2], c)
    return rise - rail[0], speed * (slope - rail[1])


@kernel
def track_at(bridge, cars, way, work, contacts, n, c, q, p):
    """Depth of the track at contact c at time n and its velocity downwards, from the modes there."""
    depth, rate = fixed_track(bridge, cars, way, contacts, n, c)
    if is_bridge(work, c):
        code, place = work.on[c // 2], way.place[n] - cars.behind[c // 2]
        segment, x, moves = on_bridge(bridge.ends, code, place)
        for i in range(bridge.omega.size):
            value, slope = value_and_slope(bridge.shapes, bridge.tables, i, segment, x)
            depth += value * q[i]
            rate += value * p[i] + moves * way.speed[n] * slope * q[i]
    return depth, rate


@kernel
def enter_segments(bridge, cars, way, work, n, rows, contacts):
    """Find what each wheel stands on during step n; where that changes, it takes the new direction."""
    for k in range(work.on.size):
        middle = 0.5 * (way.place[n] + way.place[n + 1]) - cars.behind[k]
        code = place_code(bridge.ends, contacts.radii[k], middle)
        near, before, beside = end_near(bridge.ends, contacts.radii[k], middle), work.on[k], contacts.near[k]
        if code == before and near == beside:
            continue
        first, second = contacts.held[n, 2 * k], contacts.held[n, 2 * k + 1]
        ground, beam = second or (first and before == OFF), first and before != OFF
        work.on[k], contacts.near[k] = code, near
        at_once = near < 0 and beside < 0
        first = ground or beam if at_once else ground if code == OFF else beam
        for row in range(max(n - 1, 0), n + 1):
            contacts.held[row, 2 * k], contacts.held[row, 2 * k + 1] = first, near >= 0 and ground
        if first and code != before:
            turn_wheel(bridge, cars, way, work, n, k, rows, contacts, at_once)
        for c in range(2 * k, 2 * k + 2 if near >= 0 else 2 * k):
            depth, _ = track_at(bridge, cars, way, work, contacts, n, c, rows.q[n], rows.p[n])
            contacts.held[n, c] |= rows.z[n, cars.coordinate[k]] >= depth - TOUCH


@kernel
def turn_wheel(bridge, cars, way, work, n, k, rows, contacts, at_once):
    """Give a wheel the velocity of the track that it comes onto at time n, and its depth if `at_once`.

    The track has a kink there if the beam is bent, which asks for an impulse in rigid contact. It is left
    out.
    """
    z = cars.coordinate[k]
    depth, rate = track_at(bridge, cars, way, work, contacts, n, 2 * k, rows.q[n], rows.p[n])
    if contacts.held[n, 2 * k + 1]:
        _, other = fixed_track(bridge, cars, way, contacts, n, 2 * k + 1)
        rate = min(rate, other)
    contacts.turned[n, k] += rate - rows.v[n, z]
    rows.v[n, z] = rate
    if at_once:
        contacts.sunk[n, k] += depth - rows.z[n, z]
        rows.z[n, z] = depth
