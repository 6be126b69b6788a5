"""Where on a path a gap opens, closes or turns.

The gap is sampled along the path; between samples it is assumed to turn only where its values, or its
rates at the ends of the path, indicate it. There it is examined with its own values and rates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from traction import checks
from traction.errors import InputError
from traction.integrators.core.motion import NotFiniteError, numbers
from traction.integrators.core.state import Path, State
from traction.integrators.core.system import SecondOrderSystem

PIECES = 8  #: of a path between samples, at least
CHUNK = 64  #: pieces examined together
NEAR = 1e-7  #: part of a piece within which a turn belongs to the state it starts from
ROUNDING = 1e-14  #: of a gap, relative to the sizes it is made of
DIFFERENCE = 1e-4  #: of a path, by which rates are taken
STILL = 4e-12  #: change of a gap over a path, relative to its sizes, that may be rounding of its rate


@dataclass(frozen=True)
class Event:
    """Start or end of a contact, or a turning point of a gap."""

    #: "touch", "release"; turns: "deepest" and "shallowest" in contact, "apex" and "closest" when open
    kind: str  #: "touch", "release" or "turn"
    t: float  #: time, s
    gap: int = 0  #: index of the gap
    index: int = -1  #: index in the history


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
    """The gaps of a system along its motion, sampled at most `resolution` (s) apart."""

    def __init__(self, system: SecondOrderSystem, resolution: float = math.inf) -> None:
        assert system.gap is not None
        self._gap, self._public = system.gap, system._public
        self.resolution = resolution
        self.count = 0
        self.count = len(self.at(0.0, system.start[0]))
        self._scalar = system.is_scalar and self.count == 1

    def pieces(self, dt: float) -> int:
        """Number of pieces into which samples divide a path of length dt."""
        return max(PIECES, math.ceil(dt / self.resolution * (1.0 - 1e-12)))

    def span(self, dt: float) -> float:
        """Time over which rates on a path of length dt are computed, so that they stay within a piece."""
        return dt * PIECES / self.pieces(dt)

    def at(self, t: float, q: np.ndarray) -> np.ndarray:
        """All gaps, (m,)."""
        given = self._gap(t, self._public(q))
        if self.count == 1 and isinstance(given, float) and math.isfinite(given):
            return np.array([given])
        values = np.atleast_1d(numbers(f"gap(t = {t:.6g})", given))
        if values.ndim != 1 or values.size == 0:
            raise InputError(f"gap(t = {t:.6g}) has shape {values.shape}, expected a number or a vector.")
        if self.count not in (0, values.size):
            raise InputError(f"gap(t = {t:.6g}) has {values.size} components, at the start {self.count}.")
        if not np.isfinite(values).all():
            raise NotFiniteError(f"gap is {checks.shown(values)} at t = {t:.9g}")
        return values

    def rate(self, t: float, q: np.ndarray, v: np.ndarray, dt: float) -> np.ndarray:
        """Rates of all gaps along the motion, by central differences."""
        h = DIFFERENCE * dt
        return (self.at(t + h, q + h * v) - self.at(t - h, q - h * v)) / (2.0 * h)

    def closed(self, state: State) -> np.ndarray:
        """1.0 for each gap that is closed, or about to close."""
        gap = self.at(state.t, state.q)
        rate = self.rate(state.t, state.q, state.v, 1e-6)
        return np.where((gap < 0.0) | ((gap == 0.0) & (rate < 0.0)), 1.0, 0.0)

    def at_once(self, state: State, part: float, dt: float) -> dict[int, str]:
        """Events at a state, or within a part of dt of it: kinds by the index of the gap."""
        if self.count == 1:
            return {}
        gap, rate = self.at(state.t, state.q), self.rate(state.t, state.q, state.v, dt)
        bend = (self.rate(state.t, state.q, state.v + 1e-3 * dt * state.a, dt) - rate) / 1e-3  # over dt
        noise = ROUNDING * float(np.abs(gap).max()) / (DIFFERENCE * dt)  # of a rate by differences
        kinds = {}
        for i in range(self.count):
            sign = -1.0 if state.touching[i] > 0.0 else 1.0
            if sign * rate[i] < 0.0 and abs(gap[i]) <= part * dt * abs(rate[i]):
                kinds[i] = "touch" if sign > 0.0 else "release"
            elif bend[i] != 0.0 and abs(rate[i]) <= part * abs(bend[i]) + noise:
                kinds[i] = _name_of(bend[i], sign)
        return kinds

    def first(
        self, path: Path, touching: np.ndarray, turns: bool = True, pieces: int | None = None
    ) -> Found | None:
        """The first event on a path whose gaps start closed where `touching` is set."""
        n = self.pieces(path.dt) if pieces is None else pieces
        quiet = self._quiet(path, -1.0 if touching[0] > 0.0 else 1.0, n) if self._scalar else 0
        if quiet > n:
            return None
        sign = np.where(touching > 0.0, -1.0, 1.0)
        seen = _Seen(self, path, sign, turns, n)
        skipped = max(0, quiet - 2)
        direction = seen.direction(skipped)
        for k in range(skipped, n, CHUNK):
            last = min(k + CHUNK, n)
            gap = seen.gaps(k, last)
            change = np.diff(gap, axis=0)
            change[np.abs(change) <= seen.tiny] = 0.0
            trend = [direction[None, :], change] + ([seen.direction(n)[None, :]] if last == n else [])
            trends = np.concatenate(trend)
            turning = (trends.max(axis=0) > 0.0) & (trends.min(axis=0) < 0.0)
            if turning.any() or (sign * gap < -seen.tiny).any():
                found = seen.first_between(max(0, k - 1), last)
                if found is not None:
                    return found
            for row in change[::-1]:
                if row.any():
                    direction = np.where(row != 0.0, row, direction)
                    break
        return None

    def _quiet(self, path: Path, sign: float, n: int) -> int:
        """Pieces from the start of a path on which the gap of one coordinate keeps its sign and direction.

        n + 1 if it does so to the end: then there is no event. Plain numbers, since most steps have none.
        """
        gap, t, dt = self._gap, path.t, path.dt
        c = path.coefficients[::-1, 0].tolist()
        trend, last = 0.0, None
        for k in range(n + 1):
            s = k / n
            q = 0.0
            for coefficient in c:
                q = q * s + coefficient
            value = gap(t + s * dt, q)
            if not isinstance(value, float) or not sign * value > 0.0:
                return max(0, k - 1)
            if last is not None:
                if (trend * (value - last) <= 0.0 and trend != 0.0) or value == last:
                    return max(0, k - 1)
                trend = value - last
            last = value
        for end in (0.0, 1.0):
            rate = float(self.rate(t + end * dt, path.q(end), path.v(end), self.span(dt))[0])
            if not rate * trend > 0.0:
                return 0 if end == 0.0 else n - 1
        return n + 1


class _Seen:
    """The gaps along a path, at nodes 0 to n."""

    def __init__(self, gaps: Gaps, path: Path, sign: np.ndarray, turns: bool, n: int) -> None:
        self._gaps, self._path, self._sign, self._turns, self._n = gaps, path, sign, turns, n
        self._largest = float(np.abs(path.coefficients).max())
        self.tiny = ROUNDING * max(1e-300, self._largest)  #: rounding of a gap

    def gap(self, s: float) -> np.ndarray:
        """All gaps at a fraction of the path."""
        return self._gaps.at(self._path.t + s * self._path.dt, self._path.q(s))

    def slope(self, s: float) -> np.ndarray:
        """Their slopes over s, by differences that stay within a piece."""
        path = self._path
        span = path.dt * min(1.0, PIECES / self._n)
        return path.dt * self._gaps.rate(path.t + s * path.dt, path.q(s), path.v(s), span)

    def gaps(self, first: int, last: int) -> np.ndarray:
        """Gaps at the nodes from first to last, (nodes, m)."""
        s = np.arange(first, last + 1) / self._n
        places = self._path.q(s[:, None])
        times = self._path.t + s * self._path.dt
        found = np.array([self._gaps.at(t, q) for t, q in zip(times.tolist(), places, strict=True)])
        self._largest = max(self._largest, float(np.abs(found).max()))
        self.tiny = ROUNDING * self._largest
        return found

    def direction(self, node: int) -> np.ndarray:
        """Slopes at an end of the path, without rounding."""
        slope = self.slope(node / self._n)
        return np.where(np.abs(slope) <= STILL * self._largest, 0.0, slope)

    def first_between(self, first: int, last: int) -> Found | None:
        """The first event on the pieces between two nodes."""
        ends = [(self.gap(k / self._n), self.slope(k / self._n) / self._n) for k in range(first, last + 1)]
        for k in range(first, last):
            (g0, m0), (g1, m1) = ends[k - first], ends[k - first + 1]
            found = [
                event
                for i in range(self._gaps.count)
                for event in self._on_piece(k, i, np.array([g0[i], g1[i], m0[i], m1[i]]))
            ]
            if found:
                return min(found, key=lambda event: event.s)
        return None

    def _on_piece(self, k: int, i: int, ends: np.ndarray) -> list[Found]:
        """Events of gap i on piece k, from its gaps and slopes at both ends."""
        n, sign = self._n, self._sign[i]
        gap0, gap1, slope0, slope1 = ends
        bent, rise = slope0 + slope1, gap1 - gap0  # the cubic through gaps and slopes at both ends
        cubic = np.array([gap0, slope0, 3.0 * rise - 2.0 * slope0 - slope1, bent - 2.0 * rise])
        places = [self._turn(k, i, ends, s) for s in _turns(cubic)]
        found, before = [], 0.0
        for s in (*places, 1.0):
            if sign * self.gap((k + s) / n)[i] < -self.tiny:
                at = self._crossing(i, (k + before) / n, (k + s) / n)
                slope = float(self.slope(at)[i])
                found.append(Found("touch" if sign > 0.0 else "release", i, at, slope))
                break
            before = s
        if self._turns:
            near = NEAR if k == 0 else 0.0
            found += [
                Found(_name_of(_bend(cubic, s), sign), i, (k + s) / n, _bend(cubic, s) * n * n)
                for s in places
                if s > near
            ]
        return found

    def _turn(self, k: int, i: int, ends: np.ndarray, s: float) -> float:
        """A turn of the gap that the cubic puts at s, refined by the rates if it is the only one."""
        if not ends[2] * ends[3] < 0.0:
            return s
        return float(brentq(lambda at: self.slope((k + at) / self._n)[i], 0.0, 1.0, xtol=1e-12))

    def _crossing(self, i: int, low: float, high: float) -> float:
        """Zero of the gap between a point before and one after it."""
        if not self._sign[i] * float(self.gap(low)[i]) > 0.0:
            return low
        return float(brentq(lambda s: float(self.gap(s)[i]), low, high, xtol=1e-16, rtol=1e-15))


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
        roots: list[float] = [] if abs(b) <= 1e-12 * scale else [-c / b]
    else:
        square = b * b - 4.0 * a * c
        if square <= 0.0:
            return []
        half = -0.5 * (b + np.copysign(np.sqrt(square), b))
        roots = [half / a] + ([c / half] if half != 0.0 else [])
    return sorted(float(root) for root in roots if 0.0 < root <= 1.0)


def _bend(cubic: np.ndarray, s: float) -> float:
    return float(2.0 * cubic[2] + s * 6.0 * cubic[3])
