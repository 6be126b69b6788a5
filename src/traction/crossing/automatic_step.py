"""dt="auto": the time step of a crossing is halved until its result no longer changes.

The returned run has the last step. It starts longer than the default one, which resolves more than most
need. Two runs differ by three quarters of the error of the longer step if the
error falls with its square, so the error of the returned one is a third of the change or less. All halvings
together cost as much as the returned run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from traction import checks
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.errors import ConvergenceError, InputError
from traction.quantities import significant
from traction.status import Status

AUTO = "auto"
ACCURACY = 1e-3
LONGER = 4.0  #: first step over the default one
HALVINGS = 10
MOST_STEPS = 500_000

AnyCrossing = TypeVar("AnyCrossing", bound=Crossing)


class Accuracy(float):
    """The change of a result that is allowed when its step is halved."""


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


def automatic_start(step: float | Accuracy | None) -> float:
    """First step over the default one, for marches that are stable in any step."""
    return LONGER if isinstance(step, Accuracy) else 1.0


def march_in_steps(
    march: Callable[[float], AnyCrossing], step: float | Accuracy | None, first: float, on_failure: str
) -> AnyCrossing:
    """The crossing that `march` returns for the `first` step (s).

    With an accuracy, the step is halved until it is met and the certificate holds; where it is not, that is
    an error, or the status of the last crossing.
    """
    if not isinstance(step, Accuracy):
        return march(first)
    coarse, change = march(first), np.inf
    for _ in range(HALVINGS):
        if 2 * (coarse.t.size - 1) > MOST_STEPS:
            break
        fine = march(0.5 * coarse.dt)
        change = _change(coarse, fine)
        coarse = replace(fine, change=change)
        if change <= step and coarse.step_measures.holds:
            return coarse
    words = _explain(coarse, change, step)
    failed = replace(coarse, status=Status.UNRESOLVED, message=words)
    if on_failure == "return":
        return failed
    raise ConvergenceError(f"{words}.", failed)


def _explain(run: Crossing, change: float, asked: float) -> str:
    """Why no step was found."""
    remedy = "Choose a larger rtol, an earlier t_end, or a dt"
    if np.isinf(change):
        return f"the run has {run.t.size - 1} steps before dt is halved once, at most {MOST_STEPS}. {remedy}"
    if change <= asked:
        return f"the result is settled at dt = {run.dt:.3g} s, but {run.step_measures.finding}. {remedy}"
    return (
        f"the result still changes by {significant(change, 2)} when dt is halved to {run.dt:.3g} s, asked "
        f"{asked:.1g}: where wheels lose contact repeatedly, small differences grow with every impact. "
        f"{remedy}"
    )


def _change(coarse: Crossing, fine: Crossing) -> float:
    """Largest change of forces and midspan motion at the times of the longer step, relative."""
    quantities = ("deflection",) if isinstance(fine, ContactCrossing) else ("deflection", "acceleration")
    found = [
        _relative(getattr(coarse, one)(x), getattr(fine, one)(x))
        for one in quantities
        for x in fine.beam.midspans.tolist()
    ]
    if isinstance(fine, ContactCrossing) and isinstance(coarse, ContactCrossing):
        loads = np.array([contact.load for contact in fine.contacts])
        found.append(float((np.abs(coarse.contact_forces - fine.contact_forces[::2]) / loads).max()))
    return max(found)


def _relative(coarse: np.ndarray, fine: np.ndarray) -> float:
    """Largest difference over the peak."""
    return float(np.abs(coarse - fine[::2]).max()) / (float(np.abs(fine).max()) or 1.0)
