"""`cross`: a train crosses a bridge, with contact models of any detail."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from traction import checks
from traction.crossing.choices import CONDENSED, GRAVITY, refuse_given
from traction.crossing.driving.drive_checks import require_drivable
from traction.crossing.driving.driven_wheels import drive_wheels
from traction.crossing.marches.condensed_march import CondensedMarch
from traction.crossing.marches.march_part import ElasticMarch
from traction.crossing.marches.method_march import MethodMarch
from traction.crossing.moving_load import Loads, Speed, moving_load
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.crossing.setup import CrossingSetup, longest_trial, prepare_crossing, setup_notices
from traction.crossing.small_deflections import curvature_at_rest, warn_of_deflections
from traction.crossing.time_step import (
    FAILURES,
    Accuracy,
    checked_step,
    fixed_step,
    judge_step,
    march_in_steps,
    require_resolved,
    warn_of_cap,
)
from traction.crossing.wheel_contact import checked_contact
from traction.errors import InputError
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw
from traction.outputs.progress import Progress, Tell, telling
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
    wheel: Wheel | None = None,
    grid: Grid | None = None,
    solve: str = "table",
    drive: Drives | None = None,
    irregularity: Irregularity | None = None,
    gravity: float | None = None,
    model: str = "modes",
    size: int | None = None,
    residual: bool | None = None,
    on_failure: str = "raise",
    dt: float | str | None = None,
    rtol: float | None = None,
    t_end: float | None = None,
    method: str | None = None,
    progress: Progress | bool | None = None,
    **options: object,
) -> Crossing:
    """Simulate a train that crosses a bridge, with elastic contact of its wheels.

    Parameters
    ----------
    bridge
        Beam and its material; at rest when the first axle enters, at t = 0.
    train
        `tr.Train`, or pairs (force or `tr.Wheel`, distance behind the first axle in m).
    speed
        Speed v, m/s; or a function of time, or (times, positions) of the first axle.
    contact
        Contact of wheel and rail. "rigid": wheels follow the track until they lift off; axles may be
        plain forces. "hertz": F = k max(0, approach)^(3/2) from the curvatures of tread and rail.
        "half-space": solved on a `grid` that travels with the wheel and grows where a patch needs it. Or
        any elastic contact law (`tr.PowerLaw`, `tr.TabulatedLaw`, one of your own), common to all wheels.
    wheel
        Radius, profile and material of wheels of vehicles, which have no shape of their own.
    grid
        Grid of contact="half-space"; 32 x 32 elements around Hertz's ellipse at rest by default. A
        `tr.Grid.line` with its length makes it a line contact: forces, masses and beam are then per metre
        of width.
    solve
        When contacts of half spaces are solved. "table": once, the force over the approach with an error of
        at most 1e-6, in the range that the wheels need; equal wheels and later crossings share it, and
        patches are solved where they are asked for. "every-step": in each step, 30 to 50 times slower. A
        surface that cannot be tabulated around its approach at rest is solved at every step, with a warning;
        one that cannot further on is an error.
    drive
        `tr.Drive` of all wheels, {number of the wheel: tr.Drive}, or one for each; the tractions are in
        `result.rolling(wheel)`.
    irregularity
        Height of the rail, a `tr.Irregularity`; a wheel flat belongs to its `tr.Wheel`.
    gravity
        Gravitational acceleration g, m/s2; 9.81 by default.
    model
        "modes", "elements" or "differences" of the beam.
    size
        Number of modes (40), elements or cells (100). In elastic contact, elements of a beam with shear have
        a node in their middle.
    residual
        Let wheels feel the residual compliance of the neglected modes under themselves and under each other,
        so that fewer modes suffice; not for rigid wheels. A warning is raised where plain forces, which
        wheels do not feel so, are within half a wave of the last mode.
    on_failure
        With steps that make the result worthless (see `result.certificate`): "raise" an error that carries
        it, or "return" it with its status.
    dt
        Time step, s. By default at most 1/20 of the period of a wheel on its contact and 1/80 of the time
        in which a wheel passes the shortest wave or defect of rail and treads; condensed, also 1/6 of the
        period of the highest mode, unless that takes too many steps, and the step of forces in
        `tr.moving_load`; with a method, 1/20 of the period of the tenth mode and 0.9 of the stability
        limit. "auto": shortened until `rtol` is met.
    rtol
        With dt="auto", the largest change of contact forces, relative to those at rest, and of midspan
        deflections, relative to their peak, from twice the step to dt; 1e-3 by default. The error is about a
        third of it. The run with the shortest step is returned, once its certificate holds too; the steps
        of earlier runs are counted in `result.stats`. The change is in `result.certificate.change`.
    t_end
        End of the run, s; by default when the last axle has left the bridge, as the summary of the result
        says: later peaks of the free vibration need a later end. Axles that arrive after it stay on rigid
        track.
    method
        Integration method from `tr.methods()`. By default modes march condensed to the wheels, the other
        models by "newmark".
    progress
        Function called with the number of completed steps and their total; True, False and the default are
        those of `tr.simulate`. Driven wheels are counted after the march, again from 0.
    **options
        Options of the method; `allow_unstable` permits steps above its stability limit.

    Returns
    -------
    Crossing
        Deflections, moments, accelerations, wheel forces; for elastic contact a `ContactCrossing` with
        approaches, patches and energies.

    Raises
    ------
    InputError
        If an argument is out of range, or the bridge bends too much under the train at rest (slope above
        0.1, or 5 % of a wheel's curvature).
    ConvergenceError
        If a step fails, or the time step is so long that the result is worthless; then `error.result` is
        the crossing.

    Warns
    -----
    StepWarning
        If the time step is too long for its forces, energies or modes; the message names a shorter one.

    Notes
    -----
    Condensed march: modes respond exactly, contact forces conserve energy, and loss of contact is part of
    the same equations; each step is one small solve. Vehicles start in static equilibrium on a rigid
    track, on the rail heights r(x) under their wheels; wheels start with the vertical velocity V dr/dx of the
    rail under them, sprung masses with none. A rail that does not begin level and straight excites them at
    t = 0: let an irregularity begin smoothly, or the train some metres before the bridge. Bridge, wheels
    and local contact together: de Looij, "Using CONTACT in dynamical simulations" (interim thesis, TU Delft
    2015).

    The contact law is that of a straight bridge, and irregularities shift rail and tread without changing
    their shape within the patch; slopes above 0.1 and bridge curvatures that change the contact by 0.5 %
    raise a warning. The train keeps its speed, and longitudinal forces do not bend the bridge. Where a
    wheel loses contact repeatedly, small differences grow with every impact: halve dt to see how long a
    run can be trusted. Friction of driven wheels costs about 3 ms per element rolled, on 32 x 32
    elements.

    Examples
    --------
    A wheel of 900 kg under 8 t crosses a bridge of 20 m in Hertz contact:

    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    >>> c = tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="hertz", size=5)
    >>> print(f"{c.largest('deflection', 10.0).value * 1e3:.2f} mm at midspan")
    10.66 mm at midspan
    """
    check_bridge(bridge)
    chosen = checked_contact(contact)
    g = GRAVITY if gravity is None else checks.positive("gravity", gravity, "m/s2")
    cars = read_train(train)
    if chosen == "rigid":
        asked = None if checks.equals(solve, "table") else solve
        if drive is not None:
            raise InputError('drive needs a contact with a patch: use contact="hertz" or "half-space".')
        refuse_given('contact = "rigid" does not use it; omit it.', wheel=wheel, grid=grid, solve=asked)
        curvature = curvature_at_rest(bridge.beam, cars, g)
        rigid = moving_load(
            bridge.beam, cars, speed, model=model, size=size, method=method, dt=dt, rtol=rtol,
            t_end=t_end, irregularity=irregularity, gravity=gravity, residual=residual,
            on_failure=on_failure, progress=progress, **options,
        )  # fmt: skip
        warn_of_deflections(rigid, curvature)
        return rigid
    if not cars.vehicles:
        raise InputError(
            f"contact = {checks.shown(chosen)}, but the train is of plain forces, as HSLM trains are; give "
            "tr.Wheel, or contact='rigid'."
        )
    end = None if t_end is None else checks.positive("t_end", t_end, "s")
    step, failure = checked_step(dt, rtol), str(checks.choice("on_failure", on_failure, FAILURES))
    drives = assign_drives(drive, len(cars.wheels))
    setup = prepare_crossing(
        bridge, cars, read_travel(speed, end), g, contact=chosen, wheel=wheel, grid=grid, solve=solve,
        model=model, size=size, method=method, dt=fixed_step(step), end=end,
        irregularity=check_irregularity(irregularity), residual=residual, options=options,
    )  # fmt: skip
    return cross_prepared(setup, drives, progress, step, failure)


def cross_prepared(
    setup: CrossingSetup,
    drives: tuple[Drive | None, ...],
    progress: Progress | bool | None,
    step: float | Accuracy | None,
    on_failure: str,
) -> Crossing:
    """March a crossing from start to end, then roll its driven wheels."""
    require_drivable(drives, setup)
    for notice in setup_notices(setup):
        warnings.warn(notice, stacklevel=3)
    run = require_resolved(march_prepared(setup, progress, step, on_failure), on_failure)
    if step is None and setup.method == CONDENSED:
        warn_of_cap(setup.beam, setup.size, run.dt)
    warn_of_deflections(run, setup.curvature, stacklevel=4)
    if not any(drives):
        return run
    with telling(progress, "friction under driven wheels") as told:
        driven = drive_wheels(run, drives, setup.with_step(run.dt), told)
        return replace(run, driven=driven)


def march_prepared(
    setup: CrossingSetup, progress: Progress | bool | None, step: float | Accuracy | None, on_failure: str
) -> ContactCrossing:
    """March a crossing in the steps of its setup, or in those with which an accuracy is met."""
    given = setup.times.step
    searched = isinstance(step, Accuracy) and setup.method == CONDENSED  # others are stable up to a limit
    first = longest_trial(setup) if searched else given

    def march_by(dt: float) -> ContactCrossing:
        chosen = setup if dt == given else setup.with_step(dt)
        with telling(progress, "crossing") as told:
            march = make_march(chosen, told)
            _, part = march.advance(march.begin(), chosen.times.t.size - 1)
        return march.result(part)

    return march_in_steps(march_by, step, first, judge_step, on_failure)


def make_march(setup: CrossingSetup, told: Tell | None = None) -> ElasticMarch[Any]:
    """The march for the method of a crossing; refuses unstable steps."""
    return CondensedMarch(setup, told) if setup.method == CONDENSED else MethodMarch(setup, told)
