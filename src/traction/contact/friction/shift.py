"""`shift`: tangential loading without rolling (Cattaneo), alone or as a step of a history of loads."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.elements.whole_cells import Step, solve_nested
from traction.contact.friction.friction_solution import (
    SAFETY,
    checked_normal,
    coupled,
    finished,
    frictionless,
    work_against,
)
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip, checked_rigid_slip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import InputError
from traction.halfspace.half_space import HalfSpace


def shift(
    n: NormalContact,
    friction: float,
    *,
    displacement: Any = None,
    force: Any = (None, None),
    previous: TangentialContact | None = None,
    discretisation: str = "classical",
    tol: float = 1e-6,
    on_failure: str = "raise",
) -> TangentialContact:
    """Shift body 1 over body 2 with the coefficient of friction `friction`.

    `displacement` is (dx, dy, rotation) in m and rad, of this step; per direction x and y either that or the
    force (N, on body 1) is given and the other is None. `previous` is the shift before: tractions then depend
    on the whole history, since what sticks keeps its place and what slips loses energy. Its contact may have
    been another one, on the same grid.
    With different materials the normal problem is solved again at the same force: `result.normal`.
    `discretisation` is "classical": whole cells, as in the reference program. Nothing enters a contact that
    does not roll, so that its edge matters little.
    The result's `slip` is in m, its `creepage` the displacement of the step, its `dissipation` in J per step.
    """
    began = perf_counter()
    contact, mu = checked_normal(n, friction)
    checks.choice("discretisation", discretisation, ("classical",))
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    rigid = checked_rigid_slip("displacement", displacement, force, mu * contact.force)
    _require_length(contact)
    if previous is not None:
        _check_previous(previous, contact)
    solved, unsettled = coupled(contact, mu, tol, lambda n: _solved(n, mu, rigid, previous, tol))
    dissipation = work_against(solved.answer.traction, solved.slip, contact.grid.cell_area)
    return finished(solved, dissipation, perf_counter() - began, on_failure, unsettled)


def _solved(
    contact: NormalContact, mu: float, rigid: RigidSlip, previous: TangentialContact | None, tol: float
) -> SolvedFriction:
    """Tractions and slips of the step, for a contact that is known."""
    patch = FrictionPatch.of(contact, mu)
    before = None if previous is None else previous.displacement()[(slice(None), *patch.window)]
    step = Step(rigid, before)
    equation = step.equation(patch)
    if not patch.bound.any():
        answer = frictionless(equation)
    elif previous is None:
        answer = solve_nested(step, patch, tol=SAFETY * tol)
    else:
        start = previous.traction[(slice(None), *patch.window)], np.zeros(len(rigid.unknown))
        answer = solve_stick_slip(equation, tol=SAFETY * tol, start=start)
    return SolvedFriction(contact, mu, patch, rigid, step, equation, answer, 1.0, False, tol)


def _check_previous(previous: Any, contact: NormalContact) -> None:
    """The step before must be of the same bodies on the same grid."""
    checks.instance("previous", previous, TangentialContact, "give an earlier result of tr.shift.")
    if previous.normal.grid != contact.grid or previous.normal.pair != contact.pair:
        raise InputError(
            "previous lies on another grid, or is of other materials; use the same for all steps."
        )


def _require_length(contact: NormalContact) -> None:
    """The shift of a line contact is that of a strip of some length."""
    if HalfSpace(contact.grid, contact.pair).needs_length:
        contact.grid.reference_length("shift")
