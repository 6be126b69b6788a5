"""`roll_steady`: tractions and slips of a body that rolls on, at creepages or forces that do not change."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any

from traction import checks
from traction.contact.classical import Steady, solve_nested
from traction.contact.covered import CoveredElements, CoveredSteady, gliding
from traction.contact.friction_patch import FrictionPatch
from traction.contact.friction_solution import (
    SAFETY,
    Solved,
    checked_normal,
    coupled,
    finished,
    frictionless,
    work_against,
)
from traction.contact.normal import NormalContact
from traction.contact.rigid_slip import RigidSlip, checked_rigid_slip
from traction.contact.stick_slip import StickSlip, solve_stick_slip
from traction.contact.tangential import TangentialContact
from traction.errors import InputError

DISCRETISATIONS = ("covered", "classical")
FIRST_PASS, SECOND_PASS = 3e-2, 3e-3  #: tolerances of what only tells which elements stick


def roll_steady(
    n: NormalContact,
    friction: float,
    *,
    creepage: Any = None,
    force: Any = (None, None),
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
    reference program, digit for digit. `distance` (m) of a step is one element, and may be given to say so.

    With different materials the normal problem is solved again at the same force: `result.normal`.
    `dissipation` (J per metre) of covered elements is what the rigid slip brings in, -(xi Fx + eta Fy +
    phi Mz), as the elastic energy of like bodies does not change. Classical ones, and unlike bodies, count
    tractions times slips as the reference program does, which is up to 40 % off at small creepages.
    """
    began = perf_counter()
    contact, mu = checked_normal(n, friction, unlike=True)
    checks.choice("direction", direction, (1, -1))
    checks.choice("discretisation", discretisation, DISCRETISATIONS)
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    _require_one_element(distance, contact.grid.dx)
    rigid = checked_rigid_slip("creepage", creepage, force, mu * contact.force)
    solve = _classical if discretisation == "classical" else _covered
    solved = coupled(
        contact, tol, lambda n: solve(n, mu, FrictionPatch.of(n, mu), rigid, direction=direction, tol=tol)
    )
    # unlike bodies also exchange work along z, as the pressure is not even
    if discretisation == "classical" or contact.pair.mismatch != 0.0:
        dissipation = work_against(solved.answer.traction, solved.slip, contact.grid.cell_area)
    else:
        dissipation = _rigid_work(solved)
    return finished(solved, dissipation, perf_counter() - began, on_failure)


def _rigid_work(solved: Solved) -> float:
    """Work of a step, J: what the rigid slip brings in is dissipated, as the elastic energy stays the same.

    Where all sticks, hardly any is, and what a coarse grid makes of it may fall below zero: that is none.
    """
    (px, py), (_, y), (xi, eta, phi) = solved.answer.traction, solved.patch.mesh, solved.shifts
    x = solved.discretisation.arms(solved.patch)
    power = (xi - phi * y) * px + (eta + phi * x) * py
    return max(0.0, -float(power.sum())) * solved.patch.grid.cell_area * solved.distance


def _classical(
    contact: NormalContact, mu: float, patch: FrictionPatch, rigid: RigidSlip, *, direction: int, tol: float
) -> Solved:
    """Whole cells."""
    steady = Steady(rigid, direction)
    equation = steady.equation(patch)
    answer = solve_nested(steady, patch, tol=SAFETY * tol) if patch.bound.any() else frictionless(equation)
    return Solved(contact, mu, patch, rigid, steady, equation, answer, contact.grid.dx, True, tol)


def _covered(
    contact: NormalContact, mu: float, patch: FrictionPatch, rigid: RigidSlip, *, direction: int, tol: float
) -> Solved:
    """Covered elements, whose shape at the trailing edge follows from whether they stick."""
    if not patch.bound.any():
        return _classical(contact, mu, patch, rigid, direction=direction, tol=tol)
    elements = CoveredElements(patch, direction)
    whole = Steady(rigid, direction)
    equation = whole.equation(patch)
    answer, rho = solve_nested(whole, patch, tol=FIRST_PASS, equation=equation), equation.rho

    def following(answer: StickSlip) -> CoveredSteady:
        sticks = answer.stick[elements.row, elements.column]
        return CoveredSteady(rigid, elements, sticks, gliding(elements, answer.slip, rho))

    steady, products = following(answer), answer.products
    equation = steady.equation(patch)
    for loose in (SECOND_PASS, 0.0):
        start = answer.traction, answer.shifts
        answer = solve_stick_slip(equation, tol=max(loose, SAFETY * tol), start=start)
        products += answer.products
        if not answer.converged:
            break
        found = following(answer)
        if loose > 0.0 and not found.like(steady):
            steady, equation = found, found.equation(patch)
    answer = replace(answer, products=products)
    return Solved(contact, mu, patch, rigid, steady, equation, answer, contact.grid.dx, True, tol)


def _require_one_element(distance: float | None, dx: float) -> None:
    if distance is None:
        return
    if abs(checks.positive("distance", distance, "m") - dx) > 1e-6 * dx:
        raise InputError(
            f"distance = {distance} m must be one element, dx = {dx} m: steady rolling is taken from element "
            "to element; leave it out, or use a grid of that element size."
        )
