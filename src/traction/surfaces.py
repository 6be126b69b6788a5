"""Surfaces of body 1 above the plane of body 2, from which the gap over a grid follows.

The gap is the undeformed distance (m) between the two bodies, up to a constant that the approach absorbs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.grid import Grid

if TYPE_CHECKING:
    from scipy.interpolate import RectBivariateSpline

INTERPOLATIONS = ("linear", "cubic")
GAP_REMEDY = (
    "a gap is an array (ny, nx) over the grid, as surface.gap(grid) returns, with a large finite value "
    "where the bodies are far apart."
)
GRID_REMEDY = "build one by tr.Grid(nx, ny, dx, dy)."
PARABOLA = "use a smaller grid, or the parabolic shape (exact=False)."
FLAT = "give an infinite radius for a flat direction."


class Surface(ABC):
    """Base class of surfaces: a shape with a gap. Surfaces can be added, as in `sphere + roughness`."""

    @abstractmethod
    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the undeformed distance h (m) at the points (`x`, `y`), m; the arrays broadcast."""

    def gap(self, grid: Grid) -> np.ndarray:
        """Return the undeformed distance h (m) at the element centres of `grid`, shape (ny, nx)."""
        checks.instance("grid", grid, Grid, GRID_REMEDY)
        height = self.height(grid.x[None, :], grid.y[:, None])
        try:
            height = np.array(np.broadcast_to(height, grid.shape))  # a copy, which the caller may change
        except ValueError:
            raise InputError(
                f"the surface has heights of shape {np.shape(height)}, expected {grid.shape}: {GAP_REMEDY}"
            ) from None
        return checks.finite_array("gap", height, unit="m", remedy=GAP_REMEDY)

    def __add__(self, other: Surface) -> Surface:
        """The sum of both gaps."""
        if not isinstance(other, Surface):
            return NotImplemented
        return SurfaceSum((self, other))


@dataclass(frozen=True)
class SurfaceSum(Surface):
    """Sum of the gaps of several surfaces."""

    parts: tuple[Surface, ...]

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the sum of the heights at (`x`, `y`), m."""
        return sum((part.height(x, y) for part in self.parts), start=np.zeros(()))


@dataclass(frozen=True)
class Sphere(Surface):
    """Ball on a plane.

    Parameters
    ----------
    radius
        Radius R, m; of two balls the relative radius, 1/R = 1/R1 + 1/R2.
    center
        Lowest point (x, y), m.
    exact
        True for the circle h = R - sqrt(R^2 - r^2), which no grid may exceed; False for the parabola
        h = r^2/(2 R) of Hertz.

    Examples
    --------
    >>> grid = tr.Grid(3, 1, dx=1e-3, dy=1e-3)
    >>> print(tr.Sphere(0.5).gap(grid) * 1e6)
    [[1. 0. 1.]]
    """

    radius: float
    center: tuple[float, float] = (0.0, 0.0)
    exact: bool = False

    def __post_init__(self) -> None:
        checks.keep(
            self,
            radius=checks.positive("radius", self.radius, "m", "it is the radius of the ball."),
            center=checks.point("center", self.center),
            exact=checks.flag("exact", self.exact),
        )

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return h (m) at (`x`, `y`), m."""
        squared = (x - self.center[0]) ** 2 + (y - self.center[1]) ** 2
        return arc_height(squared, self.radius, self.exact)


@dataclass(frozen=True)
class Cylinder(Surface):
    """Cylindrical roller on a plane.

    Parameters
    ----------
    radius
        Radius R, m.
    axis
        Direction of its axis, "x" or "y"; a roller with axis "y" rolls along x.
    center
        Position of the lowest line, m.
    exact
        True for a circle, as of `Sphere`; False for the parabola h = x^2/(2 R).

    Examples
    --------
    >>> print(tr.Cylinder(0.5).gap(tr.Grid.line(3, 1e-3)) * 1e6)
    [[1. 0. 1.]]
    """

    radius: float
    axis: str = "y"
    center: float = 0.0
    exact: bool = False

    def __post_init__(self) -> None:
        checks.keep(
            self,
            radius=checks.positive("radius", self.radius, "m", "it is the radius of the roller."),
            axis=checks.choice("axis", self.axis, ("x", "y")),
            center=checks.finite("center", self.center, "m"),
            exact=checks.flag("exact", self.exact),
        )

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return h (m) at (`x`, `y`), m."""
        across = x + 0.0 * y if self.axis == "y" else y + 0.0 * x
        return arc_height((across - self.center) ** 2, self.radius, self.exact)


@dataclass(frozen=True)
class Paraboloid(Surface):
    """Paraboloid h = x^2/(2 Rx) + y^2/(2 Ry), such as a wheel on a rail.

    Parameters
    ----------
    radius_x, radius_y
        Relative radii of curvature Rx and Ry along x and y, m; infinite where the surface is flat.
    center
        Lowest point (x, y), m.

    Examples
    --------
    >>> wheel_on_rail = tr.Paraboloid(radius_x=0.46, radius_y=0.30)
    >>> print(wheel_on_rail.gap(tr.Grid(1, 1, 1e-3, 1e-3, center=(0.01, 0.0))))
    [[0.0001087]]
    """

    radius_x: float
    radius_y: float
    center: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        checks.keep(
            self,
            radius_x=checks.positive_or_infinite("radius_x", self.radius_x, "m", FLAT),
            radius_y=checks.positive_or_infinite("radius_y", self.radius_y, "m", FLAT),
            center=checks.point("center", self.center),
        )

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return h (m) at (`x`, `y`), m."""
        along, across = x - self.center[0], y - self.center[1]
        return along**2 / (2.0 * self.radius_x) + across**2 / (2.0 * self.radius_y)


@dataclass(frozen=True)
class FunctionSurface(Surface):
    """Surface given by a function of x and y.

    Parameters
    ----------
    function
        h(x, y) in m; takes and returns numpy arrays.

    Raises
    ------
    InputError
        If it is not callable, or fails on arrays.

    Examples
    --------
    >>> wavy = tr.FunctionSurface(lambda x, y: 1e-6 * np.cos(2 * np.pi * x / 1e-3) + 0 * y)
    >>> rough_ball = tr.Sphere(0.02) + wavy
    >>> rough_ball.gap(tr.Grid(8, 8, 0.1e-3, 0.1e-3)).shape
    (8, 8)
    """

    function: Callable[[np.ndarray, np.ndarray], ArrayLike]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(
                f"function = {checks.shown(self.function)} must be a function h(x, y) of two arrays, in m."
            )

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return h (m) at (`x`, `y`), m."""
        try:
            values = self.function(x, y)
        except InputError:
            raise
        except (TypeError, ValueError) as error:
            name = getattr(self.function, "__name__", None) or checks.shown(self.function)
            raise InputError(
                f"function = {name} fails as h(x, y) on arrays of shapes {np.shape(x)} and {np.shape(y)}: "
                f"{error}. It must take two numpy arrays; use numpy's functions and np.where inside it."
            ) from error
        return checks.real_array("height", values, "m", GAP_REMEDY)


@dataclass(frozen=True, eq=False)
class HeightMap(Surface):
    """Measured surface: heights on a rectangular raster, interpolated between the points.

    Parameters
    ----------
    x, y
        Positions along x and y, m, increasing.
    z
        Heights z[j, i] at (x[i], y[j]), m, shape (len(y), len(x)).
    interpolation
        "linear" or "cubic".

    Raises
    ------
    InputError
        If positions do not increase or shapes differ; a grid beyond the raster raises too.

    Examples
    --------
    >>> x = y = np.linspace(-1e-3, 1e-3, 21)
    >>> z = (x[None, :] ** 2 + y[:, None] ** 2) / (2 * 0.05)
    >>> gap = tr.HeightMap(x, y, z, interpolation="cubic").gap(tr.Grid(4, 4, 0.2e-3, 0.2e-3))
    >>> print(f"{gap.min() * 1e6:.2f} um")
    0.20 um
    """

    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    interpolation: str = "linear"

    def __post_init__(self) -> None:
        checks.keep(self, interpolation=checks.choice("interpolation", self.interpolation, INTERPOLATIONS))
        least = 2 if self.interpolation == "linear" else 4
        for name in ("x", "y"):
            checks.keep(self, **{name: _check_increasing(name, getattr(self, name), least)})
        shape = (self.y.size, self.x.size)
        z = checks.finite_array("z", self.z, shape, "m", "z[j, i] belongs to y[j] and x[i].")
        checks.keep(self, z=z.copy())

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return h (m) at (`x`, `y`), m."""
        _require_inside("x", x, self.x)
        _require_inside("y", y, self.y)
        x, y = np.broadcast_arrays(x, y)
        return self._spline.ev(y, x)

    @cached_property
    def _spline(self) -> RectBivariateSpline:
        from scipy.interpolate import RectBivariateSpline

        degree = 1 if self.interpolation == "linear" else 3
        return RectBivariateSpline(self.y, self.x, self.z, kx=degree, ky=degree, s=0)


@dataclass(frozen=True, eq=False)
class RollingProfile(Surface):
    """Wheel of a given rolling radius over a lateral profile: h = R - sqrt(R^2 - x^2) + z(y).

    Parameters
    ----------
    radius
        Rolling radius R, m.
    y
        Lateral positions, m, increasing.
    z
        Distance of wheel and rail in the plane of the axle at these positions, m.
    interpolation
        "linear" or "cubic".

    Raises
    ------
    InputError
        If positions do not increase or shapes differ; a grid wider than the profile raises too.

    Examples
    --------
    >>> y = np.linspace(-0.01, 0.01, 41)
    >>> profile = tr.RollingProfile(0.46, y, y**2 / (2 * 0.3), interpolation="cubic")
    >>> profile.gap(tr.Grid(20, 10, 1e-3, 1e-3)).shape
    (10, 20)
    """

    radius: float
    y: np.ndarray
    z: np.ndarray
    interpolation: str = field(default="linear")

    def __post_init__(self) -> None:
        radius = checks.positive("radius", self.radius, "m", "it is the rolling radius of the wheel.")
        checks.keep(self, radius=radius)
        checks.keep(self, interpolation=checks.choice("interpolation", self.interpolation, INTERPOLATIONS))
        checks.keep(self, y=_check_increasing("y", self.y, 2 if self.interpolation == "linear" else 4))
        z = checks.finite_array("z", self.z, self.y.shape, "m", "z[j] belongs to y[j].")
        checks.keep(self, z=z.copy())

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return h (m) at (`x`, `y`), m."""
        from scipy.interpolate import make_interp_spline

        _require_inside("y", y, self.y)
        profile = make_interp_spline(self.y, self.z, k=1 if self.interpolation == "linear" else 3)
        remedy = "use a grid that is shorter along x."
        return circular_arc(np.square(x), self.radius, remedy) + profile(y)


def arc_height(squared: np.ndarray, radius: float, exact: bool) -> np.ndarray:
    """Height of a ball or a roller at the squared distance r^2 from its lowest point, or Hertz's parabola."""
    return circular_arc(squared, radius, PARABOLA) if exact else squared / (2.0 * radius)


def circular_arc(squared: np.ndarray, radius: float, remedy: str) -> np.ndarray:
    """R - sqrt(R^2 - r^2) without cancellation, from r^2."""
    if np.any(squared > radius**2):
        farthest = float(np.sqrt(np.max(squared)))
        raise InputError(
            f"the grid reaches {farthest:.4g} m from the lowest point, beyond radius = {radius:.4g} m: "
            f"{remedy}"
        )
    return squared / (radius + np.sqrt(radius**2 - squared))


GapInput = ArrayLike | Surface | Callable[[np.ndarray, np.ndarray], ArrayLike]  #: as given by a user


def gap_on(shape: GapInput, grid: Grid) -> np.ndarray:
    """Gap (m) over the grid from an array, a surface or a function h(x, y)."""
    checks.instance("grid", grid, Grid, GRID_REMEDY)
    if isinstance(shape, Surface):
        return shape.gap(grid)
    if callable(shape):
        return FunctionSurface(shape).gap(grid)
    return checks.finite_array("gap", shape, grid.shape, "m", GAP_REMEDY).copy()  # results keep it


def _check_increasing(name: str, values: ArrayLike, least: int) -> np.ndarray:
    array = checks.finite_array(name, values, unit="m").copy()
    if array.ndim != 1 or array.size < least:
        raise InputError(f"{name} has shape {array.shape}; at least {least} positions in one row are needed.")
    if not (np.diff(array) > 0.0).all():
        where = int(np.argmin(np.diff(array) > 0.0))
        raise InputError(
            f"{name}[{where + 1}] = {array[where + 1]} m must exceed {name}[{where}]; sort the positions."
        )
    return array


def _require_inside(name: str, wanted: np.ndarray, known: np.ndarray) -> None:
    low, high = float(np.min(wanted)), float(np.max(wanted))
    slack = 1e-9 * (known[-1] - known[0])
    if low < known[0] - slack or high > known[-1] + slack:
        raise InputError(
            f"the grid covers {name} = {low:.6g} to {high:.6g} m, but the surface is known only from "
            f"{known[0]:.6g} to {known[-1]:.6g} m; use a smaller grid or more data."
        )
