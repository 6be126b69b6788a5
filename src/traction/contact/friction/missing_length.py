"""Friction on a line grid without a reference length: defined wherever no absolute displacement is asked for.

The displacements of a half plane contain a constant times the force that depends on the reference length. In
a step it adds (F - F') C to the slip along each direction: where the force is given, only the rigid slip of
the step depends on it; where the rigid slip is given, all does, unless the force stays as it was.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from traction.contact.friction.friction_solution import FrictionDemand
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.halfspace.half_space import HalfSpace

STAND_IN = 1.0  #: m, the length lent to a contact that has none


def lacks_length(contact: NormalContact) -> bool:
    """Whether displacements of the contact need a reference length and it has none."""
    return contact.grid.length is None and HalfSpace(contact.grid, contact.pair).needs_length


def lend_length(contact: NormalContact) -> NormalContact:
    """The contact with a stand-in length."""
    return replace(contact, grid=replace(contact.grid, length=STAND_IN))


def lend_to_step(before: TangentialContact) -> TangentialContact:
    """An earlier step with a stand-in length, to start from."""
    x, y, turn = np.nan_to_num(before.creepage)
    return replace(before, normal=lend_length(before.normal), creepage=(float(x), float(y), float(turn)))


def withdraw_length(
    result: TangentialContact, demand: FrictionDemand, before: tuple[float, float]
) -> TangentialContact:
    """The result of a step from forces `before` without the stand-in length.

    Rigid slips that depend on it are NaN; if the forces do, that is an error. A force is the same if it
    differs by the tolerance.
    """
    slip, grid = list(result.creepage), demand.contact.grid
    scale = demand.tol * result.friction * result.normal.force
    for k, (now, then) in enumerate(zip(result.force, before, strict=True)):
        if abs(now - then) <= scale:
            continue
        if k not in demand.rigid.unknown:
            what = "shift" if result.motion == "shift" else "creepage"
            grid.reference_length(f"change of the force at a given {what}")
        slip[k] = math.nan

    def refuse() -> np.ndarray:
        return np.array(grid.reference_length("tangent"))

    return replace(
        result,
        normal=replace(result.normal, grid=grid),
        creepage=(slip[0], slip[1], slip[2]),
        _tangent=refuse,
        _approach_tangent=refuse,
    )
