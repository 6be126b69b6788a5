"""`WorkClock`: how far work in several phases is, as a share of the time that all of them take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

MOST = 0.99  #: shown of work that has not ended


class WorkClock:
    """A share of 1 that grows with every phase and is below 1 until the work has ended.

    `phases` are names with the seconds that they are expected to take. A phase that counts its parts is
    extrapolated from those completed since its first count, before which a program loads and compiles; one
    that does not count approaches its end without reaching it. Of the first phase nothing is known before it
    has counted: `share` is 0 and `remaining` None.
    """

    def __init__(self, phases: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        self._expected, self._clock = dict(phases), clock
        self.phase = next(iter(phases))
        self._began = self._phase_began = clock()
        self._first: tuple[float, float] | None = None  # share of the phase at its first count, and when
        self._last: tuple[float, float] | None = None  # the same at its last one
        self._paused: float | None = None  # since when kernels are compiled, which no share foresees
        self._shown = 0.0

    def begin(self, phase: str) -> None:
        """The phase of that name begins, and those before it are over."""
        self.phase, self._phase_began = phase, self._clock()
        self._first = self._last = None

    def count(self, completed: float, total: float) -> None:
        """So many parts of the phase are completed."""
        self._last = (completed / max(total, 1), self._clock())
        self._first = self._first or self._last

    def pause(self, paused: bool) -> None:
        """Time that passes in a pause says nothing about the rest of the phase."""
        now = self._clock()
        if paused and self._paused is None:
            self._paused = now
        elif not paused and self._paused is not None:
            lost = now - self._paused
            self._phase_began += lost
            self._first = None if self._first is None else (self._first[0], self._first[1] + lost)
            self._last = None if self._last is None else (self._last[0], self._last[1] + lost)
            self._paused = None

    @property
    def is_paused(self) -> bool:
        """Whether kernels are being compiled."""
        return self._paused is not None

    @property
    def remaining(self) -> float | None:
        """Seconds that are expected until the end of the last phase; None where nothing is known yet."""
        now = self._clock() if self._paused is None else self._paused
        rest = self._remaining_of_phase(now)
        if rest is None:
            return None
        names = list(self._expected)
        later = names[names.index(self.phase) + 1 :] if self.phase in names else []
        return rest + sum(self._expected[name] for name in later)

    def _remaining_of_phase(self, now: float) -> float | None:
        if self._first is not None and self._last is not None:
            (share, then), (completed, at) = self._first, self._last
            if completed >= 1.0:
                return 0.0
            if completed > share:
                return max(0.0, (at - then) * (1.0 - completed) / (completed - share) - (now - at))
        if self.phase == next(iter(self._expected)):
            return None
        expected = self._expected.get(self.phase) or 1.0
        return expected * math.exp(-(now - self._phase_began) / expected)

    @property
    def share(self) -> float:
        """How far the work is; it never falls."""
        spent, remaining = self._clock() - self._began, self.remaining
        if remaining is not None:
            self._shown = min(MOST, max(self._shown, spent / (spent + remaining + 1e-9)))
        return self._shown
