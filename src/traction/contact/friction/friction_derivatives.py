"""Exact derivatives of tractions by the creepages and the approach, at constant stick and slip areas.

They apply to any `SolvedFriction`, or to a sequence of them. The change of the slip under a small change of
pressure or memory, with sticking tractions constant and slipping ones on their bound, is taken by finite
difference; the tractions that compensate it are solved for. For unlike bodies the rates of pressure and
tractions depend on each other and are solved for together (`pressure_coupling`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from traction.contact.elements.friction_step import FrictionStep
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import LEAST_LEFT, FrictionPatch
from traction.contact.stick_slip.interface import Carried
from traction.contact.stick_slip.sliding_step import SlidingStates
from traction.contact.stick_slip.slip_equation import combine_fields
from traction.contact.stick_slip.traction_rates import RATE_TOLERANCE, solve_traction_rates
from traction.errors import ConvergenceError, UndefinedError

if TYPE_CHECKING:
    from traction.contact.friction.pressure_coupling import PressureRates

NEARBY = 1e-6  #: change of the pressure in finite differences, relative to its peak
SIGNS = (1.0, -1.0)
VARIED = 1e-3  #: change of shares, in which slips are linear but for products of two
MOST_TURNS = 20  #: in which rates and shares follow each other

Memories = tuple[object, object]  # a small change further, and back
Rates = tuple[Memories, np.ndarray, np.ndarray]  # memories after a step; rates of tractions and of forces


def differentiate_by_creepage(steps: Sequence[SolvedFriction]) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) after all steps by each creepage, tangential forces free, (3, 3).

    For bodies of different materials the pressure follows, at the same normal force.
    """
    if not steps[-1].normal.contact.any():
        return np.zeros((3, 3))
    if steps[0].is_coupled:
        return np.array([_couple_rates(steps, k, 0.0)[0] for k in range(3)]).T
    if len(steps) > 1:
        return np.array([_chain_rates(steps, k) for k in range(3)]).T
    return differentiate_step(steps[0], range(3))


def differentiate_step(done: SolvedFriction, creepages: Iterable[int]) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) after one step by some creepages, at the same pressure, (3, K)."""
    causes = done.step.rigid_fields
    found = [_follow_creepage(done, k, causes[k]) for k in creepages]
    forces = np.array([_sum_forces(done, done.step.share_out(rate)) for rate, _ in found])
    forces[:, 2] += np.array([turned for _, turned in found])
    return forces.T


def carries_more(solved: SolvedFriction) -> bool:
    """Whether more creepage in the directions of given forces brings more force; not where it is singular.

    The pressure of unlike bodies is held, as in these forces: to follow it would cost more than the solution.
    """
    along = list(solved.step.rigid.unknown)
    try:
        tangent = differentiate_step(solved, along)[along]
    except ConvergenceError:  # as at a maximum
        return False
    return bool(np.isfinite(tangent).all() and np.linalg.eigvals(tangent).real.max() < 0.0)


def differentiate_by_approach(steps: Sequence[SolvedFriction]) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) by the approach at the end of the steps, N/m and N, creepages constant.

    The pressure grows at the rate of its linear problem, and with it the friction bound and, for covered
    elements, the edges of the contact. Within a step of rolling the force changes evenly.
    """
    contact = steps[-1].normal
    if not contact.contact.any():
        return np.zeros(3)
    if math.isnan(steps[-1].load_share):
        raise UndefinedError(
            "the bodies meet during the step, and how far they roll depends on the approach; take "
            "differences of two solutions instead."
        )
    if steps[0].is_coupled:
        contact._require_reference("approach_tangent")
        forces, approach = _couple_rates(steps, None, 1.0)
        return forces / approach
    memories: Memories = (steps[0].step.memory,) * 2
    size = _choose_size(contact, contact.pressure_rate)
    for done in steps:
        pushed = done.load_share * contact.stiffness / done.normal.stiffness
        rate, force = pushed * done.normal.pressure_rate, pushed * done.normal.stiffness
        memories, _, forces = _follow_rates(done, memories, rate, size, force=force)
    return forces


def differentiate_by_friction(done: SolvedFriction, patch: FrictionPatch) -> np.ndarray:
    """Change of (F_x, F_y, M_z) of a step to the friction of a nearby patch, to first order.

    Creepages are constant. Bounds there are those of the same slips; what they and a layer change is followed
    as a rate.
    """
    nearby = replace(done.step, patch=patch)
    slip, ahead = _carry_over(done, nearby)
    here = done.step.equation.compute_slip(done.answer.traction, done.answer.shifts)
    both = (nearby, done.step), (ahead, done.answer.traction)
    rate, turned = _settle_shares(done, slip - here, *both, 0.5, None)
    forces = _sum_forces(done, done.step.share_out(rate + ahead - done.answer.traction))
    forces[2] += turned
    return forces


def _chain_rates(steps: Sequence[SolvedFriction], creepage: int) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) by one creepage; each step depends on the tractions before it."""
    begin, memories = steps[0], (steps[0].step.memory,) * 2
    causes = begin.step.rigid_fields[creepage][None]
    size = _choose_traction_size(begin, solve_traction_rates(begin.step.equation, begin.answer, causes))
    for done in steps:
        still = np.zeros(done.normal.grid.shape)
        memories, _, forces = _follow_rates(done, memories, still, size, creepage)
    return forces


def _couple_rates(
    steps: Sequence[SolvedFriction], creepage: int | None, force: float
) -> tuple[np.ndarray, float]:
    """Derivatives of (F_x, F_y, M_z) and of the approach by one creepage, or by the normal force."""
    from traction.contact.friction.pressure_coupling import PressureRates

    memories: Memories = (steps[0].step.memory,) * 2
    size = NEARBY * steps[0].normal.force
    for number, done in enumerate(steps):
        pressed, still = PressureRates(done.normal), np.zeros(done.normal.grid.shape)
        if creepage is not None and number == 0:
            causes = done.step.rigid_fields[creepage][None]
            size = _choose_traction_size(done, solve_traction_rates(done.step.equation, done.answer, causes))
        pushed = done.load_share * force
        first = pressed.follow(_follow_rates(done, memories, still, size, creepage, pushed)[1], pushed)[0]
        pressure = pressed.settle(first, partial(_feed_back, done, pressed))
        memories, field, forces = _follow_rates(done, memories, pressure, size, creepage, pushed)
    return forces, pressed.follow(field, force)[1]


def _feed_back(done: SolvedFriction, pressed: PressureRates, pressure: np.ndarray) -> np.ndarray:
    """Rate of the pressure that results from a rate of the pressure through the tractions of a step."""
    if not pressure.any():
        return np.zeros_like(pressure)
    same, size = (done.step.memory,) * 2, _choose_size(done.normal, pressure)
    return pressed.follow(_follow_rates(done, same, pressure, size)[1], 0.0)[0]


def _follow_rates(
    done: SolvedFriction,
    memories: Memories,
    pressure: np.ndarray,
    size: float,
    creepage: int | None = None,
    force: float = 0.0,
) -> Rates:
    """Propagate memories through a step, `size` along a rate of the pressure and of a creepage.

    The normal force grows at the rate `force`, by which a shift with rotation lasts longer.
    Returns the memories after the step, the rate of the tractions over the grid, Pa, and that of
    (F_x, F_y, M_z).
    """
    step, traction, double = done.step, done.answer.traction, 2.0 * size
    n, nearby = done.normal, list[FrictionStep]()
    for sign, memory in zip(
        SIGNS, memories, strict=True
    ):  # the contact along the rate, with the same elements
        moved = np.maximum(n.pressure + sign * size * pressure, LEAST_LEFT * n.pressure)
        there = step.repeat_at(replace(n, pressure=np.where(n.contact, moved, 0.0)), memory)
        nearby.append(there.last_longer(creepage, force, sign * size))
    (slip, ahead), (old_slip, back) = (_carry_over(done, there) for there in nearby)
    cause = (slip - old_slip) / double
    if creepage is not None:
        cause = cause + step.rigid_fields[creepage]
    rate, turned = _settle_shares(done, cause, nearby, (ahead, back), size, creepage)
    rate = rate + (ahead - back) / double
    further, behind = (
        _remember(done, there, traction + sign * size * rate, sign * size, creepage)
        for there, sign in zip(nearby, SIGNS, strict=True)
    )
    field = step.differentiate_share(nearby, traction, rate, size)
    forces = _sum_forces(done, field)
    forces[2] += turned + _turn_by_arms(done, nearby, size)
    return (further, behind), field, forces


def _remember(
    done: SolvedFriction, nearby: FrictionStep, traction: np.ndarray, size: float, creepage: int | None
) -> object:
    """Start of a following step after a nearby one, with the memory that its slip leaves of friction."""
    state = nearby.remember(traction)
    rule = nearby.equation.rule
    if rule is None:
        return state
    slip = nearby.equation.compute_slip(traction, done.answer.shifts)
    if creepage is not None:
        slip = slip + size * done.step.rigid_fields[creepage]
    states = SlidingStates(rule.pressure.shape)
    states.classify(nearby.equation, traction, slip)
    return nearby.keep_memory(state, Carried.left_by(states.sliding, slip, rule.time))


def _follow_creepage(done: SolvedFriction, creepage: int, cause: np.ndarray) -> tuple[np.ndarray, float]:
    """Rate of the tractions of a step, Pa, for a creepage that causes a slip; of M_z by the arms, N m."""
    step, traction = done.step, done.answer.traction
    first = solve_traction_rates(step.equation, done.answer, cause[None])
    size = _choose_traction_size(done, first)
    nearby = [step.last_longer(creepage, 0.0, sign * size) for sign in SIGNS]
    if nearby[0] is step:
        return _settle_shares(done, cause, nearby, (traction, traction), size, creepage, first[0])
    (slip, ahead), (old_slip, back) = (_carry_over(done, there) for there in nearby)
    by_time = (slip - old_slip) / (2.0 * size)
    rate, turned = _settle_shares(done, cause + by_time, nearby, (ahead, back), size, creepage)
    return rate + (ahead - back) / (2.0 * size), turned


def _settle_shares(
    done: SolvedFriction,
    cause: np.ndarray,
    nearby: Sequence[FrictionStep],
    carried: Sequence[np.ndarray],
    size: float,
    creepage: int | None,
    first: np.ndarray | None = None,
) -> tuple[np.ndarray, float]:
    """Rate of the tractions for a rate of the slip, and what shares add to the rate of M_z.

    Shares of elements that stick or glide change with the tractions (see `covered_rolling`), and the slip
    with them: rates follow it, and gain more than a digit each time. `nearby` are the steps `size` away on
    either side with the tractions `carried` there.
    """
    step, answer = done.step, done.answer
    rate = solve_traction_rates(step.equation, answer, cause[None])[0] if first is None else first
    turned, unit = 0.0, np.zeros(3) if creepage is None else np.eye(3)[creepage]
    for _ in range(MOST_TURNS):
        ahead, back = (
            there.find_demand(base + sign * size * rate, tuple(done.creepage + sign * size * unit))
            for there, base, sign in zip(nearby, carried, SIGNS, strict=True)
        )
        if ahead is None or back is None or np.array_equal(ahead, back):
            break
        change = (ahead - back) / (2.0 * size)
        little = VARIED / float(np.abs(change).max())
        further, behind = (step.vary_demand(sign * little * change) for sign in SIGNS)
        if further is None or behind is None:
            break
        slips = [there.equation.compute_slip(answer.traction, answer.shifts) for there in (further, behind)]
        turned = _turn_by_arms(done, (further, behind), little)
        more = (slips[0] - slips[1]) / (2.0 * little)
        last, rate = rate, solve_traction_rates(step.equation, answer, (cause + more)[None])[0]
        if np.abs(rate - last).max() <= RATE_TOLERANCE * np.abs(rate).max():
            break
    return rate, turned


def _turn_by_arms(done: SolvedFriction, nearby: Sequence[FrictionStep], size: float) -> float:
    """Rate of M_z as the arms of the tractions change, N m, from steps `size` away on either side."""
    turned = (nearby[0].arms - nearby[1].arms) / (2.0 * size) * done.share_out()[1]
    return float(turned.sum()) * done.normal.grid.cell_area


def _choose_traction_size(done: SolvedFriction, rate: np.ndarray) -> float:
    """Step along a rate of the tractions."""
    most = float(np.abs(rate).max())
    return NEARBY * (float(done.step.equation.bound.max()) / most if most > 0.0 else 1.0)


def _carry_over(done: SolvedFriction, nearby: FrictionStep) -> tuple[np.ndarray, np.ndarray]:
    """Slip and tractions of a nearby step: sticking tractions constant, slipping ones on their bound."""
    answer, equation, before = done.answer, nearby.equation, done.step.equation.bound
    ratio = np.divide(equation.bound, before, out=np.ones_like(before), where=before > 0.0)
    if done.sliding is not None:  # the bound that the law makes there of the same slip
        states = SlidingStates(before.shape)
        states.classify(equation, answer.traction, done.slip)
        ratio = np.divide(states.bound, done.sliding.bound, out=np.ones_like(ratio), where=before > 0.0)
    traction = np.where(answer.stick, 1.0, ratio) * answer.traction
    slip = equation.known + combine_fields(answer.shifts, equation.rigid)
    return slip + equation.product(traction), traction


def _choose_size(contact: NormalContact, rate: np.ndarray) -> float:
    """Step along a rate of the pressure."""
    return NEARBY * contact.peak_pressure / float(np.abs(rate).max())


def _sum_forces(done: SolvedFriction, field: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of tractions over the grid."""
    (px, py), x, y = field, done.step.arms, done.normal.grid.mesh()[1]
    return np.array([px.sum(), py.sum(), (x * py - y * px).sum()]) * done.normal.grid.cell_area
