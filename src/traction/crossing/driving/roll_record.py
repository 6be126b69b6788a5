"""Rolling of a driven wheel step by step, and its numbers at all times of a crossing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.crossing.driving.driven_wheel import RolledPart, WheelState


@dataclass(frozen=True, eq=False)
class RollState:
    """State of a driven wheel at a time of the march."""

    wheel: WheelState
    work: float  #: of friction from the start, J


@dataclass(frozen=True, eq=False)
class RolledStep:
    """Rolling of a driven wheel in a step of the march, in parts; before the first one, steady rolling."""

    parts: tuple[RolledPart, ...]
    distances: np.ndarray  #: of the parts, m
    state: RollState  #: at its end

    @property
    def last(self) -> RolledPart:
        """The last part."""
        return self.parts[-1]


class RollRecord:
    """Numbers at all times, filled while the wheel rolls."""

    def __init__(self, times: int, kept: np.ndarray) -> None:
        self.force, self.moment, self.creepage = np.zeros((times, 2)), np.zeros(times), np.zeros((times, 3))
        self.stick, self.sliding = np.zeros(times), np.zeros(times, dtype=bool)
        self.work = np.zeros(times)
        self.kept = kept
        self.contacts: dict[int, TangentialContact | None] = dict.fromkeys(kept.tolist())
        self.free: list[int] = []  #: kept times without tractions

    def keep(self, n: int, step: RolledStep) -> None:
        """A step that ends at the time n; its parts are of one length."""
        last = step.last
        self.creepage[n] = np.mean([one.creepage for one in step.parts], axis=0)
        self.sliding[n] = any(one.sliding for one in step.parts)
        self.work[n] = step.state.work
        self.force[n], self.moment[n], self.stick[n] = last.force, last.moment, last.stick
        if n in self.contacts:
            self.contacts[n] = last.kept
            if last.free:
                self.free.append(n)

    def fill_between(self, t: np.ndarray, rolled: np.ndarray) -> None:
        """Numbers at times t (s) between those rolled: linear, but creepage and sliding of the whole part."""
        if rolled.size == t.size:
            return
        for values in (self.force[:, 0], self.force[:, 1], self.moment, self.stick, self.work):
            values[:] = np.interp(t, t[rolled], values[rolled])
        part = rolled[np.searchsorted(rolled, np.arange(t.size))]
        self.creepage, self.sliding = self.creepage[part], self.sliding[part]
