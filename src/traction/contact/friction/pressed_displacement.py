"""Tangential displacements due to pressure between unlike bodies, at points of the material."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.elements.kernels import covered_shapes as shapes
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import displace_by_pressure
from traction.grid import Grid
from traction.materials import Pair

MARGIN = 4  #: columns beside the grid on which displacements are computed at first


@dataclass(frozen=True, eq=False)
class PressedDisplacement:
    """Tangential displacement of unlike bodies under the pressure of a contact.

    It is that of whole cells of the contact's own grid, exact at their centres and interpolated between them
    along x: smooth, so that steps shorter than a cell see no jumps.
    """

    grid: Grid
    pair: Pair
    pressure: np.ndarray  #: Pa, (ny, nx)
    fineness: int = 1  #: cells of the material per element of the contact's grid, along x

    @classmethod
    def of(cls, contact: NormalContact, fineness: int) -> PressedDisplacement | None:
        """Displacement of a contact; None for bodies that pressure does not displace tangentially."""
        if contact.pair.mismatch == 0.0 or not contact.contact.any():
            return None
        return cls(contact.grid, contact.pair, contact.pressure, fineness)

    def at(self, row: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Displacement difference, m, (2, n), at rows and positions (in cells of the material)."""
        x = (place - 0.5 * (self.fineness - 1)) / self.fineness
        first, weights = np.empty(x.size, dtype=np.int64), np.empty((x.size, shapes.NODES))
        shapes.fill_interpolations(x, first, weights)
        beyond = MARGIN
        if x.size:
            last = int(first.max()) + shapes.NODES - self.grid.nx
            beyond = max(MARGIN, -int(first.min()), last)
        field = self._near
        if beyond > MARGIN:
            field = displace_by_pressure(self.grid, self.pair, self.pressure, beyond)
        columns = (first + beyond)[:, None] + np.arange(shapes.NODES)
        found: np.ndarray = (field[:, row[:, None], columns] * weights).sum(axis=2)
        return found

    @cached_property
    def _near(self) -> np.ndarray:
        """At the centres of the cells and of some more columns on either side, m."""
        return displace_by_pressure(self.grid, self.pair, self.pressure, MARGIN)
