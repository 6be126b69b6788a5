"""`Shaft`: an elastic shaft between a wheel and what drives it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction import checks


@dataclass(frozen=True)
class Shaft:
    """Torsional spring and damper between a driven wheel and the rotor that drives it.

    Its torque on the wheel is k theta + c d(theta)/dt with the twist theta, by which the rotor is ahead of
    the wheel. With friction that falls with the slip speed the wheel may stick and slip alternately.

    Parameters
    ----------
    stiffness
        k, N m/rad.
    damping
        c, N m s/rad.
    inertia
        Moment of inertia of the rotor, kg m^2, which a torque turns; None with a given creepage, with which
        the rotor then turns.

    Examples
    --------
    >>> shaft = tr.Shaft(4e5, damping=20.0)
    >>> drive = tr.Drive(creepage=(-0.02, 0.0, 0.0), inertia=50.0, shaft=shaft)
    >>> print(f"{1.0 / shaft.period(drive.inertia):.1f} Hz")
    14.2 Hz
    """

    stiffness: float
    damping: float = 0.0
    inertia: float | None = None

    def __post_init__(self) -> None:
        checks.keep(
            self,
            stiffness=checks.positive("stiffness", self.stiffness, "N m/rad"),
            damping=checks.not_negative("damping", self.damping, "N m s/rad"),
            inertia=None if self.inertia is None else checks.positive("inertia", self.inertia, "kg m^2"),
        )

    def torque(self, twist: float, rate: float) -> float:
        """Return the torque on the wheel (N m) at a `twist` (rad) that grows by a `rate` (rad/s)."""
        return self.stiffness * twist + self.damping * rate

    def period(self, inertia: float) -> float:
        """Return the period (s) of undamped torsion, with a wheel of so much `inertia` (kg m^2) that is free.

        Where the wheel sticks it turns with the train, and torsion is slower.
        """
        wheel = 1.0 / checks.positive("inertia", inertia, "kg m^2", "it is that of the wheel.")
        rotor = 0.0 if self.inertia is None else 1.0 / self.inertia
        return 2.0 * math.pi / math.sqrt(self.stiffness * (wheel + rotor))
