"""Division of a march into steps, and sampling of the gaps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

SAMPLES = 2048  #: of the gaps over the whole time, at least, where steps are not fixed


@dataclass(frozen=True)
class Control:
    """Lengths of the steps."""

    t_end: float
    dt: float | None  #: s, or None for steps by the error they make
    t0: float = 0.0
    rtol: float = 1e-8  #: error of a step, relative to the largest coordinate and velocity so far
    locate: bool = True  #: whether contacts are located inside the steps
    gap_resolution: float | None = None  #: longest time between samples of the gaps, s

    @cached_property
    def intervals(self) -> int:
        """Number of whole steps of fixed length; the last one may be shorter."""
        assert self.dt is not None
        return max(1, math.ceil((self.t_end - self.t0) / self.dt * (1.0 - 1e-12) - 1e-9))

    @property
    def flight_resolution(self) -> float:
        """Time between samples of the gaps where no step sets it, s."""
        return self.t_end / SAMPLES if self.gap_resolution is None else self.gap_resolution

    @property
    def step_resolution(self) -> float:
        """The same within steps; those of a fixed length have their own."""
        if self.gap_resolution is None and self.dt is not None:
            return math.inf
        return self.flight_resolution

    def grid(self, interval: int) -> float:
        """Time at which an interval of fixed length begins.

        An end that is a whole number of steps away is reached by counting them, as any later step is, so
        that a resumed run equals an uninterrupted one.
        """
        assert self.dt is not None
        counted = self.t0 + interval * self.dt
        uneven = interval >= self.intervals and abs(counted - self.t_end) > 1e-9 * self.dt
        return self.t_end if uneven else counted
