"""Steps of the splitting for the pressures of the members of a batch, on the processor (see `pressing`).

Fields in sectors are (4, members, h): parts that are even and odd along x and y. Fields of elements are
(4 h,): the first quarter, its image along x, along y, and both. Units: all in Pa, distances over the
displacement of an element by its own unit pressure.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

STEP = 1.75  #: relaxation, below 2
ROUNDING = 1e-12  #: of the peak, below which a pressure is that of an open gap
HUGE = 1e300  #: error of what is not a number


class PressedElements(NamedTuple):
    """What all members share."""

    weight: np.ndarray  #: of a sector in the field of a group of images, (h,)
    share: np.ndarray  #: of each place in a sum over the elements, (4 h,)
    ones: np.ndarray  #: resolvent of a uniform distance, (4, h)
    edge: np.ndarray  #: 1 where an element lies at the edge of the grid, else 0, (4 h,)


class PressedMembers(NamedTuple):
    """What each member has."""

    kind: np.ndarray  #: row of the resolved gaps, (members,)
    force: np.ndarray  #: sum of pressures, Pa, NaN where it is free, (members,)
    approach: np.ndarray  #: over the displacement of an element by its own unit pressure, Pa, (members,)


@kernel
def unfold_quarters(sectors, m, weight, field):
    """Field of elements of a member."""
    h = weight.size
    for o in range(h):
        w, a, b, c, d = weight[o], sectors[0, m, o], sectors[1, m, o], sectors[2, m, o], sectors[3, m, o]
        field[o], field[h + o] = (a + b + c + d) * w, (a - b + c - d) * w
        field[2 * h + o], field[3 * h + o] = (a + b - c - d) * w, (a - b - c + d) * w


@kernel
def fold_quarters(field, m, weight, sectors):
    """The sectors of a field of elements of a member."""
    h = weight.size
    for o in range(h):
        v, a, b, c, d = 0.25 / weight[o], field[o], field[h + o], field[2 * h + o], field[3 * h + o]
        sectors[0, m, o], sectors[1, m, o] = (a + b + c + d) * v, (a - b + c - d) * v
        sectors[2, m, o], sectors[3, m, o] = (a + b - c - d) * v, (a - b - c + d) * v


@kernel
def _approach(elements, members, gaps, total, tau, m, x):
    """Take the resolvent of the gap minus the approach off x of a member, so that a given force is met."""
    h, weight, ones, kind, force = (
        elements.weight.size, elements.weight, elements.ones, members.kind[m], members.force[m],
    )  # fmt: skip
    if force == force:
        found = 0.0
        for o in range(h):
            found += (x[0, m, o] - gaps[kind, 0, o]) / weight[o]
        members.approach[m] = (force - found) / (tau * total)
    d = tau * members.approach[m]
    for s in range(4):
        for o in range(h):
            x[s, m, o] += d * ones[s, o] - gaps[kind, s, o]


@kernel
def advance_pressures(elements, members, gaps, total, tau, check, x, z, errors):
    """A step of the splitting from x = M z; where `check`, the largest errors of x over its peak.

    gaps: tau M gap of each kind, (kinds, 4, h); total: the force of `ones`. Where `check`, x receives its
    projection, which is zero across open gaps.
    """
    n = elements.share.size
    X, Z = np.empty(n), np.empty(n)
    for m in range(z.shape[1]):
        _approach(elements, members, gaps, total, tau, m, x)
        unfold_quarters(x, m, elements.weight, X)
        unfold_quarters(z, m, elements.weight, Z)
        worst, peak = 0.0, 0.0
        for e in range(n):
            p = X[e]
            if check:
                miss = abs(p - max(0.0, p - (Z[e] - p) / tau))
                worst, peak = max(worst, miss if miss < HUGE else HUGE), max(peak, p)
            X[e] = max(0.0, 2.0 * p - Z[e])
            Z[e] += STEP * (X[e] - p)
        fold_quarters(Z, m, elements.weight, z)
        if check:
            fold_quarters(X, m, elements.weight, x)
            errors[m] = worst / peak if peak > 0.0 else HUGE


@kernel
def settle_pressures(elements, members, x):
    """Remove tension, and scale what is left to a given force."""
    n = elements.share.size
    field = np.empty(n)
    for m in range(x.shape[1]):
        unfold_quarters(x, m, elements.weight, field)
        total = 0.0
        for e in range(n):
            field[e] = max(0.0, field[e])
            total += elements.share[e] * field[e]
        force = members.force[m]
        if force == force and total > 0.0:
            for e in range(n):
                field[e] *= force / total
        fold_quarters(field, m, elements.weight, x)


@kernel
def certify_pressures(elements, members, p, displacement, gaps, found):
    """Errors and sums of members, from their pressures, displacements and gaps (over those of an element).

    found, (members, 8): largest penetration; largest distance under pressure; sum of pressure times
    distance; largest overlap of the undeformed bodies in the contact; sum of pressures; peak; elements in
    contact; those of them at the edge.
    """
    n = elements.share.size
    P, U, G = np.empty(n), np.empty(n), np.empty(n)
    for m in range(p.shape[1]):
        unfold_quarters(p, m, elements.weight, P)
        unfold_quarters(displacement, m, elements.weight, U)
        unfold_quarters(gaps[members.kind[m]].reshape((4, 1, n // 4)), 0, elements.weight, G)
        delta = members.approach[m]
        found[m, :] = 0.0
        for e in range(n):
            found[m, 5] = max(found[m, 5], P[e])
        for e in range(n):
            distance = G[e] + U[e] - delta
            distance = distance if abs(distance) < HUGE else -HUGE
            found[m, 0] = max(found[m, 0], -distance)
            if P[e] > ROUNDING * found[m, 5]:
                found[m, 1] = max(found[m, 1], abs(distance))
                found[m, 2] += elements.share[e] * P[e] * abs(distance)
                found[m, 3] = max(found[m, 3], abs(delta - G[e]))
                found[m, 4] += elements.share[e] * P[e]
                found[m, 6] += elements.share[e]
                found[m, 7] += elements.share[e] * elements.edge[e]
