"""Free flight of a ballistic system: constant acceleration while all gaps are open, in one piece."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.integrators.core.method import Method
from traction.integrators.core.state import State
from traction.integrators.core.state_path import ballistic
from traction.integrators.march.event_location import TOGETHER
from traction.integrators.march.events import Found, Gaps
from traction.integrators.march.step_control import Control

NODES = 16  #: of a free flight, so that it is seen


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
