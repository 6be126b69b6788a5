"""Contacts that begin, end or turn inside a step, located by steps of the method that end there.

A step is examined along its path, the dense output between its ends. Events on the path are located by
the method itself: steps from the same start, corrected in length until the event lies at their end. A free
flight of a ballistic system, with constant acceleration while all gaps are open, is one piece to its end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from traction.integrators.core.method import Method
from traction.integrators.core.state import Path, State, ballistic, cubic, quintic
from traction.integrators.march.events import ROUNDING, Event, Found, Gaps
from traction.integrators.march.stepping import Control

LANDINGS = 12  #: steps tried to land on an event, before its bracket is halved
HALVINGS = 60  #: of a bracket
EARLIER = 6  #: earlier events searched on the way to one that was found
SAME = 1e-6  #: part of a step within which an event is the one at its end
SHORT = 0.05  #: least part of a step that is taken where its path, but not the method, meets an event
TOGETHER = 1e-9  #: part of a step within which two events happen at once

Step = Callable[[State, float], State]  #: the state after a step of a length (s), a pure function of both
NODES = 16  #: of a free flight, so that it is seen


@dataclass(frozen=True)
class Landed:
    """A state at an event, or short of one that only the path between two states has."""

    state: State
    found: Found | None


class Location:
    """Location of events of the gaps of a system, on steps of one method."""

    def __init__(self, gaps: Gaps, step: Step) -> None:
        self.gaps, self.step = gaps, step

    def aimed(self, state: State, dt: float) -> Found | None:
        """The first contact that the present motion leads to within dt.

        A step that would end deep inside a body is inaccurate; one that ends at the surface is as good as
        the method.
        """
        if not (state.touching == 0.0).any():
            return None
        found = self.gaps.first(ballistic(state, dt), state.touching, turns=False)
        if found is None or found.kind != "touch" or found.s * dt <= TOGETHER * dt:
            return None
        return found

    def located(self, start: State, end: State, aimed: Found | None) -> Landed | None:
        """The state at the first event on a step, by steps of the method that end there."""
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
            state = self.step(start, dt)
            following = self._earlier(start, state, False)
            if following is None:
                break
            ahead = following
        return state

    def _reached(self, start: State, end: State, aimed: Found) -> Found | None:
        """The contact that the step was aimed at, if its end is as near to it as rounding and aim allow."""
        missed = float(self.gaps.at(end.t, end.q)[aimed.gap])
        if missed > ROUNDING * max(1.0, start.largest[0]) and missed > 1e-3 * float(
            self.gaps.at(start.t, start.q)[aimed.gap]
        ):
            return None
        dt = end.t - start.t
        return Found("touch", aimed.gap, 1.0, float(self.gaps.rate(end.t, end.q, end.v, dt)[aimed.gap]) * dt)

    def _first_event(self, start: State, end: State) -> Found | None:
        """The first event on a step."""
        before, after = (self.gaps.at(state.t, state.q) for state in (start, end))
        path: Path = (quintic if (before * after > 0.0).all() else cubic)(start, end)
        found = self.gaps.first(path, start.touching)
        if found is not None and not found.turns and start.just_switched and found.s <= TOGETHER:
            return None  # it rests on the surface: nothing moves across it
        return found

    def _earlier(self, start: State, end: State, turns: bool) -> Found | None:
        """An event on the dense output before the one at its end."""
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
            reached = self.step(start, s * dt)
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

    def switched(self, state: State, found: Found, dt: float) -> tuple[State, tuple[Event, ...]]:
        """The state at an event, with its contact begun or ended, and all that happens there at once."""
        kinds = {**self.gaps.at_once(state, TOGETHER, dt), found.gap: found.kind}
        touching, since = state.touching.copy(), state.since.copy()
        for gap, kind in kinds.items():
            if kind in ("touch", "release"):
                touching[gap] = 1.0 if kind == "touch" else 0.0
                since[gap] = state.t if kind == "touch" else np.inf
        done = state.accepted_after(state).but(touching=touching, since=since, just_switched=True)
        return done, tuple(Event(kinds[gap], state.t, gap) for gap in sorted(kinds))


@dataclass(frozen=True)
class Flown:
    """Consecutive states of a flight, the event that ended it, and its duration."""

    states: tuple[State, ...]
    found: Found | None  #: None where it lasts to the end of the march, or to a step before a contact
    time: float  #: s


class Flight:
    """Flights of one system, exact with every method."""

    def __init__(self, gaps: Gaps, control: Control, method: Method) -> None:
        self.gaps, self.control, self.method = gaps, control, method

    def flown(self, state: State) -> Flown | None:
        """The flight from a state to its end, or None where there is none."""
        ahead = self.ahead(state)
        if ahead is None:
            return None
        time, found = ahead
        start = self.method.settled(state)
        if self.control.dt is not None and not self.control.locate:
            return Flown(self._on_the_grid(start, round(time / self.control.dt)), None, time)
        times = start.t + time * np.arange(1, NODES + 1) / NODES
        if found is None:
            times[-1] = self.control.t_end
        states = [_aloft(start, float(t)) for t in times]
        if self.control.dt is not None:
            states = self._counted(states, found is None)
        return Flown(tuple(states), found, time)

    def ahead(self, state: State) -> tuple[float, Found | None] | None:
        """Time of free flight ahead, and the event that ends it; None where there is none."""
        control, locates = self.control, self.control.locate
        if (self.gaps.at(state.t, state.q) <= 0.0).any() or (locates and (state.touching > 0.0).any()):
            return None
        left = control.t_end - state.t
        pieces = max(NODES, math.ceil(left / control.flight_resolution))
        path = ballistic(self.method.settled(state), left)
        found = self.gaps.first(path, np.zeros(self.gaps.count), turns=locates, pieces=pieces)
        time = left if found is None else found.s * left
        if locates or control.dt is None:
            return (time, found) if time > TOGETHER * left else None
        # without events, whole steps, of which the last ends a step before the contact
        whole = control.intervals - state.interval if found is None else int(time / control.dt) - 1
        on_grid = state.t == control.grid(state.interval)
        return (whole * control.dt, None) if on_grid and whole >= 1 else None

    def _on_the_grid(self, start: State, steps: int) -> tuple[State, ...]:
        """States after whole steps of fixed length, some of them."""
        first, stride = start.interval, -(-steps // NODES)
        intervals = [*range(first + stride, first + steps, stride), first + steps]
        return tuple(_aloft(start, self.control.grid(k)).but(interval=k) for k in intervals)

    def _counted(self, states: list[State], to_the_end: bool) -> list[State]:
        """States between the steps of fixed length, with the number of those that lie behind."""
        control = self.control
        assert control.dt is not None
        most = control.intervals if to_the_end else control.intervals - 1
        passed = [int((state.t - control.t0) / control.dt * (1.0 + 1e-15)) for state in states]
        counted = [state.but(interval=min(k, most)) for state, k in zip(states, passed, strict=True)]
        if to_the_end:
            counted[-1] = counted[-1].but(interval=control.intervals)
        return counted


def _aloft(start: State, t: float) -> State:
    """The state at a time of the flight."""
    dt = t - start.t
    q = start.q + dt * (start.v + 0.5 * dt * start.a)
    return start.but(t=t, q=q, v=start.v + dt * start.a).accepted_after(start)
