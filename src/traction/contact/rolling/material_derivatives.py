"""Exact derivatives of a step of rolling on the material: by the creepages and by the approach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.friction.friction_derivatives import (
    LEAST_LEFT,
    NEARBY,
    RATE_TOLERANCE,
    PressureRates,
    nearby_pressure,
)
from traction.contact.friction.pressure_coupling import Sideways
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import RowLoads
from traction.contact.rolling.material_solution import MaterialSolution
from traction.contact.rolling.material_step import MaterialState, MaterialStep, advanced
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.traction_rates import solve_traction_rates
from traction.errors import UndefinedError

States = tuple[MaterialState, MaterialState]  # a small change further, and back
SIGNS = (1.0, -1.0)


def creepage_tangent(steps: list[MaterialSolution]) -> np.ndarray:
    """Change of (F_x, F_y, M_z) after all parts of a step with each creepage, forces free; (3, 3)."""
    if steps[0].contact.pair.mismatch != 0.0:
        return np.array([_coupled_rates(steps, k, 0.0)[0] for k in range(3)]).T
    found = None
    for done in steps:
        causes = done.step.rigid_fields()
        if found is not None:
            causes = causes - np.array([done.step.displaced(rate) for rate in found])
        found = _undone(done, causes)
    bound = done.state.elements.bound
    fields = [done.step.over_contact(rate / bound) for rate in found]  # type: ignore[union-attr]
    return np.array([_resultants(done.contact, field) for field in fields]).T


def approach_tangent(steps: list[MaterialSolution]) -> np.ndarray:
    """Change of (F_x, F_y, M_z) with the approach at the end of the step, N/m and N, creepages held.

    As in `friction_rates`; the parts of a step follow one another.
    """
    contact = steps[-1].contact
    if contact.pair.mismatch != 0.0:
        contact._require_reference("approach_tangent")
        forces, approach = _coupled_rates(steps, None, 1.0)
        return forces / approach
    rate = contact.pressure_rate
    size, before = nearby_pressure(contact, rate, 1.0)[0], (steps[0].step.before,) * 2
    for done in steps:
        before, field = _followed(done, before, rate, size)
    return _resultants(contact, field)


def _coupled_rates(
    steps: list[MaterialSolution], creepage: int | None, force: float
) -> tuple[np.ndarray, float]:
    """Change of (F_x, F_y, M_z) and of the approach with one creepage, or with the normal force.

    In every part of a step of unlike bodies the pressure follows the tractions, and these follow it.
    """
    before: States = (steps[0].step.before,) * 2
    size = NEARBY * steps[0].contact.force
    for number, done in enumerate(steps):
        pressed, still = PressureRates(done.contact), np.zeros(done.contact.grid.shape)
        cause = None if creepage is None else done.step.rigid_fields()[creepage]
        if cause is not None and number == 0:
            rate = float(np.abs(_undone(done, cause[None])).max())
            size = NEARBY * (float(done.equation.bound.max()) / rate if rate > 0.0 else 1.0)
        first = pressed.of(_followed(done, before, still, size, cause)[1], force)[0]
        pressure = pressed.settled(first, _Follower(done, pressed))
        before, field = _followed(done, before, pressure, size, cause)
    return _resultants(done.contact, field), pressed.of(field, force)[1]


class _Follower:
    """Rates of the pressure to those that its own rates bring about by the tractions of a step."""

    def __init__(self, done: MaterialSolution, pressed: PressureRates) -> None:
        self.done, self.pressed = done, pressed

    def __call__(self, pressure: np.ndarray) -> np.ndarray:
        if not pressure.any():
            return np.zeros_like(pressure)
        size = nearby_pressure(self.done.contact, pressure, 1.0)[0]
        same = (self.done.step.before,) * 2
        return self.pressed.of(_followed(self.done, same, pressure, size)[1], 0.0)[0]


def _followed(
    done: MaterialSolution, before: States, pressure: np.ndarray, size: float, cause: np.ndarray | None = None
) -> tuple[States, np.ndarray]:
    """States after the step from those before it, `size` along a rate of the pressure and of a slip.

    And the rate of the tractions over the contact's grid, Pa, (2, ny, nx).
    """
    contacts = [_pressed(done.contact, pressure, sign * size) for sign in SIGNS]
    moved = [_moved(done, old, contact) for old, contact in zip(before, contacts, strict=True)]
    (ahead, slip, traction), (back, old_slip, old_traction) = moved
    total = (slip - old_slip) / (2.0 * size)
    rate = _undone(done, (total if cause is None else total + cause)[None])[0]
    rate += (traction - old_traction) / (2.0 * size)
    tractions = [done.state.traction + sign * size * rate for sign in SIGNS]
    after, fields = [], []
    for step, p in zip((ahead, back), tractions, strict=True):
        known = done.step.before.fineness, step.loads, None, step.sideways
        after.append(MaterialState(step.elements, p, step.travelled, step.patch, *known))
        fields.append(step.over_contact(p / step.elements.bound))
    return (after[0], after[1]), (fields[0] - fields[1]) / (2.0 * size)


def _pressed(contact: NormalContact, rate: np.ndarray, way: float) -> NormalContact:
    """The contact some way along a rate of its pressure, of the same elements."""
    pressure = contact.pressure + way * rate
    return replace(
        contact, pressure=np.where(contact.contact, np.maximum(pressure, LEAST_LEFT * contact.pressure), 0.0)
    )


def _resultants(contact: NormalContact, field: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of tractions over the contact's grid."""
    (px, py), (x, y) = field, contact.grid.mesh()
    return np.array([px.sum(), py.sum(), (x * py - y * px).sum()]) * contact.grid.cell_area


def _undone(done: MaterialSolution, causes: np.ndarray) -> np.ndarray:
    """Tractions that undo slips, states held; (k, 2, n)."""
    nothing = done.equation.rigid[:0]
    free = replace(done.equation, rigid=nothing, resultants=nothing, given=np.zeros(0))
    found = solve_traction_rates(free, done.answer, causes, tol=RATE_TOLERANCE)
    row, column = done.step.elements.place
    return found[:, :, row, column]


def _moved(
    done: MaterialSolution, before: MaterialState, contact: NormalContact
) -> tuple[MaterialStep, np.ndarray, np.ndarray]:
    """The same step to another pressure; the slip (over the window) and tractions (2, n) there."""
    step, elements, fineness = done.step, done.step.elements, done.step.before.fineness
    patch, sideways = FrictionPatch.whole(contact, done.friction), Sideways.of(contact, fineness)
    loads = RowLoads.of(patch) if done.held is None else done.held.with_bound(patch.bound)
    cells = loads.finer(fineness)
    moved = advanced(before, cells, step.distance, step.direction, whole=step.whole, sideways=sideways)
    if not np.array_equal(moved.elements.cell, elements.cell):
        raise UndefinedError(
            "the tangent jumps here: an element is about to enter or leave the contact; take "
            "differences of two solutions instead."
        )
    ratio = np.where(done.stick, 1.0, moved.elements.bound / elements.bound)
    traction = ratio * done.state.traction
    equation = moved.equation(done.rigid)
    slip = equation.known + np.tensordot(done.answer.shifts, equation.rigid, axes=1)
    return moved, slip + equation.product(moved.field(traction)), traction
