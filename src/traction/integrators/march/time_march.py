"""The march of a system in time: fixed or controlled steps, with contacts located inside them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.errors import TractionError
from traction.integrators.compiled_march.kernels.march_loops import TimeGrid
from traction.integrators.core.method import Errors, Method
from traction.integrators.core.motion import Motion, StepError, SystemEnergy
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.march.event_location import Flight, Landed, Location
from traction.integrators.march.events import Event, Found, Gaps
from traction.integrators.march.march_record import Record
from traction.integrators.march.stepping import Control, Stepping

BLOCK = 1 << 16  #: steps of compiled code after which progress is shown
GROWTH, SHRINKAGE, SAFETY = 5.0, 0.2, 0.9  #: of controlled steps
SMALLEST_STEP = 1e-14  #: relative to the time span
FIRST_TOUCH = 0.05  #: change of the velocity that the first step in contact may bring


@dataclass(frozen=True)
class Advance:
    """Result of one advance: consecutive states, and the events at the last of them."""

    states: tuple[State, ...]
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """A step whose error is estimated, by the method itself or from its two halves."""

    states: tuple[State, ...]  #: that it brings, one or two
    errors: Errors  #: of q and v at the last of them
    order: int  #: of the solution whose errors they are: they shrink as dt^(order + 1)


class TimeMarch:
    """Consecutive states. Keeps counters and factors only; all else is in the states."""

    def __init__(self, system: SecondOrderSystem, method: Method, control: Control) -> None:
        self.system, self.method, self.control = system, method, control
        self.stepping = Stepping(system, method)
        watched = system.gap is not None and (control.locate or system.ballistic)
        self.gaps = Gaps(system, control.step_resolution) if watched else None
        self.locates = self.gaps is not None and control.locate
        self.location = None if self.gaps is None else Location(self.gaps, self.stepping.single)
        self.flight = None
        if self.gaps is not None and system.ballistic:
            self.flight = Flight(self.gaps, control, method)
        self.steps, self.rejected = 0, 0
        if method.name == "energy-conserving":
            SystemEnergy(self.motion).require_match(control.t0, control.t_end)

    @property
    def motion(self) -> Motion:
        """The equation of motion."""
        return self.stepping.motion

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        return {"steps": self.steps, "rejected": self.rejected, **self.stepping.counts}

    def begin(self) -> State:
        """The first state."""
        state = self.stepping.begin(self.control.t0)
        state = state.sized(state)
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
        """The next accepted states: a flight, or a step of fixed or controlled length."""
        flown = self._flown(state)
        if flown is not None:
            return flown
        if self.control.dt is not None:
            return self._advance_fixed(state)
        return self._advance_controlled(state)

    def run(self, state: State, record: Record, most: int = BLOCK) -> State | None:
        """As many fixed steps, at most `most`, as compiled code can take without an event, into the record.

        None where the march is not compiled, or where the next step needs care. A run of many steps is that
        of one step many times: where it ends changes nothing.
        """
        control, compiled = self.control, self.stepping.march
        if compiled is None or control.dt is None or state.t != control.grid(state.interval):
            return None
        if not compiled.is_ready(control.intervals - state.interval):
            return None
        last = min(control.intervals, state.interval + most)
        end_time = control.grid(last)
        if state.x.size and end_time != control.t0 + last * control.dt:
            last -= 1  # a shorter last step changes the method's accelerations before it is taken
            end_time = control.grid(last)
        if last == state.interval:
            return None
        if state.just_switched or (self.flight is not None and self.flight.ahead(state) is not None):
            return None
        columns = record.ahead(last - state.interval)
        watched = 0 if self.gaps is None else self.gaps.pieces(control.dt)
        grid = TimeGrid(control.t0, control.dt, state.interval, end_time, watched)
        taken, end = compiled.march(state, columns, grid)
        self.steps += taken
        record.count += taken
        return end.but(interval=state.interval + taken, just_switched=False) if taken else None

    def _flown(self, state: State) -> Advance | None:
        """Free flight to its end, where there is one."""
        flown = None if self.flight is None else self.flight.flown(state)
        if flown is None or flown.found is None:
            return None if flown is None else Advance(flown.states)
        assert self.location is not None
        end, events = self.location.switched(flown.states[-1], flown.found, flown.time)
        if self.control.dt is None:
            end = end.but(dt=flown.time)
            end = end.but(dt=self._first_contact_step(end)) if flown.found.kind == "touch" else end
        return Advance((*flown.states[:-1], end), events)

    def _aimed(self, state: State, dt: float) -> Found | None:
        """The first contact that the present motion leads to within dt, where contacts are located."""
        if self.location is None or not self.locates:
            return None
        return self.location.aimed(state, dt)

    def _located(self, start: State, end: State, aimed: Found | None) -> Landed | None:
        """The state at the first event on a step, where contacts are located."""
        if self.location is None or not self.locates:
            return None
        return self.location.located(start, end, aimed)

    def _advance_fixed(self, state: State) -> Advance:
        """To the end of the interval, or to the first event in it."""
        target = self.control.grid(state.interval + 1)
        dt = self._length(state, target)
        aimed = self._aimed(state, dt)
        end = self.stepping.single(state, dt if aimed is None else aimed.s * dt)
        self.steps += 1
        landed = self._located(state, end, aimed)
        if landed is not None and landed.found is None:
            return Advance((landed.state.accepted_after(state),))
        if landed is not None and landed.found is not None:
            assert self.location is not None
            at = landed.state
            if at.t >= target:
                at = at.but(t=target, interval=state.interval + 1)
            end, events = self.location.switched(at, landed.found, dt)
            return Advance((end,), events)
        end = end.accepted_after(state)
        if aimed is not None:  # the prediction fell short of the contact: go on from there
            return Advance((end,))
        return Advance((end.but(t=target, interval=state.interval + 1),))

    def _length(self, state: State, target: float) -> float:
        """Length of the step to the end of the interval.

        The difference of two times is rounded to different neighbours of dt; a whole
        step takes dt itself, so that its matrix is factored once. Compiled marches have no factors, and step
        from time to time.
        """
        control = self.control
        assert control.dt is not None
        counted = target == control.t0 + (state.interval + 1) * control.dt
        if self.stepping.compiled is None and counted and state.t == control.grid(state.interval):
            return control.dt
        return target - state.t

    def _advance_controlled(self, state: State) -> Advance:
        """A step whose error is small enough, or to the first event on it."""
        control = self.control
        dt = min(state.dt, control.t_end - state.t)
        aimed = self._aimed(state, dt)
        wanted = dt if aimed is None else aimed.s * dt
        states, taken, following = self._controlled(state, wanted)
        self.steps += len(states)
        longer = max(following, state.dt) if aimed is not None else following
        passed = [state]
        for k, end in enumerate(states, 1):
            start, is_last = passed[-1], k == len(states)
            landed = self._located(start, end, aimed if taken == wanted and is_last else None)
            if landed is not None:
                final, events = self._landed(start, landed, taken, longer)
                return Advance((*passed[1:], final), events)
            passed.append(end.accepted_after(start))
        passed[-1] = passed[-1].but(dt=longer if taken == wanted else following)
        if wanted == control.t_end - state.t and taken == wanted:
            passed[-1] = passed[-1].but(t=control.t_end)
        return Advance(tuple(passed[1:]))

    def _landed(
        self, start: State, landed: Landed, taken: float, following: float
    ) -> tuple[State, tuple[Event, ...]]:
        """The state where a controlled step was cut short, with the step to try next, and its events."""
        if landed.found is None:
            return landed.state.accepted_after(start).but(dt=following), ()
        assert self.location is not None
        end, events = self.location.switched(landed.state, landed.found, taken)
        end = end.but(dt=following)
        return end.but(dt=self._first_contact_step(end)) if landed.found.kind == "touch" else end, events

    def _controlled(self, state: State, dt: float) -> tuple[tuple[State, ...], float, float]:
        """The states of a step that is accurate enough, its length, and the one to try next."""
        control = self.control
        least = SMALLEST_STEP * max(control.t_end - control.t0, abs(state.t))
        while True:
            failure: StepError | None = None
            try:
                attempt = self._attempted(state, dt)
                error = self._relative_error(state, attempt)
            except StepError as found:
                error, factor, failure = math.inf, SHRINKAGE, found
            else:
                factor = SAFETY * error ** (-1.0 / (attempt.order + 1)) if error > 0.0 else GROWTH
                factor = min(GROWTH, max(SHRINKAGE, factor))
            if error <= 1.0:
                return attempt.states, dt, dt * factor
            self.rejected += 1
            dt *= min(factor, SAFETY)
            if dt <= least:
                raise failure or StepError(
                    f"the step became too short at t = {state.t:.9g} (dt = {dt:.1e}); the force may jump "
                    "there: give the gap of the contact, a larger rtol, or a fixed dt"
                )

    def _attempted(self, state: State, dt: float) -> Attempt:
        """A step with the errors that the method estimates, or two halves with those of Richardson."""
        order = self.method.embedded_order
        if order is not None:
            end, errors = self.stepping.estimated(state, dt)
            return Attempt((end,), errors, order)
        step, order = self.stepping.single, self.method.order
        middle = step(state, 0.5 * dt)
        end = step(middle, 0.5 * dt)
        whole, share = step(state, dt), 2.0**order - 1.0
        errors = Errors(np.abs(whole.q - end.q) / share, np.abs(whole.v - end.v) / share)
        return Attempt((middle, end), errors, order)

    def _relative_error(self, start: State, attempt: Attempt) -> float:
        """Estimated error of an attempt, relative to the tolerance.

        That of velocities of one order lower, of relative size e ~ dt^order, counts as e^((order + 1)/order).
        """
        sizes, rtol, worst = attempt.states[-1].sized(start).largest, self.control.rtol, 0.0
        for errors, size in zip((attempt.errors.q, attempt.errors.v), sizes, strict=False):
            error = float(errors.max())
            if error > 0.0:
                worst = max(worst, error / (rtol * size) if size > 0.0 else math.inf)
        lower = attempt.errors.lower_v
        if lower.size and sizes[1] > 0.0:
            power = (attempt.order + 1) / attempt.order
            worst = max(worst, (float(lower.max()) / sizes[1]) ** power / rtol)
        return worst

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
        while dt < state.dt:
            try:
                ahead = self.stepping.acceleration(state, state.t + dt, state.q + dt * state.v)
            except TractionError:
                break
            if not dt * float(np.abs(ahead - state.a).max()) <= FIRST_TOUCH * speed:
                break
            dt *= 4.0
        return 0.25 * dt
