"""`resonance`: the largest response of a beam to trains, over their speed."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping
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
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.quantities import counted
from traction.trains.bridge import check_beam
from traction.trains.train import Train, read_train

PER_PERIOD = 20  #: steps in the period of the highest mode
LONGEST = 1e5  #: of a train, in lengths of the beam
AFTER = 1.5  #: periods of the first mode that follow the last axle

Trains = Train | Iterable[Train] | Mapping[str, Train]


@dataclass(frozen=True)
class ResonanceSpeed:
    """Resonance speed v = f_n D/k, at which axles with the spacing D pass at every k-th period of a mode."""

    speed: float  #: v, m/s
    mode: int  #: number of the mode n, from 1
    period: int  #: number of periods k
    spacing: float  #: D, m


@dataclass(frozen=True, eq=False, repr=False)
class ResonanceCurve(Result):
    """Result of `tr.resonance`: largest magnitudes over time at a position, (trains, speeds)."""

    _rows, _drawn = ("speed",), "acceleration"

    speeds: np.ndarray  #: speeds, m/s
    names: tuple[str, ...]  #: names of the trains
    deflection: np.ndarray  #: largest deflection, m
    acceleration: np.ndarray  #: largest acceleration, m/s2
    static: np.ndarray  #: largest static deflection of these modes under each train, m, (trains,)
    expected: tuple[tuple[ResonanceSpeed, ...], ...]  #: resonance speeds of each train, within the speeds
    x: float  #: output position, m
    modes: int  #: number of modes
    stats: dict[str, float] = field(default_factory=dict)  #: steps and seconds

    def _headline(self) -> str:
        span = f"{self.speeds.min():g} to {self.speeds.max():g} m/s"
        trains, speeds = counted(len(self.names), "train"), counted(self.speeds.size, "speed")
        return f"{trains}, {speeds}, {span}"

    def _variables(self) -> Iterator[Variable]:
        for name, unit in (("acceleration", "m/s2"), ("deflection", "m")):
            speed, size = self.peak(name)
            yield figure(f"peak_{name}", size, unit, f"largest {name}")
            yield figure(f"peak_{name}_speed", speed, "m/s", "at speed")
        yield number("modes", self.modes, "1", "modes of the beam")
        yield axis("speed", self.speeds, "m/s", "speed")
        yield axis("train", np.array(self.names), "", "train")
        yield number("x", self.x, "m", "output position")
        yield data("static", self.static, "m", "largest deflection at rest", "train")
        for name, unit, words in self._responses():
            yield data(name, getattr(self, name).swapaxes(0, 1), unit, words, "speed", "train")

    def _responses(self) -> Iterator[tuple[str, str, str]]:
        """Names, units and long names of the responses over trains and speeds."""
        yield "deflection", "m", "largest deflection"
        yield "acceleration", "m/s2", "largest acceleration"
        yield "amplification", "1", "largest deflection over the largest at rest"

    @property
    def amplification(self) -> np.ndarray:
        """Largest deflection over the largest static one."""
        return self.deflection / self.static[:, None]

    def peak(self, quantity: str = "acceleration", which: int = 0) -> tuple[float, float]:
        """Return speed (m/s) and value of the largest `quantity` of the train of index `which`."""
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
    """Return the largest deflection and acceleration of a beam under trains over their speed.

    Parameters
    ----------
    beam
        The beam.
    trains
        `tr.Train` of constant forces, a sequence of them, or a mapping from names.
    speeds
        Constant speeds v, m/s.
    x
        Output position, m; midspan by default.
    modes
        Number of modes.
    dt
        Time step, s; 1/20 of the period of the highest mode by default.
    threads
        Number of threads; one for each core by default.

    Returns
    -------
    ResonanceCurve
        Peaks over speed, and the expected resonance speeds.

    Raises
    ------
    InputError
        If a train has wheels or varying forces, or an argument is out of range.

    Notes
    -----
    Resonance speeds v = f_n D/k follow from the spacing D of the train (`train.spacing`). Extrema lie on
    parabolas
    between the steps.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.02)
    >>> curve = tr.resonance(beam, tr.Train.hslm("A1"), np.linspace(20.0, 60.0, 21))
    >>> speed, largest = curve.peak("acceleration")
    >>> first = max(one.speed for one in curve.expected[0] if one.mode == 1)
    >>> print(f"peak at {speed:.0f} m/s, f_1 D = {first:.1f} m/s")
    peak at 36 m/s, f_1 D = 36.3 m/s
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
    """Speeds (m/s) and output position (m), midspan by default, on a beam that can resonate."""
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
    """Largest static deflection at x of the modes, for all positions of the train."""
    behind, loads = cars
    modes = beam.modes(bridge.omega.size)
    line = np.linspace(0.0, beam.length, 401)
    flexible = (modes.deflection(x) / bridge.omega**2) @ modes.deflection(line)
    front = np.linspace(0.0, behind[-1] + beam.length, int(200 * (behind[-1] / beam.length + 1.0)) + 1)
    total = np.zeros(front.size)
    for distance, one in zip(behind, loads[:, 0], strict=True):
        total += one * np.interp(front - distance, line, flexible, left=0.0, right=0.0)
    return float(np.abs(total).max())
