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
    reach: np.ndarray  #: way of the particle to each place, over that of a step, (ne,)


class LawMembers(NamedTuple):
    """What the bounds of members depend on, by their kind."""

    which: np.ndarray  #: number of the law, (kinds,)
    pressure: np.ndarray  #: Pa, (kinds, ne)
    factor: np.ndarray  #: of the place, (kinds, ne)
    unit: np.ndarray  #: of tractions, Pa, (kinds,)
    time: np.ndarray  #: of a step, s, (kinds,)
    steepness: np.ndarray  #: found: fall of bounds over the resistance of elements, (kinds,)
    plastic: np.ndarray  #: found: part of the motion that is plastic, m, (kinds, ne)


class LawNumbers(NamedTuple):
    """A law, and a layer that may yield."""

    number: int  #: of the law
    law: CompiledFriction
    largest: float  #: of its coefficients
    distance: float  #: dc of the memory, m; 0 without
    background: float  #: s0 of the memory, m/s
    yield_stress: float  #: tau_c, Pa; infinite where the layer is elastic
    hardening: float  #: Pa/m
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
        k = members.kind[m]
        if laws.which[k] != one.number:
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
        errors[0, m] = _bound_members(elements, members, ways, laws, one, m, (X, D))
        if covered:
            errors[1, m] = _share_members(elements, members, ways, laws, one, m, (X, H, change, shares))
            append_sticking(elements, change, m, x)
        else:
            errors[1, m] = 0.0


@kernel
def make_rule(laws, one, ways, k):
    """The rule of a member, with fields (1, ne)."""
    ne = ways.reach.size
    factor, reach = laws.factor[k].reshape((1, ne)), ways.reach.reshape((1, ne))
    return SlidingRule(
        one.law, factor, factor, factor, factor, reach, laws.time[k], one.distance, one.background,
        one.yield_stress, one.hardening, one.exact == 1, 0,
    )  # fmt: skip


@kernel
def _carry_on(one, kept, rest, skipped, mu, tau):
    """Memory where a particle arrives at a place, from that of the place before; rest where it enters."""
    if skipped < 0 or one.steady == 0:
        return rest, one.yield_stress
    if skipped > 0:
        return rest + kept**skipped * (mu - rest), one.yield_stress
    return mu, tau


@kernel
def _bound_members(elements, members, ways, laws, one, m, fields):
    """Set the bounds of a member to those of its slip; returns its largest error."""
    (P, S), k = fields, members.kind[m]
    rule, unit = make_rule(laws, one, ways, k), laws.unit[k]
    scale, bound, worst, steep = unit / one.rho, elements.bound[k], 0.0, 0.0
    static = friction_coefficient(one.law, 0.0)[0]
    kept = keep_of_memory(one.distance, one.background, one.exact == 1, 0.0, laws.time[k])[0]
    covered, mu, tau = members.sticks.shape[1] > 0, 0.0, 0.0
    for q in range(ways.order.size):
        e, skipped = ways.order[q], ways.skipped[q]
        pressure, place = laws.pressure[k, e], laws.factor[k, e]
        mu, tau = _carry_on(one, kept, static * place, skipped, mu, tau)
        laws.plastic[k, e] = 0.0
        if not pressure * place > 0.0:
            mu, tau, bound[e] = resist(rule, 0, e, 0.0, mu, tau, 0.0)[1], one.yield_stress, 0.0
            miss = math.hypot(P[0, e], P[1, e])
        else:
            px, py, sx, sy = P[0, e], P[1, e], S[0, e], S[1, e]
            sticks, glides = (members.sticks[m, e], members.glides[m, e]) if covered else (0.0, 0.0)
            rho = find_rho(elements, sticks, glides, e)
            found = resist(rule, 0, e, pressure, mu, tau, scale * math.hypot(sx, sy))
            zx, zy, g = px - rho * sx, py - rho * sy, found[0] / unit
            size = math.hypot(zx, zy)
            if size <= g:
                found = resist(rule, 0, e, pressure, mu, tau, 0.0)
                miss = math.hypot(px - zx, py - zy)
            else:
                f = g / size
                miss = math.hypot(px - f * zx, py - f * zy)
                fall = -(found[10] * found[6] + found[11] * found[9])
                steep = max(steep, fall / (rho * one.rho))
            mu, tau = found[1], found[2]
            bound[e], laws.plastic[k, e] = found[0] / unit, found[3]
        worst = max(worst, miss if miss < HUGE else HUGE)
    laws.steepness[k] = steep
    return worst


@kernel
def _share_members(elements, members, ways, laws, one, m, fields):
    """Shares that a member asks for, by bounds of the slip where nothing glides; returns their largest error.

    The changes of the shares that stick go to `change`.
    """
    (P, S, change, shares), k = fields, members.kind[m]
    rule, unit = make_rule(laws, one, ways, k), laws.unit[k]
    scale, doubt = unit / one.rho, 0.0
    static = friction_coefficient(one.law, 0.0)[0]
    kept = keep_of_memory(one.distance, one.background, one.exact == 1, 0.0, laws.time[k])[0]
    mu, tau = 0.0, 0.0
    for q in range(ways.order.size):
        e, skipped = ways.order[q], ways.skipped[q]
        pressure, place = laws.pressure[k, e], laws.factor[k, e]
        mu, tau = _carry_on(one, kept, static * place, skipped, mu, tau)
        sticks, glides = members.sticks[m, e], members.glides[m, e]
        if not pressure * place > 0.0:
            mu, tau = resist(rule, 0, e, 0.0, mu, tau, 0.0)[1], one.yield_stress
            change[e], shares[0, m, e], shares[1, m, e] = 0.0, sticks, glides
            continue
        px, py, sx, sy = P[0, e], P[1, e], S[0, e], S[1, e]
        rho = find_rho(elements, sticks, glides, e)
        found = resist(rule, 0, e, pressure, mu, tau, scale * math.hypot(sx, sy))
        if math.hypot(px - rho * sx, py - rho * sy) <= found[0] / unit:
            found = resist(rule, 0, e, pressure, mu, tau, 0.0)
        mu, tau = found[1], found[2]
        g = max(found[0], LEAST_BOUND * one.largest * place * pressure) / unit
        stick, glide = find_shares(elements, sticks, e, px, py, sx, sy, g)
        change[e] = stick - sticks
        doubt = max(doubt, abs(change[e]), abs(glide - glides))
        shares[0, m, e], shares[1, m, e] = stick, glide
    return doubt
