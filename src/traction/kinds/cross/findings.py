"""Findings of a run of the kind "cross": comparisons, and data of its figures."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from traction.contact.stick_slip.lagged_friction import describe_lag
from traction.crossing.choices import CONDENSED, GRAVITY
from traction.crossing.marches.march_part import MarchColumns
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.crossing.results.energies import ENERGIES, Energies
from traction.crossing.results.wheel_rolling import jump_notices
from traction.crossing.setup import setup_notices
from traction.crossing.small_deflections import (
    deflection_notices,
    landing_notices,
    most_bent,
    rest_loads,
    steepest,
)
from traction.grid import Grid
from traction.kinds.cross.case_march import ElasticSamples, RigidSamples, cross_simply, is_hertzian
from traction.kinds.cross.cross_fields import JUMP, LAG, PEAKS
from traction.kinds.cross.drive_report import restore_wheels, sum_up_driving
from traction.kinds.cross.driven_samples import DrivenSamples
from traction.kinds.cross.schema import CrossCase
from traction.kinds.cross.speed_study import SpeedStudy
from traction.kinds.kind import KeyFigures
from traction.kinds.moving_load.findings import advise_step, deflections_apart, energy_error, find_cap
from traction.quantities import significant
from traction.results.recorder import Stop
from traction.results.stored_run import StoredRun
from traction.signals.peaks import Peak
from traction.state_arrays import unflatten_state
from traction.view.animations.crossing_animation import CrossingFilm
from traction.view.bridges import CrossingMap
from traction.view.patches import PatchFrames

FRAMES = 48  #: of the film
NATURAL = 3  #: natural frequencies that are named
NAMES = {"rigid": "rigid contact", "hertz": "Hertz contact"}
FEW = 8  #: samples in a period of the bridge, from which quintics follow it


@dataclass(frozen=True)
class SimplerForces:
    """Forces under the first wheel of the same crossing with a simpler contact."""

    t: np.ndarray  #: s
    force: np.ndarray  #: N
    lost: bool  #: whether a wheel lifted off
    resolved: bool  #: whether the time step of the run is short enough for it


@dataclass(frozen=True)
class DrawnPatches:
    """Patches of the first wheel at the start, and at its smallest and largest force."""

    t: np.ndarray  #: s
    frames: PatchFrames
    largest: int  #: which of them is the one under the largest force


@dataclass(frozen=True)
class CrossFindings:
    """Findings of the whole run."""

    step: float  #: s
    natural: np.ndarray  #: lowest natural frequencies of the bridge, without motions as a whole, Hz
    peak: tuple[float, float]  #: largest deflection at the output position (m), and its time (s)
    rest: float  #: largest deflection there under the train at rest, m; 0 where there is no rest
    grid: Grid | None  #: of the contacts that are solved
    tread: Grid | None  #: of the tractions of the first driven wheel
    checks: dict[str, float]  #: what is compared, by a short name
    simpler: dict[str, SimplerForces]  #: by the contact
    map: CrossingMap
    film: CrossingFilm
    patches: DrawnPatches | None
    study: SpeedStudy | None

    @classmethod
    def of(
        cls,
        case: CrossCase,
        samples: ElasticSamples | RigidSamples,
        driven: DrivenSamples,
        stored: StoredRun,
        stop: Stop,
    ) -> CrossFindings:
        """Findings of a complete run; computes the models it is compared with, unless asked to `stop`."""
        run, dt = rebuild_crossing(samples, stored), float(samples.times[1] - samples.times[0])
        simpler = {kind: cross_simply(case, kind, dt) for kind in _compared_with(case, run)}
        others = {kind: one.run for kind, one in simpler.items()}
        natural = _natural_frequencies(case)
        peak = [float(stored[field.name][-1]) for field in PEAKS[:2]]
        first = driven.rolls[driven.numbers[0]].wheel.grid if driven.numbers else None
        solved = samples.contacts[0].grid if samples.contacts else None
        checks = {
            **_agreements(case, run, others, peak[0]), "slope": steepest(run)[0],
            "samples_per_period": 1.0 / (float(natural[0]) * run.dt),
            "sampled_acceleration": _share_sampled(stored),
        }  # fmt: skip
        if isinstance(run, ContactCrossing):
            checks["curvature"] = most_bent(run)[0]
        return cls(
            step=dt,
            natural=natural,
            peak=(peak[0], peak[1]),
            rest=_static_deflection(case, run),
            grid=_centre_grid(solved),
            tread=_centre_grid(first),
            checks=checks,
            simpler={
                kind: SimplerForces(one.t, one.contact_forces[:, 0], one.lost_contact, resolved)
                for kind, (one, resolved) in simpler.items()
                if one.vehicles is not None
            },
            map=CrossingMap.of(run),
            film=CrossingFilm.of(run, case.place, FRAMES),
            patches=_draw_patches(run) if isinstance(run, ContactCrossing) else None,
            study=SpeedStudy.of(case, dt, stop),
        )


def rebuild_crossing(samples: ElasticSamples | RigidSamples, stored: StoredRun) -> Crossing:
    """The crossing at the times of the samples, which are enough for it."""
    numbers = np.arange(stored["time"].size)
    if isinstance(samples, RigidSamples):
        return samples.compose(numbers)
    names = ("modal", "modal_velocity") if "modal" in stored else ("nodal", "nodal_velocity")
    q, v = (stored[name] for name in names)
    a = stored["nodal_acceleration"] if "nodal" in stored else None
    moved = stored["vehicle"], stored["vehicle_velocity"]
    columns = MarchColumns(q, v, a, *moved, stored["contact_force"], stored["approach"], stored["in_contact"])
    counted = partial(Energies, **{name: stored[f"energy_{name}"] for name in ENERGIES})
    return samples.compose(numbers, columns, counted)


def sum_up(case: CrossCase, stored: StoredRun, found: CrossFindings) -> KeyFigures:
    """Key figures: of the bridge at the output position, of the wheels at all steps, and of the energy."""
    value, at = found.peak
    yield "peak deflection", value, "m"
    yield "time of peak deflection", at, "s"
    if found.rest > 0.0:
        yield "peak static deflection", found.rest, "m"
        yield "amplification", abs(value) / found.rest, "1"
    yield "peak acceleration", float(stored["peak_acceleration_so_far"][-1]), "m/s2"
    if "largest_force" in stored:
        yield "largest wheel force", float(stored["largest_force"][-1]), "N"
        yield "smallest wheel force", float(stored["least_force"][-1]), "N"
        yield "time steps with a wheel lifted off", int(stored["lifted_steps"][-1]), "1"
    yield from sum_up_driving(restore_wheels(case, stored, found.tread))
    if "peak_pressure_so_far" in stored:
        yield "peak contact pressure", float(stored["peak_pressure_so_far"][-1]), "Pa"
        yield "energy balance error (relative to work done)", found.checks["closure"], "1"


def _centre_grid(grid: Grid | None) -> Grid | None:
    """A grid around its own middle."""
    return None if grid is None else replace(grid, center=(0.0, 0.0))


def find_notices(case: CrossCase, samples: ElasticSamples | RigidSamples, stored: StoredRun) -> Sequence[str]:
    """Limits of validity that the result exceeds."""
    run = rebuild_crossing(samples, stored)
    found = [*deflection_notices(run), *landing_notices(run)]
    if isinstance(samples, ElasticSamples):
        found += setup_notices(samples.setup)
    certificate = _certify(samples, stored)
    if not certificate.holds:
        found.append(advise_step(certificate))
    found += find_cap(case, certificate.dt) + _find_unresolved(stored)
    if LAG.name in stored and (lag := float(np.max(stored[LAG.name]))) > 0.0:
        found.append(describe_lag(lag))
    if JUMP.name in stored:
        jumps = np.max(stored[JUMP.name], axis=0)
        driven = [drive for drive in case.drives if drive is not None]
        found += jump_notices(float(jumps.max()), driven[int(jumps.argmax())])
    often = float(stored.findings["checks.samples_per_period"])
    if often < FEW:
        found.append(
            f"{significant(often, 2)} samples per bridge period, at least {FEW} are needed: curves and "
            "spectra miss its peaks, key figures are those of all steps; choose more time.samples."
        )
    return found


def find_failure(samples: ElasticSamples | RigidSamples, stored: StoredRun) -> str | None:
    """Why the time step makes the result worthless; None where it does not."""
    certificate = _certify(samples, stored)
    return None if certificate.usable else advise_step(certificate)


def _find_unresolved(stored: StoredRun) -> list[str]:
    """Notices of comparisons for which the time step of the run is too long."""
    found = unflatten_state(CrossFindings, stored.findings)
    words = [
        f"the time step of the run is too long for the same crossing with {NAMES[kind]}, with which it is "
        "compared: treat differences from it as approximate."
        for kind, one in found.simpler.items()
        if not one.resolved
    ]
    if found.study is not None and not found.study.resolved.all():
        missed = ", ".join(f"{speed:.4g}" for speed in found.study.speeds[~found.study.resolved])
        words.append(
            f"the time step of the run is too long for the study at {missed} m/s: treat the peaks there as "
            "approximate, or choose a shorter time.dt."
        )
    return words


def _certify(samples: ElasticSamples | RigidSamples, stored: StoredRun) -> CrossingCertificate:
    """The certificate of all steps; samples per period of the bridge are judged apart."""
    if isinstance(samples, RigidSamples):
        return samples.run.certificate
    setup, run = samples.setup, rebuild_crossing(samples, stored)
    assert isinstance(run, ContactCrossing)
    every, largest = run.dt / setup.times.step, float(stored["largest_force"][-1]) or 1.0
    at_samples = run.certificate
    return CrossingCertificate(
        setup.times.step,
        energy_error=at_samples.energy_error,
        drift=at_samples.drift,
        force_roughness=float(stored["force_departure"][-1]) / largest,
        steps_per_contact_period=(at_samples.steps_per_contact_period or math.inf) * every,
        steps_per_span=(at_samples.steps_per_span or math.inf) * every,
    )


def find_deepest(run: Crossing, place: float) -> Peak:
    """Largest deflection at a position (m), on quintics between the times of a crossing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few samples, which checks of the run name
        return run.largest("deflection", place)


def _natural_frequencies(case: CrossCase) -> np.ndarray:
    omega = case.built.frequencies(NATURAL + 2)
    return np.asarray(omega[omega > 0.0][:NATURAL] / (2.0 * math.pi))


def _static_deflection(case: CrossCase, run: Crossing) -> float:
    """Largest static deflection at the output position under the train, for all its positions, m."""
    if not case.at_rest:
        return 0.0
    loads = np.array(rest_loads(case.cars, case.gravity or GRAVITY))
    axles = replace(run.bending.axles, forces=np.broadcast_to(loads, run.forces.shape))
    stands = replace(run, bending=replace(run.bending, axles=axles))
    return float(np.abs(stands.at_rest("deflection", case.place)).max())


def _compared_with(case: CrossCase, run: Crossing) -> tuple[str, ...]:
    """Contacts with which the same crossing is marched once more, condensed on modes."""
    if not isinstance(run, ContactCrossing):
        return () if case.model.type == "modes" else ("rigid",)
    if case.model.type != "modes":
        return ()
    condensed = run.method == CONDENSED and case.contact == "half-space"
    return ("hertz", "rigid") if condensed else ("rigid",)


def _share_sampled(stored: StoredRun) -> float:
    """Peak acceleration at the samples, over that of all steps."""
    most = float(stored["peak_acceleration_so_far"][-1])
    return float(np.abs(stored["acceleration"]).max()) / most if most else 1.0


def _agreements(case: CrossCase, run: Crossing, others: dict[str, Crossing], peak: float) -> dict[str, float]:
    """Checks: energy, Hertz's theory, rigid wheels; each computed independently."""
    if not isinstance(run, ContactCrossing):
        if "rigid" in others:
            return {"from_modes": deflections_apart(run, others["rigid"], case.place)}
        return {"energy_error": energy_error(run)}
    found = {"closure": run.energies.closure}
    if run.method != CONDENSED:
        found["drift"] = run.energies.drift
    if run.solved and is_hertzian(case):
        contact = run.contacts[0]
        rest = contact.patch(contact.static)
        found["rest_approach"] = abs(contact.static / contact.hertz.approach - 1.0)
        found["rest_pressure"] = abs(rest.peak_pressure / contact.hertz.peak_pressure - 1.0)
        if "hertz" in others:
            every = (others["hertz"].t.size - 1) // (run.t.size - 1)
            loads = np.array([one.load for one in run.contacts])
            apart = np.abs(run.contact_forces - others["hertz"].contact_forces[::every]) / loads
            found["forces_by_hertz"] = float(apart.max())
    if "rigid" in others:
        rigid = abs(find_deepest(others["rigid"], case.place).value)
        found["rigid_wheels"] = abs(abs(peak) / rigid - 1.0)
    return found


def _draw_patches(run: ContactCrossing) -> DrawnPatches:
    forces = run.contact_forces[:, 0]
    rows = np.array(sorted({0, int(np.argmin(forces)), int(np.argmax(forces))}))
    largest = int(np.flatnonzero(rows == np.argmax(forces))[0])
    return DrawnPatches(run.t[rows], PatchFrames.of(run, rows), largest)
