"""Common parts of shifts and rolling: check the input, solve a step, build a `TangentialContact`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.friction.friction_derivatives import (
    differentiate_by_approach,
    differentiate_by_creepage,
    differentiate_by_friction,
)
from traction.contact.friction.friction_input import Friction, check_friction, find_limit
from traction.contact.friction.solved_friction import (
    SolvedFriction,
    SolveFriction,
    find_steepness,
)
from traction.contact.friction.tangential_contact import InterfaceState, TangentialContact
from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import (
    FrictionCertificate,
    find_worst,
    measure_averaging,
)
from traction.contact.stick_slip.interface import Interface, find_coefficient
from traction.contact.stick_slip.lagged_friction import describe_lag, find_fall
from traction.contact.stick_slip.rigid_slip import RigidSlip, check_rigid_force, check_rigid_slip
from traction.errors import ConvergenceError, InputError, UndefinedError
from traction.friction_laws.layer import Layer
from traction.status import Status

#: of results that are solutions, but not the only ones
OTHERS = "; friction falls, and there are other solutions, at more slip or on another branch"
UNDECIDED = "; friction falls steeply, and whether there are other solutions could not be decided"
JUMPS = (
    "; in so short a step friction falls more steeply with the slip than the contact resists, and may jump "
    "from one solution to another: give the law a longer memory, or take longer steps"
)
UNDIVIDED = (
    "; slip speeds change so much within the step that its coefficient of friction may be off by {:.1%}, and "
    "shorter steps jump or do not carry the force"
)
ALTERNATES = (
    "; in so short a step friction falls with the slip by more than half of what the contact resists, and "
    "steps may alternate instead of approaching a steady state: give the law a longer memory, or take "
    "longer steps"
)
#: fall of friction over the resistance of the patch r, from which steps alternate: errors grow by -r/(1 - r)
ALTERNATING = 0.5
JUMPY = 1.0  #: the same from which a step has several solutions
SAFETY = 0.2  #: tolerance of the iteration relative to that of the certificate
REMEMBERED = 0.05  #: the same where the bound depends on the slip upstream


@dataclass(frozen=True, eq=False)
class FrictionDemand:
    """Checked input of a friction step."""

    contact: NormalContact
    friction: float  #: mu; the largest where it is not constant
    rigid: RigidSlip
    tol: float
    on_failure: str  #: "raise" or "return"
    interface: Interface | None = None  #: law of friction and layer, where there are
    varying: VaryingFriction | None = None  #: along the track or with the temperature, where it does
    position: float = 0.0  #: of the contact along the track at the end, m
    guided: bool = False  #: whether the approach of the bodies changes evenly in a step, not their force
    began: float = field(default_factory=perf_counter)

    def place_friction(self, position: float, warm: np.ndarray | None = None) -> FrictionDemand:
        """The same with the friction at a position (m) along the track, and `warm` coefficients."""
        if self.varying is None or self.interface is None:
            return self
        factor = self.varying.place(self.contact.grid, position, warm)
        return replace(self, interface=replace(self.interface, factor=factor), position=position)

    def require_force(self, contact: NormalContact) -> None:
        """Raise an error for a given force that friction does not carry."""
        check_rigid_force(self.rigid, "creepage", find_limit(contact, self.friction, self.interface))

    @property
    def inner_tol(self) -> float:
        """Tolerance of the iteration; errors of memories add up along the way of a particle."""
        constant = self.interface is None or self.interface.is_constant
        return (SAFETY if constant else REMEMBERED) * self.tol


def check_demand(
    contact: object,
    friction: object,
    what: str,
    shift: object,
    force: object,
    *,
    tol: float,
    on_failure: str,
    speed: object = None,
    layer: object = None,
    position: object = 0.0,
    limited: object = True,
) -> FrictionDemand:
    """Check the input; errors name the quantity, and `what` is the name of the rigid `shift`.

    The caller may check that friction carries a given force itself, by `FrictionDemand.require_force`.
    """
    contact = checks.instance("n", contact, NormalContact, "give the result of tr.press.")
    place = checks.finite("position", position, "m")
    mu, interface = check_friction(friction, layer, speed, contact.grid, place, warms=True)
    if not contact.ok:
        raise InputError(f"n did not converge ({contact.message}); friction needs a converged contact.")
    if any(contact.periodic):
        raise InputError("friction is for a free half space; n is periodic.")
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    rigid = check_rigid_slip(what, shift, force, find_limit(contact, mu, interface) if limited else math.inf)
    varying = VaryingFriction.of(friction)
    return FrictionDemand(contact, mu, rigid, tol, on_failure, interface, varying, place)


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
    shifts, ways = np.array([done.answer.shifts for done in steps]), np.array([done.way for done in steps])
    certificate = find_worst([done.certificate for done in steps])
    status, message = _judge(steps, certificate, demand)
    slid = last.slip if last.plastic_share is None else last.slip * (1.0 - last.plastic_share)
    traction, means = step.bring_to_grid(answer.traction, np.array((*slid, answer.stick)))
    slip, stick = np.where(last.normal.contact, means[:2] / distance, 0.0), means[2] > 0.5
    between = describe_interface(last, step.patch.interface or demand.interface, distance)
    if step.averages:
        bound = demand.friction * last.normal.pressure
        if between is not None:
            bound = np.minimum(between.friction * last.normal.pressure, between.yielding)
        certificate = replace(certificate, averaging=measure_averaging(traction, slip, bound, stick))
    result = TangentialContact(
        normal=last.normal,
        friction=demand.friction if demand.interface is None else demand.interface.reference_coefficient,
        traction=traction,
        slip=slip,
        stick=stick,
        creepage=step.rigid.complete(ways / ways.sum() @ shifts),
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
        _friction_change=lambda *given: _change_friction(steps, *given),
        interface=between,
        steepness=max(find_steepness(done) for done in steps),
        lag=max(done.lag_distance for done in steps),
        other_solutions=_know_others(steps),
        plastic_work=dissipation * _share_of_flow(steps),
        position=demand.position,
        **kept,
    )
    if demand.on_failure == "raise" and not result.ok:
        raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
    return result


def _judge(
    steps: Sequence[SolvedFriction], certificate: FrictionCertificate, demand: FrictionDemand
) -> tuple[Status, str]:
    """Status and message of consecutive steps."""
    answer, done = steps[-1].answer, Status.CONVERGED
    stalled = [step.normal for step in steps if step.normal.status is Status.STALLED]
    if stalled:
        return Status.STALLED, f"pressure on the way of the step: {stalled[0].message}"
    if not answer.converged and steps[-1].failure:
        return Status.STALLED, steps[-1].failure
    if not answer.converged or not certificate.holds(demand.tol):
        status, error = Status.STALLED, certificate.largest
        if answer.converged and not certificate.is_settled:
            return status, certificate.explain_unsettled()
        message = status.describe(iterations=len(answer.residuals), residual=error, tol=demand.tol)
        if answer.converged and replace(certificate, shares=0.0).holds(demand.tol):
            return status, message + certificate.explain_shares()
        return status, message + _explain_failure(demand)
    others = _know_others(steps)
    if others is not False:
        return done, f"{done}{OTHERS if others else UNDECIDED}"
    undivided = max(step.undivided for step in steps)
    return done, f"{done}{_describe_fall(steps)}{UNDIVIDED.format(undivided) if undivided else ''}"


def _describe_fall(steps: Sequence[SolvedFriction]) -> str:
    """What steps do where friction falls steeply with their slip: it lags, or they may alternate or jump."""
    lagging = max(step.lag_distance for step in steps)
    if lagging > 0.0:
        return f"; {describe_lag(lagging)}"
    whole = (done.step for done in steps if not done.divided and not _is_long_remembered(done))
    fall = max((find_fall(step.equation, step.patch.interface) for step in whole), default=0.0)
    return JUMPS if fall >= JUMPY else ALTERNATES if fall >= ALTERNATING else ""


def _is_long_remembered(done: SolvedFriction) -> bool:
    """Whether friction has a memory so long that steps of covered elements need not lag."""
    rule = done.step.equation.rule
    return done.step.averages and rule is not None and rule.distance > 0.0


def _know_others(steps: Sequence[SolvedFriction]) -> bool | None:
    """Whether a step is known to have another solution; None where that could not be decided."""
    if any(step.others for step in steps):
        return True
    return None if any(step.others is None for step in steps) else False


def _explain_failure(demand: FrictionDemand) -> str:
    """Why there may be no solution that can be found: steep laws, softening layers, slippery places."""
    interface, varying = demand.interface, demand.varying
    if varying is not None and varying.track is not None and demand.rigid.unknown:
        return (
            "; friction along the track may be too low for the given force on the way: give the creepage, or "
            "take shorter steps"
        )
    if interface is None or interface.is_constant:
        return ""
    return (
        "; where friction falls, or a layer softens, more steeply with the slip than elements resist, "
        "solutions are not unique or do not exist: use a longer memory distance, a lower speed or "
        "longer steps"
    )


def describe_interface(
    last: SolvedFriction, interface: Interface | None, distance: float
) -> InterfaceState | None:
    """State of law and layer at the end of a step, over the grid; None where friction is one number."""
    if interface is None:
        return None
    contact = last.normal.contact
    rest = np.full(contact.shape, interface.law.static)
    if last.sliding is None:
        yielding = np.full(contact.shape, interface.yield_stress)
        nothing = np.zeros(contact.shape)
        return InterfaceState(interface, rest, rest, yielding, nothing)
    found, rule = last.sliding, last.step.equation.rule
    assert rule is not None
    fields = find_coefficient(rule, found.mu), found.mu, found.yielding, found.plastic
    mu, memory, tau, flow = last.step.average(np.array(fields))
    # outside the window no particle has been in contact
    inside = last.step.average(np.ones((1, *found.mu.shape)))[0] > 0.0
    return InterfaceState(
        interface,
        np.where(inside, mu, rest),
        np.where(inside, memory, rest),
        np.where(inside & contact, tau, interface.yield_stress),
        np.where(contact, flow / distance, 0.0),
        last.step.count_unrest(np.where(last.answer.stick, 0.0, last.slip_speed)),
    )


def _change_friction(
    steps: Sequence[SolvedFriction], friction: Friction, speed: float | None, layer: Layer | None
) -> np.ndarray:
    """Change of (F_x, F_y, M_z) to nearby friction, to first order."""
    done = steps[-1]
    if len(steps) > 1 or done.step.averages or done.is_coupled:
        raise UndefinedError(
            "the change with friction is known for steady rolling and shifts of like bodies; take "
            "differences of two solutions instead."
        )
    mu, interface = check_friction(friction, layer, speed, done.normal.grid)
    patch, known = done.step.patch, done.step.patch.interface
    if (interface is None) != (known is None):
        raise InputError("give friction of the same kind as that of the result: a law, or a layer, near it.")
    if interface is None or known is None:
        return differentiate_by_friction(
            done, replace(patch, bound=patch.bound * mu / patch.friction, friction=mu)
        )
    if interface.is_constant != known.is_constant or (interface.factor is None) != (known.factor is None):
        raise InputError("give friction of the same kind as that of the result: a law, or a layer, near it.")
    plain = replace(patch, interface=None, factor=None, bound=mu * patch.pressure, friction=mu)
    return differentiate_by_friction(done, plain.put_between(interface))


def _share_of_flow(steps: Sequence[SolvedFriction]) -> float:
    """Part of the work of steps that is plastic flow of a layer, by tractions times slips."""
    flow = sum(done.flow_work for done in steps)
    if flow == 0.0:
        return 0.0
    return min(1.0, flow / sum(done.work_on_slip() for done in steps))


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
