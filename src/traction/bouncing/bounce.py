"""`bounce`: a body falls on an elastic surface, and again; by Hertz or by the half-space solver."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from traction import checks
from traction.bouncing.falling_force import DampedFallingForce, FallingForce, damping_for
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.history import History
from traction.integrators.integrate import integrate
from traction.laws.contact_law import HalfSpaceLaw, PowerLaw
from traction.materials import Pair
from traction.surfaces import Sphere, Surface, gap_on
from traction.theory import hertz

MARGIN = 1.25  #: width of the grid over that of the largest contact
NEAR = 1e-3  #: part of its size within which a surface is taken as a paraboloid
FAR = 0.5  #: part by which it may rise more or less than that paraboloid, in a contact a grid is made for
HALF_SPACE_RTOL = 1e-6
MOST_COMPILED = 64

Law = PowerLaw | HalfSpaceLaw


@dataclass(frozen=True)
class Fall:
    """What a body brings to its first touch."""

    mass: float  #: kg
    gravity: float  #: m/s2
    speed: float  #: m/s


@dataclass(frozen=True, eq=False)
class Body:
    """A body that falls on a surface, and the law of their contact; it never marches."""

    mass: float  #: m, kg
    gravity: float  #: g, m/s2
    pair: Pair
    surface: Surface  #: shape of the body around its lowest point
    law: Law
    damping: float = 0.0  #: c of the contact, s/m

    @property
    def weight(self) -> float:
        """M g, N."""
        return self.mass * self.gravity

    @cached_property
    def first_touch(self) -> float:
        """Approach at which the first element touches, m."""
        if isinstance(self.law, PowerLaw):
            return 0.0
        return float(gap_on(self.surface, self.law.grid).min())

    @cached_property
    def force(self) -> FallingForce:
        """Weight and contact."""
        if self.damping > 0.0:
            return DampedFallingForce(self.law, self.weight, self.damping)
        return FallingForce(self.law, self.weight)

    def system(self, height: float, speed: float = 0.0, *, compiled: bool = False) -> SecondOrderSystem:
        """The equation of motion of the lowest point; a closed law may be compiled, which costs a moment."""
        functions: dict[str, Any] = {
            "force": self.force,
            "jacobian": self.force.jacobian,
            "energy": self.force.energy,
            "gap": self.gap,
        }
        if compiled and isinstance(self.law, PowerLaw):
            functions = compiled_functions(self.law, self.weight, self.damping)
        return SecondOrderSystem(self.mass, q0=height, v0=-speed, ballistic=True, **functions)

    def gap(self, t: float, q: float) -> float:
        """Distance of the bodies, m."""
        return q + self.first_touch

    def surfaces(self, height: float, x: Any) -> tuple[np.ndarray, np.ndarray]:
        """Heights (m) of the body's and of the ground's surface at the points (x, 0), deformed."""
        points = np.atleast_1d(checks.finite_array("x", x, unit="m"))
        shape = self.surface.height(points, np.zeros_like(points))
        if -height <= self.first_touch:
            return height + shape, np.zeros_like(points)
        upper, lower = self._displacements(-height, points)
        return height + shape + upper, lower

    def _displacements(self, approach: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacements of both surfaces, upwards, m."""
        if isinstance(self.law, HalfSpaceLaw):
            contact = self.law.contact(approach)
            return tuple(_along(contact, x, body) for body in (1, 2))  # type: ignore[return-value]
        radii = curvature_radii(self.surface)
        total = hertz.ellipse(*radii, self.pair, approach=approach).displacement(x)
        share = self.pair.effective_modulus * _compliance(self.pair.upper)
        return share * total, (share - 1.0) * total


@dataclass(frozen=True, eq=False, repr=False)
class BounceHistory(History):
    """A history whose coordinate is the height q of the body's lowest point above the surface (m)."""

    body: Body = field(kw_only=True)

    @property
    def penetration(self) -> np.ndarray:
        """Approach of the bodies, 0 in flight, m."""
        return np.maximum(0.0, -self.q)

    @cached_property
    def contact_force(self) -> np.ndarray:
        """Force of the ground on the body, N."""
        return self.body.mass * self.a + self.body.weight

    @cached_property
    def elastic_energy(self) -> np.ndarray:
        """Energy stored in the contact, J."""
        force = self.body.force
        return np.array([force.response(q).energy if q < 0.0 else 0.0 for q in self.q.tolist()])

    @property
    def gravitational_energy(self) -> np.ndarray:
        """M g q, J."""
        return self.body.weight * self.q

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic, gravitational and elastic energy, J."""
        return self.kinetic_energy + self.gravitational_energy + self.elastic_energy

    @cached_property
    def kinetic_energy(self) -> np.ndarray:
        """M v^2/2, J."""
        return 0.5 * self.body.mass * self.v**2

    def surfaces(self, t: float, x: Any) -> tuple[np.ndarray, np.ndarray]:
        """Heights (m) of the body's and of the ground's surface at time t and points (x, 0), deformed."""
        return self.body.surfaces(float(self.at(checks.finite("t", t, "s"))), x)


def bounce(
    ball_radius: float | None = None,
    pair: Pair | None = None,
    height: float | None = None,
    gravity: float = 9.81,
    contact: str = "hertz",
    *,
    surface: Surface | None = None,
    mass: float | None = None,
    speed: float = 0.0,
    restitution: float | None = None,
    damping: float | None = None,
    elements: int = 32,
    grid: Grid | None = None,
    method: str = "rk4",
    dt: float | str = "auto",
    t_end: float | None = None,
    on_failure: str = "raise",
    **options: Any,
) -> BounceHistory:
    """A ball dropped from `height` (m) of its lowest point on the lower body of `pair`.

    Its mass follows from its radius (m) and the density of pair.upper (if it is rigid and has none, of
    pair.lower), unless `mass` (kg) is given; instead of a ball any `surface` may fall. `speed` (m/s) is that
    of the start, downwards.
    `contact` = "hertz" takes the closed force (of the radii of curvature at the lowest point), "half-space"
    solves the contact at every step, on a grid with `elements` across the largest contact, or on `grid`,
    which shapes that are no paraboloid within their contact need.
    `restitution` (at the speed of the first impact) or `damping` (s/m) adds a loss F (1 + damping * rate).
    The relation between both leaves out the weight, which acts in the contact too: it holds to about
    gravity * contact time/speed.
    A fixed `dt` longer than the contact is refused: such a step sees nothing of the contact but its end.
    `t_end` (s) defaults to three bounces; `method`, `dt` and `options` are those of `tr.integrate`, but of a
    half space `rtol` is 1e-6 unless given: smaller errors than those of its elements say nothing.
    """
    body = falling_body(
        ball_radius,
        pair,
        height,
        gravity,
        contact,
        surface=surface,
        mass=mass,
        speed=speed,
        restitution=restitution,
        damping=damping,
        elements=elements,
        grid=grid,
    )
    q0, v0, g = float(height), float(speed), body.gravity  # type: ignore[arg-type]
    if isinstance(body.law, HalfSpaceLaw):
        options.setdefault("rtol", HALF_SPACE_RTOL)
    end = _three_bounces(q0, v0, g) if t_end is None else t_end
    if not isinstance(dt, str):
        _require_resolved(body, dt, math.sqrt(max(0.0, v0 * v0 + 2.0 * g * q0)))
    system = body.system(q0, v0, compiled=dt != "auto")
    try:
        history = integrate(system, method, dt, end, on_failure=on_failure, **options)
    except ConvergenceError as error:
        if isinstance(error.result, History):
            error.result = bounce_history(error.result, body)
        raise
    return bounce_history(history, body)


def falling_body(
    ball_radius: float | None = None,
    pair: Pair | None = None,
    height: float | None = None,
    gravity: float = 9.81,
    contact: str = "hertz",
    *,
    surface: Surface | None = None,
    mass: float | None = None,
    speed: float = 0.0,
    restitution: float | None = None,
    damping: float | None = None,
    elements: int = 32,
    grid: Grid | None = None,
) -> Body:
    """The body and the contact law that `bounce` marches, from the same arguments."""
    pair = checks.instance("pair", pair, Pair, "give both bodies, such as tr.Pair(tr.STEEL, tr.STEEL).")
    q0 = checks.finite("height", height, "m")
    g = checks.positive("gravity", gravity, "m/s2")
    v0 = checks.finite("speed", speed, "m/s")
    shape = _shape(ball_radius, surface)
    m = _mass(mass, ball_radius, pair)
    impact = math.sqrt(max(0.0, v0 * v0 + 2.0 * g * q0))
    law = _law(contact, shape, pair, Fall(m, g, impact), elements, grid)
    return Body(m, g, pair, shape, law, _damping(restitution, damping, impact))


def bounce_history(history: History, body: Body) -> BounceHistory:
    """The history of a falling body, with what belongs to it."""
    return BounceHistory(**{item.name: getattr(history, item.name) for item in fields(History)}, body=body)


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


def _shape(ball_radius: Any, surface: Any) -> Surface:
    if checks.exactly_one(ball_radius=ball_radius, surface=surface) == "ball_radius":
        return Sphere(checks.positive("ball_radius", ball_radius, "m"))
    if not isinstance(surface, Surface):
        raise InputError(
            f"surface = {checks.shown(surface)} must be a shape such as tr.Paraboloid(0.1, 0.2)."
        )
    return surface


def _mass(mass: Any, ball_radius: Any, pair: Pair) -> float:
    if mass is not None:
        return checks.positive("mass", mass, "kg")
    if ball_radius is None:
        raise InputError("mass is missing: that of a surface is not known; give mass= in kg.")
    density = pair.upper.density
    if density is None and pair.upper.rigid:
        density = pair.lower.density
    if density is None:
        raise InputError(
            "mass is missing: pair.upper has no density; give mass= in kg, or tr.Material(..., density=...)."
        )
    return 4.0 / 3.0 * math.pi * float(ball_radius) ** 3 * density


def _damping(restitution: Any, damping: Any, impact: float) -> float:
    if restitution is not None and damping is not None:
        raise InputError("give restitution or damping, not both.")
    if restitution is not None:
        return damping_for(restitution, impact)
    return 0.0 if damping is None else checks.at_least("damping", damping, 0.0, "s/m")


def _law(contact: str, surface: Surface, pair: Pair, fall: Fall, elements: int, grid: Grid | None) -> Law:
    """The contact law, on a grid that holds the largest contact."""
    checks.choice("contact", contact, ("hertz", "half-space"))
    if grid is not None:
        if contact == "hertz":
            raise InputError('grid is of no use with contact="hertz"; give contact="half-space", or no grid.')
        return HalfSpaceLaw(surface, checks.instance("grid", grid, Grid), pair)
    radii = curvature_radii(surface)
    closed = PowerLaw.hertz_ellipse(*radii, pair)
    a, b = hertz.ellipse(*radii, pair, approach=deepest(closed, fall)).semi_axes
    _require_paraboloid(surface, radii, (a, b))
    if contact == "hertz":
        return closed
    across = checks.count("elements", elements, 4)
    n = math.ceil(across * MARGIN / 2.0) * 2 + 1  # odd: an element lies under the lowest point
    return HalfSpaceLaw(surface, Grid(n, n, 2.0 * a / across, 2.0 * b / across), pair)


def _require_paraboloid(surface: Surface, radii: tuple[float, float], semi_axes: tuple[float, float]) -> None:
    """Refuse to take by Hertz, or on a grid made by Hertz, a surface whose contact is quite another one."""
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
            f"surface is no paraboloid: by its curvature at (0, 0) it would touch over {2 * a:.3g} m x "
            f"{2 * b:.3g} m, but at ({x[k]:.3g}, {y[k]:.3g}) m it is {rise[k]:.3g} m high instead of "
            f'{expected[k]:.3g} m. Give contact="half-space" with grid=, larger than the contact.'
        )


def deepest(law: PowerLaw, fall: Fall) -> float:
    """Largest approach (m) of a falling body, by its energy."""
    energy, weight = 0.5 * fall.mass * fall.speed**2, fall.mass * fall.gravity

    def surplus(d: float) -> float:
        return law.response(d).energy - energy - weight * d

    high = max((energy * (law.exponent + 1.0) / law.coefficient) ** (1.0 / (law.exponent + 1.0)), 1e-30)
    while surplus(high) <= 0.0:
        high *= 2.0
    return float(brentq(surplus, 1e-9 * high, high, rtol=1e-12))


def contact_time(law: PowerLaw, fall: Fall) -> float:
    """Time (s) in contact without weight: 2 delta/v times the integral of ds/sqrt(1 - s^(n+1)), by energy."""
    part = 1.0 / (law.exponent + 1.0)
    integral = math.sqrt(math.pi) * math.gamma(1.0 + part) / math.gamma(0.5 + part)
    return 2.0 * integral * deepest(law, Fall(fall.mass, 0.0, fall.speed)) / fall.speed


def _require_resolved(body: Body, dt: Any, speed: float) -> None:
    """Refuse a fixed step longer than the first contact, as far as Hertz knows it."""
    step = checks.positive("dt", dt, "s", 'give a step in seconds, or dt="auto".')
    try:
        law = PowerLaw.hertz_ellipse(*curvature_radii(body.surface), body.pair)
    except InputError:  # no smooth lowest point
        return
    lasts = contact_time(law, Fall(body.mass, body.gravity, speed)) if speed > 0.0 else math.inf
    if step > lasts:
        raise InputError(
            f"dt = {step:.3g} s is longer than the contact, {lasts:.3g} s: its energy would be arbitrary. "
            f'Take at most {lasts / 10.0:.2g} s, a tenth of it, or dt="auto".'
        )


def _three_bounces(height: float, speed: float, gravity: float) -> float:
    impact = math.sqrt(max(0.0, speed**2 + 2.0 * gravity * max(height, 0.0)))
    return 6.0 * max(impact / gravity, 1e-3)


def _compliance(body: Any) -> float:
    return 0.0 if body.rigid else (1.0 - body.poisson_ratio**2) / body.youngs_modulus


def _along(contact: Any, x: np.ndarray, body: int) -> np.ndarray:
    """Displacement of one body, upwards, at the points (x, 0), by interpolation along a line of elements."""
    low, high = float(x.min()), float(x.max())
    step = contact.grid.dx
    first, last = math.floor(low / step) - 1, math.ceil(high / step) + 1
    line = Grid(last - first + 1, 1, step, contact.grid.dy, center=(0.5 * (first + last) * step, 0.0))
    return np.interp(x, line.x, contact.displacement(line, body)[0])


@lru_cache(maxsize=MOST_COMPILED)
def compiled_functions(law: PowerLaw, weight: float, damping: float) -> dict[str, Callable[..., Any]]:
    """Force, jacobian, energy and gap of a closed law, compiled."""
    import numba

    k, n, c = law.coefficient, law.exponent, damping

    def elastic(t, q):  # type: ignore[no-untyped-def]
        return k * max(0.0, -q) ** n - weight

    def damped(t, q, v):  # type: ignore[no-untyped-def]
        return k * max(0.0, -q) ** n * max(0.0, 1.0 - c * v) - weight

    def jacobian(t, q, v):  # type: ignore[no-untyped-def]
        d = max(0.0, -q)
        factor = max(0.0, 1.0 - c * v)
        return -n * k * d ** (n - 1.0) * factor, -k * d**n * c if factor > 0.0 else 0.0

    def energy(q):  # type: ignore[no-untyped-def]
        return k * max(0.0, -q) ** (n + 1.0) / (n + 1.0) + weight * q

    def gap(t, q):  # type: ignore[no-untyped-def]
        return q

    force = damped if c > 0.0 else elastic
    return {
        "force": numba.njit(force),
        "jacobian": numba.njit(jacobian),
        "energy": numba.njit(energy),
        "gap": numba.njit(gap),
    }
