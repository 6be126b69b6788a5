"""`bounce`: a body falls on an elastic surface and bounces, under any contact law; `BounceHistory`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.bouncing.falling_body import FallingBody, falling_body, impact_speed
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.integrators.history import History
from traction.integrators.integrate import integrate
from traction.laws.contact_law import ContactLaw
from traction.materials import Pair
from traction.outputs.variable import Variable, data, figure
from traction.surfaces import Surface

HALF_SPACE_RTOL = 1e-6

MOST_BOUNCES = 100_000


@dataclass(frozen=True, eq=False, repr=False)
class BounceHistory(History):
    """Result of `tr.bounce`: a history of the height q of the body's lowest point above the surface, m."""

    _drawn = "height"
    _coordinate, _names = ("m", "height"), ("height", "velocity", "acceleration")

    body: FallingBody = field(kw_only=True)  #: mass, shape, materials and contact law

    @property
    def penetration(self) -> np.ndarray:
        """Approach of the bodies, m; 0 in flight."""
        return np.maximum(0.0, -self.q)

    @cached_property
    def contact_force(self) -> np.ndarray:
        """Force of the ground on the body, N."""
        return self.body.mass * self.a + self.body.weight

    @cached_property
    def elastic_energy(self) -> np.ndarray:
        """Energy stored in the contact plus that dissipated by plastic flow, J."""
        return self.body.force.energies_along(self.q)

    @property
    def gravitational_energy(self) -> np.ndarray:
        """Potential energy m g q, J."""
        return self.body.weight * self.q

    @cached_property
    def energy(self) -> np.ndarray:
        """Total energy: kinetic, gravitational and elastic, J."""
        return self.kinetic_energy + self.gravitational_energy + self.elastic_energy

    @cached_property
    def kinetic_energy(self) -> np.ndarray:
        """Kinetic energy m v^2/2, J."""
        return 0.5 * self.body.mass * self.v**2

    @property
    def _knows_energy(self) -> bool:
        return True

    def _variables(self) -> Iterator[Variable]:
        yield figure("peak_force", lambda: float(self.contact_force.max()), "N", "largest contact force")
        yield from super()._variables()
        yield data("contact_force", lambda: self.contact_force, "N", "contact force", "time")
        yield data("kinetic_energy", lambda: self.kinetic_energy, "J", "kinetic energy", "time")
        yield data("gravitational_energy", lambda: self.gravitational_energy, "J", "energy of height", "time")
        yield data("elastic_energy", lambda: self.elastic_energy, "J", "energy in the contact", "time")

    def surfaces(self, t: float, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the deformed heights (m) of body and ground at time `t` (s) and the points (`x`, 0), m."""
        return self.body.surfaces(float(self.at(checks.finite("t", t, "s"))), x)


def bounce_history(history: History, body: FallingBody) -> BounceHistory:
    """The history as a `BounceHistory` of the falling body."""
    return BounceHistory(**{item.name: getattr(history, item.name) for item in fields(History)}, body=body)


def bounce(
    ball_radius: float | None = None,
    pair: Pair | None = None,
    height: float | None = None,
    gravity: float = 9.81,
    contact: str | ContactLaw = "hertz",
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
    **options: object,
) -> BounceHistory:
    """Simulate a ball that falls on an elastic body and bounces.

    m q'' = F(-q) - m g with the height q; for Hertz contact F = 4/3 E* sqrt(R) delta^(3/2).

    Parameters
    ----------
    ball_radius
        Radius R, m.
    pair
        Materials of ball (upper) and ground (lower).
    height
        Initial height of the lowest point, m.
    gravity
        Gravitational acceleration g, m/s2.
    contact
        "hertz": closed form, with the radii of curvature at the lowest point. "half-space": the contact is
        solved at every step. Or a contact law such as `tr.PlasticLaw`, or one of your own (see
        `tr.ContactLaw`).
    surface
        Shape of the falling body, instead of a ball; needs `mass`.
    mass
        Mass m, kg; by default that of the ball, from the density of pair.upper (of pair.lower, if the ball is
        rigid without a density).
    speed
        Initial downward speed, m/s.
    restitution
        Coefficient of restitution e at the speed of the first impact; adds a damping to the contact force.
    damping
        Damping c of the contact, s/m: F (1 + c * rate). At most one of `restitution` and `damping` is given.
    elements
        Elements across the largest contact, for contact="half-space".
    grid
        Grid for contact="half-space"; required for shapes that are not a paraboloid within their contact.
    method
        Integration method, one of `tr.methods()`.
    dt
        Time step, s, shorter than the contact; or "auto" for error control.
    t_end
        Duration, s; three bounces by default.
    on_failure
        "raise", or "return" to get the history up to a failed step.
    **options
        Further options of `tr.integrate`; rtol is 1e-6 for contact="half-space", below which the error of its
        elements dominates.

    Returns
    -------
    BounceHistory
        Height, velocity, contact force, energies and contact intervals.

    Raises
    ------
    InputError
        If the mass is unknown, a fixed step is longer than the contact, or a value is out of range.
    ConvergenceError
        If a step fails; the error carries the history up to it.

    Notes
    -----
    Falling spheres with Hertz and half-space contact: de Looij, "Using CONTACT in dynamical simulations"
    (interim thesis, TU Delft 2015), chapter 4. The relation between restitution and damping neglects the
    weight in the contact; its error is about gravity * contact time/speed.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> h = tr.bounce(0.01, pair, height=0.1, t_end=0.2)
    >>> contact = h.contacts[0]
    >>> print(f"{contact.duration * 1e6:.0f} us in contact, {contact.depth * 1e6:.1f} um deep")
    65 us in contact, 30.9 um deep
    """
    body = falling_body(
        ball_radius, pair, height, gravity, contact, surface=surface, mass=mass, speed=speed,
        restitution=restitution, damping=damping, elements=elements, grid=grid,
    )  # fmt: skip
    q0, v0 = checks.finite("height", height, "m"), float(speed)
    if body.law.tol > 0.0:
        options.setdefault("rtol", HALF_SPACE_RTOL)
    if t_end is None:  # about three bounces
        t_end = 6.0 * max(impact_speed(max(q0, 0.0), v0, body.gravity) / body.gravity, 1e-3)
    _require_few_bounces(body, checks.positive("t_end", t_end, "s"), impact_speed(q0, v0, body.gravity))
    if not isinstance(dt, str):
        _require_resolved(body, dt, impact_speed(q0, v0, body.gravity))
    system = body.system(q0, v0, compiled=dt != "auto")
    try:
        history = integrate(system, method, dt, t_end, on_failure=on_failure, **options)  # type: ignore[arg-type]
    except ConvergenceError as error:
        if isinstance(error.result, History):
            error.result = bounce_history(error.result, body)
        raise
    return bounce_history(history, body)


def _require_few_bounces(body: FallingBody, t_end: float, speed: float) -> None:
    """Refuse times in which the body bounces more often than anybody looks at."""
    one = 2.0 * speed / body.gravity + min(body.contact_time(speed), t_end) if speed > 0.0 else t_end
    if t_end > MOST_BOUNCES * one:
        raise InputError(
            f"t_end = {t_end} s has about {t_end / one:.2g} bounces, at most {MOST_BOUNCES}: "
            "take a shorter time."
        )


def _require_resolved(body: FallingBody, dt: float, speed: float) -> None:
    """Refuse a fixed step longer than the first contact, if its duration is known."""
    step = checks.positive("dt", dt, "s", 'give a step in seconds, or dt="auto".')
    lasts = body.contact_time(speed)
    if step > lasts:
        raise InputError(
            f"dt = {step:.3g} s is longer than the contact, {lasts:.3g} s: its energy would be arbitrary. "
            f'Take at most {lasts / 10.0:.2g} s, a tenth of it, or dt="auto".'
        )
