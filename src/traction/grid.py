"""Regular grids of rectangular elements; fields over a grid are arrays of shape (ny, nx)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction import checks
from traction.errors import InputError, UndefinedError


@dataclass(frozen=True)
class Grid:
    """Regular grid of nx by ny rectangular elements; fields over it have the shape (ny, nx).

    Parameters
    ----------
    nx, ny
        Number of elements along x (rolling direction) and y (lateral).
    dx, dy
        Size of an element, m.
    center
        Centre of the grid (x, y), m.
    length
        Reference length L, m, for line contact and contact periodic in one direction, where a half space has
        no absolute displacement: displacements are those of a strip of this length.
    is_line
        Plane strain: one row of infinitely long elements, forces per metre; set by `Grid.line`.

    Examples
    --------
    >>> grid = tr.Grid(40, 30, dx=0.1e-3, dy=0.1e-3)
    >>> grid.shape
    (30, 40)
    >>> print(f"x from {grid.x[0] * 1e3:.2f} to {grid.x[-1] * 1e3:.2f} mm")
    x from -1.95 to 1.95 mm
    """

    nx: int
    ny: int
    dx: float
    dy: float
    center: tuple[float, float] = (0.0, 0.0)
    length: float | None = None
    is_line: bool = False

    def __post_init__(self) -> None:
        checks.keep(
            self,
            nx=checks.count("nx", self.nx),
            ny=checks.count("ny", self.ny),
            center=checks.point("center", self.center),
            is_line=checks.flag("is_line", self.is_line),
        )
        checks.keep_checked(self, checks.positive, dx="m", dy="m")
        if self.length is not None:
            length = checks.positive("length", self.length, "m", "it is the length of the strip in contact.")
            checks.keep(self, length=length)
        if self.is_line and (self.ny != 1 or self.dy != 1.0):
            raise InputError("a line grid has ny = 1 and dy = 1 m; build it by tr.Grid.line(nx, dx).")

    @classmethod
    def line(cls, nx: int, dx: float, *, length: float | None = None, center: float = 0.0) -> Grid:
        """Return a grid for line contact in plane strain; forces are per metre.

        Parameters
        ----------
        nx
            Number of strips.
        dx
            Width of a strip, m.
        length
            Reference length L of the contact, m; needed for approach and displacement only.
        center
            Centre along x, m.

        Examples
        --------
        >>> tr.Grid.line(100, 0.1e-3, length=0.1).shape
        (1, 100)
        """
        return cls(
            nx, 1, dx, 1.0, center=(checks.finite("center", center, "m"), 0.0), length=length, is_line=True
        )

    @classmethod
    def around(
        cls,
        half_width_x: float,
        half_width_y: float,
        nx: int,
        ny: int,
        *,
        center: tuple[float, float] = (0.0, 0.0),
    ) -> Grid:
        """Return `nx` by `ny` elements over 2 `half_width_x` by 2 `half_width_y` metres around `center`."""
        dx = 2.0 * checks.positive("half_width_x", half_width_x, "m") / checks.count("nx", nx)
        dy = 2.0 * checks.positive("half_width_y", half_width_y, "m") / checks.count("ny", ny)
        return cls(nx, ny, dx, dy, center=center)

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of fields over the grid, (ny, nx)."""
        return self.ny, self.nx

    @property
    def cell_area(self) -> float:
        """Area of an element, dx dy, m2; dx times one metre for line contact."""
        return self.dx * self.dy

    @cached_property
    def x(self) -> np.ndarray:
        """Element centres along x, m, shape (nx,)."""
        return self.center[0] + (np.arange(self.nx) - 0.5 * (self.nx - 1)) * self.dx

    @cached_property
    def y(self) -> np.ndarray:
        """Element centres along y, m, shape (ny,)."""
        return self.center[1] + (np.arange(self.ny) - 0.5 * (self.ny - 1)) * self.dy

    def mesh(self) -> tuple[np.ndarray, np.ndarray]:
        """Return X and Y of all element centres, m, each of shape (ny, nx)."""
        x, y = np.empty(self.shape), np.empty(self.shape)
        x[:], y[:] = self.x, self.y[:, None]
        return x, y

    def window(self, rows: slice, columns: slice) -> Grid:
        """Return the part of the grid with the given `rows` and `columns` (slices)."""
        y, x = self.y[rows], self.x[columns]
        if 0 in (x.size, y.size) or {rows.step, columns.step} - {None, 1}:
            raise InputError(
                f"rows = {rows} and columns = {columns} must select a block of the {self.shape} elements."
            )
        middle = (0.5 * (x[0] + x[-1]), 0.5 * (y[0] + y[-1]))
        return replace(self, nx=x.size, ny=y.size, center=middle)

    def reference_length(self, quantity: str) -> float:
        """Return `length`, or raise an error that says why `quantity` needs it."""
        if self.length is None:
            raise UndefinedError(
                f"the {quantity} is not defined without a reference length: a half plane under a load has no "
                "absolute displacement. Give the length of the strip, as in tr.Grid.line(nx, dx, length=0.1)."
            )
        return self.length
