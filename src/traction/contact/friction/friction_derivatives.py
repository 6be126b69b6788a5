"""Exact derivatives of tractions by the creepages and the approach, at constant stick and slip areas.

They apply to any `SolvedFriction`, or to a sequence of them. The change of the slip under a small change of
pressure or memory, with sticking tractions constant and slipping ones on their bound, is taken by finite
difference; the tractions that compensate it are solved for. For unlike bodies the rates of pressure and
tractions depend on each other and are solved for together (`pressure_coupling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from traction.contact.elements.friction_step import FrictionStep
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import LEAST_LEFT
from traction.contact.stick_slip.traction_rates import solve_traction_rates

if TYPE_CHECKING:
    from traction.contact.friction.pressure_coupling import PressureRates

NEARBY = 1e-6  #: change of the pressure in finite differences, relative to its peak
SIGNS = (1.0, -1.0)

Memories = tuple[object, object]  # a small change further, and back
Rates = tuple[Memories, np.ndarray, np.ndarray]  # memories after a step; rates of tractions and of forces


def differentiate_by_creepage(steps: Sequence[SolvedFriction]) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) after all steps by each creepage, tangential forces free, (3, 3).

    For bodies of different materials the pressure follows, at the same normal force.
    """
    if steps[0].is_coupled:
        return np.array([_couple_rates(steps, k, 0.0)[0] for k in range(3)]).T
    if len(steps) > 1:
        return np.array([_chain_rates(steps, k) for k in range(3)]).T
    step, answer = steps[0].step, steps[0].answer
    rates = solve_traction_rates(step.equation, answer, step.rigid_fields)
    return np.array([_sum_forces(steps[0], step.share_out(rate)) for rate in rates]).T


def differentiate_by_approach(steps: Sequence[SolvedFriction]) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) by the approach at the end of the steps, N/m and N, creepages constant.

    The pressure grows at the rate of its linear problem, and with it the friction bound and, for covered
    elements, the edges of the contact.
    """
    contact = steps[-1].normal
    if steps[0].is_coupled:
        contact._require_reference("approach_tangent")
        forces, approach = _couple_rates(steps, None, 1.0)
        return forces / approach
    rate, memories = contact.pressure_rate, (steps[0].step.memory,) * 2
    size = _choose_size(contact, rate)
    for done in steps:
        memories, _, forces = _follow_rates(done, memories, rate, size)
    return forces


def _chain_rates(steps: Sequence[SolvedFriction], creepage: int) -> np.ndarray:
    """Derivatives of (F_x, F_y, M_z) by one creepage; each step depends on the tractions before it."""
    memories: Memories = (steps[0].step.memory,) * 2
    size = _choose_size_by_slip(steps[0], steps[0].step.rigid_fields[creepage])
    for done in steps:
        still, cause = np.zeros(done.normal.grid.shape), done.step.rigid_fields[creepage]
        memories, _, forces = _follow_rates(done, memories, still, size, cause)
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
        cause = None if creepage is None else done.step.rigid_fields[creepage]
        if cause is not None and number == 0:
            size = _choose_size_by_slip(done, cause)
        first = pressed.follow(_follow_rates(done, memories, still, size, cause)[1], force)[0]
        pressure = pressed.settle(first, partial(_feed_back, done, pressed))
        memories, field, forces = _follow_rates(done, memories, pressure, size, cause)
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
    cause: np.ndarray | None = None,
) -> Rates:
    """Propagate memories through a step, `size` along a rate of the pressure and of a slip.

    Returns the memories after the step, the rate of the tractions over the grid, Pa, and that of
    (F_x, F_y, M_z).
    """
    step, traction, double = done.step, done.answer.traction, 2.0 * size
    contacts = [_change_pressure(done.normal, pressure, sign * size) for sign in SIGNS]
    nearby = [step.repeat_at(*there) for there in zip(contacts, memories, strict=True)]
    (slip, ahead), (old_slip, back) = (_carry_over(done, there) for there in nearby)
    total = (slip - old_slip) / double
    causes = (total if cause is None else total + cause)[None]
    rate = solve_traction_rates(step.equation, done.answer, causes)[0] + (ahead - back) / double
    further, behind = (
        there.remember(traction + sign * size * rate) for there, sign in zip(nearby, SIGNS, strict=True)
    )
    field = step.differentiate_share(nearby, traction, rate, size)
    forces = _sum_forces(done, field)
    turned = (nearby[0].arms - nearby[1].arms) / double * done.share_out()[1]
    forces[2] += float(turned.sum()) * done.normal.grid.cell_area
    return (further, behind), field, forces


def _carry_over(done: SolvedFriction, nearby: FrictionStep) -> tuple[np.ndarray, np.ndarray]:
    """Slip and tractions of a nearby step: sticking tractions constant, slipping ones on their bound."""
    answer, equation, before = done.answer, nearby.equation, done.step.equation.bound
    ratio = np.divide(equation.bound, before, out=np.ones_like(before), where=before > 0.0)
    traction = np.where(answer.stick, 1.0, ratio) * answer.traction
    slip = equation.known + np.tensordot(answer.shifts, equation.rigid, axes=1)
    return slip + equation.product(traction), traction


def _choose_size(contact: NormalContact, rate: np.ndarray) -> float:
    """Step along a rate of the pressure."""
    return NEARBY * contact.peak_pressure / float(np.abs(rate).max())


def _choose_size_by_slip(done: SolvedFriction, cause: np.ndarray) -> float:
    """Step along a slip."""
    equation = done.step.equation
    rate = float(np.abs(solve_traction_rates(equation, done.answer, cause[None])).max())
    return NEARBY * (float(equation.bound.max()) / rate if rate > 0.0 else 1.0)


def _change_pressure(contact: NormalContact, rate: np.ndarray, way: float) -> NormalContact:
    """The contact moved along a rate of its pressure, with the same elements."""
    pressure = np.maximum(contact.pressure + way * rate, LEAST_LEFT * contact.pressure)
    return replace(contact, pressure=np.where(contact.contact, pressure, 0.0))


def _sum_forces(done: SolvedFriction, field: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of tractions over the grid."""
    (px, py), x, y = field, done.step.arms, done.normal.grid.mesh()[1]
    return np.array([px.sum(), py.sum(), (x * py - y * px).sum()]) * done.normal.grid.cell_area
