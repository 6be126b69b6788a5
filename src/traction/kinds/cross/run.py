"""Samples of a crossing, marched from one to the next; what a stopped run needs to go on is in its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from traction.beams.exact.influence_lines import InfluenceLine, influence_line
from traction.crossing.marches.condensed_steps import ENERGIES, Arrays, Stored
from traction.crossing.results.contact_crossing import ContactResults, Ledger
from traction.crossing.results.crossing import Crossing, ModalCrossing
from traction.crossing.results.energies import Energies
from traction.crossing.results.vehicle_results import VehicleResults
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.kinds.cross.drive_run import DRIVE, DrivenWheels
from traction.kinds.cross.drive_run import WHOLE as WHOLE_DRIVEN
from traction.kinds.kind import KindRun, KindStepper
from traction.kinds.tables.beam_tables import line_along
from traction.kinds.tables.crossing_fields import (
    LIFTED,
    LOOKED_AT,
    VEHICLE,
    along,
    at_rest,
    numbered,
    passing,
)
from traction.results.field import Coordinate, Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun

if TYPE_CHECKING:
    from traction.kinds.cross.schema import CrossCase

BODY = "bridge"
LOG = (
    LIFTED,
    Field("largest_force", "N", "largest force under a wheel so far, of all steps"),
    Field("least_force", "N", "least force under a wheel so far, of all steps"),
    Field("lifted_steps", "1", "steps so far in which a wheel had lifted", dtype="int64"),
)
WHEELS = (
    Field("contact_force", "N", "force under each wheel", ("wheel",)),
    Field("in_contact", "1", "whether each wheel touches", ("wheel",), dtype="bool"),
    VEHICLE,
    Field("vehicle_velocity", "m/s or rad/s", "velocities of the vehicles", ("coordinate",)),
)
PRESSED = (
    Field("approach", "m", "approach of each wheel and the track, negative in flight", ("wheel",)),
    Field("peak_pressure", "Pa", "largest pressure under each wheel", ("wheel",)),
    Field("patch_area", "m2", "area of each wheel's patch", ("wheel",)),
    Field("peak_pressure_so_far", "Pa", "largest pressure under a wheel at a sample so far"),
)
MODAL = (
    Field("modal", "m kg^0.5", "coordinates of the modes", ("mode",)),
    Field("modal_velocity", "m kg^0.5/s", "velocities of the modes", ("mode",)),
)
NODAL = (
    Field("nodal", "m or rad", "displacements of the nodes", ("node",)),
    Field("nodal_velocity", "m/s or rad/s", "velocities of the nodes", ("node",)),
    Field("nodal_acceleration", "m/s2 or rad/s2", "accelerations of the nodes", ("node",)),
)
PRESSURE = Field("pressure", "Pa", "pressure under the first wheel", ("patch_y", "patch_x"))
#: fields, by the names of the columns of a crossing
COLUMNS = {
    "modal": "modal", "modal_velocity": "modal_velocity", "q": "nodal", "v": "nodal_velocity",
    "a": "nodal_acceleration", "vehicle": "vehicle", "vehicle_velocity": "vehicle_velocity",
    "contact_forces": "contact_force", "approach": "approach", "in_contact": "in_contact",
}  # fmt: skip
MODAL_COLUMNS, NODAL_COLUMNS = ("modal", "modal_velocity"), ("q", "v", "a")
VEHICLE_COLUMNS = ("vehicle", "vehicle_velocity", "contact_forces", "in_contact")
NO_WHEELS = np.zeros((0, 0))  #: forces of steps without any
WHOLE = (*COLUMNS.values(), "peak_pressure", "patch_area")  #: kept whole for reports
ROOM = 2  #: sides of the stored patch over those of its grid at rest


class Steps(Protocol):
    """A crossing some steps at a time; see `CondensedSteps`."""

    def begin(self) -> Arrays:
        """Before the first step."""

    def advance(self, state: Arrays, last: int) -> tuple[Arrays, np.ndarray]:
        """March on to the kept time number `last`; also the forces of the wheels after each step."""

    def columns(self, state: Arrays) -> dict[str, np.ndarray]:
        """Of a crossing, at the time of a state."""

    def pressure(self, state: Arrays, wheel: int) -> np.ndarray | None:
        """Of a wheel's patch, Pa; None where there is no grid."""

    def crossing(self, t: np.ndarray, columns: dict[str, Any], ledger: Ledger) -> Crossing:
        """A crossing at some of the times."""

    @property
    def times(self) -> np.ndarray:
        """Kept, s."""

    @property
    def kept(self) -> np.ndarray:
        """After which of the steps these are."""

    @property
    def contacts(self) -> tuple[WheelContact, ...]:
        """Of the wheels; none where contact is rigid."""


@dataclass(frozen=True, eq=False)
class WholeSteps:
    """A crossing in rigid contact: computed as a whole, in a moment, and always in the same way."""

    run: Crossing
    contacts: tuple[WheelContact, ...] = ()

    @property
    def times(self) -> np.ndarray:
        """Kept, s."""
        return self.run.t

    @property
    def kept(self) -> np.ndarray:
        """All of them."""
        return np.arange(self.run.t.size)

    def begin(self) -> Arrays:
        """Before the first step."""
        return {"step": np.array(0)}

    def advance(self, state: Arrays, last: int) -> tuple[Arrays, np.ndarray]:
        """To the kept time number `last`."""
        passed = slice(int(state["step"]) + 1, last + 1)
        forces = self.run.contact_forces[passed] if isinstance(self.run, VehicleResults) else NO_WHEELS
        return {"step": np.array(last)}, forces

    def columns(self, state: Arrays) -> dict[str, np.ndarray]:
        """At the time of a state."""
        names = MODAL_COLUMNS if isinstance(self.run, ModalCrossing) else NODAL_COLUMNS
        if isinstance(self.run, VehicleResults):
            names = (*names, *VEHICLE_COLUMNS)
        return {name: getattr(self.run, name)[int(state["step"])] for name in names}

    def pressure(self, state: Arrays, wheel: int) -> np.ndarray | None:
        """Rigid contact has none."""
        return None

    def crossing(self, t: np.ndarray, columns: dict[str, Any], ledger: Ledger) -> Crossing:
        """The whole at some of its times."""
        rows, run = np.searchsorted(self.run.t, t - 0.5 * self.run.dt), self.run
        given: dict[str, Any] = {"t": run.t[rows], "places": run.places[rows], "forces": run.forces[rows]}
        if isinstance(run, ModalCrossing):
            given |= {"force_rates": run.force_rates[:, rows], "motion": run.motion[rows]}
        return replace(run, **given, **columns)


@dataclass(frozen=True)
class CrossStepper(KindStepper["CrossCase"]):
    """One sample after the other."""

    case: CrossCase
    steps: Steps
    driven: DrivenWheels
    patch: Grid | None  #: of the first wheel before the march, which may enlarge it; None without one

    @property
    def layout(self) -> Layout:
        """What is stored."""
        return Layout(self.fields, self.total, self.coordinates)

    @property
    def total(self) -> int:
        """Number of samples."""
        return self.case.time.samples

    @cached_property
    def every(self) -> int:
        """Steps from one sample to the next."""
        return (self.steps.times.size - 1) // (self.total - 1)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        case, contacts = self.case, self.steps.contacts
        found = [*passing(BODY), *LOOKED_AT, *([at_rest(BODY)] if case.at_rest else []), *along(BODY)]
        found += MODAL if case.model.type == "modes" else NODAL
        if case.cars.vehicles:
            found += [*LOG, *WHEELS]
        if contacts:
            found += [*PRESSED, *_energy_fields()]
        if case.output.pressure:
            found.append(PRESSURE)
        return (*found, *self.driven.fields)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Places along the bridge, axles, wheels, coordinates, modes or nodes, and the patch."""
        case, cars = self.case, self.case.cars
        row = self.steps.columns(self._begun)
        found = [
            Coordinate("x", line_along(case.built, case.output.points), "m", "from the start of the bridge"),
            numbered("axle", len(cars), "axle: forces, then wheels"),
            numbered("mode", row["modal"].size, "mode") if "modal" in row
            else numbered("node", row["q"].size, "displacement of a node"),
        ]  # fmt: skip
        if cars.vehicles:
            found += [
                numbered("wheel", row["contact_forces"].size, "wheel"),
                numbered("coordinate", row["vehicle"].size, "of the vehicles"),
            ]
        if case.output.pressure:
            grid = self._patch_grid
            for name, n, step in (("patch_y", grid.ny, grid.dy), ("patch_x", grid.nx, grid.dx)):
                places = (np.arange(ROOM * n) - 0.5 * (ROOM * n - 1)) * step
                found.append(Coordinate(name, places, "m", "distance from the middle of the wheel"))
        return (*found, *self.driven.coordinates)

    def initial(self) -> Arrays:
        """Before the first sample."""
        return {"sample": np.array(0), "log": np.array([-np.inf, np.inf, 0.0, 0.0]), **self._begun}

    def advance(self, state: Arrays) -> tuple[Arrays, dict[str, Any]]:
        """March on to the next sample, and look at it."""
        k, log = int(state["sample"]), state["log"]
        rolls = {name: value for name, value in state.items() if name.startswith(DRIVE)}
        here = {name: state[name] for name in state if name not in ("sample", "log", *rolls)}
        before = self._forces(here)
        forces = before
        if k:
            here, forces = self.steps.advance(here, k * self.every)
        row = self.steps.columns(here)
        pressed = self._pressed(here, row)
        log = _logged(log, forces, pressed.get("peak_pressure"))
        sample = {**self._sample(k, row), **pressed}
        if self.case.cars.vehicles:
            sample |= {
                "wheels_lifted": int((~row["in_contact"]).sum()), "largest_force": log[0],
                "least_force": log[1], "lifted_steps": int(log[2]),
            }  # fmt: skip
        if self.steps.contacts:
            sample["peak_pressure_so_far"] = log[3]
            sample |= {f"energy_{name}": here["energies"][i] for i, name in enumerate(ENERGIES)}
        if self.case.output.pressure:
            sample["pressure"] = self._patch(here)
        if self.driven.numbers:
            rolls, found = self._rolled(k, rolls, before, forces)
            sample |= found
        return {"sample": np.array(k + 1), "log": log, **here, **rolls}, sample

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Of the bridge at the place, of the wheels at all steps, and of the energy."""
        from traction.kinds.cross.report import key_figures

        return key_figures(self.case, run)

    def notices(self, run: StoredRun) -> Sequence[str]:
        """What makes the result a rough one."""
        from traction.kinds.cross.report import notices

        return notices(self.case, run)

    def _forces(self, state: Arrays) -> np.ndarray:
        """Under the wheels at a state, N, (1, wheels)."""
        row = self.steps.columns(state)
        return row["contact_forces"][None] if "contact_forces" in row else NO_WHEELS

    def _rolled(
        self, k: int, rolls: Arrays, before: np.ndarray, forces: np.ndarray
    ) -> tuple[Arrays, dict[str, Any]]:
        """The driven wheels, on from their state to sample k, under the forces before and in the steps."""
        if not k:
            return self.driven.advance(rolls, self.steps.times[:1], before)
        rows = slice((k - 1) * self.every, k * self.every + 1)
        if len(forces) > self.every:  # steps also end where an axle passes an end of the bridge
            ends = self.steps.kept[rows]
            forces = forces[ends[1:] - ends[0] - 1]
        return self.driven.advance(rolls, self.steps.times[rows], np.concatenate([before, forces]))

    def _sample(self, k: int, row: dict[str, np.ndarray]) -> dict[str, Any]:
        """What the crossing tells at one time."""
        t = self.steps.times[k * self.every]
        ledger = Stored(Energies(**dict.fromkeys(ENERGIES, np.zeros(1))))
        one = self.steps.crossing(np.array([t]), {name: value[None] for name, value in row.items()}, ledger)
        place = self.case.place
        x = line_along(self.case.built, self.case.output.points)
        found = {
            "time": t,
            "first_axle": one.places.max(),
            "axles_on_bridge": int(one.on_beam.sum()),
            **{item.name: getattr(one, item.name)(place)[0] for item in LOOKED_AT},
            "bridge_deflection": one.deflection(x)[0],
            "axle_place": one.places[0],
            "axle_force": one.forces[0],
            **{COLUMNS[name]: value for name, value in row.items()},
        }
        if self.case.at_rest:
            on = one.on_beam[0]
            found[at_rest(BODY).name] = float(one.forces[0, on] @ self._line.at(one.places[0, on]))
        return found

    def _pressed(self, state: Arrays, row: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Of the patches."""
        if not self.steps.contacts:
            return {}
        found = [
            _peak_and_area(contact, float(row["approach"][k]), self.steps.pressure(state, k))
            for k, contact in enumerate(self.steps.contacts)
        ]
        peaks, areas = np.array(found).T
        return {"peak_pressure": peaks, "patch_area": areas}

    def _patch(self, state: Arrays) -> np.ndarray:
        """Pressure under the first wheel, in the middle of a grid of twice its sides."""
        pressure, grid = self.steps.pressure(state, 0), self._patch_grid
        assert pressure is not None
        room = np.zeros((ROOM * grid.ny, ROOM * grid.nx))
        edges = [(room.shape[i] - pressure.shape[i]) // 2 for i in range(2)]
        if min(edges) < 0:
            raise ConvergenceError(
                "the patch under the first wheel outgrew twice its grid; give a larger grid, or leave out "
                "output.pressure."
            )
        room[edges[0] : room.shape[0] - edges[0], edges[1] : room.shape[1] - edges[1]] = pressure
        return room

    @cached_property
    def _line(self) -> InfluenceLine:
        """What a force at any place does at the place that is looked at, the bridge at rest."""
        return influence_line(self.case.built, "deflection", self.case.place)

    @cached_property
    def _begun(self) -> Arrays:
        return self.steps.begin()

    @property
    def _patch_grid(self) -> Grid:
        assert self.patch is not None
        return self.patch


def rebuilt(case: CrossCase, samples: Mapping[str, Any]) -> Crossing:
    """The crossing at the times of the samples, which are enough for it."""
    steps = case.steps()
    found = {name: samples[field] for name, field in COLUMNS.items() if field in samples}
    counted = dict.fromkeys(ENERGIES, np.zeros(samples["time"].size))
    if steps.contacts:
        counted = {name: samples[f"energy_{name}"] for name in ENERGIES}
    run: Any = steps.crossing(samples["time"], found, Stored(Energies(**counted)))
    wheels = DrivenWheels.of(case, steps)
    return replace(run, driven=wheels.rolling(samples)) if wheels.numbers else run


def pressed_run(run: Crossing) -> ContactResults | None:
    """A crossing whose contact gives way."""
    return run if isinstance(run, ContactResults) else None


def _energy_fields() -> list[Field]:
    return [Field(f"energy_{name}", "J", f"energy or work: {name.replace('_', ' ')}") for name in ENERGIES]


def _logged(log: np.ndarray, forces: np.ndarray, peaks: np.ndarray | None) -> np.ndarray:
    """Largest and least force, steps in which a wheel had lifted, and largest pressure so far."""
    if not forces.size:
        return log
    return np.array(
        [
            max(log[0], float(forces.max())),
            min(log[1], float(forces.min())),
            log[2] + float((forces == 0.0).any(axis=1).sum()),
            log[3] if peaks is None else max(log[3], float(peaks.max())),
        ]
    )


def _peak_and_area(
    contact: WheelContact, approach: float, pressure: np.ndarray | None
) -> tuple[float, float]:
    """Largest pressure and area of a patch: as solved, or by Hertz."""
    if pressure is not None and contact.grid is not None:
        return float(pressure.max()), float((pressure > 0.0).sum()) * contact.grid.cell_area
    share = max(0.0, approach / contact.hertz.approach)
    a, b = contact.hertz.semi_axes
    return contact.hertz.peak_pressure * share**0.5, np.pi * a * b * share


def make_stepper(case: CrossCase) -> CrossStepper:
    """The march of a case."""
    steps = case.steps()
    patch = steps.contacts[0].grid if steps.contacts else None
    return CrossStepper(case, steps, DrivenWheels.of(case, steps), patch)


RUN = KindRun(make_stepper, whole=(*WHOLE, *WHOLE_DRIVEN))
