"""`Vehicle`: masses joined by springs and dampers, that stand on wheels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError


@dataclass(frozen=True, eq=False)
class Vehicle:
    """M z'' + C z' + K z = forces; z is counted downwards from rest on an even rigid track.

    A coordinate may be a rotation, its mass then a moment of inertia.
    """

    mass: np.ndarray  #: M, of each coordinate, kg or kg m^2
    damping: np.ndarray  #: C, (n, n)
    stiffness: np.ndarray  #: K, (n, n)
    wheels: tuple[int, ...]  #: coordinate of each wheel, from the front
    offsets: tuple[float, ...]  #: of each wheel behind the first one, m
    carried: np.ndarray  #: mass that gravity pulls at each coordinate, kg; none at rotations
    names: tuple[str, ...]  #: of the coordinates

    @property
    def axle_masses(self) -> np.ndarray:
        """Share of the mass that rests on each wheel, kg: the springs' reactions at rest."""
        n, held = len(self.mass), list(self.wheels)
        free = [k for k in range(n) if k not in held]
        share = self.carried[held].copy()
        if free:
            z = np.linalg.solve(self.stiffness[np.ix_(free, free)], self.carried[free])
            share -= self.stiffness[np.ix_(held, free)] @ z
        return share

    def at_rest_on(self, heights: np.ndarray) -> np.ndarray:
        """Coordinates at rest where the track under each wheel lies `heights` (m) lower."""
        n, held = len(self.mass), list(self.wheels)
        free = [k for k in range(n) if k not in held]
        z = np.zeros(n)
        z[held] = heights
        if free:
            right = -self.stiffness[np.ix_(free, held)] @ heights
            z[free] = np.linalg.solve(self.stiffness[np.ix_(free, free)], right)
        return z


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
    """A body on two bogies on two wheelsets each: ten degrees of freedom in the vertical plane.

    Bounce and pitch of body and bogies, bounce of the wheelsets. `primary` are (stiffness in N/m, damping in
    N s/m) between a wheelset and its bogie, `secondary` between a bogie and the body; `bogie_spacing` (m)
    lies between the middles of the bogies, `axle_spacing` between the wheelsets of one. Pitch turns the front
    down.
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
    first, second = _spring("primary", primary), _spring("secondary", secondary)
    C, K = np.zeros((10, 10)), np.zeros((10, 10))
    for b, sign in ((0, 1.0), (1, -1.0)):
        bounce, pitch = 2 + 2 * b, 3 + 2 * b
        _join(K, C, second, {0: 1.0, 1: sign * half, bounce: -1.0})
        for a, side in ((0, 1.0), (1, -1.0)):
            _join(K, C, first, {bounce: 1.0, pitch: side * base, 6 + 2 * b + a: -1.0})
    carried = np.array([M, 0.0, m, 0.0, m, 0.0, w, w, w, w])
    mass = np.array([M, J, m, j, m, j, w, w, w, w])
    names: tuple[str, ...] = (
        "body bounce",
        "body pitch",
        "bogie 1 bounce",
        "bogie 1 pitch",
        "bogie 2 bounce",
        "bogie 2 pitch",
    )
    names += tuple(f"wheelset {k + 1}" for k in range(4))
    offsets = (0.0, 2.0 * base, 2.0 * half, 2.0 * (half + base))
    return Vehicle(mass, C, K, (6, 7, 8, 9), offsets, carried, names)


def _spring(name: str, value: tuple[float, float]) -> tuple[float, float]:
    stiffness, damping = checks.point(name, value, "N/m and N s/m")
    return checks.positive(f"{name}[0]", stiffness, "N/m"), checks.at_least(
        f"{name}[1]", damping, 0.0, "N s/m"
    )


def _join(K: np.ndarray, C: np.ndarray, spring: tuple[float, float], ends: dict[int, float]) -> None:
    """Add a spring and damper whose extension is the sum of `ends` times coordinates."""
    joint = np.zeros(len(K))
    for coordinate, factor in ends.items():
        joint[coordinate] = factor
    K += spring[0] * np.outer(joint, joint)
    C += spring[1] * np.outer(joint, joint)
