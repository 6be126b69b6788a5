"""Structures without an end: infinite beam, infinite plate (Zener 1941), and rigid ground."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import ConvergenceError
from traction.impacts.structures.modal_structure import PointResponse
from traction.impacts.structures.plate import plate_stiffness
from traction.laws.power_law import PowerLaw
from traction.materials import Material

SPACING = 0.3  #: of the logarithms of decay rates; the trapezoidal rule errs by exp(-pi^2/SPACING)
SLOW, FAST = 1e-8, 1e8  #: slowest and fastest decay, over the longest and the shortest time
LONGEST = 1e6  #: dimensionless time; the contact lasts longer the larger lambda is


@dataclass(frozen=True)
class InfiniteBeam:
    """An endless beam of Euler and Bernoulli, EI (N m^2) and mass per length m (kg/m).

    Green's function: w(t) = sqrt(t)/(m sqrt(2 pi c)) after an impulse of 1 N s, c = sqrt(EI/m).
    """

    bending_stiffness: float
    mass_per_length: float

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.positive, bending_stiffness="N m^2", mass_per_length="kg/m")

    def impulse_answer(self, t: ArrayLike) -> np.ndarray:
        """Green's function at times t (s), m/(N s)."""
        return self._factor * np.sqrt(np.asarray(t, dtype=float))

    def decays(self, shortest: float, longest: float) -> PointResponse:
        """The rate 1/sqrt(t) of Green's function as a sum of decays, exact to 1e-11 between two times (s).

        1/sqrt(t) = pi^(-1/2) int exp(x/2 - t exp(x)) dx by the trapezoidal rule. What is slower than all
        times shown moves like a free mass, what is faster like a dashpot; both sums are geometric.
        """
        low, high = math.log(SLOW / longest), math.log(FAST / shortest)
        n = math.ceil((high - low) / SPACING) + 1
        x = low + SPACING * np.arange(n)
        scale = 0.5 * self._factor * SPACING / math.sqrt(math.pi)
        ratio = math.exp(-0.5 * SPACING)
        slower = scale * math.exp(0.5 * x[0]) * ratio / (1.0 - ratio)
        faster = scale * math.exp(-0.5 * x[-1]) * ratio / (1.0 - ratio)
        return PointResponse(
            np.zeros(n + 1),
            np.r_[0.0, np.exp(x)],
            np.sqrt(np.r_[slower, scale * np.exp(0.5 * x)]),
            mobility=faster,
        )

    @property
    def _factor(self) -> float:
        c = math.sqrt(self.bending_stiffness / self.mass_per_length)
        return 1.0 / (self.mass_per_length * math.sqrt(2.0 * math.pi * c))


@dataclass(frozen=True)
class InfinitePlate:
    """An endless plate, D (N m) and mass per area m (kg/m^2).

    It yields with the speed f/(8 sqrt(D m)), like a dashpot (Zener 1941).
    """

    bending_stiffness: float
    mass_per_area: float

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.positive, bending_stiffness="N m", mass_per_area="kg/m^2")

    @classmethod
    def of(cls, material: Material, thickness: float) -> InfinitePlate:
        """A plate of one material and thickness (m)."""
        return cls(*plate_stiffness(material, thickness))

    @property
    def mobility(self) -> float:
        """Speed under 1 N, m/(N s)."""
        return 1.0 / (8.0 * math.sqrt(self.bending_stiffness * self.mass_per_area))

    def inelasticity(self, mass: float, speed: float, law: PowerLaw) -> float:
        """Zener's parameter lambda = Y m v/D of a strike, with D = (m v^2/k)^(1/(n + 1))."""
        depth = (mass * speed**2 / law.coefficient) ** (1.0 / (law.exponent + 1.0))
        return self.mobility * mass * speed / depth


@dataclass(frozen=True)
class RigidGround:
    """Ground that does not move as a whole: all that gives way is the contact, Hertz's half space."""


def zener_restitution(inelasticity: float) -> float:
    """Coefficient of restitution for Zener's inelasticity parameter lambda >= 0, to 1e-10."""
    from scipy.integrate import solve_ivp

    loss = checks.at_least("inelasticity", inelasticity, 0.0)

    def motion(_: float, y: list[float]) -> tuple[float, float]:
        root = math.sqrt(max(y[0], 0.0))
        return y[1], -(root**3) - 1.5 * loss * root * y[1]

    def released(_: float, y: list[float]) -> float:
        return y[0]

    released.terminal, released.direction = True, -1.0  # type: ignore[attr-defined]
    found = solve_ivp(
        motion, (0.0, LONGEST), (0.0, 1.0), method="DOP853", events=released, rtol=1e-12, atol=1e-15
    )
    if not len(found.y_events[0]):
        raise ConvergenceError(f"inelasticity = {loss} leaves no rebound that can be told from zero.")
    return -float(found.y_events[0][0][1])
