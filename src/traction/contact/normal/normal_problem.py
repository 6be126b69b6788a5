"""The frictionless contact problem: checked input."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction import checks
from traction.contact.normal.coarse_grids import coarsen_gap, find_halved_directions
from traction.errors import InputError
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair

TINY = 1e-300  #: depth of a contact of zero depth
PERIODIC = {None: (False, False), "x": (True, False), "y": (False, True), "xy": (True, True)}


@dataclass(frozen=True)
class NormalProblem:
    """Find p >= 0 with gap + u - approach >= 0, and p = 0 where that is open; force or approach given."""

    gap: np.ndarray  #: m, with its lowest point at zero so that no digits are lost
    grid: Grid
    pair: Pair
    force: float | None  #: N
    approach: float | None  #: m
    periodic: tuple[bool, bool]  #: along x, along y
    lowest: float = 0.0  #: subtracted from the gap and the approach, m

    @property
    def least_depth(self) -> float:
        """Displacement of one element under the mean pressure, m: the scale if there is no other."""
        if self.force is None:
            return TINY
        cells = self.grid.nx * self.grid.ny
        size = min(self.grid.dx, self.grid.dy)
        return max(TINY, self.force / (cells * self.grid.cell_area) * size / self.pair.effective_modulus)

    @cached_property
    def half_space(self) -> HalfSpace:
        """Influence of pressure on normal displacement."""
        return HalfSpace(self.grid, self.pair, self.periodic)

    def coarser(self) -> tuple[NormalProblem, tuple[bool, bool]] | None:
        """The same problem on a grid of half the resolution, or None on the coarsest one."""
        halved = find_halved_directions(self.grid.shape)
        if not any(halved):
            return None
        gap = coarsen_gap(self.gap, halved, self.periodic[::-1])
        (ny, nx), (rows, columns) = self.grid.shape, gap.shape
        # An odd number of elements that does not repeat is rounded up; a period keeps its length.
        along_x = nx / columns if self.periodic[0] else 2.0 if halved[1] else 1.0
        along_y = ny / rows if self.periodic[1] else 2.0 if halved[0] else 1.0
        grid = replace(self.grid, ny=rows, nx=columns, dy=self.grid.dy * along_y, dx=self.grid.dx * along_x)
        return replace(self, gap=gap, grid=grid), halved


def check_problem(
    gap: np.ndarray,
    grid: Grid,
    pair: Pair,
    *,
    force: float | None,
    approach: float | None,
    periodic: str | None,
) -> NormalProblem:
    """Check the input; errors name the quantity."""
    if not isinstance(pair, Pair):
        raise InputError(
            f"pair = {pair!r} must be a tr.Pair of two materials, such as tr.Pair(tr.STEEL, tr.STEEL)."
        )
    if not (periodic is None or isinstance(periodic, str)) or periodic not in PERIODIC:
        raise InputError(f'periodic = {periodic!r} is not known; choose None, "x", "y" or "xy".')
    if grid.is_line and periodic in ("y", "xy"):
        raise InputError(f'periodic = {periodic!r}: a line contact can repeat along "x" only.')
    repeats = PERIODIC[periodic]
    _require_slender_period(grid, repeats)
    if checks.exactly_one(force=force, approach=approach) == "force":
        force = checks.positive(
            "force", force, "N", "contact can only push. Give the magnitude, or an approach."
        )
    else:
        approach = checks.finite("approach", approach, "m")
        if grid.is_line or any(repeats):
            _require_finite_force(gap, HalfSpace(grid, pair, repeats), approach)
    lowest = float(gap.min())
    depth = None if approach is None else approach - lowest
    return NormalProblem(gap - lowest, grid, pair, force, depth, repeats, lowest)


def _require_slender_period(grid: Grid, periodic: tuple[bool, bool]) -> None:
    """The sum over images needs elements that are shorter across than half the period along."""
    along_x = periodic[0] and (not periodic[1] or grid.nx * grid.dx <= grid.ny * grid.dy)
    period, across, names = grid.nx * grid.dx, grid.dy, ("dy", "nx dx")
    if not along_x:
        period, across, names = grid.ny * grid.dy, grid.dx, ("dx", "ny dy")
    if any(periodic) and not grid.is_line and across > 0.5 * period:
        raise InputError(
            f"{names[0]} = {across:.4g} m must be at most half the period {names[1]} = {period:.4g} m; "
            "use smaller elements, or repeat more of the surface."
        )


def _require_finite_force(gap: np.ndarray, half_space: HalfSpace, approach: float | None) -> None:
    """Check that a given approach determines the force."""
    grid, periodic = half_space.grid, half_space.periodic
    if half_space.needs_length:
        length = grid.reference_length("force of a given approach")
        width = grid.ny * grid.dy if periodic[0] else grid.nx * grid.dx
        if length < 2.0 * width:
            raise InputError(
                f"length = {length} m must be at least twice the width of the grid, {width:.4g} m: it is the "
                "length of the strip in contact, or of the whole row of periods."
            )
    elif any(periodic) and approach >= gap.mean():
        raise InputError(
            f"approach = {approach} m must be below the mean gap, {gap.mean():.6g} m: displacements of a "
            "periodic half space are relative to their mean, so flat surfaces cannot approach further. "
            "Give a force."
        )
