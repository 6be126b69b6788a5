"""`bounce`: a body falls on an elastic surface, and again, under any contact law; `BounceHistory`."""

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


@dataclass(frozen=True, eq=False, repr=False)
class BounceHistory(History):
    """A history whose coordinate is the height q of the body's lowest point above the surface (m)."""

    _coordinate = ("m", "height")

    body: FallingBody = field(kw_only=True)

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
        """Energy stored in the contact, and what plastic flow has taken, J."""
        return self.body.force.energies_along(self.q)

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

    @property
    def _knows_energy(self) -> bool:
        return True

    def _variables(self) -> Iterator[Variable]:
        yield figure("peak_force", lambda: float(self.contact_force.max()), "N", "largest contact force")
        yield from super()._variables()
        yield data("contact_force", lambda: self.contact_force, "N", "contact force", "t")
        yield data("kinetic_energy", lambda: self.kinetic_energy, "J", "kinetic energy", "t")
        yield data("gravitational_energy", lambda: self.gravitational_energy, "J", "energy of height", "t")
        yield data("elastic_energy", lambda: self.elastic_energy, "J", "energy in the contact", "t")

    def surfaces(self, t: float, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Heights (m) of the body's and of the ground's surface at time t and points (x, 0), deformed."""
        return self.body.surfaces(float(self.at(checks.finite("t", t, "s"))), x)


def bounce_history(history: History, body: FallingBody) -> BounceHistory:
    """The history of a falling body, with what belongs to it."""
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
    """A ball dropped from `height` (m) of its lowest point on the lower body of `pair`.

    Its mass follows from its radius (m) and the density of pair.upper (if it is rigid and has none, of
    pair.lower), unless `mass` (kg) is given; instead of a ball any `surface` may fall. `speed` (m/s) is that
    of the start, downwards.
    `contact` = "hertz" takes the closed force (of the radii of curvature at the lowest point), "half-space"
    solves the contact at every step, on a grid with `elements` across the largest contact, or on `grid`,
    which shapes that are no paraboloid within their contact need. Any contact law serves too, such as
    `tr.PlasticLaw`, `tr.TabulatedLaw` or one of your own (see `tr.ContactLaw`).
    `restitution` (at the speed of the first impact) or `damping` (s/m) adds a loss F (1 + damping * rate).
    The relation between both leaves out the weight, which acts in the contact too: it holds to about
    gravity * contact time/speed.
    A fixed `dt` longer than the contact is refused: such a step sees nothing of the contact but its end.
    `t_end` (s) defaults to three bounces; `method`, `dt` and `options` are those of `tr.integrate`, but of a
    half space `rtol` is 1e-6 unless given: smaller errors than those of its elements say nothing.
    """
    body = falling_body(
        ball_radius, pair, height, gravity, contact, surface=surface, mass=mass, speed=speed,
        restitution=restitution, damping=damping, elements=elements, grid=grid,
    )  # fmt: skip
    q0, v0 = checks.finite("height", height, "m"), float(speed)
    if body.law.tol > 0.0:
        options.setdefault("rtol", HALF_SPACE_RTOL)
    end = _time_three_bounces(q0, v0, body.gravity) if t_end is None else t_end
    if not isinstance(dt, str):
        _require_resolved(body, dt, impact_speed(q0, v0, body.gravity))
    system = body.system(q0, v0, compiled=dt != "auto")
    try:
        history = integrate(system, method, dt, end, on_failure=on_failure, **options)  # type: ignore[arg-type]
    except ConvergenceError as error:
        if isinstance(error.result, History):
            error.result = bounce_history(error.result, body)
        raise
    return bounce_history(history, body)


def _require_resolved(body: FallingBody, dt: float, speed: float) -> None:
    """Refuse a fixed step longer than the first contact, as far as it is known."""
    step = checks.positive("dt", dt, "s", 'give a step in seconds, or dt="auto".')
    lasts = body.contact_time(speed)
    if step > lasts:
        raise InputError(
            f"dt = {step:.3g} s is longer than the contact, {lasts:.3g} s: its energy would be arbitrary. "
            f'Take at most {lasts / 10.0:.2g} s, a tenth of it, or dt="auto".'
        )


def _time_three_bounces(height: float, speed: float, gravity: float) -> float:
    """Time (s) of about three bounces."""
    return 6.0 * max(impact_speed(max(height, 0.0), speed, gravity) / gravity, 1e-3)
