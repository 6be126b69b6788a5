"""Bounds of the members of a batch by laws of friction and layers that yield, on the processor.

Fields and units are those of `splitting_steps`; the law itself is that of `sliding_states`, in SI.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.contact.batch.kernels.splitting_steps import (
    HUGE,
    append_sticking,
    find_rho,
    find_shares,
    share_slip,
    unfold,
)
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule, resist
from traction.friction_laws.kernels.coefficients import CompiledFriction, friction_coefficient, keep_of_memory

LEAST_BOUND = 1e-6  #: of that at rest, of elements whose friction has vanished (see `covered_rolling`)


class ParticleWays(NamedTuple):
    """The places of elements in the order in which particles pass them, row by row."""

    order: np.ndarray  #: places
    skipped: np.ndarray  #: cells without an element since the place before; -1 where a row begins
    begins: np.ndarray  #: number in `order` of the first of each row, and behind the last, (rows + 1,)
    rows: int
    reach: np.ndarray  #: way of the particle to each place, over that of a step, (ne,)


class LawMembers(NamedTuple):
    """What the bounds of members depend on, by their kind."""

    which: np.ndarray  #: number of the law, (kinds,)
    pressure: np.ndarray  #: times the factor of the place, Pa, (kinds, ne)
    unit: np.ndarray  #: of tractions, Pa, (kinds,)
    time: np.ndarray  #: of a step, s, (kinds,)
    steepness: np.ndarray  #: found: fall of bounds over the resistance of elements, (kinds,)
    plastic: np.ndarray  #: found: part of the motion that is plastic, m, (kinds, ne)


class LawNumbers(NamedTuple):
    """A law, and a layer that may yield."""

    number: int  #: of the law
    law: CompiledFriction
    knots: int  #: rows of its table
    rest: float  #: its coefficient without slip
    largest: float  #: of its coefficients
    distance: float  #: dc of the memory, m; 0 without
    background: float  #: s0 of the memory, m/s
    yield_stress: float  #: tau_c, Pa; infinite where the layer is elastic
    hardening: float  #: Pa/m
    tie: float  #: Pa, as in `SlidingRule`
    exact: int  #: 1 where memory decays exponentially, 0 by a step of implicit Euler
    steady: int  #: 1 of rolling, where memory is that of the place before, 0 of a step
    rho: float  #: Pa/m, the scale of slips


@kernel
def follow_laws(elements, members, ways, laws, one, fields, shares, errors):
    """As `splitting_steps.check`, of members with one law, whose bounds follow the slip.

    fields: x, z, and the products held and centred. Errors are those at the new bounds.
    """
    x, z, held, centred = fields
    ne, covered = elements.share.size, held.size > 0
    X, Z, D = np.empty((2, ne)), np.empty((2, ne)), np.zeros((2, ne))
    H, C, change, tau = np.zeros((2, ne)), np.zeros((2, ne)), np.zeros(ne), elements.tau
    for m in range(z.shape[1]):
        if laws.which[members.kind[m]] != one.number:
            continue
        unfold(x, m, elements.weight, X)
        unfold(z, m, elements.weight, Z)
        D[:], H[:] = 0.0, 0.0
        share_slip(elements, members, m, (held, centred), (H, C), D)
        for c in range(2):
            for e in range(ne):
                Z[c, e] = (Z[c, e] - X[c, e]) / tau
                D[c, e] += Z[c, e]
                H[c, e] += Z[c, e]
        errors[0, m], errors[1, m] = _bound_members(
            elements, members, ways, laws, one, m, (X, D, H, change), shares
        )
        if covered:
            append_sticking(elements, change, m, x)


@kernel
def _bound_members(elements, members, ways, laws, one, m, fields, shares):
    """Set the bounds of a member to those of its slip; returns its largest error and that of its shares.

    fields: tractions, slips, slips where nothing glides, which decide the shares, and room for the changes of
    shares that stick. The bounds of both slips are the same up to the first element that glides.
    """
    (P, S, H, change), k = fields, members.kind[m]
    rule, unit = make_rule(laws, one, ways, k), laws.unit[k]
    bound, worst, doubt, steep = elements.bound[k], 0.0, 0.0, 0.0
    covered, apart = members.sticks.shape[1] > 0, False
    here, there = (0.0, 0.0), (0.0, 0.0)  # mu and tau of the particle, for both slips
    for q in range(ways.order.size):
        e, skipped = ways.order[q], ways.skipped[q]
        apart = apart and skipped >= 0 and one.steady == 1
        here = _carry_on(one, laws.time[k], skipped, here)
        there = _carry_on(one, laws.time[k], skipped, there) if apart else here
        pressure, px, py = laws.pressure[k, e], P[0, e], P[1, e]
        if not pressure > 0.0:
            laws.plastic[k, e], bound[e] = 0.0, 0.0
            worst = max(worst, _measure(px, py))
            here = slide(rule, one, e, 0.0, here, 0.0)[1:3]
            there = slide(rule, one, e, 0.0, there, 0.0)[1:3] if apart else here
            here, there = (here[0], one.yield_stress), (there[0], one.yield_stress)
            if covered:
                change[e], shares[0, m, e], shares[1, m, e] = 0.0, members.sticks[m, e], members.glides[m, e]
            continue
        sticks, glides = 0.0, 0.0
        if covered:
            sticks, glides = members.sticks[m, e], members.glides[m, e]
        rho = find_rho(elements, sticks, glides, e)
        g, here, flow, fall, miss = _meet(
            rule, one, e, (pressure, unit), rho, here, (px, py, S[0, e], S[1, e])
        )
        bound[e], laws.plastic[k, e] = g, flow
        worst, steep = max(worst, miss), max(steep, fall / (rho * one.rho))
        if not covered:
            continue
        if apart or glides > 0.0:
            g, there, _, _, _ = _meet(rule, one, e, (pressure, unit), rho, there, (px, py, H[0, e], H[1, e]))
            apart = True
        g = max(g, LEAST_BOUND * one.largest * pressure / unit)
        stick, glide = find_shares(elements, sticks, e, px, py, H[0, e], H[1, e], g)
        change[e] = stick - sticks
        doubt = max(doubt, abs(change[e]), abs(glide - glides))
        shares[0, m, e], shares[1, m, e] = stick, glide
    laws.steepness[k] = steep
    return worst, doubt


@kernel
def make_rule(laws, one, ways, k):
    """The rule of a member, with fields (1, ne)."""
    ne = ways.reach.size
    pressure, reach = laws.pressure[k].reshape((1, ne)), ways.reach.reshape((1, ne))
    return SlidingRule(
        one.law, pressure, pressure, pressure, reach, laws.time[k], one.distance, one.background,
        one.yield_stress, one.hardening, one.tie, one.exact == 1, 0, 0.0, pressure, np.zeros((1, ne)),
    )  # fmt: skip


@kernel(inlined=True)
def _measure(x, y):
    """Size of an error; what is not a number is huge."""
    square = x * x + y * y
    return math.sqrt(square) if square < HUGE else HUGE


@kernel(inlined=True)
def _carry_on(one, time, skipped, state):
    """Memory where a particle arrives at a place, from that of the place before; rest where it enters."""
    if skipped < 0 or one.steady == 0:
        return one.rest, one.yield_stress
    if skipped > 0:
        kept = keep_of_memory(one.distance, one.background, one.exact == 1, 0.0, time)[0]
        return one.rest + kept**skipped * (state[0] - one.rest), one.yield_stress
    return state


@kernel(inlined=True)
def _meet(rule, one, e, scales, rho, before, fields):
    """Bound of an element by its slip, the memory that it leaves, plastic flow, fall and error."""
    (pressure, unit), (px, py, sx, sy) = scales, fields
    found = slide(rule, one, e, pressure, before, unit / one.rho * math.sqrt(sx * sx + sy * sy))
    zx, zy, g = px - rho * sx, py - rho * sy, found[0] / unit
    size = math.sqrt(zx * zx + zy * zy)
    if size <= g:
        found = slide(rule, one, e, pressure, before, 0.0)
        return found[0] / unit, (found[1], found[2]), found[3], 0.0, _measure(px - zx, py - zy)
    f = g / size
    return g, (found[1], found[2]), found[3], found[4], _measure(px - f * zx, py - f * zy)


@kernel(inlined=True)
def slide(rule, one, e, pressure, before, motion):
    """Bound of an element that moves by a motion (m), mu, tau, the plastic part, and the fall of the bound.

    As `resist`, which decides where a layer yields; without one there is only the law.
    """
    mu, tau = before
    if one.yield_stress < np.inf:
        found = resist(rule, 0, e, pressure, mu, tau, motion)
        return found[0], found[1], found[2], found[3], -(found[10] * found[6] + found[11] * found[9])
    speed, steady, slope = motion / rule.time, one.rest, 0.0
    if motion > 0.0:
        steady, slope = friction_coefficient(rule.law, speed)
    keep, change = keep_of_memory(
        one.distance, one.background, rule.exact, speed, rule.reach[0, e] * rule.time
    )
    by_motion = (change * (mu - steady) + (1.0 - keep) * slope) / rule.time
    mu = keep * mu + (1.0 - keep) * steady
    return mu * pressure, mu, tau, 0.0, -pressure * by_motion
