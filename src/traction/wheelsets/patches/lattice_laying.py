"""`LatticeLaying`: planes of transient rolling on the lattice of a rail, over what was left there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.wheelsets.geometry.track import PlacedRail
from traction.wheelsets.patches.rail_memory import LatticeBox, LatticePlace, PatchTrace, RailMemory
from traction.wheelsets.search.locus import ContactLocus, Region

GUARD = 2  #: elements around a contact left on the rail
MARGIN = 0.12  #: around the overlap, over its size


@dataclass(frozen=True, eq=False)
class LatticeLaying:
    """How a plane is laid on the lattice of a rail: what is left there, and which rows are its own."""

    side: str
    memory: RailMemory
    earlier: ContactLocus  #: of the position at the end of the last step
    territory: tuple[float, float]  #: arc positions between which it takes what was left, m

    def find_reference(self, rail: PlacedRail, region: Region, arc: float) -> tuple[Region, float, float]:
        """The region with its reference point on the lattice, and arc position and height of that."""
        dx, ds = self.memory.steps
        arc = ds * round(arc / ds)
        y, z = rail.point_at(arc)
        return region._replace(x=dx * round(region.x / dx), y=y), arc, z

    @property
    def rows(self) -> tuple[float, float]:
        """The territory in rows of the lattice; those of a left rail are counted the other way."""
        low, high = (end / self.memory.steps[1] for end in self.territory)
        return (-high, -low) if self.side == "left" else (low, high)

    def cover_traces(
        self, x: float, arc: float, box: tuple[int, int, int, int]
    ) -> tuple[LatticeBox, tuple[PatchTrace, ...]]:
        """The box (columns and rows from the reference point) enlarged to cover contacts left below it."""
        dx, ds = self.memory.steps
        column, row = round(x / dx), round(arc / ds)
        # on the way from one position to the other the contact may be larger than at both
        wide, tall = (max(2, math.ceil(MARGIN * (b - a))) for a, b in (box[:2], box[2:]))
        own = LatticeBox(box[0] - wide, box[1] + wide, box[2] - tall, box[3] + tall)
        box = self._mirror(LatticeBox(own[0] + column, own[1] + column, own[2] + row, own[3] + row))
        traces = tuple(self.memory.below(self.side, box, self.rows))
        for trace in traces:
            assert trace.box is not None
            box = box.join(trace.box.widen(GUARD).cut_rows(*self.rows))
        left, right, low, high = self._mirror(box)
        return LatticeBox(left - column, right - column, low - row, high - row), traces

    def _mirror(self, box: LatticeBox) -> LatticeBox:
        """Between the rows as of a right rail and those of the lattice."""
        return box.mirror() if self.side == "left" else box

    def place(
        self,
        origin: tuple[float, float],
        first: tuple[int, int],
        traces: tuple[PatchTrace, ...],
        earlier: np.ndarray,
    ) -> LatticePlace:
        """Place of a grid on the lattice.

        origin: x and arc position of the reference point, m; first: column and row of the first element from
        it. Both on the lattice, where arcs of a left rail are counted the other way.
        """
        column, row = (round(at / step) for at, step in zip(origin, self.memory.steps, strict=True))
        return LatticePlace((column + first[0], row + first[1]), self.rows, traces, earlier)
