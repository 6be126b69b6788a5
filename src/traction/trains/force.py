"""Forces of axles over time, with their rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.trains.travel import sampled


@dataclass(frozen=True)
class HarmonicAxle:
    """F(t) = mean + amplitude sin(2 pi frequency t + phase), N, downwards."""

    mean: float  #: N
    amplitude: float  #: N
    frequency: float  #: Hz
    phase: float = 0.0  #: rad

    def __post_init__(self) -> None:
        checks.keep(
            self,
            mean=checks.finite("mean", self.mean, "N"),
            amplitude=checks.finite("amplitude", self.amplitude, "N"),
            frequency=checks.positive("frequency", self.frequency, "Hz"),
            phase=checks.finite("phase", self.phase, "rad"),
        )

    def __call__(self, t: Any) -> np.ndarray:
        """F at times t, s."""
        return np.asarray(self.mean + self._wave(t, 0))

    def rate(self, t: Any, order: int) -> np.ndarray:
        """Derivative of an order by time."""
        return self._wave(t, order)

    def _wave(self, t: Any, order: int) -> np.ndarray:
        omega = 2.0 * math.pi * self.frequency
        angle = omega * np.asarray(t, dtype=float) + self.phase + 0.5 * math.pi * order
        return np.asarray(self.amplitude * omega**order * np.sin(angle))


Force = float | HarmonicAxle | Callable[..., Any]


def force(name: str, value: Any) -> Force:
    """A number in N, or a function of time in s."""
    if isinstance(value, HarmonicAxle) or callable(value):
        return value
    return checks.finite(name, value, "N")


def force_rates(value: Force, t: np.ndarray, step: float) -> np.ndarray:
    """F, F' and F'' at times t, (3, nt); of a function by differences over a quarter `step`."""
    rates = np.zeros((3, t.size))
    if isinstance(value, HarmonicAxle):
        rates[0] = value(t)
        rates[1], rates[2] = value.rate(t, 1), value.rate(t, 2)
    elif callable(value):
        d = 0.25 * step
        far, near, here, after, beyond = (sampled("force", value, t + k * d) for k in (-2, -1, 0, 1, 2))
        rates[0] = here
        rates[1] = (8.0 * (after - near) - (beyond - far)) / (12.0 * d)
        rates[2] = (16.0 * (after + near) - (beyond + far) - 30.0 * here) / (12.0 * d * d)
    else:
        rates[0] = value
    return rates
