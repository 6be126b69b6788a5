"""Stick and slip where the bound depends on the slip: friction laws with memory, and layers that yield.

An element resists by the lower of friction and yield, g = min(mu pn, tau). Both have a memory: that of the
particle one element upstream in steady rolling, or before the step. A motion d over the step first shears a
layer that yields below mu pn plastically, up to mu pn if it hardens; the rest is slip s, to which the law of
friction applies, or both where friction rises with it. `Sliding` holds the derivatives, d(mu, tau, g) by
those upstream and by the motion.

Where the coefficient lags, mu = (1 - lag) m + lag seen with the m that particles remember, slip and flow
share a motion by the mu that bounds the traction. Once mu = m, as in steady rolling, the shares are those
without lag, to within the tie.

Units: tractions in Pa, slips and motions in m, memories of friction as distances in m.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.contact.stick_slip.kernels.stick_slip_states import OUTSIDE, SLIP, STICK
from traction.friction_laws.kernels.coefficients import CompiledFriction, friction_coefficient, keep_of_memory

LEAST_YIELD = 0.1  #: of the yield stress, to which softening lowers it
EQUAL = 1e-12  #: relative difference of numbers that are equal
HALVINGS = 60  #: of an interval of slips


class SlidingRule(NamedTuple):
    """What decides the bound of each element; fields are (ny, nx)."""

    law: CompiledFriction
    pressure: np.ndarray  #: pn times the factor of the place, Pa; not positive outside the contact
    mu_before: np.ndarray  #: of the particles before the step; of steady rolling where they enter
    yield_before: np.ndarray  #: tau likewise, Pa; infinite where the layer is elastic
    reach: np.ndarray  #: way of the particle since `before`, or since it entered, over that of the step
    time: float  #: of the step, s
    distance: float  #: dc of the memory, m; 0 without
    background: float  #: s0 of the memory, m/s
    yield_stress: float  #: tau_c, Pa; infinite where the layer is elastic
    hardening: float  #: by plastic motion of a particle, Pa/m
    tie: float  #: difference of friction and yield stress within which both slip and flow occur, Pa
    exact: bool  #: whether memory decays exponentially; else by a step of implicit Euler
    upstream: int  #: where the neighbour upstream lies in steady rolling, +1 or -1; 0 in a step
    lag: float  #: share of `seen` in the coefficient that bounds tractions (see `lagged_friction`)
    seen: np.ndarray  #: that coefficient before the step at the same places of the contact
    gained: np.ndarray  #: slip speed at which a law without memory is taken, less that of the step, m/s


class Sliding(NamedTuple):
    """State of the elements and its derivatives; fields are (ny, nx)."""

    bound: np.ndarray  #: g, Pa
    mu: np.ndarray  #: that particles remember; of what does not lag the one that bounds tractions
    yielding: np.ndarray  #: tau, Pa
    plastic: np.ndarray  #: part of the motion that is plastic, m
    #: derivatives of mu by mu and tau upstream and by the motion, of tau likewise, and of g by mu and tau;
    #: (8, ny, nx)
    rates: np.ndarray


@kernel
def resist(rule, j, i, pressure, mu_before, yield_before, motion):
    """Bound of an element that moves by `motion`, mu, tau, the plastic part, and the eight derivatives."""
    during, gained, seen = rule.reach[j, i] * rule.time, rule.gained[j, i], rule.seen[j, i]
    if rule.hardening > 0.0:
        plastic, by_mu, by_yield, by_motion, slides = harden(
            rule, pressure, mu_before, yield_before, motion, during, gained, seen
        )
    else:
        still, kept, _ = remember(rule, mu_before, 0.0, during, 0.0)
        plastic, by_most, by_motion = flow(rule, still * pressure, yield_before, motion)
        by_mu, by_yield, slides = kept * pressure * by_most, -by_most, False
    mu, keep, by_slip = remember(rule, mu_before, motion - plastic, during, gained)
    k = harden_by(rule, during)
    tau, by_tau, by_plastic = yield_before + k * plastic, 1.0, k
    least = LEAST_YIELD * rule.yield_stress
    if tau < least:
        tau, by_tau, by_plastic = least, 0.0, 0.0
    follows = 1.0 - rule.lag
    friction = (follows * mu + rule.lag * seen) * pressure
    slides = slides or not friction > tau
    return (
        friction if slides else tau,
        mu,
        tau,
        plastic,
        keep - by_slip * by_mu,
        -by_slip * by_yield,
        by_slip * (1.0 - by_motion),
        by_plastic * by_mu,
        by_tau + by_plastic * by_yield,
        by_plastic * by_motion,
        follows * pressure if slides else 0.0,
        0.0 if slides else 1.0,
    )


@kernel
def remember(rule, mu_before, slip, during, gained):
    """Coefficient that a particle remembers after a slip, share of that before, derivative by the slip."""
    speed = slip / rule.time
    steady, slope = friction_coefficient(rule.law, max(0.0, speed + gained))
    if speed + gained < 0.0:
        slope = 0.0
    keep, change = keep_of_memory(rule.distance, rule.background, rule.exact, speed, during)
    mu = keep * mu_before + (1.0 - keep) * steady
    return mu, keep, (change * (mu_before - steady) + (1.0 - keep) * slope) / rule.time


@kernel
def harden_by(rule, during):
    """Increase of the yield stress by plastic motion, Pa/m, which is taken over all of the step."""
    return rule.hardening * (during / rule.time)


@kernel
def follow_friction(rule, mu_before, slip, during, gained, seen):
    """Coefficient that bounds the traction after a slip, its derivatives by that before and by the slip."""
    mu, keep, by_slip = remember(rule, mu_before, slip, during, gained)
    follows = 1.0 - rule.lag
    return follows * mu + rule.lag * seen, follows * keep, follows * by_slip


@kernel
def harden(rule, pressure, mu_before, yield_before, motion, during, gained, seen):
    """Plastic part of a motion on a layer that hardens, its derivatives, and whether friction is the bound.

    The layer flows until its yield stress is the friction without slip; the rest of the motion is slip. Where
    friction by that slip exceeds the yield stress, as it may after a memory, slip and flow share the rest so
    that they agree. If friction falls with more slip faster than the layer hardens, slip alone may balance,
    too: the shares pass over to it while the excess is below the tie.
    Without slip it flows at least up to the friction that is remembered: once slip has lowered that which
    bounds the traction, a lag shows no more of the friction before it.
    Derivatives are by the coefficient and the yield stress before, and by the motion.
    """
    k = harden_by(rule, during)
    still, by_still, _ = remember(rule, mu_before, 0.0, during, 0.0)
    lagging, by_lagging, _ = follow_friction(rule, mu_before, 0.0, during, gained, seen)
    if lagging > still:
        still, by_still = lagging, by_lagging
    most, by_still = still * pressure, by_still * pressure
    apart = most - yield_before
    if k * motion <= apart:
        return motion, 0.0, 0.0, 1.0, False
    rest, rest_mu, rest_yield, level, level_mu, level_yield = motion, 0.0, 0.0, yield_before, 0.0, 1.0
    if apart > 0.0:
        rest, rest_mu, rest_yield = motion - apart / k, -by_still / k, 1.0 / k
        level, level_mu, level_yield = most, by_still, 0.0
    mu, keep, by_rest = follow_friction(rule, mu_before, rest, during, gained, seen)
    excess = mu * pressure - level
    if not excess > EQUAL * level:
        return motion - rest, -rest_mu, -rest_yield, 0.0, True
    slip = share_rest(rule, pressure, mu_before, level, rest, during, gained, seen)
    _, left, by_slip = follow_friction(rule, mu_before, slip, during, gained, seen)
    stiff = max(by_slip * pressure + k, EQUAL * k)
    slip_mu, slip_yield, slip_motion = -left * pressure / stiff, 1.0 / stiff, k / stiff
    if excess < rule.tie:
        part, spared, fall = excess / rule.tie, rest - slip, by_rest * pressure
        part_mu = (keep * pressure + fall * rest_mu - level_mu) / rule.tie
        part_yield = (fall * rest_yield - level_yield) / rule.tie
        slip = rest - part * spared
        slip_mu = (1.0 - part) * rest_mu + part * slip_mu - part_mu * spared
        slip_yield = (1.0 - part) * rest_yield + part * slip_yield - part_yield * spared
        slip_motion = (1.0 - part) + part * slip_motion - fall / rule.tie * spared
    return motion - slip, -slip_mu, -slip_yield, 1.0 - slip_motion, False


@kernel
def share_rest(rule, pressure, mu_before, level, rest, during, gained, seen):
    """Slip at which friction is the yield stress, which grows from a level by what of the rest is no slip."""
    low, high, k = 0.0, rest, harden_by(rule, during)
    for _ in range(HALVINGS):
        slip = 0.5 * (low + high)
        mu, _, _ = follow_friction(rule, mu_before, slip, during, gained, seen)
        if mu * pressure > level + k * (rest - slip):
            high = slip
        else:
            low = slip
    return high


@kernel
def flow(rule, most, yield_before, motion):
    """Plastic part of a motion on a layer that does not harden, and its derivatives.

    Those are by the friction `most` without slip, which particles remember, and by the motion.
    Friction and the yield stress resist in series, and the weaker one limits the traction. Neither becomes
    stronger by that: a choice between them would jump with their difference, on which the motion in turn
    depends, and there might be no solution.
    Where they agree closely there is both slip and flow, in shares that pass from one to the other.
    """
    apart = most - yield_before
    if not abs(apart) < rule.tie:
        return (motion, 0.0, 1.0) if apart > 0.0 else (0.0, 0.0, 0.0)
    share = 0.5 * (1.0 + apart / rule.tie)
    return share * motion, 0.5 * motion / rule.tie, share


@kernel
def classify_sliding(traction, slip, rule, rho, state, normal, weight, sliding):
    """State of each element as `stick_slip_states.classify`, at the bound that its own motion brings.

    Fills `sliding`; returns the largest violation |p - P(z)|, Pa. Rows are followed from where particles
    enter. What sticks does not move: the slip that it still has is an error.
    """
    ny, nx = rule.pressure.shape
    worst = 0.0
    for j in range(ny):
        mu, tau = 0.0, rule.yield_stress
        for n in range(nx):
            i = nx - 1 - n if rule.upstream > 0 else n
            if rule.upstream == 0 or n == 0:
                mu, tau = rule.mu_before[j, i], rule.yield_before[j, i]
            pressure, r = rule.pressure[j, i], rho[j, i]
            outside = not pressure > 0.0
            sx, sy = slip[0, j, i], slip[1, j, i]
            motion = 0.0 if outside else math.hypot(sx, sy)
            found = resist(rule, j, i, 0.0 if outside else pressure, mu, tau, motion)
            px, py = traction[0, j, i], traction[1, j, i]
            zx, zy = px - r * sx, py - r * sy
            size, g = math.hypot(zx, zy), found[0]
            weight[j, i], violation = 0.0, 0.0
            if outside:
                state[j, i] = OUTSIDE
            elif size <= g:
                state[j, i] = STICK
                violation = math.hypot(px - zx, py - zy)
                found = resist(rule, j, i, pressure, mu, tau, 0.0)
            else:
                state[j, i] = SLIP
                ux, uy = zx / size, zy / size
                normal[0, j, i], normal[1, j, i] = ux, uy
                weight[j, i] = (size - g) / (max(g, 1e-9 * size) * r)
                violation = math.hypot(px - g * ux, py - g * uy)
            mu, tau = found[1], (rule.yield_stress if outside else found[2])
            sliding.bound[j, i], sliding.mu[j, i] = found[0], mu
            sliding.yielding[j, i], sliding.plastic[j, i] = tau, found[3]
            for m in range(8):
                sliding.rates[m, j, i] = found[4 + m]
            if state[j, i] != SLIP:
                sliding.rates[2, j, i], sliding.rates[5, j, i] = 0.0, 0.0
            if outside:
                sliding.rates[4, j, i] = 0.0
            if not violation <= worst and worst == worst:  # NaN stays
                worst = violation
    return worst


@kernel
def follow_slip(slip, upstream, state, normal, rates, result):
    """Rate of the bound for a rate of the slip, (ny, nx): d|s| = -n ds where elements slip."""
    ny, nx = state.shape
    for j in range(ny):
        dmu, dtau = 0.0, 0.0
        for k in range(nx):
            i = nx - 1 - k if upstream > 0 else k
            if upstream == 0:
                dmu, dtau = 0.0, 0.0
            motion = 0.0
            if state[j, i] == SLIP:
                motion = -normal[0, j, i] * slip[0, j, i] - normal[1, j, i] * slip[1, j, i]
            old = dmu
            dmu = rates[0, j, i] * old + rates[1, j, i] * dtau + rates[2, j, i] * motion
            dtau = rates[3, j, i] * old + rates[4, j, i] * dtau + rates[5, j, i] * motion
            result[j, i] = rates[6, j, i] * dmu + rates[7, j, i] * dtau if state[j, i] == SLIP else 0.0


@kernel
def add_along_normal(values, factor, state, normal, result):
    """Add to a field, along n of slipping elements, `values` (ny, nx) times `factor` (ny, nx)."""
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == SLIP:
                size = values[j, i] * factor[j, i]
                result[0, j, i] += size * normal[0, j, i]
                result[1, j, i] += size * normal[1, j, i]


@kernel
def take_along_normal(field, state, normal, result):
    """Part of a field along n of slipping elements, (ny, nx)."""
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            result[j, i] = 0.0
            if state[j, i] == SLIP:
                result[j, i] = normal[0, j, i] * field[0, j, i] + normal[1, j, i] * field[1, j, i]
