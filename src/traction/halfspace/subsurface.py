"""Stress and displacement inside the bodies: exact for tractions that are constant over each element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.grid import Grid
from traction.halfspace.kernels import subsurface_fields as kernels
from traction.materials import Material, Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, data, figure
from traction.quantities import counted


@dataclass(frozen=True, eq=False, repr=False)
class Stress(Result):
    """Stress at points of one body, Pa, tension positive, in the axes of the contact (z up, into body 1)."""

    _rows, _drawn = ("point",), "von_mises"

    points: np.ndarray  #: (..., 3): x, y, z in m
    tensor: np.ndarray  #: (..., 3, 3), symmetric

    @property
    def xx(self) -> np.ndarray:
        """Normal stress along the rolling direction."""
        return self.tensor[..., 0, 0]

    @property
    def yy(self) -> np.ndarray:
        """Normal stress along the lateral direction."""
        return self.tensor[..., 1, 1]

    @property
    def zz(self) -> np.ndarray:
        """Normal stress across the surface: minus the pressure at z = 0."""
        return self.tensor[..., 2, 2]

    @property
    def xy(self) -> np.ndarray:
        """Shear stress in planes parallel to the surface."""
        return self.tensor[..., 0, 1]

    @property
    def xz(self) -> np.ndarray:
        """Shear stress: minus the traction along x at z = 0, in both bodies."""
        return self.tensor[..., 0, 2]

    @property
    def yz(self) -> np.ndarray:
        """Shear stress: minus the traction along y at z = 0, in both bodies."""
        return self.tensor[..., 1, 2]

    @property
    def pressure(self) -> np.ndarray:
        """Hydrostatic part: -(xx + yy + zz)/3, positive in compression."""
        return -np.trace(self.tensor, axis1=-2, axis2=-1) / 3.0

    @property
    def von_mises(self) -> np.ndarray:
        """Equivalent stress sqrt(3/2 s:s) of the deviator s; yield begins at the tensile yield stress."""
        deviator = self.tensor + self.pressure[..., None, None] * np.eye(3)
        return np.sqrt(1.5 * np.sum(deviator**2, axis=(-2, -1)))

    @property
    def principal(self) -> np.ndarray:
        """Principal stresses (..., 3), the largest first."""
        return np.linalg.eigvalsh(self.tensor)[..., ::-1]

    @property
    def max_shear(self) -> np.ndarray:
        """Largest shear stress on any plane (Tresca): half the range of the principal stresses."""
        principal = self.principal
        return 0.5 * (principal[..., 0] - principal[..., 2])

    def _headline(self) -> str:
        return counted(self.von_mises.size, "point")

    def _variables(self) -> Iterator[Variable]:
        points, mises = self.points.reshape(-1, 3), self.von_mises.ravel()
        if mises.size:
            yield figure("peak_von_mises", float(mises.max()), "Pa", "largest von Mises stress")
            yield figure("peak_z", float(points[mises.argmax(), 2]), "m", "at z")
        for k, name in enumerate("xyz"):
            yield data(name, points[:, k], "m", f"position along {name}", "point")
        for name in ("xx", "yy", "zz", "xy", "xz", "yz"):
            kind = "normal" if name[0] == name[1] else "shear"
            yield data(f"stress_{name}", getattr(self, name).ravel(), "Pa", f"{kind} stress {name}", "point")
        yield data("pressure", self.pressure.ravel(), "Pa", "hydrostatic pressure", "point")
        yield data("max_shear", self.max_shear.ravel(), "Pa", "largest shear stress (Tresca)", "point")
        yield data("von_mises", mises, "Pa", "von Mises stress", "point")


def subsurface_stress(points: ArrayLike, grid: Grid, traction: ArrayLike, pair: Pair, *, body: int) -> Stress:
    """Stress of `body` (1: upper, z >= 0; 2: lower, z <= 0) at `points` (..., 3), m.

    `traction` (3, ny, nx), Pa, is (px, py, pressure) on body 1, constant over each element of `grid`. A line
    grid is in plane strain along y. At the surface the stress is the limit from inside. On an edge across
    which the tangential traction jumps, and at a corner of elements, there is none: the stress grows with the
    logarithm of the distance, and the value is that at a depth of 1e-12 cells.

    The fields of the corners of elements cancel far away: the rounding error, relative to the stress, grows
    like 1e-16 (distance/element size)^2.
    """
    field = _SurfaceLoad.checked(points, grid, traction, pair, body)
    if grid.is_line:
        values = kernels.strip_stress(*field.strips, field.material.poisson_ratio)
    else:
        values = kernels.rectangle_stress(*field.rectangles, field.material.poisson_ratio)
    values[:, 4:] *= field.side
    tensor = values[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(*field.points.shape, 3)
    return Stress(field.points, tensor)


def subsurface_displacement(
    points: ArrayLike, grid: Grid, traction: ArrayLike, pair: Pair, *, body: int
) -> np.ndarray:
    """Displacement (..., 3), m, of `body` at `points`, z up; arguments as for `subsurface_stress`.

    The body is at rest at infinity. A body in line contact is not: its displacement is that of a strip of
    length `grid.length` along y, at the middle, in the limit where that length is large.
    """
    field = _SurfaceLoad.checked(points, grid, traction, pair, body)
    nu = field.material.poisson_ratio
    if grid.is_line:
        length = grid.reference_length("displacement") / field.unit
        moved = kernels.strip_displacement(*field.strips, nu, length)
    else:
        moved = kernels.rectangle_displacement(*field.rectangles, nu)
    moved *= field.unit / field.material.shear_modulus
    moved[:, 2] *= field.side
    return moved.reshape(field.points.shape)


@dataclass(frozen=True, eq=False)
class _SurfaceLoad:
    """A checked question: one body, mirrored into z >= 0 where it is the lower one, and the load on it."""

    points: np.ndarray
    grid: Grid
    load: np.ndarray  #: (3, ny, nx): along x, along y, into the body
    material: Material
    side: int  #: +1 for body 1, -1 for body 2: z times side is the depth

    @classmethod
    def checked(
        cls, points: ArrayLike, grid: Grid, traction: ArrayLike, pair: Pair, body: int
    ) -> _SurfaceLoad:
        checks.instance("grid", grid, Grid, "build one by tr.Grid(nx, ny, dx, dy).")
        checks.instance("pair", pair, Pair, "give two materials, such as tr.Pair(tr.STEEL, tr.STEEL).")
        material = pair.body(body)
        if material.rigid:
            raise InputError(
                f"body {body} is rigid: the stress in it is not defined. Ask for body={3 - body}, or give "
                f"body {body} a finite Young's modulus."
            )
        side = 1 if body == 1 else -1
        load = _check_traction(traction, grid) * np.array([side, side, 1.0])[:, None, None]
        return cls(_check_points(points, body, side), grid, load, material, side)

    @property
    def unit(self) -> float:
        """Length in which the kernels see the geometry, m: the shorter side of a cell."""
        return self.grid.dx if self.grid.is_line else min(self.grid.dx, self.grid.dy)

    @property
    def local_points(self) -> np.ndarray:
        """Points (n, 3) as (x, y, depth), from the centre of the grid and in cells."""
        origin = np.array([*self.grid.center, 0.0])
        return (self.points.reshape(-1, 3) - origin) * np.array([1.0, 1.0, self.side]) / self.unit

    @property
    def rectangles(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, corners (m, 2) where the load varies, and its mixed difference (m, 3) there."""
        padded = np.pad(self.load, ((0, 0), (1, 1), (1, 1)))
        jumps = np.diff(np.diff(padded, axis=1), axis=2)
        rows, columns = np.nonzero(np.any(jumps != 0.0, axis=0))
        x = (columns - 0.5 * self.grid.nx) * (self.grid.dx / self.unit)
        y = (rows - 0.5 * self.grid.ny) * (self.grid.dy / self.unit)
        return self.local_points, np.stack([x, y], axis=1), np.ascontiguousarray(jumps[:, rows, columns].T)

    @property
    def strips(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, edges (m,) where the load varies, and its difference (m, 3) there."""
        jumps = np.diff(np.pad(self.load[:, 0], ((0, 0), (1, 1))), axis=1)
        (columns,) = np.nonzero(np.any(jumps != 0.0, axis=0))
        return self.local_points, columns - 0.5 * self.grid.nx, np.ascontiguousarray(jumps[:, columns].T)


def _check_traction(traction: ArrayLike, grid: Grid) -> np.ndarray:
    field = checks.finite_array("traction", traction, unit="Pa")
    if field.shape != (3, *grid.shape):
        raise InputError(
            f"traction has shape {field.shape}, expected {(3, *grid.shape)}: px, py and the pressure "
            "on body 1 over the (ny, nx) elements of the grid."
        )
    return field


def _check_points(points: ArrayLike, body: int, side: int) -> np.ndarray:
    clean = checks.finite_array("points", points, unit="m").copy()  # the result keeps them
    if clean.ndim == 0 or clean.shape[-1] != 3:
        raise InputError(
            f"points has shape {clean.shape}, expected (..., 3): x, y and z of each point, in m."
        )
    outside = np.argwhere(side * clean[..., 2] < 0.0)
    if len(outside):
        where = (*(int(i) for i in outside[0]), 2)
        raise InputError(
            f"points{list(where)} = {clean[where]} m lies outside body {body}, which is where "
            f"z {'>=' if side > 0 else '<='} 0 (z is up, into body 1). Change its sign, or ask for "
            f"body={3 - body}."
        )
    return clean
