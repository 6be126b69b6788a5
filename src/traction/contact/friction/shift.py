"""`shift`: tangential loading without rolling (Cattaneo), alone or as a step of a history of loads."""

from __future__ import annotations

import numpy as np

from traction import checks
from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.friction_solution import check_demand, finish_steps, solve_step
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import Parts
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import InputError
from traction.halfspace.half_space import HalfSpace


def shift(
    n: NormalContact,
    friction: float,
    *,
    displacement: Parts | None = None,
    force: Parts | None = (None, None),
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
    `discretisation` is "classical": whole cells, as in the program CONTACT. Nothing enters a contact that
    does not roll, so that its edge matters little.
    The result's `slip` is in m, its `creepage` the displacement of the step, its `dissipation` in J per step.
    """
    checks.choice("discretisation", discretisation, ("classical",))
    demand = check_demand(n, friction, "displacement", displacement, force, tol=tol, on_failure=on_failure)
    _require_length(demand.contact)
    if previous is not None:
        _check_previous(previous, demand.contact)
    earlier = None if previous is None else previous.displacement()

    def solve(n: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
        patch, rigid = FrictionPatch.around(n, demand.friction), demand.rigid
        if previous is None or earlier is None:
            step = WholeCells(patch, rigid, 0, 1.0)
            return SolvedFriction(n, step, solve_nested(step, tol=demand.inner_tol))
        window = (slice(None), *patch.window)
        step, start = WholeCells(patch, rigid, 0, 1.0, earlier[window]), previous.traction[window]
        shifts = np.zeros(len(rigid.unknown))
        answer = solve_stick_slip(step.equation, tol=demand.inner_tol, start=(start, shifts))
        return SolvedFriction(n, step, answer)

    solved = solve_step(demand.contact, demand, solve)
    return finish_steps([solved], demand, distance=1.0, dissipation=solved.work_on_slip(), motion="shift")


def _check_previous(previous: object, contact: NormalContact) -> None:
    """The step before must be of the same bodies on the same grid."""
    before = checks.instance(
        "previous", previous, TangentialContact, "give an earlier result of tr.shift."
    ).normal
    if before.grid != contact.grid or before.pair != contact.pair:
        raise InputError(
            "previous lies on another grid, or is of other materials; use the same for all steps."
        )


def _require_length(contact: NormalContact) -> None:
    """The shift of a line contact is that of a strip of some length."""
    if HalfSpace(contact.grid, contact.pair).needs_length:
        contact.grid.reference_length("shift")
