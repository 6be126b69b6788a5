"""`roll_steady`: tractions and slips of a body that rolls on, at creepages or forces that do not change."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.classical import Steady, solve_nested
from traction.contact.covered import CoveredElements, CoveredSteady
from traction.contact.friction_patch import FrictionPatch
from traction.contact.friction_solution import Solved, checked_normal, finished, frictionless, work_against
from traction.contact.normal import NormalContact
from traction.contact.rigid_slip import RigidSlip, checked_rigid_slip
from traction.contact.stick_slip import solve_stick_slip
from traction.contact.tangential import TangentialContact
from traction.errors import InputError

DISCRETISATIONS = ("covered", "classical")
SAFETY = 0.2  #: of the tolerance that the iteration is asked for, so that the certificate holds
COARSE_TOLERANCE = 1e-2  #: of what only starts the next solution
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
    """
    began = perf_counter()
    contact, mu = checked_normal(n, friction)
    checks.choice("direction", direction, (1, -1))
    checks.choice("discretisation", discretisation, DISCRETISATIONS)
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    _require_one_element(distance, contact.grid.dx)
    rigid = checked_rigid_slip("creepage", creepage, force, mu * contact.force)
    patch = FrictionPatch.of(contact, mu)
    if discretisation == "classical":
        solved = _classical(contact, mu, patch, rigid, direction, tol)
    else:
        solved = _covered(contact, mu, patch, rigid, direction, tol)
    dissipation = work_against(solved.answer.traction, solved.slip, contact.grid.cell_area)
    return finished(solved, dissipation, perf_counter() - began, on_failure)


def _classical(
    contact: NormalContact, mu: float, patch: FrictionPatch, rigid: RigidSlip, direction: int, tol: float
) -> Solved:
    """Whole cells."""
    steady = Steady(rigid, direction)
    equation = steady.equation(patch)
    answer = solve_nested(steady, patch, tol=SAFETY * tol) if patch.bound.any() else frictionless(equation)
    return Solved(contact, mu, patch, rigid, steady, equation, answer, contact.grid.dx, True, tol)


def _covered(
    contact: NormalContact, mu: float, patch: FrictionPatch, rigid: RigidSlip, direction: int, tol: float
) -> Solved:
    """Covered elements, whose shape at the trailing edge follows from whether they stick."""
    if not patch.bound.any():
        return _classical(contact, mu, patch, rigid, direction, tol)
    elements = CoveredElements(patch, direction)
    coarse = patch.coarser()
    start = None
    if coarse is not None:
        first = solve_nested(Steady(rigid, direction), coarse, tol=COARSE_TOLERANCE)
        if first.converged:
            start = patch.refined(first.traction, coarse), first.shifts
    sticks = np.ones(elements.row.size, dtype=bool)
    products = 0
    for loose in (FIRST_PASS, SECOND_PASS, 0.0):
        steady = CoveredSteady(rigid, elements, sticks)
        equation = steady.equation(patch)
        answer = solve_stick_slip(equation, tol=max(loose, SAFETY * tol), start=start)
        products += answer.products
        after = answer.stick[elements.row, elements.column]
        if not answer.converged:
            break
        if loose:
            sticks, start = after, (answer.traction, answer.shifts)
    answer = replace(answer, products=products)
    arms = np.where(elements.contact, elements.over_window(elements.centres(sticks)), 0.0)
    return Solved(contact, mu, patch, rigid, steady, equation, answer, contact.grid.dx, True, tol, arms)


def _require_one_element(distance: float | None, dx: float) -> None:
    if distance is None:
        return
    if abs(checks.positive("distance", distance, "m") - dx) > 1e-6 * dx:
        raise InputError(
            f"distance = {distance} m must be one element, dx = {dx} m: steady rolling is taken from element "
            "to element; leave it out, or use a grid of that element size."
        )
