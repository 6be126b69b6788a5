"""`Wheel` and `Suspension`: a wheel, and what rests on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.materials import STEEL, Material
from traction.surfaces import Sphere, Surface
from traction.trains.irregularity import Irregularity, irregularity_of
from traction.trains.vehicle import Vehicle

MOST_STAGES = 20


@dataclass(frozen=True)
class Suspension:
    """A spring and damper that carry a mass, on which another suspension may stand."""

    stiffness: float  #: N/m
    damping: float = 0.0  #: N s/m
    mass: float = 0.0  #: that it carries, kg
    above: Suspension | None = None  #: on that mass

    def __post_init__(self) -> None:
        checks.keep(
            self,
            stiffness=checks.positive("stiffness", self.stiffness, "N/m"),
            damping=checks.at_least("damping", self.damping, 0.0, "N s/m"),
            mass=checks.positive("mass", self.mass, "kg", "a suspension carries something."),
        )
        if self.above is not None:
            checks.instance("above", self.above, Suspension)
        if len(self.stages) > MOST_STAGES:
            raise InputError(f"a suspension has {len(self.stages)} stages; at most {MOST_STAGES}.")

    @property
    def stages(self) -> tuple[Suspension, ...]:
        """From the lowest."""
        return (self,) if self.above is None else (self, *self.above.stages)


@dataclass(frozen=True)
class Wheel:
    """A wheel, alone or under a `suspension`.

    Without mass, only its suspension is felt: the sprung mass of the textbooks. `profile` is the shape of its
    tread for a contact that is solved, a surface around its lowest point; unless given, a sphere's.
    `irregularity` is what its tread has more (m, outwards) over the distance rolled, at the place x of the
    track on which that part of the tread comes to stand: `Irregularity.flat` for a flat spot, or
    `Irregularity.harmonic` with a wavelength of a part of 2 pi radius.
    """

    radius: float  #: m
    mass: float  #: kg
    profile: Surface | None = field(default=None, kw_only=True)
    material: Material = field(default=STEEL, kw_only=True)
    suspension: Suspension | None = field(default=None, kw_only=True)
    irregularity: Irregularity | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        checks.keep(
            self,
            radius=checks.positive("radius", self.radius, "m"),
            mass=checks.at_least("mass", self.mass, 0.0, "kg"),
        )
        _kinds(self.profile, self.material, self.suspension)
        irregularity_of(self.irregularity)
        if self.mass == 0.0 and self.suspension is None:
            raise InputError(
                "mass = 0.0 kg of a wheel without suspension: nothing presses it down. Give either."
            )

    @property
    def tread(self) -> Surface:
        """Shape around the lowest point."""
        return Sphere(self.radius) if self.profile is None else self.profile

    @property
    def vehicle(self) -> Vehicle:
        """The wheel and what stands on it, as one."""
        stages = () if self.suspension is None else self.suspension.stages
        n = 1 + len(stages)
        C, K = np.zeros((n, n)), np.zeros((n, n))
        for k, stage in enumerate(stages):
            joint = np.zeros(n)
            joint[k], joint[k + 1] = 1.0, -1.0
            K += stage.stiffness * np.outer(joint, joint)
            C += stage.damping * np.outer(joint, joint)
        mass = np.array([self.mass, *(stage.mass for stage in stages)])
        names = ("wheel", *(f"mass {k + 1}" for k in range(len(stages))))
        return Vehicle(mass, C, K, (0,), (0.0,), mass, names)


def _kinds(profile: Any, material: Any, suspension: Any) -> None:
    if profile is not None:
        checks.instance("profile", profile, Surface)  # type: ignore[type-abstract]
    checks.instance("material", material, Material)
    if suspension is not None:
        checks.instance("suspension", suspension, Suspension)
