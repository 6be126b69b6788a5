"""Kind "rest": wheels at rest on a bridge, contact patches and bending in agreement."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field as Limits
from pydantic import model_validator

from traction.beams.beam import Beam
from traction.kinds.bounce.report import shown
from traction.kinds.registry import KeyFigure, Kind
from traction.kinds.tables.beam_tables import BeamTable, beam_words, held, line_along
from traction.kinds.tables.body_tables import GridTable
from traction.kinds.tables.wheel_tables import RailTable, WheelTable
from traction.quantities import quantity, significant
from traction.resting.rest import rest
from traction.resting.rest_result import STEEPEST, Rest, notices
from traction.resting.standing_wheels import place_wheels
from traction.results.field import Coordinate, Field
from traction.scenario.schema import NotNegativeLength, PositiveForce, PositiveLength, Strict
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Samples = dict[str, Any]
State = dict[str, np.ndarray]
MOST_WHEELS = 50
MOST_CELLS = 512 * 512
EQUILIBRIUM, AGREEMENT, LIKE_HERTZ = 1e-10, 1e-10, 0.01  #: limits of the checks
ONE = 1.0  #: mass of a wheel that stands, which does not matter, kg


class StandingWheel(WheelTable):
    """A wheel, where it stands, and either its force or how far it has come down."""

    at: NotNegativeLength
    force: PositiveForce | None = None
    drop: PositiveLength | None = None
    """since it touched the straight bridge"""

    @model_validator(mode="after")
    def _pressed(self) -> Self:
        if (self.force is None) == (self.drop is None):
            raise ValueError("needs either a force or a drop")
        return self


class SolvingTable(Strict):
    """How bending and contact come to agree."""

    method: Literal["newton", "fixed-point"] = "newton"
    tol: Annotated[float, Limits(ge=1e-12, lt=1.0)] = 1e-10
    max_iterations: Annotated[int, Limits(ge=1, le=1000)] = 30


class RestCase(Strict):
    """Wheels on a bridge."""

    title: Annotated[str, Limits(max_length=200)] = "Wheels at rest on a bridge"
    beam: BeamTable
    rail: RailTable = RailTable()
    wheel: Annotated[list[StandingWheel], Limits(min_length=1, max_length=MOST_WHEELS)]
    grid: GridTable | None = None
    """of each patch, around its wheel; 48 x 48 elements that hold it unless given"""
    solver: SolvingTable = SolvingTable()
    points: Annotated[int, Limits(ge=2, le=10_001)] = 201
    """along the bridge, at which deflections are stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for k, one in enumerate(self.wheel):
            self.beam.require_place(f"wheel.{k}.at", one.at)
        if not held(self.built):
            raise ValueError("has a beam that nothing holds; give it supports or a foundation")
        if self.grid is not None and self.grid.line:
            raise ValueError("takes no line contact; tr.rest does, with grid=tr.Grid.line")
        if self.grid is not None and self.grid.nx * (self.grid.ny or 1) > MOST_CELLS:
            raise ValueError(f"has more than {MOST_CELLS} elements in its grid; choose fewer")
        return self

    @property
    def built(self) -> Beam:
        """The beam."""
        return self.beam.build()

    @property
    def stood(self) -> dict[str, Any]:
        """Wheels, bridge and grid, as `tr.rest` takes them."""
        return {
            "wheel": [one.made(ONE) for one in self.wheel], "bridge": self.rail.bridge(self.built),
            "at": [one.at for one in self.wheel], "force": [one.force for one in self.wheel],
            "drop": [one.drop for one in self.wheel],
            "grid": None if self.grid is None else self.grid.build(),
        }  # fmt: skip

    def solve(self) -> Rest:
        """By `tr.rest`."""
        solver = self.solver
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the notices of the run tell the same
            return rest(
                **self.stood, method=solver.method, tol=solver.tol, max_iterations=solver.max_iterations
            )


FIELDS = (
    Field("iterations", "1", "steps until bending and contact agreed", dtype="int64"),
    Field("residual", "1", "largest disagreement of the deflections, relative"),
    Field("equilibrium", "1", "difference of the forces of wheels and supports, relative"),
    Field("steepest", "1", "largest slope of the bridge"),
    Field("beyond_end", "m", "how far each patch reaches beyond an end of the bridge", ("wheel",)),
    Field("force", "N", "force of each wheel", ("wheel",)),
    Field("drop", "m", "how far each wheel has come down", ("wheel",)),
    Field("approach", "m", "approach of each wheel and the bridge under it", ("wheel",)),
    Field("beam_deflection", "m", "deflection of the beam under each wheel", ("wheel",)),
    Field("peak_pressure", "Pa", "largest pressure under each wheel", ("wheel",)),
    Field("semi_axis_x", "m", "semi-axis of each patch along the bridge", ("wheel",)),
    Field("semi_axis_y", "m", "semi-axis of each patch across", ("wheel",)),
    Field("straight_peak_pressure", "Pa", "largest pressure on a straight bridge", ("wheel",)),
    Field("straight_semi_axis_x", "m", "semi-axis along a straight bridge", ("wheel",)),
    Field("middle", "m", "of the grid of each patch, along the bridge from its wheel", ("wheel",)),
    Field("element_x", "m", "length of an element of each patch", ("wheel",)),
    Field("element_y", "m", "width of an element of each patch", ("wheel",)),
    Field("global_deflection", "m", "deflection of the beam, downwards", ("x",)),
    Field("local_deflection", "m", "of the bridge's top by the pressures, downwards", ("x",)),
    Field("deflection", "m", "sum of both", ("x",)),
    Field("pressure", "Pa", "pressure under each wheel", ("wheel", "row", "column")),
)


@dataclass(frozen=True)
class RestStepper:
    """One sample: the wheels at rest."""

    case: RestCase

    @property
    def fields(self) -> tuple[Field, ...]:
        """What the sample holds."""
        return FIELDS

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Places along the bridge, wheels, and elements of their patches."""
        from traction.resting.patch_grid import ELEMENTS

        grid = self.case.grid
        ny, nx = (ELEMENTS, ELEMENTS) if grid is None else (grid.ny or 1, grid.nx)
        x = line_along(self.case.built, self.case.points)
        return (
            Coordinate("x", x, "m", "distance from the start of the bridge"),
            Coordinate("wheel", np.arange(1, len(self.case.wheel) + 1), "1", "wheel"),
            Coordinate("row", np.arange(1, ny + 1), "1", "elements across the bridge"),
            Coordinate("column", np.arange(1, nx + 1), "1", "elements along the bridge"),
        )

    @property
    def total(self) -> int:
        """One."""
        return 1

    def initial(self) -> State:
        """Nothing stands yet."""
        return {"step": np.array(0)}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """Solve."""
        found = self.case.solve()
        x = line_along(self.case.built, self.case.points)
        bent, local = found.deflection(x), found.local(x)
        straight = found.on_straight_bridge
        sample: dict[str, Any] = {
            "iterations": found.iterations,
            "residual": found.residuals[-1],
            "equilibrium": found.equilibrium,
            "steepest": found.steepest,
            "beyond_end": found.beyond,
            "force": found.forces,
            "drop": found.drops,
            "approach": found.approaches,
            "beam_deflection": found.deflection(found.places),
            "global_deflection": bent,
            "local_deflection": local,
            "deflection": bent + local,
            "pressure": np.stack([one.pressure for one in found.contacts]),
        }
        contacts = found.contacts
        sample["peak_pressure"] = np.array([one.peak_pressure for one in contacts])
        sample["semi_axis_x"], sample["semi_axis_y"] = np.array([one.semi_axes for one in contacts]).T
        sample["middle"] = np.array([c.grid.center[0] for c in contacts])
        sample["element_x"], sample["element_y"] = np.array([(c.grid.dx, c.grid.dy) for c in contacts]).T
        sample["straight_peak_pressure"] = np.array([one.peak_pressure for one in straight])
        sample["straight_semi_axis_x"] = np.array([one.semi_axes[0] for one in straight])
        return {"step": np.array(1)}, sample


def key_figures(case: RestCase, samples: Samples) -> Sequence[KeyFigure]:
    """Of the first wheel, and of the solution."""
    last = {name: values[-1] for name, values in samples.items()}
    of = "" if len(case.wheel) == 1 else " of the first wheel"
    return [
        (f"force{of}", float(last["force"][0]), "N"),
        (f"deflection of the beam under it{of}", float(last["beam_deflection"][0]), "m"),
        (f"approach{of}", float(last["approach"][0]), "m"),
        (f"peak pressure{of}", float(last["peak_pressure"][0]), "Pa"),
        (f"semi-axis of the patch along the bridge{of}", float(last["semi_axis_x"][0]), "m"),
        ("steps until both agree", int(last["iterations"]), "1"),
        ("equilibrium is missed by", float(last["equilibrium"]), "1"),
    ]


def stepper(case: RestCase) -> RestStepper:
    """For a case that can be solved; others are refused before anything is written."""
    place_wheels(**case.stood)
    return RestStepper(case)


def told(case: RestCase, samples: Samples) -> Sequence[str]:
    """Slopes and ends that make it a rough result."""
    places = np.array([one.at for one in case.wheel])
    return notices(float(samples["steepest"][-1]), places, samples["beyond_end"][-1])


def tables(case: RestCase, samples: Samples) -> Sequence[Table]:
    """Every wheel, what holds, and what went in."""
    last = {name: values[-1] for name, values in samples.items()}
    rows = [
        (
            f"{k + 1}",
            quantity(float(last["force"][k]), "N"),
            quantity(float(last["beam_deflection"][k]), "m"),
            quantity(float(last["approach"][k]), "m"),
            quantity(float(last["peak_pressure"][k]), "Pa"),
            quantity(float(last["semi_axis_x"][k]), "m"),
            _change(last["semi_axis_x"][k], last["straight_semi_axis_x"][k]),
            _change(last["peak_pressure"][k], last["straight_peak_pressure"][k]),
        )
        for k in range(len(case.wheel))
    ]
    header = (
        "wheel", "force", "beam deflection", "approach", "peak pressure", "semi-axis",
        "by bending", "pressure by bending",
    )  # fmt: skip
    return [
        Table("Wheels", header, rows),
        Table("Checks", ("check", "found", "limit", "verdict"), _checks(case, last)),
        Table("Results", ("quantity", "value"), [(n, shown(v, u)) for n, v, u in key_figures(case, samples)]),
        Table("Inputs", ("quantity", "value"), _inputs(case)),
    ]


def _change(bent: float, straight: float) -> str:
    return f"{100.0 * (bent / straight - 1.0):+.3f} %"


def _checks(case: RestCase, last: Samples) -> list[tuple[str, str, str, str]]:
    tol = max(case.solver.tol, AGREEMENT)
    found = {
        "bending and contact disagree by": (float(last["residual"]), tol, "missed"),
        "forces of wheels and supports differ by": (float(last["equilibrium"]), EQUILIBRIUM, "missed"),
        "largest slope": (
            float(last["steepest"]), STEEPEST, "beyond small deflections: take the result as a rough one"
        ),
        "patches reach beyond the bridge by (m)": (
            float(np.max(last["beyond_end"])), 0.0, "taken as level there: take the result as a rough one"
        ),
    }  # fmt: skip
    return [
        (name, f"{value:.1e}", f"{limit:g}", "passed" if value <= limit else words)
        for name, (value, limit, words) in found.items()
    ]


def _inputs(case: RestCase) -> list[tuple[str, str]]:
    rows = [*beam_words(case.beam), ("rail", case.rail.words)]
    for k, one in enumerate(case.wheel[:8]):
        given = (
            quantity(one.force, "N") if one.force is not None else f"drop {quantity(one.drop or 0.0, 'm')}"
        )
        rows.append((f"wheel {k + 1}", f"{one.words}; {given} at {quantity(one.at, 'm')}"))
    solver = case.solver
    return [*rows, ("solver", f"{solver.method}, tolerance {significant(solver.tol, 1)}")]


def story(case: RestCase, samples: Samples) -> Sequence[str]:
    """What it is about."""
    return [
        "Wheels stand on a bridge: the bridge bends (global), the contact under each wheel dents it (local), "
        "and either changes the other. The half space tells the pressure on the wheel's profile minus the "
        "bent bridge; the pressure, distributed as it is, bends the bridge.",
    ]


def figures(case: RestCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Local and global deflection, near and far; patch with and without bending."""
    from traction.view import figures as view
    from traction.view.resting import rest_patch_plot, rest_plot

    found = case.solve()
    figure = view.blank_figure(11.0, 4.4)
    far, near = figure.subplots(1, 2)
    rest_plot(found, far)
    rest_plot(found, near, around=0)
    words = (
        "Deflection by bending, by the contact, and their sum: along the bridge, and under the first wheel."
    )
    drawn = [("deflection", words, figure)]
    figure = view.blank_figure(11.0, 4.4)
    left, right = figure.subplots(1, 2, width_ratios=[1.15, 1.0])
    rest_patch_plot(found, left)
    view.pressure_map(found.contacts[0], right, title="Patch of wheel 1")
    words = "Pressure under the first wheel, with the bridge bent and straight; right, its patch from above."
    drawn.append(("patch", words, figure))
    figure = view.blank_figure(7.0)
    axes = figure.add_subplot()
    axes.semilogy(range(len(found.residuals)), found.residuals, "o-", color=view.BLUE, lw=1.8)
    axes.set_xticks(range(len(found.residuals)))
    view.style_axes(axes, "step", "disagreement of deflections", f"By {case.solver.method}")
    drawn.append(("steps", "How bending and contact come to agree.", figure))
    return drawn


KIND = Kind(
    name="rest",
    summary="wheels at rest on a bridge, contact patches and bending in agreement",
    schema=RestCase,
    stepper=stepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
    story=story,
    notices=told,
)
