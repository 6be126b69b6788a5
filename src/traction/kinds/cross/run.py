"""Samples of a crossing, marched from one to the next; the state is all that a stopped run needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import numpy as np

from traction.beams.exact.statics import InfluenceLine, influence_line
from traction.crossing.results.energies import ENERGIES, energies_of
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.kinds.cross import cross_fields as fields
from traction.kinds.cross.case_march import (
    MARCH,
    RECENT,
    ChosenStep,
    ElasticSamples,
    RigidSamples,
    SampleRow,
    make_samples,
)
from traction.kinds.cross.driven_samples import DRIVE, DrivenSamples
from traction.kinds.cross.findings import CrossFindings, find_deepest, find_failure, find_notices, sum_up
from traction.kinds.cross.schema import CrossCase
from traction.kinds.kind import KeyFigures, KindStepper, Sample
from traction.kinds.tables.beam_tables import line_along
from traction.kinds.tables.crossing_fields import AT_REST, list_fields, look_at, numbered
from traction.results.field import Coordinate, Field, Layout
from traction.results.recorder import Stop
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, unflatten_state

#: of the largest deflection so far, from which the curve between steps may exceed it: with three steps in a
#: period, which quintics need, the one nearest to a peak shows cos(pi/3) of it at least
NEAR_PEAK = 0.5
UNTOUCHED = np.array([-np.inf, np.inf, 0.0, 0.0])  #: before the first sample, see `_log_forces`


def _room(n: int) -> int:
    """Elements along a side of the stored patch, twice those of its grid at rest, with the same middle."""
    return n + 2 * (n // 2)


class CrossStepper(KindStepper[CrossCase]):
    """One sample after the other."""

    counter = "sample"

    whole = fields.WHOLE

    @cached_property
    def chosen(self) -> ChosenStep | None:
        """The step of dt = "auto": searched for, unless a stored state or sample of the run has it."""
        return ChosenStep.search(self.case) if self.case.time.automatic else None

    @cached_property
    def samples(self) -> ElasticSamples | RigidSamples:
        """The march, divided at the samples."""
        return make_samples(self.case, None if self.chosen is None else self.chosen.dt)

    @cached_property
    def outline(self) -> ElasticSamples | RigidSamples:
        """A march whose fields and coordinates are those of all steps; no step is searched for it."""
        return make_samples(self.case) if self.case.time.automatic else self.samples

    @property
    def _outlined(self) -> DrivenSamples:
        return DrivenSamples.of(self.case, self.outline) if self.case.time.automatic else self.driven

    def _recall(self, known: ChosenStep | None) -> None:
        """Keep a step that was found by this run before."""
        if known is not None:
            self.__dict__.setdefault("chosen", known)

    @cached_property
    def driven(self) -> DrivenSamples:
        """Friction under the driven wheels."""
        return DrivenSamples.of(self.case, self.samples)

    @cached_property
    def layout(self) -> Layout:
        """Bridge, axles, wheels, coordinates, modes or nodes, contacts and patches, driven wheels."""
        return Layout(tuple(self._list_fields()), self.case.time.samples, tuple(self._list_coordinates()))

    def _list_fields(self) -> Iterator[Field]:
        case = self.case
        yield from list_fields("bridge", case.at_rest)
        if case.time.automatic:
            yield from fields.CHOSEN
        yield from fields.PEAKS
        yield from fields.MODAL if case.model.type == "modes" else fields.NODAL
        if case.cars.vehicles:
            yield from (*fields.LOG, *fields.WHEELS)
        if self.outline.contacts:
            yield from (*fields.PRESSED, *fields.ENERGY)
        if case.output.pressure:
            yield fields.PRESSURE
        yield from self._outlined.fields

    def _list_coordinates(self) -> Iterator[Coordinate]:
        case, cars = self.case, self.case.cars
        columns = self.outline.advance(self.outline.begun, 0)[1].columns
        x = line_along(case.built, case.output.points)
        yield Coordinate("x", x, "m", "from the start of the bridge")
        yield numbered("axle", len(cars), "axle: forces, then wheels")
        named = ("mode", "mode") if case.model.type == "modes" else ("node", "displacement of a node")
        yield numbered(named[0], columns.coordinates.shape[1], named[1])
        if cars.vehicles:
            yield numbered("wheel", columns.contact_forces.shape[1], "wheel")
            yield numbered("coordinate", columns.vehicle.shape[1], "of the vehicles")
        if case.output.pressure:
            grid = self._patch_grid
            for name, n, step in (("patch_y", grid.ny, grid.dy), ("patch_x", grid.nx, grid.dx)):
                places = (np.arange(_room(n)) - 0.5 * (_room(n) - 1)) * step
                yield Coordinate(name, places, "m", "distance from the middle of the wheel")
        yield from self._outlined.coordinates

    def initial(self) -> Arrays:
        """State before the first sample."""
        start = {"sample": np.array(0), "log": UNTOUCHED, "peaks": np.zeros(3), **self.samples.begun}
        start |= {} if self.chosen is None else self.chosen.state
        if isinstance(self.samples, ElasticSamples):
            start |= {"recent": np.zeros((RECENT, len(self.samples.contacts))), "departure": np.array(0.0)}
        return start

    def check_state(self, samples: int, state: Arrays) -> None:
        """Refuse a stored state that is not one of this run after so many samples."""
        self._recall(ChosenStep.read(state))
        super().check_state(samples, state)
        self.samples.check_state(state, max(samples - 1, 0))
        if samples:
            self.driven.check_state(state)

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """March to the next sample, and evaluate it."""
        k = int(state["sample"])
        self._recall(ChosenStep.read(state))
        march = {name: one for name, one in state.items() if name.startswith((MARCH, "energies"))}
        rolls = {name: one for name, one in state.items() if name.startswith(DRIVE)}
        march, row = self.samples.advance(march, k)
        patches = self._patches(row)
        peaks = self._log_bridge(state["peaks"], k, row)
        sample = {**self._look(k, row), **patches}
        sample |= {field.name: float(one) for field, one in zip(fields.PEAKS, peaks, strict=True)}
        forces = row.step_forces if k else row.columns.contact_forces
        log = _log_forces(state["log"], forces, self._press_most(row, patches.get("peak_pressure")))
        if self.case.cars.vehicles:
            sample |= {
                "wheels_lifted": int((~row.columns.in_contact).sum()), "largest_force": log[0],
                "least_force": log[1], "lifted_steps": int(log[2]),
            }  # fmt: skip
        judged: Arrays = {}
        if isinstance(self.samples, ElasticSamples):
            recent, far = self.samples.judge(state["recent"], k, row.kept_forces)
            judged = {"recent": recent, "departure": np.maximum(state["departure"], far)}
            sample |= {"peak_pressure_so_far": log[3], "force_departure": judged["departure"]}
            sample |= {f"energy_{name}": row.energies[i] for i, name in enumerate(ENERGIES)}
        if self.case.output.pressure:
            sample["pressure"] = self._patch(row)
        if self.driven.numbers:
            every = self.samples.every
            times = self.samples.times[max(k - 1, 0) * every : k * every + 1]
            rolls, found = self.driven.advance(rolls, times, row.kept_forces)
            sample |= found
        if self.chosen is not None:
            sample, judged = {**sample, **self.chosen.sample}, {**judged, **self.chosen.state}
        return {"sample": np.array(k + 1), "log": log, "peaks": peaks, **march, **rolls, **judged}, sample

    def evaluate(self, run: StoredRun, stop: Stop) -> CrossFindings:
        """Comparisons of the run, and data of figures beside its samples; a study may be stopped."""
        self._recall(ChosenStep.recall(run))
        return CrossFindings.of(self.case, self.samples, self.driven, run, stop)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Key figures of the bridge at the output position, of the wheels at all steps, and of the energy."""
        return sum_up(self.case, run, unflatten_state(CrossFindings, run.findings))

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Limits of validity that the result exceeds."""
        self._recall(ChosenStep.recall(run))
        return find_notices(self.case, self.samples, run)

    def failure(self, run: StoredRun) -> str | None:
        """Why the time step makes the result worthless."""
        self._recall(ChosenStep.recall(run))
        return find_failure(self.samples, run)

    def _log_bridge(self, log: np.ndarray, k: int, row: SampleRow) -> np.ndarray:
        """Largest deflection at the output position, its time, and the largest acceleration, of all steps."""
        steps, place = self.samples.compose_steps(k, row), self.case.place
        shaken = float(np.abs(steps.acceleration(place)).max())
        bent = (log[0], log[1])
        if k and np.abs(steps.deflection(place)).max() > NEAR_PEAK * abs(log[0]):
            peak = find_deepest(steps, place)
            bent = (peak.value, peak.time) if abs(peak.value) > abs(log[0]) else bent
        return np.array([*bent, max(log[2], shaken)])

    def _look(self, k: int, row: SampleRow) -> dict[str, float | np.ndarray]:
        """What there is at one time."""
        one, place, columns = (
            self.samples.compose(np.array([k]), row.columns, partial(energies_of, row.energies[None])),
            self.case.place,
            row.columns,
        )
        own = (columns.coordinates, columns.velocities, columns.accelerations)
        named = zip(fields.MODAL if columns.accelerations is None else fields.NODAL, own, strict=False)
        x = line_along(self.case.built, self.case.output.points)
        found: dict[str, float | np.ndarray] = {
            **{name: values[0] for name, values in look_at(one, "bridge", place).items()},
            "bridge_deflection": one.deflection(x)[0],
            **{field.name: values[0] for field, values in named if values is not None},
        }
        if self.case.cars.vehicles:
            found |= {field: getattr(columns, name)[0] for name, field in fields.WHEEL_COLUMNS.items()}
        if self.samples.contacts:
            found["approach"] = columns.approach[0]
        if self.case.at_rest:
            on = one.on_beam[0]
            found[AT_REST] = float(one.forces[0, on] @ self._line.at(one.places[0, on]))
        return found

    def _patches(self, row: SampleRow) -> dict[str, np.ndarray]:
        """Peak pressures and areas."""
        if not self.samples.contacts:
            return {}
        found = [
            _peak_and_area(contact, float(row.columns.approach[0, k]), partial(row.pressure, k))
            for k, contact in enumerate(self.samples.contacts)
        ]
        peaks, areas = np.array(found).T
        return {"peak_pressure": peaks, "patch_area": areas}

    def _press_most(self, row: SampleRow, sampled: np.ndarray | None) -> float:
        """Largest pressure at the sample, and at all steps before it where it follows from the approach."""
        if sampled is None:
            return 0.0
        deepest = row.passed.approach.max(axis=0).tolist()
        closed: dict[int, tuple[WheelContact, float]] = {}  # wheels of one contact are evaluated once
        for contact, approach in zip(self.samples.contacts, deepest, strict=True):
            if contact.table is not None or contact.grid is None:
                closed[id(contact)] = contact, max(approach, closed.get(id(contact), (contact, 0.0))[1])
        found = (_peak_and_area(contact, approach, lambda: None)[0] for contact, approach in closed.values())
        return max([float(sampled.max()), *found])

    def _patch(self, row: SampleRow) -> np.ndarray:
        """Pressure under the first wheel, in the middle of a grid of twice its sides."""
        pressure, grid = row.pressure(0), self._patch_grid
        assert pressure is not None
        room = np.zeros((_room(grid.ny), _room(grid.nx)))
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
        """Static influence line of the output position."""
        return influence_line(self.case.built, "deflection", self.case.place)

    @property
    def _patch_grid(self) -> Grid:
        grid = self.outline.contacts[0].grid
        assert grid is not None
        return grid


def _log_forces(log: np.ndarray, forces: np.ndarray, pressure: float) -> np.ndarray:
    """Largest and least force, steps in which a wheel had lifted, and largest pressure so far."""
    if not forces.size:
        return log
    return np.array(
        [
            max(log[0], float(forces.max())),
            min(log[1], float(forces.min())),
            log[2] + float((forces == 0.0).any(axis=1).sum()),
            max(log[3], pressure),
        ]
    )


def _peak_and_area(
    contact: WheelContact, approach: float, solved: Callable[[], np.ndarray | None]
) -> tuple[float, float]:
    """Largest pressure and area of a patch: from a table, as solved, or by Hertz."""
    if contact.table is not None:
        return contact.table.patch_size(approach)
    pressure = solved()
    if pressure is not None and contact.grid is not None:
        return float(pressure.max()), float((pressure > 0.0).sum()) * contact.grid.cell_area
    share = max(0.0, approach / contact.hertz.approach)
    a, b = contact.hertz.semi_axes
    return contact.hertz.peak_pressure * share**0.5, np.pi * a * b * share
