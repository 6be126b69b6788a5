"""A step of rolling with elements that move with the contact, as in the program CONTACT."""

from __future__ import annotations

import math

import numpy as np

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.friction_solution import FrictionDemand
from traction.contact.friction.interface_memory import (
    carry_along,
    see_coefficient,
    shift_field,
)
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.given_forces import solve_given_forces
from traction.contact.stick_slip.lagged_friction import AT_REST
from traction.halfspace.shifted_influence import compute_shifted_displacement, compute_sideways_displacement


def solve_moving_step(
    before: TangentialContact,
    contact: NormalContact,
    demand: FrictionDemand,
    way: float,
    cell: float | None = None,
) -> SolvedFriction:
    """Over a way (m) with the sign of the direction; `cell` (elements) interpolates old displacements."""
    grid, pair, mu, rigid = contact.grid, contact.pair, demand.friction, demand.rigid

    def displace_earlier(shift: float) -> np.ndarray:
        u = compute_shifted_displacement(before.traction, grid, pair, shift)
        if pair.mismatch != 0.0 and mu > 0.0:
            u = u + compute_sideways_displacement(before.normal.pressure, grid, pair, shift)
        return u

    def shear_earlier(shift: float) -> np.ndarray:
        still = np.zeros(grid.shape)
        return np.array([layer * shift_field(p, shift / grid.dx, still) for p in before.traction])

    interface = demand.interface
    layer = 0.0 if interface is None else interface.compliance
    see = displace_earlier if layer == 0.0 else (lambda shift: displace_earlier(shift) + shear_earlier(shift))
    if cell is None:
        old = see(way)
    else:
        far = math.copysign(cell * grid.dx, way)
        old = (1.0 - way / far) * see(0.0) + way / far * see(far)
    patch = FrictionPatch.around(contact, mu, interface)
    window = (slice(None), *patch.window)
    carried, known = None, None
    if interface is not None:
        carried = carry_along(before, interface, way / grid.dx).at(patch.window)
        known = see_coefficient(before, interface)[patch.window]
    place = int(math.copysign(1, way)), abs(way), old[window], carried
    last = before.interface
    follows = last is not None and interface is not None and last.interface.law == interface.law
    unrest = last.unrest if last is not None and follows else AT_REST
    step = WholeCells(patch, rigid, *place, friction_before=known, unrest=unrest)
    start = before.traction[window], np.array([before.creepage[k] for k in rigid.unknown])
    return SolvedFriction(contact, step, solve_given_forces(step.equation, tol=demand.inner_tol, start=start))
