"""What drives of a crossing must be, and how many parts their wheels roll over."""

from __future__ import annotations

import math

import numpy as np

from traction.contact.friction.varying_friction import VaryingFriction
from traction.crossing.choices import FRICTION_ELEMENTS
from traction.crossing.setup import CrossingSetup
from traction.crossing.wheel_contact import WheelContact
from traction.errors import InputError
from traction.quantities import indexed
from traction.resting.standing_wheels import ROOM
from traction.trains.drive import Drive

SHAFT_PARTS = 60  #: in a period of the shaft, whose phase they advance within 1e-3
MOST_DAMPED = 1e6  #: damping of a shaft, over the critical one
MOST_ROLLED = 2_000_000  #: elements that all driven wheels roll over; a thousand take seconds


def require_drivable(drives: tuple[Drive | None, ...], setup: CrossingSetup) -> None:
    """Refuse drives for which friction cannot be solved, before the march."""
    driven = [
        (indexed("wheel", k), drive, contact)
        for k, (drive, contact) in enumerate(zip(drives, setup.contacts, strict=True))
        if drive is not None
    ]
    for wheel, drive, contact in driven:
        _require_drive(wheel, drive, contact, setup.times.t)
        _require_shaft(wheel, drive)
    _require_few([(drive, contact) for _, drive, contact in driven], setup)


def _require_drive(wheel: str, drive: Drive, contact: WheelContact, t: np.ndarray) -> None:
    """Refuse elements of a strip, and torques that leave no rolling before the bridge."""
    if drive.elements is not None and contact.grid is not None and contact.grid.is_line:
        raise InputError(
            f"elements = {drive.elements} of the drive of {wheel} is for patches; its contact is on a line "
            "grid, whose elements are used: leave it out."
        )
    drive.kept_of(t)
    asked = drive.demands(t)[0]
    limit = asked.friction * contact.load * contact.wheel.radius
    if drive.kind == "torque" and abs(asked.along) >= limit:
        raise InputError(
            f"torque = {asked.along:.6g} N m of {wheel} at t = 0 must be below mu P R = {limit:.6g} N m, so "
            "that the wheel can roll before the bridge: increase it over time."
        )


def _require_shaft(wheel: str, drive: Drive) -> None:
    """Refuse a damper beside which a wheel has no inertia."""
    if drive.shaft is None or drive.inertia is None:
        return
    most = MOST_DAMPED * drive.shaft.stiffness * drive.shaft.period(drive.inertia) / math.pi
    if drive.shaft.damping > most:
        raise InputError(
            f"damping = {drive.shaft.damping:.4g} N m s/rad of the shaft of {wheel} must be at most "
            f"{most:.4g} N m s/rad, {MOST_DAMPED:g} times critical damping: such a "
            "shaft is rigid; leave it out."
        )


def _require_few(driven: list[tuple[Drive, WheelContact]], setup: CrossingSetup) -> None:
    """Refuse more parts of all ways than can be rolled."""
    t, shafts = setup.times.t, [drive for drive, _ in driven if drive.shaft is not None]
    way, seconds = float(np.diff(setup.times.travel.place(t[[0, -1]]))[0]), float(t[-1] - t[0])
    rolled = sum(
        max(way / _about_element(contact, drive), seconds / find_longest(drive)) for drive, contact in driven
    )
    if rolled <= MOST_ROLLED:
        return
    parts, advice = "", "drive fewer wheels, on a shorter way, or with fewer elements"
    if shafts:
        shortest = min(find_longest(one) for one in shafts)
        parts = f" or parts of {shortest:.3g} s, {SHAFT_PARTS} in the period of a shaft"
        advice += ", or by softer shafts between larger inertias"
    raise InputError(
        f"the driven wheels would roll over {rolled:.3g} elements{parts}, at most {MOST_ROLLED:g}: {advice}."
    )


def find_longest(drive: Drive) -> float:
    """Longest part of a way, s: of the period of a shaft."""
    if drive.shaft is None or drive.inertia is None:
        return math.inf
    return drive.shaft.period(drive.inertia) / SHAFT_PARTS


def may_lag(drive: Drive) -> bool:
    """Whether friction under the wheel may lag behind its law."""
    return drive.law is not None and VaryingFriction.find_law(drive.law).may_lag


def may_jump(drive: Drive) -> bool:
    """Whether the force of the wheel may jump where it turns: friction or a layer may fall with the slip."""
    return drive.turns and (drive.law is not None or drive.layer is not None)


def _about_element(contact: WheelContact, drive: Drive) -> float:
    """Length of an element of the grid of tractions at rest, about, m."""
    if drive.elements is None and contact.grid is not None:
        return float(contact.grid.dx)
    a, _ = contact.hertz.semi_axes
    return float(2.0 * ROOM * a / (drive.elements or FRICTION_ELEMENTS))
