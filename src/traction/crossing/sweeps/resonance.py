"""`resonance`: the largest response of a beam to trains, over their speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from traction import checks, plausibility
from traction.beams.beam import Beam
from traction.beams.beam_description import place_on
from traction.beams.exact.statics import influence_line
from traction.crossing.choices import GRAVITY, MODELS, SIZES
from traction.crossing.moving_load import Loads, moving_load
from traction.crossing.results.crossing import Crossing
from traction.crossing.sweeps.force_sweep import AFTER, do_all, is_constant, judge_sweep, sweep_forces
from traction.errors import InputError, StepWarning, warn_user
from traction.outputs.progress import Progress, telling
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.quantities import counted
from traction.trains.bridge import check_beam
from traction.trains.irregularity import Irregularity
from traction.trains.train import Axles, Train, read_train

USUAL_MODES = 3  #: of a beam under forces or wheels
EXPECTED_MODES = 3  #: of which resonance speeds are listed where the beam has nodes
STANDS = 801  #: of a train at rest
LEAST_SAMPLES = 2  #: in a period of the first mode, below which peaks are worthless

Trains = Train | Axles | Iterable[Train] | Mapping[str, Loads]


@dataclass(frozen=True)
class ResonanceSpeed:
    """Resonance speed v = f_n D/k, at which axles with the spacing D pass at every k-th period of a mode."""

    speed: float  #: m/s
    mode: int  #: n, from 1
    period: int  #: k
    spacing: float  #: D, m


class CurvePeak(tuple[float, float]):
    """The largest response of a curve: a pair (speed in m/s, value) that knows its train and position."""

    x: float  #: position of the peak, m
    train: str  #: name of the train
    at_edge: bool  #: whether the speed is the lowest or the highest: beyond it there may be more

    def __new__(cls, speed: float, value: float, x: float, train: str, at_edge: bool = False) -> CurvePeak:
        """A pair with further attributes."""
        peak = super().__new__(cls, (speed, value))
        peak.x, peak.train, peak.at_edge = x, train, at_edge
        return peak

    def __getnewargs__(self) -> tuple[float, float, float, str, bool]:
        """What a copy is made of."""
        return self[0], self[1], self.x, self.train, self.at_edge

    @property
    def speed(self) -> float:
        """Speed of the train, m/s."""
        return self[0]

    @property
    def value(self) -> float:
        """Largest response."""
        return self[1]


@dataclass(frozen=True, eq=False, repr=False)
class ResonanceCurve(Result):
    """Result of `tr.resonance`: largest magnitudes over time, (trains, speeds), at one place.

    At several places arrays are (trains, speeds, places), and `static` is (trains, places).
    """

    _rows, _drawn = ("speed",), "acceleration"

    speeds: np.ndarray  #: speeds, m/s
    names: tuple[str, ...]  #: names of the trains
    deflection: np.ndarray  #: largest deflection, m
    acceleration: np.ndarray  #: largest acceleration, m/s2
    static: np.ndarray  #: largest deflection at rest under each train, m, (trains,)
    expected: tuple[tuple[ResonanceSpeed, ...], ...]  #: of each train, within the speeds
    x: float | np.ndarray  #: output position or positions, m
    modes: int  #: modes of the beam, or its elements or cells
    stats: dict[str, float] = field(default_factory=dict)  #: crossings and seconds

    def _headline(self) -> str:
        span = f"{self.speeds.min():g} to {self.speeds.max():g} m/s"
        trains, speeds = counted(len(self.names), "train"), counted(self.speeds.size, "speed")
        where = f"at {np.size(self.x)} positions" if np.ndim(self.x) else f"at x = {self.x:.6g} m"
        return f"{trains}, {speeds}, {span}, {where}"

    def _variables(self) -> Iterator[Variable]:
        for name, unit in (("acceleration", "m/s2"), ("deflection", "m")):
            found = max((self.peak(name, k) for k in range(len(self.names))), key=lambda one: one.value)
            of = f" ({found.train})" if len(self.names) > 1 else ""
            yield figure(f"peak_{name}", found.value, unit, f"largest {name}{of}")
            at = "at the edge of the sweep, speed" if found.at_edge else "at speed"
            yield figure(f"peak_{name}_speed", found.speed, "m/s", at)
            if np.ndim(self.x):
                yield figure(f"peak_{name}_x", found.x, "m", "at x")
        yield number("modes", self.modes, "1", "modes of the beam, or elements or cells")
        yield axis("speed", self.speeds, "m/s", "speed")
        yield axis("train", np.array(self.names), "", "train")
        several = ("x",) if np.ndim(self.x) else ()
        yield Variable("x", self.x, "m", "output position", several)
        yield data("static", self.static, "m", "largest deflection at rest", "train", *several)
        for name, unit, words in self._responses():
            values = getattr(self, name)
            yield data(name, values, unit, words, "train", "speed", *several[: values.ndim - 2])

    def _responses(self) -> Iterator[tuple[str, str, str]]:
        """Names, units and long names of the responses over trains and speeds."""
        yield "deflection", "m", "largest deflection"
        yield "acceleration", "m/s2", "largest acceleration"
        yield "amplification", "1", "largest deflection over the largest at rest"

    @property
    def amplification(self) -> np.ndarray:
        """Largest deflection over the largest static one."""
        return self.deflection / self.static[:, None]

    def peak(self, quantity: str = "acceleration", which: int = 0) -> CurvePeak:
        """Return speed (m/s) and value of the largest `quantity` of the train of index `which`.

        It is a pair that also has the names `speed`, `value`, `train`, `x`, the position (m) of the peak
        among those of the curve, and `at_edge`: whether the speed is the lowest or the highest of the curve,
        so that it is no maximum of its own and the response may rise beyond it.
        """
        values = getattr(self, checks.choice("quantity", quantity, ("acceleration", "deflection")))[which]
        k, at = np.unravel_index(int(np.argmax(values)), (self.speeds.size, np.size(self.x)))
        x = float(np.atleast_1d(self.x)[at])
        edge = bool(self.speeds[k] in (self.speeds.min(), self.speeds.max()))
        return CurvePeak(float(self.speeds[k]), float(values.max()), x, self.names[which], edge)


def resonance(
    beam: Beam,
    trains: Trains,
    speeds: ArrayLike,
    *,
    x: ArrayLike | None = None,
    model: str = "modes",
    size: int | None = None,
    modes: int | None = None,
    residual: bool | None = None,
    method: str | None = None,
    dt: float | str | None = None,
    threads: int | None = None,
    progress: Progress | bool | None = None,
    irregularity: Irregularity | None = None,
    gravity: float | None = None,
    **options: object,
) -> ResonanceCurve:
    """Return the largest deflection and acceleration of a beam under trains, over their speed.

    Each run ends 1.5 periods of the first mode after the last axle has left.

    Parameters
    ----------
    beam
        Beam that the trains cross, at rest when the first axle enters it.
    trains
        What `tr.moving_load` takes as loads: a `tr.Train` or pairs (force in N, `tr.Wheel` or vehicle,
        distance behind the first axle in m); or a sequence of trains, or a mapping from names to either.
    speeds
        Constant speeds, m/s.
    x
        Output position or positions along the beam, m; midspan unless given.
    model, method, irregularity, gravity, options
        As in `tr.moving_load`; its `t_end` is set for each speed.
    modes, size
        Number of modes, 3 unless given; `size` is the same, and of the other models the number of elements or
        cells, 100 unless given.
    residual
        Whether to include the static response of the neglected modes; False by default.
    dt
        Step, s. For constant forces on modes 1/20 of the period of the highest mode, and extrema lie on
        cubics through values and rates at the ends of each step; for all others as in `tr.moving_load`, as
        is "auto", with `rtol`.
    threads
        Number of threads, one for each core unless given.
    progress
        Function called with the number of completed crossings and their total; True, False and the
        default are those of `tr.simulate`.

    Returns
    -------
    ResonanceCurve
        Largest responses, (trains, speeds) or (trains, speeds, places), and the expected resonance speeds
        v = f_n D/k of trains with a spacing D.

    Raises
    ------
    InputError
        If speeds are not positive, a place lies off the beam, the beam can move as a whole, `t_end` is
        given, or `dt` is so long that the peaks are worthless.

    Warns
    -----
    StepWarning
        If `dt` is too long for the modes or the fastest crossing; the message names a shorter one.

    Notes
    -----
    Constant forces on modes alone are swept by one compiled call per crossing. Harmonic forces, wheels and
    vehicles, residual modes, elements and differences cross one at a time by `tr.moving_load`.

    Examples
    --------
    >>> bridge = tr.Beam(20.0, 2e10, 1e4, supports=("pinned", "pinned"), damping=0.01)
    >>> curve = tr.resonance(bridge, tr.Train.hslm("A1"), [60.0, 70.0, 80.0], x=[5.0, 10.0])
    >>> curve.acceleration.shape
    (1, 3, 2)
    """
    began = time.perf_counter()
    check_beam(beam)
    named, (v, places) = tuple(_named(trains).items()), check_sweep(beam, speeds, x)
    for _, cars in named:
        plausibility.check_axle_forces(cars.constant_forces, beam.mass)
    kind = checks.choice("model", model, MODELS)
    n = _check_size(kind, modes, size)
    if residual is not None:
        checks.flag("residual", residual)
    if "t_end" in options:
        raise InputError("t_end is set by resonance for each speed; omit it.")
    further = {"method": method, "irregularity": irregularity, "gravity": gravity, **options}
    plain = kind == "modes" and not residual and not any(value is not None for value in further.values())
    with telling(progress, "crossings") as told:
        if plain and not isinstance(dt, str) and all(is_constant(cars) for _, cars in named):
            require_step(beam, v, n, dt)
            peaks, static = sweep_forces(beam, named, v, places, n, dt, threads, told)
        else:
            alone = False if residual is None and kind == "modes" else residual
            given = {**further, "model": kind, "size": n, "dt": dt, "residual": alone, "progress": False}
            peaks, every = np.empty((len(named), v.size, places.size, 2)), [cars for _, cars in named]

            def cross(i: int, j: int) -> None:
                end = end_of_crossing(beam, every[i], float(v[j]))
                run = moving_load(beam, every[i], float(v[j]), t_end=end, **given)  # type: ignore[arg-type]
                peaks[i, j] = peaks_at(run, places)

            do_all(cross, len(every), v.size, threads, told)
            static = static_deflections(beam, every, places, gravity or GRAVITY)
    omega = beam.frequencies(n if kind == "modes" else EXPECTED_MODES)
    at = slice(None) if np.ndim(0.0 if x is None else x) else 0
    return ResonanceCurve(
        v, tuple(name for name, _ in named), peaks[:, :, at, 0], peaks[:, :, at, 1], static[:, at],
        tuple(expected_speeds(omega, cars.spacing, v.min(), v.max()) for _, cars in named),
        float(places[0]) if at == 0 else places, n,
        {"crossings": len(named) * v.size, "seconds": time.perf_counter() - began},
    )  # fmt: skip


def require_step(beam: Beam, speeds: np.ndarray, size: int, dt: float | None) -> None:
    """Refuse a given step (s) with which the peaks of constant forces are worthless; warn of a long one."""
    if dt is None:
        return
    found = judge_sweep(beam, speeds, size, checks.positive("dt", dt, "s"))
    first = 2.0 * math.pi / float(beam.frequencies(1)[0])
    if not found.usable or LEAST_SAMPLES * dt > first:
        raise InputError(f"{found.message}{'; the peaks would be worthless' if found.usable else ''}.")
    if not found.holds:
        warn_user(f"{found.message}; tr.StepWarning can be filtered.", StepWarning)


def _check_size(model: str, modes: int | None, size: int | None) -> int:
    if modes is not None and size is not None:
        raise InputError(f"modes = {modes} and size = {size} are the same: give one of them.")
    given = modes if size is None else size
    if given is None:
        return USUAL_MODES if model == "modes" else SIZES[model]
    return checks.count("modes" if size is None else "size", given)


def end_of_crossing(beam: Beam, cars: Train, speed: float) -> float:
    """The time (s) 1.5 periods of the first mode after the last axle has left."""
    after = AFTER * 2.0 * math.pi / float(beam.frequencies(1)[0])
    return (beam.length + float(cars.places.max())) / speed + after


def peaks_at(run: Crossing, places: np.ndarray) -> np.ndarray:
    """Largest deflection and acceleration of a crossing, (places, 2)."""
    names = ("deflection", "acceleration")
    return np.array([[abs(run.largest(name, float(x)).value) for name in names] for x in places])


def static_deflections(beam: Beam, trains: Sequence[Train], places: np.ndarray, gravity: float) -> np.ndarray:
    """Largest deflection (m) at places under trains at rest, wherever they stand, (trains, places)."""
    lines = [influence_line(beam, "deflection", float(x)) for x in places]
    found = np.empty((len(trains), places.size))
    for i, cars in enumerate(trains):
        loads = [load if isinstance(load, float) else float(np.mean(load(0.0))) for load, _ in cars.forces]
        loads += [gravity * mass for vehicle, _ in cars.vehicles for mass in vehicle.axle_masses]
        fronts = np.linspace(0.0, beam.length + float(cars.places.max()), STANDS)
        at = fronts - cars.places[:, None]
        on = (at >= 0.0) & (at <= beam.length)
        for k, line in enumerate(lines):
            moved = np.where(on, line.at(np.where(on, at, 0.0)), 0.0)
            found[i, k] = np.abs(np.array(loads) @ moved).max()
    return found


def check_sweep(beam: Beam, speeds: ArrayLike, x: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
    """Speeds (m/s) and output positions (m), midspan unless given, on a beam that can resonate."""
    v = np.atleast_1d(checks.finite_array("speeds", speeds, unit="m/s"))
    if v.ndim > 1:
        raise InputError(f"speeds has the shape {v.shape}; give a list of numbers, in m/s.")
    if v.size == 0 or (v <= 0.0).any():
        raise InputError("speeds must be positive, in m/s, and at least one.")
    checks.positive("speeds", float(v.min()), "m/s")
    plausibility.check_train_speed(float(v.max()))
    if beam.frequencies(1)[0] == 0.0:
        raise InputError("the beam has a rigid-body motion and thus no resonance with trains. Support it.")
    places = checks.finite_array("x", 0.5 * beam.length if x is None else x, unit="m")
    if places.ndim > 1 or places.size == 0:
        raise InputError(f"x has shape {places.shape}; give one position or a list of positions, in m.")
    return v, np.array([place_on("x", float(one), beam.length) for one in np.atleast_1d(places)])


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
    """The trains by their names."""
    if isinstance(trains, Mapping):
        if not trains:
            raise InputError("trains is empty; give at least one.")
        return {str(name): read_train(one) for name, one in trains.items()}
    if isinstance(trains, Train):
        return {trains.name or "train": trains}
    if not isinstance(trains, Iterable) or isinstance(trains, str):
        raise InputError(
            f'trains = {checks.shown(trains)} must be a tr.Train such as tr.Train.hslm("A1"), several, pairs '
            "(load, distance behind the first axle in m), or a mapping of them."
        )
    several = list(trains)
    if not several:
        raise InputError("trains is empty; give at least one.")
    if not any(isinstance(one, Train) for one in several):
        return {"train": read_train(several)}  # type: ignore[arg-type]
    checked = [checks.instance(f"trains[{k}]", one, Train) for k, one in enumerate(several)]
    return {one.name or f"train {k + 1}": one for k, one in enumerate(checked)}
