"""Damping of modes: ratios, or Rayleigh's proportions of mass and stiffness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from traction import checks
from traction.errors import InputError


@dataclass(frozen=True)
class Rayleigh:
    """Damping alpha M + beta K: the ratio of a mode is (alpha/omega + beta omega)/2."""

    alpha: float  #: 1/s
    beta: float  #: s

    def __post_init__(self) -> None:
        checks.keep(
            self,
            alpha=checks.at_least("alpha", self.alpha, 0.0, "1/s"),
            beta=checks.at_least("beta", self.beta, 0.0, "s"),
        )

    @classmethod
    def fitted(cls, frequencies: tuple[float, float], ratios: tuple[float, float]) -> Rayleigh:
        """The one with given ratios at two frequencies (rad/s)."""
        (a, b), (x, y) = frequencies, ratios
        a, b = checks.positive("frequencies[0]", a, "rad/s"), checks.positive("frequencies[1]", b, "rad/s")
        if a == b:
            raise InputError(f"frequencies = {frequencies} rad/s must be two different ones.")
        beta = 2.0 * (y * b - x * a) / (b * b - a * a)
        return cls(2.0 * x * a - beta * a * a, beta)


Damping = float | tuple[float, ...] | Rayleigh
DampingInput = float | Sequence[float] | Rayleigh  #: what a user gives


def check_damping(value: DampingInput) -> Damping:
    """A ratio for all modes, ratios per mode, or Rayleigh's."""
    if isinstance(value, Rayleigh):
        return value
    if np.ndim(value) == 0:
        return _check_ratio("damping", value)
    return tuple(_check_ratio(f"damping[{k}]", one) for k, one in enumerate(cast(Sequence[float], value)))


def ratios(damping: Damping, frequencies: np.ndarray) -> np.ndarray:
    """Share of critical damping of modes with these frequencies, rad/s."""
    if isinstance(damping, Rayleigh):
        moving = frequencies > 0.0
        share = np.zeros_like(frequencies)
        share[moving] = 0.5 * (damping.alpha / frequencies[moving] + damping.beta * frequencies[moving])
        return share
    if isinstance(damping, float):
        return np.full(frequencies.size, damping)
    if len(damping) < frequencies.size:
        raise InputError(
            f"damping has {len(damping)} ratios for {frequencies.size} modes; give one for each, or one "
            "number for all."
        )
    return np.array(damping[: frequencies.size])


def rates(damping: Damping, frequencies: np.ndarray) -> np.ndarray:
    """2 zeta omega of modes, 1/s; Rayleigh's alpha also brakes motion of the whole beam."""
    if isinstance(damping, Rayleigh):
        return damping.alpha + damping.beta * frequencies**2
    return 2.0 * ratios(damping, frequencies) * frequencies


def _check_ratio(name: str, value: object) -> float:
    ratio = checks.at_least(name, value, 0.0)
    if ratio >= 1.0:
        raise InputError(
            f"{name} = {ratio} must be below 1, the critical damping; bridges have 0.005 to 0.03."
        )
    return ratio
