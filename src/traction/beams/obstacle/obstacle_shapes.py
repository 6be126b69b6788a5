"""Obstacles: the gap (m) under the straight beam at positions x (m), and its derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError

STEP = 1e-4  #: of the beam's length, for derivatives of given functions


class ObstacleGap(ABC):
    """The gap (m) at positions x (m): a plane near the obstacle, and the deviation from it.

    A shape states either the deviation or the whole gap; the other follows.
    """

    breaks: tuple[float, ...]  #: places (m) where the gap jumps or has a corner

    @property
    @abstractmethod
    def line(self) -> tuple[float, float]:
        """Gap (m) at x = 0 and slope of a plane near the obstacle, from which `deviation` is counted."""

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """Deviation of the gap from the plane, m."""
        return self(x) - self.line[0]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap, m."""
        gap, incline = self.line
        return gap + incline * np.asarray(x, dtype=float) + self.deviation(x)

    def slope(self, x: float) -> float:
        """Slope of the obstacle."""
        return self.line[1]

    def curvature(self, x: float) -> float:
        """Second derivative, 1/m."""
        return 0.0


ObstacleInput = float | ObstacleGap | Callable[[np.ndarray], ArrayLike]  #: as given by a user


@dataclass(frozen=True)
class Inclined(ObstacleGap):
    """A plane obstacle: gap + slope x."""

    gap: float  #: at x = 0, m
    incline: float = 0.0  #: growth of the gap per length
    breaks: tuple[float, ...] = ()

    @property
    def line(self) -> tuple[float, float]:
        """The plane itself."""
        return self.gap, self.incline

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """Zero."""
        return np.zeros(np.shape(x))


@dataclass(frozen=True)
class Curved(ObstacleGap):
    """A parabola, round (radius > 0) or hollow: gap + (x - at)^2/(2 radius)."""

    gap: float  #: at x = at, m
    radius: float  #: of curvature, m
    at: float  #: m
    breaks: tuple[float, ...] = ()

    @property
    def line(self) -> tuple[float, float]:
        """The tangent at its smallest gap."""
        return self.gap, 0.0

    def deviation(self, x: np.ndarray) -> np.ndarray:
        """The parabola, m."""
        return (np.asarray(x, dtype=float) - self.at) ** 2 / (2.0 * self.radius)

    def slope(self, x: float) -> float:
        """Slope of the parabola."""
        return (x - self.at) / self.radius

    def curvature(self, x: float) -> float:
        """1/radius, 1/m."""
        return 1.0 / self.radius


@dataclass(frozen=True)
class Stepped(ObstacleGap):
    """Level pieces: gaps[k] from places[k - 1] to places[k]."""

    gaps: tuple[float, ...]  #: m
    breaks: tuple[float, ...]  #: places of the steps, m

    @property
    def line(self) -> tuple[float, float]:
        """The plane of the first piece."""
        return self.gaps[0], 0.0

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The gap of the piece at x, m."""
        return np.asarray(self.gaps)[np.searchsorted(self.breaks, np.asarray(x, dtype=float), side="right")]


@dataclass(frozen=True, eq=False)
class GivenObstacle(ObstacleGap):
    """A smooth function of x; derivatives by differences."""

    function: Callable[[np.ndarray], ArrayLike]
    length: float  #: of the beam, m
    breaks: tuple[float, ...] = ()

    @property
    def line(self) -> tuple[float, float]:
        """The level plane through its gap at x = 0."""
        return float(self(np.zeros(1))[0]), 0.0

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Values of the function, m."""
        places = np.asarray(x, dtype=float)
        return np.asarray(call_function("obstacle", self.function, places), dtype=float)

    def slope(self, x: float) -> float:
        """By a central difference."""
        h = STEP * self.length
        a, b = self(np.array([x - h, x + h]))
        return float((b - a) / (2.0 * h))

    def curvature(self, x: float) -> float:
        """By a second difference, 1/m."""
        h = 10.0 * STEP * self.length
        a, m, b = self(np.array([x - h, x, x + h]))
        return float((a - 2.0 * m + b) / h**2)


def call_function(name: str, function: Callable[[np.ndarray], ArrayLike], x: np.ndarray) -> np.ndarray:
    """Values of a user's function at positions; it may be constant."""
    values = np.asarray(function(x.ravel()))
    if values.ndim and values.size != x.size:
        raise InputError(
            f"{name} returned {values.size} values for {x.size} positions; it must take the array x."
        )
    return np.array(np.broadcast_to(values.ravel() if values.ndim else values, x.size)).reshape(x.shape)


def flat(gap: float) -> Inclined:
    """Return a level obstacle below the beam.

    Parameters
    ----------
    gap
        Distance from the straight beam, m.

    Returns
    -------
    Inclined
        Obstacle for `tr.obstacle.solve`.

    Raises
    ------
    InputError
        If the gap is not finite.

    Examples
    --------
    >>> tr.obstacle.flat(2e-3).gap
    0.002
    """
    return Inclined(checks.finite("gap", gap, "m"))


def inclined(gap: float, slope: float) -> Inclined:
    """Return a plane obstacle with a slope.

    Parameters
    ----------
    gap
        Distance from the straight beam at x = 0, m.
    slope
        Increase of the gap per length.

    Returns
    -------
    Inclined
        Obstacle gap + slope x for `tr.obstacle.solve`.

    Raises
    ------
    InputError
        If gap or slope is not finite.

    Examples
    --------
    >>> print(tr.obstacle.inclined(2e-3, 1e-3).slope(0.5))
    0.001
    """
    return Inclined(checks.finite("gap", gap, "m"), checks.finite("slope", slope))


def curved(gap: float, radius: float, at: float) -> Curved:
    """Return a round obstacle.

    Parameters
    ----------
    gap
        Smallest distance from the straight beam, m.
    radius
        Radius of curvature, m; negative for a hollow.
    at
        Position of the smallest gap, m.

    Returns
    -------
    Curved
        Obstacle gap + (x - at)^2/(2 radius) for `tr.obstacle.solve`.

    Raises
    ------
    InputError
        If a number is not finite, or the radius zero.

    Examples
    --------
    >>> print(tr.obstacle.curved(2e-3, 50.0, at=1.0).curvature(1.0))
    0.02
    """
    size = checks.finite("radius", radius, "m")
    if size == 0.0:
        raise InputError("radius = 0.0 m must not be zero; give the radius of curvature of the obstacle.")
    return Curved(checks.finite("gap", gap, "m"), size, checks.finite("at", at, "m"))


def stepped(gaps: Sequence[float], places: Sequence[float]) -> Stepped:
    """Return an obstacle of level pieces.

    Parameters
    ----------
    gaps
        Distance of each piece from the straight beam, m.
    places
        Positions of the steps, m, one fewer than gaps, increasing.

    Returns
    -------
    Stepped
        Obstacle for `tr.obstacle.solve`.

    Raises
    ------
    InputError
        If there is not one position between two gaps each, or they do not increase.

    Examples
    --------
    >>> tr.obstacle.stepped([2e-3, 5e-3], [0.5]).gaps
    (0.002, 0.005)
    """
    levels = checks.finite_array("gaps", gaps, unit="m").ravel()
    steps = checks.finite_array("places", places, unit="m").ravel()
    if steps.size != levels.size - 1 or not (np.diff(steps) > 0.0).all():
        raise InputError(
            f"places has {steps.size} values, expected {levels.size - 1}, increasing: one between two gaps."
        )
    return Stepped(tuple(map(float, levels)), tuple(map(float, steps)))


def read_obstacle(name: str, obstacle: ObstacleInput, length: float) -> ObstacleGap:
    """The obstacle given by a user: a number, one of the shapes, or a function of x."""
    if isinstance(obstacle, ObstacleGap):
        return obstacle
    if callable(obstacle):
        return GivenObstacle(obstacle, length)
    return Inclined(checks.positive(name, obstacle, "m", "the obstacle lies below the straight beam."))
