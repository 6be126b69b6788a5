"""Adhesion of a sphere: JKR, DMT and the Maugis-Dugdale transition between them.

Johnson, Kendall and Roberts 1971; Derjaguin, Muller and Toporov 1975; Maugis 1992, J. Colloid Interface Sci.
150, 243; Johnson, Contact Mechanics, section 5.5. Forces (N) are positive in compression and negative in
tension, approaches (m) positive into the body. R is the relative radius (m), w the work of
adhesion (J/m2), and `pair` a `tr.Pair` or E* (Pa).

All three are computed in Maugis' units, with K = 4/3 E*:
a = A (pi w R^2/K)^(1/3), F = P pi w R, delta = D (pi w R^2/K)^(2/3)/R.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import brentq

from traction import checks
from traction.checks import Either
from traction.errors import InputError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.theory.hertz_contacts import find_modulus

__all__ = ["AdhesionCurve", "AdhesiveContact", "curve", "dmt", "jkr", "maugis_dugdale", "tabor_parameter"]

MODELS = ("jkr", "dmt", "maugis-dugdale")

#: sigma0 z0/w of the Lennard-Jones law, whose peak stress stands for the constant one of Maugis
LENNARD_JONES = 16.0 / (9.0 * math.sqrt(3.0))

EXTREME = 1e8  #: lambda from 1/EXTREME to EXTREME is distinct from its limits in double precision

DOUBLINGS = 2000  #: cap on the search for a bracket; float64 holds fewer

RANGE = 1e30  #: the adhesive contact and the sphere differ less than this, so that cubes do not overflow

_TIGHT = {"xtol": 1e-300, "rtol": 1e-15}

MOST_POINTS = 100_000  #: of a curve


@dataclass(frozen=True, repr=False)
class AdhesiveContact(Result):
    """Contact of an adhesive sphere."""

    radius: float  #: contact radius a, m
    outer_radius: float  #: c >= a, to which the surfaces attract, m: a in JKR, infinite in DMT
    force: float  #: F, N, positive in compression
    approach: float  #: delta, m
    pull_off_force: float  #: lowest stable F, N, negative
    transition: float  #: Maugis' lambda: infinite in JKR, 0 in DMT

    def _variables(self) -> Iterator[Variable]:
        yield figure("force", self.force, "N", "normal force")
        yield figure("approach", self.approach, "m", "approach")
        yield figure("radius", self.radius, "m", "contact radius")
        yield figure("outer_radius", self.outer_radius, "m", "outer radius of attraction")
        yield figure("pull_off_force", self.pull_off_force, "N", "pull-off force")
        yield number("transition", self.transition, "1", "transition parameter of Maugis")


@dataclass(frozen=True, repr=False)
class AdhesionCurve(Result):
    """Force and approach over the contact radius, as arrays from radius zero upwards."""

    _rows, _drawn = ("radius",), "force"

    radius: np.ndarray  #: a, m
    force: np.ndarray  #: F, N
    approach: np.ndarray  #: delta, m
    stable: np.ndarray  #: whether the state is stable under a given force
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
    radius: float, pair: Pair | float, work: float, *, contact_radius: Either = None, force: Either = None
) -> AdhesiveContact:
    """Return the adhesive contact of a compliant sphere (Johnson, Kendall and Roberts).

    F = 4 E* a^3/(3 R) - sqrt(8 pi w E* a^3), delta = a^2/R - sqrt(2 pi w a/E*), pull-off at -3/2 pi w R
    (Johnson, Kendall and Roberts 1971). Valid for short-ranged attraction, Tabor parameter above about 5.

    Parameters
    ----------
    radius
        Relative radius R, m.
    pair
        Materials, or the effective modulus E*, Pa.
    work
        Work of adhesion w, J/m2.
    contact_radius
        Contact radius a, m. Exactly one of `contact_radius` and `force` is given.
    force
        Normal force F, N, negative in tension; the stable state is returned.

    Returns
    -------
    AdhesiveContact
        Contact radius, force, approach and pull-off force.

    Raises
    ------
    InputError
        If the force is below the pull-off force, or a value is out of range.

    Examples
    --------
    >>> c = tr.adhesion.jkr(1e-3, 5e6, 0.05, force=0.0)
    >>> print(f"a = {c.radius * 1e6:.1f} um, pull-off {c.pull_off_force * 1e6:.0f} uN")
    a = 52.1 um, pull-off -236 uN
    """
    return _solve_contact(_JKR, _Units.checked(radius, pair, work), contact_radius, force)


def dmt(
    radius: float, pair: Pair | float, work: float, *, contact_radius: Either = None, force: Either = None
) -> AdhesiveContact:
    """Return the adhesive contact of a hard sphere (Derjaguin, Muller and Toporov).

    Hertz contact under a constant attraction: F = 4 E* a^3/(3 R) - 2 pi w R, delta = a^2/R, pull-off at
    -2 pi w R (Derjaguin, Muller and Toporov 1975). Valid for long-ranged attraction, Tabor parameter below
    about 0.1.

    Parameters
    ----------
    radius, pair, work, contact_radius, force
        As in `jkr`; every state is stable.

    Returns
    -------
    AdhesiveContact
        As of `jkr`.

    Raises
    ------
    InputError
        As `jkr`.

    Examples
    --------
    >>> c = tr.adhesion.dmt(1e-6, 100e9, 0.05, force=0.0)
    >>> print(f"{c.pull_off_force * 1e9:.0f} nN")
    -314 nN
    """
    return _solve_contact(_DMT, _Units.checked(radius, pair, work), contact_radius, force)


def maugis_dugdale(
    radius: float,
    pair: Pair | float,
    work: float,
    *,
    tabor: Either = None,
    cohesive_stress: Either = None,
    contact_radius: Either = None,
    force: Either = None,
) -> AdhesiveContact:
    """Return the adhesive contact of a sphere between the limits of JKR and DMT (Maugis).

    In Maugis' units, with m = c/a, lambda = sigma0 (9 R/(2 pi w E*^2))^(1/3) and T = arctan sqrt(m^2 - 1)
    (Maugis 1992):
    1 = lambda A^2/2 (sqrt(m^2 - 1) + (m^2 - 2) T) + 4/3 lambda^2 A (sqrt(m^2 - 1) T - m + 1),
    P = A^3 - lambda A^2 (sqrt(m^2 - 1) + m^2 T), D = A^2 - 4/3 lambda A sqrt(m^2 - 1).

    Parameters
    ----------
    radius, pair, work, contact_radius, force
        As in `jkr`.
    tabor
        Tabor parameter of a Lennard-Jones law; see `tabor_parameter`. Exactly one of `tabor` and
        `cohesive_stress` is given.
    cohesive_stress
        Constant attraction sigma0 in the ring a < r < c around the contact, Pa.

    Returns
    -------
    AdhesiveContact
        As of `jkr`, with the outer radius c of attraction.

    Raises
    ------
    InputError
        If the force is below the pull-off force, or lambda is so extreme that JKR or DMT is exact.

    Examples
    --------
    >>> c = tr.adhesion.maugis_dugdale(1e-6, 10e9, 0.05, tabor=1.0, force=0.0)
    >>> print(f"a = {c.radius * 1e9:.1f} nm, pull-off {c.pull_off_force * 1e9:.0f} nN")
    a = 37.8 nm, pull-off -249 nN
    """
    units = _Units.checked(radius, pair, work)
    return _solve_contact(_make_maugis(units, tabor, cohesive_stress), units, contact_radius, force)


def curve(
    radius: float,
    pair: Pair | float,
    work: float,
    *,
    model: str = "jkr",
    tabor: Either = None,
    cohesive_stress: Either = None,
    max_force: float | None = None,
    points: int = 201,
) -> AdhesionCurve:
    """Return force and approach of an adhesive sphere over its contact radius, unstable branch included.

    Parameters
    ----------
    radius, pair, work
        As in `jkr`.
    model
        "jkr", "dmt" or "maugis-dugdale".
    tabor, cohesive_stress
        Tabor parameter, or attraction sigma0 (Pa); exactly one for "maugis-dugdale", none otherwise.
    max_force
        Force at the end of the curve, N; by default twice the pull-off force, in compression.
    points
        Number of states.

    Returns
    -------
    AdhesionCurve
        Arrays of radius, force, approach and stability.

    Raises
    ------
    InputError
        If a value is out of range, or the model takes neither a Tabor parameter nor a stress.

    Examples
    --------
    >>> c = tr.adhesion.curve(1e-3, 5e6, 0.05, points=51)
    >>> print(f"lowest force {c.force.min() * 1e6:.0f} uN")
    lowest force -235 uN
    """
    units = _Units.checked(radius, pair, work)
    if checks.choice("model", model, MODELS) == "maugis-dugdale":
        law = _make_maugis(units, tabor, cohesive_stress)
    elif tabor is None and cohesive_stress is None:
        law = _JKR if model == "jkr" else _DMT
    else:
        raise InputError(f'tabor and cohesive_stress have no meaning in model = "{model}"; omit them.')
    top = -2.0 * law.pull_off if max_force is None else _check_load("max_force", max_force, law, units)
    A = np.linspace(0.0, law.radius(top), checks.count("points", points, 2, MOST_POINTS))
    P, D, _ = np.transpose([law.state(value) for value in A])
    return AdhesionCurve(
        A * units.radius, P * units.force, D * units.approach, law.critical <= A, law.pull_off * units.force
    )


def tabor_parameter(radius: float, pair: Pair | float, work: float, separation: float) -> float:
    """Return the Tabor parameter, which selects between JKR and DMT.

    Parameters
    ----------
    radius, pair, work
        As in `jkr`.
    separation
        Equilibrium separation z0 of the surfaces, m; near 2e-10 m for most solids.

    Returns
    -------
    float
        mu = (R w^2/(E*^2 z0^3))^(1/3) (Tabor 1977). Above about 5 JKR holds, below about 0.1 DMT.

    Raises
    ------
    InputError
        If radius, modulus, work or separation is not positive.

    Examples
    --------
    >>> print(f"{tr.adhesion.tabor_parameter(1e-6, 10e9, 0.05, 2e-10):.2f}")
    1.46
    """
    R, w = checks.positive("radius", radius, "m"), checks.positive("work", work, "J/m2")
    z0 = checks.positive("separation", separation, "m", "it is near 2e-10 m for most solids.")
    return math.cbrt(R * (w / find_modulus(pair)) ** 2) / z0


@dataclass(frozen=True)
class _Units:
    """Maugis' units in SI."""

    radius: float
    force: float
    approach: float
    stress: float  #: sigma0 that makes lambda one
    sphere: float  #: R, m
    largest_force: float  #: 4/3 E* R^2, under which a bare contact is as wide as the sphere, N

    @classmethod
    def checked(cls, radius: float, pair: Pair | float, work: float) -> _Units:
        R, E = checks.positive("radius", radius, "m"), find_modulus(pair)
        w = checks.positive("work", work, "J/m2", "use tr.hertz.sphere where nothing sticks.")
        a = math.cbrt(0.75 * math.pi * w * R * R / E)
        if not R / RANGE <= a <= R * RANGE:
            raise InputError(
                f"work = {w} J/m2 is out of range with radius = {R} m and E* = {E:.6g} Pa: work / (E* "
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


def _make_maugis(units: _Units, tabor: Either, cohesive_stress: Either) -> _Law:
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
    state = partial(_maugis_state, lam=lam)
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


def _solve_contact(law: _Law, units: _Units, contact_radius: Either, force: Either) -> AdhesiveContact:
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


def _check_load(name: str, force: Either, law: _Law, units: _Units) -> float:
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
