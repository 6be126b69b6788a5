"""Stress and displacement inside the bodies: exact for tractions that are constant over each element.

The stress of an element at a point depends on their distance alone, so in a plane at one depth a lattice of
points with the spacing of the grid needs each influence coefficient once: products by FFT over n elements at
n points cost n log n instead of n^2. The lattice may be shifted by any part of a cell and may have gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.fft
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.grid import Grid
from traction.halfspace.convolution import find_fast_length
from traction.halfspace.kernels import subsurface_fields as kernels
from traction.materials import Material, Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, data, figure
from traction.quantities import counted

FARTHEST = 2.0**52  #: cells from the grid, of a lattice position that is a whole number
SAME_PHASE = 1e-9  #: parts of a cell: points this near to a lattice lie on it
#: cost of a layer by FFT per cell of its torus, over that of one point and corner in the plain sum (measured)
LAYER_COST = 16.0
COMPONENT_AXES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  #: of the stresses xx, yy, zz, xy, xz, yz
COMPONENTS = ("xx", "yy", "zz", "xy", "xz", "yz")  #: of the stress tensor, in the order of the kernels


@dataclass(frozen=True, eq=False)
class PointLayer:
    """Points at one depth on one lattice: where they are in the list of all, and in the lattice."""

    members: np.ndarray  #: indices into the list of points
    columns: np.ndarray  #: lattice position along x of each, in cells from the first element
    rows: np.ndarray  #: the same along y
    phase: tuple[float, float]  #: of the lattice against the lower left corners of elements, cells, [0, 1)
    depth: float  #: in units of length of the kernels

    def torus(self, elements: tuple[int, int]) -> tuple[int, int]:
        """Lengths (Ly, Lx) on which no element meets a point around the torus."""
        ny, nx = elements
        return (
            find_fast_length(ny + int(np.ptp(self.rows))),
            find_fast_length(nx + int(np.ptp(self.columns))),
        )


def split_layers(points: np.ndarray) -> Iterator[PointLayer]:
    """Group `points` (n, 3), x and y in cells from the corner of the grid, by depth and phase."""
    lattice = np.clip(np.floor(points[:, :2] + SAME_PHASE), -FARTHEST, FARTHEST)
    phase = np.round((points[:, :2] - lattice) / SAME_PHASE)
    key = np.column_stack([phase, points[:, 2]])
    # points of a block come layer by layer: only the first of those alike in a row are compared with others
    runs = np.flatnonzero(np.r_[True, (key[1:] != key[:-1]).any(axis=1)]) if len(key) else np.arange(0)
    _, of_run, alike = np.unique(key[runs], axis=0, return_index=True, return_inverse=True)
    first, group = runs[of_run], np.repeat(alike.ravel(), np.diff(np.r_[runs, len(key)]))
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=first.size))
    for start, members in zip(first, np.split(order, ends)[: first.size], strict=True):
        columns, rows = lattice[members].astype(int).T
        x, y = points[start, :2] - lattice[start]
        yield PointLayer(members, columns, rows, (float(x), float(y)), float(points[start, 2]))


def pays(layer: PointLayer, elements: tuple[int, int], corners: int) -> bool:
    """Whether the FFT costs less than the plain sum over the `corners` where the load varies."""
    ly, lx = layer.torus(elements)
    return LAYER_COST * ly * lx < float(len(layer.members)) * corners


def layer_stress(layer: PointLayer, load: np.ndarray, cell: tuple[float, float], nu: float) -> np.ndarray:
    """Stress (n, 6) at the points of `layer` under `load` (3, ny, nx); `cell` are the sides of an element."""
    ny, nx = load.shape[1:]
    lengths = layer.torus((ny, nx))
    first_row, first_column = int(layer.rows.min()), int(layer.columns.min())
    along_x = _Ladder.on_torus(first_column, nx, lengths[1], layer.phase[0], cell[0])
    along_y = _Ladder.on_torus(first_row, ny, lengths[0], layer.phase[1], cell[1])
    total = np.zeros((6, lengths[0], lengths[1] // 2 + 1), dtype=complex)
    for direction in np.flatnonzero(load.any(axis=(1, 2))):
        influence = _torus_influence(along_x, along_y, layer.depth, nu, int(direction))
        total += scipy.fft.rfft2(influence, overwrite_x=True) * scipy.fft.rfft2(load[direction], s=lengths)
    field = scipy.fft.irfft2(total, s=lengths, overwrite_x=True)
    return field[:, layer.rows - first_row, layer.columns - first_column].T


@dataclass(frozen=True, eq=False)
class _Ladder:
    """Distances of points from elements along one axis, and which of them stands where on the torus."""

    corners: np.ndarray  #: distances from corners of elements, one cell apart
    rungs: np.ndarray  #: for each place on the torus the pair of corners, `rungs` and `rungs` + 1
    beyond: np.ndarray  #: 1, or -1 where the mirror image of the distance is tabulated

    @classmethod
    def on_torus(cls, first: int, n: int, length: int, phase: float, side: float) -> _Ladder:
        """For points from column `first` on and n elements; half of it where distances come in pairs."""
        lags = first - np.arange(n - 1, n - 1 - length, -1)
        distance = lags + (phase - 0.5)  # from the centre of the element, in cells
        beyond = np.ones(length)
        if min(phase, abs(phase - 0.5)) < SAME_PHASE:
            beyond[distance < -0.25] = -1.0
            distance = np.abs(distance)
        nearest = float(distance.min())
        rungs = np.rint(distance - nearest).astype(int)
        corners = (nearest - 0.5 + np.arange(rungs.max() + 2)) * side
        place = np.argsort((lags - first) % length)
        return cls(corners, rungs[place], beyond[place])


def _torus_influence(
    along_x: _Ladder, along_y: _Ladder, depth: float, nu: float, direction: int
) -> np.ndarray:
    """Stress (6, Ly, Lx) of an element under a unit load along x, y or z (0, 1, 2), by distance."""
    table = kernels.element_stress_table(along_x.corners, along_y.corners, depth, nu, direction)
    influence = table.take(along_x.rungs, axis=2).take(along_y.rungs, axis=1)
    for component, axes in enumerate(COMPONENT_AXES):
        # mirroring x reverses what carries the index x an odd number of times, load included
        if (axes.count(0) + (direction == 0)) % 2:
            influence[component] *= along_x.beyond
        if (axes.count(1) + (direction == 1)) % 2:
            influence[component] *= along_y.beyond[:, None]
    return influence


@dataclass(frozen=True, eq=False, repr=False)
class Stress(Result):
    """Stress at points inside one body, Pa, tension positive, in contact axes (z up, into body 1)."""

    _rows, _drawn = ("point",), "von_mises"

    points: np.ndarray  #: coordinates x, y, z, m, (..., 3)
    tensor: np.ndarray  #: stress tensor, Pa, (..., 3, 3), symmetric

    @property
    def xx(self) -> np.ndarray:
        """Normal stress along x, the rolling direction, Pa."""
        return self.tensor[..., 0, 0]

    @property
    def yy(self) -> np.ndarray:
        """Normal stress along y, the lateral direction, Pa."""
        return self.tensor[..., 1, 1]

    @property
    def zz(self) -> np.ndarray:
        """Normal stress along z, Pa: minus the pressure at z = 0."""
        return self.tensor[..., 2, 2]

    @property
    def xy(self) -> np.ndarray:
        """Shear stress in planes parallel to the surface, Pa."""
        return self.tensor[..., 0, 1]

    @property
    def xz(self) -> np.ndarray:
        """Shear stress, Pa: minus the traction along x at z = 0, in both bodies."""
        return self.tensor[..., 0, 2]

    @property
    def yz(self) -> np.ndarray:
        """Shear stress, Pa: minus the traction along y at z = 0, in both bodies."""
        return self.tensor[..., 1, 2]

    @property
    def pressure(self) -> np.ndarray:
        """Hydrostatic pressure -(xx + yy + zz)/3, positive in compression, Pa."""
        return -np.trace(self.tensor, axis1=-2, axis2=-1) / 3.0

    @property
    def von_mises(self) -> np.ndarray:
        """Equivalent stress sqrt(3/2 s:s) of the deviator s, Pa; compare with the tensile yield stress."""
        deviator = self.tensor + self.pressure[..., None, None] * np.eye(3)
        return np.sqrt(1.5 * np.sum(deviator**2, axis=(-2, -1)))

    @property
    def principal(self) -> np.ndarray:
        """Principal stresses, Pa, (..., 3), the largest first."""
        return np.linalg.eigvalsh(self.tensor)[..., ::-1]

    @property
    def max_shear(self) -> np.ndarray:
        """Largest shear stress on any plane (Tresca), Pa: half the range of the principal stresses."""
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
        for name in COMPONENTS:
            kind = "normal" if name[0] == name[1] else "shear"
            yield data(f"stress_{name}", getattr(self, name).ravel(), "Pa", f"{kind} stress {name}", "point")
        yield data("pressure", self.pressure.ravel(), "Pa", "hydrostatic pressure", "point")
        yield data("max_shear", self.max_shear.ravel(), "Pa", "largest shear stress (Tresca)", "point")
        yield data("von_mises", mises, "Pa", "von Mises stress", "point")


def subsurface_stress(points: ArrayLike, grid: Grid, traction: ArrayLike, pair: Pair, *, body: int) -> Stress:
    """Return the stress inside a body under tractions on its surface.

    Parameters
    ----------
    points
        Coordinates (x, y, z), m, shape (..., 3); z >= 0 in body 1 and z <= 0 in body 2.
    grid
        Elements that carry the tractions; a line grid is in plane strain along y.
    traction
        (p_x, p_y, pressure) on body 1, Pa, (3, ny, nx), constant over each element.
    pair
        Materials of the two bodies.
    body
        1 (upper) or 2 (lower).

    Returns
    -------
    Stress
        Tensor, principal and equivalent stresses at the points.

    Raises
    ------
    InputError
        If points lie outside the body, or the body is rigid.

    Notes
    -----
    Sum of the exact fields of corners of uniformly loaded rectangles (Love 1929). At the surface the
    stress is the limit from inside. On an edge across which the tangential traction jumps, and at a
    corner of elements, it is unbounded (logarithmic), and the value is that at a depth of 1e-12 cells.
    The fields of the corners cancel far away: the relative rounding error grows like 1e-16
    (distance/element size)^2. Many points at one depth on the lattice of the grid, also shifted against it
    or with gaps, are computed by FFT: a block of layers under n elements costs n log n per layer instead
    of n^2.

    Examples
    --------
    >>> grid = tr.Grid(8, 8, 1e-3, 1e-3)
    >>> load = np.zeros((3, 8, 8))
    >>> load[2] = 100e6
    >>> s = tr.subsurface_stress([(0.0, 0.0, -2e-3)], grid, load, tr.Pair(tr.STEEL, tr.STEEL), body=2)
    >>> print(f"{s.zz[0] / 1e6:.1f} MPa")
    -93.0 MPa
    """
    field = _SurfaceLoad.checked(points, grid, traction, pair, body)
    if grid.is_line:
        values = kernels.strip_stress(*field.strips, field.material.poisson_ratio)
    else:
        values = _rectangle_stress(field)
    values[:, 4:] *= field.side
    tensor = values[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(*field.points.shape, 3)
    return Stress(field.points, tensor)


def subsurface_displacement(
    points: ArrayLike, grid: Grid, traction: ArrayLike, pair: Pair, *, body: int
) -> np.ndarray:
    """Return the displacement inside a body under tractions on its surface.

    Parameters
    ----------
    points, grid, traction, pair, body
        As in `tr.subsurface_stress`.

    Returns
    -------
    ndarray
        Displacement, m, (..., 3), z up, relative to the body at infinity. In line contact it is that of a
        strip of length `grid.length` along y, at its middle, in the limit of a large length.

    Raises
    ------
    InputError
        As `tr.subsurface_stress`, or if a line grid has no length.

    Examples
    --------
    >>> grid = tr.Grid(8, 8, 1e-3, 1e-3)
    >>> load = np.zeros((3, 8, 8))
    >>> load[2] = 100e6
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> u = tr.subsurface_displacement([(0.0, 0.0, 0.0)], grid, load, pair, body=2)
    >>> print(f"{u[0, 2] * 1e6:.2f} um")
    -3.94 um
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


def _rectangle_stress(field: _SurfaceLoad) -> np.ndarray:
    """Stress (n, 6): by FFT in layers of many points on the lattice of the grid, by plain sums elsewhere."""
    points, corners, jumps = field.rectangles
    nu, cell = field.material.poisson_ratio, field.cell
    values = np.empty((len(points), 6))
    scattered = []
    for layer in split_layers(field.lattice_points):
        if pays(layer, field.grid.shape, len(corners)):
            values[layer.members] = layer_stress(layer, field.load, cell, nu)
        else:
            scattered.append(layer.members)
    if scattered:
        rest = np.concatenate(scattered)
        values[rest] = kernels.rectangle_stress(points[rest], corners, jumps, nu)
    return values


@dataclass(frozen=True, eq=False)
class _SurfaceLoad:
    """Checked input: one body, mirrored into z >= 0 if it is the lower one, and the load on it."""

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
                f"body {body} is rigid: the stress in it is not defined. Use body={3 - body}, or give "
                f"body {body} a finite Young's modulus."
            )
        side = 1 if body == 1 else -1
        remedy = "px, py and the pressure on body 1 over the (ny, nx) elements of the grid."
        given = checks.finite_array("traction", traction, (3, *grid.shape), "Pa", remedy)
        load = given * np.array([side, side, 1.0])[:, None, None]
        return cls(_check_points(points, body, side), grid, load, material, side)

    @property
    def unit(self) -> float:
        """Unit of length in the kernels, m: the shorter side of a cell."""
        return self.grid.dx if self.grid.is_line else min(self.grid.dx, self.grid.dy)

    @property
    def local_points(self) -> np.ndarray:
        """Points (n, 3) as (x, y, depth), from the centre of the grid and in cells."""
        origin = np.array([*self.grid.center, 0.0])
        return (self.points.reshape(-1, 3) - origin) * np.array([1.0, 1.0, self.side]) / self.unit

    @property
    def cell(self) -> tuple[float, float]:
        """Sides of an element along x and y in the unit of the kernels."""
        return self.grid.dx / self.unit, self.grid.dy / self.unit

    @property
    def lattice_points(self) -> np.ndarray:
        """Points (n, 3): x and y in elements from the lower left corner of the grid, depth in the unit."""
        half = np.array([0.5 * self.grid.nx, 0.5 * self.grid.ny, 0.0])
        return self.local_points / np.array([*self.cell, 1.0]) + half

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
