"""dt="auto": shorten the time step of a crossing until its result settles.

The first step is a long one, with which the shortest waves and flaws and the contact are just resolved; the
second is half of it. Errors of the marches fall with the square of the step, through loss and return of
elastic contact too: runs in steps h and h/n differ by D = C h^2 (1 - 1/n^2), and that in h/n differs from
one in 2 h/n by 3 D/(n^2 - 1), the `change` that has to meet the tolerance: three times its error. From the
first two runs follows the n with which it does; that run is the third and usually the last, and costs more
than the others together. A change that is far from the expected one shows that C is not constant, as before
impacts are resolved and where rigid wheels land: then the step is halved, and the change is that of the
halving itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from traction import checks
from traction.crossing.choices import AUTO
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.errors import ConvergenceError, InputError
from traction.quantities import significant
from traction.status import Status

ACCURACY = 1e-3
MOST_RUNS = 10  #: after the first
MOST_PARTS = 32  #: into which a step is divided at once
ASYMPTOTIC = 0.3  #: change below which the next step is extrapolated
AIM = 0.7  #: of the change asked for, at which the next step aims
UNSURE = 2.0  #: times the expected change, or a part of it, beyond which errors do not fall with the square
MOST_STEPS = 500_000

AnyCrossing = TypeVar("AnyCrossing", bound=Crossing)


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
        _relative(getattr(coarse, one)(x), getattr(fine, one)(x)[::parts])
        for one in quantities
        for x in fine.beam.midspans.tolist()
    ]
    if isinstance(fine, ContactCrossing) and isinstance(coarse, ContactCrossing):
        loads = np.array([contact.load for contact in fine.contacts])
        found.append(float((np.abs(coarse.contact_forces - fine.contact_forces[::parts]) / loads).max()))
    return max(found)


def _relative(coarse: np.ndarray, fine: np.ndarray) -> float:
    """Largest difference over the peak."""
    return float(np.abs(coarse - fine).max()) / (float(np.abs(fine).max()) or 1.0)
