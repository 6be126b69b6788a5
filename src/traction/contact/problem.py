"""The frictionless contact problem in clean numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from traction.contact.nested import coarsened, halved_directions
from traction.grid import Grid
from traction.halfspace.operator import HalfSpace
from traction.materials import Pair


@dataclass(frozen=True)
class NormalProblem:
    """Find p >= 0 with gap + u - approach >= 0, zero where that is open; force or approach given."""

    gap: np.ndarray  #: m, with its lowest point at zero so that no digits are lost
    grid: Grid
    pair: Pair
    force: float | None  #: N
    approach: float | None  #: m
    periodic: tuple[bool, bool]  #: along x, along y
    lowest: float = 0.0  #: what was taken off the gap and the approach, m

    @property
    def half_space(self) -> HalfSpace:
        """Influence of pressure on normal displacement."""
        return HalfSpace(self.grid, self.pair, self.periodic)

    def coarser(self) -> tuple[NormalProblem, tuple[bool, bool]] | None:
        """The same problem on a grid of half the resolution, or None on the coarsest one."""
        halved = halved_directions(self.grid.shape, self.periodic)
        if not any(halved):
            return None
        gap = coarsened(self.gap, halved)
        grid = replace(
            self.grid,
            ny=gap.shape[0],
            nx=gap.shape[1],
            dy=self.grid.dy * (2 if halved[0] else 1),
            dx=self.grid.dx * (2 if halved[1] else 1),
        )
        return replace(self, gap=gap, grid=grid), halved
