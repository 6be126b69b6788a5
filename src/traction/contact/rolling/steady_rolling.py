"""`roll_steady`: tractions and slips of a body that rolls on, at creepages or forces that do not change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.elements.covered_cells import CoveredElements, CoveredSteady, gliding
from traction.contact.elements.whole_cells import Steady, solve_nested
from traction.contact.friction.friction_solution import (
    SAFETY,
    OscillationGuard,
    checked_normal,
    coupled,
    finished,
    frictionless,
    work_against,
)
from traction.contact.friction.pressure_coupling import Sideways
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import LEAST_LEFT, MaterialElements
from traction.contact.rolling.material_step import MaterialState
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip, checked_rigid_slip
from traction.contact.stick_slip.slip_equation import StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
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
    phi Mz), as the elastic energy does not change, and of unlike bodies what their uneven pressure adds.
    Classical ones count tractions times slips as the reference program does, which is up to 40 % off at small
    creepages.
    """
    began = perf_counter()
    contact, mu = checked_normal(n, friction)
    checks.choice("direction", direction, (1, -1))
    checks.choice("discretisation", discretisation, DISCRETISATIONS)
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    _require_one_element(distance, contact.grid.dx)
    rigid = checked_rigid_slip("creepage", creepage, force, mu * contact.force)
    solve = _classical if discretisation == "classical" else _covered
    solved, unsettled = _settled(contact, mu, rigid, solve, direction=direction, tol=tol)
    steady, state = solved.discretisation, None
    if isinstance(steady, CoveredSteady):
        dissipation, state = _rigid_work(solved, steady), _left_behind(solved, steady)
    else:
        dissipation = work_against(solved.answer.traction, solved.slip, contact.grid.cell_area)
    return replace(finished(solved, dissipation, perf_counter() - began, on_failure, unsettled), state=state)


def _settled(
    contact: NormalContact,
    mu: float,
    rigid: RigidSlip,
    solve: Callable[..., SolvedFriction],
    *,
    direction: int,
    tol: float,
) -> tuple[SolvedFriction, float]:
    """The solution with the pressure that goes with it, and what of it is unsettled."""
    turns = OscillationGuard()
    done: list[SolvedFriction] = []

    def solved_on(n: NormalContact) -> SolvedFriction:
        elements = done[-1].discretisation if done else None
        restless = turns.one_more(n.pressure)
        if isinstance(elements, CoveredSteady) and restless:
            done.append(_held(n, done[-1], elements))
            return done[-1]
        solved = solve(n, mu, FrictionPatch.of(n, mu), rigid, direction=direction, tol=tol)
        if isinstance(elements, CoveredSteady) and not solved.converged:
            solved = _held(n, done[-1], elements)
        done.append(solved)
        return solved

    return coupled(contact, mu, tol, solved_on)


def _left_behind(solved: SolvedFriction, steady: CoveredSteady) -> MaterialState:
    """The tractions on the material, for rolling that goes on otherwise."""
    patch = FrictionPatch.whole(solved.normal, solved.friction)
    elements, traction = steady.elements, solved.answer.traction
    return MaterialState(
        MaterialElements.left_by(elements, steady.sticks, patch),
        traction[:, elements.row, elements.column],
        0.0,
        patch,
        sideways=Sideways.of(solved.normal, 1),
    )


def _rigid_work(solved: SolvedFriction, steady: CoveredSteady) -> float:
    """Work of a step, J: what the rigid slip brings in is dissipated, as the elastic energy stays the same.

    Between unlike bodies, some of it goes to and fro along the normal, as the pressure is not even. Where all
    sticks, hardly any is dissipated, and what a coarse grid makes of it may fall below zero: that is none.
    """
    (px, py), (_, y), (xi, eta, phi) = solved.answer.traction, solved.patch.mesh, solved.shifts
    x = steady.arms(solved.patch)
    power = (xi - phi * y) * px + (eta + phi * x) * py
    work = -float(power.sum()) * solved.distance
    sideways = Sideways.of(solved.normal, 1)
    if sideways is not None:
        work -= float((solved.answer.traction * _drawn(steady, solved.patch, sideways)).sum())
    return max(0.0, work) * solved.patch.grid.cell_area


def _drawn(steady: CoveredSteady, patch: FrictionPatch, sideways: Sideways) -> np.ndarray:
    """What the pressure draws particles sideways by in a step, m, on the patch.

    Half in the step that ends where they are and half in the next: tractions are paired with the mean.
    """
    elements, field = steady.elements, np.zeros((2, *patch.bound.shape))
    row, place = elements.row + patch.top, elements.middle + patch.left
    ahead, behind = (sideways.at(row, place + sign * elements.direction) for sign in (1.0, -1.0))
    field[:, elements.row, elements.column] = 0.5 * (behind - ahead)
    return field


def _classical(
    contact: NormalContact, mu: float, patch: FrictionPatch, rigid: RigidSlip, *, direction: int, tol: float
) -> SolvedFriction:
    """Whole cells."""
    steady = Steady(rigid, direction)
    equation = steady.equation(patch)
    answer = solve_nested(steady, patch, tol=SAFETY * tol) if patch.bound.any() else frictionless(equation)
    return SolvedFriction(contact, mu, patch, rigid, steady, equation, answer, contact.grid.dx, True, tol)


def _covered(
    contact: NormalContact, mu: float, patch: FrictionPatch, rigid: RigidSlip, *, direction: int, tol: float
) -> SolvedFriction:
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
    return SolvedFriction(contact, mu, patch, rigid, steady, equation, answer, contact.grid.dx, True, tol)


def _held(contact: NormalContact, last: SolvedFriction, steady: CoveredSteady) -> SolvedFriction:
    """Another pressure on the elements of a solution, with its edges and what sticks and glides there."""
    before = last.patch.bound
    bound = np.maximum(last.friction * contact.pressure[last.patch.window], LEAST_LEFT * before)
    patch = replace(last.patch, bound=np.where(before > 0.0, bound, 0.0))
    elements = replace(steady.elements, patch=patch, held=steady.elements.edges)
    steady = replace(steady, elements=elements)
    equation = steady.equation(patch)
    start = last.answer.traction, last.answer.shifts
    answer = solve_stick_slip(equation, tol=SAFETY * last.tol, start=start)
    return replace(last, normal=contact, patch=patch, discretisation=steady, equation=equation, answer=answer)


def _require_one_element(distance: float | None, dx: float) -> None:
    if distance is None:
        return
    if abs(checks.positive("distance", distance, "m") - dx) > 1e-6 * dx:
        raise InputError(
            f"distance = {distance} m must be one element, dx = {dx} m: steady rolling is taken from element "
            "to element; leave it out, or use a grid of that element size."
        )
