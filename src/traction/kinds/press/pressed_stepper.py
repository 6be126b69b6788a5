"""What runs of pressed bodies share: the grid, the gap, and contacts restored from what is stored."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.contact.normal.pressure_certificate import Certificate
from traction.grid import Grid
from traction.kinds.kind import KindStepper
from traction.kinds.tables.contact_tables import PressedCase
from traction.materials import Pair
from traction.results.field import Constant, Coordinate, Field, Layout
from traction.status import Status

C = TypeVar("C", bound=PressedCase)


class PressedStepper(KindStepper[C]):
    """Base of the steppers of pressed bodies."""

    @cached_property
    def grid(self) -> Grid:
        """The grid."""
        return self.case.grid.build()

    @cached_property
    def gap(self) -> np.ndarray:
        """Undeformed distance, m."""
        return self.case.build_gap(self.grid)

    def lay_out(self, fields: tuple[Field, ...], total: int) -> Layout:
        """Samples over the grid, and the gap."""
        centres = (
            Coordinate("x", self.grid.x, "m", "rolling direction"),
            Coordinate("y", self.grid.y, "m", "lateral direction"),
        )
        gap = Constant("gap", self.gap, "m", "undeformed distance", ("y", "x"))
        return Layout(fields, total, centres, (gap,))


def restore_contact(case: PressedCase, pressure: np.ndarray) -> NormalContact:
    """The contact of a case with a stored pressure."""
    return restore_pressure(case.grid.build(), case.pair, pressure)


def restore_pressure(grid: Grid, pair: Pair, pressure: np.ndarray) -> NormalContact:
    """A contact with a stored pressure, to be drawn: it has no gap, and is neither solved nor certified."""
    return NormalContact(
        grid=grid,
        gap=np.zeros(grid.shape),
        pair=pair,
        pressure=np.array(pressure),
        force=float(pressure.sum()) * grid.cell_area,
        status=Status.CONVERGED,
        message=str(Status.CONVERGED),
        certificate=Certificate(0.0, 0.0, 0.0, 0.0, 0.0),
        iterations=0,
    )
