"""Kind "press": two bodies pressed together, through one load or a sequence of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Tag, model_validator
from pydantic import Field as Limits

from traction.contact.normal import NormalContact, press, recovered
from traction.errors import UndefinedError
from traction.grid import Grid
from traction.kinds.bodies import GridTable, MaterialChoice, SurfaceTable, material
from traction.kinds.registry import KeyFigure, Kind
from traction.materials import Material, Pair
from traction.quantities import quantity, unit_for
from traction.results.field import Constant, Coordinate, Field
from traction.scenario.schema import Length, PositiveForce, PositiveForcePerLength, Strict
from traction.surfaces import SurfaceSum
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

State = dict[str, np.ndarray]
FEW_ELEMENTS = 8  #: across a contact; fewer say little about the pressure
MOST_MARKERS = 50  #: on a curve that stays readable


def one_or_many(number: Any) -> Any:
    """The type of one number or a list of them."""
    many = Annotated[list[number], Limits(min_length=1, max_length=100_000, fail_fast=True)]
    either = Annotated[number, Tag("one")] | Annotated[many, Tag("many")]
    chosen = Discriminator(lambda value: "many" if isinstance(value, list) else "one")
    return Annotated[either, chosen] | None


class LoadTable(Strict):
    """Force (per length for a line contact) or approach: one number, or a list to go through in order."""

    force: one_or_many(PositiveForce) = None  # type: ignore[valid-type]
    force_per_length: one_or_many(PositiveForcePerLength) = None  # type: ignore[valid-type]
    approach: one_or_many(Length) = None  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("needs exactly one of force, force_per_length and approach")
        return self

    @property
    def given(self) -> str:
        """Name of the argument of `press` that is prescribed."""
        return "approach" if self.approach is not None else "force"

    @property
    def values(self) -> list[float]:
        """All loads in SI, in order."""
        value = next(v for v in (self.force, self.force_per_length, self.approach) if v is not None)
        return list(value) if isinstance(value, list) else [value]


class SolverTable(Strict):
    """How the contact is solved."""

    tol: Annotated[float, Limits(ge=1e-11, lt=1.0)] = 1e-6
    periodic: Literal["x", "y", "xy"] | None = None


class PressCase(Strict):
    """A body of given shape pressed on another one."""

    title: Annotated[str, Limits(max_length=200)] = "Two bodies pressed together"
    upper: MaterialChoice = "steel"
    lower: MaterialChoice = "steel"
    grid: GridTable
    surface: Annotated[list[SurfaceTable], Limits(min_length=1, max_length=20)]
    load: LoadTable
    solver: SolverTable = SolverTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if material(self.upper).rigid and material(self.lower).rigid:
            raise ValueError("has two rigid bodies; at least one of upper and lower must deform")
        if self.load.force is not None and self.grid.line:
            raise ValueError("has a line contact, which takes load.force_per_length instead of load.force")
        if self.load.force_per_length is not None and not self.grid.line:
            raise ValueError("has no line contact, so it takes load.force instead of load.force_per_length")
        return self

    @property
    def pair(self) -> Pair:
        """Both materials."""
        return Pair(material(self.upper), material(self.lower))


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


@dataclass(frozen=True)
class PressStepper:
    """One load after the other, each started from the one before."""

    case: PressCase

    @cached_property
    def grid(self) -> Grid:
        """The grid."""
        return self.case.grid.build()

    @cached_property
    def gap(self) -> np.ndarray:
        """Undeformed distance, m."""
        return SurfaceSum(tuple(table.build() for table in self.case.surface)).gap(self.grid)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*SCALARS, Field("pressure", "Pa", "contact pressure", ("y", "x")))

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Element centres."""
        return (
            Coordinate("x", self.grid.x, "m", "rolling direction"),
            Coordinate("y", self.grid.y, "m", "lateral direction"),
        )

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The gap."""
        return (Constant("gap", self.gap, "m", "undeformed distance", ("y", "x")),)

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


def material_words(body: Material) -> str:
    """A material in a few words."""
    if body.rigid:
        return "rigid"
    return f"E {quantity(body.youngs_modulus, 'Pa')}, nu {body.poisson_ratio:g}"


def _load_words(load: LoadTable, line: bool) -> str:
    """The loads in a few words."""
    unit = "m" if load.given == "approach" else "N/m" if line else "N"
    values = load.values
    if len(values) == 1:
        return f"{load.given} {quantity(values[0], unit)}"
    return f"{len(values)}, {load.given} {quantity(values[0], unit)} to {quantity(values[-1], unit)}"


def surface_words(table: Any) -> str:
    """A surface in a few words."""
    lengths = {
        name: getattr(table, name) for name in ("radius", "radius_x", "radius_y") if hasattr(table, name)
    }
    return ", ".join([table.type, *(f"{name} {quantity(value, 'm')}" for name, value in lengths.items())])


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
