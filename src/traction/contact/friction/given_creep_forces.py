"""Steady rolling under given forces, where friction falls.

The creep force of a falling law has a maximum. The solution under a given force is the one on the way to that
maximum, where more creepage brings more force; a force above it has no solution. Newton's method finds most
solutions at once; the others are sought along the creep curve.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.creep_force_curve import (
    CURVE_TOL,
    CreepCurve,
    StepSolver,
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
#: part of the fall of a law, at the largest slip speed, from which that maximum may be before a solution
FALLEN_PART = 0.3
PARTS_OF_WAY = (0.25, 0.5, 0.75)  #: of a creepage, at which the force is less on the way to the maximum
BESIDE = 0.1  #: change of the creepage, over it, by which solutions of pressures nearby differ
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
    curve = CreepCurve(contact, whole, solver)
    far: SolvedFriction | None = None
    for solved in _attempt(contact, whole, tol, solver, last):
        if solved.converged and carries_more(solved):
            if last is not None and _continues(solved, last):
                return replace(solved, others=last.others)
            if _is_first(curve, solved):
                return solved
            far = replace(solved, others=None)  # others may lie before it
    return _follow(curve, tol, far) or _lose(curve)


def _follow(curve: CreepCurve, tol: float, far: SolvedFriction | None) -> SolvedFriction | None:
    """The solution on the curve, of brief solutions or, where these do not decide, of thorough ones.

    Where there is none on the curve, any other one that was found.
    """
    if (found := _decide(curve, tol, far)) is not None:
        return found
    curve.spare = THOROUGH_PRODUCTS
    solved = curve.solver.by_cells(curve.contact, curve.whole, tol)
    if solved.converged and carries_more(solved):
        if _is_first(curve, solved):
            return solved
        far = far or replace(solved, others=None)
    curve.revisit_gaps()
    return _decide(curve, tol, far) or far


def _decide(curve: CreepCurve, tol: float, far: SolvedFriction | None) -> SolvedFriction | None:
    """The solution on the curve; an error for a force above its maximum, None where neither is found.

    A solution `far` from rest shows that the curve rises again: it is taken instead of the error.
    """
    found, peak = _search(curve, tol)
    if found is None and peak is not None and peak.largest < curve.target:
        if far is None:
            raise _refuse_force(curve.whole, peak)
        return far
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


def _continues(solved: SolvedFriction, last: SolvedFriction) -> bool:
    """Whether a solution is beside the last one, under a pressure nearby."""
    if not last.converged:
        return False
    now, before = np.array(solved.creepage), np.array(last.creepage)
    return bool(np.linalg.norm((now - before)[:2]) <= BESIDE * np.linalg.norm(before[:2]))


def _is_first(curve: CreepCurve, solved: SolvedFriction) -> bool:
    """Whether creepages are so small that the curve does not fall and rise again before them.

    Where the law has fallen, or a layer may have softened, points of the curve before them decide.
    """
    size = np.linalg.norm([solved.creepage[k] for k in curve.whole.rigid.unknown])
    if not _may_have_fallen(curve.whole, solved):
        return bool(size <= NEAR_REST * curve.scale)
    curve.begin = curve.begin or solved
    way = curve.find_way(solved)
    if not 0.0 < way <= NEAR_REST * curve.scale:
        return False
    before = [curve.measure(part * way) for part in PARTS_OF_WAY]
    return all(point is not None and point.force < curve.target for point in before)


def _may_have_fallen(whole: WholeCells, solved: SolvedFriction) -> bool:
    """Whether friction or a layer may have fallen from its maximum in much of the contact."""
    interface, grid = whole.patch.interface, whole.patch.grid
    if interface is None or interface.hardening < 0.0:
        return interface is not None
    xi, eta, spin = solved.creepage
    slip = math.hypot(xi, eta) + 0.5 * abs(spin) * math.hypot(grid.nx * grid.dx, grid.ny * grid.dy)
    law = interface.law
    fallen = law.largest - float(law.evaluate(np.array([interface.speed * slip]))[0][0])
    return fallen > FALLEN_PART * (law.largest - law.kinetic)


def _search(curve: CreepCurve, tol: float) -> tuple[SolvedFriction | None, CurveMaximum | None]:
    """The solution on the way to the maximum; where there is none, the maximum, if it is known."""
    found = _solve_on_curve(curve, tol)
    if found is not None:
        return found, None
    peak = find_maximum(curve)
    if any(point.force >= curve.target for point in curve.points):
        found = _solve_on_curve(curve, tol)  # the way to the maximum has passed the force
    settled = None if peak is None or found is not None else settle_maximum(curve, peak)
    if settled is not None:
        peak, moved = settled
        found = _solve_on_curve(moved, tol) if peak.force >= curve.target else None
    return found, peak


def _solve_on_curve(curve: CreepCurve, tol: float) -> SolvedFriction | None:
    """The solution between the points that enclose the force.

    Not yet where ways before them are lost that thorough solutions may find: a maximum may be there.
    """
    ends = enclose_force(curve)
    if ends is None or (curve.spare == 0 and any(way < ends[1].way for way in curve.find_gaps())):
        return None
    return solve_between(curve, ends, tol)


def _refuse_force(whole: WholeCells, peak: CurveMaximum) -> InputError:
    """The error of a force above the maximum."""
    rigid: RigidSlip = whole.rigid
    beyond = "" if peak.rises else f": {_find_cause(whole)} beyond it"
    return InputError(
        f"{describe_force(rigid)} is larger in size than the maximum of the creep curve, "
        f"{peak.describe(rigid)}{beyond}; give a smaller force, or the creepage."
    )


def _find_cause(whole: WholeCells) -> str:
    """What falls beyond the maximum."""
    interface = whole.patch.interface
    if interface is None or interface.hardening >= 0.0:
        return "the friction law falls"
    if interface.law.is_constant:
        return "the layer softens"
    return "friction or the yield stress of the layer falls"


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
