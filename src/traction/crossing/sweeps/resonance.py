"""`resonance`: the largest response of a beam to trains, over their speed."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.beams.beam_description import place_on
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.schedule import MOST_STEPS, with_passages
from traction.crossing.sweeps.kernels.crossing_peaks import crossing_peaks
from traction.errors import InputError
from traction.quantities import counted
from traction.trains.bridge import check_beam
from traction.trains.train import Train, read_train

PER_PERIOD = 20  #: steps in the period of the highest mode
LONGEST = 1e5  #: of a train, in lengths of the beam
AFTER = 1.5  #: periods of the first mode that follow the last axle

Trains = Train | Iterable[Train] | Mapping[str, Train]


@dataclass(frozen=True)
class ResonanceSpeed:
    """Where axles that are `spacing` apart meet the mode at every k-th of its periods: v = f_n D/k."""

    speed: float  #: m/s
    mode: int  #: n, from 1
    period: int  #: k
    spacing: float  #: D, m


@dataclass(frozen=True, eq=False)
class ResonanceCurve:
    """Largest magnitudes over time at a place, (trains, speeds); of the modes alone."""

    speeds: np.ndarray  #: m/s
    names: tuple[str, ...]  #: of the trains
    deflection: np.ndarray  #: m
    acceleration: np.ndarray  #: m/s2
    static: np.ndarray  #: largest deflection of these modes at rest under each train, m, (trains,)
    expected: tuple[tuple[ResonanceSpeed, ...], ...]  #: of each train, within the speeds
    x: float  #: m
    modes: int
    stats: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        span = f"{self.speeds[0]:g} to {self.speeds[-1]:g} m/s"
        trains, speeds = counted(len(self.names), "train"), counted(self.speeds.size, "speed")
        return f"<ResonanceCurve {trains}, {speeds}, {span}>"

    @property
    def amplification(self) -> np.ndarray:
        """Largest deflection over the largest at rest."""
        return self.deflection / self.static[:, None]

    def peak(self, quantity: str = "acceleration", which: int = 0) -> tuple[float, float]:
        """Speed (m/s) and size of the largest response to a train."""
        values = {"acceleration": self.acceleration, "deflection": self.deflection}[
            checks.choice("quantity", quantity, ("acceleration", "deflection"))
        ][which]
        k = int(np.argmax(values))
        return float(self.speeds[k]), float(values[k])


def resonance(
    beam: Beam,
    trains: Trains,
    speeds: ArrayLike,
    *,
    x: float | None = None,
    modes: int = 3,
    dt: float | None = None,
    threads: int | None = None,
) -> ResonanceCurve:
    """Largest deflection and acceleration at x (midspan unless given) for all trains and constant `speeds`
    (m/s).

    `trains` is a `tr.Train`, a sequence of them, or a mapping from names; their axles must be constant
    forces. The steps `dt` are 1/20 of the period of the highest of the `modes`; extrema lie on parabolas
    between them. The expected resonance speeds v = f_n D/k come from the spacing D a train has
    (`train.spacing`).
    """
    began = time.perf_counter()
    check_beam(beam)
    named = _named(trains)
    v, place = check_sweep(beam, speeds, x)
    bridge = modal_bridge(beam, checks.count("modes", modes))
    step = 2.0 * math.pi / bridge.omega[-1] / PER_PERIOD if dt is None else checks.positive("dt", dt, "s")
    seen = beam.modes(modes).deflection(np.array([place])).T
    peaks = np.empty((len(named), v.size, 1, 2))
    work = [(i, j) for i in range(len(named)) for j in range(v.size)]
    cars = [_axles(name, one, beam.length) for name, one in named.items()]

    def cross(job: tuple[int, int]) -> None:
        i, j = job
        behind, loads = cars[i]
        t = _times(bridge, behind, float(v[j]), step)
        crossing_peaks(bridge, t, float(v[j]), behind, loads, seen, peaks[i, j])

    cross(work[0])  # compiled once, before the threads start
    count = os.cpu_count() or 1 if threads is None else checks.count("threads", threads)
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(cross, work[1:]))
    return ResonanceCurve(
        v,
        tuple(named),
        peaks[:, :, 0, 0],
        peaks[:, :, 0, 1],
        np.array([_at_rest(beam, bridge, car, place) for car in cars]),
        tuple(expected_speeds(bridge.omega, one.spacing, v.min(), v.max()) for one in named.values()),
        place,
        modes,
        {"crossings": len(work), "seconds": time.perf_counter() - began},
    )


def check_sweep(beam: Beam, speeds: ArrayLike, x: float | None) -> tuple[np.ndarray, float]:
    """Speeds (m/s) and the place looked at (m), midspan unless given, on a beam that can resonate."""
    v = np.atleast_1d(checks.finite_array("speeds", speeds, unit="m/s"))
    if v.size == 0 or (v <= 0.0).any():
        raise InputError("speeds must be positive, in m/s, and at least one.")
    if beam.frequencies(1)[0] == 0.0:
        raise InputError("the beam can move as a whole: it has no resonance with trains. Support it.")
    return v, 0.5 * beam.length if x is None else place_on("x", x, beam.length)


def expected_speeds(
    omega: np.ndarray, spacing: float | None, low: float, high: float
) -> tuple[ResonanceSpeed, ...]:
    """Resonance speeds v = f_n D/k of modes (omega, rad/s) between two speeds, m/s, ascending."""
    if spacing is None:
        return ()
    found = []
    for n, f in enumerate(omega / (2.0 * math.pi)):
        first, last = math.ceil(f * spacing / high), math.floor(f * spacing / low)
        found += [ResonanceSpeed(f * spacing / k, n + 1, k, spacing) for k in range(max(first, 1), last + 1)]
    return tuple(sorted(found, key=lambda one: one.speed))


def _named(trains: Trains) -> dict[str, Train]:
    if isinstance(trains, Mapping):
        return {str(name): read_train(one) for name, one in trains.items()}
    if isinstance(trains, Train):
        return {trains.name or "train": trains}
    if not isinstance(trains, Iterable) or isinstance(trains, str):
        raise InputError(
            f'trains = {checks.shown(trains)} must be a tr.Train such as tr.Train.hslm("A1"), several, or a '
            "mapping of them."
        )
    several = [checks.instance(f"trains[{k}]", one, Train) for k, one in enumerate(trains)]
    if not several:
        raise InputError("trains is empty; give at least one.")
    return {one.name or f"train {k + 1}": one for k, one in enumerate(several)}


def _axles(name: str, cars: Train, length: float) -> tuple[np.ndarray, np.ndarray]:
    if cars.vehicles or not all(isinstance(force, float) for force, _ in cars.forces):
        raise InputError(f"train {name!r} must have constant forces only; use tr.moving_load for others.")
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
