"""What shifts and rolling share: check what is given, solve a step, finish it to a `TangentialContact`."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from traction import checks
from traction.contact.friction.friction_derivatives import (
    differentiate_by_approach,
    differentiate_by_creepage,
)
from traction.contact.friction.solved_step import SolvedStep, SolveStep
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import find_worst
from traction.errors import ConvergenceError, InputError
from traction.status import Status


def check_normal(normal: object, friction: object) -> tuple[NormalContact, float]:
    """A converged contact and its coefficient of friction."""
    contact = checks.instance("n", normal, NormalContact, "give the result of tr.press.")
    mu = checks.at_least("friction", friction, 0.0, "", "it is the coefficient mu, 0.3 for dry steel.")
    if not contact.ok:
        raise InputError(f"n did not converge ({contact.message}); friction needs a contact that did.")
    if any(contact.periodic):
        raise InputError("friction is for a free half space; n is periodic.")
    return contact, mu


def check_options(tol: object, on_failure: object) -> None:
    """What all steps take."""
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))


def solve_step(contact: NormalContact, friction: float, tol: float, solve: SolveStep) -> SolvedStep:
    """The step on a contact; of unlike bodies together with the pressure that follows its tractions."""
    if contact.pair.mismatch == 0.0 or friction == 0.0 or not contact.contact.any():
        return solve(contact, None, False)
    from traction.contact.friction.pressure_coupling import settle_pressure

    return settle_pressure(contact, tol, solve)


def finish_steps(
    steps: Sequence[SolvedStep],
    *,
    distance: float,
    dissipation: float,
    tol: float,
    began: float,
    on_failure: str,
    state: object = None,
) -> TangentialContact:
    """The result of steps that follow one another, over the whole grid, with its proof.

    `distance` is what slips are divided by (m, or 1), `dissipation` that of the result (J, or J/m), and
    `state` what a step that follows begins from.
    """
    last = steps[-1]
    step, answer = last.step, last.answer
    certificate = find_worst([done.certify() for done in steps])
    status, message = Status.CONVERGED, str(Status.CONVERGED)
    if not answer.converged or not certificate.holds(tol):
        status = Status.STALLED
        message = status.format(iterations=len(answer.residuals), residual=certificate.largest, tol=tol)
    slip_x, slip_y, stick = step.average(np.array((*last.slip, answer.stick)))
    result = TangentialContact(
        normal=last.normal,
        friction=step.patch.friction,
        traction=last.share_out(),
        slip=np.where(last.normal.contact, np.array((slip_x, slip_y)) / distance, 0.0),
        stick=stick > 0.5,
        creepage=step.rigid.complete(np.mean([done.answer.shifts for done in steps], axis=0)),
        dissipation=dissipation,
        status=status,
        message=message,
        certificate=certificate,
        iterations=sum(len(done.answer.residuals) - 1 for done in steps),
        products=sum(done.answer.products for done in steps),
        residuals=answer.residuals,
        seconds=perf_counter() - began,
        state=state,
        _tangent=lambda: differentiate_by_creepage(steps),
        _approach_tangent=lambda: differentiate_by_approach(steps),
        _arms=step.arms,
    )
    if on_failure == "raise" and not result.ok:
        raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
    return result
