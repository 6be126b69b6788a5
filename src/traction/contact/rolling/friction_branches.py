"""Falling friction may have several solutions: that which continues from small creepage, and others.

The creep force of a falling law has a maximum. Under a given force the solution is the one on the way to that
maximum, where more creepage brings more force; a force above it has no solution. At a given creepage the
solution is unique unless friction falls more steeply than an element resists at some slip speed; then the
creepage is increased from zero, and the solution is compared with one that begins from full sliding.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.falling_curve import STEEP, CreepCurve, CurveMaximum, Solve, give_creepage
from traction.contact.friction.friction_derivatives import differentiate_step
from traction.contact.friction.friction_solution import REMEMBERED
from traction.contact.friction.solved_friction import SolvedFriction, find_steepness
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.lagged_friction import SPEEDS
from traction.contact.stick_slip.newton_iteration import Start, iterate_newton
from traction.contact.stick_slip.rigid_slip import RigidSlip, describe_force
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import ConvergenceError, InputError

FURTHER = 0.1  #: of the tolerance, to which solutions with errors that add up are solved on
LOADS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  #: shares of a creepage, on its way
APART = 1e-3  #: difference of forces over mu Fn from which solutions are different


class Traced(NamedTuple):
    """A solution, and whether another one exists; None where the comparison did not converge."""

    solved: SolvedFriction
    others: bool | None


def solve_on_branch(
    contact: NormalContact, whole: WholeCells, tol: float, solve: Solve, attempt: Solve
) -> Traced:
    """Solve steady rolling with a law of friction on the branch that continues from small creepage.

    `attempt` is `solve` without its fallbacks, for given forces.
    """
    if whole.rigid.unknown:
        return _solve_forces(contact, whole, tol, solve, attempt)
    solved = _tighten(solve(contact, whole, tol), tol)
    if not solved.converged or not _may_branch(solved):
        return Traced(solved, False)
    return _compare_branches(solved, tol)


def _tighten(solved: SolvedFriction, tol: float) -> SolvedFriction:
    """Solve on where errors of memories add up, along the way of a particle, to more than was allowed for."""
    if not solved.converged or solved.certificate.largest <= tol / REMEMBERED:
        return solved
    known = solved.answer
    answer = iterate_newton(solved.step.equation, tol=FURTHER * tol, start=(known.traction, known.shifts))
    if not answer.converged:
        return solved
    return replace(solved, answer=replace(answer, products=known.products + answer.products))


def _may_branch(solved: SolvedFriction) -> bool:
    """Whether friction falls too steeply at some slip speed for solutions to be unique."""
    interface, rule, equation = solved.step.patch.interface, solved.step.equation.rule, solved.step.equation
    if find_steepness(solved) >= STEEP or interface is None or rule is None:
        return True
    fall = max(0.0, -float(interface.law.evaluate(SPEEDS)[1].min()))
    held = rule.pressure * equation.own.mean(axis=0)
    return fall / rule.time * float(held.max()) >= 1.0


def _compare_branches(solved: SolvedFriction, tol: float) -> Traced:
    """The solution that continues from small creepage, on the elements of one that is known."""
    equation, start = solved.step.equation, None
    for load in LOADS:
        part = replace(equation, known=load * equation.known)
        grown = _solve_part(part, tol if load == 1.0 else 0.1 * APART, start)
        if not grown.converged:  # the branch from small creepage ends before this one
            return Traced(solved, True)
        start = grown.traction, grown.shifts
    sliding = _solve_part(equation, tol, _slide(equation))
    moved = _differ(equation, grown, solved.answer)
    others: bool | None = moved
    if not moved:
        others = _differ(equation, grown, sliding) if sliding.converged else None
    if moved:
        solved = replace(solved, answer=replace(grown, products=grown.products + solved.answer.products))
    return Traced(solved, others)


def _solve_part(equation: SlipEquation, tol: float, start: Start | None) -> StickSlip:
    """A solution near another one, by Newton's method alone."""
    answer = iterate_newton(equation, tol=tol, start=start)
    return answer if answer.converged else iterate_newton(equation, tol=tol, start=start, damped=True)


def _slide(equation: SlipEquation) -> tuple[np.ndarray, np.ndarray]:
    """Tractions of full sliding against the rigid slip."""
    size = np.hypot(*equation.known)
    direction = np.divide(equation.known, size, out=np.zeros_like(equation.known), where=size > 0.0)
    return -0.5 * equation.bound * direction, np.zeros(len(equation.rigid))


def _differ(equation: SlipEquation, one: StickSlip, other: StickSlip) -> bool:
    """Whether two solutions have different forces."""
    apart = np.abs((one.traction - other.traction).sum(axis=(1, 2))).max()
    return bool(apart > APART * equation.bound.sum())


def _solve_forces(
    contact: NormalContact, whole: WholeCells, tol: float, solve: Solve, attempt: Solve
) -> Traced:
    """Solve with given forces; refuse those above the maximum of the creep curve."""
    solved = attempt(contact, whole, tol)
    try:
        if solved.converged and _carries_more(solved):
            return Traced(solved, _falls_below(solved))
    except ConvergenceError:  # its tangent is singular, as at a maximum
        pass
    lost = Traced(replace(solved, answer=replace(solved.answer, converged=False)), False)
    curve = CreepCurve(contact, whole, solve)
    creepage = curve.find_creepage()
    peak = None if creepage is not None else curve.find_peak()
    if peak is not None and contact.pair.mismatch != 0.0:
        settled = curve.settle(peak)
        if settled is not None:
            peak, curve = settled
            creepage = curve.find_creepage() if peak.force >= curve.target else None
    if creepage is None:
        if peak is None or peak.largest >= curve.target:
            return lost
        raise _refuse_force(whole.rigid, peak)
    fixed = solve(curve.contact, give_creepage(curve.whole, creepage), tol)
    shifts = np.array([creepage[k] for k in whole.rigid.unknown])
    step = replace(fixed.step, rigid=whole.rigid)
    answer = solve_stick_slip(step.equation, tol=tol, start=(fixed.answer.traction, shifts))
    found = replace(fixed, step=step, answer=answer)
    return Traced(found, _falls_below(found))


def _refuse_force(rigid: RigidSlip, peak: CurveMaximum) -> InputError:
    """The error of a force above the maximum."""
    return InputError(
        f"{describe_force(rigid)} is above the maximum of the creep curve, {peak.describe(rigid)}: the "
        "friction law falls beyond it; give a smaller force, or the creepage."
    )


def _carries_more(solved: SolvedFriction) -> bool:
    """Whether more creepage in the directions of given forces brings more force.

    The pressure of unlike bodies is held, as in these forces: to follow it would cost more than the solution.
    """
    along = list(solved.step.rigid.unknown)
    return _is_stable(differentiate_step(solved, along)[along])


def _is_stable(tangent: np.ndarray) -> bool:
    """Whether forces oppose creepages more as these grow."""
    return bool(np.isfinite(tangent).all() and np.linalg.eigvals(tangent).real.max() < 0.0)


def _falls_below(solved: SolvedFriction) -> bool:
    """Whether sliding fast needs less than the given force: a second solution lies beyond the maximum."""
    interface, given = solved.step.patch.interface, solved.step.rigid.force
    if interface is None or interface.law.largest == 0.0:
        return False
    least = interface.law.kinetic / interface.law.largest * float(solved.step.patch.bound.sum())
    size = float(np.linalg.norm([part for part in given if part is not None]))
    return size > least * solved.step.patch.grid.cell_area
