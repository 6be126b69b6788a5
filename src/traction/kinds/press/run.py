"""One load after the other, each started from the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from traction.contact.normal.press import NormalContact, press, recover_contact
from traction.errors import UndefinedError
from traction.kinds.kind import KindRun, Sample
from traction.kinds.press.pressed_stepper import PressedStepper
from traction.kinds.press.schema import PressCase
from traction.results.field import Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays

SCALARS = (
    Field("force", "N", "normal force"),
    Field("approach", "m", "approach of the bodies", may_be_nan=True),
    Field("peak_pressure", "Pa", "largest pressure"),
    Field("contact_area", "m2", "area in contact"),
    Field("semi_axis_x", "m", "semi-axis of the contact along x"),
    Field("semi_axis_y", "m", "semi-axis of the contact along y", may_be_nan=True),
    Field("stiffness", "N/m", "contact stiffness dF/d(approach)", may_be_nan=True),
    Field("elements_across", "1", "elements in the narrower direction of the contact"),
    Field("iterations", "1", "iterations on the finest grid"),
    Field("residual", "1", "largest distance in the contact over the approach"),
)
PRESSURE = Field("pressure", "Pa", "contact pressure", ("y", "x"))


class PressStepper(PressedStepper[PressCase]):
    """One load after the other, each started from the one before."""

    @cached_property
    def layout(self) -> Layout:
        """Numbers and the pressure of every load."""
        return self.lay_out((*SCALARS, PRESSURE), len(self.case.load.values))

    def initial(self) -> Arrays:
        """Nothing has touched yet."""
        nothing = np.zeros(self.grid.shape)
        return {"step": np.array(0), "pressure": nothing, "displacement": nothing.copy()}

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Solve the next load."""
        step = int(state["step"])
        load, solver = self.case.load, self.case.solver
        value, before = load.values[step], None
        if step:
            before = recover_contact(
                state["pressure"],
                self.gap,
                self.grid,
                self.case.pair,
                displacement=state["displacement"],
                periodic=solver.periodic,
                tol=solver.tol,
            )
        contact = press(
            self.gap,
            self.grid,
            self.case.pair,
            force=value if load.given == "force" else None,
            approach=value if load.given == "approach" else None,
            tol=solver.tol,
            periodic=solver.periodic,
            start=before,
        )
        return {"step": np.array(step + 1), **contact.state}, collect_sample(contact)

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Numbers of the last load."""
        return [
            (field.long_name, float(run[field.name][-1]), field.unit)
            for field in SCALARS[:7]
            if np.isfinite(run[field.name][-1])
        ]


def collect_sample(contact: NormalContact) -> Sample:
    """The numbers of one load; what is not defined for it is not a number."""
    a, b = contact.semi_axes
    return {
        "force": contact.force,
        "approach": _or_nan(lambda: contact.approach),
        "peak_pressure": contact.peak_pressure,
        "contact_area": contact.contact_area,
        "semi_axis_x": a,
        "semi_axis_y": b if np.isfinite(b) else np.nan,
        "stiffness": _or_nan(lambda: contact.stiffness),
        "elements_across": float(contact.elements_across),
        "iterations": float(contact.iterations),
        "residual": contact.certificate.residual,
        "pressure": contact.pressure,
    }


def _or_nan(number: Callable[[], float]) -> float:
    try:
        value = number()
    except UndefinedError:
        return np.nan
    return value if np.isfinite(value) else np.nan


RUN = KindRun(PressStepper)
