"""A clamped infinite beam, pressed by a uniform load on a flat rigid obstacle (Bosten et al.).

A. Bosten, V. Denoel, A. Cosimo, J. Linn, O. Bruls, "The influence of beam kinematic assumptions in a beam
contact benchmark". Lengths along the beam are in u2 = (g EI/p)^(1/4), deflections in the gap g, forces in
p u2, moments in p u2^2, the contact force per length in p; epsilon^2 = EI/(kGA u2^2), zero for
Euler-Bernoulli:

    theta''' = 1 - rho,    epsilon^2 theta'' - theta + nu' = 0,    nu <= 1,  rho >= 0,  rho (nu - 1) = 0.

Up to the free length delta the rotation theta is a cubic; from there on the beam lies on the obstacle, nu =
1, and theta decays like exp(-xi/epsilon). With D = delta^2 + 2 epsilon delta + 2 epsilon^2, continuity of
theta, theta' and theta'' determines the shear force T = delta^3/(3 D) at delta, and nu(delta) = 1 is

    delta^6 + 6 epsilon delta^5 + 30 epsilon^2 delta^4 + 72 epsilon^3 delta^3 + 72 epsilon^4 delta^2 = 72 D,

whose terms all have one sign: it has one positive root, without cancellation for any epsilon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from traction import checks
from traction.beams.beam_description import BeamFields
from traction.beams.exact.statics import FIELDS, field_variables
from traction.errors import InputError
from traction.outputs.beam_result import SHAPE_PLACES, BeamResult, places_axis
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number

SHOWN = 2.0  #: free lengths from the clamped end that files and pictures show


@dataclass(frozen=True, repr=False)
class ObstacleBenchmark(Result):
    """Dimensionless solution of a clamped infinite beam on a flat obstacle; result of `tr.obstacle.exact`."""

    _rows, _drawn = ("xi",), "deflection"

    epsilon: float  #: sqrt(EI/kGA)/u2

    def __post_init__(self) -> None:
        remedy = "it is the length of the shear layer, zero for Euler-Bernoulli."
        epsilon = checks.at_least("epsilon", self.epsilon, 0.0, remedy=remedy)
        epsilon = checks.positive("epsilon", epsilon) if epsilon else 0.0
        if epsilon > 1e6:
            raise InputError(f"epsilon = {epsilon} must be at most 1e6; check the shear stiffness.")
        checks.keep(self, epsilon=epsilon)

    @cached_property
    def free_length(self) -> float:
        """Free length delta, from the clamped end to the start of contact."""
        e = self.epsilon
        if e == 0.0:
            return float(72.0**0.25)

        def excess(d: float) -> float:
            grown = (((d + 6.0 * e) * d + 30.0 * e**2) * d + 72.0 * e**3) * d + 72.0 * e**4
            return grown * d**2 / (d**2 + 2.0 * e * d + 2.0 * e**2) - 72.0

        return float(brentq(excess, 0.0, 3.0, xtol=1e-300, rtol=4.0 * np.finfo(float).eps))

    @cached_property
    def excess_force(self) -> float:
        """T(delta), force of the obstacle beyond the load on the supported part."""
        d, e = self.free_length, self.epsilon
        return d**3 / (3.0 * (d**2 + 2.0 * e * d + 2.0 * e**2))

    @property
    def point_force(self) -> float:
        """Concentrated force at the start of contact: delta/3 for Euler-Bernoulli, otherwise zero."""
        return self.excess_force if self.epsilon == 0.0 else 0.0

    def _headline(self) -> str:
        return f"epsilon = {self.epsilon:.6g}, without dimensions"

    def _variables(self) -> Iterator[Variable]:
        xi = np.linspace(0.0, SHOWN * self.free_length, SHAPE_PLACES)
        yield figure("free_length", self.free_length, "1", "free length")
        yield figure("excess_force", self.excess_force, "1", "force beyond the load on the contact")
        yield figure("point_force", self.point_force, "1", "point force at the begin of the contact")
        yield number("epsilon", self.epsilon, "1", "length of the shear layer")
        yield axis("xi", xi, "1", "position along the beam")
        for name, _, words in FIELDS:
            yield data(name, getattr(self, name)(xi), "1", words, "xi")
        yield data("contact_force", self.contact_force(xi), "1", "contact force per length", "xi")

    def rotation(self, xi: ArrayLike) -> np.ndarray:
        """Return the rotation theta of the section at `xi`."""
        a, b = self._root
        return self._joined(xi, lambda s: ((s / 6.0 + 0.5 * a) * s + b) * s, self.epsilon**2)

    def moment(self, xi: ArrayLike) -> np.ndarray:
        """Return the moment theta' at `xi`, positive where the beam curves towards the obstacle."""
        a, b = self._root
        return self._joined(xi, lambda s: (0.5 * s + a) * s + b, -self.epsilon)

    def shear(self, xi: ArrayLike) -> np.ndarray:
        """Return the shear force theta'' at `xi`; at the Euler-Bernoulli point force the value behind it."""
        return self._joined(xi, lambda s: s + self._root[0], 1.0)

    def deflection(self, xi: ArrayLike) -> np.ndarray:
        """Return the deflection nu at `xi`; 1 on the obstacle."""
        a, b = self._root
        e2, places = self.epsilon**2, _check_places(xi)
        free = ((places / 24.0 + a / 6.0) * places + 0.5 * (b - e2)) * places**2 - e2 * a * places
        return np.where(places < self.free_length, free, 1.0)

    def contact_force(self, xi: ArrayLike) -> np.ndarray:
        """Return the contact force per length rho at `xi`, without the point force.

        Zero before the contact, 1 far behind its start.
        """
        places, e = _check_places(xi), self.epsilon
        layer = 0.0 if e == 0.0 else self.excess_force / e * self._fading(places)
        return np.where(places < self.free_length, 0.0, 1.0 + layer)

    def contact_force_integral(self, xi1: ArrayLike, xi2: ArrayLike) -> np.ndarray:
        """Return the force of the obstacle from `xi1` to `xi2`, including the point force between them."""
        return np.asarray(self._force_up_to(xi2) - self._force_up_to(xi1))

    @cached_property
    def _root(self) -> tuple[float, float]:
        """Shear force and moment at the clamped end."""
        d, T = self.free_length, self.excess_force
        return T - d, 0.5 * d**2 - (d + self.epsilon) * T

    def _force_up_to(self, xi: ArrayLike) -> np.ndarray:
        places = _check_places(xi)
        touching = np.maximum(places - self.free_length, 0.0)
        layer = self.excess_force * (1.0 if self.epsilon == 0.0 else -np.expm1(-touching / self.epsilon))
        return np.where(places < self.free_length, 0.0, touching + layer)

    def _joined(self, xi: ArrayLike, free: Callable[[np.ndarray], np.ndarray], factor: float) -> np.ndarray:
        """A cubic's derivative before delta, `factor` T exp(-(xi - delta)/epsilon) behind."""
        places = _check_places(xi)
        behind = np.zeros_like(places) if self.epsilon == 0.0 else self._fading(places)
        return np.where(places < self.free_length, free(places), factor * self.excess_force * behind)

    def _fading(self, places: np.ndarray) -> np.ndarray:
        return np.exp(-np.maximum(places - self.free_length, 0.0) / self.epsilon)


@dataclass(frozen=True, repr=False)
class ScaledObstacle(BeamResult, BeamFields):
    """Solution of a clamped infinite beam on a flat obstacle, in SI; x is counted from the clamped end.

    Moment and shear force are EI theta' and EI theta'': positive where the beam curves towards the obstacle.
    """

    _rows, _drawn = ("x",), "deflection"

    benchmark: ObstacleBenchmark  #: dimensionless solution
    load: float  #: uniform load p, N/m
    gap: float  #: g, m
    scale: float  #: unit of length u2, m

    @property
    def free_length(self) -> float:
        """Free length, m."""
        return self.scale * self.benchmark.free_length

    @property
    def point_force(self) -> float:
        """Concentrated force at the start of contact, N."""
        return self.load * self.scale * self.benchmark.point_force

    def _default_places(self) -> np.ndarray:
        return np.linspace(0.0, SHOWN * self.free_length, SHAPE_PLACES)

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        yield figure("free_length", self.free_length, "m", "free length")
        yield figure("point_force", self.point_force, "N", "point force at the begin of the contact")
        yield number("load", self.load, "N/m", "uniform load")
        yield number("gap", self.gap, "m", "gap")
        yield places_axis(x)
        yield from field_variables(self, x)
        yield data("contact_force", self.contact_force(x), "N/m", "contact force per length", "x")

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        units = {
            "deflection": self.gap,
            "rotation": self.gap / self.scale,
            "moment": self.load * self.scale**2,
            "shear": self.load * self.scale,
        }
        return units[quantity] * getattr(self.benchmark, quantity)(_check_places(x) / self.scale)

    def contact_force(self, x: ArrayLike) -> np.ndarray:
        """Return the contact force per length (N/m) at positions `x` (m)."""
        return self.load * self.benchmark.contact_force(_check_places(x) / self.scale)

    def contact_force_integral(self, x1: ArrayLike, x2: ArrayLike) -> np.ndarray:
        """Return the force (N) of the obstacle from `x1` to `x2` (m)."""
        a, b = _check_places(x1) / self.scale, _check_places(x2) / self.scale
        return self.load * self.scale * self.benchmark.contact_force_integral(a, b)


def exact(epsilon: float) -> ObstacleBenchmark:
    """Return the closed solution of a clamped infinite beam pressed on a flat obstacle, dimensionless.

    theta''' = 1 - rho, epsilon^2 theta'' - theta + nu' = 0, nu <= 1, rho >= 0, rho (nu - 1) = 0 (Bosten,
    Denoel, Cosimo, Linn and Bruls, "The influence of beam kinematic assumptions in a beam contact
    benchmark").

    Parameters
    ----------
    epsilon
        Dimensionless shear length sqrt(EI/kGA)/u2 with u2 = (g EI/p)^(1/4); 0 for Euler-Bernoulli.

    Returns
    -------
    ObstacleBenchmark
        Free length, forces and fields over xi = x/u2.

    Raises
    ------
    InputError
        If epsilon is negative or above 1e6.

    Examples
    --------
    >>> print(f"{tr.obstacle.exact(0.0).free_length:.4f}, {tr.obstacle.exact(0.2).free_length:.4f}")
    2.9130, 2.6676
    """
    return ObstacleBenchmark(epsilon)


def with_dimensions(
    bending_stiffness: float, load: float, gap: float, *, shear_stiffness: float | None = None
) -> ScaledObstacle:
    """Return the closed solution of a clamped infinite beam pressed on a flat obstacle, in SI.

    Parameters
    ----------
    bending_stiffness
        EI, N m^2.
    load
        Uniform load p, N/m.
    gap
        Gap g between beam and obstacle, m.
    shear_stiffness
        kGA, N, for Timoshenko's theory; Euler-Bernoulli by default.

    Returns
    -------
    ScaledObstacle
        Free length, forces and fields over x.

    Raises
    ------
    InputError
        If stiffness, load or gap is not positive.

    Examples
    --------
    >>> print(f"{tr.obstacle.with_dimensions(1e4, 1e3, 1e-3).free_length:.4f} m")
    0.9212 m
    """
    EI = checks.positive("bending_stiffness", bending_stiffness, "N m^2")
    p = checks.positive("load", load, "N/m", "it presses the beam towards the obstacle.")
    g = checks.positive("gap", gap, "m", "the obstacle lies below the straight beam.")
    scale = (g * EI / p) ** 0.25
    shear = 0.0
    if shear_stiffness is not None:
        shear = (EI / checks.positive("shear_stiffness", shear_stiffness, "N")) ** 0.5 / scale
    return ScaledObstacle(ObstacleBenchmark(shear), p, g, scale)


def _check_places(x: ArrayLike) -> np.ndarray:
    places = checks.finite_array("xi", x).reshape(np.shape(x))
    if (places < 0.0).any():
        raise InputError(f"xi = {float(places.min())} must be at least 0, the clamped end.")
    return places
