"""Adhesion of a sphere: JKR, DMT and the Maugis-Dugdale transition between them.

Johnson, Kendall and Roberts 1971; Derjaguin, Muller and Toporov 1975; Maugis 1992, J. Colloid Interface Sci.
150, 243; Johnson, Contact Mechanics, section 5.5. Forces (N) are positive in compression and negative in
tension, approaches (m) positive into the body. R is the relative radius (m), w the work of
adhesion (J/m2), and `pair` a `tr.Pair` or E* (Pa).

All three are computed in Maugis' units, which follow from K = 4/3 E*:
a = A (pi w R^2/K)^(1/3), F = P pi w R, delta = D (pi w R^2/K)^(2/3)/R.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from traction import checks
from traction.errors import InputError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.theory import inputs

MODELS = ("jkr", "dmt", "maugis-dugdale")

#: sigma0 z0/w of the Lennard-Jones law, whose peak stress stands for the constant one of Maugis
LENNARD_JONES = 16.0 / (9.0 * math.sqrt(3.0))

EXTREME = 1e8  #: from lambda = 1/EXTREME to EXTREME double precision tells Maugis-Dugdale from its limits

DOUBLINGS = 2000  #: cap on the search for a bracket; float64 holds fewer

RANGE = 1e30  #: the adhesive contact and the sphere differ less than this, so that cubes do not overflow

_TIGHT = {"xtol": 1e-300, "rtol": 1e-15}


@dataclass(frozen=True, repr=False)
class AdhesiveContact(Result):
    """A sphere that sticks: contact radius and outer radius in m, forces in N, approach in m."""

    radius: float  #: a, of the area in contact
    outer_radius: float  #: c >= a, to which the surfaces attract: a in JKR, infinite in DMT
    force: float  #: F, positive in compression
    approach: float  #: delta
    pull_off_force: float  #: lowest F that holds, negative
    transition: float  #: lambda of Maugis: infinite in JKR, 0 in DMT

    def _variables(self) -> Iterator[Variable]:
        yield figure("force", self.force, "N", "normal force")
        yield figure("approach", self.approach, "m", "approach")
        yield figure("radius", self.radius, "m", "contact radius")
        yield figure("outer_radius", self.outer_radius, "m", "outer radius of attraction")
        yield figure("pull_off_force", self.pull_off_force, "N", "pull-off force")
        yield number("transition", self.transition, "1", "transition parameter of Maugis")


@dataclass(frozen=True, repr=False)
class AdhesionCurve(Result):
    """States from no contact radius upwards, as arrays over the curve."""

    _rows, _drawn = ("radius",), "force"

    radius: np.ndarray  #: a, m
    force: np.ndarray  #: F, N
    approach: np.ndarray  #: delta, m
    stable: np.ndarray  #: whether the state holds under a given force
    pull_off_force: float  #: N

    def _headline(self) -> str:
        return f"{self.radius.size} states"

    def _variables(self) -> Iterator[Variable]:
        yield figure("pull_off_force", self.pull_off_force, "N", "pull-off force")
        yield axis("radius", self.radius, "m", "contact radius")
        yield data("force", self.force, "N", "normal force", "radius")
        yield data("approach", self.approach, "m", "approach", "radius")
        yield data("stable", self.stable, "1", "whether the state holds under a given force", "radius")


def jkr(
    radius: float,
    pair: Pair | float,
    work: float,
    *,
    contact_radius: float | None = None,
    force: float | None = None,
) -> AdhesiveContact:
    """Short-ranged adhesion of soft bodies; at a given `force` (N) the stable state, of larger radius.

    F = 4 E* a^3/(3 R) - sqrt(8 pi w E* a^3), delta = a^2/R - sqrt(2 pi w a/E*), pull-off -3/2 pi w R.
    """
    return _solve_contact(_JKR, _Units.checked(radius, pair, work), contact_radius, force)


def dmt(
    radius: float,
    pair: Pair | float,
    work: float,
    *,
    contact_radius: float | None = None,
    force: float | None = None,
) -> AdhesiveContact:
    """Long-ranged adhesion of hard bodies: Hertz under a constant attraction.

    F = 4 E* a^3/(3 R) - 2 pi w R, delta = a^2/R, pull-off -2 pi w R.
    """
    return _solve_contact(_DMT, _Units.checked(radius, pair, work), contact_radius, force)


def maugis_dugdale(
    radius: float,
    pair: Pair | float,
    work: float,
    *,
    tabor: float | None = None,
    cohesive_stress: float | None = None,
    contact_radius: float | None = None,
    force: float | None = None,
) -> AdhesiveContact:
    """A constant attraction sigma0 (Pa) in the ring a < r < c, outside the contact; it ends where w is spent.

    Give `cohesive_stress` sigma0, or the `tabor` parameter of a Lennard-Jones law. In Maugis' units, with
    m = c/a, lambda = sigma0 (9 R/(2 pi w E*^2))^(1/3) and T = arctan sqrt(m^2 - 1):
    1 = lambda A^2/2 (sqrt(m^2 - 1) + (m^2 - 2) T) + 4/3 lambda^2 A (sqrt(m^2 - 1) T - m + 1),
    P = A^3 - lambda A^2 (sqrt(m^2 - 1) + m^2 T), D = A^2 - 4/3 lambda A sqrt(m^2 - 1).
    """
    units = _Units.checked(radius, pair, work)
    return _solve_contact(_make_maugis(units, tabor, cohesive_stress), units, contact_radius, force)


def curve(
    radius: float,
    pair: Pair | float,
    work: float,
    *,
    model: str = "jkr",
    tabor: float | None = None,
    cohesive_stress: float | None = None,
    max_force: float | None = None,
    points: int = 201,
) -> AdhesionCurve:
    """Force and approach over contact radii from 0 to that under `max_force` (N), with the unstable branch.

    `max_force` is twice the pull-off force by default, in compression. `tabor` or `cohesive_stress` belong to
    the model "maugis-dugdale".
    """
    units = _Units.checked(radius, pair, work)
    if checks.choice("model", model, MODELS) == "maugis-dugdale":
        law = _make_maugis(units, tabor, cohesive_stress)
    elif tabor is None and cohesive_stress is None:
        law = _JKR if model == "jkr" else _DMT
    else:
        raise InputError(f'tabor and cohesive_stress have no meaning in model = "{model}"; leave them out.')
    top = -2.0 * law.pull_off if max_force is None else _check_load("max_force", max_force, law, units)
    A = np.linspace(0.0, law.radius(top), checks.count("points", points, 2))
    P, D, _ = np.transpose([law.state(value) for value in A])
    return AdhesionCurve(
        A * units.radius, P * units.force, D * units.approach, law.critical <= A, law.pull_off * units.force
    )


def tabor_parameter(radius: float, pair: Pair | float, work: float, separation: float) -> float:
    """The parameter mu = (R w^2/(E*^2 z0^3))^(1/3), with the equilibrium separation z0 (m) (Tabor 1977).

    Above about 5 JKR is right, below about 0.1 DMT.
    """
    R, w = checks.positive("radius", radius, "m"), checks.positive("work", work, "J/m2")
    z0 = checks.positive("separation", separation, "m", "it is near 2e-10 m for most solids.")
    return math.cbrt(R * (w / inputs.modulus(pair)) ** 2) / z0


@dataclass(frozen=True)
class _Units:
    """What one of Maugis' units is in SI."""

    radius: float
    force: float
    approach: float
    stress: float  #: sigma0 that makes lambda one
    sphere: float  #: R, m
    largest_force: float  #: 4/3 E* R^2, under which a bare contact is as wide as the sphere, N

    @classmethod
    def checked(cls, radius: float, pair: Pair | float, work: float) -> _Units:
        R, E = checks.positive("radius", radius, "m"), inputs.modulus(pair)
        w = checks.positive("work", work, "J/m2", "use tr.hertz.sphere where nothing sticks.")
        a = math.cbrt(0.75 * math.pi * w * R * R / E)
        if not R / RANGE <= a <= R * RANGE:
            raise InputError(
                f"work = {w} J/m2 is out of range beside radius = {R} m and E* = {E:.6g} Pa: work / (E* "
                f"radius) must lie between {RANGE**-3:.0e} and {RANGE**3:.0e}. Give all in SI units."
            )
        stress = math.cbrt(2.0 * math.pi * w * E * E / (9.0 * R))
        return cls(a, math.pi * w * R, a * a / R, stress, R, 4.0 / 3.0 * E * R * R)


@dataclass(frozen=True)
class _Law:
    """One model in Maugis' units."""

    state: Callable[[float], tuple[float, float, float]]  #: A -> (P, D, outer radius)
    radius: Callable[[float], float]  #: P -> A on the stable branch
    critical: float  #: A at pull-off
    pull_off: float  #: P at pull-off
    transition: float  #: lambda


_JKR = _Law(
    state=lambda A: (A**3 - math.sqrt(6.0 * A**3), A * A - math.sqrt(8.0 * A / 3.0), A),
    radius=lambda P: math.cbrt(P + 3.0 + math.sqrt(max(0.0, 6.0 * P + 9.0))),
    critical=math.cbrt(1.5),
    pull_off=-1.5,
    transition=math.inf,
)

_DMT = _Law(
    state=lambda A: (A**3 - 2.0, A * A, math.inf),
    radius=lambda P: math.cbrt(max(0.0, P + 2.0)),
    critical=0.0,
    pull_off=-2.0,
    transition=0.0,
)


def _make_maugis(units: _Units, tabor: float | None, cohesive_stress: float | None) -> _Law:
    if checks.exactly_one(tabor=tabor, cohesive_stress=cohesive_stress) == "tabor":
        # lambda = sigma0 (9 R/(2 pi w E*^2))^(1/3) with sigma0 = 1.026 w/z0 is 1.157 mu
        lam = LENNARD_JONES * math.cbrt(4.5 / math.pi) * checks.positive("tabor", tabor)
    else:
        lam = checks.positive("cohesive_stress", cohesive_stress, "Pa") / units.stress
    if not 1.0 / EXTREME <= lam <= EXTREME:
        raise InputError(
            f"Maugis' lambda = {lam:.3g} must lie between {1.0 / EXTREME:g} and {EXTREME:g}: "
            "beyond them use dmt or jkr, which are then exact."
        )

    def state(A: float) -> tuple[float, float, float]:
        return _maugis_state(A, lam)

    critical = brentq(lambda A: _maugis_slope(A, lam), 0.0, 2.0, **_TIGHT)
    pull_off = state(critical)[0]

    def radius(P: float) -> float:
        if pull_off >= P:
            return critical
        return _find_root(lambda A: state(A)[0] - P, critical, critical + 1.0)

    return _Law(state, radius, critical, pull_off, lam)


def _maugis_state(A: float, lam: float) -> tuple[float, float, float]:
    """(P, D, c); S = sqrt(c^2 - A^2) is the unknown, since c/A is infinite where A vanishes."""
    S = _solve_ring(A, lam)
    C, T = math.hypot(S, A), math.atan2(S, A)
    return A**3 - lam * (A * S + C * C * T), A * A - 4.0 / 3.0 * lam * S, C


def _solve_ring(A: float, lam: float) -> float:
    """S at which opening the ring costs the work of adhesion; the cost grows from 0 with S."""

    def surplus(S: float) -> float:
        C, T = math.hypot(S, A), math.atan2(S, A)
        bend = S * T - (S * S / (C + A) if S else 0.0)
        return 0.5 * lam * (A * S + (S * S - A * A) * T) + 4.0 / 3.0 * lam**2 * bend - 1.0

    return _find_root(surplus, 0.0, 1.0)


def _find_root(excess: Callable[[float], float], low: float, high: float) -> float:
    """Where a growing function changes sign; `high` is doubled until it does."""
    for _ in range(DOUBLINGS):
        if excess(high) >= 0.0:
            return brentq(excess, low, high, **_TIGHT)
        high *= 2.0
    raise InputError(
        "the equations of Maugis-Dugdale have no solution in double precision for this radius, modulus and "
        "work; check their units, or use jkr or dmt."
    )


def _maugis_slope(A: float, lam: float) -> float:
    """(dP/dA)/A along the curve, by implicit differentiation; finite, and negative, at A = 0."""
    S = _solve_ring(A, lam)
    C, T = math.hypot(S, A), math.atan2(S, A)
    cost_A = lam * (A * S / C**2 - T) - 4.0 / 3.0 * lam**2 * S**2 / (C**2 * (C + A))
    cost_S = lam * S * (T + A * S / C**2) + 4.0 / 3.0 * lam**2 * (T + S * A / C**2 - S / C)
    return 3.0 * A - 2.0 * lam * T + 2.0 * lam * (A + S * T) * cost_A / cost_S


def _solve_contact(
    law: _Law, units: _Units, contact_radius: float | None, force: float | None
) -> AdhesiveContact:
    if checks.exactly_one(contact_radius=contact_radius, force=force) == "force":
        A = law.radius(_check_load("force", force, law, units))
    else:
        a = checks.at_least("contact_radius", contact_radius, 0.0, "m")
        if a > units.sphere:
            raise InputError(
                f"contact_radius = {a} m must be at most radius = {units.sphere} m: a contact is narrower "
                "than its sphere. Give a smaller one."
            )
        A = a / units.radius
    P, D, C = law.state(A)
    return AdhesiveContact(
        radius=A * units.radius,
        outer_radius=C * units.radius,
        force=P * units.force,
        approach=D * units.approach,
        pull_off_force=law.pull_off * units.force,
        transition=law.transition,
    )


def _check_load(name: str, force: float | None, law: _Law, units: _Units) -> float:
    """P of a force that the contact can hold; rounding of the pull-off force itself is forgiven."""
    given = checks.finite(name, force, "N")
    if law.pull_off * (1.0 + 1e-12) > given / units.force:
        raise InputError(
            f"{name} = {given} N must be at least the pull-off force {law.pull_off * units.force:.6g} N: "
            "the surfaces would part. Pull less, or give contact_radius."
        )
    if given > units.largest_force:
        raise InputError(
            f"{name} = {given} N must be at most 4/3 E* R^2 = {units.largest_force:.6g} N, under which the "
            f"contact is as wide as the sphere of radius = {units.sphere} m. Push less, or check the units."
        )
    return given / units.force
