"""`Train`: what crosses a beam, from the first axle backwards.

The trains HSLM-A of EN 1991-2, 6.4.6.1.1 are power car, end coach, N coaches on shared bogies, mirror image.
The shared bogies follow from 17 + 3.525/2 + D on, every D; behind the last, the rear end coach and power car
have their inner axle D + 3.525/2 away. Public programs of bridge dynamics place the axles so; A1 is 401.05 m
long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.trains.force import Force, force
from traction.trains.vehicle import Vehicle, bogie_vehicle
from traction.trains.wheel import Wheel

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


def axle_force(name: str) -> float:
    """Force of every axle, N."""
    return 1e3 * TABLE[checks.choice("name", name, tuple(TABLE))][3]


def coach_length(name: str) -> float:
    """D, m, the spacing that meets resonance at the speed f D."""
    return TABLE[checks.choice("name", name, tuple(TABLE))][1]


def axle_places(name: str) -> np.ndarray:
    """Distance of each axle behind the first, m."""
    coaches, D, d, _ = TABLE[checks.choice("name", name, tuple(TABLE))]
    bogies = END_COACH + D - 0.5 * END + D * np.arange(coaches + 1)
    front = np.array([*POWER_CAR, END_COACH, END_COACH + d])
    last = bogies[-1] + D + 0.5 * END + END_COACH
    shared = np.sort(np.r_[bogies - 0.5 * d, bogies + 0.5 * d])
    return np.concatenate([front, shared, last - front[::-1]])


@dataclass(frozen=True, init=False, eq=False)
class Train:
    """Axles: forces (N, downwards; numbers or functions of time) or wheels, each at a distance (m) behind the
    first.

    `tr.Train([(170e3, 0.0), (170e3, 3.0)])` are two forces, `tr.Train([(tr.Wheel(0.46, 900.0), 0.0)])` is a
    mass.
    """

    forces: tuple[tuple[Force, float], ...]
    vehicles: tuple[tuple[Vehicle, float], ...]
    wheels: tuple[Wheel | None, ...]  #: of each wheel of the vehicles, in their order, where it was given
    spacing: float | None  #: D that repeats, of coaches or axles, m; expected resonances follow from it
    name: str

    def __init__(
        self, axles: Sequence[tuple[Any, float]], *, spacing: float | None = None, name: str = ""
    ) -> None:
        forces: list[tuple[Force, float]] = []
        vehicles: list[tuple[Vehicle, float]] = []
        wheels: list[Wheel | None] = []
        for k, (load, distance) in enumerate(_pairs(axles)):
            place = _behind(f"loads[{k}]", distance)
            if isinstance(load, Wheel):
                vehicles.append((load.vehicle, place))
                wheels.append(load)
            elif isinstance(load, Vehicle):
                vehicles.append((load, place))
                wheels += [None] * len(load.wheels)
            else:
                forces.append((force(f"loads[{k}]", load), place))
        apart = None if spacing is None else checks.positive("spacing", spacing, "m")
        checks.keep(
            self,
            forces=tuple(forces),
            vehicles=tuple(vehicles),
            wheels=tuple(wheels),
            spacing=apart,
            name=name,
        )

    @classmethod
    def hslm(cls, name: str) -> Train:
        """One of the trains HSLM-A1 to A10 of EN 1991-2, as forces: "A1" to "A10"."""
        axles = [(axle_force(name), float(x)) for x in axle_places(name)]
        return cls(axles, spacing=coach_length(name), name=f"HSLM-{name}")

    @classmethod
    def vehicle(cls, *, count: int = 1, spacing: float | None = None, **numbers: Any) -> Train:
        """`count` vehicles with two bogies each, of ten degrees of freedom; see
        `trains.vehicle.bogie_vehicle`.

        `spacing` (m) is the distance from one vehicle's first axle to the next one's.
        """
        one = bogie_vehicle(**numbers)
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
    def length(self) -> float:
        """From the first to the last axle, m."""
        return float(np.ptp(self.places))

    def __len__(self) -> int:
        return self.places.size


def train(loads: Any) -> Train:
    """The train that a user gives: one, or pairs (load, distance behind the first axle)."""
    return loads if isinstance(loads, Train) else Train(loads)


def _pairs(axles: Any) -> list[tuple[Any, Any]]:
    try:
        pairs = [(load, distance) for load, distance in axles]
    except (TypeError, ValueError):
        raise InputError(
            f"loads = {checks.shown(axles)} must be pairs (force or wheel, distance behind the first axle)."
        ) from None
    if not pairs:
        raise InputError("loads is empty; give at least one (force, distance behind the first axle).")
    return pairs


def _behind(name: str, distance: Any) -> float:
    place = checks.at_least(
        f"distance of {name}", distance, 0.0, "m", "it is counted backwards from the first axle."
    )
    if place > FARTHEST:
        raise InputError(
            f"{name} is {place} m behind the first axle and never reaches the beam in a run one can make; "
            f"at most {FARTHEST} m."
        )
    return place
