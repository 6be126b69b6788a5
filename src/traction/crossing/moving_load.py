"""`moving_load`: forces, wheels and vehicles cross a beam."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from traction import checks, plausibility
from traction.beams.beam import Beam
from traction.crossing.bridge_models.bridge_model import discretised
from traction.crossing.choices import CONDENSED, EXACT, FORCE_METHODS, GRAVITY, MODELS, SIZES, check_residual
from traction.crossing.default_step import condensed_step, default_step, discrete_step
from traction.crossing.marches import plain_axles
from traction.crossing.marches.rigid_wheels import RigidWheels
from traction.crossing.results.crossing import Crossing
from traction.crossing.schedule import schedule
from traction.errors import InputError
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
    dt: float | None = None,
    t_end: float | None = None,
    irregularity: Irregularity | None = None,
    gravity: float | None = None,
    residual: bool | None = None,
    **options: object,
) -> Crossing:
    """Axles cross a beam that is at rest when the first one enters it, at t = 0.

    `loads` are pairs (force or `tr.Wheel`, distance behind the first axle in m) or a `tr.Train`; forces in N
    are positive downwards, numbers or functions of time (`tr.HarmonicAxle`). `speed` is a number (m/s), a
    function of time, or (times, places) of the first axle. The run ends when the last axle has left, or at
    `t_end` (s).

    `model` is "modes" (exact modes, exactly propagated; `size` of them, 40 unless given), "elements" or
    "differences" (`size` elements or cells, 100 unless given), which march by `method` with its `options`.
    With `residual` the modes left out take part as if at rest, so that few modes give many digits; it is so
    unless one mode only is asked for, which is the oscillator of bridge codes.

    `dt` (s) of modes is by default the least of 1/16 of the time in which an axle passes the shortest wave,
    1/20 of the period of the tenth mode, 1/40 of that of a harmonic force, and 1/20,000 of the run. It sets
    the times kept and the interpolation of the modal forces (fourth order), not the motion of the modes,
    which is exact for any step.

    Wheels and vehicles stand in equilibrium on a rigid track before and behind the beam and keep rigid
    contact, over the `irregularity` of the rail if one is given, until they lift off; on elements and
    differences they march condensed, by all modes of these. Where the first axle has a distance, it runs over
    that much of the approach before it reaches the beam. `gravity` (m/s2) is 9.81 unless given.
    """
    check_beam(beam)
    kind, cars = checks.choice("model", model, MODELS), read_train(loads)
    plausibility.check_axle_forces(cars.constant_forces, beam.mass)
    n = SIZES[kind] if size is None else checks.count("size", size)
    step = None if dt is None else checks.positive("dt", dt, "s")
    end = None if t_end is None else checks.positive("t_end", t_end, "s")
    corrected, way = check_residual(kind, residual, n > 1), read_travel(speed, end)
    if cars.vehicles:
        _require_no_method(kind, method, options)
        g = GRAVITY if gravity is None else checks.positive("gravity", gravity, "m/s2")
        modes = n if kind == "modes" else SIZES["modes"]
        times = schedule(beam, cars, way, step or condensed_step(beam, cars, modes, way, end), end)
        wheels = RigidWheels(beam, cars, times, check_irregularity(irregularity), g)
        return wheels.cross_modes(n, corrected) if kind == "modes" else wheels.cross_nodes(kind, n)
    _refuse_for_forces(irregularity=irregularity, gravity=gravity)
    if kind == "modes":
        _require_no_method(kind, method, options)
        times = schedule(beam, cars, way, step or default_step(beam, cars, n, way, end), end)
        return plain_axles.cross_modes(beam, cars, times, n, corrected)
    discrete, name = discretised(beam, kind, n), FORCE_METHODS[kind] if method is None else method
    times = schedule(beam, cars, way, step or discrete_step(discrete, name, way, end), end)
    return plain_axles.cross_nodes(beam, discrete, cars, times, model=kind, method=name, options=options)


def _require_no_method(model: str, method: str | None, options: dict[str, object]) -> None:
    """Modes are propagated exactly, and rigid wheels march condensed on every model."""
    if model == "modes":
        if options:
            raise InputError(
                f"unknown options {sorted(options)}; modes are propagated exactly and have none."
            )
        if method not in (None, EXACT):
            raise InputError(
                f'method = {checks.shown(method)}: modes are propagated exactly; choose model="elements" or '
                '"differences" to march by a method.'
            )
    elif method not in (None, CONDENSED) or options:
        raise InputError(
            f"method = {method!r}, options {sorted(options)}: rigid wheels march condensed on every model; "
            'leave them out, or use tr.cross with contact="hertz", which takes any method.'
        )


def _refuse_for_forces(**given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} is given, but the loads are forces, which do not feel it; give wheels.")
