"""One sample: the wheels at rest."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.kinds.kind import KindRun, KindStepper, Sample
from traction.kinds.rest.schema import RestCase
from traction.kinds.tables.beam_tables import line_along
from traction.resting.rest import rest
from traction.resting.rest_result import Rest, notices
from traction.resting.standing_wheels import ELEMENTS, place_wheels
from traction.results.field import Coordinate, Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state
from traction.view.resting import RestCurves

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
class RestFindings:
    """What the report draws beside the sample."""

    far: RestCurves  #: along the bridge
    near: RestCurves  #: under the first wheel
    straight_pressure: np.ndarray  #: under the first wheel on a straight bridge, Pa
    residuals: np.ndarray  #: disagreement of the deflections after each step


class RestStepper(KindStepper[RestCase]):
    """One sample: the wheels at rest."""

    @cached_property
    def solution(self) -> Rest:
        """By `tr.rest`."""
        solver = self.case.solver
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the notices of the run say the same
            return rest(
                **self.case.stood, method=solver.method, tol=solver.tol, max_iterations=solver.max_iterations
            )

    @cached_property
    def layout(self) -> Layout:
        """One sample, over places along the bridge, wheels, and elements of their patches."""
        grid = self.case.grid
        ny, nx = (ELEMENTS, ELEMENTS) if grid is None else (grid.ny or 1, grid.nx)
        x = line_along(self.case.built, self.case.points)
        coordinates = (
            Coordinate("x", x, "m", "distance from the start of the bridge"),
            Coordinate("wheel", np.arange(1, len(self.case.wheel) + 1), "1", "wheel"),
            Coordinate("row", np.arange(1, ny + 1), "1", "elements across the bridge"),
            Coordinate("column", np.arange(1, nx + 1), "1", "elements along the bridge"),
        )
        return Layout(FIELDS, 1, coordinates)

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Solve."""
        found = self.solution
        x = line_along(self.case.built, self.case.points)
        bent, local = found.deflection(x), found.local(x)
        straight = found.on_straight_bridge
        sample: dict[str, float | np.ndarray] = {
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

    def findings(self, run: StoredRun) -> Arrays:
        """Deflections along the bridge and near the first wheel, its patch, and how the solution came."""
        found = self.solution
        return flatten_state(
            RestFindings(
                RestCurves.of(found),
                RestCurves.of(found, 0),
                found.on_straight_bridge[0].pressure,
                np.array(found.residuals),
            )
        )

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Of the first wheel, and of the solution."""
        last = {name: values[-1] for name, values in run.samples.items()}
        of = "" if len(self.case.wheel) == 1 else " of the first wheel"
        return [
            (f"force{of}", float(last["force"][0]), "N"),
            (f"deflection of the beam under it{of}", float(last["beam_deflection"][0]), "m"),
            (f"approach{of}", float(last["approach"][0]), "m"),
            (f"peak pressure{of}", float(last["peak_pressure"][0]), "Pa"),
            (f"semi-axis of the patch along the bridge{of}", float(last["semi_axis_x"][0]), "m"),
            ("steps until both agree", int(last["iterations"]), "1"),
            ("equilibrium is missed by", float(last["equilibrium"]), "1"),
        ]

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Slopes and ends that make it a rough result."""
        places = np.array([one.at for one in self.case.wheel])
        return notices(float(run["steepest"][-1]), places, run["beyond_end"][-1])


def make_stepper(case: RestCase) -> RestStepper:
    """For a case that can be solved; others are refused before anything is written."""
    place_wheels(**case.stood)
    return RestStepper(case)


RUN = KindRun(make_stepper)
