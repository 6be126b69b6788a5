"""`impact_sweep`: many impacts on one structure, over position, speed and mass."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.errors import ConvergenceError, InputError
from traction.impacts.impact_methods import LEAST_SPEED
from traction.impacts.impact_problem import CONTACTS, PERIODS, check_gravity, longest_period
from traction.impacts.kernels import many_impacts as kernels
from traction.impacts.striker import Striker
from traction.impacts.structures.modal_structure import PointResponse
from traction.impacts.structures.plate import Plate
from traction.impacts.structures.struck_structures import Place, Structure, check_structure, point_response
from traction.laws.kernels.law_values import POWER, CompiledLaw
from traction.laws.rigid_strike import power_depth, power_time, strike_rigid_ground
from traction.outputs.progress import Progress, Tell, telling
from traction.outputs.result import Result
from traction.outputs.variable import Variable, data, figure
from traction.quantities import counted

USUAL_MODES = {Beam: 40, Plate: 400}
CHUNK = 64  #: impacts that a thread takes at a time
MOST = 10_000_000  #: impacts


#: unit and long name of what is known of each impact
QUANTITIES = {
    "speed": ("m/s", "speed of the strike"),
    "mass": ("kg", "mass of the striker"),
    "contacts": ("1", "number of contacts"),
    "peak": ("N", "largest force of the first contact"),
    "peak_time": ("s", "time of the largest force of the first contact"),
    "duration": ("s", "duration of the first contact"),
    "impulse": ("N s", "impulse of the first contact"),
    "largest": ("N", "largest force of all contacts"),
    "total_impulse": ("N s", "impulse of all contacts"),
    "rebound_speed": ("m/s", "rebound speed"),
    "restitution": ("1", "coefficient of restitution"),
}


@dataclass(frozen=True, eq=False, repr=False)
class ImpactSweep(Result):
    """Result of `tr.impact_sweep`: arrays of the broadcast shape of position, speed and mass."""

    _drawn = "peak"

    speed: np.ndarray  #: speed of the strike, m/s
    mass: np.ndarray  #: mass of the striker, kg
    contacts: np.ndarray  #: number of contacts; from here on the columns of `many_impacts`
    peak: np.ndarray  #: largest force of the first contact, N
    peak_time: np.ndarray  #: time of that force, s
    duration: np.ndarray  #: duration of the first contact, s; NaN while it lasts
    impulse: np.ndarray  #: impulse of the first contact, N s
    largest: np.ndarray  #: largest force of all contacts, N
    total_impulse: np.ndarray  #: impulse of all contacts, N s
    rebound_speed: np.ndarray  #: at the end, away from the structure, m/s; NaN in contact
    at: np.ndarray | None = None  #: struck position, m; on a plate with a last axis (x, y)

    def _headline(self) -> str:
        return counted(self.peak.size, "impact")

    def _row_dims(self) -> tuple[str, ...]:
        return tuple(f"axis_{k}" for k in range(self.peak.ndim))

    def _variables(self) -> Iterator[Variable]:
        yield figure("least_restitution", float(np.nanmin(self.restitution)), "1", "least restitution")
        yield figure("most_restitution", float(np.nanmax(self.restitution)), "1", "largest restitution")
        yield figure("largest_force", float(self.largest.max()), "N", "largest force of all impacts")
        if self.at is not None:
            on_plate = self.at.ndim > self.peak.ndim
            places = {"at_x": self.at[..., 0], "at_y": self.at[..., 1]} if on_plate else {"at": self.at}
            for name, where in places.items():
                along = f" along {name[-1]}" if on_plate else ""
                yield data(name, where, "m", f"struck position{along}", *self._row_dims())
        for name, (unit, words) in QUANTITIES.items():
            yield data(name, getattr(self, name), unit, words, *self._row_dims())

    @property
    def restitution(self) -> np.ndarray:
        """Coefficient of restitution: rebound speed over the speed of the strike."""
        return self.rebound_speed / self.speed


def impact_sweep(
    structure: Structure,
    at: ArrayLike | None,
    striker: Striker,
    *,
    speed: ArrayLike | None = None,
    mass: ArrayLike | None = None,
    residual: bool = True,
    gravity: float = 0.0,
    t_end: float | None = None,
    modes: int | None = None,
    tol: float = 1e-8,
    workers: int | None = None,
    progress: Progress | bool | None = None,
) -> ImpactSweep:
    """Simulate many impacts on one structure, over position, speed and mass.

    By the modal method of `tr.impact`.

    Parameters
    ----------
    structure, t_end, residual, gravity
        As in `tr.impact`.
    at
        Positions, m; for a plate the last axis is (x, y). `at`, `speed` and `mass` are broadcast, as in
        `at[:, None]` against `speed[None, :]`.
    striker
        Mass, speed and contact law, where not given here.
    speed, mass
        Speeds of the strike, m/s, and masses of the striker, kg.
    modes
        Number of modes; 40 for a beam and 400 for a plate by default.
    tol
        Error per step relative to the speed of touch.
    workers
        Number of threads; one for each core by default.
    progress
        Function called with the number of completed impacts and their total; True, False and the default are
        those of `tr.simulate`.

    Returns
    -------
    ImpactSweep
        Peak force, duration, impulse and restitution of each impact.

    Raises
    ------
    InputError
        If shapes do not broadcast, or a value is out of range.
    ConvergenceError
        If an impact does not reach its end.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> found = tr.impact_sweep(beam, 0.25, striker, speed=[0.5, 1.0, 2.0], t_end=1e-3, modes=20)
    >>> print(np.round(found.peak))
    [ 561. 1265. 2852.]
    """
    target = check_structure(structure)
    checks.instance("striker", striker, Striker)
    if t_end is not None:
        checks.positive("t_end", t_end, "s")
    speeds = _check_positive("speed", striker.speed if speed is None else speed, "m/s")
    masses = _check_positive("mass", striker.mass if mass is None else mass, "kg")
    points, shape = _number_places(target, at)
    try:
        shape = np.broadcast_shapes(shape, speeds.shape, masses.shape)
    except ValueError:
        raise InputError(
            f"at, speed and mass have shapes {shape}, {speeds.shape} and {masses.shape}, which do not "
            "broadcast; give one number, or arrays that do."
        ) from None
    if math.prod(shape) > MOST:
        raise InputError(f"the sweep has {math.prod(shape):.2g} impacts, at most {MOST:g}.")
    v, m = (np.broadcast_to(one, shape).ravel() for one in (speeds, masses))
    places = np.broadcast_to(points[0], shape).ravel()
    law = striker.law.compiled(float((0.5 * m * v**2).max()))
    contact = _find_contact_times(law, m, v)
    n = modes if modes is not None else USUAL_MODES.get(type(target))
    spread = (float(contact.min()), t_end or CONTACTS * float(contact.max()))
    responses = [
        point_response(target, point, n, checks.flag("residual", residual), spread) for point in points[1]
    ]
    if t_end is not None:
        ends = np.full(m.size, checks.positive("t_end", t_end, "s"))
    else:  # as in `tr.impact`
        flexibility = np.array([one.flexibility for one in responses])[places]
        ends = np.maximum(CONTACTS * contact, PERIODS * longest_period(responses[0], flexibility, m))
    cases = np.stack(
        (m, v, ends, np.full(v.size, checks.tolerance("tol", tol)), contact, LEAST_SPEED * v), axis=1
    )
    g = check_gravity(gravity)
    fields = (g, responses[0].mobility)
    threads = checks.count("workers", (os.cpu_count() or 1) if workers is None else workers)
    with telling(progress, "impacts") as told:
        summary = _strike_cases(responses, fields, law, cases, places, threads, told)
    struck = (*shape, 2) if isinstance(target, Plate) else shape
    at_all = None if at is None else np.broadcast_to(np.asarray(at, dtype=float), struck)
    return _make_sweep(summary, v, m, at_all, shape)


def _strike_cases(
    responses: list[PointResponse],
    fields: tuple[float, float],
    law: CompiledLaw,
    cases: np.ndarray,
    places: np.ndarray,
    workers: int,
    told: Tell | None,
) -> np.ndarray:
    """Summary of all cases, struck by a number of threads."""
    first = responses[0]
    modes = np.stack((first.frequencies, first.rates), axis=1)
    shapes = np.array([np.r_[one.shapes, one.residual_flexibility] for one in responses])
    summary = np.zeros((len(cases), kernels.COLUMNS))
    strike = partial(kernels.strike_all, modes, shapes, fields, law)
    parts = [slice(start, start + CHUNK) for start in range(0, len(cases), CHUNK)]
    strike(cases[:0], places[:0], summary[:0])  # compiles once, before the threads
    with ThreadPoolExecutor(workers) as pool:
        struck = pool.map(lambda part: strike(cases[part], places[part], summary[part]), parts)
        for part, _ in zip(parts, struck, strict=True):
            if told is not None:
                told(min(part.stop, len(cases)), len(cases))
    return summary


def _make_sweep(
    summary: np.ndarray, v: np.ndarray, m: np.ndarray, at: np.ndarray | None, shape: tuple[int, ...]
) -> ImpactSweep:
    missing = np.flatnonzero(summary[:, kernels.COMPLETE] == 0.0)
    if missing.size:
        k = int(missing[0])
        raise ConvergenceError(
            f"{missing.size} of {len(summary)} impacts did not reach their end, the first at speed = "
            f"{v[k]:g} m/s and mass = {m[k]:g} kg; strike it with tr.impact to see where."
        )
    columns = np.moveaxis(summary.reshape((*shape, kernels.COLUMNS)), -1, 0)
    contacts = columns[kernels.CONTACTS].astype(int)
    # from the peak to the rebound the columns of a summary are the fields that follow
    fields = columns[kernels.PEAK : kernels.COMPLETE]
    return replace(ImpactSweep(v.reshape(shape), m.reshape(shape), contacts, *fields), at=at)


def _check_positive(name: str, values: ArrayLike, unit: str) -> np.ndarray:
    array = checks.finite_array(name, values, unit=unit).reshape(np.shape(values))
    if array.size == 0 or (array <= 0.0).any():
        raise InputError(f"{name} must be positive, in {unit}, and at least one.")
    for extreme in (array.min(), array.max()):
        checks.positive(name, float(extreme), unit)
    return array


def _number_places(
    structure: Structure, at: ArrayLike | None
) -> tuple[tuple[np.ndarray, list[Place]], tuple[int, ...]]:
    """Index of each position in a list of distinct ones, that list, and the shape of all."""
    if at is None:
        return (np.zeros((), dtype=np.int64), [None]), ()
    places: np.ndarray = checks.finite_array("at", at, unit="m").reshape(np.shape(at))
    if places.size == 0:
        raise InputError("at is empty; give at least one position, in m.")
    if isinstance(structure, Plate):
        if places.ndim == 0 or places.shape[-1] != 2:
            raise InputError(f"at has shape {places.shape}; the last axis of places on a plate is (x, y).")
        different, number = np.unique(places.reshape(-1, 2), axis=0, return_inverse=True)
        return (number.reshape(places.shape[:-1]), [tuple(one) for one in different]), places.shape[:-1]
    different, number = np.unique(places, return_inverse=True)
    return (number.reshape(places.shape), [float(x) for x in different]), places.shape


def _find_contact_times(law: CompiledLaw, m: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Contact times on rigid ground, s."""
    if law.kind == POWER:
        depths = power_depth(law.coefficient, law.exponent, m, v)
        return np.asarray(power_time(law.exponent) * depths / v)
    pairs, number = np.unique(np.stack((m, v), axis=1), axis=0, return_inverse=True)
    return np.array([strike_rigid_ground(law, *map(float, pair)).duration for pair in pairs])[number.ravel()]
