"""Falling friction may have several solutions: that which continues from small creepage, and others.

Under given forces it is that of `given_creep_forces`. At a given creepage the solution is unique unless
friction falls more steeply than an element resists at some slip speed; then the creepage is increased from
zero, and the solution is compared with one that begins from full sliding.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.creep_force_curve import StepSolver
from traction.contact.friction.friction_solution import REMEMBERED
from traction.contact.friction.given_creep_forces import solve_given_creep_forces
from traction.contact.friction.solved_friction import STEEP, SolvedFriction, find_steepness
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.lagged_friction import SPEEDS
from traction.contact.stick_slip.newton_iteration import Start, iterate_newton
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip

FURTHER = 0.1  #: of the tolerance, to which solutions with errors that add up are solved on
LOADS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  #: shares of a creepage, on its way
APART = 1e-3  #: difference of forces over mu Fn from which solutions are different


class Traced(NamedTuple):
    """A solution, and whether another one exists; None where the comparison did not converge."""

    solved: SolvedFriction
    others: bool | None


def solve_on_branch(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    solver: StepSolver,
    last: SolvedFriction | None = None,
) -> Traced:
    """Solve steady rolling with a law of friction on the branch that continues from small creepage.

    `last` is the solution under a pressure nearby, from which that under given forces continues.
    """
    if whole.rigid.unknown:
        solved = _tighten(solve_given_creep_forces(contact, whole, tol, solver, last), tol)
        return Traced(solved, solved.converged and (_falls_below(solved) or solved.others))
    solved = _tighten(solver.thoroughly(contact, whole, tol), tol)
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


def _falls_below(solved: SolvedFriction) -> bool:
    """Whether sliding fast needs less than the given force: a second solution lies beyond the maximum."""
    interface, given = solved.step.patch.interface, solved.step.rigid.force
    if interface is None or interface.law.largest == 0.0:
        return False
    least = interface.law.kinetic / interface.law.largest * float(solved.step.patch.bound.sum())
    size = float(np.linalg.norm([part for part in given if part is not None]))
    return size > least * solved.step.patch.grid.cell_area
