"""The part of a grid in contact, with its friction bound; and the same on a coarser grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.normal.coarse_grids import resample_field
from traction.contact.normal.kernels.pressure_fields import find_bounding_box
from traction.contact.normal.part_interaction import Displace, PartInteraction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.interface import Interface
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair

COARSEST = 20  #: a patch with at most this many elements in its longer direction is not coarsened
LEAST_LEFT = 1e-3  #: of the bound of elements that would lose contact, but are held


@dataclass(frozen=True, eq=False)
class FrictionPatch:
    """Bound and positions of the elements on a window around the contact."""

    grid: Grid  #: of the window
    pair: Pair
    bound: np.ndarray  #: g = mu p, Pa, (ny, nx)
    top: int = 0  #: first row and column of the window in the whole grid
    left: int = 0
    friction: float = math.nan  #: mu, from which the pressure follows; needed for unlike bodies only
    whole: Grid | None = None  #: grid that contains the window, if any
    interface: Interface | None = None  #: law and layer, where friction is not constant
    factor: np.ndarray | None = None  #: of the place, that of the interface on the window, (ny, nx)
    parts: PartInteraction | None = None  #: where these interact by a share only

    @classmethod
    def around(
        cls, normal: NormalContact, friction: float, interface: Interface | None = None
    ) -> FrictionPatch:
        """Patch on the window around all elements in contact."""
        patch = cls._around(normal.contact, [normal.pressure], normal, friction)
        if normal.parts is not None:
            patch = replace(patch, parts=normal.parts.on_rows(patch.top, patch.grid.ny))
        return patch if interface is None else patch.put_between(interface)

    @classmethod
    def around_all(cls, normals: Sequence[NormalContact], friction: float) -> FrictionPatch:
        """Patch around the elements of several contacts on one grid, with the largest bounds."""
        touching = np.any([normal.contact for normal in normals], axis=0)
        return cls._around(touching, [normal.pressure for normal in normals], normals[0], friction)

    @classmethod
    def _around(
        cls, touching: np.ndarray, pressures: Sequence[np.ndarray], normal: NormalContact, friction: float
    ) -> FrictionPatch:
        top, bottom, left, right = find_bounding_box(touching)
        if bottom < top:
            top = bottom = left = right = 0
        ny, nx = bottom - top + 1, right - left + 1
        whole = normal.grid
        center = (
            float(whole.x[left] + 0.5 * (nx - 1) * whole.dx),
            float(whole.y[top] + 0.5 * (ny - 1) * whole.dy),
        )
        grid = replace(whole, nx=nx, ny=ny, center=center)
        window = slice(top, top + ny), slice(left, left + nx)
        largest = pressures[0][window]
        for pressure in pressures[1:]:
            largest = np.maximum(largest, pressure[window])
        return cls(grid, normal.pair, friction * largest, top, left, friction, whole)

    @classmethod
    def over(
        cls, normal: NormalContact, friction: float, interface: Interface | None = None
    ) -> FrictionPatch:
        """Patch on the whole grid."""
        patch = cls(normal.grid, normal.pair, friction * normal.pressure, friction=friction)
        return patch if interface is None else patch.put_between(interface)

    def put_between(self, interface: Interface) -> FrictionPatch:
        """The same with a law of friction and a layer between the bodies."""
        if interface.factor is None:
            return replace(self, interface=interface)
        factor = interface.factor[self.window]
        return replace(self, interface=interface, factor=factor, bound=self.bound * factor)

    @cached_property
    def pressure(self) -> np.ndarray:
        """Pressure of the elements, Pa, (ny, nx); none where there is no friction."""
        if self.factor is None:
            return self.bound / self.friction
        most = self.friction * self.factor
        return np.divide(self.bound, most, out=np.zeros_like(most), where=most > 0.0)

    @property
    def weighted_pressure(self) -> np.ndarray:
        """Pressure times the factor of the place, Pa: coefficients of the law apply to it."""
        return self.bound / self.friction

    def bound_under(self, pressure: np.ndarray) -> np.ndarray:
        """The bound under a pressure over the whole grid, Pa."""
        bound: np.ndarray = self.friction * pressure
        if self.interface is None or self.interface.factor is None:
            return bound
        return bound * self.interface.factor

    @cached_property
    def mesh(self) -> tuple[np.ndarray, np.ndarray]:
        """Element centres (x, y), m."""
        return self.grid.mesh()

    def displace_by_pressure(self, beyond: int = 0) -> np.ndarray:
        """Tangential displacements by the pressure, m, also on `beyond` more columns on either side.

        Pressure displaces bodies of different materials differently along the surface.
        """
        if self.pair.mismatch == 0.0 or self.friction == 0.0:
            return np.zeros((2, self.grid.ny, self.grid.nx + 2 * beyond))
        return displace_by_pressure(self.grid, self.pair, self.pressure, beyond)

    @property
    def window(self) -> tuple[slice, slice]:
        """Rows and columns of the window in the whole grid."""
        return slice(self.top, self.top + self.grid.ny), slice(self.left, self.left + self.grid.nx)

    def place_on_grid(self, field: np.ndarray) -> np.ndarray:
        """A field of the window over the whole grid, zero elsewhere; (..., ny, nx)."""
        full = np.zeros((*field.shape[:-2], *(self.whole or self.grid).shape), dtype=field.dtype)
        full[(..., *self.window)] = field
        return full

    def hold_elements(self, bound: np.ndarray) -> FrictionPatch:
        """Another bound (Pa, over the whole grid) on the same elements, positive on all of them."""
        held = self.bound
        bound = np.maximum(bound[self.window], LEAST_LEFT * held)
        return replace(self, bound=np.where(held > 0.0, bound, 0.0))

    def coarsen(self) -> FrictionPatch | None:
        """The same patch by elements of twice the size, or None if it is small."""
        ny, nx = self.grid.shape
        if max(ny, nx) <= COARSEST:
            return None
        rows, columns = (-(-ny // 2) if ny > 1 else 1), -(-nx // 2)
        tall, wide = (2 if ny > 1 else 1), 2
        padded = np.zeros((rows * tall, columns * wide))
        padded[:ny, :nx] = self.bound
        bound = padded.reshape(rows, tall, columns, wide).mean(axis=(1, 3))
        center = (
            self.grid.center[0] + 0.5 * (columns * wide - nx) * self.grid.dx,
            self.grid.center[1] + 0.5 * (rows * tall - ny) * self.grid.dy,
        )
        grid = replace(
            self.grid, nx=columns, ny=rows, dx=wide * self.grid.dx, dy=tall * self.grid.dy, center=center
        )
        factor = self.factor
        if factor is not None:  # the mean that the pressure weighs
            padded[:ny, :nx] = self.pressure
            pressure = padded.reshape(rows, tall, columns, wide).mean(axis=(1, 3))
            most = self.friction * pressure
            factor = np.divide(bound, most, out=np.zeros_like(most), where=most > 0.0)
        parts = None if self.parts is None else self.parts.on_every_second(rows)
        return FrictionPatch(
            grid,
            self.pair,
            bound,
            friction=self.friction,
            interface=self.interface,
            factor=factor,
            parts=parts,
        )

    def share_influence(self, displace: Displace) -> Displace:
        """Displacements of the window by tractions on it, (2, ny, nx), of parts that interact by a share."""
        parts = self.parts
        return displace if parts is None else lambda traction: parts.displace_rows(displace, traction)

    def refine(self, traction: np.ndarray, coarse: FrictionPatch) -> np.ndarray:
        """Tractions of the coarser patch on this one: their ratio to the bound is interpolated."""
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(coarse.bound > 0.0, traction / coarse.bound, 0.0)
        for axis, n, k in ((1, self.grid.ny, coarse.grid.ny), (2, self.grid.nx, coarse.grid.nx)):
            if n > k:
                share = _double(share, axis)
        ny, nx = self.grid.shape
        fine = share[:, :ny, :nx]
        size = np.maximum(1.0, np.hypot(fine[0], fine[1]))
        return np.ascontiguousarray(fine / size * self.bound)

    def divide_cells(self, times: int) -> FrictionPatch:
        """The same bound over cells of a part of the length, along x."""
        grid = replace(self.grid, nx=times * self.grid.nx, dx=self.grid.dx / times)
        factor = None if self.factor is None else np.repeat(self.factor, times, axis=1)
        return replace(self, grid=grid, bound=np.repeat(self.bound, times, axis=1), factor=factor)


@dataclass(frozen=True, eq=False)
class TractionShares:
    """Tractions over their bounds on a grid, from which those of a similar contact can begin."""

    grid: Grid
    share: np.ndarray  #: (2, ny, nx)

    @classmethod
    def of(cls, traction: np.ndarray, bound: np.ndarray, grid: Grid) -> TractionShares:
        """Those of tractions and bounds, Pa; zero outside the contact."""
        return cls(grid, np.divide(traction, bound, out=np.zeros_like(traction), where=bound > 0.0))

    def on(self, patch: FrictionPatch) -> np.ndarray:
        """Tractions of a patch with these shares of its own bounds, Pa, (2, ny, nx)."""
        x, y = (resample_field(one, self.grid, patch.grid) for one in self.share)
        return np.array((x, y)) / np.maximum(1.0, np.hypot(x, y)) * patch.bound


def displace_by_pressure(grid: Grid, pair: Pair, pressure: np.ndarray, beyond: int) -> np.ndarray:
    """Tangential displacements of unlike bodies at cells, and on `beyond` more columns on either side, m."""
    half_space, shape = HalfSpace(grid, pair), (grid.ny, grid.nx + 2 * beyond)
    return np.array([half_space.shifted(i, "z", pressure, (0, -beyond), shape) for i in ("x", "y")])


def _double(field: np.ndarray, axis: int) -> np.ndarray:
    """Linear interpolation at the quarter points of each element along an axis."""
    rows = np.moveaxis(field, axis, 0)
    before = np.concatenate((rows[:1], rows[:-1]))
    after = np.concatenate((rows[1:], rows[-1:]))
    fine = np.stack((0.75 * rows + 0.25 * before, 0.75 * rows + 0.25 * after), axis=1)
    return np.moveaxis(fine.reshape(-1, *rows.shape[1:]), 0, axis)
