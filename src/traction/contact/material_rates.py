"""Exact derivatives of a step of rolling on the material: by the creepages and by the approach."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from traction.contact.friction_patch import FrictionPatch
from traction.contact.friction_solution import RATE_TOLERANCE, nearby_pressure
from traction.contact.material import RowLoads
from traction.contact.normal import NormalContact
from traction.contact.stick_slip import rates
from traction.contact.transient import MaterialState, MaterialStep, advanced
from traction.errors import UndefinedError

if TYPE_CHECKING:
    from traction.contact.material_march import DoneStep


def creepage_rates(steps: list[DoneStep]) -> np.ndarray:
    """Change of the tractions after all parts of a step with each creepage, forces free; (3, 2, ny, nx)."""
    found = None
    for done in steps:
        causes = done.step.rigid_fields()
        if found is not None:
            causes = causes - np.array([done.step.displaced(rate) for rate in found])
        found = _undone(done, causes)
    bound = done.state.elements.bound
    return np.array([done.step.over_contact(rate / bound) for rate in found])  # type: ignore[union-attr]


def approach_rates(steps: list[DoneStep], contact: NormalContact, friction: float) -> np.ndarray:
    """Change of (F_x, F_y, M_z) with the approach at the end of the step, N/m and N, creepages held.

    As in `friction_solution.Solved.approach_rates`; the parts of a step follow one another.
    """
    nearby = [nearby_pressure(contact, sign) for sign in (1.0, -1.0)]
    size = nearby[0][0]
    fineness = steps[0].step.before.fineness
    loads = [
        RowLoads.of(FrictionPatch(contact.grid, contact.pair, friction * pressure)).finer(fineness)
        for _, pressure in nearby
    ]
    before = [steps[0].step.before, steps[0].step.before]
    for done in steps:
        moved = [_moved(done, old, load) for old, load in zip(before, loads, strict=True)]
        (ahead, slip, traction), (back, old_slip, old_traction) = moved
        rate = _undone(done, (slip - old_slip)[None] / (2.0 * size))[0]
        rate += (traction - old_traction) / (2.0 * size)
        tractions = [done.state.traction + sign * size * rate for sign in (1.0, -1.0)]
        before = [
            MaterialState(step.elements, p, step.travelled, step.patch, fineness, step.loads)
            for step, p in zip((ahead, back), tractions, strict=True)
        ]
    fields = [
        step.over_contact(p / step.elements.bound) for step, p in zip((ahead, back), tractions, strict=True)
    ]
    (px, py), (x, y) = (fields[0] - fields[1]) / (2.0 * size), contact.grid.mesh()
    return np.array([px.sum(), py.sum(), (x * py - y * px).sum()]) * contact.grid.cell_area


def _undone(done: DoneStep, causes: np.ndarray) -> np.ndarray:
    """Tractions that undo slips, states held; (k, 2, n)."""
    nothing = done.equation.rigid[:0]
    free = replace(done.equation, rigid=nothing, resultants=nothing, given=np.zeros(0))
    found = rates(free, done.answer, causes, tol=RATE_TOLERANCE)
    row, column = done.step.elements.place
    return found[:, :, row, column]


def _moved(
    done: DoneStep, before: MaterialState, loads: RowLoads
) -> tuple[MaterialStep, np.ndarray, np.ndarray]:
    """The same step to a contact with other loads; the slip (over the window) and tractions (2, n) there."""
    step, elements = done.step, done.step.elements
    moved = advanced(before, loads, step.distance, step.direction, whole=step.whole)
    if not np.array_equal(moved.elements.cell, elements.cell):
        raise UndefinedError(
            "approach_tangent jumps here: an element is about to enter or leave the contact; take "
            "differences of two solutions instead."
        )
    ratio = np.where(done.stick, 1.0, moved.elements.bound / elements.bound)
    traction = ratio * done.state.traction
    equation = moved.equation(done.rigid)
    slip = equation.known + np.tensordot(done.answer.shifts, equation.rigid, axes=1)
    return moved, slip + equation.product(moved.field(traction)), traction
