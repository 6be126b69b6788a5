"""`Vehicle`: masses joined by springs and dampers on wheels; `Wheel` and `Suspension`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from traction import checks, plausibility
from traction.errors import InputError
from traction.materials import STEEL, Material
from traction.quantities import counted, given
from traction.surfaces import Sphere, Surface
from traction.trains.irregularity import Irregularity

MOST_STAGES = 20


@dataclass(frozen=True, eq=False)
class Vehicle:
    """Vehicle as a linear system M z'' + C z' + K z = forces on wheels.

    z is counted downwards from rest on a level rigid track. A coordinate may be a rotation, its mass then a
    moment of inertia. `tr.Wheel(...).vehicle` and `tr.Train.vehicle` build common ones.

    Parameters
    ----------
    mass
        M, mass of each coordinate, kg or kg m^2.
    damping, stiffness
        C and K, (n, n).
    wheels
        Coordinate of each wheel, from the front.
    offsets
        Distance of each wheel behind the first one, m.
    carried
        Mass on which gravity acts at each coordinate, kg; zero at rotations.
    names
        Names of the coordinates.

    Examples
    --------
    >>> v = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(1e6, 2e4, mass=8000.0)).vehicle
    >>> print(v.axle_masses)
    [8900.]
    """

    mass: np.ndarray
    damping: np.ndarray
    stiffness: np.ndarray
    wheels: tuple[int, ...]
    offsets: tuple[float, ...]
    carried: np.ndarray
    names: tuple[str, ...]

    def __repr__(self) -> str:
        wheels, mass = counted(len(self.wheels), "wheel"), given(float(self.carried.sum()), "kg")
        return f"Vehicle: {wheels}, {mass} in all, {counted(len(self.names), 'coordinate')}"

    @property
    def axle_masses(self) -> np.ndarray:
        """Mass supported by each wheel, kg: the static reactions."""
        held, share = list(self.wheels), self.carried[list(self.wheels)].copy()
        if self._sprung:
            share -= self.stiffness[np.ix_(held, self._sprung)] @ self._bear(self.carried[self._sprung])
        return share

    def at_rest_on(self, heights: np.ndarray) -> np.ndarray:
        """Return the static coordinates where the track under each wheel lies `heights` (m) lower."""
        held, z = list(self.wheels), np.zeros(len(self.mass))
        z[held] = heights
        if self._sprung:
            z[self._sprung] = self._bear(-self.stiffness[np.ix_(self._sprung, held)] @ heights)
        return z

    @cached_property
    def _sprung(self) -> list[int]:
        """Coordinates that are not wheels."""
        return [k for k in range(len(self.mass)) if k not in self.wheels]

    def _bear(self, forces: np.ndarray) -> np.ndarray:
        """Coordinates that are not wheels, at rest under forces."""
        return np.linalg.solve(self.stiffness[np.ix_(self._sprung, self._sprung)], forces)


def bogie_vehicle(
    *,
    body_mass: float,
    body_inertia: float,
    bogie_mass: float,
    bogie_inertia: float,
    wheel_mass: float,
    primary: tuple[float, float],
    secondary: tuple[float, float],
    bogie_spacing: float,
    axle_spacing: float,
) -> Vehicle:
    """Vehicle with a body on two bogies with two wheelsets each: ten degrees of freedom, vertical plane.

    Bounce and pitch of body and bogies, bounce of the wheelsets. `primary` are (stiffness in N/m, damping
    in N s/m) between a wheelset and its bogie, `secondary` between a bogie and the body; `bogie_spacing`
    (m) is the distance between the centres of the bogies, `axle_spacing` that between the wheelsets of
    one. Positive pitch lowers the front.
    """
    M = checks.positive("body_mass", body_mass, "kg")
    J = checks.positive("body_inertia", body_inertia, "kg m^2")
    m = checks.positive("bogie_mass", bogie_mass, "kg")
    j = checks.positive("bogie_inertia", bogie_inertia, "kg m^2")
    w = checks.at_least("wheel_mass", wheel_mass, 0.0, "kg")
    half = 0.5 * checks.positive("bogie_spacing", bogie_spacing, "m")
    base = 0.5 * checks.positive("axle_spacing", axle_spacing, "m")
    if base >= half:
        raise InputError(
            f"axle_spacing = {2.0 * base} m must be below bogie_spacing = {2.0 * half} m: the bogies overlap."
        )
    first, second = _check_spring("primary", primary), _check_spring("secondary", secondary)
    C, K = np.zeros((10, 10)), np.zeros((10, 10))
    for b, sign in ((0, 1.0), (1, -1.0)):
        bounce, pitch = 2 + 2 * b, 3 + 2 * b
        _join(K, C, second, {0: 1.0, 1: sign * half, bounce: -1.0})
        for a, side in ((0, 1.0), (1, -1.0)):
            _join(K, C, first, {bounce: 1.0, pitch: side * base, 6 + 2 * b + a: -1.0})
    carried = np.array([M, 0.0, m, 0.0, m, 0.0, w, w, w, w])
    mass = np.array([M, J, m, j, m, j, w, w, w, w])
    bodies = [f"{body} {motion}" for body in ("body", "bogie 1", "bogie 2") for motion in ("bounce", "pitch")]
    names = (*bodies, *(f"wheelset {k}" for k in range(1, 5)))
    offsets = (0.0, 2.0 * base, 2.0 * half, 2.0 * (half + base))
    return Vehicle(mass, C, K, (6, 7, 8, 9), offsets, carried, names)


def _check_spring(name: str, value: tuple[float, float]) -> tuple[float, float]:
    stiffness, damping = checks.point(name, value, "N/m and N s/m")
    c = checks.at_least(f"{name}[1]", damping, 0.0, "N s/m")
    return checks.positive(f"{name}[0]", stiffness, "N/m"), c


def _join(K: np.ndarray, C: np.ndarray, spring: tuple[float, float], ends: dict[int, float]) -> None:
    """Add a spring and damper whose extension is the sum of `ends` times coordinates."""
    joint = np.zeros(len(K))
    for coordinate, factor in ends.items():
        joint[coordinate] = factor
    K += spring[0] * np.outer(joint, joint)
    C += spring[1] * np.outer(joint, joint)


@dataclass(frozen=True)
class Suspension:
    """Spring and damper that carry a mass, on which another suspension may stand.

    Parameters
    ----------
    stiffness, damping
        Spring stiffness k, N/m, and damping c, N s/m.
    mass
        Mass that it carries, kg.
    above
        Suspension on that mass.

    Raises
    ------
    InputError
        If the mass is not positive, or more than 20 stages stand on each other.

    Examples
    --------
    >>> primary = tr.Suspension(1.2e6, 3e4, mass=2.5e3, above=tr.Suspension(0.4e6, 2e4, mass=10e3))
    >>> len(primary.stages)
    2
    """

    stiffness: float
    damping: float = 0.0
    mass: float = 0.0
    above: Suspension | None = None

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.positive, stiffness="N/m")
        checks.keep_checked(self, checks.not_negative, damping="N s/m")
        checks.keep(self, mass=checks.positive("mass", self.mass, "kg", "a suspension must carry a mass."))
        plausibility.check_suspension(self.stiffness, self.mass)
        if self.above is not None:
            checks.instance("above", self.above, Suspension)
        if len(self.stages) > MOST_STAGES:
            raise InputError(f"a suspension has {len(self.stages)} stages; at most {MOST_STAGES}.")

    def __repr__(self) -> str:
        return f"Suspension: {self._words}"

    @property
    def _words(self) -> str:
        spring, damper = given(self.stiffness, "N/m"), given(self.damping, "N s/m")
        further = "" if self.above is None else f", then {self.above._words}"
        return f"{spring}, {damper} under {given(self.mass, 'kg')}{further}"

    @property
    def stages(self) -> tuple[Suspension, ...]:
        """All stages, from the lowest."""
        return (self,) if self.above is None else (self, *self.above.stages)


@dataclass(frozen=True)
class Wheel:
    """Wheel, alone or under a suspension.

    Parameters
    ----------
    radius
        Rolling radius R, m.
    mass
        Unsprung mass m, kg; zero for a sprung mass without wheel.
    profile
        Shape of the tread around its lowest point, for solved contact; a sphere by default.
    material
        Material of the tread.
    suspension
        Spring, damper and mass on the wheel.
    irregularity
        Deviation of the tread (m, outwards) over the distance rolled: `tr.Irregularity.flat` for a wheel
        flat, or `tr.Irregularity.harmonic` with a fraction of 2 pi R as wavelength for out-of-roundness.

    Examples
    --------
    >>> wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    >>> print(f"{wheel.vehicle.axle_masses[0] * 9.81 / 1e3:.1f} kN on the rail")
    87.3 kN on the rail
    """

    radius: float
    mass: float
    profile: Surface | None = field(default=None, kw_only=True)
    material: Material = field(default=STEEL, kw_only=True)
    suspension: Suspension | None = field(default=None, kw_only=True)
    irregularity: Irregularity | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.positive, radius="m")
        plausibility.check_radius("radius", self.radius, "wheel")
        checks.keep_checked(self, checks.not_negative, mass="kg")
        for name, kind in (("profile", Surface), ("suspension", Suspension), ("irregularity", Irregularity)):
            if getattr(self, name) is not None:
                checks.instance(name, getattr(self, name), kind)
        checks.instance("material", self.material, Material)
        if self.mass == 0.0 and self.suspension is None:
            raise InputError("mass = 0.0 kg of a wheel without suspension: it has no weight. Give either.")

    def __repr__(self) -> str:
        words = [f"Wheel: radius {given(self.radius, 'm')}", given(self.mass, "kg")]
        words += [] if self.profile is None else ["with a profile"]
        words += [] if self.material == STEEL else [self.material._words]
        words += [] if self.suspension is None else [f"suspension {self.suspension._words}"]
        words += [] if self.irregularity is None else ["with an irregularity"]
        return ", ".join(words)

    @property
    def tread(self) -> Surface:
        """Shape of the tread around its lowest point."""
        return Sphere(self.radius) if self.profile is None else self.profile

    @property
    def vehicle(self) -> Vehicle:
        """The wheel with its suspension, as a vehicle."""
        stages = () if self.suspension is None else self.suspension.stages
        n = 1 + len(stages)
        C, K = np.zeros((n, n)), np.zeros((n, n))
        for k, stage in enumerate(stages):
            _join(K, C, (stage.stiffness, stage.damping), {k: 1.0, k + 1: -1.0})
        mass = np.array([self.mass, *(stage.mass for stage in stages)])
        names = ("wheel", *(f"mass {k + 1}" for k in range(len(stages))))
        return Vehicle(mass, C, K, (0,), (0.0,), mass, names)
