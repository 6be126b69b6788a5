"""Common parts of shifts and rolling: check the input, solve a step, build a `TangentialContact`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.friction.friction_derivatives import (
    differentiate_by_approach,
    differentiate_by_creepage,
)
from traction.contact.friction.solved_friction import SolvedFriction, SolveFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import find_worst, measure_averaging
from traction.contact.stick_slip.rigid_slip import RigidSlip, check_rigid_slip
from traction.errors import ConvergenceError, InputError
from traction.status import Status

SAFETY = 0.2  #: tolerance of the iteration relative to that of the certificate


@dataclass(frozen=True, eq=False)
class FrictionDemand:
    """Checked input of a friction step."""

    contact: NormalContact
    friction: float  #: mu
    rigid: RigidSlip
    tol: float
    on_failure: str  #: "raise" or "return"
    began: float = field(default_factory=perf_counter)

    @property
    def inner_tol(self) -> float:
        """Tolerance of the iteration."""
        return SAFETY * self.tol


def check_demand(
    contact: object, friction: object, what: str, shift: object, force: object, *, tol: float, on_failure: str
) -> FrictionDemand:
    """Check the input; errors name the quantity, and `what` is the name of the rigid `shift`."""
    contact = checks.instance("n", contact, NormalContact, "give the result of tr.press.")
    mu = checks.at_least("friction", friction, 0.0, "", "it is the coefficient mu, 0.3 for dry steel.")
    mu = checks.positive("friction", mu) if mu else 0.0
    if not contact.ok:
        raise InputError(f"n did not converge ({contact.message}); friction needs a converged contact.")
    if any(contact.periodic):
        raise InputError("friction is for a free half space; n is periodic.")
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    rigid = check_rigid_slip(what, shift, force, mu * contact.force)
    return FrictionDemand(contact, mu, rigid, tol, on_failure)


def solve_step(contact: NormalContact, demand: FrictionDemand, solve: SolveFriction) -> SolvedFriction:
    """Solve the step on a contact; for unlike bodies together with the pressure."""
    if contact.pair.mismatch == 0.0 or demand.friction == 0.0 or not contact.contact.any():
        return solve(contact, None, False)
    from traction.contact.friction.pressure_coupling import settle_pressure

    return settle_pressure(contact, demand.tol, solve)


def finish_steps(
    steps: Sequence[SolvedFriction],
    demand: FrictionDemand,
    *,
    distance: float,
    dissipation: float,
    motion: str,
    state: object = None,
    **kept: Any,
) -> TangentialContact:
    """Build and certify the result of consecutive steps over the whole grid.

    Slips are divided by `distance` (m, or 1), `dissipation` is that of the result (J, or J/m), and `state` is
    the start of a following step; the fields `kept` pass into it.
    """
    last = steps[-1]
    step, answer = last.step, last.answer
    certificate = find_worst([done.certificate for done in steps])
    status, message = Status.CONVERGED, str(Status.CONVERGED)
    if not answer.converged or not certificate.holds(demand.tol):
        status = Status.STALLED
        message = status.describe(
            iterations=len(answer.residuals), residual=certificate.largest, tol=demand.tol
        )
    slip_x, slip_y, share = step.average(np.array((*last.slip, answer.stick)))
    slip = np.where(last.normal.contact, np.array((slip_x, slip_y)) / distance, 0.0)
    traction, stick = last.share_out(), share > 0.5
    if step.averages:
        bound = demand.friction * last.normal.pressure
        certificate = replace(certificate, averaging=measure_averaging(traction, slip, bound, stick))
    result = TangentialContact(
        normal=last.normal,
        friction=demand.friction,
        traction=traction,
        slip=slip,
        stick=stick,
        creepage=step.rigid.complete(np.mean([done.answer.shifts for done in steps], axis=0)),
        dissipation=dissipation,
        status=status,
        message=message,
        certificate=certificate,
        iterations=sum(len(done.answer.residuals) - 1 for done in steps),
        products=sum(done.answer.products for done in steps),
        residuals=answer.residuals,
        seconds=perf_counter() - demand.began,
        motion=motion,
        state=state,
        _tangent=lambda: differentiate_by_creepage(steps),
        _approach_tangent=lambda: differentiate_by_approach(steps),
        _power=lambda: _spread_work(steps, dissipation, motion, distance),
        _arms=step.arms,
        **kept,
    )
    if demand.on_failure == "raise" and not result.ok:
        raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
    return result


def _spread_work(
    steps: Sequence[SolvedFriction], dissipation: float, motion: str, distance: float
) -> np.ndarray:
    """Work of friction on the cells of the grid, of all steps: per metre rolled if steady, J/m2.

    In transient rolling the sum of tractions times slips is not that of the balance of energy in each step:
    it is scaled to it.
    """
    work: np.ndarray = np.sum([done.dissipate() for done in steps], axis=0)
    if motion == "steady rolling":
        return work / distance
    total = float(work.sum()) * steps[-1].normal.grid.cell_area
    return work * (dissipation / total) if total > 0.0 else work
