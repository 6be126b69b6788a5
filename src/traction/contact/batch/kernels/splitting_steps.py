"""Steps of the splitting for the members of a batch, on the processor (see `splitting`).

Fields in sectors are (ns, members, 2 h), fields of elements (2, ne) with ne = ns h (see `slip_matrices`).
Units: tractions are over the largest bound of their member, slips over the same and rho; pure numbers.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

STEP = 1.75  #: relaxation, below 2
GLIDES = 1.5  #: demand from which the centred difference has a share (see `covered_rolling`)
HUGE = 1e300  #: error of what is not a number


class ElementTables(NamedTuple):
    """What the elements of a batch share."""

    weight: np.ndarray  #: of a sector in the field of a pair, (h,)
    share: np.ndarray  #: of each place in a sum over the elements, (ne,)
    bound: np.ndarray  #: of each kind of member, over its largest, (kinds, ne)
    exits: np.ndarray  #: number of each element among those where particles leave, or -1, (ne,)
    #: slip by an own unit traction: held and its change where all stick, centred and its change, (4, 2, ne)
    own: np.ndarray
    turn: np.ndarray  #: slip along y by a unit of spin, centred minus held, (ne,)
    least: np.ndarray  #: of `own` in the certificate, (2,)
    arms: np.ndarray  #: x at which the force of each acts, its change where it sticks, and y, m, (3, ne)
    tau: float  #: length of a step, in units of the slip of a cell by its own traction
    pairs_at_exit: int


class MemberTables(NamedTuple):
    """What each member has."""

    kind: np.ndarray  #: row of `bound`, (members,)
    creepage: np.ndarray  #: scaled, (members, 3)
    force: np.ndarray  #: sum of tractions along x and y, NaN where it is free, (members, 2)
    sticks: np.ndarray  #: shares of elements, (members, ne)
    glides: np.ndarray


@kernel
def unfold(sectors, m, weight, field):
    """Field of elements of a member."""
    ns, h = sectors.shape[0], weight.size
    for o in range(h):
        w, e, q = weight[o], sectors[0, m, o], sectors[0, m, h + o]
        if ns == 1:
            field[0, o], field[1, o] = e, q
        else:
            f, r = sectors[1, m, o], sectors[1, m, h + o]
            field[0, o], field[0, h + o] = (e + f) * w, (e - f) * w
            field[1, o], field[1, h + o] = (r + q) * w, (r - q) * w


@kernel
def fold(field, m, weight, sectors):
    """The sectors of a field of elements of a member."""
    ns, h = sectors.shape[0], weight.size
    for o in range(h):
        if ns == 1:
            sectors[0, m, o], sectors[0, m, h + o] = field[0, o], field[1, o]
        else:
            v = 0.5 / weight[o]
            xa, xb, ya, yb = field[0, o], field[0, h + o], field[1, o], field[1, h + o]
            sectors[0, m, o], sectors[1, m, o] = (xa + xb) * v, (xa - xb) * v
            sectors[0, m, h + o], sectors[1, m, h + o] = (ya - yb) * v, (ya + yb) * v


@kernel
def start(elements, members, rigid, z):
    """Tractions P(-W): what slides at the rigid slip."""
    ne = elements.share.size
    field = np.empty((2, ne))
    for m in range(z.shape[1]):
        _combine(rigid, members.creepage[m], m, z)
        unfold(z, m, elements.weight, field)
        bound = elements.bound[members.kind[m]]
        for e in range(ne):
            x, y = -field[0, e], -field[1, e]
            size = math.sqrt(x * x + y * y)
            f = bound[e] / size if size > bound[e] else 1.0
            field[0, e], field[1, e] = f * x, f * y
        fold(field, m, elements.weight, z)


@kernel
def _combine(rigid, creepage, m, result):
    """Sum of rigid fields times creepages."""
    a, b, c = creepage
    for s in range(result.shape[0]):
        for i in range(result.shape[2]):
            result[s, m, i] = a * rigid[0, s, i] + b * rigid[1, s, i] + c * rigid[2, s, i]


@kernel
def lift(elements, members, slip, rigid, z):
    """Add to tractions z tau times their slip, with the rigid slip."""
    for m in range(z.shape[1]):
        a, b, c = members.creepage[m]
        for s in range(z.shape[0]):
            for i in range(z.shape[2]):
                w = a * rigid[0, s, i] + b * rigid[1, s, i] + c * rigid[2, s, i]
                z[s, m, i] += elements.tau * (slip[s, m, i] + w)


@kernel
def resolve(elements, members, resolved, sums, x):
    """Take the resolvent of the rigid slip off x, so that given forces are met; append what leaves sticking.

    `resolved`: tau M R of the three rigid fields, (3, ns, 2 h); `sums`: their forces, (3, 2). x holds M z in
    its first 2 h columns, and receives the tractions of sticking elements at the exit in the others.
    """
    for m in range(x.shape[1]):
        _take_off(elements, members, resolved, sums, m, x)
        append_sticking(elements, members.sticks[m], m, x)


@kernel
def _take_off(elements, members, resolved, sums, m, x):
    """Take the resolvent of the rigid slip off x of a member, so that given forces are met."""
    creepage, force = members.creepage[m], members.force[m]
    if force[0] == force[0] or force[1] == force[1]:
        _meet_forces(_sum_forces(x, m, elements.weight), sums, force, creepage)
    a, b, c = creepage
    for s in range(x.shape[0]):
        for i in range(2 * elements.weight.size):
            x[s, m, i] -= a * resolved[0, s, i] + b * resolved[1, s, i] + c * resolved[2, s, i]


@kernel
def _sum_forces(x, m, weight):
    """Sums of tractions along x and y."""
    last, h, fx, fy = x.shape[0] - 1, weight.size, 0.0, 0.0
    for o in range(h):
        fx += x[0, m, o] / weight[o]
        fy += x[last, m, h + o] / weight[o]
    return fx, fy


@kernel
def _meet_forces(found, sums, force, creepage):
    """Set creepages so that given forces are met: `found` without rigid slip, `sums` per unit of creepage."""
    by_x, by_y = force[0] == force[0], force[1] == force[1]
    rest_x = found[0] - creepage[2] * sums[2, 0] - force[0]
    rest_y = found[1] - creepage[2] * sums[2, 1] - force[1]
    if by_x and by_y:
        det = sums[0, 0] * sums[1, 1] - sums[1, 0] * sums[0, 1]
        creepage[0] = (rest_x * sums[1, 1] - rest_y * sums[1, 0]) / det
        creepage[1] = (rest_y * sums[0, 0] - rest_x * sums[0, 1]) / det
    elif by_x:
        creepage[0] = (rest_x - creepage[1] * sums[1, 0]) / sums[0, 0]
    else:
        creepage[1] = (rest_y - creepage[0] * sums[0, 1]) / sums[1, 1]


@kernel
def append_sticking(elements, sticks, m, x):
    """Tractions of elements at the exit times their share that sticks, in the columns from 2 h on."""
    ns, h, weight, exits = x.shape[0], elements.weight.size, elements.weight, elements.exits
    t = elements.pairs_at_exit
    for o in range(h if t > 0 else 0):
        k = exits[o]
        if k < 0:
            continue
        at, e, q = 2 * h + k, x[0, m, o], x[0, m, h + o]
        if ns == 1:
            x[0, m, at], x[0, m, at + t] = sticks[o] * e, sticks[o] * q
            continue
        f, r, w = x[1, m, o], x[1, m, h + o], weight[o]
        v, above, below = 0.5 / w, sticks[o], sticks[h + o]
        xa, xb, ya, yb = above * (e + f) * w, below * (e - f) * w, above * (r + q) * w, below * (r - q) * w
        x[0, m, at], x[1, m, at] = (xa + xb) * v, (xa - xb) * v
        x[0, m, at + t], x[1, m, at + t] = (ya - yb) * v, (ya + yb) * v


@kernel
def add_shares(held, centred, elements, glides, spin, slip):
    """Slip of elements beyond that of those which hold their particles, from products of all kinds."""
    for e in range(glides.size):
        g = glides[e]
        slip[0, e] = (1.0 - g) * held[0, e] + g * centred[0, e]
        slip[1, e] = (1.0 - g) * held[1, e] + g * (centred[1, e] + spin * elements.turn[e])


@kernel
def share_slip(elements, members, m, products, fields, slip):
    """Slip of a member beyond that of elements which hold their particles; zero for whole cells.

    products: with the change of slip by sticking at the exit, and by gliding. fields receive them.
    """
    if products[0].size == 0:
        return
    unfold(products[0], m, elements.weight, fields[0])
    unfold(products[1], m, elements.weight, fields[1])
    add_shares(fields[0], fields[1], elements, members.glides[m], members.creepage[m, 2], slip)


@kernel
def check(elements, members, x, z, held, centred, shares, errors):
    """Errors of x and of its shares, (2, members), and the shares that x asks for, (2, members, ne).

    held, centred: products of x with the change of slip by sticking at the exit, and by gliding; or empty.
    The tractions of sticking elements behind x become the change of them.
    """
    ne, covered = elements.share.size, held.size > 0
    X, Z, D = np.empty((2, ne)), np.empty((2, ne)), np.zeros((2, ne))
    H, C, change, tau = np.zeros((2, ne)), np.zeros((2, ne)), np.zeros(ne), elements.tau
    for m in range(z.shape[1]):
        unfold(x, m, elements.weight, X)
        unfold(z, m, elements.weight, Z)
        share_slip(elements, members, m, (held, centred), (H, C), D)
        bound, worst, doubt = elements.bound[members.kind[m]], 0.0, 0.0
        sticks, glides = members.sticks[m], members.glides[m]
        for e in range(ne):
            g, px, py = bound[e], X[0, e], X[1, e]
            sx, sy = (Z[0, e] - px) / tau, (Z[1, e] - py) / tau
            worst = max(worst, _miss(px, py, sx + D[0, e], sy + D[1, e], g))
            if covered and g > 0.0:
                stick, glide = find_shares(elements, sticks[e], e, px, py, sx + H[0, e], sy + H[1, e], g)
                change[e] = stick - sticks[e]
                doubt = max(doubt, abs(change[e]), abs(glide - glides[e]))
                shares[0, m, e], shares[1, m, e] = stick, glide
        append_sticking(elements, change, m, x)
        errors[0, m], errors[1, m] = math.sqrt(worst), doubt


@kernel
def advance(elements, members, x, held, centred, change, z):
    """A step of the splitting; change receives that of z."""
    room = _make_room(elements.share.size)
    X, Z, R = room[0], room[1], room[3]
    for m in range(z.shape[1]):
        _reflect_member(elements, members, m, (x, z, held, centred), room)
        _find_step(R, X, elements.bound[members.kind[m]], 1.0)
        fold(R, m, elements.weight, change)
        Z += R
        fold(Z, m, elements.weight, z)


@kernel
def advance_whole(elements, members, resolved, sums, x, change, z):
    """`resolve` and `advance` of whole cells in one; what x holds afterwards is not used."""
    ne = elements.share.size
    X, Z, R, D = np.empty((2, ne)), np.empty((2, ne)), np.empty((2, ne)), np.zeros((2, ne))
    for m in range(z.shape[1]):
        _take_off(elements, members, resolved, sums, m, x)
        unfold(x, m, elements.weight, X)
        unfold(z, m, elements.weight, Z)
        _reflect(X, Z, D, elements.tau, R)
        _find_step(R, X, elements.bound[members.kind[m]], 1.0)
        fold(R, m, elements.weight, change)
        Z += R
        fold(Z, m, elements.weight, z)


@kernel(inlined=True)
def _make_room(ne):
    """Room for x, z, the slip by shares, what is projected, and the products with shares of a member."""
    X, Z, D, R = np.empty((2, ne)), np.empty((2, ne)), np.zeros((2, ne)), np.empty((2, ne))
    return X, Z, D, R, np.zeros((2, ne)), np.zeros((2, ne))


@kernel(inlined=True)
def _reflect_member(elements, members, m, fields, room):
    """Put x and z of a member and what is projected into room; fields: x, z, held and centred."""
    (x, z, held, centred), (X, Z, D, R, H, C) = fields, room
    unfold(x, m, elements.weight, X)
    unfold(z, m, elements.weight, Z)
    share_slip(elements, members, m, (held, centred), (H, C), D)
    _reflect(X, Z, D, elements.tau, R)


@kernel
def _reflect(X, Z, D, tau, R):
    """R = 2 X - Z - tau D, which is projected."""
    for c in range(2):
        for e in range(X.shape[1]):
            R[c, e] = 2.0 * X[c, e] - Z[c, e] - tau * D[c, e]


@kernel
def _find_step(R, X, bound, factor):
    """Put into R a factor times the relaxed change from X to the projection of R."""
    for e in range(bound.size):
        g, rx, ry = bound[e], R[0, e], R[1, e]
        size = math.sqrt(rx * rx + ry * ry)
        f = g / size if size > g else 1.0
        R[0, e] = factor * STEP * (f * rx - X[0, e])
        R[1, e] = factor * STEP * (f * ry - X[1, e])


@kernel(inlined=True)
def _miss(px, py, sx, sy, g):
    """Square of the distance of a traction from the projection of itself minus its slip."""
    rx, ry = px - sx, py - sy
    size = math.sqrt(rx * rx + ry * ry)
    f = g / size if size > g else 1.0
    ex, ey = px - f * rx, py - f * ry
    miss = ex * ex + ey * ey
    return miss if miss < HUGE else HUGE


@kernel
def find_shares(elements, sticks, e, px, py, sx, sy, g):
    """Shares that stick and glide, by the traction that would hold the particle (see `covered_rolling`)."""
    own = elements.own
    ox, oy = own[0, 0, e], own[0, 1, e]
    hx = ((ox + sticks * own[1, 0, e]) * px - sx) / ox
    hy = ((oy + sticks * own[1, 1, e]) * py - sy) / oy
    demand = math.sqrt(hx * hx + hy * hy) / g
    stick = min(1.0, max(0.0, 1.0 - demand)) if elements.exits[e] >= 0 else 0.0
    return stick, min(1.0, max(0.0, demand - GLIDES))


@kernel
def settle(elements, members, x):
    """Project tractions onto their bounds."""
    ne = elements.share.size
    field = np.empty((2, ne))
    for m in range(x.shape[1]):
        unfold(x, m, elements.weight, field)
        bound = elements.bound[members.kind[m]]
        for e in range(ne):
            size = math.sqrt(field[0, e] ** 2 + field[1, e] ** 2)
            f = bound[e] / size if size > bound[e] else 1.0
            field[0, e], field[1, e] = f * field[0, e], f * field[1, e]
        fold(field, m, elements.weight, x)
        append_sticking(elements, members.sticks[m], m, x)


@kernel
def certify(elements, members, p, slip, held, centred, rigid, found):
    """Errors and sums of members, from their tractions and products with them; slip receives the whole slip.

    found, (members, 7): largest error of the law; largest error of a share; elements that stick; sums of
    tractions along x and y, of tractions times slips, and of their moments.
    """
    ne, covered = elements.share.size, held.size > 0
    P, S, D = np.empty((2, ne)), np.empty((2, ne)), np.zeros((2, ne))
    H, C = np.zeros((2, ne)), np.zeros((2, ne))
    for m in range(slip.shape[1]):
        a, b, c = members.creepage[m]
        for s in range(slip.shape[0]):
            for i in range(slip.shape[2]):
                slip[s, m, i] += a * rigid[0, s, i] + b * rigid[1, s, i] + c * rigid[2, s, i]
        unfold(p, m, elements.weight, P)
        unfold(slip, m, elements.weight, S)
        share_slip(elements, members, m, (held, centred), (H, C), D)
        bound = elements.bound[members.kind[m]]
        found[m, :] = 0.0
        for e in range(ne):
            g, px, py = bound[e], P[0, e], P[1, e]
            if g <= 0.0:
                continue
            sticks, glides = 0.0, 0.0
            if covered:
                sticks, glides = members.sticks[m, e], members.glides[m, e]
                shares = find_shares(elements, sticks, e, px, py, S[0, e] + H[0, e], S[1, e] + H[1, e], g)
                found[m, 1] = max(found[m, 1], abs(shares[0] - sticks), abs(shares[1] - glides))
            sx, sy = S[0, e] + D[0, e], S[1, e] + D[1, e]
            rho = find_rho(elements, sticks, glides, e)
            error = _violate(px, py, sx, sy, g, rho)
            found[m, 0] = max(found[m, 0], error if error < HUGE else HUGE)
            share = elements.share[e]
            found[m, 2] += share if math.hypot(px - rho * sx, py - rho * sy) <= g else 0.0
            found[m, 3] += share * px
            found[m, 4] += share * py
            found[m, 5] += share * (px * sx + py * sy)
            arm = elements.arms[0, e] + sticks * elements.arms[1, e]
            found[m, 6] += share * (arm * py - elements.arms[2, e] * px)
            S[0, e], S[1, e] = sx, sy
        fold(S, m, elements.weight, slip)


@kernel
def find_rho(elements, sticks, glides, e):
    """Traction per slip of an element in the certificate, as in `covered_rolling`."""
    own, total = elements.own, 0.0
    for k in range(2):
        held = own[0, k, e] + sticks * own[1, k, e]
        centred = own[2, k, e] + sticks * own[3, k, e]
        total += max(held + glides * (centred - held), elements.least[k])
    return 2.0 / total


@kernel
def _violate(px, py, sx, sy, g, rho):
    """Largest violation of the law of friction by an element (see `friction_certificate`)."""
    size, way = math.hypot(px, py), math.hypot(sx, sy)
    if not size + way < np.inf:
        return HUGE
    worst = max(size - g, min(max(0.0, g - size), rho * way))
    if size > 0.0 and way > 0.0:
        across, forward = (sx * py - sy * px) / size, max(0.0, (sx * px + sy * py) / size)
        worst = max(worst, min(rho, g / way) * math.hypot(across, forward))
    return worst


@kernel
def resolve_increments(elements, members, resolved, sums, x):
    """As `resolve`, for increments of z: their forces are zero where forces are given."""
    ns, h = x.shape[0], elements.weight.size
    change, none = np.zeros(3), np.zeros(2)
    for m in range(x.shape[1]):
        force = members.force[m]
        if force[0] == force[0] or force[1] == force[1]:
            change[:] = 0.0
            for k in range(2):
                none[k] = 0.0 if force[k] == force[k] else np.nan
            _meet_forces(_sum_forces(x, m, elements.weight), sums, none, change)
            for s in range(ns):
                for i in range(2 * h):
                    x[s, m, i] -= change[0] * resolved[0, s, i] + change[1] * resolved[1, s, i]
        append_sticking(elements, members.sticks[m], m, x)


@kernel
def begin_cycle(elements, members, x, held, centred, z, scales, base, change, increments):
    """The first step of a cycle: what is projected goes to base, the change of z to increments (scaled)."""
    room = _make_room(elements.share.size)
    X, R = room[0], room[3]
    for m in range(z.shape[1]):
        _reflect_member(elements, members, m, (x, z, held, centred), room)
        fold(R, m, elements.weight, base)
        _find_step(R, X, elements.bound[members.kind[m]], 1.0 / scales[m])
        fold(R, m, elements.weight, change)
        fold(R, m, elements.weight, increments)


@kernel
def advance_increments(elements, members, x, base, by_increments, scales, change, increments):
    """A step of a cycle: all that changes are the increments of z.

    by_increments: the increments of x and of its products.
    """
    dx, dheld, dcentred = by_increments
    ne, covered = elements.share.size, dheld.size > 0
    X, R, dX, dZ = np.empty((2, ne)), np.empty((2, ne)), np.empty((2, ne)), np.empty((2, ne))
    H, C, dD, dR = np.zeros((2, ne)), np.zeros((2, ne)), np.zeros((2, ne)), np.empty((2, ne))
    for m in range(x.shape[1]):
        unfold(x, m, elements.weight, X)
        unfold(base, m, elements.weight, R)
        unfold(dx, m, elements.weight, dX)
        unfold(increments, m, elements.weight, dZ)
        if covered:
            unfold(dheld, m, elements.weight, H)
            unfold(dcentred, m, elements.weight, C)
            add_shares(H, C, elements, members.glides[m], 0.0, dD)
        _reflect(dX, dZ, dD, elements.tau, dR)
        for c in range(2):
            for e in range(ne):
                X[c, e] += scales[m] * dX[c, e]
                R[c, e] += scales[m] * dR[c, e]
        _find_step(R, X, elements.bound[members.kind[m]], 1.0 / scales[m])
        fold(R, m, elements.weight, change)
        dZ += R
        fold(dZ, m, elements.weight, increments)


@kernel
def end_cycle(elements, members, scales, increments, z):
    """Add the increments of a cycle to z."""
    for s in range(z.shape[0]):
        for m in range(z.shape[1]):
            for i in range(z.shape[2]):
                z[s, m, i] += scales[m] * increments[s, m, i]
