"""Obstacles: the gap (m) under the straight beam at places x (m), and its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from traction import checks
from traction.errors import InputError

STEP = 1e-4  #: of the beam's length, for derivatives of functions that users give


class Gap(Protocol):
    """The gap (m) at places x (m), and what follows from it."""

    @property
    def breaks(self) -> tuple[float, ...]:
        """Places (m) where the gap jumps or has a corner."""
        ...

    @property
    def line(self) -> tuple[float, float]:
        """Gap (m) at x = 0 and slope of a plane near it, from which `deviation` is counted."""
        ...

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """The gap beyond the plane, m."""
        ...

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap, m."""
        ...

    def slope(self, x: float) -> float:
        """Of the obstacle."""
        ...

    def curvature(self, x: float) -> float:
        """Second derivative, 1/m."""
        ...


@dataclass(frozen=True)
class Inclined:
    """A plane obstacle: gap + slope x."""

    gap: float  #: at x = 0, m
    incline: float = 0.0  #: growth of the gap per length
    breaks: tuple[float, ...] = ()

    @property
    def line(self) -> tuple[float, float]:
        """The plane near it."""
        return self.gap, self.incline

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """The gap beyond the plane, m."""
        return np.zeros(np.shape(x))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap, m."""
        return self.gap + self.incline * np.asarray(x, dtype=float)

    def slope(self, x: float) -> float:
        """Of the obstacle."""
        return self.incline

    def curvature(self, x: float) -> float:
        """Of a plane."""
        return 0.0


@dataclass(frozen=True)
class Curved:
    """A parabola, round (radius > 0) or hollow: gap + (x - at)^2/(2 radius)."""

    gap: float  #: at x = at, m
    radius: float  #: of curvature, m
    at: float  #: m
    breaks: tuple[float, ...] = ()

    @property
    def line(self) -> tuple[float, float]:
        """The plane near it."""
        return self.gap, 0.0

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """The gap beyond the plane, m."""
        return (np.asarray(x, dtype=float) - self.at) ** 2 / (2.0 * self.radius)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap, m."""
        return self.gap + self.deviation(x)

    def slope(self, x: float) -> float:
        """Of the obstacle."""
        return (x - self.at) / self.radius

    def curvature(self, x: float) -> float:
        """Second derivative, 1/m."""
        return 1.0 / self.radius


@dataclass(frozen=True)
class Stepped:
    """Level pieces: gaps[k] from places[k - 1] to places[k]."""

    gaps: tuple[float, ...]  #: m
    breaks: tuple[float, ...]  #: places of the steps, m

    @property
    def line(self) -> tuple[float, float]:
        """The plane near it."""
        return self.gaps[0], 0.0

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """The gap beyond the plane, m."""
        return self(x) - self.gaps[0]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap, m."""
        return np.asarray(self.gaps)[np.searchsorted(self.breaks, np.asarray(x, dtype=float), side="right")]

    def slope(self, x: float) -> float:
        """Of a level piece."""
        return 0.0

    def curvature(self, x: float) -> float:
        """Of a level piece."""
        return 0.0


@dataclass(frozen=True, eq=False)
class Given:
    """A smooth function of a user; derivatives by differences."""

    function: Callable[[np.ndarray], Any]
    length: float  #: of the beam, m
    breaks: tuple[float, ...] = ()

    @property
    def line(self) -> tuple[float, float]:
        """The plane near it."""
        return float(self(np.zeros(1))[0]), 0.0

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """The gap beyond the plane, m."""
        return self(x) - self.line[0]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap, m."""
        places = np.asarray(x, dtype=float)
        values = np.asarray(self.function(places.ravel()), dtype=float)
        if values.ndim and values.size != places.size:
            raise InputError(
                f"obstacle gave {values.size} values at {places.size} places; it must be a function of the "
                "array x."
            )
        return np.array(np.broadcast_to(values.ravel() if values.ndim else values, places.size)).reshape(
            places.shape
        )

    def slope(self, x: float) -> float:
        """Of the obstacle."""
        h = STEP * self.length
        a, b = self(np.array([x - h, x + h]))
        return float((b - a) / (2.0 * h))

    def curvature(self, x: float) -> float:
        """Second derivative, 1/m."""
        h = 10.0 * STEP * self.length
        a, m, b = self(np.array([x - h, x, x + h]))
        return float((a - 2.0 * m + b) / h**2)


def flat(gap: float) -> Inclined:
    """A level obstacle at a gap (m) under the beam."""
    return Inclined(checks.finite("gap", gap, "m"))


def inclined(gap: float, slope: float) -> Inclined:
    """A plane obstacle: gap (m) at x = 0, that grows by `slope` per length."""
    return Inclined(checks.finite("gap", gap, "m"), checks.finite("slope", slope))


def curved(gap: float, radius: float, at: float) -> Curved:
    """A round obstacle with its smallest gap (m) at a place (m); a negative radius (m) makes it hollow."""
    size = checks.finite("radius", radius, "m")
    if size == 0.0:
        raise InputError("radius = 0.0 m must not be zero; give the radius of curvature of the obstacle.")
    return Curved(checks.finite("gap", gap, "m"), size, checks.finite("at", at, "m"))


def stepped(gaps: Sequence[float], places: Sequence[float]) -> Stepped:
    """Level pieces with gaps (m), that change at `places` (m), one less."""
    levels = checks.finite_array("gaps", gaps, unit="m").ravel()
    steps = checks.finite_array("places", places, unit="m").ravel()
    if steps.size != levels.size - 1 or not (np.diff(steps) > 0.0).all():
        raise InputError(
            f"places has {steps.size} values, expected {levels.size - 1}, growing: one between two gaps each."
        )
    return Stepped(tuple(map(float, levels)), tuple(map(float, steps)))


def gap_of(name: str, obstacle: Any, length: float) -> Gap:
    """The obstacle that a user gave: a number, one of the shapes, or a function of x."""
    if isinstance(obstacle, Inclined | Curved | Stepped | Given):
        return obstacle
    if callable(obstacle):
        return Given(obstacle, length)
    gap = checks.positive(name, obstacle, "m", "the obstacle lies below the straight beam.")
    return Inclined(gap)
