"""Compile all kernels before they are needed: small first calls of everything, shared among processes.

The compiler works on one kernel at a time in a process, so several processes are what uses several cores. A
call begins when those are done whose kernels it also needs: they come from the cache then, and are compiled
once.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numba
import numpy as np

import traction as tr

STEEL_PAIR = tr.Pair(tr.STEEL, tr.STEEL)
CREEPAGE = (1e-3, 0.0, 0.0)


@dataclass(frozen=True)
class FirstCall:
    """A small call of the public interface, and the names of calls whose kernels it shares."""

    name: str
    call: Callable[[], object]
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class WarmedUp:
    """How a first call went; `error` is empty when it went well."""

    name: str
    seconds: float
    error: str = ""


def warm_up(calls: Sequence[FirstCall], workers: int | None = None) -> Iterator[WarmedUp]:
    """Make all calls in `workers` processes (one for each core), telling of each one as it ends."""
    waiting = list(calls)
    running: dict[Future[WarmedUp], FirstCall] = {}
    count = max(1, min(workers or os.cpu_count() or 1, len(waiting)))
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_silence)
    try:
        while waiting or running:
            for call in calls_to_start(waiting, list(running.values()), count - len(running)):
                waiting.remove(call)
                running[pool.submit(make_call, call)] = call
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield _outcome(future, running.pop(future))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _silence() -> None:
    """Who warms up knows that kernels are compiled."""
    logging.getLogger("traction.compiled").setLevel(logging.ERROR)


def calls_to_start(waiting: Sequence[FirstCall], running: Sequence[FirstCall], idle: int) -> list[FirstCall]:
    """Calls whose kernels are not being compiled, in their order, as many as processes are idle.

    Calls that wait for each other would wait for ever: the first of them goes.
    """
    pending = {call.name for call in (*waiting, *running)}
    ready = [call for call in waiting if not pending.intersection(call.after)]
    if not ready and not running:
        ready = list(waiting[:1])
    return ready[:idle]


def _outcome(future: Future[WarmedUp], call: FirstCall) -> WarmedUp:
    error = future.exception()
    return future.result() if error is None else WarmedUp(call.name, 0.0, f"{type(error).__name__}: {error}")


def make_call(call: FirstCall) -> WarmedUp:
    """Make a call and time it."""
    began = time.perf_counter()
    try:
        call.call()
        error = ""
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"
    return WarmedUp(call.name, time.perf_counter() - began, error)


def _press() -> tr.NormalContact:
    grid = tr.Grid.around(7e-3, 7e-3, 32, 32)
    return tr.press(tr.Sphere(0.46).gap(grid), grid, STEEL_PAIR, force=1e5)


def _press_line() -> None:
    contact = tr.press(tr.Cylinder(0.5), tr.Grid.line(40, 2e-5, length=0.1), STEEL_PAIR, force=1e4)
    contact.stress([[0.0, 0.0, -1e-4]])
    wheel = tr.Wheel(0.2, 100.0, profile=tr.Cylinder(0.2))
    bridge = tr.Bridge(tr.Beam(2.0, 2e6, 400.0), tr.STEEL)
    tr.rest(wheel, bridge, 0.8, 2e5, grid=tr.Grid.line(40, 6e-5, length=0.5))


def _look_inside() -> None:
    contact, below = _press(), [[0.0, 0.0, -1e-4]]
    contact.stress(below)
    contact.stress(np.stack([*contact.grid.mesh(), 0.0 * contact.pressure - 1e-4], axis=-1))
    contact.displacement(tr.Grid(9, 7, 1.7e-4, 2.3e-4))
    grid, bodies, uniform = contact.grid, contact.pair, 0.0 * contact.pressure + 1e6
    tr.subsurface_displacement(below, grid, [uniform] * 3, bodies, body=2)
    tr.HalfSpace(grid, bodies).direct("z", "z", uniform)


def _creep(name: str, **given: Any) -> Any:
    """A friction problem of the ball by its name."""
    return getattr(tr, name)(_press(), 0.3, **given)


def _roll() -> None:
    tr.roll(_creep("roll_steady", creepage=CREEPAGE), 0.3, distance=1e-4, creepage=CREEPAGE)


def _batch() -> None:
    contact, creepages = _press(), np.tile(CREEPAGE, (8, 1))
    grid = tr.Grid(16, 16, 6e-4, 6e-4)
    tr.Batch(grid, STEEL_PAIR).press(tr.Sphere(0.46), forces=1e5)
    for precision in ("float64", "mixed"):
        tr.Batch(contact.grid, STEEL_PAIR, precision=precision).roll_steady(contact, 0.3, creepages)
    law = tr.friction.linear(0.2, (0.1, 1.0))
    tr.Batch(contact.grid, STEEL_PAIR).roll_steady(contact, law, creepages, speed=10.0)


def _wheel_rail() -> None:
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), 0.46)
    track = tr.Track(tr.Profile.standard("60E1"), cant=0.025)
    tr.wheel_rail(wheelset, track, force=1e5, dx=6e-4, dy=6e-4)
    tr.contact_functions(wheelset, track, [0.0])


def _integrate() -> None:
    force = numba.njit(lambda t, q: -q)
    for name in tr.methods():
        tr.integrate(tr.SecondOrderSystem(1.0, force, 1.0), name, 0.05, 0.5)


def _bounce(contact: str) -> None:
    tr.bounce(0.01, STEEL_PAIR, 0.01, contact=contact, elements=16, t_end=0.1)


def _beam() -> tr.Beam:
    return tr.Beam(20.0, 2e11 * 0.0104, 7900.0)


def _wheel() -> tr.Wheel:
    return tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))


def _moving_load(model: str) -> None:
    tr.moving_load(_beam(), [(_wheel(), 0.0)], 30.0, model=model, t_end=0.02)
    tr.moving_load(_beam(), [(1e5, 0.0)], 30.0, model=model, size=10, t_end=0.02)


def _moving_load_explicit() -> None:
    tr.moving_load(_beam(), [(1e5, 0.0)], 30.0, model="differences", size=10, method="rk4", t_end=0.02)


def _vibrate(model: str) -> None:
    beam = _beam()
    beam.vibrate(beam.bend([(1e5, 8.0)]), model=model, size=10, t_end=0.02, dt=2e-3)
    beam.elements(10).frequencies(3)


def _cross(contact: str, *, supports: Any = ("pinned", "pinned"), **options: Any) -> None:
    bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=supports), tr.STEEL)
    given = {"contact": contact, "dt": 2e-4, "t_end": 0.01, **options}
    crossing = tr.cross(bridge, [(_wheel(), 0.0)], 30.0, **given)
    if isinstance(crossing, tr.ContactCrossing):
        _ = crossing.energies


def _cross_soft_ends() -> None:
    _cross("hertz", supports=(tr.Support(3e8, 0.0),) * 2)


def _cross_driven() -> None:
    _cross("hertz", drive=tr.Drive(force=1e4, elements=12), t_end=0.004)


def _ball(**given: Any) -> tr.Striker:
    return tr.Striker(0.033, 0.01, **(given or {"radius": 0.01, "pair": STEEL_PAIR}))


def _struck_beam() -> tr.Beam:
    return tr.Beam(0.1535, 2.1e11 * 8.3e-10, 0.78)


def _impact(method: str) -> None:
    history = tr.impact(_struck_beam(), 0.07, _ball(), method=method, modes=20, t_end=1e-4)
    history.deflection(0.05, 5e-5)


def _impact_half_space() -> None:
    law = tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(16, 16, 3e-5, 3e-5), STEEL_PAIR)
    tr.impact(_struck_beam(), 0.07, _ball(law=law), modes=20, t_end=1e-4)


def _impact_sweep() -> None:
    tr.impact_sweep(_struck_beam(), 0.07, _ball(), speed=[0.01, 0.02], modes=12, t_end=1e-4, workers=1)


def _resonance() -> None:
    tr.resonance(_beam(), tr.Train.hslm("A1"), [60.0, 70.0])


def _belt() -> None:
    tr.belt_oscillator(1.0, 1e3, 10.0, tr.friction.exponential(0.25, (0.15, 0.05)), 0.1, t_end=0.02)


#: the longest first, so that no process is left alone with one at the end
FIRST_CALLS = (
    FirstCall("press", _press),
    FirstCall("moving_load", partial(_moving_load, "modes")),
    FirstCall("roll_steady", partial(_creep, "roll_steady", creepage=CREEPAGE), ("press",)),
    FirstCall("cross, half-space", partial(_cross, "half-space"), ("press", "moving_load")),
    FirstCall("integrate", _integrate),
    FirstCall("impact", partial(_impact, "modal"), ("moving_load",)),
    FirstCall("impact, small increments", partial(_impact, "small-increment"), ("impact",)),
    FirstCall("shift", partial(_creep, "shift", displacement=(1e-6, 0.0, 0.0)), ("press", "roll_steady")),
    FirstCall("roll", _roll, ("press", "roll_steady")),
    FirstCall("wheel_rail", _wheel_rail, ("press", "roll_steady")),
    FirstCall("batch", _batch, ("press", "roll_steady")),
    FirstCall("cross, hertz", partial(_cross, "hertz"), ("cross, half-space",)),
    FirstCall("cross, rigid", partial(_cross, "rigid"), ("cross, hertz",)),
    FirstCall("moving_load, elements", partial(_moving_load, "elements"), ("moving_load",)),
    FirstCall("bounce", partial(_bounce, "hertz"), ("integrate",)),
    FirstCall("bounce, half-space", partial(_bounce, "half-space"), ("press", "bounce")),
    FirstCall("fastsim", partial(_creep, "fastsim", creepage=CREEPAGE), ("press", "roll_steady")),
    FirstCall("fastrip", partial(_creep, "fastrip", creepage=CREEPAGE), ("fastsim",)),
    FirstCall("belt_oscillator", _belt),
    FirstCall("resonance", _resonance, ("moving_load",)),
    FirstCall("press, line", _press_line, ("press",)),
    FirstCall("stress", _look_inside, ("press",)),
    FirstCall("vibrate", partial(_vibrate, "modes"), ("moving_load",)),
    FirstCall("vibrate, differences", partial(_vibrate, "differences"), ("vibrate",)),
    FirstCall("moving_load, explicit", _moving_load_explicit, ("moving_load, elements",)),
    FirstCall("cross, elements", partial(_cross, "hertz", model="elements", size=10), ("cross, hertz",)),
    FirstCall("cross, verlet", partial(_cross, "hertz", method="verlet", size=8), ("cross, elements",)),
    FirstCall("cross, residual", partial(_cross, "hertz", residual=True, size=8), ("cross, hertz",)),
    FirstCall("cross, soft ends", _cross_soft_ends, ("cross, hertz",)),
    FirstCall("cross, driven", _cross_driven, ("cross, hertz", "roll")),
    FirstCall("impact, energy", partial(_impact, "energy"), ("impact",)),
    FirstCall("impact, picard", partial(_impact, "picard"), ("impact",)),
    FirstCall("impact, half-space", _impact_half_space, ("impact", "press")),
    FirstCall("impact, sweep", _impact_sweep, ("impact",)),
)
