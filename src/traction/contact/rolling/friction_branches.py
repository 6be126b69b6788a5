"""Falling friction may have several solutions: that which continues from small creepage, and others.

The creep force of a falling law has a maximum. Under a given force the solution is the one on the way to that
maximum, where more creepage brings more force; a force above it has no solution. At a given creepage the
solution is unique unless friction falls more steeply than an element resists at some slip speed; then the
creepage is increased from zero, and the solution is compared with one that begins from full sliding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.friction_derivatives import differentiate_by_creepage, differentiate_step
from traction.contact.friction.friction_solution import REMEMBERED
from traction.contact.friction.solved_friction import SolvedFriction, find_steepness
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.lagged_friction import SPEEDS
from traction.contact.stick_slip.newton_iteration import Start, iterate_newton
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import ConvergenceError, InputError

FURTHER = 0.1  #: of the tolerance, to which solutions with errors that add up are solved on
STEEP = 0.8  #: fall of friction over the resistance of an element from which solutions may not be unique
LOADS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  #: shares of a creepage, on its way
APART = 1e-3  #: difference of forces over mu Fn from which solutions are different
FORCE_TURNS = 6  #: of Newton's method for the creepages of given forces
FIRST_LOAD, LEAST_LOAD = 0.5, 5e-4  #: steps of a given force on its way from zero, of itself
ROUGH = 1e-5  #: tolerance of whole cells, which show about where the maximum is
#: share of a given force that whole cells carry, below which it is refused by them: other elements differ by
#: less, and near the maximum each of their solutions costs much
REFUSED = 0.95
BEYOND, MORE = (1.1, 1.25, 1.5), 0.01  #: times a creepage at most force, and more force that denies it
AROUND, APART_AT_MOST = (0.6, 1.6), 2e-3  #: times a creepage near most force, where it is, and how closely
REACHED = 1e-4  #: error of a force over mu Fn, near which the equation with the force given converges

Solve = Callable[[NormalContact, WholeCells, float], SolvedFriction]


class Loaded(NamedTuple):
    """Creepages at a share of given forces."""

    creepage: np.ndarray
    load: float
    lost: bool = False  #: whether more was not found for lack of convergence, not of force
    exact: bool = False  #: whether it is the most that forces can be, not near it


class Traced(NamedTuple):
    """A solution, and whether another one exists; None where the comparison did not converge."""

    solved: SolvedFriction
    others: bool | None


def solve_on_branch(contact: NormalContact, whole: WholeCells, tol: float, solve: Solve) -> Traced:
    """Solve steady rolling with a law of friction on the branch that continues from small creepage."""
    if whole.rigid.unknown:
        return _solve_forces(contact, whole, tol, solve)
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


def _solve_forces(contact: NormalContact, whole: WholeCells, tol: float, solve: Solve) -> Traced:
    """Solve with given forces; refuse those above the maximum of the creep curve."""
    solved = solve(contact, whole, tol)
    try:
        if solved.converged and _carries_more(solved):
            return Traced(solved, _falls_below(solved))
    except ConvergenceError:  # its tangent is singular, as at a maximum
        pass
    rough = _follow_force(contact, whole, ROUGH, _solve_whole, (_find_rest(whole), 0.0, FIRST_LOAD))
    if rough.load < REFUSED and not rough.lost:
        if _rises_beyond(contact, whole, rough):  # elements jump, but it is no maximum
            return Traced(replace(solved, answer=replace(solved.answer, converged=False)), False)
        most = _find_maximum(contact, whole, solve, rough)
        if most.load < 1.0:
            raise _refuse_force(whole, most)
    # at half the creepage a curve that bends down has more than half the force, and Newton's method comes to
    # more from below; near the maximum it would go astray
    begin = (0.5 * rough.creepage + 0.5 * _find_rest(whole), 0.5 * rough.load, 0.4 * rough.load)
    loaded = _follow_force(contact, whole, tol, solve, begin)
    if loaded.lost and not solved.converged:
        return Traced(solved, False)
    if loaded.load < 1.0:
        most = _find_maximum(contact, whole, solve, loaded)
        if most.load < 1.0:
            raise _refuse_force(whole, most)
        return Traced(replace(solved, answer=replace(solved.answer, converged=False)), False)
    creepage = loaded.creepage
    fixed = solve(contact, _give_creepage(whole, creepage), tol)
    shifts = np.array([creepage[k] for k in whole.rigid.unknown])
    step = replace(fixed.step, rigid=whole.rigid)
    answer = solve_stick_slip(step.equation, tol=tol, start=(fixed.answer.traction, shifts))
    found = replace(fixed, step=step, answer=answer)
    return Traced(found, _falls_below(found))


def _give_creepage(whole: WholeCells, creepage: np.ndarray) -> WholeCells:
    """The step with all creepages given."""
    xi, eta, phi = (float(part) for part in creepage)
    return replace(whole, rigid=replace(whole.rigid, shift=(xi, eta, phi), force=(None, None)))


def _find_rest(whole: WholeCells) -> np.ndarray:
    """Creepages of no force."""
    return np.array(whole.rigid.complete((0.0, 0.0)))


def _solve_whole(contact: NormalContact, whole: WholeCells, tol: float) -> SolvedFriction:
    """By whole cells, which show about where the maximum is."""
    return SolvedFriction(contact, whole, solve_nested(whole, tol=tol))


def _rises_beyond(contact: NormalContact, whole: WholeCells, found: Loaded) -> bool:
    """Whether whole cells carry more than was found at more creepage, where one force is given."""
    if len(whole.rigid.unknown) > 1:
        return False
    (along,) = whole.rigid.unknown
    target = whole.rigid.force[along] or 0.0
    for factor in BEYOND:
        creepage = found.creepage.copy()
        creepage[along] *= factor
        solved = _solve_whole(contact, _give_creepage(whole, creepage), ROUGH)
        force = float(solved.answer.traction[along].sum()) * whole.patch.grid.cell_area
        if solved.converged and target != 0.0 and force / target > found.load + MORE:
            return True
    return False


def _find_maximum(contact: NormalContact, whole: WholeCells, solve: Solve, near: Loaded) -> Loaded:
    """The maximum of a creep curve from a place near it; that place where forces are two, or it is lost.

    The pressure of unlike bodies is held.
    """
    if len(whole.rigid.unknown) > 1:
        return near
    (along,) = whole.rigid.unknown
    target, middle = whole.rigid.force[along], float(near.creepage[along])
    lost = False

    def carry(share: float) -> float:
        """The share of the given force at so many times the creepage near the maximum."""
        nonlocal lost
        creepage = near.creepage.copy()
        creepage[along] = share * middle
        solved = solve(contact, _give_creepage(whole, creepage), ROUGH)
        lost = lost or not solved.converged
        return float(solved.answer.traction[along].sum()) * whole.patch.grid.cell_area / (target or math.inf)

    found = minimize_scalar(
        lambda share: -carry(share), bounds=AROUND, method="bounded", options={"xatol": APART_AT_MOST}
    )
    inside = AROUND[0] + 0.01 < found.x < AROUND[1] - 0.01
    if lost or not inside or -found.fun < REFUSED * near.load:
        return near
    creepage = near.creepage.copy()
    creepage[along] = found.x * middle
    return Loaded(creepage, -float(found.fun), exact=contact.pair.mismatch == 0.0)


def _refuse_force(whole: WholeCells, found: Loaded) -> InputError:
    """The error of a force above the maximum."""
    about = "" if found.exact else "about "
    forces = [part for part in whole.rigid.force if part is not None]
    given = forces[0] if len(forces) == 1 else float(np.linalg.norm(forces))
    most = abs(found.load * given)
    at = ", ".join(f"{found.creepage[k]:.4g}" for k in whole.rigid.unknown)
    return InputError(
        f"force = {given:.6g} N is above the maximum of the creep curve, {about}{most:.5g} N "
        f"at the creepage {at}: the friction law falls beyond it; give a smaller force, or the creepage."
    )


def _follow_force(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    solve: Solve,
    begin: tuple[np.ndarray, float, float],
) -> Loaded:
    """Creepages at given forces, by Newton's method along forces that grow, from `begin` and its step."""
    unknown = list(whole.rigid.unknown)
    target = np.array([whole.rigid.force[k] for k in unknown], dtype=float)
    creepage, load, step = begin
    lost = False
    scale = float(whole.patch.bound.sum()) * whole.patch.grid.cell_area
    while load < 1.0 and step >= LEAST_LOAD:
        goal = min(1.0, load + step)
        found, lost = _find_creepage(contact, whole, tol, solve, (goal * target, creepage, scale))
        if found is not None:
            creepage, load = found, goal
        else:
            step *= 0.5
    return Loaded(creepage, load, lost and load < 1.0)


def _find_creepage(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    solve: Solve,
    given: tuple[np.ndarray, np.ndarray, float],
) -> tuple[np.ndarray | None, bool]:
    """Creepages of the forces `given`, from those nearby; None beyond the maximum of the creep curve.

    Also None where a solution does not converge, which is the second value.
    """
    (target, creepage, scale), unknown = given, list(whole.rigid.unknown)
    creepage, last = creepage.copy(), np.inf
    for _ in range(FORCE_TURNS):
        solved = solve(contact, _give_creepage(whole, creepage), tol)
        if not solved.converged:
            return None, True
        force = solved.answer.traction.sum(axis=(1, 2)) * whole.patch.grid.cell_area
        missing = target - force[unknown]
        error = float(np.abs(missing).max()) / scale
        # the pressure of unlike bodies is held here; to follow it would cost more than the solution
        tangent = differentiate_step(solved, unknown)[unknown]
        if not _is_stable(tangent) or error > 2.0 * last:
            return None, False
        if error <= REACHED:
            return creepage, False
        last = error
        creepage[unknown] += np.linalg.solve(tangent, missing)
    return None, False


def _carries_more(solved: SolvedFriction) -> bool:
    """Whether more creepage in the directions of given forces brings more force."""
    return _is_stable(_differentiate(solved, list(solved.step.rigid.unknown)))


def _differentiate(solved: SolvedFriction, along: list[int]) -> np.ndarray:
    """Derivatives of forces by creepages along some directions."""
    if solved.is_coupled:
        return differentiate_by_creepage([solved])[np.ix_(along, along)]
    return differentiate_step(solved, along)[along]


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
