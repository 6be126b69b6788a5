"""Constant forces cross the modes of a beam at many speeds: the largest responses, by compiled code."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.packed_train import MOST_STEPS, with_passages
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.crossing.sweeps.kernels.crossing_peaks import crossing_peaks
from traction.errors import InputError
from traction.outputs.progress import Tell
from traction.trains.train import Train

PER_PERIOD = 20  #: steps in the period of the highest mode
LONGEST = 1e5  #: of a train, in lengths of the beam
AFTER = 1.5  #: periods of the first mode that follow the last axle


def is_constant(cars: Train) -> bool:
    """Whether all axles are constant forces."""
    return not cars.vehicles and all(isinstance(force, float) for force, _ in cars.forces)


def sweep_forces(
    beam: Beam,
    trains: Sequence[tuple[str, Train]],
    speeds: np.ndarray,
    places: np.ndarray,
    size: int,
    dt: float | None,
    threads: int | None,
    told: Tell | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Peaks of deflection and acceleration, (trains, speeds, places, 2), and deflections at rest.

    Both are those of `size` modes alone; the deflections are (trains, places).
    """
    bridge = modal_bridge(beam, size)
    step = 2.0 * math.pi / bridge.omega[-1] / PER_PERIOD if dt is None else checks.positive("dt", dt, "s")
    seen = beam.modes(size).deflection(places).T
    cars = [_axles(name, one, beam.length) for name, one in trains]
    peaks = np.empty((len(cars), speeds.size, places.size, 2))

    def cross(i: int, j: int) -> None:
        behind, loads = cars[i]
        t = _times(bridge, behind, float(speeds[j]), step)
        crossing_peaks(bridge, t, float(speeds[j]), behind, loads, seen, peaks[i, j])

    do_all(cross, len(cars), speeds.size, threads, told)
    static = [[_at_rest(beam, bridge, car, float(x)) for x in places] for car in cars]
    return peaks, np.array(static)


def judge_sweep(beam: Beam, speeds: np.ndarray, size: int, dt: float) -> CrossingCertificate:
    """Whether steps of `dt` (s) resolve `size` modes and the fastest crossing of the shortest span."""
    span, highest = float(np.diff(beam.ends).min()), float(beam.frequencies(size)[-1])
    samples, steps = 2.0 * math.pi / (highest * dt), span / (float(speeds.max()) * dt)
    return CrossingCertificate(dt, samples_per_mode=samples, steps_per_span=steps)


def do_all(
    work: Callable[[int, int], None], trains: int, speeds: int, threads: int | None, told: Tell | None = None
) -> None:
    """Call `work` for every train and speed, in threads: one for each core unless given."""
    jobs = list(product(range(trains), range(speeds)))
    work(*jobs[0])  # compiled once, before the threads start
    if told is not None:
        told(1, len(jobs))
    count = os.cpu_count() or 1 if threads is None else checks.count("threads", threads)
    with ThreadPoolExecutor(count) as pool:
        for done, _ in enumerate(pool.map(lambda job: work(*job), jobs[1:]), 2):
            if told is not None:
                told(done, len(jobs))


def _axles(name: str, cars: Train, length: float) -> tuple[np.ndarray, np.ndarray]:
    behind = cars.places
    if behind.max() > LONGEST * length:
        raise InputError(
            f"train {name!r} is {behind.max():.6g} m long, more than {LONGEST:g} times the beam's "
            f"{length:.6g} m."
        )
    order = np.argsort(behind, kind="stable")
    forces = np.array([(force, 0.0) for force, _ in cars.forces], dtype=float)
    return behind[order], forces[order]


def _times(bridge: ModalBridge, behind: np.ndarray, speed: float, step: float) -> np.ndarray:
    end = (behind[-1] + bridge.ends[-1]) / speed + AFTER * 2.0 * math.pi / bridge.omega[0]
    if end > MOST_STEPS * step:
        raise InputError(
            f"speed = {speed:.3g} m/s makes {end / step:.3g} steps of {step:.3g} s until the last axle has "
            f"left; at most {MOST_STEPS}. Choose higher speeds, or a longer dt."
        )
    t = np.linspace(0.0, end, math.ceil(end / step) + 1)
    return with_passages(t, ((behind[:, None] + bridge.ends) / speed).ravel())


def _at_rest(beam: Beam, bridge: ModalBridge, cars: tuple[np.ndarray, np.ndarray], x: float) -> float:
    """Largest deflection at x of the modes at rest, wherever the train stands."""
    behind, loads = cars
    modes = beam.modes(bridge.omega.size)
    line = np.linspace(0.0, beam.length, 401)
    flexible = (modes.deflection(x) / bridge.omega**2) @ modes.deflection(line)
    front = np.linspace(0.0, behind[-1] + beam.length, int(200 * (behind[-1] / beam.length + 1.0)) + 1)
    total = np.zeros(front.size)
    for distance, one in zip(behind, loads[:, 0], strict=True):
        total += one * np.interp(front - distance, line, flexible, left=0.0, right=0.0)
    return float(np.abs(total).max())
