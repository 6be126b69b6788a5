"""The twist of a shaft that drives a wheel, over a part of its path.

The wheel turns by I d(omega)/dt = T_s - R F_x with the torque T_s = k theta + c d(theta)/dt of the shaft, and
d(theta)/dt = Omega - omega. The rotor has a given speed Omega, or J d(Omega)/dt = T - T_s under a torque T.
By the trapezoidal rule torsion is not damped numerically, and the torque at the end of a part is linear in
omega there,

    T_s = k [theta_0 + h/2 (Omega_0 - omega_0)] + (k h/2 + c) (Omega - omega).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from traction.trains.shaft import Shaft


class Torsion(NamedTuple):
    """State of a shaft between two parts of the path of its wheel."""

    rotor: float  #: angular velocity of the rotor, rad/s
    twist: float  #: by which it is ahead of the wheel, rad


class WheelTorque(NamedTuple):
    """Mean torque on a wheel over a part, free - slope omega, by its angular velocity at the end."""

    free: float  #: N m
    slope: float = 0.0  #: N m s/rad


@dataclass(frozen=True)
class ShaftPart:
    """A shaft over a part of the path."""

    shaft: Shaft
    before: Torsion
    turning: float  #: angular velocity of the wheel before it, rad/s
    seconds: float
    given: float  #: torque on the rotor if it has an inertia, N m; else its speed at the end, rad/s

    @property
    def torque(self) -> WheelTorque:
        """The mean torque on the wheel."""
        last = self._last
        return WheelTorque(0.5 * (self._first + last.free), 0.5 * last.slope)

    def end(self, turning: float) -> Torsion:
        """The state after it, by the angular velocity of the wheel, rad/s."""
        last, half = self._last, 0.5 * self.seconds
        rotor = self.given
        if self.shaft.inertia is not None:
            torque = 0.5 * (self._first + last.free - last.slope * turning)
            rotor = self.before.rotor + self.seconds * (self.given - torque) / self.shaft.inertia
        twist = self.before.twist + half * (self.before.rotor - self.turning + rotor - turning)
        return Torsion(rotor, twist)

    @property
    def _first(self) -> float:
        """Torque at its beginning, N m."""
        return self.shaft.torque(self.before.twist, self.before.rotor - self.turning)

    @property
    def _last(self) -> WheelTorque:
        """Torque at its end."""
        h, k, c = self.seconds, self.shaft.stiffness, self.shaft.damping
        held = k * (self.before.twist + 0.5 * h * (self.before.rotor - self.turning))
        slope = 0.5 * h * k + c
        if self.shaft.inertia is None:
            return WheelTorque(held + slope * self.given, slope)
        yields = 1.0 + 0.5 * h * slope / self.shaft.inertia
        rotor = self.before.rotor + h * (self.given - 0.5 * self._first) / self.shaft.inertia
        return WheelTorque((held + slope * rotor) / yields, slope / yields)
