"""Where on a path a gap opens, closes or turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.integrators.motion import NotFiniteError, numbers
from traction.integrators.path import Path
from traction.integrators.state import State
from traction.integrators.system import SecondOrderSystem

PIECES = 4  #: of a path, each taken as a cubic
NEAR = 1e-7  #: part of a piece within which a turn belongs to the state it starts from
ROUNDING = 1e-14  #: of a gap, relative to the sizes it is made of


@dataclass(frozen=True)
class Event:
    """A contact that begins or ends, or a gap that turns."""

    #: "touch", "release"; turns: "deepest" and "shallowest" in contact, "apex" and "closest" when open
    kind: str
    t: float  #: time, s
    gap: int = 0  #: number of the gap
    index: int = -1  #: place in the history


@dataclass(frozen=True)
class Found:
    """An event on a path, before it is located by the method itself."""

    kind: str
    gap: int
    s: float  #: part of the path
    slope: float  #: of the gap (or of its rate, for a turn) over s

    @property
    def turns(self) -> bool:
        """Whether the gap only turns."""
        return self.kind not in ("touch", "release")


class Gaps:
    """The gaps of a system along its motion."""

    def __init__(self, system: SecondOrderSystem) -> None:
        assert system.gap is not None
        self._gap, self._public = system.gap, system._public
        self.count = 0
        self.count = len(self.at(0.0, system.q0.reshape(-1)))

    def at(self, t: float, q: np.ndarray) -> np.ndarray:
        """All gaps, (m,)."""
        values = np.atleast_1d(numbers(f"gap(t = {t:.6g})", self._gap(t, self._public(q))))
        if values.ndim != 1 or values.size == 0:
            raise InputError(f"gap(t = {t:.6g}) has shape {values.shape}, expected a number or a vector.")
        if self.count not in (0, values.size):
            raise InputError(f"gap(t = {t:.6g}) has {values.size} components, at the start {self.count}.")
        if not np.isfinite(values).all():
            raise NotFiniteError(f"gap is {checks.shown(values)} at t = {t:.9g}")
        return values

    def rate(self, t: float, q: np.ndarray, v: np.ndarray, dt: float) -> np.ndarray:
        """Rates of all gaps along the motion, by central differences."""
        h = 1e-4 * dt
        return (self.at(t + h, q + h * v) - self.at(t - h, q - h * v)) / (2.0 * h)

    def closed(self, state: State) -> np.ndarray:
        """1.0 for each gap that is closed, or about to close."""
        gap = self.at(state.t, state.q)
        rate = self.rate(state.t, state.q, state.v, 1e-6)
        return np.where((gap < 0.0) | ((gap == 0.0) & (rate < 0.0)), 1.0, 0.0)

    def at_once(self, state: State, part: float, dt: float) -> dict[int, str]:
        """What happens at a state, or within a part of dt of it: kinds by the number of the gap."""
        if self.count == 1:
            return {}
        gap, rate = self.at(state.t, state.q), self.rate(state.t, state.q, state.v, dt)
        bend = (self.rate(state.t, state.q, state.v + 1e-3 * dt * state.a, dt) - rate) / 1e-3  # over dt
        kinds = {}
        for i in range(self.count):
            sign = -1.0 if state.touching[i] > 0.0 else 1.0
            if sign * rate[i] < 0.0 and abs(gap[i]) <= part * dt * abs(rate[i]):
                kinds[i] = "touch" if sign > 0.0 else "release"
            elif bend[i] != 0.0 and abs(rate[i]) <= part * abs(bend[i]):
                kinds[i] = _name_of(bend[i], sign)
        return kinds

    def first(self, path: Path, touching: np.ndarray, turns: bool = True) -> Found | None:
        """The first event on a path whose gaps start closed where `touching` says so.

        A gap that has the same sign and the same direction at both ends is taken to have had them throughout.
        """
        if not self._may_switch(path, touching):
            return None
        nodes = np.linspace(0.0, 1.0, PIECES + 1)
        gap = np.array([self.at(path.t + s * path.dt, path.q(s)) for s in nodes])
        slope = path.dt * np.array(
            [self.rate(path.t + s * path.dt, path.q(s), path.v(s), path.dt) for s in nodes]
        )
        sign = np.where(touching > 0.0, -1.0, 1.0)
        tiny = ROUNDING * max(1e-300, float(np.abs(gap).max()), float(np.abs(path.coefficients).max()))
        for k in range(PIECES):
            found = [
                event
                for i in range(self.count)
                for event in _on_piece(
                    gap[k : k + 2, i], slope[k : k + 2, i] / PIECES, sign[i], tiny, turns, i
                )
            ]
            if found:
                first = min(found, key=lambda event: event.s)
                return Found(first.kind, first.gap, (k + first.s) / PIECES, first.slope * PIECES)
        return None

    def _may_switch(self, path: Path, touching: np.ndarray) -> bool:
        sign = np.where(touching > 0.0, -1.0, 1.0)
        end = path.t + path.dt
        if (sign * self.at(end, path.q(1.0)) < 0.0).any():
            return True
        before = self.rate(path.t, path.q(0.0), path.v(0.0), path.dt)
        after = self.rate(end, path.q(1.0), path.v(1.0), path.dt)
        return bool((before * after <= 0.0).any())


def _on_piece(
    gap: np.ndarray, slope: np.ndarray, sign: float, tiny: float, turns: bool, number: int
) -> list[Found]:
    """Events of one gap on one piece, s from 0 to 1; `sign` is that of the gap before."""
    cubic = np.array(
        [
            gap[0],
            slope[0],
            3.0 * (gap[1] - gap[0]) - 2.0 * slope[0] - slope[1],
            2.0 * (gap[0] - gap[1]) + slope[0] + slope[1],
        ]
    )
    places = _turns(cubic)
    found = []
    before = 0.0
    for s in (*places, 1.0):
        if sign * _value(cubic, s) < -tiny:
            s0 = _crossing(cubic, sign, before, s)
            kind = "touch" if sign > 0.0 else "release"
            found.append(Found(kind, number, s0, _slope(cubic, s0)))
            break
        before = s
    if turns:
        found += [Found(_kind_of(cubic, s, sign), number, s, _bend(cubic, s)) for s in places if s > NEAR]
    return found


def _kind_of(cubic: np.ndarray, s: float, sign: float) -> str:
    return _name_of(_bend(cubic, s), sign)


def _name_of(bend: float, sign: float) -> str:
    if bend < 0.0:
        return "apex" if sign > 0.0 else "shallowest"
    return "closest" if sign > 0.0 else "deepest"


def _turns(cubic: np.ndarray) -> list[float]:
    """Places in (0, 1] where the slope changes its sign."""
    c, b, a = cubic[1], 2.0 * cubic[2], 3.0 * cubic[3]
    scale = max(abs(a), abs(b), abs(c))
    if scale == 0.0:
        return []
    if abs(a) <= 1e-12 * scale:
        roots: Any = [] if abs(b) <= 1e-12 * scale else [-c / b]
    else:
        square = b * b - 4.0 * a * c
        if square <= 0.0:
            return []
        half = -0.5 * (b + np.copysign(np.sqrt(square), b))
        roots = [half / a] + ([c / half] if half != 0.0 else [])
    return sorted(float(root) for root in roots if 0.0 < root <= 1.0)


def _crossing(cubic: np.ndarray, sign: float, low: float, high: float) -> float:
    """Where the gap passes zero between a place before and one after it, by bisection."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if sign * _value(cubic, middle) < 0.0:
            high = middle
        else:
            low = middle
    return high


def _value(cubic: np.ndarray, s: float) -> float:
    return float(cubic[0] + s * (cubic[1] + s * (cubic[2] + s * cubic[3])))


def _slope(cubic: np.ndarray, s: float) -> float:
    return float(cubic[1] + s * (2.0 * cubic[2] + s * 3.0 * cubic[3]))


def _bend(cubic: np.ndarray, s: float) -> float:
    return float(2.0 * cubic[2] + s * 6.0 * cubic[3])
