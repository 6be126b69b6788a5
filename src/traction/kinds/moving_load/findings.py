"""Findings of a run of the kind "moving-load": key figures, its check, and data of the figures."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from traction.crossing.bridge_models.bridge_model import discretised
from traction.crossing.bridge_models.modal_bridge import with_damped_modes
from traction.crossing.choices import SIZES
from traction.crossing.moving_load import moving_load
from traction.crossing.results.crossing import Crossing, Envelope
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.crossing.small_deflections import LANDED
from traction.crossing.time_step import (
    ACCURACY,
    RIGID,
    capped_notices,
    condensed_step,
    default_step,
    discrete_step,
)
from traction.errors import InputError, StepWarning
from traction.kinds.kind import KeyFigures
from traction.kinds.moving_load.schema import MovingLoadCase
from traction.kinds.tables.crossing_tables import CrossedCase
from traction.quantities import given, significant
from traction.view.animations.crossing_animation import CrossingFilm
from traction.view.bridges import CrossingMap

CUTOFF = 30.0  #: Hz, up to which bridge codes judge accelerations (EN 1990, A2.4.4.2.1)
FRAMES = 48
PER_PERIOD = 8  #: frames in a period of the first mode
MOST_DRAWN = 8  #: wheels whose forces are drawn
MOST_ROWS = 20_001  #: times of curves that are drawn


@dataclass(frozen=True)
class LoadCurves:
    """Over time, at the output position and under the wheels, for the figures."""

    t: np.ndarray  #: s
    deflection: np.ndarray  #: m
    at_rest: np.ndarray | None  #: under the same axles at rest, m
    acceleration: np.ndarray  #: m/s2
    slow: np.ndarray | None  #: low-pass filtered
    forces: np.ndarray | None  #: under the first wheels, N, (times, wheels)

    @classmethod
    def of(cls, case: MovingLoadCase, run: Crossing) -> LoadCurves:
        """Curves of a case and its crossing."""
        x, most = case.place, min(run.t.size, MOST_ROWS)
        rows = np.unique(np.linspace(0, run.t.size - 1, most).round().astype(int))
        rest = run.at_rest("deflection", x)[rows] if case.at_rest else None
        slow = run.filtered("acceleration", x, CUTOFF)[rows] if is_filtered(run.t) else None
        wheels = None if run.vehicles is None else run.contact_forces[rows, :MOST_DRAWN]
        return cls(run.t[rows], run.deflection(x)[rows], rest, run.acceleration(x)[rows], slow, wheels)


@dataclass(frozen=True)
class MomentRange:
    """Least and largest moment over time at places along the beam."""

    x: np.ndarray  #: m
    least: np.ndarray  #: N m
    largest: np.ndarray  #: N m

    @classmethod
    def of(cls, run: Crossing) -> MomentRange:
        """Of a crossing."""
        found = run.envelope("moment")
        return cls(found.x, found.least, found.largest)

    @property
    def envelope(self) -> Envelope:
        """As `tr.moving_load` returns it."""
        return Envelope(self.x, self.least, self.largest, "moment")


@dataclass(frozen=True)
class LoadFindings:
    """Findings of the whole run."""

    steps: int
    step: float  #: s
    change: float | None  #: of the result from twice a step that was chosen automatically
    error: float  #: of the energy, or against exact modes
    curves: LoadCurves
    map: CrossingMap
    moments: MomentRange
    film: CrossingFilm

    @classmethod
    def of(cls, case: MovingLoadCase, run: Crossing) -> LoadFindings:
        """Findings of a case and its crossing; elements and differences are compared with exact modes."""
        error = energy_error(run) if run.model == "modes" else _apart_from_modes(case, run)
        film = CrossingFilm.of(run, case.place, FRAMES, filmed_times(case, run))
        curves, moments = LoadCurves.of(case, run), MomentRange.of(run)
        return cls(run.t.size - 1, run.dt, run.change, error, curves, CrossingMap.of(run), moments, film)


def march_case(case: MovingLoadCase) -> Crossing:
    """The whole crossing, by `tr.moving_load`."""
    require_kept(case, rigid_step(case))
    options = rigid_options(case) | ({"allow_unstable": True} if case.model.allow_unstable else {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StepWarning)  # which the notices of the run name, and landings
        warnings.filterwarnings("ignore", LANDED)
        more: dict[str, Any] = {"on_failure": "return", "progress": False, **options}
        run = moving_load(case.built, case.cars, case.way, dt=case.time.dt, rtol=case.time.rtol, **more)
        if case.time.automatic and run.ok and run.t.size < case.time.samples:
            dt, change = case.t_end / (case.time.samples - 1), run.change
            run = replace(moving_load(case.built, case.cars, case.way, dt=dt, **more), change=change)
        return run


def advise_step(found: CrossingCertificate) -> str:
    """What is wrong with a time step, and which one to choose in the file."""
    return f'the step {found.finding}. Choose time.dt = {found.shorter:.2g} s or less, or time.dt = "auto".'


def find_cap(case: CrossedCase, step: float) -> list[str]:
    """Notice of a default step (s) with wheels that is too long for some of the modes."""
    condensed = case.model.type == "modes" and case.model.method is None and case.cars.vehicles
    if case.time.dt is not None or not condensed:
        return []
    return capped_notices(case.built, case.model.number, step, RIGID)


def describe_choice(case: CrossedCase, step: float, change: float) -> str:
    """A time step (s) that was chosen, and why."""
    asked = ACCURACY if case.time.rtol is None else case.time.rtol
    return (
        f"of {given(step, 's')}, chosen automatically: forces and deflections differ by "
        f"{significant(change, 2)} from those at twice the step, asked {asked:.2g}"
    )


def rigid_options(case: CrossedCase) -> dict[str, Any]:
    """For `tr.moving_load`, and `tr.cross` in rigid contact; all but the step."""
    model = case.model
    options: dict[str, Any] = {
        "model": model.type, "size": model.number, "t_end": case.time.t_end, "gravity": case.gravity,
        "irregularity": case.rough,
    }  # fmt: skip
    if model.type == "modes":
        return options | {"residual": model.residual}
    return options if case.cars.vehicles else options | {"method": model.marches_by, **model.options}


def rigid_step(case: CrossedCase) -> float:
    """As `tr.moving_load` chooses it, or as given, s."""
    if case.time.fixed is not None:
        return case.time.fixed
    model, beam, way, end = case.model, case.built, case.way, case.time.t_end
    if case.cars.vehicles:
        modes = model.number if model.type == "modes" else SIZES["modes"]
        return condensed_step(beam, case.cars, modes, way, end, RIGID)
    if model.type == "modes":
        return default_step(beam, case.cars, model.number, way, end)
    return discrete_step(discretised(beam, model.type, model.number), model.marches_by or "", way, end)


def require_kept(case: CrossedCase, step: float) -> None:
    """Refuse a crossing of steps (s) whose states, all of which are kept, would not fit into memory."""
    words = case.too_many_kept(step)
    if words is not None:
        raise InputError(f"the crossing {words}.")


def sum_up(case: MovingLoadCase, run: Crossing) -> KeyFigures:
    """Largest values at the output position, of all steps and between them."""
    x = case.place
    peak = run.largest("deflection", x)
    yield "peak deflection", peak.value, "m"
    yield "time of peak deflection", peak.time, "s"
    if case.at_rest:
        rest = float(np.abs(run.at_rest("deflection", x)).max())
        yield "peak static deflection", rest, "m"
        if rest > 0.0:
            yield "amplification", run.amplification("deflection", x), "1"
    yield "peak bending moment", run.largest("moment", x).value, "N m"
    yield "peak acceleration", abs(run.largest("acceleration", x).value), "m/s2"
    if is_filtered(run.t):
        slow = float(np.abs(run.filtered("acceleration", x, CUTOFF)).max())
        yield f"peak acceleration, low-pass filtered at {CUTOFF:g} Hz", slow, "m/s2"
    if run.vehicles is not None:
        yield "largest wheel force", float(run.contact_forces.max()), "N"
        yield "smallest wheel force", float(run.contact_forces.min()), "N"
        lifted = float((~run.in_contact).any(axis=1).mean())
        yield "share of time steps with a wheel lifted off", lifted, "1"


def energy_error(run: Crossing) -> float:
    """Largest imbalance of the modes' energy, of the largest energy or work."""
    gained = 0.5 * (run.power - run.dissipation)
    work = np.r_[0.0, np.cumsum((gained[1:] + gained[:-1]) * np.diff(run.t))]
    size = max(float(np.abs(work).max()), float(run.energy.max()))
    return float(np.abs(work - run.energy).max()) / size if size else 0.0


def deflections_apart(run: Crossing, exact: Crossing, x: float) -> float:
    """Difference of the largest deflections at x, of the second."""
    found, largest = (one.largest("deflection", x).value for one in (run, exact))
    return abs(found - largest) / abs(largest) if largest else abs(found)


def _apart_from_modes(case: MovingLoadCase, run: Crossing) -> float:
    exact = moving_load(
        with_damped_modes(case.built, SIZES["modes"]), case.cars, case.way, t_end=case.time.t_end,
        gravity=case.gravity, irregularity=case.rough, progress=False,
    )  # fmt: skip
    return deflections_apart(run, exact, case.place)


def filmed_times(case: MovingLoadCase, run: Crossing) -> tuple[float, float]:
    """First and last time (s) of the film: all, or so much around the peak that oscillations are seen."""
    start, end = float(run.t[0]), float(run.t[-1])
    moving = [omega for omega in case.built.frequencies(3) if omega > 0.0]
    longest = FRAMES / PER_PERIOD * 2.0 * math.pi / moving[0] if moving else end - start
    if end - start <= longest:
        return start, end
    first = run.largest("deflection", case.place).time - 0.5 * longest
    first = min(max(first, start), end - longest)
    return first, first + longest


def is_filtered(t: np.ndarray) -> bool:
    """Whether times at equal distances (s) are close enough for the filter."""
    return t.size >= 8 and CUTOFF < 0.4 / float(t[1] - t[0])
