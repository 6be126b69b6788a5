"""Kind "press": two bodies pressed together, through one load or a sequence of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field as Limits

from traction.contact.normal.press import NormalContact, press, recovered
from traction.errors import UndefinedError
from traction.kinds.registry import KeyFigure, Kind
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.kinds.tables.contact_tables import LoadTable, PressedCase, PressedStepper, State
from traction.quantities import quantity, unit_for
from traction.results.field import Field
from traction.scenario.schema import Strict
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEW_ELEMENTS = 8  #: across a contact; fewer say little about the pressure
MOST_MARKERS = 50  #: on a curve that stays readable


class SolverTable(Strict):
    """How the contact is solved."""

    tol: Annotated[float, Limits(ge=1e-11, lt=1.0)] = 1e-6
    periodic: Literal["x", "y", "xy"] | None = None


class PressCase(PressedCase):
    """A body of given shape pressed on another one."""

    solver: SolverTable = SolverTable()


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


class PressStepper(PressedStepper[PressCase]):
    """One load after the other, each started from the one before."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*SCALARS, Field("pressure", "Pa", "contact pressure", ("y", "x")))

    @property
    def total(self) -> int:
        """Number of loads."""
        return len(self.case.load.values)

    def initial(self) -> State:
        """Nothing has touched yet."""
        nothing = np.zeros(self.grid.shape)
        return {"step": np.array(0), "pressure": nothing, "displacement": nothing.copy()}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """Solve the next load."""
        step = int(state["step"])
        load, solver = self.case.load, self.case.solver
        value = load.values[step]
        contact = press(
            self.gap,
            self.grid,
            self.case.pair,
            force=value if load.given == "force" else None,
            approach=value if load.given == "approach" else None,
            tol=solver.tol,
            periodic=solver.periodic,
            start=self.recovered(state["pressure"], state["displacement"]) if step else None,
        )
        return {"step": np.array(step + 1), **contact.state}, sample_of(contact)

    def recovered(self, pressure: np.ndarray, displacement: np.ndarray | None = None) -> NormalContact:
        """A contact from its stored pressure."""
        solver = self.case.solver
        return recovered(
            pressure,
            self.gap,
            self.grid,
            self.case.pair,
            displacement=displacement,
            periodic=solver.periodic,
            tol=solver.tol,
        )


def sample_of(contact: NormalContact) -> dict[str, Any]:
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


def key_figures(case: PressCase, samples: dict[str, Any]) -> Sequence[KeyFigure]:
    """Numbers of the last load."""
    return [
        (field.long_name, float(samples[field.name][-1]), field.unit)
        for field in SCALARS[:7]
        if np.isfinite(samples[field.name][-1])
    ]


def tables(case: PressCase, samples: dict[str, Any]) -> Sequence[Table]:
    """What went in, and what came out."""
    grid = case.grid.build()
    size = f"{grid.nx} x {grid.ny} elements of {quantity(grid.dx, 'm')} x {quantity(grid.dy, 'm')}"
    pair = case.pair
    inputs = [
        ("grid", f"line, {grid.nx} strips of {quantity(grid.dx, 'm')}" if grid.is_line else size),
        ("upper body", material_words(pair.upper)),
        ("lower body", material_words(pair.lower)),
        ("effective modulus E*", quantity(pair.effective_modulus, "Pa")),
        *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
        ("loads", _load_words(case.load, grid.is_line)),
        *([("periodic along", case.solver.periodic)] if case.solver.periodic else []),
        ("tolerance", f"{case.solver.tol:g}"),
    ]
    results = [(name, quantity(value, unit)) for name, value, unit in key_figures(case, samples)]
    limit = case.solver.tol
    worst = float(np.max(samples["residual"]))
    across = int(np.min(samples["elements_across"]))
    checks = [
        (
            "largest distance in the contact",
            f"{worst:.1e}",
            f"{limit:g}",
            "passed" if worst <= 1.01 * limit else "missed",
        ),
        (
            "elements across the contact",
            f"{across}",
            f"at least {FEW_ELEMENTS}",
            "passed" if across >= FEW_ELEMENTS else "coarse",
        ),
    ]
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        Table("Results at the last load", ("quantity", "value"), results),
        Table("Checks", ("check", "found", "limit", "verdict"), checks),
    ]


def _load_words(load: LoadTable, line: bool) -> str:
    """The loads in a few words."""
    unit = "m" if load.given == "approach" else "N/m" if line else "N"
    values = load.values
    if len(values) == 1:
        return f"{load.given} {quantity(values[0], unit)}"
    return f"{len(values)}, {load.given} {quantity(values[0], unit)} to {quantity(values[-1], unit)}"


def figures(case: PressCase, samples: dict[str, Any]) -> Sequence[tuple[str, str, Figure]]:
    """Pressure at the last load, and force over approach where there are several loads."""
    from traction.view import figures as view

    stepper = PressStepper(case)
    contact = stepper.recovered(samples["pressure"][-1])
    shown = []
    if not stepper.grid.is_line:
        figure = view.blank_figure()
        view.pressure_map(contact, ax=figure.add_subplot())
        shown.append(("pressure", "Contact pressure at the last load.", figure))
    directions = ("x",) if stepper.grid.is_line else ("x", "y")
    figure = view.blank_figure(5.0 * len(directions) + 1.0)
    for number, along in enumerate(directions):
        axes = figure.add_subplot(1, len(directions), number + 1)
        view.section(contact, along=along, ax=axes, through="peak")
    shown.append(("section", "Pressure through its peak at the last load.", figure))
    if stepper.total > 1 and np.isfinite(samples["approach"]).all():
        figure = view.blank_figure()
        axes = figure.add_subplot()
        length, force = unit_for(samples["approach"], "m"), unit_for(samples["force"], "N")
        style = "o-" if stepper.total <= MOST_MARKERS else "-"
        axes.plot(length.of(samples["approach"]), force.of(samples["force"]), style)
        view.style_axes(axes, f"approach ({length.name})", f"force ({force.name})", "Force over approach")
        shown.append(
            ("force_over_approach", "Force over approach: the contact stiffens as it grows.", figure)
        )
    return shown


KIND = Kind(
    name="press",
    summary="two bodies of any shape pressed together, through one load or many",
    schema=PressCase,
    stepper=PressStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
)
