"""Steady rolling under given forces, where friction falls.

The creep force of a falling law has a maximum. The solution under a given force is the one on the way to that
maximum, where more creepage brings more force; a force above it has no solution. Newton's method finds most
solutions at once; the others are sought along the creep curve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.creep_force_curve import (
    CURVE_TOL,
    CreepCurve,
    StepSolver,
    find_scale,
    give_creepage,
)
from traction.contact.friction.curve_maximum import CurveMaximum, find_maximum, settle_maximum
from traction.contact.friction.curve_search import enclose_force, solve_between
from traction.contact.friction.friction_derivatives import carries_more
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.rigid_slip import RigidSlip, describe_force
from traction.errors import InputError

REASON = (
    "; where friction falls, or a layer softens, more steeply with the slip than elements resist, solutions "
    "are not unique or do not exist: give the creepage, or use a longer memory distance or a lower speed"
)
NEAR_REST = 2.0  #: creepages, over one at which about all slides, before which the curve has one maximum
THOROUGH_PRODUCTS = 40_000  #: of thorough solutions on a curve on which brief ones do not decide


def solve_given_creep_forces(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    solver: StepSolver,
    last: SolvedFriction | None = None,
) -> SolvedFriction:
    """Solve with given forces; refuse those above the maximum of the creep curve.

    `last` is the solution under a pressure nearby, beside which this one is sought.
    """
    far: SolvedFriction | None = None
    for solved in _attempt(contact, whole, tol, solver, last):
        if solved.converged and carries_more(solved):
            if _is_near_rest(solved, whole):
                return solved
            far = solved
    curve = CreepCurve(contact, whole, solver)
    if (found := _decide(curve, tol)) is not None:
        return found
    solved = solver.by_cells(contact, whole, tol)
    if solved.converged and _is_near_rest(solved, whole) and carries_more(solved):
        return solved
    curve.lost.clear()  # ways that thorough solutions may find
    curve.spare = THOROUGH_PRODUCTS
    return _decide(curve, tol) or far or _lose(curve)


def _decide(curve: CreepCurve, tol: float) -> SolvedFriction | None:
    """The solution on the curve; an error for a force above its maximum, None where neither is found."""
    found, peak = _search(curve, tol)
    if found is None and peak is not None and peak.largest < curve.target:
        raise _refuse_force(curve.whole.rigid, peak)
    return found


def _attempt(
    contact: NormalContact, whole: WholeCells, tol: float, solver: StepSolver, last: SolvedFriction | None
) -> Iterator[SolvedFriction]:
    """What Newton's method alone leads to, from the last solution or from afar."""
    if last is not None and last.converged:
        solved = solver.nearby(contact, whole, tol, last)
        if solved is not None:
            yield solved
    yield solver.briefly(contact, whole, tol)
    if len(whole.patch.bound) == 1:  # the force of a line may change by steps
        yield solver.thoroughly(contact, whole, tol)


def _is_near_rest(solved: SolvedFriction, whole: WholeCells) -> bool:
    """Whether creepages are so small that the curve does not fall and rise again before them."""
    size = np.linalg.norm([solved.creepage[k] for k in whole.rigid.unknown])
    return bool(size <= NEAR_REST * find_scale(whole))


def _search(curve: CreepCurve, tol: float) -> tuple[SolvedFriction | None, CurveMaximum | None]:
    """The solution on the way to the maximum; where there is none, the maximum, if it is known."""
    found = _solve_on_curve(curve, tol)
    if found is not None:
        return found, None
    peak = find_maximum(curve)
    if peak is not None and any(point.force >= curve.target for point in curve.points):
        found = _solve_on_curve(curve, tol)  # the way to the maximum has passed the force
    settled = None if peak is None or found is not None else settle_maximum(curve, peak)
    if settled is not None:
        peak, moved = settled
        found = _solve_on_curve(moved, tol) if peak.force >= curve.target else None
    return found, peak


def _solve_on_curve(curve: CreepCurve, tol: float) -> SolvedFriction | None:
    """The solution between the points that enclose the force."""
    ends = enclose_force(curve)
    return None if ends is None else solve_between(curve, ends, tol)


def _refuse_force(rigid: RigidSlip, peak: CurveMaximum) -> InputError:
    """The error of a force above the maximum."""
    beyond = "" if peak.rises else ": the friction law falls beyond it"
    return InputError(
        f"{describe_force(rigid)} is larger in size than the maximum of the creep curve, "
        f"{peak.describe(rigid)}{beyond}; give a smaller force, or the creepage."
    )


def _lose(curve: CreepCurve) -> SolvedFriction:
    """The point of the curve whose force is nearest to the given one, as a failure; else at rest."""
    whole, rigid = curve.whole, curve.whole.rigid
    best, reached = curve.find_best(), "no point of the creep curve was found"
    if best is not None:
        at = ", ".join(f"{best.creepage[k]:.4g}" for k in rigid.unknown)
        reached = f"the creep curve was followed up to {best.force:.5g} N, at the creepage {at}"
    given = describe_force(rigid).rstrip(",")
    failure = f"no creepage was found for {given}, and {reached}{REASON}"
    if best is None:
        solved = curve.solver.briefly(
            curve.contact, give_creepage(whole, rigid.complete((0.0, 0.0))), CURVE_TOL
        )
    else:
        solved = min(curve.points, key=lambda point: abs(point.force - curve.target)).solved
    shifts = np.array([solved.creepage[k] for k in rigid.unknown])
    answer = replace(solved.answer, shifts=shifts, converged=False)
    return replace(solved, step=replace(solved.step, rigid=rigid), answer=answer, failure=failure)
