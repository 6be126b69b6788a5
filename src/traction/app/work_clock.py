"""`WorkClock`: how far work in several phases is, as a share of the time that all of them take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

UNKNOWN = 5.0  #: seconds expected of a phase before it has completed a part
MOST = 0.99  #: shown of work that has not ended


class WorkClock:
    """A share of 1 that grows with every phase and is below 1 until the work has ended.

    `phases` are names with the seconds that they are expected to take. A phase that counts its parts is
    extrapolated from those completed; one that does not approaches its end without reaching it.
    """

    def __init__(self, phases: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        self._expected, self._clock = dict(phases), clock
        self.phase = next(iter(phases))
        self._began = self._phase_began = clock()
        self._completed: float | None = None  # share of the phase
        self._paused: float | None = None  # since when kernels are compiled, which no share foresees
        self._shown = 0.0

    def begin(self, phase: str) -> None:
        """The phase of that name begins, and those before it are over."""
        self.phase, self._phase_began, self._completed = phase, self._clock(), None

    def count(self, completed: float, total: float) -> None:
        """So many parts of the phase are completed."""
        self._completed = completed / total if total > 0 else None

    def pause(self, paused: bool) -> None:
        """Time that passes in a pause says nothing about the rest of the phase."""
        now = self._clock()
        if paused and self._paused is None:
            self._paused = now
        elif not paused and self._paused is not None:
            self._phase_began += now - self._paused
            self._paused = None

    @property
    def is_paused(self) -> bool:
        """Whether kernels are being compiled."""
        return self._paused is not None

    @property
    def remaining(self) -> float:
        """Seconds that are expected until the end of the last phase."""
        spent = (self._paused or self._clock()) - self._phase_began
        if self._completed:
            rest = spent * (1.0 - self._completed) / self._completed
        else:
            expected = self._expected.get(self.phase) or UNKNOWN
            rest = expected * math.exp(-spent / expected)
        names = list(self._expected)
        later = names[names.index(self.phase) + 1 :] if self.phase in names else []
        return rest + sum(self._expected[name] for name in later)

    @property
    def share(self) -> float:
        """How far the work is; it never falls."""
        spent = self._clock() - self._began
        self._shown = min(MOST, max(self._shown, spent / (spent + self.remaining + 1e-9)))
        return self._shown
