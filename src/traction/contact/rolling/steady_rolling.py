"""`roll_steady`: tractions and slips of a body that rolls on, at creepages or forces that do not change."""

from __future__ import annotations

from dataclasses import replace

from traction import checks
from traction.contact.elements.covered_cells import CoveredElements, CoveredRolling, find_gliding
from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.friction_solution import check_demand, finish_steps, solve_step
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import MaterialElements
from traction.contact.rolling.material_state import MaterialState
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import Parts
from traction.contact.stick_slip.slip_equation import StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import InputError

DISCRETISATIONS = ("covered", "classical")
FIRST_PASS, SECOND_PASS = 3e-2, 3e-3  #: tolerances of what only shows which elements stick


def roll_steady(
    n: NormalContact,
    friction: float,
    *,
    creepage: Parts | None = None,
    force: Parts | None = (None, None),
    direction: int = 1,
    distance: float | None = None,
    discretisation: str = "covered",
    tol: float = 1e-6,
    on_failure: str = "raise",
) -> TangentialContact:
    """Steady rolling of a contact with the coefficient of friction `friction` (Kalker 1990).

    `creepage` is (xi, eta, phi): longitudinal and lateral (-) and spin (rad/m) of body 1 relative to body 2;
    per direction x and y either the creepage or the force (N, on body 1) is given and the other is None.
    `direction` = +1 rolls along +x: particles enter at the right.
    "covered" elements end at the true edge of the contact; "classical" ones are whole cells, as in the
    program CONTACT, digit for digit. `distance` (m) of a step is one element, and may be given to say so.

    With different materials the normal problem is solved again at the same force: `result.normal`.
    `dissipation` (J per metre) of covered elements is what the rigid slip brings in, -(xi Fx + eta Fy +
    phi Mz), as the elastic energy does not change, and of unlike bodies what their uneven pressure adds.
    Classical ones count tractions times slips as the program CONTACT does, which is up to 40 % off at small
    creepages.
    """
    demand = check_demand(n, friction, "creepage", creepage, force, tol=tol, on_failure=on_failure)
    contact, mu, dx = demand.contact, demand.friction, demand.contact.grid.dx
    checks.choice("direction", direction, (1, -1))
    checks.choice("discretisation", discretisation, DISCRETISATIONS)
    _require_one_element(distance, dx)
    solve_free = _solve_classical if discretisation == "classical" else _solve_covered

    def solve(n: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
        whole = WholeCells(FrictionPatch.around(n, mu), demand.rigid, direction)
        if last is None or not isinstance(last.step, CoveredRolling):
            return solve_free(n, whole, demand.inner_tol)
        solved = None if hold else solve_free(n, whole, demand.inner_tol)
        if solved and solved.converged:
            return solved
        return _solve_held(n, last.step, last.answer, demand.inner_tol)

    solved = solve_step(contact, demand, solve)
    step, work, state = solved.step, solved.work_on_slip(), None
    if isinstance(step, CoveredRolling):
        work, state = _work_on_rigid_slip(solved, step), _leave_behind(solved, step)
    return finish_steps(
        [solved], demand, distance=dx, dissipation=work / dx, motion="steady rolling", state=state
    )


def _solve_classical(contact: NormalContact, whole: WholeCells, tol: float) -> SolvedFriction:
    """By whole cells."""
    return SolvedFriction(contact, whole, solve_nested(whole, tol=tol))


def _solve_covered(contact: NormalContact, whole: WholeCells, tol: float) -> SolvedFriction:
    """By covered elements, whose shape at the trailing edge follows from whether they stick."""
    patch = whole.patch
    if not patch.bound.any():
        return _solve_classical(contact, whole, tol)
    elements = CoveredElements(patch, whole.direction)
    answer = solve_nested(whole, tol=FIRST_PASS)

    def follow(answer: StickSlip) -> CoveredRolling:
        sticks = answer.stick[elements.row, elements.column]
        gliding = find_gliding(elements, answer.slip, whole.equation.rho)
        return CoveredRolling(patch, whole.rigid, elements, sticks, gliding)

    step, products = follow(answer), answer.products
    for loose in (SECOND_PASS, 0.0):
        start = answer.traction, answer.shifts
        answer = solve_stick_slip(step.equation, tol=max(loose, tol), start=start)
        products += answer.products
        if not answer.converged:
            break
        found = follow(answer)
        if loose > 0.0 and not found.is_like(step):
            step = found
    return SolvedFriction(contact, step, replace(answer, products=products))


def _solve_held(
    contact: NormalContact, last: CoveredRolling, answer: StickSlip, tol: float
) -> SolvedFriction:
    """Another pressure on the elements of a solution, with its edges and what sticks and glides there."""
    step = last.hold_edges(last.patch.hold_elements(last.patch.friction * contact.pressure))
    start = answer.traction, answer.shifts
    return SolvedFriction(contact, step, solve_stick_slip(step.equation, tol=tol, start=start))


def _leave_behind(solved: SolvedFriction, step: CoveredRolling) -> MaterialState:
    """The tractions on the material, for rolling that continues otherwise."""
    patch, covered = FrictionPatch.over(solved.normal, step.patch.friction), step.elements
    elements, traction = MaterialElements.left_by(covered, step.parts, patch), solved.answer.traction
    pressed = PressedDisplacement.of(solved.normal, 1)
    return MaterialState(elements, traction[:, covered.row, covered.column], 0.0, patch, pressed=pressed)


def _work_on_rigid_slip(solved: SolvedFriction, step: CoveredRolling) -> float:
    """Work of a step, J: what the rigid slip brings in is dissipated, as the elastic energy stays the same.

    Between unlike bodies, whose pressure draws particles sideways, some of it goes to and fro along the
    normal, as the pressure is not even. Where all
    sticks, hardly any is dissipated, and what a coarse grid makes of it may fall below zero: that is none.
    """
    patch, (px, py), (xi, eta, phi) = step.patch, solved.answer.traction, solved.creepage
    x, y = step.window_arms, patch.mesh[1]
    power = (xi - phi * y) * px + (eta + phi * x) * py
    work = -float(power.sum()) * patch.grid.dx
    pressed = PressedDisplacement.of(solved.normal, 1)
    if pressed is not None:
        # half in the step that ends where they are and half in the next: tractions are paired with the mean
        elements = step.elements
        row, place = elements.row + patch.top, elements.middle + patch.left
        ahead, behind = (pressed.at(row, place + sign * elements.direction) for sign in (1.0, -1.0))
        drawn = elements.spread_over_window(0.5 * (behind - ahead))
        work -= float((solved.answer.traction * drawn).sum())
    return max(0.0, work) * patch.grid.cell_area


def _require_one_element(distance: float | None, dx: float) -> None:
    if distance is None:
        return
    if abs(checks.positive("distance", distance, "m") - dx) > 1e-6 * dx:
        raise InputError(
            f"distance = {distance} m must be one element, dx = {dx} m: steady rolling is taken from element "
            "to element; leave it out, or use a grid of that element size."
        )
