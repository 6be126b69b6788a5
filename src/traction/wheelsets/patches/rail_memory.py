"""`RailMemory`: tractions that a wheelset left on the rails, from which the next step of rolling begins.

In transient rolling the elements of all patches of a rail lie on one lattice: columns at multiples of dx from
the wheelset's centre, rows at multiples of dy along the arc of the rail's profile. A patch that wanders over
the profile, merges or parts so finds the tractions of the material below it, and none is interpolated.
Reference points are those of the lattice next to the means of the overlap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.wheelsets.geometry.pose import Pose


class LatticeBox(NamedTuple):
    """Columns and rows of the lattice, the last ones included."""

    left: int
    right: int
    low: int
    high: int

    def join(self, other: LatticeBox) -> LatticeBox:
        """The box around both."""
        return LatticeBox(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.low, other.low),
            max(self.high, other.high),
        )

    def widen(self, by: int) -> LatticeBox:
        """The box with some more elements on all sides."""
        return LatticeBox(self.left - by, self.right + by, self.low - by, self.high + by)

    def cut_rows(self, low: float, high: float) -> LatticeBox:
        """The part between two rows, with these."""
        return self._replace(low=math.ceil(max(self.low, low)), high=math.floor(min(self.high, high)))

    def mirror(self) -> LatticeBox:
        """Of a left rail, whose rows are counted the other way."""
        return self._replace(low=-self.high, high=-self.low)

    def shares_rows_with(self, other: LatticeBox) -> bool:
        """Whether there is a common row."""
        return max(self.low, other.low) <= min(self.high, other.high)


@dataclass(frozen=True, eq=False)
class PatchTrace:
    """A patch at the end of a step, and its place on the lattice."""

    side: str
    first: tuple[int, int]  #: column and row of the first element of its grid
    contact: TangentialContact

    @cached_property
    def box(self) -> LatticeBox | None:
        """Around the elements in contact; None if there are none."""
        touching = self.contact.normal.contact
        if not touching.any():
            return None
        rows, columns = (np.flatnonzero(touching.any(axis=axis)) for axis in (1, 0))
        left, low = self.first
        return LatticeBox(
            left + int(columns[0]), left + int(columns[-1]), low + int(rows[0]), low + int(rows[-1])
        )


@dataclass(frozen=True, eq=False)
class RailMemory:
    """Position of a wheelset at the end of a step, and what its patches left on the rails."""

    pose: Pose
    steps: tuple[float, float]  #: of the elements, m
    traces: tuple[PatchTrace, ...] = ()
    rolled: float = 0.0  #: since the steady start, m
    position: float = 0.0  #: of the centre of the wheelset along the track, m

    def below(self, side: str, box: LatticeBox, rows: tuple[float, float]) -> list[PatchTrace]:
        """Patches in whose rows a new one lies, between the `rows` that are its own."""
        found = []
        for trace in self.traces:
            if trace.side == side and trace.box is not None:
                old = trace.box.cut_rows(*rows)
                if old.low <= old.high and old.shares_rows_with(box):
                    found.append(trace)
        return found


@dataclass(frozen=True, eq=False)
class LatticePlace:
    """Where the grid of a patch lies on the lattice, and what it is laid on."""

    first: tuple[int, int]  #: column and row of its first element
    rows: tuple[float, float]  #: between which it takes what was left on the rail
    traces: tuple[PatchTrace, ...]
    earlier_gap: np.ndarray  #: distance of wheel and rail at the end of the last step, m, (ny, nx)
