"""`Train`: axles that cross a beam, from the first axle backwards.

The trains HSLM-A of EN 1991-2, 6.4.6.1.1 are power car, end coach, N coaches on shared bogies, mirror image.
The shared bogies follow from 17 + 3.525/2 + D on, every D; behind the last, the rear end coach and power car
have their inner axle D + 3.525/2 away. Public programs of bridge dynamics place the axles so; A1 is 401.05 m
long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.quantities import counted, given
from traction.trains.travel import sample_function
from traction.trains.vehicle import Vehicle, Wheel, bogie_vehicle

#: name -> number of coaches N, their length D (m), axle spacing of a bogie d (m), force of an axle (kN)
TABLE = {
    "A1": (18, 18.0, 2.0, 170.0),
    "A2": (17, 19.0, 3.5, 200.0),
    "A3": (16, 20.0, 2.0, 180.0),
    "A4": (15, 21.0, 3.0, 190.0),
    "A5": (14, 22.0, 2.0, 170.0),
    "A6": (13, 23.0, 2.0, 180.0),
    "A7": (13, 24.0, 2.0, 190.0),
    "A8": (12, 25.0, 2.5, 190.0),
    "A9": (11, 26.0, 2.0, 210.0),
    "A10": (11, 27.0, 2.0, 210.0),
}
POWER_CAR = (0.0, 3.0, 14.0, 17.0)  #: axles, m
END_COACH = 20.525  #: first axle of the end coach, m
END = 3.525  #: m
FARTHEST = 1e6  #: of an axle behind the first one, m


@dataclass(frozen=True)
class HarmonicAxle:
    """Axle load F(t) = mean + amplitude sin(2 pi frequency t + phase), downwards.

    Parameters
    ----------
    mean
        Mean force, N.
    amplitude
        Amplitude, N.
    frequency
        Frequency, Hz.
    phase
        Phase at t = 0, rad.

    Examples
    --------
    >>> load = tr.HarmonicAxle(mean=100e3, amplitude=10e3, frequency=5.0)
    >>> print(f"{load(0.05) / 1e3:.1f} kN")
    110.0 kN
    """

    mean: float
    amplitude: float
    frequency: float
    phase: float = 0.0

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.finite, mean="N", amplitude="N", phase="rad")
        checks.keep_checked(self, checks.positive, frequency="Hz")

    def __call__(self, t: ArrayLike) -> np.ndarray:
        """F at times t, s."""
        return np.asarray(self.mean + self.rate(t, 0))

    def rate(self, t: ArrayLike, order: int) -> np.ndarray:
        """Return the derivative of a given `order` by time at times `t` (s)."""
        omega = 2.0 * math.pi * self.frequency
        angle = omega * np.asarray(t, dtype=float) + self.phase + 0.5 * math.pi * order
        return np.asarray(self.amplitude * omega**order * np.sin(angle))


Force = float | HarmonicAxle | Callable[..., float | np.ndarray]
Axles = Sequence[tuple[Force | Wheel | Vehicle, float]]  #: each at a distance (m) behind the first


def force_rates(value: Force, t: np.ndarray, step: float) -> np.ndarray:
    """F, F' and F'' at times t, (3, nt); of a function by differences over a quarter `step`."""
    rates = np.zeros((3, t.size))
    if isinstance(value, HarmonicAxle):
        rates[0] = value(t)
        rates[1], rates[2] = value.rate(t, 1), value.rate(t, 2)
    elif callable(value):
        d = 0.25 * step
        far, near, here, after, beyond = (
            sample_function("force", value, t + k * d) for k in (-2, -1, 0, 1, 2)
        )
        rates[0] = here
        rates[1] = (8.0 * (after - near) - (beyond - far)) / (12.0 * d)
        rates[2] = (16.0 * (after + near) - (beyond + far) - 30.0 * here) / (12.0 * d * d)
    else:
        rates[0] = value
    return rates


def place_axles(coaches: int, D: float, d: float) -> np.ndarray:
    """Distance of each axle of a train HSLM-A behind the first, m."""
    bogies = END_COACH + D - 0.5 * END + D * np.arange(coaches + 1)
    front = np.array([*POWER_CAR, END_COACH, END_COACH + d])
    last = bogies[-1] + D + 0.5 * END + END_COACH
    shared = np.sort(np.r_[bogies - 0.5 * d, bogies + 0.5 * d])
    return np.concatenate([front, shared, last - front[::-1]])


@dataclass(frozen=True, init=False, eq=False)
class Train:
    """Train of axle loads or wheels, each at a distance behind the first axle.

    Parameters
    ----------
    axles
        Pairs (load, distance behind the first axle in m); a load is a force (N, downwards; a number or a
        function of time), a `tr.Wheel` or a `tr.Vehicle`.
    spacing
        Repeating distance D of coaches or axles, m, from which resonance speeds follow.
    name
        Name for reports.

    Examples
    --------
    >>> train = tr.Train([(170e3, 0.0), (170e3, 3.0), (170e3, 20.0), (170e3, 23.0)])
    >>> train.length
    23.0
    """

    forces: tuple[tuple[Force, float], ...]  #: axle forces and their distances
    vehicles: tuple[tuple[Vehicle, float], ...]  #: vehicles and the distances of their first axles
    wheels: tuple[Wheel | None, ...]  #: wheels of the vehicles in order, where given
    spacing: float | None  #: repeating distance D, m
    name: str  #: name for reports

    def __init__(self, axles: Axles, *, spacing: float | None = None, name: str = "") -> None:
        forces: list[tuple[Force, float]] = []
        vehicles: list[tuple[Vehicle, float]] = []
        wheels: list[Wheel | None] = []
        for k, (load, distance) in enumerate(_check_pairs(axles)):
            place = _check_distance(f"loads[{k}]", distance)
            if isinstance(load, Wheel):
                vehicles.append((load.vehicle, place))
                wheels.append(load)
            elif isinstance(load, Vehicle):
                vehicles.append((load, place))
                wheels += [None] * len(load.wheels)
            else:
                forces.append((load if callable(load) else checks.finite(f"loads[{k}]", load, "N"), place))
        apart = None if spacing is None else checks.positive("spacing", spacing, "m")
        checks.keep(self, forces=tuple(forces), vehicles=tuple(vehicles), wheels=tuple(wheels))
        checks.keep(self, spacing=apart, name=checks.instance("name", name, str))

    @classmethod
    def hslm(cls, name: str) -> Train:
        """Return a train HSLM-A of EN 1991-2 as forces, by its `name` "A1" to "A10"."""
        coaches, D, d, force = TABLE[checks.choice("name", name, tuple(TABLE))]
        axles = [(1e3 * force, float(x)) for x in place_axles(coaches, D, d)]
        return cls(axles, spacing=D, name=f"HSLM-{name}")

    @classmethod
    def vehicle(cls, *, count: int = 1, spacing: float | None = None, **numbers: object) -> Train:
        """Return a train of identical vehicles with two bogies each, of ten degrees of freedom.

        Parameters
        ----------
        count
            Number of vehicles.
        spacing
            Distance between the first axles of successive vehicles, m.
        **numbers
            Masses, springs and distances of `traction.trains.vehicle.bogie_vehicle`.
        """
        one = bogie_vehicle(**numbers)  # type: ignore[arg-type]
        n = checks.count("count", count)
        if n == 1:
            return cls([(one, 0.0)])
        apart = checks.positive("spacing", spacing if spacing is not None else one.offsets[-1] * 1.25, "m")
        if apart <= one.offsets[-1]:
            raise InputError(
                f"spacing = {apart} m must be above {one.offsets[-1]} m, the length between the outer axles."
            )
        return cls([(one, k * apart) for k in range(n)], spacing=apart)

    @property
    def places(self) -> np.ndarray:
        """Distance of every axle behind the first, m: the forces, then the wheels of the vehicles."""
        wheels = [start + x for vehicle, start in self.vehicles for x in vehicle.offsets]
        return np.array([*(x for _, x in self.forces), *wheels])

    @property
    def constant_forces(self) -> list[float]:
        """Of the axles that are constant or harmonic forces, N: their means."""
        means = (force.mean if isinstance(force, HarmonicAxle) else force for force, _ in self.forces)
        return [force for force in means if isinstance(force, float)]

    @property
    def length(self) -> float:
        """Distance from the first to the last axle, m."""
        return float(np.ptp(self.places))

    def __len__(self) -> int:
        return self.places.size

    def __repr__(self) -> str:
        words = [f"{self.name}, " if self.name else "", counted(len(self), "axle")]
        words.append(f" over {given(self.length, 'm')}" if len(self) > 1 else "")
        if self.constant_forces:
            words.append(f", {given(sum(self.constant_forces), 'N')} in all")
        if self.vehicles:
            mass = sum(float(one.carried.sum()) for one, _ in self.vehicles)
            words.append(f", {counted(len(self.vehicles), 'vehicle')} of {given(mass, 'kg')} in all")
        if self.spacing is not None:
            words.append(f", spacing {given(self.spacing, 'm')}")
        return f"Train: {''.join(words)}"


def read_train(loads: Train | Axles) -> Train:
    """The train given by a user: a `Train`, or pairs (load, distance behind the first axle)."""
    return loads if isinstance(loads, Train) else Train(loads)


def _check_pairs(axles: Axles) -> Axles:
    try:
        pairs = [(load, distance) for load, distance in axles]
    except (TypeError, ValueError):
        raise InputError(
            f"loads = {checks.shown(axles)} must be pairs (force or wheel, distance behind the first axle), "
            "such as [(100e3, 0.0), (100e3, 2.5)]."
        ) from None
    if not pairs:
        raise InputError("loads is empty; give at least one (force, distance behind the first axle).")
    return pairs


def _check_distance(name: str, distance: object) -> float:
    place = checks.at_least(
        f"distance of {name}", distance, 0.0, "m", "it is counted backwards from the first axle."
    )
    if place > FARTHEST:
        raise InputError(
            f"{name} is {place} m behind the first axle and never reaches the beam in a practical run; "
            f"at most {FARTHEST} m."
        )
    return place
