"""`OwnLaw`: a coefficient of friction by a function of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.errors import InputError
from traction.friction_laws.friction_law import FASTEST, FrictionLaw, check_law
from traction.friction_laws.kernels.coefficients import TABULATED, CompiledFriction

Function = Callable[[float], float]

DIFFERENCE = 6e-6  #: of speeds in central differences, relative to 0.1 m/s and the speed
SLOWEST = 1e-3  #: scale of the table's speeds, m/s: below, they are equally spaced
DENSITY = 128  #: places of the table per unit of ln(1 + s/SLOWEST)


@dataclass(frozen=True)
class OwnLaw(FrictionLaw):
    """Friction by functions of the slip speed; made by `tr.friction.own`."""

    function: Function
    slope: Function | None = None

    def __post_init__(self) -> None:
        for name, value in (("function", self.function), ("derivative", self.slope)):
            if not callable(value) and not (name == "derivative" and value is None):
                raise InputError(f"{name} must be a function of the slip speed (m/s), as lambda s: 0.3.")
        check_law(self)

    def evaluate(self, slip_speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and their derivatives (s/m) at clean slip speeds, m/s."""
        mu = _call("function", self.function, slip_speed)
        if self.slope is not None:
            return mu, _call("derivative", self.slope, slip_speed)
        way = DIFFERENCE * (0.1 + slip_speed)
        below = np.maximum(0.0, slip_speed - way)
        # at rest, where there is nothing below, by three places above: the error is of the same order
        rise = _call("function", self.function, slip_speed + way) - _call("function", self.function, below)
        slope = rise / (slip_speed + way - below)
        start = slip_speed < way
        if start.any():
            h, base = way[start], slip_speed[start]
            one, two = (_call("function", self.function, base + k * h) for k in (1.0, 2.0))
            slope[start] = (4.0 * one - two - 3.0 * mu[start]) / (2.0 * h)
        return mu, slope

    def compiled(self) -> CompiledFriction:
        """Return the law as kernels take it: a table of cubics, to 1e-7 where the function is smooth."""
        return CompiledFriction(TABULATED, self.kinetic, 0.0, SLOWEST, 0.0, float(DENSITY), self._table)

    @cached_property
    def _table(self) -> np.ndarray:
        u = np.arange(0.0, np.log1p(FASTEST / SLOWEST) + 1.0 / DENSITY, 1.0 / DENSITY)
        speeds = SLOWEST * np.expm1(u)
        mu, slope = self.evaluate(speeds)
        return np.ascontiguousarray(np.stack((mu, slope * (SLOWEST + speeds)), axis=1))


def _call(name: str, function: Function, speeds: np.ndarray) -> np.ndarray:
    """Values of a function that takes numbers, at each speed."""
    try:
        values = [float(function(float(speed))) for speed in speeds.ravel()]
    except Exception as error:
        words = f"{type(error).__name__}: {error}".splitlines()[0]
        raise InputError(
            f"{name} must take a slip speed (m/s) and return a number; it raised {words}."
        ) from error
    return np.array(values, dtype=float).reshape(speeds.shape)
