"""`moving_load`: forces, wheels and vehicles cross a beam."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction import checks, plausibility
from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_march import march_beam
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.bridge_model import discretised
from traction.crossing.choices import (
    CONDENSED,
    EXACT,
    FORCE_METHODS,
    GRAVITY,
    MODELS,
    SIZES,
    check_residual,
    refuse_given,
)
from traction.crossing.marches.kernels.condensed_steps import march_axles
from traction.crossing.marches.rigid_wheels import RigidWheels
from traction.crossing.packed_train import Schedule, pack_way, schedule
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.crossing_motion import AxleLoads, BeamMotion, ModalBasis, NodalBasis
from traction.crossing.small_deflections import landing_notices
from traction.crossing.time_step import (
    FAILURES,
    FEWEST,
    RIGID,
    TRIAL,
    Accuracy,
    checked_step,
    condensed_step,
    default_step,
    discrete_step,
    fixed_step,
    flaw_step,
    judge_step,
    march_in_steps,
    require_resolved,
    warn_of_cap,
)
from traction.errors import InputError, warn_user
from traction.outputs.progress import Progress, Tell, in_parts, telling
from traction.trains.bridge import check_beam
from traction.trains.irregularity import Irregularity, check_irregularity
from traction.trains.train import Axles, Train, read_train
from traction.trains.travel import Travel, read_travel

Loads = Train | Axles
Speed = float | Callable[..., ArrayLike] | tuple[ArrayLike, ArrayLike] | Travel


def moving_load(
    beam: Beam,
    loads: Loads,
    speed: Speed,
    *,
    model: str = "modes",
    size: int | None = None,
    method: str | None = None,
    dt: float | str | None = None,
    rtol: float | None = None,
    t_end: float | None = None,
    residual: bool | None = None,
    progress: Progress | bool | None = None,
    irregularity: Irregularity | None = None,
    gravity: float | None = None,
    on_failure: str = "raise",
    **options: object,
) -> Crossing:
    """Simulate forces, rigid wheels or vehicles that cross a beam.

    Parameters
    ----------
    beam
        The beam, at rest when the first axle enters it, at t = 0.
    loads
        `tr.Train`, or pairs (load, distance behind the first axle in m). A load is a force (N, downwards;
        a number or a function of time such as `tr.HarmonicAxle`), a `tr.Wheel` or a `tr.Vehicle`.
    speed
        Speed v, m/s; or a function of time, or (times, positions) of the first axle.
    model
        "modes" (exact modes, propagated exactly), "elements" or "differences".
    size
        Number of modes (40), elements or cells (100).
    method
        Integration method of "elements" and "differences", from `tr.methods()`.
    dt
        Time step, s. For modes by default the least of 1/16 of the time in which an axle passes the
        shortest wave, 1/20 of the period of the tenth mode, 1/40 of that of a harmonic force, and 1/20,000
        of the run; with wheels also 1/13 of the period of the highest mode, unless that takes too many
        steps. Under forces it sets the stored times and the interpolation of the modal forces (fourth
        order), and the motion of the modes is exact for any step; wheels are of second order in it. "auto":
        shortened until `rtol` is met.
    rtol
        With dt="auto", the largest change of midspan deflections and accelerations, relative to their peaks,
        from twice the step to dt (of deflections alone where rigid wheels land again); 1e-3 by default. The
        run with the shortest step is returned; the change is in `result.certificate.change`.
    t_end
        End of the run, s; by default when the last axle has left the beam, as the summary of the result
        says: later peaks of the free vibration need a later end. Axles that arrive after it stay on rigid
        track.
    residual
        Include the static response of the neglected modes, so that few modes give many digits; by default
        unless size=1, the single oscillator of bridge codes.
    progress
        Function called with the number of completed steps and their total; True, False and the default are
        those of `tr.simulate`.
        Forces on elements and differences are marched as a whole.
    irregularity
        Height of the rail under wheels, a `tr.Irregularity`.
    gravity
        Gravitational acceleration g, m/s2; 9.81 by default.
    on_failure
        With steps that make the result worthless (see `result.certificate`): "raise" an error that carries
        it, or "return" it with its status.
    **options
        Options of the method.

    Returns
    -------
    Crossing
        Deflection, velocity, acceleration, moment and shear force over time at any position.

    Raises
    ------
    InputError
        If an argument is out of range, or has no meaning for the model or the loads.
    ConvergenceError
        If the time step is so long that the result is worthless; `error.result` is the crossing.

    Warns
    -----
    StepWarning
        If the time step is too long for the modes that move or for the spans; the message names a shorter
        one.

    Notes
    -----
    Modal equations q'' + 2 zeta omega q' + omega^2 q = sum of F_j phi(v t - d_j). Wheels and vehicles
    start in static equilibrium on a rigid track and follow it in rigid contact until they lift off; on
    elements and differences they march condensed, by all modes of the model. If the first axle has a
    distance, it runs that far over the approach before it reaches the beam. At t = 0 each vehicle is in
    static equilibrium on the rail heights under its wheels; the wheels have the velocity V dr/dx of the rail
    r(x) there and the sprung masses none, so that a rail that does not begin level and straight under a wheel
    excites the vehicle at the start.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> c = tr.moving_load(beam, [(100e3, 0.0)], speed=30.0, size=5)
    >>> peak = c.largest("deflection", 10.0)
    >>> print(f"{peak.value * 1e3:.2f} mm at t = {peak.time:.2f} s")
    12.57 mm at t = 0.36 s
    """
    check_beam(beam)
    kind, cars = checks.choice("model", model, MODELS), read_train(loads)
    plausibility.check_axle_forces(cars.constant_forces, beam.mass)
    n = SIZES[kind] if size is None else checks.count("size", size)
    step, failure = checked_step(dt, rtol), str(checks.choice("on_failure", on_failure, FAILURES))
    end = None if t_end is None else checks.positive("t_end", t_end, "s")
    corrected, way = check_residual(kind, residual, n > 1), read_travel(speed, end)
    searched = isinstance(step, Accuracy)
    if cars.vehicles or kind == "modes":
        _require_no_method(kind, method, options)
    if not cars.vehicles:
        refuse_given("has no effect on forces; give wheels.", irregularity=irregularity, gravity=gravity)
    if cars.vehicles:
        g = GRAVITY if gravity is None else checks.positive("gravity", gravity, "m/s2")
        modes = n if kind == "modes" else SIZES["modes"]
        rough = check_irregularity(irregularity)
        first = condensed_step(beam, cars, modes, way, end, RIGID)
        if searched:
            first = min(
                default_step(beam, cars, modes, way, end, FEWEST), TRIAL * flaw_step(rough, cars, way, end)
            )

        def march(times: Schedule, told: Tell | None) -> Crossing:
            return RigidWheels(beam, cars, times, rough, g, told).cross(kind, n, corrected)
    elif kind == "modes":
        first = default_step(beam, cars, n, way, end, FEWEST if searched else 0)

        def march(times: Schedule, told: Tell | None) -> Crossing:
            return _cross_modes(beam, cars, times, n, corrected, told)
    else:
        discrete, name = discretised(beam, kind, n), FORCE_METHODS[kind] if method is None else method
        first = discrete_step(discrete, name, way, end)

        def march(times: Schedule, told: Tell | None) -> Crossing:
            return _cross_nodes(beam, discrete, cars, times, kind, name, options, told)

    def march_by(length: float) -> Crossing:
        with telling(progress, "moving loads") as told:
            return march(schedule(beam, cars, way, length, end), told)

    found = march_in_steps(march_by, step, fixed_step(step) or first, judge_step, failure)
    run = require_resolved(found, failure)
    for notice in landing_notices(run):
        warn_user(notice, UserWarning)
    if step is None and cars.vehicles and kind == "modes":
        warn_of_cap(beam, n, run.dt, RIGID)
    return run


def _cross_modes(
    beam: Beam, train: Train, times: Schedule, size: int, residual: bool, told: Tell | None
) -> Crossing:
    """Plain forces by the lowest modes, which are propagated exactly."""
    began = time.perf_counter()
    basis, fine, kept = ModalBasis.of(beam, size), times.fine, times.kept
    q, p = np.zeros((fine.size, size)), np.zeros((fine.size, size))
    way, weights, made_for = pack_way(None, train, times), np.empty((size, 12)), np.array([-1.0])
    for steps in in_parts(0, fine.size - 1, told):
        march_axles(basis.bridge, way, steps, weights, made_for, q, p)
    if kept.size != fine.size:
        q, p = q[kept], p[kept]
    flexibility = ResidualFlexibility.of(beam, size) if residual else None
    return Crossing(
        t=times.t, beam=beam, model="modes", method=EXACT,
        bending=BeamMotion(basis, AxleLoads.of(beam.length, train, times), q, p, flexibility=flexibility),
        stats={"steps": fine.size - 1, "seconds": time.perf_counter() - began},
    )  # fmt: skip


def _cross_nodes(
    beam: Beam,
    discrete: DiscreteBeam,
    train: Train,
    times: Schedule,
    model: str,
    method: str,
    options: dict[str, Any],
    told: Tell | None,
) -> Crossing:
    """Plain forces by a method of `tr.methods()` on the nodes of elements or differences."""
    for name in ("every", "observe"):
        if name in options:
            raise InputError(f"unknown option {name!r}: a crossing keeps all states.")
    began, steps = time.perf_counter(), times.t.size - 1
    axles = AxleLoads.of(beam.length, train, times)
    q, v, a = march_beam(discrete, times.t, axles.places, axles.forces, method, **options)
    if told is not None:
        told(steps, steps)
    return Crossing(
        t=times.t, beam=beam, model=model, method=method,
        bending=BeamMotion(NodalBasis(discrete), axles, q, v, a),
        stats={"steps": steps, "seconds": time.perf_counter() - began},
    )  # fmt: skip


def _require_no_method(model: str, method: str | None, options: dict[str, object]) -> None:
    """Refuse a method: modes are propagated exactly, and rigid wheels march condensed on every model."""
    if model == "modes":
        if options:
            raise InputError(
                f"unknown options {sorted(options)}; modes are propagated exactly and have none."
            )
        if method is not None and not (isinstance(method, str) and method == EXACT):
            raise InputError(
                f'method = {checks.shown(method)}: modes are propagated exactly; choose model="elements" or '
                '"differences" to march by a method.'
            )
    elif (method is not None and not (isinstance(method, str) and method == CONDENSED)) or options:
        raise InputError(
            f"method = {checks.shown(method)}, options {sorted(options)}: rigid wheels march condensed on "
            'every model; leave them out, or use tr.cross with contact="hertz", which takes any method.'
        )
