"""`FallingBody`: a body that falls on a surface, and the contact law between them.

Hertz describes surfaces that are paraboloids around their lowest point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from traction import checks, plausibility
from traction.bouncing.falling_force import FallingForce, RateFallingForce, compiled_functions
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.grid import Grid
from traction.integrators.core.system import SecondOrderSystem
from traction.laws.contact_law import ContactLaw, checked_law, require_patch
from traction.laws.damped_law import DampedLaw
from traction.laws.half_space_law import HalfSpaceLaw
from traction.laws.power_law import PowerLaw
from traction.laws.rigid_strike import strike_rigid_ground
from traction.materials import Material, Pair
from traction.surfaces import Sphere, Surface
from traction.theory import hertz

NEAR = 1e-3  #: fraction of its size within which a surface is treated as a paraboloid
FAR = 0.5  #: relative deviation from that paraboloid allowed within a contact for which a grid is built
MARGIN = 1.25  #: width of the grid over that of the largest contact
CONTACTS = ("hertz", "half-space")
LEAST_RESTITUTION = 0.05  #: below it the damping is 1/(e v) to rounding

LARGEST_GRAVITY, LARGEST_DAMPING = 1e5, 1e4  #: m/s^2, s/m


def curvature_radii(surface: Surface) -> tuple[float, float]:
    """Radii of curvature (m) along x and y at the origin, where the surface must be lowest."""
    if isinstance(surface, Sphere) and surface.center == (0.0, 0.0):
        return surface.radius, surface.radius
    radii = []
    h = NEAR * max(1e-3, float(getattr(surface, "radius_x", 0.0)))
    middle = float(surface.height(np.zeros(1), np.zeros(1))[0])
    for dx, dy in ((h, 0.0), (0.0, h)):
        ends = [float(surface.height(np.array([s * dx]), np.array([s * dy]))[0]) for s in (1.0, -1.0)]
        bend = (sum(ends) - 2.0 * middle) / (h * h)
        if not bend > 0.0 or abs(ends[0] - ends[1]) > 0.1 * bend * h * h:
            raise InputError(
                "surface has no smooth lowest point at (0, 0), which Hertz needs, also to make a grid; give "
                'contact="half-space" with grid=, larger than the contact.'
            )
        radii.append(1.0 / bend)
    return radii[0], radii[1]


def require_paraboloid(surface: Surface, radii: tuple[float, float], semi_axes: tuple[float, float]) -> None:
    """Refuse Hertz, or a grid sized by Hertz, for a surface that deviates from its paraboloid."""
    if isinstance(surface, Sphere):
        return
    a, b = semi_axes
    parts = np.array([-1.0, -0.5, 0.5, 1.0])
    x, y = np.concatenate((a * parts, np.zeros(4))), np.concatenate((np.zeros(4), b * parts))
    rise = surface.height(x, y) - surface.height(np.zeros(1), np.zeros(1))
    expected = x**2 / (2.0 * radii[0]) + y**2 / (2.0 * radii[1])
    off = np.abs(rise / expected - 1.0)
    if not off.max() <= FAR:
        k = int(np.argmax(off))
        raise InputError(
            f"surface is not a paraboloid: by its curvature at (0, 0) it would touch over {2 * a:.3g} m x "
            f"{2 * b:.3g} m, but at ({x[k]:.3g}, {y[k]:.3g}) m it is {rise[k]:.3g} m high instead of "
            f'{expected[k]:.3g} m. Give contact="half-space" with grid=, larger than the contact.'
        )


@dataclass(frozen=True, eq=False)
class FallingBody:
    """A body that falls on a surface, and the contact law between them; a description that does not march."""

    mass: float  #: m, kg
    gravity: float  #: g, m/s2
    pair: Pair  #: materials of body and ground
    surface: Surface  #: shape of the body around its lowest point
    law: ContactLaw  #: without the damping
    damping: float = 0.0  #: c of the contact, s/m

    @property
    def weight(self) -> float:
        """Weight m g, N."""
        return self.mass * self.gravity

    @cached_property
    def contact_law(self) -> ContactLaw:
        """The law with its damping."""
        return DampedLaw(self.law, self.damping) if self.damping > 0.0 else self.law

    @cached_property
    def first_touch(self) -> float:
        """Approach at which the first element touches, m."""
        return self.law.first_touch

    @cached_property
    def force(self) -> FallingForce:
        """Weight and contact."""
        kind = RateFallingForce if self.contact_law.uses_rate else FallingForce
        return kind(self.contact_law, self.weight)

    def system(self, height: float, speed: float = 0.0, *, compiled: bool = False) -> SecondOrderSystem:
        """The equation of motion of the lowest point; a closed law may be compiled, which takes a moment."""
        functions: dict[str, Callable[..., Any]] = {
            "force": self.force,
            "jacobian": self.force.jacobian,
            "energy": self.force.energy,
            "gap": self.gap,
        }
        form = self.contact_law.power_form
        if compiled and form is not None:
            functions = compiled_functions(form, self.weight)
        return SecondOrderSystem(self.mass, q0=height, v0=-speed, ballistic=True, **functions)

    def gap(self, t: float, q: float) -> float:
        """Distance of the bodies, m."""
        return q + self.first_touch

    def contact_time(self, speed: float) -> float:
        """Duration (s) of the contact in an impact, without weight and loss; infinite where it is unknown.

        For a half space by Hertz, if its surface is a paraboloid.
        """
        if not speed > 0.0:
            return math.inf
        if self.law.grid is None:
            law = self.law.compiled(0.5 * self.mass * speed**2)
            return strike_rigid_ground(law, self.mass, speed).duration
        try:
            closed = PowerLaw.hertz_ellipse(*curvature_radii(self.surface), self.pair)
        except InputError:  # no smooth lowest point
            return math.inf
        return strike_rigid_ground(closed.compiled(0.0), self.mass, speed).duration

    def surfaces(self, height: float, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Heights (m) of the body's and of the ground's surface at the points (x, 0), deformed."""
        points = np.atleast_1d(checks.finite_array("x", x, unit="m"))
        shape = self.surface.height(points, np.zeros_like(points))
        if -height <= self.first_touch:
            return height + shape, np.zeros_like(points)
        upper, lower = self._displacements(-height, points)
        return height + shape + upper, lower

    def _displacements(self, approach: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacements of both surfaces, upwards, m; by Hertz for a law that does not compute them."""
        contact = self.law.contact(approach, self.force.memory)
        if contact is not None:
            return _sample_displacement(contact, x, 1), _sample_displacement(contact, x, 2)
        radii = curvature_radii(self.surface)
        total = hertz.ellipse(*radii, self.pair, approach=approach).displacement(x)
        share = self.pair.effective_modulus * _compliance(self.pair.upper)
        return share * total, (share - 1.0) * total


def falling_body(
    ball_radius: float | None = None,
    pair: Pair | None = None,
    height: float | None = None,
    gravity: float = 9.81,
    contact: str | ContactLaw = "hertz",
    *,
    elements: int = 32,
    grid: Grid | None = None,
    restitution: float | None = None,
    damping: float | None = None,
    speed: float = 0.0,
    surface: Surface | None = None,
    mass: float | None = None,
) -> FallingBody:
    """Return the body and contact law that `tr.bounce` simulates, from the same arguments.

    Parameters
    ----------
    ball_radius, pair, height, gravity, contact, surface, mass, speed, restitution, damping, elements, grid
        As in `tr.bounce`.

    Returns
    -------
    FallingBody
        Mass, contact law and equation of motion, for a time loop of your own.

    Raises
    ------
    InputError
        As `tr.bounce`.

    Examples
    --------
    >>> body = tr.falling_body(0.01, tr.Pair(tr.STEEL, tr.STEEL), 0.1)
    >>> print(f"m = {body.mass * 1e3:.1f} g, F = {body.law.response(10e-6).force:.0f} N at 10 um")
    m = 32.9 g, F = 480 N at 10 um
    """
    pair = checks.instance("pair", pair, Pair, "give both bodies, such as tr.Pair(tr.STEEL, tr.STEEL).")
    q0 = checks.finite("height", height, "m")
    g = checks.positive("gravity", gravity, "m/s2")
    if g > LARGEST_GRAVITY:
        raise InputError(
            f"gravity = {g} m/s^2 must be at most {LARGEST_GRAVITY:g}: the body would not leave the ground; "
            "check the unit."
        )
    v0 = checks.finite("speed", speed, "m/s")
    shape = _check_shape(ball_radius, surface)
    m = _check_mass(mass, ball_radius, pair)
    impact = impact_speed(q0, v0, g)
    if q0 == 0.0 and v0 == 0.0:
        raise InputError(
            "height = 0 m and speed = 0 m/s: the body rests and does not bounce; give one of them."
        )
    law = _choose_law(contact, shape, pair, (0.5 * m * impact**2, m * g), elements, grid)
    return FallingBody(m, g, pair, shape, law, _check_damping(restitution, damping, impact))


def impact_speed(height: float, speed: float, gravity: float) -> float:
    """Of the first touch, m/s."""
    return math.sqrt(max(0.0, speed * speed + 2.0 * gravity * height))


def _check_shape(ball_radius: float | None, surface: Surface | None) -> Surface:
    if checks.exactly_one(ball_radius=ball_radius, surface=surface) == "ball_radius":
        radius = checks.positive("ball_radius", ball_radius, "m")
        plausibility.check_radius("ball_radius", radius, "ball")
        return Sphere(radius)
    if not isinstance(surface, Surface):
        raise InputError(
            f"surface = {checks.shown(surface)} must be a shape such as tr.Paraboloid(0.1, 0.2)."
        )
    return surface


def _check_mass(mass: float | None, ball_radius: float | None, pair: Pair) -> float:
    if mass is not None:
        return checks.positive("mass", mass, "kg")
    if ball_radius is None:
        raise InputError("mass is missing: it does not follow from a surface; give mass= in kg.")
    density = pair.upper.density
    if density is None and pair.upper.rigid:
        density = pair.lower.density
    if density is None:
        raise InputError(
            "mass is missing: pair.upper has no density; give mass= in kg, or tr.Material(..., density=...)."
        )
    return 4.0 / 3.0 * math.pi * float(ball_radius) ** 3 * density


def _check_damping(restitution: float | None, damping: float | None, impact: float) -> float:
    if restitution is not None and damping is not None:
        raise InputError("give restitution or damping, not both.")
    if restitution is not None:
        return damping_for(restitution, impact)
    given = 0.0 if damping is None else checks.at_least("damping", damping, 0.0, "s/m")
    if given > LARGEST_DAMPING:
        raise InputError(f"damping = {given} s/m must be at most {LARGEST_DAMPING:g}: no rebound is left.")
    return given


def _choose_law(
    contact: str | ContactLaw,
    surface: Surface,
    pair: Pair,
    fall: tuple[float, float],
    elements: int,
    grid: Grid | None,
) -> ContactLaw:
    """The given contact law, or one on a grid that contains the largest contact.

    `fall` are the energy (J) at the first touch and the weight (N) of the body.
    """
    if grid is not None:
        if not checks.equals(contact, "half-space"):
            given = f'"{contact}"' if isinstance(contact, str) else "a law"
            raise InputError(
                f'grid has no effect with contact={given}; give contact="half-space", or no grid.'
            )
        return HalfSpaceLaw(surface, checks.instance("grid", grid, Grid), pair)
    if not isinstance(contact, str):
        law = checked_law("contact", contact)
        require_patch("contact", law)
        return law
    checks.choice("contact", contact, CONTACTS)
    radii = curvature_radii(surface)
    closed = PowerLaw.hertz_ellipse(*radii, pair)
    a, b = hertz.ellipse(*radii, pair, approach=deepest(closed, *fall)).semi_axes
    require_paraboloid(surface, radii, (a, b))
    if contact == "hertz":
        return closed
    across = checks.count("elements", elements, 4)
    n = math.ceil(across * MARGIN / 2.0) * 2 + 1  # odd: an element lies under the lowest point
    return HalfSpaceLaw(surface, Grid(n, n, 2.0 * a / across, 2.0 * b / across), pair)


def deepest(law: PowerLaw, energy: float, weight: float) -> float:
    """Largest approach (m) of a body that falls with this energy (J) at first touch and weight (N)."""

    def surplus(d: float) -> float:
        return law.response(d).energy - energy - weight * d

    high = max((energy * (law.exponent + 1.0) / law.coefficient) ** (1.0 / (law.exponent + 1.0)), 1e-30)
    while surplus(high) <= 0.0:
        high *= 2.0
    return float(brentq(surplus, 1e-9 * high, high, rtol=1e-12))


def _compliance(body: Material) -> float:
    return 0.0 if body.rigid else (1.0 - body.poisson_ratio**2) / body.youngs_modulus


def _sample_displacement(contact: NormalContact, x: np.ndarray, body: int) -> np.ndarray:
    """Displacement of one body, upwards, at the points (x, 0), by interpolation along a line of elements."""
    low, high = float(x.min()), float(x.max())
    step = contact.grid.dx
    first, last = math.floor(low / step) - 1, math.ceil(high / step) + 1
    line = Grid(last - first + 1, 1, step, contact.grid.dy, center=(0.5 * (first + last) * step, 0.0))
    return np.interp(x, line.x, contact.displacement(line, body)[0])


def damping_for(restitution: float, speed: float) -> float:
    """Damping c (s/m) of a contact F (1 + c * rate) with the given `restitution` at `speed` (m/s).

    For any elastic law F, without gravity: d (1 + e) = ln((1 + d)/(1 - e d)) with d = c * speed, from
    m v dv/(1 + c v) = -F d(approach) on the way in and out.
    """
    e = checks.finite("restitution", restitution)
    if not LEAST_RESTITUTION <= e <= 1.0:
        raise InputError(f"restitution = {e} must lie in [{LEAST_RESTITUTION}, 1]; 1 is without loss.")
    if e > 1.0 - 1e-9:
        return 0.0
    speed = checks.positive("speed", speed, "m/s", "restitution refers to the speed of the impact.")

    def mismatch(d: float) -> float:
        return d * (1.0 + e) - math.log1p(d) + math.log1p(-e * d)

    # d = 0 solves it too; the other root lies where the mismatch has become positive and falls again
    low = 1.5 * (1.0 - e)
    while mismatch(low) <= 0.0:
        low *= 0.5
    return float(brentq(mismatch, low, (1.0 - 1e-14) / e, xtol=1e-15)) / speed
