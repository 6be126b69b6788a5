"""`cross`: a train crosses a bridge, with the contact of its wheels as detailed as one likes."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.default_step import fastest, resolving_step
from traction.crossing.driving.driving import driven, require_drivable
from traction.crossing.marches.rigid_wheels import PackedCars, coupled_step, pack_cars
from traction.crossing.moving_load import GRAVITY, MODELS, SIZES, moving_load
from traction.crossing.results.crossing import Crossing
from traction.crossing.schedule import Schedule, schedule
from traction.crossing.small_deflections import STEEPEST, warn_of_deflections
from traction.crossing.wheel_contact import BENT, WheelContact, checked_contact, wheel_contacts
from traction.errors import InputError
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw
from traction.trains.bridge import Bridge
from traction.trains.drive import drives_of
from traction.trains.irregularity import Irregularity, irregularity_of
from traction.trains.train import Train
from traction.trains.train import train as train_of
from traction.trains.travel import Travel, travel
from traction.trains.wheel import Wheel

RIPPLE = 15.0 / 128.0  #: of l/kGA, what the middle of an element gives way less than its nodes
RIPPLED = 0.02  #: of the load, from which the ripple of a contact force is told
SHARPEST = 0.1  #: of 1 - x in a resonance, about its damping
PER_LENGTH = 8  #: places of the train at rest per length of the bridge, at which slopes are looked at
MOST_STANDS = 200
PER_SWING = 20  #: steps in a period of a wheel on its contact
OF_LIMIT = 0.9  #: of the stability limit of a method, the longest step that is chosen
PER_FLAW = 80  #: steps while a wheel passes the shortest wave or flaw of rail and treads
METHODS = {"modes": "condensed", "elements": "newmark", "differences": "newmark"}  #: unless given


def cross(
    bridge: Bridge,
    train: Any,
    speed: Any,
    *,
    contact: str | ContactLaw = "rigid",
    irregularity: Any = None,
    model: str = "modes",
    size: int | None = None,
    method: str | None = None,
    dt: float | None = None,
    t_end: float | None = None,
    gravity: float | None = None,
    residual: bool | None = None,
    wheel: Wheel | None = None,
    grid: Grid | None = None,
    drive: Any = None,
    **options: Any,
) -> Crossing:
    """A train crosses a bridge that is at rest when the first axle enters it, at t = 0.

    `train`, `speed`, `t_end`, `gravity`, `irregularity` of the rail, `size` and `residual` are those of
    `tr.moving_load`; a flat spot belongs to its `tr.Wheel`. With residual=True wheels in a contact that gives
    way also feel what the modes left out do under them, which asks for fewer modes; rigid wheels never do.
    Each feels what they do under itself: axles within half a wave of the last mode of it are warned of.
    `contact` of wheel and rail is

    - "rigid": wheels follow the track until they lift off; axles may be plain forces alone;
    - "hertz": F = k max(0, approach)^(3/2) from the curvatures of tread and rail;
    - "half-space": solved at each step on a `grid` that travels with the wheel (32 x 32 elements around
      Hertz's ellipse at rest unless given), which grows where a patch needs it. A `tr.Grid.line` with its
      length makes it a line contact: forces, masses and beam are per metre of width;
    - any elastic contact law (`tr.PowerLaw`, `tr.TabulatedLaw`, one of your own), which all wheels have.

    Before the bridge, vehicles stand in equilibrium on a rigid track, the contacts pressed as at rest. Wheels
    that are part of vehicles have no shape of their own: `wheel` gives it, with its radius, profile and
    material. The law of contact is that of the straight bridge, and irregularities shift rail and tread
    without changing their shape within the patch. Slopes over 0.1, and bridges that bend under a wheel so
    much that its contact is 0.5 % off, are warned about with time and place; a train at rest that makes
    slopes over 0.1 or bends the bridge by 0.05 of a wheel's curvature is refused.

    `drive` is a `tr.Drive` of all wheels, or {number of the wheel: tr.Drive}, or one for each: a force, a
    creepage or a torque along the track. Tractions, stick and slip follow by transient rolling at the steps
    of the crossing, whatever they are, in `result.rolling(wheel)`; before the bridge the wheel rolled
    steadily. The train keeps its speed, longitudinal forces do not bend the bridge, and their work is not in
    the energies. About 3 ms per element rolled, on 32 x 32 elements.

    `model` "modes" marches condensed to the wheels: modes answer exactly, contact forces are those that keep
    the energy, and contact is lost and found within the same equations; a step costs one small solve.
    A `method` of `tr.methods()`, with its `options`, marches all coordinates instead, with the exact contact
    stiffness; model="elements" or "differences" always do, by "newmark" unless given. A step over the
    stability limit is an error unless `allow_unstable`. Steps of all marches end where an axle passes an end
    of a segment, of which the times kept show nothing.

    `dt` (s) is by default at most 1/20 of the period of a wheel on its contact, and 1/80 of the time in which
    a wheel passes the shortest wave or flaw of rail and treads. Condensed, it is also that of
    `tr.moving_load`; methods take 20 steps in the period of the tenth mode, and 0.9 of their stability limit
    at most. Where a wheel loses contact again and again, small differences grow with every impact: halve dt
    to see until when a run can be trusted.
    """
    checks.instance("bridge", bridge, Bridge)
    kind = checked_contact(contact)
    g = GRAVITY if gravity is None else checks.positive("gravity", gravity, "m/s2")
    beam, cars = bridge.beam, train_of(train)
    if kind == "rigid":
        _not_for_rigid(wheel=wheel, grid=grid)
        if drive is not None:
            raise InputError('drive needs a contact with a patch: use contact="hertz" or "half-space".')
        curvature = _bent_at_rest(beam, cars, g)
        run = moving_load(
            beam, cars, speed, model=model, size=size, method=method, dt=dt, t_end=t_end,
            irregularity=irregularity, gravity=gravity, residual=residual, **options,
        )  # fmt: skip
        warn_of_deflections(run, curvature)
        return run
    if not cars.vehicles:
        raise InputError(
            f"contact = {checks.shown(kind)}, but the train is of plain forces, as HSLM trains are; give "
            "tr.Wheel, or contact='rigid'."
        )
    end = None if t_end is None else checks.positive("t_end", t_end, "s")
    way, drives = travel(speed, end), drives_of(drive, len(cars.wheels))
    ready = set_up(
        bridge, cars, way, g, kind=kind, wheel=wheel, grid=grid, model=model, size=size,
        method=method, dt=dt, end=end, irregularity=irregularity_of(irregularity), residual=residual,
        options=options,
    )  # fmt: skip
    require_drivable(drives, ready.contacts, ready.times.t)
    for notice in (*near_wheels(ready), *rippled(ready)):
        warnings.warn(notice, stacklevel=2)
    run = _cross_pressed(ready, options)
    warn_of_deflections(run, ready.curvature)
    return driven(run, drives, way)


@dataclass(frozen=True, eq=False)
class Setup:
    """A crossing with a contact that gives way, checked and ready to march."""

    beam: Beam
    cars: Train
    packed: PackedCars
    contacts: tuple[WheelContact, ...]
    times: Schedule
    model: str
    size: int
    method: str
    irregularity: Irregularity | None
    residual: bool  #: whether modes left out take part in the results
    felt: bool  #: whether the wheels feel them
    curvature: float  #: of the bridge under the train at rest, 1/m


def set_up(
    bridge: Bridge,
    cars: Train,
    way: Travel,
    gravity: float,
    *,
    kind: str | ContactLaw,
    wheel: Wheel | None,
    grid: Grid | None,
    model: str,
    size: int | None,
    method: str | None,
    dt: float | None,
    end: float | None,
    irregularity: Irregularity | None,
    residual: bool | None,
    options: dict[str, Any],
) -> Setup:
    """Everything that `cross` needs before the first step; refuses what cannot be crossed."""
    if grid is not None and kind != "half-space":
        given = f'"{kind}"' if isinstance(kind, str) else "a law"
        raise InputError(f'grid is given, but contact = {given} has none; use contact="half-space".')
    model = checks.choice("model", model, MODELS)
    n = SIZES[model] if size is None else checks.count("size", size)
    name = METHODS[model] if method is None else method
    corrected = _corrected(model, name, residual, options)
    packed = pack_cars(cars, gravity)
    if name != "condensed" and not (packed.mass > 0.0).all():
        raise InputError(
            f"method = {name!r} needs a mass of every wheel and body, but the train has one without; give it "
            'a mass, or leave method out with model="modes".'
        )
    contacts = wheel_contacts(kind, bridge, cars, packed.load, wheel, grid)
    curvature = _bent_at_rest(bridge.beam, cars, gravity)
    _require_straight(curvature, contacts)
    if dt is None:
        longest = coupled_step if name == "condensed" else resolving_step
        modes = n if model == "modes" else SIZES["modes"]
        swing = _swing(packed.mass[packed.coordinate], contacts)
        flaw = _shortest_flaw(irregularity, cars) / (PER_FLAW * fastest(way, end))
        step = min(longest(bridge.beam, cars, modes, way, end), swing, flaw)
    else:
        step = checks.positive("dt", dt, "s")
    setup = Setup(
        bridge.beam, cars, packed, contacts, schedule(bridge.beam, cars, way, step, end), model, n, name,
        irregularity, corrected, residual is True, curvature,
    )  # fmt: skip
    if dt is None and name != "condensed" and not options.get("allow_unstable"):
        from traction.crossing.marches.wheels_on_bridge import longest_stable

        of_method = {key: value for key, value in options.items() if key != "allow_unstable"}
        limit = OF_LIMIT * longest_stable(setup, of_method)
        if step > limit:
            return replace(setup, times=schedule(bridge.beam, cars, way, limit, end))
    return setup


def _cross_pressed(setup: Setup, options: dict[str, Any]) -> Crossing:
    """A contact that gives way."""
    common: dict[str, Any] = {
        "beam": setup.beam, "cars": setup.cars, "packed": setup.packed, "contacts": setup.contacts,
        "times": setup.times, "size": setup.size, "irregularity": setup.irregularity,
        "residual": setup.residual, "felt": setup.felt,
    }  # fmt: skip
    if setup.method == "condensed":
        from traction.crossing.marches.elastic_wheels import cross_condensed

        return cross_condensed(**common)
    from traction.crossing.marches.method_march import cross_by_method

    return cross_by_method(model=setup.model, method=setup.method, **common, **options)


def near_wheels(setup: Setup) -> list[str]:
    """What to know where wheels feel the modes left out, which reach half a wave of the last mode kept."""
    if not setup.felt:
        return []
    apart = np.abs(setup.times.behind[:, None] - setup.packed.behind)
    np.fill_diagonal(apart[len(setup.cars.forces) :], np.inf)
    near, half = float(apart.min()), setup.beam.length / setup.size
    if near >= half:
        return []
    return [
        f"a wheel {near:.4g} m from another axle is nearer than half a wave of the last mode, {half:.4g} m, "
        "and feels what the modes left out do under that one, which residual=True leaves out: take more "
        "modes, or leave residual out."
    ]


def rippled(setup: Setup) -> list[str]:
    """What to know of elements with shear, over which the give of the bridge has a ripple of 15/128 l F/kGA.

    A wheel of mass m on a contact of stiffness k feels a ripple r that passes with the frequency omega as
    k r x/|1 - x|, x = m omega^2/k: see `smooth_track`.
    """
    soft = max(segment.shear_compliance for segment in setup.beam.segments)
    if setup.model != "elements" or soft == 0.0:
        return []
    length = setup.beam.length / setup.size
    omega = 2.0 * math.pi * float(np.max(setup.times.travel.speed(setup.times.t))) / length
    worst = 0.0
    for one in setup.contacts:
        k = 1.5 * one.load / one.static
        x = one.wheel.mass * omega**2 / k
        worst = max(worst, k * RIPPLE * length * soft * x / max(abs(1.0 - x), SHARPEST))
    if worst <= RIPPLED:
        return []
    return [
        f"elements {length:.3g} m long with shear pass a wheel {omega / (2.0 * math.pi):.4g} times a second, "
        f"and its force ripples by about {worst:.1g} of the load: take modes, or another size of elements."
    ]


def _corrected(model: str, method: str, residual: bool | None, options: dict[str, Any]) -> bool:
    """Whether the modes left out take part; refuses what does not belong to model and method."""
    if residual is not None and model != "modes":
        raise InputError("residual is given, but belongs to modes; leave it out.")
    if method == "condensed" and model != "modes":
        raise InputError(
            f'method = "condensed" needs model="modes"; model = {model!r} has {METHODS[model]!r}.'
        )
    if method == "condensed" and options:
        raise InputError(f"unknown options {sorted(options)}; the condensed march has none.")
    return residual is None or checks.flag("residual", residual)


def _not_for_rigid(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f'{name} is given, but contact = "rigid" does not look at it; leave it out.')


def _swing(masses: np.ndarray, contacts: tuple[WheelContact, ...]) -> float:
    """Part of the shortest period of a wheel on its contact, s."""
    periods = [
        2.0 * math.pi * math.sqrt(mass / one.stiffness)
        for mass, one in zip(masses, contacts, strict=True)
        if mass > 0.0
    ]
    return min(periods, default=math.inf) / PER_SWING


def _shortest_flaw(irregularity: Irregularity | None, cars: Train) -> float:
    """Of rail and treads, m."""
    treads = [None if wheel is None else wheel.irregularity for wheel in cars.wheels]
    return min((one.shortest for one in (irregularity, *treads) if one is not None), default=math.inf)


def _bent_at_rest(beam: Beam, cars: Train, gravity: float) -> float:
    """Largest curvature of the bridge under a wheel at rest, 1/m, wherever the train stands.

    Refuses trains under which the bridge bends too far.
    """
    if beam.frequencies(1)[0] == 0.0:
        return 0.0  # it can move as a whole: there is no rest
    loads = [load if isinstance(load, float) else 0.0 for load, _ in cars.forces]
    loads += [gravity * mass for vehicle, _ in cars.vehicles for mass in vehicle.axle_masses]
    x = np.linspace(0.0, beam.length, 101)
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


def _require_straight(curvature: float, contacts: tuple[WheelContact, ...]) -> None:
    bent = curvature * max(one.wheel.radius for one in contacts)
    if bent > BENT:
        raise InputError(
            f"the bridge bends under a wheel by {bent:.3g} of the curvature of the wheel, beyond the {BENT} "
            "up to which its contact may be taken as that on a straight bridge: use tr.rest, or "
            'contact="rigid".'
        )
