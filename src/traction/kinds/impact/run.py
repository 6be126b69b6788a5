"""Samples of an impact at equal times, of a history that the case alone determines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.beams.beam import Beam
from traction.errors import UndefinedError
from traction.impacts.impact import impact
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.structures.plate import Plate
from traction.kinds.impact.schema import ImpactCase
from traction.kinds.kind import KeyFigures, TableStepper
from traction.results.field import Coordinate, Field, Layout, field_table
from traction.results.stored_run import StoredRun
from traction.view.animations.impact_animation import ImpactFilm, PlateFilm, frame_times
from traction.view.impact_curves import BeamShapes, ForceCurve, MotionCurves, PlateShape

MOST_MODES = 8  #: whose energies are reported
FRAMES = 60  #: of the animation

SCALARS = field_table("""
    time | s | time | | labels samples
    force | N | contact force
    striker_displacement | m | displacement of the striker
    striker_velocity | m/s | velocity of the striker, towards the structure
    structure_displacement | m | displacement of the struck point
    approach | m | striker's displacement less that of the struck point
    contacts | 1 | number of contacts begun | | int64
""")
SHAPE = Field("deflection", "m", "deflection of the beam", ("x",))


@dataclass(frozen=True)
class StruckBeam:
    """Data of the figures of a beam."""

    shapes: BeamShapes
    film: ImpactFilm


@dataclass(frozen=True)
class StruckPlate:
    """Data of the figures of a plate."""

    shape: PlateShape  #: at the peak of the force
    film: PlateFilm


@dataclass(frozen=True)
class ImpactFindings:
    """Data of the report beside the samples."""

    contacts: np.ndarray  #: start, end, peak (N), time of the peak and impulse (N s) of each
    place: tuple[float, ...]  #: that is struck, m; empty on the ground
    modes: int
    modal_energy: np.ndarray  #: frequencies (rad/s) and energies (J) of modes after the last contact
    momentum_error: float  #: relative difference of impulse and change of momentum
    energy_error: float | None  #: relative change of the energy, where nothing damps
    force: ForceCurve
    motion: MotionCurves
    beam: StruckBeam | None
    plate: StruckPlate | None

    @classmethod
    def of(cls, case: ImpactCase, history: ImpactHistory) -> ImpactFindings:
        """Data of the impact of a case."""
        contacts = [(c.start, c.end, c.peak, c.peak_time, c.impulse) for c in history.contacts]
        place = () if history.at is None else tuple(float(x) for x in np.atleast_1d(history.at))
        peak = history.contacts[0].peak_time
        return cls(
            np.array(contacts),
            place,
            len(history.response),
            _find_modal_energy(case, history),
            _find_momentum_error(case, history),
            _find_energy_error(case, history),
            ForceCurve.of(history),
            MotionCurves.of(history),
            _draw_beam(history, peak) if isinstance(case.target, Beam) else None,
            _draw_plate(history, peak) if isinstance(case.target, Plate) else None,
        )


class ImpactStepper(TableStepper[ImpactCase]):
    """Samples of an impact."""

    @cached_property
    def history(self) -> ImpactHistory:
        """The impact."""
        case = self.case
        return impact(
            case.target,
            case.place,
            case.striker,
            method=case.time.method,
            t_end=case.time.t_end,
            modes=case.structure.modes,
            gravity=case.strike.gravity,
        )

    @cached_property
    def layout(self) -> Layout:
        """Samples at equal times, with the shape where a beam is struck."""
        time, target = self.case.time, self.case.target
        if not isinstance(target, Beam):
            return Layout(SCALARS, time.samples)
        x = np.linspace(0.0, target.length, time.points)
        return Layout((*SCALARS, SHAPE), time.samples, (Coordinate("x", x, "m", "place along the beam"),))

    @cached_property
    def rows(self) -> dict[str, np.ndarray]:
        """All samples of each field."""
        history, ends = self.history, self.history.track.times
        t = np.linspace(float(ends[0]), float(ends[-1]), self.layout.total)
        z, velocity, w, _ = history.motion_at(t).T
        starts = [contact.start for contact in history.contacts]
        found = {
            "time": t,
            "force": history.force_at(t),
            "striker_displacement": z,
            "striker_velocity": velocity,
            "structure_displacement": w,
            "approach": z - w,
            "contacts": np.searchsorted(starts, t, "right"),
        }
        for x in self.layout.coordinates:
            found["deflection"] = history.deflection(x.values, t)
        return found

    def findings(self, run: StoredRun) -> ImpactFindings:
        """Contacts, energies, checks, and data of the figures."""
        return ImpactFindings.of(self.case, self.history)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Numbers of the first contact and of the whole impact."""
        history, contacts = self.history, self.history.contacts
        found = [
            ("contacts", len(contacts), "1"),
            ("largest force of the first contact", contacts[0].peak, "N"),
            ("time of that force", contacts[0].peak_time, "s"),
            ("duration of the first contact", contacts[0].duration, "s"),
            ("largest force of all contacts", max(contact.peak for contact in contacts), "N"),
            ("impulse of all contacts", sum(contact.impulse for contact in contacts), "N s"),
            ("rebound speed", history.rebound_speed, "m/s"),
            ("restitution", history.restitution, "1"),
            ("largest displacement of the struck point", float(run["structure_displacement"].max()), "m"),
        ]
        return [figure for figure in found if np.isfinite(figure[1])]


def _find_modal_energy(case: ImpactCase, history: ImpactHistory) -> np.ndarray:
    if not isinstance(case.target, Beam | Plate):
        return np.zeros((0, 2))
    energy = history.modal_energy()[:MOST_MODES]
    return np.stack([history.response.frequencies[: len(energy)], energy], axis=1)


def _find_momentum_error(case: ImpactCase, history: ImpactHistory) -> float:
    striker, t = case.striker, history.track.times
    v = float(history.motion_at(t[-1:])[0, 1])
    taken = striker.mass * (striker.speed + case.strike.gravity * float(t[-1]) - v)
    impulse = sum(contact.impulse for contact in history.contacts)
    return abs(impulse / taken - 1.0) if taken else 0.0


def _find_energy_error(case: ImpactCase, history: ImpactHistory) -> float | None:
    exact = case.time.method == "modal" and case.structure.damping == 0.0 and case.contact.damping is None
    try:
        return history.energies.imbalance if exact else None
    except UndefinedError:
        return None


def _draw_beam(history: ImpactHistory, peak: float) -> StruckBeam:
    """During the first contact and later, and in the frames of the animation."""
    end = float(history.track.times[-1])
    times = np.r_[0.5 * peak, peak, np.linspace(peak, end, 4)[1:]]
    film = ImpactFilm.of(history, frame_times(history, FRAMES))
    return StruckBeam(BeamShapes.of(history, times), film)


def _draw_plate(history: ImpactHistory, peak: float) -> StruckPlate:
    """At the peak of the force, and in the frames of the animation."""
    film = PlateFilm.of(history, frame_times(history, FRAMES))
    return StruckPlate(PlateShape.of(history, peak), film)
