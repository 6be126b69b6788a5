"""Warnings and errors of crossings whose time step is too long."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.choices import CONDENSED
from traction.crossing.default_step import ELASTIC, capped_notices
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing, wheel_roughness
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.errors import ConvergenceError, StepWarning, warn_user
from traction.status import Status

FAILURES = ("raise", "return")
RESOLVED = 10  #: steps in a contact period, and
SMOOTH = 0.01  #: roughness of a force, with which the condensed march keeps its energy to 1e-6

AnyCrossing = TypeVar("AnyCrossing", bound=Crossing)


def checked_failure(on_failure: str) -> str:
    """One of FAILURES."""
    return str(checks.choice("on_failure", on_failure, FAILURES))


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
