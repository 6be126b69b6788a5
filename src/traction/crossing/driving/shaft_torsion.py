"""The twist of a shaft that drives a wheel, over a part of its path.

The wheel turns by I d(omega)/dt = T_s - R F_x with the torque T_s = k theta + c s of the shaft, and
d(theta)/dt = s = Omega - omega. The rotor has a given speed Omega, or J d(Omega)/dt = T - T_s under a torque
T > 0. A brake, T < 0, is dry friction: |T| against the rotation of the rotor, and up to |T| where it stands.
The twist is that of the trapezoidal rule, which does not damp it, and the damper is weighted: over a part of
the time h the mean torque is

    T_m = k (theta_0 + theta_1)/2 + c [(1 - w) s_0 + w s_1],    theta_1 = theta_0 + h (s_0 + s_1)/2.

With w = 1/2 it is of second order. Of a wheel and a rotor that are free, with 1/m = 1/I + 1/J, the damper
multiplies s by (1 - (1 - w) z)/(1 + w z) in a part, z = c h/m: w = 1 - 1/z from z = 2 on keeps it from
oscillating. The rotor turns by backward Euler: T_m decreases as Omega falls, so that a brake leaves just one
way in which the rotor turns at the end of a part.
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
    way: int = 1  #: in which a braked rotor turns at its end: forwards 1, backwards -1, held 0

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
        alone = self.before.rotor + h * self._acts / self.shaft.inertia
        return WheelTorque((begun + slope * alone) / yields, slope / yields)

    def end(self, turning: float) -> Torsion:
        """The state after it, by the angular velocity of the wheel, rad/s."""
        rotor = self._known_speed
        if rotor is None:
            rotor = self._turn_rotor(turning)
        slipped = 0.5 * self.seconds * (self.before.rotor - self.turning + rotor - turning)
        return Torsion(rotor, self.before.twist + slipped)

    def see_way(self, turning: float) -> int:
        """Way of a braked rotor at that angular velocity of the wheel; that of this part if it was right."""
        if not self.is_braked:
            return self.way
        if self.way:
            return self.way if self.way * self._turn_rotor(turning) >= 0.0 else 0
        assert self.shaft.inertia is not None
        stops = self._torque_at(turning) - self.shaft.inertia * self.before.rotor / self.seconds
        return 0 if abs(stops) <= -self.given else (-1 if stops > 0.0 else 1)

    @property
    def is_braked(self) -> bool:
        """Whether a brake acts on the rotor."""
        return self.shaft.inertia is not None and self.given < 0.0

    @property
    def _acts(self) -> float:
        """Torque on a rotor that turns, N m."""
        return self.way * self.given if self.is_braked else self.given

    def _turn_rotor(self, turning: float) -> float:
        """Angular velocity at the end of a rotor that its torque and that of the shaft act on."""
        assert self.shaft.inertia is not None
        return self.before.rotor + self.seconds * (self._acts - self._torque_at(turning)) / self.shaft.inertia

    def _torque_at(self, turning: float) -> float:
        """Mean torque of the shaft at an angular velocity of the wheel at the end, N m."""
        return self.torque.free - self.torque.slope * turning

    @property
    def _known_speed(self) -> float | None:
        """Of the rotor at the end, where the torques do not decide it."""
        if self.is_braked and self.way == 0:
            return 0.0
        return None if self.shaft.inertia is not None else self.given

    def _weigh_later(self) -> float:
        """Weight w of the slip at the end in the torque of the damper."""
        ease = 1.0 / self.inertia + (0.0 if self.shaft.inertia is None else 1.0 / self.shaft.inertia)
        stiff = self.shaft.damping * self.seconds * ease
        return max(0.5, 1.0 - 1.0 / stiff) if stiff > 0.0 else 0.5
