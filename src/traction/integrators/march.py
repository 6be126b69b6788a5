"""The march of a system in time: fixed or controlled steps, with contacts located inside them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from traction.errors import TractionError
from traction.integrators.compiled_motion import CompiledMotion, compiles
from traction.integrators.control import Control
from traction.integrators.energy import Energy
from traction.integrators.events import ROUNDING, Event, Found, Gaps
from traction.integrators.method import Method
from traction.integrators.motion import Motion, NotFiniteError, StepError
from traction.integrators.path import Path, ballistic, cubic, quintic
from traction.integrators.record import Record
from traction.integrators.state import State
from traction.integrators.system import SecondOrderSystem

BLOCK = 1 << 16  #: steps of compiled code after which progress is shown
LANDINGS = 12  #: steps tried to land on an event, before its bracket is halved
HALVINGS = 60  #: of a bracket
EARLIER = 6  #: earlier events looked for on the way to one that was found
SAME = 1e-6  #: part of a step within which an event is the one at its end
SHORT = 0.05  #: least part of a step that is taken where its path, but not the method, meets an event
GROWTH, SHRINKAGE, SAFETY = 5.0, 0.2, 0.9  #: of controlled steps
SMALLEST_STEP = 1e-14  #: relative to the time span
FIRST_TOUCH = 0.05  #: change of the velocity that the first step in contact may bring
FLIGHT_NODES = 16  #: of a free flight, so that it is seen
FORGOTTEN = 1e-9  #: difference of the method's accelerations from the true ones, relative to the largest
TOGETHER = 1e-9  #: part of a step within which two events happen at once


@dataclass(frozen=True)
class Advance:
    """What one advance brought: states one after the other, and the events at the last of them."""

    states: tuple[State, ...]
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Landed:
    """A state at an event, or short of one that only the path between two states has."""

    state: State
    found: Found | None


class March:
    """States one after the other. Keeps counters and factors only; all that matters is in the states."""

    def __init__(self, system: SecondOrderSystem, method: Method, control: Control) -> None:
        self.system, self.method, self.control = system, method, control
        self.motion = Motion(system)
        self.compiled = CompiledMotion(system, method) if compiles(system) else None
        watched = system.gap is not None and (control.locate or system.ballistic)
        self.gaps = Gaps(system, control.step_resolution) if watched else None
        self.locates = self.gaps is not None and control.locate
        self.steps, self.rejected = 0, 0
        if method.name == "energy-conserving":
            Energy(self.motion).require_match(control.t0, control.t_end)

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        total = dict(self.motion.counts)
        if self.compiled is not None:
            for name, count in self.compiled.counts.items():
                total[name] += count
        return {"steps": self.steps, "rejected": self.rejected, **total}

    def begin(self) -> State:
        """The first state."""
        q, v = self.system.q0.reshape(-1).copy(), self.system.v0.reshape(-1).copy()
        t0 = self.control.t0
        if self.compiled is not None:
            state = self.compiled.begin(t0, q, v)
        else:
            state = self.method.begin(self.motion, t0, q, v)
        state = state.but(origin=t0, memory=self.motion.memory).sized(state)
        if self.gaps is not None:
            state = self._with_contacts(state)
        return state if self.control.dt is not None else state.but(dt=self._first_step(state))

    def resumed(self, state: State) -> State:
        """The state of an earlier march as a start of this one."""
        control = self.control
        state = self.method.resume(state)
        if self.gaps is not None and state.touching.size != self.gaps.count:
            state = self._with_contacts(state)
        if control.dt is None:
            return state if state.dt > 0.0 else state.but(dt=self._first_step(state))
        return state.but(origin=control.t0, interval=state.interval if state.origin == control.t0 else 0)

    def _with_contacts(self, state: State) -> State:
        """The state with the contacts that its gaps show, which begin now."""
        assert self.gaps is not None
        closed = self.gaps.closed(state)
        return state.but(touching=closed, since=np.where(closed > 0.0, state.t, np.inf))

    def open_contacts(self, state: State) -> tuple[Event, ...]:
        """The touches of the contacts that last at a first state."""
        if not self.locates:
            return ()
        closed = np.flatnonzero(state.touching > 0.0).tolist()
        return tuple(Event("touch", float(state.since[gap]), gap, 0) for gap in closed)

    def finished(self, state: State) -> bool:
        """Whether the end is reached."""
        if self.control.dt is not None:
            return state.interval >= self.control.intervals
        return state.t >= self.control.t_end

    def advance(self, state: State) -> Advance:
        """The next accepted states: a flight, one step of fixed length, or two halves of a controlled one."""
        flown = self._flown(state)
        if flown is not None:
            return flown
        if self.control.dt is not None:
            return self._advance_fixed(state)
        return self._advance_controlled(state)

    def single(self, state: State, dt: float) -> State:
        """One step of the method from a state, a pure function of both."""
        if self.compiled is not None:
            return self._compiled_step(self.compiled, state, dt)
        self.motion.memory = state.memory
        try:
            end = self.method.step(self.motion, state, dt)
        except StepError:
            raise
        except TractionError as error:  # of a matrix or of a law: a shorter step may be possible
            raise StepError(f"{str(error).rstrip('.')}, in the step to t = {state.t + dt:.9g}") from error
        if not all(np.isfinite(values).all() for values in (end.q, end.v, end.a)):
            raise NotFiniteError(
                f"q, v or a is not finite at t = {end.t:.9g}: the motion grows without bound"
            )
        return end.but(memory=self.motion.memory)

    def _compiled_step(self, compiled: CompiledMotion, state: State, dt: float) -> State:
        """One step in compiled code. What is not finite there is asked for again, to name where it arose."""
        try:
            return compiled.step(state, dt)
        except NotFiniteError:
            try:
                self.method.step(self.motion, state, dt)
            except NotFiniteError:
                raise
            except Exception:  # of the user's function, or of the equations: the first one says more
                pass
            raise

    def run(self, state: State, record: Record, most: int = BLOCK) -> State | None:
        """As many fixed steps, at most `most`, as compiled code can take without an event, into the record.

        None where the march is not compiled, or where the next step needs care. A run of many steps is that
        of one step many times: where it ends changes nothing.
        """
        control = self.control
        if self.compiled is None or control.dt is None or state.t != control.grid(state.interval):
            return None
        last = min(control.intervals, state.interval + most)
        if state.x.size and control.grid(last) != control.t0 + last * control.dt:
            last -= 1  # a shorter last step changes the method's accelerations before it is taken
        if last == state.interval:
            return None
        if state.just_switched or self._flight(state) is not None or self._remembers(state):
            return None
        columns = record.ahead(last - state.interval)
        columns[0][:] = control.t0 + control.dt * np.arange(state.interval, last + 1)
        columns[0][-1] = control.grid(last)
        watched = 0 if self.gaps is None else self.gaps.pieces(control.dt)
        taken, end = self.compiled.march(state, columns, watched)
        self.steps += taken
        record.count += taken
        return end.but(interval=state.interval + taken, just_switched=False) if taken else None

    def _remembers(self, state: State) -> bool:
        """Whether a method whose own accelerations still differ may be in flight at any step now."""
        if not self.system.ballistic or self.gaps is None or not state.x.size:
            return False
        return bool((self.gaps.at(state.t, state.q) > 0.0).all())

    def _flight(self, state: State) -> tuple[float, Found | None] | None:
        """Time of free flight ahead, and what ends it; None where there is none."""
        if not self.system.ballistic or self.gaps is None or (self.gaps.at(state.t, state.q) <= 0.0).any():
            return None
        if state.x.size and np.abs(state.x - state.a).max() > FORGOTTEN * state.largest[2]:
            return None  # the method still remembers the contact
        left = self.control.t_end - state.t
        open_ = np.zeros(self.gaps.count)
        if self.locates and (state.touching > 0.0).any():
            return None
        pieces = max(FLIGHT_NODES, math.ceil(left / self.control.flight_resolution))
        found = self.gaps.first(ballistic(state, left), open_, turns=self.locates, pieces=pieces)
        time = left if found is None else found.s * left
        if self.locates or self.control.dt is None:
            return (time, found) if time > TOGETHER * left else None
        # without events, whole steps, of which the last ends a step before the contact
        whole = self.control.intervals - state.interval if found is None else int(time / self.control.dt) - 1
        on_grid = state.t == self.control.grid(state.interval)
        return (float(whole), None) if on_grid and whole >= 1 else None

    def _flown(self, state: State) -> Advance | None:
        """Free flight at constant acceleration, exactly, to its end."""
        flight = self._flight(state)
        if flight is None:
            return None
        control = self.control
        if not self.locates and control.dt is not None:
            whole = int(flight[0])
            stride = -(-whole // FLIGHT_NODES)
            intervals = [
                *range(state.interval + stride, state.interval + whole, stride),
                state.interval + whole,
            ]
            nodes = [self._aloft(state, control.grid(k)).but(interval=k) for k in intervals]
            return Advance(tuple(nodes))
        time, found = flight
        times = state.t + time * np.arange(1, FLIGHT_NODES + 1) / FLIGHT_NODES
        if found is None:
            times[-1] = control.t_end
        nodes = [self._aloft(state, float(t)) for t in times]
        if control.dt is not None:
            passed = [int((node.t - control.t0) / control.dt * (1.0 + 1e-15)) for node in nodes]
            whole = control.intervals if found is None else control.intervals - 1
            nodes = [node.but(interval=min(k, whole)) for node, k in zip(nodes, passed, strict=True)]
            nodes[-1] = nodes[-1].but(interval=control.intervals) if found is None else nodes[-1]
        if found is None:
            return Advance(tuple(nodes))
        switched = self._switched(nodes[-1], found, time, math.inf)
        end = switched.states[-1]
        if control.dt is None:
            end = end.but(dt=time)
            end = end.but(dt=self._first_contact_step(end)) if found.kind == "touch" else end
        return Advance((*nodes[:-1], end), switched.events)

    def _aloft(self, state: State, t: float) -> State:
        """The state at a time of free flight."""
        dt = t - state.t
        q = state.q + dt * (state.v + 0.5 * dt * state.a)
        x = state.a if state.x.size else state.x
        return _accepted(state, state.but(t=t, q=q, v=state.v + dt * state.a, x=x))

    def _advance_fixed(self, state: State) -> Advance:
        """To the end of the interval, or to the first event in it."""
        target = self.control.grid(state.interval + 1)
        dt = self._length(state, target)
        aimed = self._aimed(state, dt)
        end = self.single(state, dt if aimed is None else aimed.s * dt)
        self.steps += 1
        landed = self._located(state, end, aimed)
        if landed is not None and landed.found is None:
            return Advance((_accepted(state, landed.state),))
        if landed is not None and landed.found is not None:
            return self._switched(landed.state, landed.found, dt, target)
        if aimed is not None:  # the prediction fell short of the contact: go on from there
            return Advance((_accepted(state, end),))
        return Advance((_accepted(state, end).but(t=target, interval=state.interval + 1),))

    def _length(self, state: State, target: float) -> float:
        """Length of the step to the end of the interval.

        The difference of two times is rounded, now to one and now to another neighbour of dt; a whole
        step takes dt itself, so that its matrix is factored once. Compiled marches have no factors, and step
        from time to time.
        """
        control = self.control
        assert control.dt is not None
        counted = target == control.t0 + (state.interval + 1) * control.dt
        if self.compiled is None and counted and state.t == control.grid(state.interval):
            return control.dt
        return target - state.t

    def _advance_controlled(self, state: State) -> Advance:
        """Two half steps whose error is small enough, or to the first event on them."""
        control = self.control
        dt = min(state.dt, control.t_end - state.t)
        aimed = self._aimed(state, dt)
        wanted = dt if aimed is None else aimed.s * dt
        middle, end, taken, following = self._controlled(state, wanted)
        self.steps += 2
        last = wanted == control.t_end - state.t and taken == wanted
        for start, stop in ((state, middle), (middle, end)):
            landed = self._located(start, stop, aimed if taken == wanted and stop is end else None)
            if landed is not None:
                before = () if start is state else (_accepted(state, middle),)
                longer = max(following, state.dt) if aimed is not None else following
                if landed.found is None:
                    return Advance((*before, _accepted(start, landed.state).but(dt=longer)))
                switched = self._switched(landed.state, landed.found, taken, math.inf)
                final = switched.states[-1].but(dt=longer)
                if landed.found.kind == "touch":
                    final = final.but(dt=self._first_contact_step(final))
                return Advance((*before, final), switched.events)
        if aimed is not None and taken == wanted:
            following = max(following, state.dt)
        end = _accepted(middle, end).but(dt=following)
        return Advance((_accepted(state, middle), end.but(t=control.t_end) if last else end))

    def _controlled(self, state: State, dt: float) -> tuple[State, State, float, float]:
        """Middle and end of a step by two halves, the length it could have, and the one to try next."""
        control, order = self.control, self.method.order
        least = SMALLEST_STEP * max(control.t_end - control.t0, abs(state.t))
        failure: StepError | None = None
        while True:
            try:
                middle = self.single(state, 0.5 * dt)
                end = self.single(middle, 0.5 * dt)
                error = self._error(state, self.single(state, dt), end)
            except StepError as found:
                error, factor, failure = math.inf, SHRINKAGE, found
            else:
                failure = None
                factor = SAFETY * error ** (-1.0 / (order + 1)) if error > 0.0 else GROWTH
                factor = min(GROWTH, max(SHRINKAGE, factor))
            if error <= 1.0:
                return middle, end, dt, dt * factor
            self.rejected += 1
            dt *= min(factor, SAFETY)
            if dt <= least:
                raise failure or StepError(
                    f"the step became too short at t = {state.t:.9g} (dt = {dt:.1e}); the force may jump "
                    "there: give the gap of the contact, a larger rtol, or a fixed dt"
                )

    def _error(self, start: State, whole: State, halves: State) -> float:
        """Estimated error of two half steps (Richardson), relative to what is allowed."""
        share = 2.0**self.method.order - 1.0
        sizes = halves.sized(start).largest
        worst = 0.0
        for difference, size in ((whole.q - halves.q, sizes[0]), (whole.v - halves.v, sizes[1])):
            error = float(np.abs(difference).max()) / share
            if error > 0.0:
                worst = max(worst, error / (self.control.rtol * size) if size > 0.0 else math.inf)
        return worst

    def _aimed(self, state: State, dt: float) -> Found | None:
        """The first contact that the present motion leads to within dt.

        A step that would end deep inside a body says little about how it got there; one that ends at the
        surface is as good as the method.
        """
        if not self.locates or not (state.touching == 0.0).any():
            return None
        assert self.gaps is not None
        found = self.gaps.first(ballistic(state, dt), state.touching, turns=False)
        if found is None or found.kind != "touch" or found.s * dt <= TOGETHER * dt:
            return None
        return found

    def _located(self, start: State, end: State, aimed: Found | None) -> Landed | None:
        """The state at the first event on a step, by steps of the method that end there."""
        if not self.locates:
            return None
        found = self._first_event(start, end)
        if found is None and aimed is not None:
            found = self._reached(start, end, aimed)
        landed: Landed | None = None
        turns = True
        for _ in range(EARLIER):
            if found is None:
                break
            whole = end.t - start.t
            state = self._land(start, end, found)
            if state is not None and found.turns and state.t - start.t <= TOGETHER * whole:
                turns = False  # it turned where it starts
            elif state is not None and (landed is None or state.t - start.t < (1.0 - SAME) * whole):
                landed, end = Landed(state, found), state
            elif not found.turns:  # on the path, but not by the method: a shorter step has a truer path
                return Landed(self._short_of(start, whole, found), None)
            else:
                turns = False
            found = self._earlier(start, end, turns)
        return landed

    def _short_of(self, start: State, dt: float, found: Found) -> State:
        """The end of a step so short that its path does not meet the event that the method does not meet."""
        state, ahead = start, found
        for _ in range(HALVINGS):
            dt *= max(ahead.s, SHORT)
            state = self.single(start, dt)
            following = self._earlier(start, state, False)
            if following is None:
                break
            ahead = following
        return state

    def _reached(self, start: State, end: State, aimed: Found) -> Found | None:
        """The contact that the step was aimed at, if its end is as near to it as rounding and aim allow."""
        assert self.gaps is not None
        missed = float(self.gaps.at(end.t, end.q)[aimed.gap])
        if missed > ROUNDING * max(1.0, start.largest[0]) and missed > 1e-3 * float(
            self.gaps.at(start.t, start.q)[aimed.gap]
        ):
            return None
        dt = end.t - start.t
        return Found("touch", aimed.gap, 1.0, float(self.gaps.rate(end.t, end.q, end.v, dt)[aimed.gap]) * dt)

    def _first_event(self, start: State, end: State) -> Found | None:
        """The first event on a step."""
        assert self.gaps is not None
        before, after = (self.gaps.at(state.t, state.q) for state in (start, end))
        path: Path = (quintic if (before * after > 0.0).all() else cubic)(start, end)
        found = self.gaps.first(path, start.touching)
        if found is not None and not found.turns and start.just_switched and found.s <= TOGETHER:
            return None  # it rests on the surface: nothing moves across it
        return found

    def _earlier(self, start: State, end: State, turns: bool) -> Found | None:
        """An event on the dense output before the one at its end."""
        assert self.gaps is not None
        if not end.t > start.t:
            return None
        found = self.gaps.first(quintic(start, end), start.touching, turns)
        if found is None or found.s >= 1.0 - SAME or (start.just_switched and found.s <= TOGETHER):
            return None
        return found

    def _land(self, start: State, end: State, found: Found) -> State | None:
        """Steps from `start` whose length is corrected until the event lies at their end, or None.

        By secants; once the event lies between two lengths, halving them is the way of last resort.
        """
        assert self.gaps is not None
        gaps, i, dt = self.gaps, found.gap, end.t - start.t

        def distance(state: State) -> float:
            if found.turns:
                return float(gaps.rate(state.t, state.q, state.v, gaps.span(dt))[i])
            return float(gaps.at(state.t, state.q)[i])

        before = 1.0 if found.kind in ("touch", "apex", "shallowest") else -1.0
        s, slope = max(found.s, 1e-12), found.slope / (dt if found.turns else 1.0)
        enough = ROUNDING * max(start.largest[1 if found.turns else 0], 1e-300)
        low, high = 0.0, 1.0 if before * distance(end) < 0.0 else math.inf
        best: tuple[float, State] | None = None
        last: tuple[float, float] | None = None
        for k in range(LANDINGS + HALVINGS):
            reached = self.single(start, s * dt)
            y = distance(reached)
            if best is None or abs(y) < best[0]:
                best = abs(y), reached
            if abs(y) <= enough or high - low <= 1e-15:
                return best[1]
            low, high = (max(low, s), high) if before * y > 0.0 else (low, min(high, s))
            if last is not None and y != last[1]:
                slope = (y - last[1]) / (s - last[0])
            last = s, y
            following = s - y / slope if slope != 0.0 else math.nan
            if high < math.inf:
                inside = low < following < high and k < LANDINGS
                following = following if inside else 0.5 * (low + high)
            elif k >= LANDINGS or not math.isfinite(following):
                return None
            else:
                following = min(max(following, 0.5 * s), 1.5 * s)
            if abs(following - s) <= 1e-15:
                return best[1]
            s = following
        return None if high == math.inf or best is None else best[1]

    def _switched(self, state: State, found: Found, dt: float, target: float) -> Advance:
        """The state at an event, with its contact begun or ended, and with what happens there at once."""
        assert self.gaps is not None
        others = self.gaps.at_once(state, TOGETHER, dt)
        kinds = {**others, found.gap: found.kind}
        touching, since = state.touching.copy(), state.since.copy()
        for gap, kind in kinds.items():
            if kind in ("touch", "release"):
                touching[gap] = 1.0 if kind == "touch" else 0.0
                since[gap] = state.t if kind == "touch" else np.inf
        interval = state.interval
        if state.t >= target:
            state, interval = state.but(t=target), interval + 1
        done = _accepted(state, state).but(
            touching=touching, since=since, just_switched=True, interval=interval
        )
        return Advance((done,), tuple(Event(kinds[gap], state.t, gap) for gap in sorted(kinds)))

    def _first_step(self, state: State) -> float:
        """A first controlled step, from the sizes of q, v and a."""
        span = self.control.t_end - self.control.t0
        q, v, a = (float(np.abs(x).max()) for x in (state.q, state.v, state.a))
        lengths = [span]
        lengths += [q / v] if q > 0.0 and v > 0.0 else []
        lengths += [v / a] if v > 0.0 and a > 0.0 else []
        lengths += [math.sqrt(q / a)] if q > 0.0 and a > 0.0 else []
        return 0.01 * min(lengths)

    def _first_contact_step(self, state: State) -> float:
        """The longest step that feels its way into a contact without a large change of velocity."""
        dt = 1e-9 * state.dt
        speed = max(float(np.abs(state.v).max()), 1e-300)
        evaluate: Callable[..., np.ndarray] = (
            self.compiled.acceleration if self.compiled is not None else self.motion.acceleration
        )
        self.motion.memory = state.memory
        while dt < state.dt:
            try:
                ahead = evaluate(state.t + dt, state.q + dt * state.v, state.v)
            except TractionError:
                break
            if not dt * float(np.abs(ahead - state.a).max()) <= FIRST_TOUCH * speed:
                break
            dt *= 4.0
        return 0.25 * dt


def _accepted(before: State, state: State) -> State:
    """The state with the sizes it brings."""
    return state.sized(before).but(just_switched=False)
