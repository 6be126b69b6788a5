"""Pressed bodies: one load after the other, each started from the one before."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from traction.contact.normal.press import NormalContact, recover_contact, solve_press
from traction.contact.normal.pressure_certificate import Certificate
from traction.errors import UndefinedError
from traction.grid import Grid
from traction.kinds.kind import KeyFigures, KindStepper, Sample, sum_up_last
from traction.kinds.press.schema import PressCase, PressedCase
from traction.materials import Pair
from traction.results.field import Constant, Coordinate, Field, Layout
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays
from traction.status import Status

#: numbers of every load, and where a contact has them
NUMBERS: dict[Field, Callable[[NormalContact], float]] = {
    Field("force", "N", "normal force"): attrgetter("force"),
    Field("approach", "m", "approach of the bodies", may_be_nan=True): attrgetter("approach"),
    Field("peak_pressure", "Pa", "largest pressure"): attrgetter("peak_pressure"),
    Field("contact_area", "m2", "area in contact"): attrgetter("contact_area"),
    Field("semi_axis_x", "m", "semi-axis of the contact along x"): lambda one: one.semi_axes[0],
    Field("semi_axis_y", "m", "semi-axis of the contact along y", may_be_nan=True): (
        lambda one: one.semi_axes[1]
    ),
    Field("stiffness", "N/m", "contact stiffness dF/d(approach)", may_be_nan=True): attrgetter("stiffness"),
    Field("elements_across", "1", "elements in the narrower direction of the contact"): (
        attrgetter("elements_across")
    ),
    Field("iterations", "1", "iterations on the finest grid"): attrgetter("iterations"),
    Field("residual", "1", "largest distance in the contact over the approach"): (
        attrgetter("certificate.residual")
    ),
}
PRESSURE = Field("pressure", "Pa", "contact pressure", ("y", "x"))
SUMMED_UP = 7  #: numbers that are key figures

C = TypeVar("C", bound=PressedCase)


class PressedStepper(KindStepper[C]):
    """Base of the steppers of pressed bodies, with friction or without."""

    @cached_property
    def grid(self) -> Grid:
        """The grid."""
        return self.case.grid.build()

    @cached_property
    def gap(self) -> np.ndarray:
        """Undeformed distance, m."""
        return self.case.build_gap(self.grid)

    def press_load(self, load: float | None, **options: Any) -> NormalContact:
        """The contact under one of the loads."""
        prescribed: dict[str, Any] = {self.case.load.given: load}
        return solve_press(self.gap, self.grid, self.case.pair, **prescribed, **options)

    def lay_out(self, fields: tuple[Field, ...], total: int) -> Layout:
        """Samples over the grid, and the gap."""
        centres = (
            Coordinate("x", self.grid.x, "m", "rolling direction"),
            Coordinate("y", self.grid.y, "m", "lateral direction"),
        )
        gap = Constant("gap", self.gap, "m", "undeformed distance", ("y", "x"))
        return Layout(fields, total, centres, (gap,))


class PressStepper(PressedStepper[PressCase]):
    """One load after the other, each started from the one before."""

    @cached_property
    def layout(self) -> Layout:
        """Numbers and the pressure of every load."""
        return self.lay_out((*NUMBERS, PRESSURE), len(self.case.load.values))

    def initial(self) -> Arrays:
        """Nothing has touched yet."""
        nothing = np.zeros(self.grid.shape)
        return {"step": np.array(0), "pressure": nothing, "displacement": nothing.copy()}

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Solve the next load."""
        step, case, before = int(state["step"]), self.case, None
        options = case.solver.model_dump()
        if step:
            before = recover_contact(
                state["pressure"],
                self.gap,
                self.grid,
                case.pair,
                displacement=state["displacement"],
                **options,
            )
        contact = self.press_load(case.load.values[step], start=before, **options)
        numbers = {field.name: _read_number(contact, field) for field in NUMBERS}
        return {"step": np.array(step + 1), **contact.state}, {**numbers, "pressure": contact.pressure}

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Numbers of the last load."""
        figures = sum_up_last(list(NUMBERS)[:SUMMED_UP], run)
        return [figure for figure in figures if np.isfinite(figure[1])]


def _read_number(contact: NormalContact, field: Field) -> float:
    """A number of a contact; NaN where it is not defined."""
    try:
        value = float(NUMBERS[field](contact))
    except UndefinedError:
        return np.nan
    return np.nan if field.may_be_nan and not np.isfinite(value) else value


def restore_contact(grid: Grid, pair: Pair, pressure: np.ndarray) -> NormalContact:
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
