"""`Train`: what crosses a beam, from the first axle backwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.trains.force import Force, force
from traction.trains.hslm import axle_force, axle_places, coach_length
from traction.trains.vehicle import Vehicle, bogie_vehicle
from traction.trains.wheel import Wheel

FARTHEST = 1e6  #: of an axle behind the first one, m


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
