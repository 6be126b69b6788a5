"""Tangential contact of patches that roll on from the position before (transient rolling)."""

from __future__ import annotations

from dataclasses import replace

from traction.contact.friction.friction_solution import check_demand
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.rolling.moved_window import WindowPart, carry_over
from traction.contact.rolling.transient_rolling import roll_step
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.patch_pressing import PressedPatch
from traction.wheelsets.patches.rail_friction import RailFriction
from traction.wheelsets.patches.rail_memory import PatchTrace
from traction.wheelsets.patches.rolling import Friction, RolledPatch, Tangential
from traction.wheelsets.patches.wheelset_motion import PatchCreep

TOLERANCE = 1e-6  #: of slips and tractions, relative to their scales


def transient_friction(given: RailFriction, discretisation: str, direction: int, way: float) -> Friction:
    """A step of rolling from what the last one left on the rail.

    way: distance of the wheelset over its speed times the speed of creepages, m s/m: each patch rolls over
    the distance of its own rolling speed.
    """
    spread = given.at_angle if discretisation == "classical" else given.over
    scheme = "moving" if discretisation == "classical" else "covered"

    def solve(patch: PressedPatch, creep: PatchCreep, start: Tangential | None = None) -> Tangential:
        demand = check_demand(
            patch.normal,
            spread(patch.plane),
            "creepage",
            creep.creepage,
            (None, None),
            tol=TOLERANCE,
            on_failure="return",
            speed=creep.speed if given.needs_speed else None,
            layer=given.layer,
            position=given.place(patch.plane),
        )
        # position and height of the wheelset change evenly
        guided = replace(demand, guided=True)
        return roll_step(find_start(patch, given.thermal), guided, way * creep.speed, direction, scheme)

    return solve


def find_start(patch: PressedPatch, thermal: ThermalFriction | None) -> TangentialContact:
    """What was left on the rail below a patch, on its grid; with its heat, for friction by temperature."""
    grid, place = patch.plane.grid, patch.plane.lattice
    assert place is not None
    (left, low), (first, last) = place.first, place.rows
    kept = max(first - low, 0.0), min(last - low + 1.0, float(grid.ny))
    parts = [
        WindowPart(trace.contact, trace.first[1] - low, trace.first[0] - left, (int(kept[0]), int(kept[1])))
        for trace in place.traces
    ]
    return carry_over(parts, grid, place.earlier_gap, patch.normal.pair, thermal)


def leave_trace(patch: RolledPatch) -> PatchTrace | None:
    """What a patch leaves on the rail; None where it is not on the lattice, or has no tractions."""
    plane: ContactPlane = patch.pressed.plane
    if plane.lattice is None or not isinstance(patch.tangential, TangentialContact):
        return None
    # what a following step does not need keeps all solutions before it alive
    contact = replace(
        patch.tangential, _tangent=None, _approach_tangent=None, _power=None, _friction_change=None
    )
    return PatchTrace(plane.side, plane.lattice.first, contact)
