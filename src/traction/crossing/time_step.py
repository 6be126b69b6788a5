"""Time steps of crossings: defaults, their check by the certificate, and dt="auto".

With dt="auto" the step is shortened until the result settles. The first step is a long one, with which the
shortest waves and flaws and the contact are just resolved; the second is half of it. Errors of the marches
fall with the square of the step, through loss and return of elastic contact too: runs in steps h and h/n
differ by D = C h^2 (1 - 1/n^2), and that in h/n differs from one in 2 h/n by 3 D/(n^2 - 1), the `change` that
has to meet the tolerance: three times its error. From the first two runs follows the n with which it does;
that run is the third and usually the last, and costs more than the others together. A change that is far from
the expected one shows that C is not constant, as before impacts are resolved and where rigid wheels land:
then the step is halved, and the change is that of the halving itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.crossing.bridge_models.modal_bridge import frequencies_of
from traction.crossing.choices import AUTO, CONDENSED
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing, wheel_roughness
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.errors import ConvergenceError, InputError, StepWarning, warn_user
from traction.quantities import significant
from traction.status import Status
from traction.trains.irregularity import Irregularity
from traction.trains.train import HarmonicAxle, Train
from traction.trains.travel import Travel

PER_WAVE = 16  #: steps while an axle passes the shortest wave of the modes
PER_PERIOD = 20  #: steps in the period of the tenth mode, or of the last
PER_FLAW = 80  #: steps while a wheel passes the shortest wave or flaw of rail and treads
PER_FORCE = 40  #: steps in the period of a harmonic force
PER_RUN = 20_000  #: steps at least: the largest of the samples then has seven digits or more
TRIAL = 2.0  #: times the step that resolves contacts and flaws, that a search begins with
FEWEST = 50  #: steps of a run with which a search begins
SHOWN_MODES = 10
ELASTIC = 1.0  #: rad that the highest mode turns in a step of wheels in elastic contact, and
RIGID = 0.5  #: in rigid contact: peak accelerations to 0.1 and 0.05 %
MOST_TURN = {ELASTIC: 1.1, RIGID: 0.8}  #: rad, up to which a mode is resolved with these defaults
MOST_PER_CROSSING = 20_000  #: steps of wheels while one axle crosses; more only if
MOST_NUMBERS = 42_000_000  #: coordinates of modes and vehicles in all steps are fewer: about 3 GB
PER_CROSSING = 10_000  #: steps of an implicit method while one axle crosses
OF_LIMIT = 0.9  #: of the stability limit, the step of an explicit method
FAILURES = ("raise", "return")
RESOLVED = 10  #: steps in a contact period, and
SMOOTH = 0.01  #: roughness of a force, with which the condensed march keeps its energy to 1e-6
ACCURACY = 1e-3
MOST_RUNS = 10  #: after the first
MOST_PARTS = 32  #: into which a step is divided at once
ASYMPTOTIC = 0.3  #: change below which the next step is extrapolated
AIM = 0.7  #: of the change asked for, at which the next step aims
UNSURE = 2.0  #: times the expected change, or a part of it, beyond which errors do not fall with the square
MOST_STEPS = 500_000

AnyCrossing = TypeVar("AnyCrossing", bound=Crossing)


def default_step(
    beam: Beam, cars: Train, size: int, way: Travel, t_end: float | None, fewest: int = 0
) -> float:
    """Step of exactly propagated modes, s, see `moving_load`; a search begins with the FEWEST steps."""
    return min(
        resolving_step(beam, cars, size, way, t_end), _end(beam, cars, way, t_end) / (fewest or PER_RUN)
    )


def flaw_step(irregularity: Irregularity | None, cars: Train, way: Travel, t_end: float | None) -> float:
    """Step that resolves the shortest wave or flaw of rail and treads, s."""
    treads = [None if wheel is None else wheel.irregularity for wheel in cars.wheels]
    shortest = min((one.shortest for one in (irregularity, *treads) if one is not None), default=math.inf)
    return shortest / (PER_FLAW * fastest(way, t_end))


def condensed_step(
    beam: Beam,
    cars: Train,
    size: int,
    way: Travel,
    t_end: float | None,
    turn: float = ELASTIC,
    beside: int = 0,
) -> float:
    """Step of wheels on modes, s: the highest turns by `turn` (rad), unless that takes too many steps.

    `beside` is the count of numbers that a step stores beside coordinates.
    """
    even, omega = default_step(beam, cars, size, way, t_end), float(frequencies_of(beam, size)[-1])
    if omega == 0.0:
        return even
    numbers = size + beside + sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
    many = _end(beam, cars, way, t_end) * numbers / MOST_NUMBERS
    shortest = min(many, beam.length / fastest(way, t_end) / MOST_PER_CROSSING)
    return min(max(turn / omega, shortest), even)


def capped_notices(beam: Beam, size: int, step: float, turn: float = ELASTIC) -> list[str]:
    """Notice of a default step (s) of wheels, as short as memory allows, that is too long for some modes."""
    omega = frequencies_of(beam, size)
    resolved = int((omega * step <= MOST_TURN[turn]).sum())
    if resolved == size:
        return []
    above = omega[resolved] / (2.0 * math.pi)
    return [
        f"the default dt = {step:.3g} s, as short as memory allows for so long a run, advances mode "
        f"{size} by {omega[-1] * step:.2g} rad per step: accelerations include modes from {above:.4g} Hz on, "
        f"which it does not resolve. Choose size = {max(resolved, 1)}, an earlier t_end, or a shorter dt."
    ]


def _end(beam: Beam, cars: Train, way: Travel, t_end: float | None) -> float:
    """End of the run, s."""
    end = float(way.time_at(np.array([cars.places.max() + beam.length]))[0]) if t_end is None else t_end
    return min(end, way.t_end)


def discrete_step(discrete: DiscreteBeam, method: str, way: Travel, t_end: float | None) -> float:
    """Step of forces on nodes, s: 10,000 steps per crossing, or 0.9 of the stability limit if shorter."""
    even = discrete.beam.length / fastest(way, t_end) / PER_CROSSING
    limit = discrete.stability_limit(method)
    return min(even, OF_LIMIT * limit) if limit > 0.0 else even


def resolving_step(beam: Beam, cars: Train, size: int, way: Travel, t_end: float | None) -> float:
    """Step that resolves waves of the modes, periods of the lowest ten and of harmonic forces, s."""
    omega = frequencies_of(beam, size)
    speed = fastest(way, t_end)
    wave = 2.0 * beam.length / size
    seen = float(omega[min(size, SHOWN_MODES) - 1])
    period = 2.0 * math.pi / seen if seen > 0.0 else math.inf
    shortest = min(wave / (PER_WAVE * speed), period / PER_PERIOD)
    waves = [force.frequency for force, _ in cars.forces if isinstance(force, HarmonicAxle)]
    return min([shortest, *(1.0 / (PER_FORCE * frequency) for frequency in waves)])


def fastest(way: Travel, t_end: float | None) -> float:
    """Highest speed until `t_end`, m/s."""
    if way.steady:
        return float(way.speed(np.zeros(1))[0])
    end = way.t_end if t_end is None else min(t_end, way.t_end)
    return float(way.speed(np.linspace(0.0, end, 1001)).max())


def require_resolved(run: AnyCrossing, on_failure: str) -> AnyCrossing:
    """Warn of a time step that is too long; refuse a worthless result, or mark it on request."""
    found = judge_step(run)
    if found.usable:
        if not found.holds:
            warn_user(f"{found.message}; tr.StepWarning can be filtered.", StepWarning)
        return run
    words = Status.UNRESOLVED.describe(reason=found.message)
    failed = replace(run, status=Status.UNRESOLVED, message=words)
    if on_failure == "raise":
        raise ConvergenceError(f"{words}.", failed)
    return failed


def warn_of_cap(beam: Beam, size: int, step: float, turn: float = ELASTIC) -> None:
    """Warn of a default step (s) of wheels on modes that is too long for some of them."""
    for notice in capped_notices(beam, size, step, turn):
        warn_user(f"{notice} tr.StepWarning can be filtered.", StepWarning)


def judge_step(run: Crossing) -> CrossingCertificate:
    """The certificate of a crossing, with its energies where they are needed.

    Those of a condensed march, with elastic or rigid contact, cost as much as the march and are computed only
    where its forces leave a doubt; those of a method, whose steps cost more, always.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # of a march that grows, which is found
        return run.certificate if _is_doubtful(run) else run.step_measures


def _is_doubtful(run: Crossing) -> bool:
    """Whether the energies have to be computed to judge a crossing."""
    if run.ledger is None:
        return False
    if not isinstance(run, ContactCrossing):
        return run.lost_contact or not (wheel_roughness(run) or 0.0) < SMOOTH
    quick = run.step_measures
    few = (quick.steps_per_contact_period or 0.0) < RESOLVED
    rough = quick.force_roughness is None or not quick.force_roughness < SMOOTH
    return run.method != CONDENSED or few or rough


class Accuracy(float):
    """The largest change of a result from twice the step to the step that is accepted."""


def checked_step(dt: float | str | None, rtol: float | None) -> float | Accuracy | None:
    """A time step (s), the accuracy of "auto", or None for the default."""
    if isinstance(dt, str) and dt == AUTO:
        return Accuracy(ACCURACY if rtol is None else checks.tolerance("rtol", rtol))
    if rtol is not None:
        raise InputError(f'rtol = {rtol} is given, but dt = {dt} is not "auto"; omit one of them.')
    if isinstance(dt, str):
        raise InputError(f'dt = {checks.shown(dt)} must be a time in s or "auto".')
    return None if dt is None else checks.positive("dt", dt, "s")


def fixed_step(step: float | Accuracy | None) -> float | None:
    """The step that was given, s; None otherwise."""
    return None if isinstance(step, Accuracy) else step


def march_in_steps(
    march: Callable[[float], AnyCrossing],
    step: float | Accuracy | None,
    first: float,
    judge: Callable[[Crossing], CrossingCertificate],
    on_failure: str,
) -> AnyCrossing:
    """The crossing that `march` returns for the `first` step (s).

    With an accuracy, the step is shortened until the accuracy is met and the certificate holds. If that
    fails, an error is raised, or the last crossing returned with that status.
    """
    if not isinstance(step, Accuracy):
        return march(first)
    coarse, change, parts, expected, marched = march(first), np.inf, 2, np.inf, 0
    for _ in range(MOST_RUNS):
        marched += coarse.t.size - 1
        if parts * (coarse.t.size - 1) > MOST_STEPS:
            break
        fine = march(coarse.dt / parts)
        far = _change(coarse, fine, parts)
        change, known = 3.0 * far / (parts**2 - 1), parts == 2 or 1.0 / UNSURE < far / expected < UNSURE
        coarse = replace(fine, change=change, stats={**fine.stats, "steps_of_trials": marched})
        if known and change <= step and judge(coarse).holds:
            return coarse
        parts = _divide(change, step, coarse.t.size - 1) if known else 2
        expected = change / 3.0 * (1.0 - 1.0 / parts**2)
    words = _explain(coarse, change, step, judge(coarse))
    failed = replace(coarse, status=Status.UNRESOLVED, message=words)
    if on_failure == "return":
        return failed
    raise ConvergenceError(f"{words}.", failed)


def _divide(change: float, asked: float, steps: int) -> int:
    """Parts into which each of `steps` is divided, so that the change from twice the new step is as asked."""
    if not change <= ASYMPTOTIC:
        return 2
    parts = math.ceil(math.sqrt(change / (AIM * asked)))
    return max(2, min(parts, MOST_PARTS, MOST_STEPS // steps))


def _explain(run: Crossing, change: float, asked: float, found: CrossingCertificate) -> str:
    """Why no step was found."""
    remedy = "Choose a larger rtol, an earlier t_end, or a dt"
    if np.isinf(change):
        return f"the run has {run.t.size - 1} steps before dt is first halved, at most {MOST_STEPS}. {remedy}"
    if change <= asked:
        return f"the result has settled at dt = {run.dt:.3g} s, but {found.finding}. {remedy}"
    return (
        f"the result still changes by {significant(change, 2)} when dt is halved to {run.dt:.3g} s, asked "
        f"{asked:.1g}: where wheels lose contact repeatedly, small differences grow with every impact. "
        f"{remedy}"
    )


def _change(coarse: Crossing, fine: Crossing, parts: int) -> float:
    """Largest change of forces and midspan motion at the times of the longer step, relative."""
    still = isinstance(fine, ContactCrossing) or fine.landings  # accelerations after an impulse have no limit
    quantities = ("deflection",) if still else ("deflection", "acceleration")
    found = [
        float(np.abs(getattr(coarse, one)(x) - seen).max()) / (float(np.abs(seen).max()) or 1.0)
        for one in quantities
        for x in fine.beam.midspans.tolist()
        for seen in (getattr(fine, one)(x)[::parts],)
    ]
    if isinstance(fine, ContactCrossing) and isinstance(coarse, ContactCrossing):
        loads = np.array([contact.load for contact in fine.contacts])
        found.append(float((np.abs(coarse.contact_forces - fine.contact_forces[::parts]) / loads).max()))
    return max(found)
