"""The march of an impact: contact by steps of controlled error, flight by steps that cannot miss a touch.

A row of the record is the state after a step, then h, the coefficients of the cubic force over it, and the
memory of the contact.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.impacts.kernels.collocation_step import (
    END,
    SPEED,
    STATE,
    TOUCHING,
    F,
    H,
    P,
    T,
    V,
    Z,
    accept,
    attempt,
    make_work,
)
from traction.laws.kernels.law_values import (
    DEEPEST,
    DENT,
    PLASTIC,
    REMEMBERED,
    UNLOADING,
    contact_force,
    has_to_turn,
    turn_back,
)

DONE, FULL, FAILED = 0, 1, 2  #: how a march ends
NO_EVENT, SEPARATION, PEAK, RELOADING, RELEASE = 0, 1, 2, 3, 4
RECORD = STATE + 5 + REMEMBERED
FIRST_STEP = 1e-3  #: of a contact, over the contact time
SMALLEST_STEP = 1e-12  #: over the contact time
SAFETY, MOST_GROWTH, LEAST_GROWTH = 0.9, 4.0, 0.2
MOST_TRIALS = 200
MOST_GLIDES = 10_000_000
TAKEN_UP = 1e-6  #: share of the elastic force from which a damped contact that was let go counts again
LOCATED = 1e-13  #: of a step, in which an event is found


class ImpactSettings(NamedTuple):
    """How an impact is marched."""

    end: float  #: s
    tol: float  #: error of a step over the speed of the touch
    contact_time: float  #: on rigid ground, s
    least_speed: float  #: of touches whose error is relative to their own speed, m/s


class ImpactRecord(NamedTuple):
    """Steps that were taken."""

    rows: np.ndarray  #: (steps, RECORD)
    q: np.ndarray  #: modes at their ends, (steps, modes)
    v: np.ndarray  #: their rates


@kernel
def march_impact(point, law, settings, motion, record):
    """March to the end or until the record is full; returns (how it ends, rows written)."""
    state, rows = motion.state, record.rows
    work = make_work(point.modes)
    n = 0
    while n < rows.shape[0]:
        if state[T] >= settings.end:
            return DONE, n
        h = 0.0
        work.cubic.fill(0.0)
        if state[TOUCHING] > 0.0:
            h = touch_step(point, law, settings, motion, work)
            if h < 0.0:
                return FAILED, n
        else:
            h = fly(point, law, settings, motion)
        _write_row(rows, n, h, motion, work.cubic)
        for m in range(motion.q.size):
            record.q[n, m], record.v[n, m] = motion.q[m], motion.v[m]
        n += 1
    return FULL, n


@kernel
def _write_row(rows, n, h, motion, cubic):
    """Row n of the record."""
    for k in range(STATE):
        rows[n, k] = motion.state[k]
    rows[n, STATE] = h
    for k in range(4):
        rows[n, STATE + 1 + k] = cubic[k]
    for k in range(REMEMBERED):
        rows[n, STATE + 5 + k] = motion.memory[k]


@kernel
def touch_step(point, law, settings, motion, work):
    """One step in contact; its length, or -1 where none can be found."""
    state, memory = motion.state, motion.memory
    smallest = SMALLEST_STEP * settings.contact_time
    remaining = settings.end - state[T]
    h = min(state[H], remaining)
    approach = _approach(point, motion)
    begins = approach - memory[DENT] <= 10.0 * smallest * state[SPEED]
    if has_to_turn(law, memory, approach) and _clearance(point, motion)[1] <= 0.0:
        turn_back(law, memory, approach)
    for _ in range(MOST_TRIALS):
        if h < smallest and h < remaining:
            return _graze(motion) if begins else -1.0
        solved, miss = attempt(h, point, motion, law, work)
        if not solved:
            h *= 0.25
            continue
        error = miss * _speed_response(h, point, work) / (settings.tol * state[SPEED])
        growth = MOST_GROWTH
        if error > 0.0:
            growth = min(MOST_GROWTH, max(LEAST_GROWTH, SAFETY * error**-0.2))
        if error > 1.0 or not math.isfinite(error):
            h *= growth if growth < 1.0 else 0.5
            continue
        event = _find_event(law, motion, work)
        before = _value_before(event, point, motion)
        if (event == SEPARATION and begins) or (event == RELEASE and before <= 0.0):
            h *= 0.5  # the whole contact in one step
            continue
        if event != NO_EVENT and before <= 0.0:
            event = NO_EVENT  # just now
        if event != NO_EVENT:
            h = _locate_event((event, h, before), point, motion, law, work)
            if h <= 0.0:
                return -1.0
        state[H] = h * growth if event == NO_EVENT else h
        accept(h, point, motion, work)
        if h == remaining:
            state[T] = settings.end
        # heavy bodies on soft structures become faster than they touched
        state[SPEED] = max(state[SPEED], max(abs(state[V]), abs(work.found[END, 1])))
        _apply_event(event, settings, motion, law, work)
        return h
    return -1.0


@kernel
def _speed_response(h, point, work):
    """Change of the approach's rate (m/s) in a step per newton missed, all modes alike in sign."""
    total = h / point.mass + point.mobility
    ends = work.ends
    for m in range(ends.shape[0]):
        total += work.squares[m] * abs(ends[m, 1])
    return total


@kernel
def _find_event(law, motion, work):
    # the event within a step that was found: reloading, peak, separation, release, or none
    memory, found = motion.memory, work.found
    if law.kind == PLASTIC:
        deepest = max(found[0, 0], max(found[1, 0], found[END, 0]))
        if memory[UNLOADING] > 0.0:
            if found[END, 0] > memory[DEEPEST]:
                return RELOADING
        elif found[END, 1] < 0.0 and deepest > law.yield_approach:
            return PEAK
    if found[END, 0] <= memory[DENT]:
        return SEPARATION
    if found[END, 2] < 0.0:
        return RELEASE
    return NO_EVENT


@kernel
def _event_value(event, motion, work):
    """What is positive before an event and negative after it, at the end of a step."""
    memory, found = motion.memory, work.found
    if event == SEPARATION:
        return found[END, 0] - memory[DENT]
    if event == PEAK:
        return found[END, 1]
    if event == RELEASE:
        return found[END, 2]
    return memory[DEEPEST] - found[END, 0]


@kernel
def _value_before(event, point, motion):
    """The same at the start of the step."""
    memory = motion.memory
    if event == SEPARATION:
        return _approach(point, motion) - memory[DENT]
    if event == PEAK:
        return _clearance(point, motion)[1]
    if event == RELEASE:
        return motion.state[F]
    return memory[DEEPEST] - _approach(point, motion)


@kernel
def _locate_event(what, point, motion, law, work):
    """Length of the step that ends just after the event (Illinois rule); `work` then holds that step."""
    event, width, above = what
    low, high = 0.0, width
    below = _event_value(event, motion, work)
    side = 0
    for _ in range(100):
        trial = low + (high - low) * above / (above - below)
        trial = min(max(trial, low + 0.25 * LOCATED * width), high - 0.25 * LOCATED * width)
        solved, _ = attempt(trial, point, motion, law, work)
        if not solved:
            return 0.0
        value = _event_value(event, motion, work)
        if value > 0.0:
            low, above = trial, value
            below *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            high, below = trial, value
            above *= 0.5 if side == -1 else 1.0
            side = -1
        if value == 0.0 or high - low <= LOCATED * width:
            break
    solved, _ = attempt(high, point, motion, law, work)
    return high if solved else 0.0


@kernel
def _apply_event(event, settings, motion, law, work):
    """What an event changes."""
    state, memory = motion.state, motion.memory
    if event in (SEPARATION, RELEASE):
        # the located force is rounding
        state[F], state[TOUCHING] = 0.0, 0.0
        state[H] = FIRST_STEP * settings.contact_time
    elif event == PEAK:
        turn_back(law, memory, work.found[END, 0])
        state[H] *= 0.5
    elif event == RELOADING:
        memory[UNLOADING] = 0.0
        memory[DENT] = 0.0
        state[H] *= 0.5


@kernel
def _graze(motion):
    """A touch without force: fly on."""
    motion.state[TOUCHING] = 0.0
    motion.state[F] = 0.0
    return 0.0


@kernel
def _approach(point, motion):
    """Of striker and structure without the force's own flexibility, m."""
    modes, state, q = point.modes, motion.state, motion.q
    total = state[Z] - point.mobility * state[P] - point.residual * state[F]
    for m in range(modes.shape[0]):
        total -= modes[m, 2] * q[m]
    return total


@kernel
def fly(point, law, settings, motion):
    """Fly until the next touch or the end; returns the time it takes.

    Each step is one in which bounds on the deflection, its rate and its acceleration forbid a touch. A damped
    contact let go before the dent was gone is taken up again where it opens no faster than 1/c.
    """
    state = motion.state
    began = state[T]
    smallest = SMALLEST_STEP * settings.contact_time
    damping = law.damping
    for _ in range(MOST_GLIDES):
        remaining = settings.end - state[T]
        if remaining <= 0.0:
            state[T] = settings.end
            break
        gap, closing, lowest, acceleration = _clearance(point, motion)
        inside = damping > 0.0 and gap < -smallest * abs(closing)
        again = inside and 1.0 + damping * closing > TAKEN_UP
        if again:
            state[F] = contact_force(law, motion.memory, _approach(point, motion), closing)[0]
        if again or (closing > 0.0 and gap <= smallest * closing):
            state[TOUCHING] = 1.0
            state[SPEED] = max(abs(closing), settings.least_speed)
            state[H] = FIRST_STEP * settings.contact_time
            break
        h = _safe_time(max(gap, 0.0), closing, acceleration)
        if inside:
            h = ((TAKEN_UP - 1.0) / damping - closing) / max(acceleration, 1e-300)
        else:
            h = max(h, _time_out_of_reach(point, motion, lowest))
        h = min(max(h, smallest), remaining)
        _glide(h, point, motion)
        if h == remaining:
            state[T] = settings.end
    return state[T] - began


@kernel
def _safe_time(gap, closing, acceleration):
    """Time (s) in which a gap cannot close: root of gap - closing t - acceleration t^2/2."""
    if acceleration <= 0.0:
        return gap / closing if closing > 0.0 else math.inf
    root = math.sqrt(closing * closing + 2.0 * acceleration * gap)
    if closing > 0.0:
        return 2.0 * gap / (closing + root)
    return (root - closing) / acceleration


@kernel
def _clearance(point, motion):
    """Gap, the speed at which it closes, the modes' largest deflection upwards, bound of its acceleration."""
    modes, state, memory, q, v = point.modes, motion.state, motion.memory, motion.q, motion.v
    gap, closing = -state[Z] + point.mobility * state[P] + memory[DENT], state[V]
    reach, acceleration = 0.0, abs(point.gravity)
    for m in range(modes.shape[0]):
        omega, rate, shape = modes[m, 0], modes[m, 1], modes[m, 2]
        gap += shape * q[m]
        closing -= shape * v[m]
        size = math.sqrt(v[m] ** 2 + (omega * q[m]) ** 2)
        acceleration += abs(shape) * size * (omega + rate)
        reach += _reach(omega, rate, shape, q[m], size)
    return gap, closing, reach, acceleration


@kernel
def _reach(omega, rate, shape, place, size):
    """How far up a mode can bring its point, m."""
    if omega > 0.0:
        return abs(shape) * size / omega
    if size == 0.0:
        return -shape * place
    return -shape * place + abs(shape) * size / rate if rate > 0.0 else math.inf


@kernel
def _time_out_of_reach(point, motion, reach):
    """Time in which the striker stays above everything the structure can reach, s."""
    state, memory = motion.state, motion.memory
    if not math.isfinite(reach):
        return 0.0
    height = -state[Z] + point.mobility * state[P] + memory[DENT] - reach
    return _safe_time(height, state[V], point.gravity) if height > 0.0 else 0.0


@kernel
def _glide(h, point, motion):
    """Motion without force over a time h."""
    modes, state, q, v = point.modes, motion.state, motion.q, motion.v
    out = np.empty(COUNT)
    for m in range(modes.shape[0]):
        omega, rate = modes[m, 0], modes[m, 1]
        respond(omega, rate, h, out)
        place = q[m] * (out[0] + rate * out[1]) + v[m] * out[1]
        v[m] = v[m] * out[0] - omega * omega * q[m] * out[1]
        q[m] = place
    state[T] += h
    state[Z] += h * (state[V] + 0.5 * h * point.gravity)
    state[V] += h * point.gravity
