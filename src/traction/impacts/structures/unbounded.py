"""Unbounded structures: infinite beam, infinite plate (Zener 1941), and rigid ground."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.impacts.structures.modal_structure import PointResponse
from traction.impacts.structures.plate import plate_stiffness
from traction.laws.power_law import PowerLaw
from traction.materials import Material

SPACING = 0.3  #: of the logarithms of decay rates; the trapezoidal rule errs by exp(-pi^2/SPACING)
SLOW, FAST = 1e-8, 1e8  #: slowest and fastest decay, over the longest and the shortest time
LONGEST = 1e6  #: dimensionless time; the contact lasts longer the larger lambda is

NO_REBOUND = 1000.0  #: Zener's parameter, above which e is round-off


@dataclass(frozen=True)
class InfiniteBeam:
    """Infinite Euler-Bernoulli beam.

    Green's function w(t) = sqrt(t)/(m sqrt(2 pi c)) after an impulse of 1 N s, c = sqrt(EI/m).

    Parameters
    ----------
    bending_stiffness
        EI, N m^2.
    mass_per_length
        m, kg/m.

    Examples
    --------
    >>> beam = tr.InfiniteBeam(500.0, 1.2)
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> print(f"e = {tr.impact(beam, None, striker).restitution:.3f}")
    e = 0.347
    """

    bending_stiffness: float
    mass_per_length: float

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.positive, bending_stiffness="N m^2", mass_per_length="kg/m")

    def impulse_answer(self, t: ArrayLike) -> np.ndarray:
        """Return Green's function at times `t` (s), m/(N s)."""
        return self._factor * np.sqrt(np.asarray(t, dtype=float))

    def decays(self, shortest: float, longest: float) -> PointResponse:
        """Return Green's function as a sum of decays, valid from `shortest` to `longest` (s).

        Its rate 1/sqrt(t) = pi^(-1/2) int exp(x/2 - t exp(x)) dx by the trapezoidal rule, exact to 1e-11.
        Slower terms move like a free mass, faster ones like a dashpot; both sums are geometric.
        """
        low, high = math.log(SLOW / longest), math.log(FAST / shortest)
        n = math.ceil((high - low) / SPACING) + 1
        x = low + SPACING * np.arange(n)
        scale = 0.5 * self._factor * SPACING / math.sqrt(math.pi)
        ratio = math.exp(-0.5 * SPACING)
        slower = scale * math.exp(0.5 * x[0]) * ratio / (1.0 - ratio)
        faster = scale * math.exp(-0.5 * x[-1]) * ratio / (1.0 - ratio)
        shapes = np.sqrt(np.r_[slower, scale * np.exp(0.5 * x)])
        return PointResponse(np.zeros(n + 1), np.r_[0.0, np.exp(x)], shapes, mobility=faster)

    @property
    def _factor(self) -> float:
        c = math.sqrt(self.bending_stiffness / self.mass_per_length)
        return 1.0 / (self.mass_per_length * math.sqrt(2.0 * math.pi * c))


@dataclass(frozen=True)
class InfinitePlate:
    """Infinite thin plate; under a force it moves like a dashpot, f/(8 sqrt(D m)) (Zener 1941).

    Parameters
    ----------
    bending_stiffness
        D, N m.
    mass_per_area
        m, kg/m^2.

    Examples
    --------
    >>> plate = tr.InfinitePlate.of(tr.STEEL, 8e-3)
    >>> print(f"{plate.mobility * 1e3:.3f} mm/s under 1 N")
    0.160 mm/s under 1 N
    """

    bending_stiffness: float
    mass_per_area: float

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.positive, bending_stiffness="N m", mass_per_area="kg/m^2")

    @classmethod
    def of(cls, material: Material, thickness: float) -> InfinitePlate:
        """Return a plate of a `material` and `thickness` (m)."""
        return cls(*plate_stiffness(material, thickness))

    @property
    def mobility(self) -> float:
        """Mobility Y, the speed under 1 N, m/(N s)."""
        return 1.0 / (8.0 * math.sqrt(self.bending_stiffness * self.mass_per_area))

    def inelasticity(self, mass: float, speed: float, law: PowerLaw) -> float:
        """Return Zener's parameter lambda = Y m v/D for a striker of a `mass` (kg), `speed` (m/s) and `law`.

        D = (m v^2/k)^(1/(n + 1)) for F = k delta^n.
        """
        depth = (mass * speed**2 / law.coefficient) ** (1.0 / (law.exponent + 1.0))
        return self.mobility * mass * speed / depth


@dataclass(frozen=True)
class RigidGround:
    """Rigid ground: only the contact deforms."""


def zener_restitution(inelasticity: float) -> float:
    """Return the coefficient of restitution of a strike on an infinite plate.

    Parameters
    ----------
    inelasticity
        Zener's parameter lambda >= 0, `InfinitePlate.inelasticity`.

    Returns
    -------
    float
        Coefficient of restitution e, to 1e-10 (Zener 1941).

    Raises
    ------
    InputError
        If the parameter is negative, or so large that no rebound is left.

    Examples
    --------
    >>> print(f"{tr.zener_restitution(0.5):.4f}")
    0.4369
    """
    from scipy.integrate import solve_ivp

    loss = checks.at_least("inelasticity", inelasticity, 0.0)
    if loss > NO_REBOUND:
        raise InputError(
            f"inelasticity = {loss} must be at most {NO_REBOUND}: no rebound is left that could be computed."
        )

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
        raise ConvergenceError(f"inelasticity = {loss} leaves no rebound distinguishable from zero.")
    return -float(found.y_events[0][0][1])
