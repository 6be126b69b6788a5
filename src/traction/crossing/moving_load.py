"""`moving_load`: forces, wheels and vehicles cross a beam."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.bridge_models.flexibility import flexibility
from traction.crossing.bridge_models.modal_bridge import modal_bridge
from traction.crossing.default_step import default_step
from traction.crossing.marches.kernels import modal_propagation as kernels
from traction.crossing.results.crossing import Crossing, ModalCrossing
from traction.crossing.schedule import Schedule, schedule
from traction.errors import InputError
from traction.trains.force import force_rates
from traction.trains.train import Train, train
from traction.trains.travel import travel

MODELS = ("modes", "elements", "differences")
GRAVITY = 9.81  #: m/s2
SIZES = {"modes": 40, "elements": 100, "differences": 100}


def moving_load(
    beam: Beam,
    loads: Any,
    speed: Any,
    *,
    model: str = "modes",
    size: int | None = None,
    method: str | None = None,
    dt: float | None = None,
    t_end: float | None = None,
    irregularity: Any = None,
    gravity: float | None = None,
    residual: bool | None = None,
    **options: Any,
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
    differences they march condensed, by all modes of these (`crossing.marches.rigid_wheels`). Where the first
    axle has a distance, it runs over that much of the approach before it reaches the beam. `gravity` (m/s2)
    is 9.81 unless given.
    """
    checks.instance("beam", beam, Beam)
    kind = checks.choice("model", model, MODELS)
    cars = train(loads)
    n = SIZES[kind] if size is None else checks.count("size", size)
    step = None if dt is None else checks.positive("dt", dt, "s")
    t_end = None if t_end is None else checks.positive("t_end", t_end, "s")
    if not cars.vehicles:
        _nothing_for_wheels(irregularity=irregularity, gravity=gravity)
    way = travel(speed, t_end)
    g = GRAVITY if gravity is None else checks.positive("gravity", gravity, "m/s2")
    if kind != "modes":
        from traction.crossing.marches.discrete_load import cross_discrete
        from traction.crossing.marches.discrete_wheels import cross_rigid_wheels

        if residual is not None:
            raise InputError("residual is given, but belongs to modes; leave it out.")
        given = {"model": kind, "size": n, "method": method, "dt": step, "t_end": t_end, **options}
        if not cars.vehicles:
            return cross_discrete(beam, cars, way, **given)
        return cross_rigid_wheels(beam, cars, way, irregularity=irregularity, gravity=g, **given)
    _require_exact(method, options)
    corrected = n > 1 if residual is None else checks.flag("residual", residual)
    if cars.vehicles:
        from traction.crossing.marches.rigid_wheels import cross_coupled

        return cross_coupled(
            beam, cars, way, size=n, dt=step, t_end=t_end, irregularity=irregularity, gravity=g,
            residual=corrected,
        )  # fmt: skip
    h = default_step(beam, cars, n, way, t_end) if step is None else step
    times = schedule(beam, cars, way, h, t_end)
    return _march_modes(beam, cars, times, n, corrected)


def _require_exact(method: str | None, options: dict[str, Any]) -> None:
    """Modes have no method to choose."""
    if options:
        raise InputError(f"unknown options {sorted(options)}; modes are propagated exactly and have none.")
    if method not in (None, "exact"):
        raise InputError(
            f'method = {checks.shown(method)}: modes are propagated exactly; choose model="elements" or '
            '"differences" to march by a method.'
        )


def _march_modes(beam: Beam, cars: Train, times: Schedule, size: int, residual: bool) -> ModalCrossing:
    began = time.perf_counter()
    bridge = modal_bridge(beam, size)
    fine = times.fine
    steady = all(isinstance(load, float) for load, _ in cars.forces)
    sampled = fine[:1] if steady else fine
    step = float(times.t[1])
    loads = np.stack([force_rates(load, sampled, step) for load, _ in cars.forces], axis=2)
    q, p = np.zeros((fine.size, size)), np.zeros((fine.size, size))
    kernels.march_axles(
        bridge,
        fine,
        times.travel.place(fine),
        times.travel.speed(fine),
        times.behind,
        np.ascontiguousarray(loads[:2].transpose(1, 2, 0)),
        q,
        p,
    )
    kept = times.kept
    here = np.broadcast_to(loads if steady else loads[:, kept], (3, times.t.size, len(cars.forces)))
    return ModalCrossing(
        t=times.t,
        beam=beam,
        places=times.places,
        forces=np.array(here[0]),
        model="modes",
        method="exact",
        stats={"steps": fine.size - 1, "seconds": time.perf_counter() - began},
        modes=beam.modes(size),
        modal=q if kept.size == fine.size else q[kept],
        modal_velocity=p if kept.size == fine.size else p[kept],
        force_rates=np.array(here[1:]),
        motion=times.motion,
        bridge=bridge,
        flexibility=flexibility(beam, bridge.omega) if residual else None,
    )


def _nothing_for_wheels(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} is given, but the loads are forces, which do not feel it; give wheels.")
