"""`cross`: a train crosses a bridge, with the contact of its wheels as detailed as one likes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from traction import checks
from traction.crossing.choices import CONDENSED, GRAVITY
from traction.crossing.driving.driven_wheels import drive_wheels, require_drivable
from traction.crossing.marches.condensed_march import CondensedMarch
from traction.crossing.marches.march_part import ElasticMarch
from traction.crossing.marches.method_march import MethodMarch
from traction.crossing.moving_load import Loads, Speed, moving_load
from traction.crossing.results.crossing import Crossing
from traction.crossing.setup import CrossingSetup, prepare_crossing, setup_notices
from traction.crossing.small_deflections import warn_of_deflections
from traction.crossing.static_bending import curvature_at_rest
from traction.crossing.wheel_contact import checked_contact
from traction.errors import InputError
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw
from traction.trains.bridge import Bridge, check_bridge
from traction.trains.drive import Drive, assign_drives
from traction.trains.irregularity import Irregularity, check_irregularity
from traction.trains.train import read_train
from traction.trains.travel import read_travel
from traction.trains.vehicle import Wheel

Drives = Drive | Mapping[int, Drive] | Sequence[Drive | None]


def cross(
    bridge: Bridge,
    train: Loads,
    speed: Speed,
    *,
    contact: str | ContactLaw = "rigid",
    irregularity: Irregularity | None = None,
    model: str = "modes",
    size: int | None = None,
    method: str | None = None,
    dt: float | None = None,
    t_end: float | None = None,
    gravity: float | None = None,
    residual: bool | None = None,
    wheel: Wheel | None = None,
    grid: Grid | None = None,
    drive: Drives | None = None,
    **options: object,
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

    `model` "modes" marches condensed to the wheels: modes respond exactly, contact forces are those that keep
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
    check_bridge(bridge)
    chosen = checked_contact(contact)
    g = GRAVITY if gravity is None else checks.positive("gravity", gravity, "m/s2")
    cars = read_train(train)
    if chosen == "rigid":
        _refuse_for_rigid(wheel=wheel, grid=grid, drive=drive)
        curvature = curvature_at_rest(bridge.beam, cars, g)
        rigid = moving_load(
            bridge.beam, cars, speed, model=model, size=size, method=method, dt=dt, t_end=t_end,
            irregularity=irregularity, gravity=gravity, residual=residual, **options,
        )  # fmt: skip
        warn_of_deflections(rigid, curvature)
        return rigid
    if not cars.vehicles:
        raise InputError(
            f"contact = {checks.shown(chosen)}, but the train is of plain forces, as HSLM trains are; give "
            "tr.Wheel, or contact='rigid'."
        )
    end = None if t_end is None else checks.positive("t_end", t_end, "s")
    drives = assign_drives(drive, len(cars.wheels))
    setup = prepare_crossing(
        bridge, cars, read_travel(speed, end), g, contact=chosen, wheel=wheel, grid=grid, model=model,
        size=size, method=method, dt=dt, end=end, irregularity=check_irregularity(irregularity),
        residual=residual, options=options,
    )  # fmt: skip
    return cross_prepared(setup, drives)


def cross_prepared(setup: CrossingSetup, drives: tuple[Drive | None, ...]) -> Crossing:
    """March a crossing from its begin to its end, then roll its driven wheels."""
    require_drivable(drives, setup)
    for notice in setup_notices(setup):
        warnings.warn(notice, stacklevel=3)
    march = make_march(setup)
    _, part = march.advance(march.begin(), setup.times.t.size - 1)
    run = march.result(part)
    warn_of_deflections(run, setup.curvature, stacklevel=4)
    return replace(run, driven=drive_wheels(run, drives, setup)) if any(drives) else run


def make_march(setup: CrossingSetup) -> ElasticMarch[Any]:
    """The march that the method of a crossing asks for; refuses steps at which it is not stable."""
    return CondensedMarch(setup) if setup.method == CONDENSED else MethodMarch(setup)


def _refuse_for_rigid(**given: object) -> None:
    if given.pop("drive") is not None:
        raise InputError('drive needs a contact with a patch: use contact="hertz" or "half-space".')
    for name, value in given.items():
        if value is not None:
            raise InputError(f'{name} is given, but contact = "rigid" does not look at it; leave it out.')
