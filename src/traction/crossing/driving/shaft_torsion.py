"""The twist of a shaft that drives a wheel, over a part of its path.

The wheel turns by I d(omega)/dt = T_s - R F_x with the torque T_s = k theta + c s of the shaft, and
d(theta)/dt = s = Omega - omega. The rotor has a given speed Omega, or J d(Omega)/dt = T - T_s under a torque
T; a brake, T < 0, holds it once it stands. The twist is that of the trapezoidal rule, which does not damp
it, and the damper is weighted: over a part of the time h the mean torque is

    T_m = k (theta_0 + theta_1)/2 + c [(1 - w) s_0 + w s_1],    theta_1 = theta_0 + h (s_0 + s_1)/2.

With w = 1/2 it is of second order. Of a wheel and a rotor that are free, with 1/m = 1/I + 1/J, the damper
multiplies s by (1 - (1 - w) z)/(1 + w z) in a part, z = c h/m: w = 1 - 1/z from z = 2 on keeps it from
oscillating.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
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
    inertia: float  #: of the wheel, kg m^2
    before: Torsion
    turning: float  #: angular velocity of the wheel before it, rad/s
    seconds: float
    given: float  #: torque on the rotor if it has an inertia, N m; else its speed at the end, rad/s
    held: bool = False  #: whether a brake holds the rotor

    @cached_property
    def torque(self) -> WheelTorque:
        """The mean torque on the wheel."""
        h, k, c = self.seconds, self.shaft.stiffness, self.shaft.damping
        later, slip = self._weigh_later(), self.before.rotor - self.turning
        begun = k * self.before.twist + (0.25 * h * k + c * (1.0 - later)) * slip
        slope = 0.25 * h * k + c * later
        speed = self._known_speed
        if speed is not None:
            return WheelTorque(begun + slope * speed, slope)
        assert self.shaft.inertia is not None
        yields = 1.0 + slope * h / self.shaft.inertia
        alone = self.before.rotor + h * self.given / self.shaft.inertia
        return WheelTorque((begun + slope * alone) / yields, slope / yields)

    def end(self, turning: float) -> Torsion:
        """The state after it, by the angular velocity of the wheel, rad/s."""
        rotor = self._known_speed
        if rotor is None:
            rotor = self._turn_rotor(turning)
        slipped = 0.5 * self.seconds * (self.before.rotor - self.turning + rotor - turning)
        return Torsion(rotor, self.before.twist + slipped)

    def is_right(self, turning: float) -> bool:
        """Whether a brake on the rotor does what it was assumed to, at that angular velocity of the wheel."""
        if self.shaft.inertia is None or self.given >= 0.0:
            return True
        moves = self._turn_rotor(turning) > 0.0
        return moves != self.held

    def _turn_rotor(self, turning: float) -> float:
        """Angular velocity at the end of a rotor that the given torque and that of the shaft act on."""
        assert self.shaft.inertia is not None
        torque = self.torque.free - self.torque.slope * turning
        return self.before.rotor + self.seconds * (self.given - torque) / self.shaft.inertia

    @property
    def _known_speed(self) -> float | None:
        """Of the rotor at the end, where the torques do not decide it."""
        if self.held:
            return 0.0
        return None if self.shaft.inertia is not None else self.given

    def _weigh_later(self) -> float:
        """Weight w of the slip at the end in the torque of the damper."""
        ease = 1.0 / self.inertia + (0.0 if self.shaft.inertia is None else 1.0 / self.shaft.inertia)
        stiff = self.shaft.damping * self.seconds * ease
        return max(0.5, 1.0 - 1.0 / stiff) if stiff > 0.0 else 0.5
