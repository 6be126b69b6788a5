"""Bending of a bridge under a train at rest: limits before a crossing begins."""

from __future__ import annotations

import math

import numpy as np

from traction.beams.beam import Beam
from traction.crossing.wheel_contact import WheelContact
from traction.errors import InputError
from traction.trains.train import Train

STEEPEST = 0.1  #: slope of the bridge that small deflections allow
BENT = 0.05  #: largest radius of the wheel times curvature of the bridge, which the contact law neglects
PER_LENGTH = 8  #: positions of the train at rest per length of the bridge, at which slopes are checked
MOST_STANDS = 200
PLACES = 101  #: along the bridge


def rest_loads(cars: Train, gravity: float) -> list[float]:
    """Forces of all axles at rest, N; time-dependent ones count as zero."""
    loads = [load if isinstance(load, float) else 0.0 for load, _ in cars.forces]
    return loads + [gravity * mass for vehicle, _ in cars.vehicles for mass in vehicle.axle_masses]


def curvature_at_rest(beam: Beam, cars: Train, gravity: float) -> float:
    """Largest curvature of the bridge under a wheel at rest, 1/m, for all positions of the train.

    Refuses trains under which the bridge bends too far.
    """
    if beam.frequencies(1)[0] == 0.0:
        return 0.0  # it can move as a whole: there is no rest
    loads, x = rest_loads(cars, gravity), np.linspace(0.0, beam.length, PLACES)
    stands = min(PER_LENGTH * math.ceil(1.0 + cars.length / beam.length), MOST_STANDS)
    largest = 0.0
    for front in np.linspace(0.0, beam.length + cars.length, stands + 1)[1:-1]:
        forces = [
            (load, front - behind)
            for load, behind in zip(loads, cars.places, strict=True)
            if load and 0.0 < front - behind < beam.length
        ]
        if not forces:
            continue
        bending = beam.bend(forces)
        steepest = float(np.abs(bending.slope(x)).max())
        if steepest > STEEPEST:
            deepest = float(np.abs(bending.deflection(x)).max())
            raise InputError(
                f"the bridge bends by {deepest:.3g} m with a slope of {steepest:.3g} under the train at rest,"
                f" beyond the {STEEPEST} of small deflections: stiffen it, or reduce the load."
            )
        under = np.array([place for _, place in forces])
        largest = max(largest, float(np.abs(bending.curvature(under)).max()))
    return largest


def deflection_of_ends(beam: Beam, force: float) -> float:
    """Largest deflection of an end under a force (N) on it at rest, m; infinite where there is no rest."""
    if beam.frequencies(1)[0] == 0.0:
        return math.inf
    return max(abs(float(beam.bend([(force, x)]).deflection(x))) for x in (0.0, beam.length))


def require_straight(curvature: float, contacts: tuple[WheelContact, ...]) -> None:
    """Refuse a curvature (1/m) at which the contact is no longer that on a straight bridge."""
    bent = curvature * max(one.wheel.radius for one in contacts)
    if bent > BENT:
        raise InputError(
            f"bridge curvature / wheel curvature = {bent:.3g} under the train at rest, beyond the {BENT} "
            "up to which its contact may be taken as that on a straight bridge: use tr.rest, or "
            'contact="rigid".'
        )
