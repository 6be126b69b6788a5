"""One sample: the wheels at rest."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.kinds.kind import IndependentSamples, KeyFigures, KindStepper, Sample
from traction.kinds.rest.schema import RestCase
from traction.kinds.tables.beam_tables import line_along
from traction.kinds.tables.crossing_fields import numbered
from traction.resting.rest import rest
from traction.resting.rest_result import Rest, notices
from traction.resting.standing_wheels import ELEMENTS, place_wheels
from traction.results.field import Coordinate, Layout, field_table
from traction.results.stored_run import StoredRun
from traction.view.resting import RestCurves

FIELDS = field_table("""
    iterations | 1 | steps until bending and contact agreed | | int64
    residual | 1 | largest disagreement of the deflections, relative
    equilibrium | 1 | difference of the forces of wheels and supports, relative
    steepest | 1 | largest slope of the bridge
    beyond_end | m | how far each patch reaches beyond an end of the bridge | wheel
    force | N | force of each wheel | wheel
    drop | m | how far each wheel has come down | wheel
    approach | m | approach of each wheel and the bridge under it | wheel
    beam_deflection | m | deflection of the beam under each wheel | wheel
    peak_pressure | Pa | largest pressure under each wheel | wheel
    semi_axis_x | m | semi-axis of each patch along the bridge | wheel
    semi_axis_y | m | semi-axis of each patch across | wheel
    straight_peak_pressure | Pa | largest pressure on a straight bridge | wheel
    straight_semi_axis_x | m | semi-axis along a straight bridge | wheel
    middle | m | of the grid of each patch, along the bridge from its wheel | wheel
    element_x | m | length of an element of each patch | wheel
    element_y | m | width of an element of each patch | wheel
    global_deflection | m | deflection of the beam, downwards | x
    local_deflection | m | of the bridge's top by the pressures, downwards | x
    deflection | m | sum of both | x
    pressure | Pa | pressure under each wheel | wheel row column
""")
#: fields of the first wheel that are key figures, and their words
FIRST_WHEEL = {
    "force": "force",
    "beam_deflection": "deflection of the beam under it",
    "approach": "approach",
    "peak_pressure": "peak pressure",
    "semi_axis_x": "semi-axis of the patch along the bridge",
}


@dataclass(frozen=True)
class RestFindings:
    """Data of the figures beside the sample."""

    far: RestCurves  #: along the bridge
    near: RestCurves  #: under the first wheel
    straight_pressure: np.ndarray  #: under the first wheel on a straight bridge, Pa
    residuals: np.ndarray  #: disagreement of the deflections after each step


class RestStepper(IndependentSamples, KindStepper[RestCase]):
    """One sample: the wheels at rest."""

    def __post_init__(self) -> None:
        """Refuse wheels that cannot stand there before anything is written."""
        place_wheels(**self.case.stood)

    @cached_property
    def solution(self) -> Rest:
        """By `tr.rest`."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the notices of the run say the same
            return rest(**self.case.stood, **self.case.solver.model_dump())

    @cached_property
    def layout(self) -> Layout:
        """One sample, over places along the bridge, wheels, and elements of their patches."""
        grid = self.case.grid
        ny, nx = (ELEMENTS, ELEMENTS) if grid is None else (grid.ny or 1, grid.nx)
        x = line_along(self.case.built, self.case.points)
        coordinates = (
            Coordinate("x", x, "m", "distance from the start of the bridge"),
            numbered("wheel", len(self.case.wheel), "wheel"),
            numbered("row", ny, "elements across the bridge"),
            numbered("column", nx, "elements along the bridge"),
        )
        return Layout(FIELDS, 1, coordinates)

    def sample(self, step: int) -> Sample:
        """Solve."""
        found, contacts, straight = self.solution, self.solution.contacts, self.solution.on_straight_bridge
        x = line_along(self.case.built, self.case.points)
        bent, local = found.deflection(x), found.local(x)
        a, b = np.array([one.semi_axes for one in contacts]).T
        grids = np.array([(one.grid.center[0], one.grid.dx, one.grid.dy) for one in contacts]).T
        return {
            "iterations": found.iterations,
            "residual": found.residuals[-1],
            "equilibrium": found.equilibrium,
            "steepest": found.steepest,
            "beyond_end": found.beyond,
            "force": found.forces,
            "drop": found.drops,
            "approach": found.approaches,
            "beam_deflection": found.deflection(found.places),
            "peak_pressure": np.array([one.peak_pressure for one in contacts]),
            "semi_axis_x": a,
            "semi_axis_y": b,
            "straight_peak_pressure": np.array([one.peak_pressure for one in straight]),
            "straight_semi_axis_x": np.array([one.semi_axes[0] for one in straight]),
            **dict(zip(("middle", "element_x", "element_y"), grids, strict=True)),
            "global_deflection": bent,
            "local_deflection": local,
            "deflection": bent + local,
            "pressure": np.stack([one.pressure for one in contacts]),
        }

    def findings(self, run: StoredRun) -> RestFindings:
        """Deflections along the bridge and near the first wheel, its patch, and how the solution came."""
        found, straight = self.solution, self.solution.on_straight_bridge[0].pressure
        return RestFindings(
            RestCurves.of(found), RestCurves.of(found, 0), straight, np.array(found.residuals)
        )

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Of the first wheel, and of the solution."""
        of = "" if len(self.case.wheel) == 1 else " of the first wheel"
        units = {field.name: field.unit for field in FIELDS}
        for name, words in FIRST_WHEEL.items():
            yield f"{words}{of}", float(run[name][-1][0]), units[name]
        yield "iterations", int(run["iterations"][-1]), "1"
        yield "equilibrium residual", float(run["equilibrium"][-1]), "1"

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Limits of validity that the result exceeds."""
        places = np.array([one.at for one in self.case.wheel])
        return notices(float(run["steepest"][-1]), places, run["beyond_end"][-1])
