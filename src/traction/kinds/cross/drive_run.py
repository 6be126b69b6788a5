"""Friction under the driven wheels of a crossing, rolled from sample to sample.

Between two samples each driven wheel rolls over the way of the train under the contact forces of the steps
there, as `tr.cross` does after its march. What a wheel stands on at a sample is in the state: its tractions,
on the material and on the contact's grid, its pressure, its rotation and the work of friction so far.

The grid of tractions must hold the largest patch of the whole run, which no sample knows: it is chosen from
the largest force of the same crossing in Hertz's contact, marched once before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, recovered
from traction.contact.stick_slip.friction_certificate import FrictionCertificate
from traction.crossing.driving.driven_wheel import DrivenWheel, Footing, Trodden
from traction.crossing.driving.driving import (
    ELEMENTS,
    LONGEST,
    Parts,
    driven_wheel,
    friction_grid,
    require_drivable,
)
from traction.crossing.driving.wheel_rolling import WheelRolling
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError, InputError
from traction.kinds.cross.drive_report import shown_rows
from traction.kinds.friction.stored_friction import StoredMaterial
from traction.resting.patch_grid import ROOM
from traction.results.field import Coordinate, Field
from traction.state_arrays import flatten_state, unflatten_state
from traction.status import Status
from traction.trains.drive import Demand, Drive
from traction.trains.travel import Travel

if TYPE_CHECKING:
    from traction.kinds.cross.run import Steps
    from traction.kinds.cross.schema import CrossCase

Arrays = dict[str, np.ndarray]
DRIVE = "drive."
MOST_ROLLED = 2_000_000  #: elements that all driven wheels roll over; a thousand take seconds
MARGIN = 1.05  #: over the approach under the largest force by Hertz, which the grid holds
DRIVEN = (
    Field("longitudinal_force", "N", "force of the rail on each driven wheel along the travel", ("driven",)),
    Field("lateral_force", "N", "force of the rail on each driven wheel across the track", ("driven",)),
    Field("spin_moment", "N m", "moment of the tractions under each driven wheel", ("driven",)),
    Field(
        "longitudinal_creepage", "1", "creepage of each driven wheel along the travel, mean since the sample"
        " before", ("driven",), may_be_nan=True,
    ),
    Field("lateral_creepage", "1", "creepage across the track, likewise", ("driven",), may_be_nan=True),
    Field("spin", "1/m", "spin, likewise", ("driven",), may_be_nan=True),
    Field("stick_share", "1", "share of each driven wheel's patch that sticks", ("driven",)),
    Field(
        "sliding", "1", "whether all of the patch slipped at some time since the sample before", ("driven",),
        dtype="bool",
    ),
    Field("friction_work", "J", "work of friction from the start", ("driven",)),
)  # fmt: skip
AREA = ("tread_y", "tread_x")
TRACTIONS = (
    Field("tread_pressure", "Pa", "pressure under the first driven wheel", AREA),
    Field("traction_x", "Pa", "traction on the first driven wheel along the travel", AREA),
    Field("traction_y", "Pa", "traction on the first driven wheel across the track", AREA),
    Field("stick", "1", "whether an element of its patch sticks", AREA, dtype="bool"),
)
WHOLE = tuple(field.name for field in (*DRIVEN, *TRACTIONS))  #: kept whole for reports


@dataclass(frozen=True, eq=False)
class DrivenWheels:
    """Of a crossing; `advance` goes from one sample to the next."""

    case: CrossCase
    contacts: tuple[WheelContact, ...]
    drives: tuple[Drive | None, ...]  #: of each wheel
    travel: Travel

    @classmethod
    def of(cls, case: CrossCase, steps: Steps) -> DrivenWheels:
        """Of a case whose steps have not begun; refuses what friction cannot be solved for."""
        contacts = steps.contacts
        made = cls(case, contacts, case.drives, case.way)
        if not made.numbers:
            return made
        t = steps.times
        require_drivable(made.drives, contacts, t)
        way = float(np.diff(made.travel.place(t[[0, -1]]))[0])
        rolled = sum(way / _about_element(contacts[k], made._drive(k)) for k in made.numbers)
        if rolled > MOST_ROLLED:
            raise InputError(
                f"the driven wheels would roll over {rolled:.3g} elements, at most {MOST_ROLLED:g}; drive "
                "fewer wheels, on a shorter way, or with fewer drive.elements."
            )
        return made

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Of the wheels that are driven, from 0."""
        return tuple(k for k, drive in enumerate(self.drives) if drive is not None)

    @cached_property
    def wheels(self) -> dict[int, DrivenWheel]:
        """Those that are driven, on grids that hold their largest patches."""
        if not self.numbers:
            return {}
        before: Any = self.case.crossed("hertz")
        peaks, found = before.contact_forces.max(axis=0), {}
        for k in self.numbers:
            contact, drive = _roomy(self.contacts[k], float(peaks[k])), self._drive(k)
            found[k] = driven_wheel(contact, drive, friction_grid(contact, drive, float(peaks[k])))
        return found

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds of them."""
        if not self.numbers:
            return ()
        return (*DRIVEN, *(TRACTIONS if self.case.output.traction else ()))

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Numbers of the wheels, and the grid of the first one's tractions."""
        if not self.numbers:
            return ()
        found = [Coordinate("driven", np.array(self.numbers) + 1, "1", "wheel that is driven")]
        if self.case.output.traction:
            grid, words = self.wheels[self.numbers[0]].grid, "distance from the middle of the wheel"
            found += [
                Coordinate(name, places, "m", words)
                for name, places in zip(AREA, (grid.y, grid.x), strict=True)
            ]
        return tuple(found)

    def advance(self, state: Arrays, t: np.ndarray, forces: np.ndarray) -> tuple[Arrays, dict[str, Any]]:
        """Over the steps that end at t[1:] (s), under the contact forces (N) there, (times, wheels).

        With one time alone, the first, the wheels roll steadily before the bridge.
        """
        after: Arrays = {}
        rows, maps = [], {}
        for k, wheel in self.wheels.items():
            begin = f"{DRIVE}{k}."
            own = {name.removeprefix(begin): one for name, one in state.items() if name.startswith(begin)}
            drive, work = self._drive(k), 0.0
            demand = drive.demands(t[-1:])[0]
            if t.size == 1:
                speed = float(np.asarray(self.travel.speed(t))[0])
                footing, last = wheel.run_in(float(forces[0, k]), demand, speed)
                passed, lengths = [last], np.ones(1)
            else:
                footing, passed, lengths = self._rolled(k, footing_of(own, wheel), t, forces[:, k])
                work = float(own["work"]) + sum(one.dissipation for one in passed)
            stored = {**arrays_of(footing), "work": np.array(work)}
            after |= {begin + name: one for name, one in stored.items()}
            rows.append(_numbers(passed, lengths, work))
            if k == self.numbers[0] and self.case.output.traction:
                maps = _maps(wheel, passed[-1], float(forces[-1, k]), demand)
        columns = zip(DRIVEN, np.array(rows).T, strict=True)
        return after, {field.name: column.astype(field.dtype) for field, column in columns} | maps

    def _rolled(
        self, k: int, footing: Footing, t: np.ndarray, forces: np.ndarray
    ) -> tuple[Footing, list[Trodden], np.ndarray]:
        """Of one wheel: what its parts of the way did, and their lengths, m."""
        wheel, drive = self.wheels[k], self._drive(k)
        parts = Parts.of(t, np.diff(self.travel.place(t)), forces, LONGEST * wheel.grid.dx)
        passed = []
        for n, demand in enumerate(drive.demands(parts.t)):
            try:
                footing, done = wheel.tread(footing, parts.asked(n, demand))
            except ConvergenceError as error:
                raise ConvergenceError(
                    f"tractions of wheel {k + 1} at t = {parts.t[n]:.6g} s: {error}"
                ) from error
            passed.append(done)
        return footing, passed, parts.distance

    def rolling(self, samples: Mapping[str, Any]) -> tuple[WheelRolling | None, ...]:
        """Of each wheel at the samples; the first driven one with tractions to show, where stored."""
        t, rows = samples["time"], shown_rows(samples)
        speed = np.asarray(self.travel.speed(t))
        found: list[WheelRolling | None] = []
        for k, drive in enumerate(self.drives):
            if drive is None:
                found.append(None)
                continue
            column = {field.name: samples[field.name][:, self.numbers.index(k)] for field in DRIVEN}
            kept = rows if k == self.numbers[0] and "traction_x" in samples else np.zeros(0, dtype=int)
            forces = samples["contact_force"][:, k]
            friction = np.array([one.friction for one in drive.demands(t)])
            found.append(
                WheelRolling(
                    t=t, drive=drive, radius=self.contacts[k].wheel.radius, speed=speed,
                    contact_force=forces, friction=friction,
                    force=_columns(column, "longitudinal_force", "lateral_force"),
                    moment=column["spin_moment"],
                    creepage=_columns(column, "longitudinal_creepage", "lateral_creepage", "spin"),
                    stick=column["stick_share"], sliding=column["sliding"],
                    dissipated=column["friction_work"], kept=kept,
                    contacts=tuple(self._contact(samples, int(n), float(friction[n])) for n in kept),
                )
            )  # fmt: skip
        return tuple(found)

    def _contact(self, samples: Mapping[str, Any], n: int, friction: float) -> TangentialContact | None:
        """Under the first driven wheel at a sample, from its stored tractions."""
        wheel = self.wheels[self.numbers[0]]
        pressure = np.array(samples["tread_pressure"][n])
        if not pressure.any():
            return None
        normal = recovered(pressure, wheel.gap, wheel.grid, wheel.pair)
        traction = np.array([samples["traction_x"][n], samples["traction_y"][n]])
        return _rebuilt(normal, friction, traction, stick=np.array(samples["stick"][n], dtype=bool))

    def _drive(self, k: int) -> Drive:
        drive = self.drives[k]
        assert drive is not None
        return drive


def arrays_of(footing: Footing) -> Arrays:
    """A footing as arrays."""
    found = {"turning": np.array(footing.turning), "slope": np.array(footing.slope)}
    if footing.pressed is not None:
        found |= {f"pressed.{name}": np.array(one) for name, one in footing.pressed.state.items()}
    before = footing.before
    if before is not None:
        found |= {
            "before.traction": np.array(before.traction),
            "before.creepage": np.array(before.creepage),
            "before.friction": np.array(before.friction),
            **_packed(before.state),
        }
        if before.normal is not footing.pressed:  # of unlike bodies, whose tractions change the pressure
            found["before.pressure"] = np.array(before.normal.pressure)
    return found


def footing_of(stored: Arrays, wheel: DrivenWheel) -> Footing:
    """The footing that arrays hold."""
    pressed: NormalContact | None = None
    if "pressed.pressure" in stored:
        pressure, moved = stored["pressed.pressure"], stored["pressed.displacement"]
        pressed = recovered(pressure, wheel.gap, wheel.grid, wheel.pair, displacement=moved)
    before: TangentialContact | None = None
    if "before.traction" in stored:
        assert pressed is not None
        normal, friction = pressed, float(stored["before.friction"])
        if "before.pressure" in stored:
            normal = replace(pressed, pressure=stored["before.pressure"].copy(), _displacement=None)
        xi, eta, phi = stored["before.creepage"].tolist()
        before = _rebuilt(
            normal, friction, stored["before.traction"].copy(), creepage=(xi, eta, phi),
            state=_unpacked(stored, normal, friction),
        )  # fmt: skip
    return Footing(before, pressed, float(stored["turning"]), float(stored["slope"]))


def _packed(state: Any) -> Arrays:
    stored = StoredMaterial.of(state)
    return {} if stored is None else {f"material.{name}": one for name, one in flatten_state(stored).items()}


def _unpacked(stored: Arrays, normal: NormalContact, friction: float) -> Any:
    if "material.traction" not in stored:
        return None
    return unflatten_state(StoredMaterial, stored, "material").restore(normal, friction)


def _rebuilt(
    normal: NormalContact, friction: float, traction: np.ndarray, *, stick: np.ndarray | None = None,
    creepage: tuple[float, float, float] = (0.0, 0.0, 0.0), state: Any = None,
) -> TangentialContact:  # fmt: skip
    """Friction from its stored tractions."""
    return TangentialContact(
        normal=normal, friction=friction, traction=traction, slip=np.zeros_like(traction),
        stick=np.zeros(normal.grid.shape, dtype=bool) if stick is None else stick, creepage=creepage,
        dissipation=0.0, status=Status.CONVERGED, message=str(Status.CONVERGED),
        certificate=FrictionCertificate(0.0, 0.0, 0.0, 0.0), iterations=0, state=state,
    )  # fmt: skip


def _numbers(passed: list[Trodden], lengths: np.ndarray, work: float) -> list[float]:
    """Of a sample, in the order of DRIVEN: at its end, or mean, any and sum over the parts before it."""
    last = passed[-1]
    force, moment, stick = (0.0, 0.0), 0.0, float(last.free)
    if last.contact is not None:
        force, moment = last.contact.force, last.contact.moment
        stick = float(last.contact.stick.sum()) / float(last.contact.normal.contact.sum())
    weights = lengths if lengths.any() else np.ones_like(lengths)  # the train stands
    creepage = np.average([one.creepage for one in passed], axis=0, weights=weights)
    return [*force, moment, *creepage, stick, float(any(one.sliding for one in passed)), work]


def _maps(wheel: DrivenWheel, last: Trodden, force: float, demand: Demand) -> dict[str, np.ndarray]:
    """Pressure and tractions at the end of a part; all zero in the air."""
    contact = wheel.unloaded(force, demand) if last.free else last.contact
    if contact is None:
        nothing = np.zeros(wheel.grid.shape)
        values = [nothing, nothing, nothing, nothing.astype(bool)]
    else:
        values = [contact.normal.pressure, *contact.traction, contact.stick & contact.normal.contact]
    return {field.name: np.array(value) for field, value in zip(TRACTIONS, values, strict=True)}


def _columns(column: Arrays, *names: str) -> np.ndarray:
    return np.stack([column[name] for name in names], axis=1)


def _about_element(contact: WheelContact, drive: Drive) -> float:
    """Length of an element of the grid of tractions at rest, about, m."""
    if drive.elements is None and contact.grid is not None:
        return float(contact.grid.dx)
    a, _ = contact.hertz.semi_axes
    return float(2.0 * ROOM * a / (drive.elements or ELEMENTS))


def _roomy(contact: WheelContact, peak: float) -> WheelContact:
    """The contact with a grid that has grown to what the largest force (N) needs."""
    deepest = MARGIN * contact.static * (max(peak, contact.load) / contact.load) ** (2.0 / 3.0)
    return replace(contact, memory=contact.law.response(deepest, contact.law.begin()).memory)
