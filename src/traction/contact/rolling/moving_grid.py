"""A step of rolling with elements that move with the contact, as in the reference program."""

from __future__ import annotations

import math

import numpy as np

from traction.contact.elements.whole_cells import Step
from traction.contact.friction.friction_solution import SAFETY, frictionless
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.halfspace.shifted_influence import compute_shifted_displacement, compute_sideways_displacement


def moving_step(
    before: TangentialContact,
    contact: NormalContact,
    mu: float,
    rigid: RigidSlip,
    way: float,
    cell: float | None,
    tol: float,
) -> SolvedFriction:
    """Elements that move with the contact; `way` (m) has the sign of the direction."""
    grid, pair = contact.grid, contact.pair
    patch = FrictionPatch.of(contact, mu)

    def earlier(shift: float) -> np.ndarray:
        u = compute_shifted_displacement(before.traction, grid, pair, shift)
        if pair.mismatch != 0.0 and mu > 0.0:
            u = u + compute_sideways_displacement(before.normal.pressure, grid, pair, shift)
        return u

    if cell is None:
        old = earlier(way)
    else:
        far = math.copysign(cell * grid.dx, way)
        old = (1.0 - way / far) * earlier(0.0) + way / far * earlier(far)
    step = Step(rigid, old[(slice(None), *patch.window)], abs(way), int(math.copysign(1, way)))
    equation = step.equation(patch)
    start = (
        before.traction[(slice(None), *patch.window)],
        np.array([before.creepage[k] for k in rigid.unknown]),
    )
    answer = (
        solve_stick_slip(equation, tol=SAFETY * tol, start=start)
        if patch.bound.any()
        else frictionless(equation)
    )
    return SolvedFriction(contact, mu, patch, rigid, step, equation, answer, abs(way), False, tol)
