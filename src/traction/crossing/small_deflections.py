"""Neglected effects in a crossing: slopes, curvature under the wheels, steps at its ends.

They are limited before a crossing begins, under the train at rest, and noticed after it. The contact law is
that of a wheel on a straight bridge. Under a curvature c the relative curvature 1/R along the track becomes
1/R - c; the stiffness of Hertz's contact of a ball varies with the root of the sum of both radii, so that it
is R c/4 too low, and the approach R c/6 too large, where R c is small.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from traction.beams.beam import Beam
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.crossing.wheel_contact import WheelContact, contact_period
from traction.errors import InputError
from traction.quantities import indexed
from traction.trains.train import Train

STEEPEST = 0.1  #: slope of the bridge that small deflections allow
BENT = 0.05  #: largest radius of the wheel times curvature of the bridge, which the contact law neglects
PER_LENGTH = 8  #: positions of the train at rest per length of the bridge, at which slopes are checked
MOST_STANDS = 200
PLACES_AT_REST = 101  #: along the bridge
LANDED = "wheels land again in rigid contact"
STEP = 0.1  #: allowed step in the height of the track, relative to the approach at rest
PER_ARC = 4  #: steps over the arc of a wheel at a step of the track, which resolve it
PER_PERIOD = 20  #: steps in a period of the wheel on its contact, which resolve it as well
NOTICED = 0.02  #: radius of the wheel times curvature of the bridge, at which the contact is 0.5 % off
FAR = 0.1  #: of that, at rest, below which motion does not reach it
PLACES = 21  #: along the bridge
TIMES = 500  #: at least, at which slopes are checked
STANDS = 50  #: at least, of each wheel on the bridge, at which the curvature is checked


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
    loads, x = rest_loads(cars, gravity), np.linspace(0.0, beam.length, PLACES_AT_REST)
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


def warn_of_deflections(run: Crossing, bent_at_rest: float, stacklevel: int = 3) -> None:
    """Warn of the notices of a run."""
    for sentence in deflection_notices(run, bent_at_rest):
        warnings.warn(sentence, stacklevel=stacklevel)


def deflection_notices(run: Crossing, bent_at_rest: float = math.inf) -> list[str]:
    """Notices where the bridge has bent further than beam theory or the contact law allow.

    `bent_at_rest` is the largest curvature under the train at rest, 1/m, if known: if it is small, motion
    does not make it large.
    """
    found = []
    slope, at, place = steepest(run)
    if slope > STEEPEST:
        found.append(
            f"the bridge has a slope of {slope:.3g} at t = {at:.4g} s, x = {place:.4g} m, beyond the "
            f"{STEEPEST} of small deflections: treat the result as approximate, or stiffen the bridge."
        )
    if not isinstance(run, ContactCrossing):
        return found
    found += _steps_of_the_track(run)
    if bent_at_rest * max(one.wheel.radius for one in run.contacts) < FAR * NOTICED:
        return found
    bent, at, place = most_bent(run)
    if bent > NOTICED:
        found.append(
            f"bridge curvature / wheel curvature = {bent:.3g} at t = {at:.4g} s, x = {place:.4g} m: "
            f"the contact, that of a straight bridge, is about {0.25 * bent:.1%} too soft there. "
            "tr.rest includes the curvature of the bridge."
        )
    return found


def landing_notices(run: Crossing) -> list[str]:
    """Notice of wheels that land again in rigid contact, by an impulse."""
    if not run.landings:
        return []
    first, most = run.landings[0], max(run.landings, key=lambda one: abs(one.impulse))
    who = indexed("wheel", first.wheel)
    return [
        f"{LANDED}, {who} first at t = {first.t:.4g} s, with "
        f"impulses of up to {most.impulse:.4g} N s: their forces have no limit and are not in "
        'contact_forces; see landings, or use contact="hertz" for peak forces.'
    ]


def _steps_of_the_track(run: Crossing) -> list[str]:
    """The highest step between an end of the bridge and the level track beside it that a wheel has met.

    It is met over the arc of the wheel, which needs some steps unless these resolve the contact.
    """
    assert isinstance(run, ContactCrossing)
    first = run.places.shape[1] - len(run.contacts)
    worst, told = 0.0, list[str]()
    for x, held in ((0.0, run.beam.supports[0]), (run.beam.length, run.beam.supports[-1])):
        if held.deflection == math.inf:
            continue
        deflection = run.deflection(x)
        for k, contact in enumerate(run.contacts):
            n = int(np.argmax(run.places[:, first + k] >= x))
            if n == 0:  # it stood there already, or never came
                continue
            high = float(np.abs(deflection[n - 1 : n + 1]).max())
            ratio = high / contact.static
            if ratio > max(STEP, worst) and not _is_resolved(run, k, high, n):
                worst, told = ratio, [
                    f"{indexed('wheel', k)} meets a step of the track of {high:.3g} m at "
                    f"t = {run.t[n]:.4g} s, x = {x:.4g} m, where the bridge is not level with the "
                    f"ground beside it: {ratio:.2g} of its approach at rest, over fewer than {PER_ARC} "
                    "steps. Forces there are approximate: take a smaller dt, or stiffen that support."
                ]  # fmt: skip
    return told


def _is_resolved(run: ContactCrossing, wheel: int, height: float, n: int) -> bool:
    """Whether steps resolve the arc over a step of the track at time n, or the wheel on its contact."""
    one, first = run.contacts[wheel], run.places.shape[1] - len(run.contacts)
    vehicles = run.vehicles
    assert vehicles is not None
    mass = float(vehicles.cars.mass[vehicles.cars.coordinate[wheel]])
    passed = float(np.ptp(run.places[n - 1 : n + 1, first + wheel]))
    arc = math.sqrt(2.0 * one.wheel.radius * height)
    period = contact_period(np.array([mass]), (one,))
    return arc >= PER_ARC * passed or PER_PERIOD * run.dt <= period * (1.0 + 1e-9)


def steepest(run: Crossing) -> tuple[float, float, float]:
    """Largest slope, its time (s) and position (m)."""
    every = max(1, run.t.size // TIMES)
    x = np.linspace(0.0, run.beam.length, PLACES)
    slopes = np.abs(run.bending.basis.slopes(run.modal[::every], x))
    n, k = np.unravel_index(int(np.argmax(slopes)), slopes.shape)
    return float(slopes[n, k]), float(run.t[::every][n]), float(x[k])


def most_bent(run: Crossing) -> tuple[float, float, float]:
    """Largest curvature under a wheel times its radius, its time (s) and position (m)."""
    assert isinstance(run, ContactCrossing)
    worst = 0.0, 0.0, 0.0
    first = run.places.shape[1] - len(run.contacts)
    for k, contact in enumerate(run.contacts):
        on = np.flatnonzero(run.on_beam[:, first + k])
        if on.size == 0:
            continue
        on = on[:: max(1, on.size // STANDS)]
        x = run.places[on, first + k]
        moments = run.bending.basis.moments_under(run.modal[on], x)
        stiff = np.array([run.beam.segment_at(float(one)).bending_stiffness for one in x])
        bent = contact.wheel.radius * np.abs(moments) / stiff
        n = int(np.argmax(bent))
        worst = max(worst, (float(bent[n]), float(run.t[on[n]]), float(x[n])))
    return worst
