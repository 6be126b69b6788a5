"""Laws of friction for `tr.shift`, `tr.roll_steady` and `tr.roll`, which fall with the slip speed.

Each takes a `memory`: along the way of a particle the coefficient approaches that of steady sliding,
d mu/dt = -max(s, s0)/dc (mu - mu_s(s)), from mu_s(0) where it enters the contact. Without it the coefficient
follows the slip speed at once, for which steady solutions need not be unique. How steep laws approach them is
not determined then: steps of `tr.roll` lag behind the law, and their message states by how much.

>>> import traction as tr
>>> law = tr.friction.rational(0.1, (0.2, 0.8), (0.08, 2.0), memory=(3e-6, 1e-3))
>>> print(law.coefficient([0.0, 0.8, 8.0]).round(4))
[0.38   0.269  0.1229]
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from traction import checks
from traction.errors import InputError
from traction.friction_laws.falling_law import NO_TERM, FallingLaw, Term
from traction.friction_laws.friction_law import FrictionLaw, MemoryInput, check_memory
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.own_law import Function, OwnLaw
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import Base, TrackFriction


def linear(kinetic: float, first: Term, second: Term = NO_TERM, *, memory: MemoryInput = None) -> FallingLaw:
    """Return friction that falls linearly with the slip speed s, to the kinetic coefficient.

    Parameters
    ----------
    kinetic
        Coefficient at high slip speed.
    first, second
        (m, h): what each term adds at rest, and the slip speed at which half of it has fallen, m/s.
    memory
        (distance, speed): dc in m and s0 in m/s; None for a coefficient that follows the slip speed at once.

    Returns
    -------
    FallingLaw
        mu_s = kinetic + m1 max(0, 1 - s/(2 h1)) + m2 max(0, 1 - s/(2 h2)), with the methods
        `.coefficient(slip_speed)` and `.derivative(slip_speed)`.

    Raises
    ------
    InputError
        If a value is out of range, or the coefficient is negative at some slip speed.

    Examples
    --------
    >>> tr.friction.linear(0.2, (0.15, 1.5)).coefficient([0.0, 1.5])
    array([0.35 , 0.275])
    """
    return FallingLaw("linear", kinetic, first, second, memory=check_memory(memory))


def rational(
    kinetic: float, first: Term, second: Term = NO_TERM, *, memory: MemoryInput = None
) -> FallingLaw:
    """Return friction that falls as 1/s and 1/s^2 with the slip speed s, to the kinetic coefficient.

    Parameters
    ----------
    kinetic, first, second, memory
        As in `linear`.

    Returns
    -------
    FallingLaw
        mu_s = kinetic + m1/(1 + s/h1) + m2/(1 + (s/h2)^2), with the methods of that of `linear`.

    Raises
    ------
    InputError
        As `linear`.

    Examples
    --------
    >>> print(tr.friction.rational(0.1, (0.2, 0.8)).coefficient(0.8))
    0.2
    """
    return FallingLaw("rational", kinetic, first, second, memory=check_memory(memory))


def exponential(
    kinetic: float, first: Term, second: Term = NO_TERM, *, memory: MemoryInput = None
) -> FallingLaw:
    """Return friction that falls exponentially with the slip speed s, to the kinetic coefficient.

    Parameters
    ----------
    kinetic, first, second, memory
        As in `linear`.

    Returns
    -------
    FallingLaw
        mu_s = kinetic + m1 2^(-s/h1) + m2 2^(-s/h2), with the methods of that of `linear`.

    Raises
    ------
    InputError
        As `linear`.

    Examples
    --------
    >>> print(tr.friction.exponential(0.15, (0.2, 1.0)).coefficient(1.0).round(6))
    0.25
    """
    return FallingLaw("exponential", kinetic, first, second, memory=check_memory(memory))


def polach(static: float, ratio: float, decay: float, *, memory: MemoryInput = None) -> FallingLaw:
    """Return the falling friction of Polach (2005): mu_s = mu0 ((1 - A) e^(-B s) + A).

    Parameters
    ----------
    static
        mu0, coefficient at rest.
    ratio
        A, coefficient at high slip speed over that at rest, from 0 to 1.
    decay
        B, s/m.
    memory
        As in `linear`.

    Returns
    -------
    FallingLaw
        The exponential law of one term.

    Raises
    ------
    InputError
        If a coefficient is negative, the ratio above 1 or the decay not positive.

    Examples
    --------
    >>> print(tr.friction.polach(0.55, 0.4, 0.6).coefficient([0.0, 1.0]).round(4))
    [0.55   0.4011]
    """
    mu0 = checks.zero_or_positive("static", static)
    share = checks.not_negative("ratio", ratio)
    if share > 1.0:
        raise InputError(f"ratio = {share} must be at most 1: it is kinetic over static friction.")
    half = math.log(2.0) / checks.positive("decay", decay, "s/m")
    return FallingLaw("exponential", mu0 * share, (mu0 * (1.0 - share), half), memory=check_memory(memory))


def own(function: Function, derivative: Function | None = None, *, memory: MemoryInput = None) -> OwnLaw:
    """Return friction by a function of your own, such as one compiled by numba.

    Parameters
    ----------
    function
        Takes a slip speed (m/s) and returns the coefficient of friction, finite and not negative.
    derivative
        Its derivative by the slip speed, s/m; by default from differences.
    memory
        As in `linear`.

    Returns
    -------
    OwnLaw
        With `.coefficient(slip_speed)` and `.derivative(slip_speed)`.

    Raises
    ------
    InputError
        If the function fails, or returns what is not a coefficient at a slip speed from 0 to 10 km/s.

    Examples
    --------
    >>> law = tr.friction.own(lambda s: 0.1 + 0.2 / (1.0 + s) ** 2)
    >>> print(law.coefficient(1.0), law.derivative(1.0).round(6))
    0.15000000000000002 -0.05
    """
    return OwnLaw(function, derivative, memory=check_memory(memory))


def thermal(
    temperatures: Sequence[float],
    coefficients: Sequence[float],
    *,
    law: FrictionLaw | None = None,
    bulk: tuple[float, float] = (0.0, 0.0),
    share: str | float = "equal",
    memory: MemoryInput = None,
) -> ThermalFriction:
    """Return friction that depends on the temperature of the surfaces, linearly between given ones.

    For `tr.roll_steady` and `tr.roll`, which then solve tractions and temperatures together: the materials
    need density, specific heat and conductivity, and `speed` is required.

    Parameters
    ----------
    temperatures
        Temperatures, K, increasing; or degrees Celsius, if `bulk` is in them.
    coefficients
        Coefficients of friction at these; constant below the first and above the last. With a `law`, the
        factors by which its coefficients are multiplied.
    law
        A law of the slip speed: mu = factor(T) mu_s(s), each with its own memory.
    bulk
        Temperatures of body 1 and 2 far from the contact, to which the heat of friction adds.
    share
        How the bodies share the heat: "equal" temperatures, or the part of body 1, from 0 to 1.
    memory
        (distance, speed): dc in m and s0 in m/s; None for a coefficient that follows the temperature at once.
        That of a `law` of the slip speed is its own.

    Returns
    -------
    ThermalFriction
        With `.coefficient(temperature)` and `.derivative(temperature)`.

    Raises
    ------
    InputError
        If temperatures do not increase, or a value is out of range.

    Examples
    --------
    >>> law = tr.friction.thermal([50.0, 450.0], [0.35, 0.15])
    >>> print(law.coefficient([0.0, 250.0, 1000.0]))
    [0.35 0.25 0.15]

    With a law of the slip speed, of which 60 % is left in hot contacts:

    >>> falling = tr.friction.exponential(0.2, (0.15, 1.0))
    >>> both = tr.friction.thermal([50.0, 450.0], [1.0, 0.6], law=falling)
    >>> print(both.largest)
    0.35
    """
    return ThermalFriction(
        checks.items("temperatures", temperatures, "a list of numbers, K"),  # type: ignore[arg-type]
        checks.items("coefficients", coefficients, "a list of numbers"),  # type: ignore[arg-type]
        bulk,
        share,
        check_memory(memory),
        law,
    )


def by_inclination(inclinations: Sequence[float], coefficients: Sequence[float]) -> InclinedFriction:
    """Return friction that varies along a rail's profile, as where its gauge face is lubricated.

    Parameters
    ----------
    inclinations
        Of the rail's surface, rad, increasing: 0 where it is level, positive where it falls towards the
        centre of the track, on both rails.
    coefficients
        mu at these; linear between them, constant outside.

    Returns
    -------
    InclinedFriction
        For `tr.wheel_rail`; with `.coefficient(inclination)`.

    Raises
    ------
    InputError
        If the inclinations do not increase, or a coefficient is negative.

    Examples
    --------
    >>> lubricated = tr.friction.by_inclination([0.17, 0.35], [0.3, 0.1])
    >>> print(lubricated.coefficient([0.0, 0.26, 1.0]))
    [0.3 0.2 0.1]
    """
    return InclinedFriction(inclinations, coefficients)  # type: ignore[arg-type]  # it keeps tuples


def along_track(places: Sequence[float], values: Sequence[float], law: Base | None = None) -> TrackFriction:
    """Return friction that varies along the track, as where leaves, sand or water lie on the rail.

    It belongs to the rail: in `tr.roll` and under the driven wheels of `tr.cross` the contact rolls over it;
    in `tr.roll_steady` and `tr.wheel_rail` it is that around the `position` of the contact.

    Parameters
    ----------
    places
        Along the track, m, increasing; two equal ones are a step from one value to the other.
    values
        Coefficients of friction at these, linear between them and constant outside, positive. With a `law`,
        the factors by which its coefficients are multiplied.
    law
        A law of `tr.friction`: of the slip speed, of the temperature, or by inclination of a rail.

    Returns
    -------
    TrackFriction
        With `.value(place)`. In results, `t.coefficient` is the field at the elements; `t.friction` is the
        largest value along the whole track, to which tractions are related.

    Raises
    ------
    InputError
        If the places decrease, or a value is not positive.

    Examples
    --------
    A leaf of 60 mm from 0.5 m on:

    >>> leaf = tr.friction.along_track([0.5, 0.5, 0.56, 0.56], [0.35, 0.08, 0.08, 0.35])
    >>> print(leaf.value([0.4, 0.53, 0.6]))
    [0.35 0.08 0.35]
    """
    return TrackFriction(
        checks.items("places", places, "a list of numbers, m"),  # type: ignore[arg-type]
        checks.items("values", values, "a list of numbers"),  # type: ignore[arg-type]
        law,
    )


__all__ = ["along_track", "by_inclination", "exponential", "linear", "own", "polach", "rational", "thermal"]
