"""Kind "bounce": a body falls on an elastic ground, and again; by Hertz or by the half-space solver."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator
from scipy.optimize import brentq

from traction.bouncing.falling_body import (
    LARGEST_DAMPING,
    LEAST_RESTITUTION,
    FallingBody,
    curvature_radii,
    falling_body,
)
from traction.checks import ROUNDING
from traction.errors import ConvergenceError
from traction.integrators.core.method import Method
from traction.integrators.method_table import method as method_of
from traction.kinds.tables.body_tables import GridTable, PairCase, SurfaceTable, add_surfaces
from traction.kinds.tables.method_tables import MethodName, MethodOption, StepLength
from traction.laws.power_law import PowerLaw
from traction.laws.rigid_strike import strike_rigid_ground
from traction.scenario import si
from traction.scenario.schema import Strict, require_storable
from traction.surfaces import Sphere, Surface

MOST_CELLS = 512 * 512  #: of a contact that is solved at every step
MOST_CONTACT_TIMES = 1e6  #: of a run; longer ones do not end in a working day
MOST_STEPS = 1e8  #: of a fixed length
MOST_STORED = 1e9  #: numbers of all samples


class FallingBallTable(Strict):
    """A ball; its density is that of the upper body unless given."""

    radius: si.PositiveLength
    density: si.PositiveDensity | None = None


class FallTable(Strict):
    """Start of the body: height of its lowest point, downward speed."""

    height: si.NotNegativeLength
    speed: si.Speed = 0.0
    gravity: si.PositiveAcceleration = 9.81

    @property
    def impact_speed(self) -> float:
        """Speed at the first touch, m/s."""
        return math.sqrt(self.speed**2 + 2.0 * self.gravity * self.height)


class BounceContactTable(Strict):
    """The contact law: closed, or solved at every step on a grid; and its damping."""

    not_both = (
        ("elements or a grid", "elements", "grid"),
        ("restitution or damping", "restitution", "damping"),
    )

    law: Literal["hertz", "half-space"] = "hertz"
    elements: Annotated[int, Field(ge=4, le=400)] | None = None
    """across the largest contact; 32 unless given"""
    grid: GridTable | None = None
    restitution: Annotated[float, Field(ge=LEAST_RESTITUTION, le=1.0)] | None = None
    damping: Annotated[si.NotNegativeDamping, Field(le=LARGEST_DAMPING)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.law == "hertz" and (self.elements is not None or self.grid is not None):
            raise ValueError('takes elements and grid only with law = "half-space"')
        if self.grid is not None:
            too_many = f"is solved at every step, on a grid of at most {MOST_CELLS} elements"
            self.grid.require_area(MOST_CELLS, ": the mass of a body is not per metre", too_many)
        return self


class BounceTimeTable(Strict):
    """Integration method, duration and number of samples."""

    not_both = (("t_end or bounces", "t_end", "bounces"),)

    method: MethodName = "rk4"
    options: dict[str, MethodOption] = Field(default_factory=dict, max_length=10)
    dt: StepLength = "auto"
    rtol: Annotated[float, Field(ge=ROUNDING, lt=1.0)] | None = None
    locate_events: bool = True
    t_end: si.PositiveTime | None = None
    bounces: Annotated[int, Field(ge=1, le=1000)] | None = None
    samples: Annotated[int, Field(ge=2, le=1_000_000)] = 600

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.chosen  # noqa: B018  refuses options that the method has not
        return self

    @property
    def chosen(self) -> Method:
        """The method with its options."""
        return method_of(self.method, **self.options)


class SurfaceLineTable(Strict):
    """The line along x, under the middle of the body, on which both surfaces are stored."""

    width: si.PositiveLength
    points: Annotated[int, Field(ge=2, le=10_001)] = 101

    @property
    def x(self) -> np.ndarray:
        """Points, m."""
        return np.linspace(-0.5 * self.width, 0.5 * self.width, self.points)


class BounceCase(PairCase):
    """A body that falls on an elastic ground."""

    exactly_one = (("either a ball or a list of surfaces", "ball", "surface"),)

    title: Annotated[str, Field(max_length=200)] = "A body falls and bounces"
    ball: FallingBallTable | None = None
    surface: Annotated[list[SurfaceTable], Field(min_length=1, max_length=20)] | None = None
    """instead of a ball; surfaces add up"""
    mass: si.PositiveMass | None = None
    """that of a ball follows from its density"""
    fall: FallTable
    contact: BounceContactTable = BounceContactTable()
    time: BounceTimeTable = BounceTimeTable()
    line: SurfaceLineTable | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.fall.impact_speed == 0.0:
            raise ValueError("has a body that lies on the ground; give fall.height or fall.speed")
        self.require_elastic()
        if self.ball is not None and self.mass is not None and self.ball.density is not None:
            raise ValueError("takes mass or ball.density, not both")
        try:
            self.body  # noqa: B018  refuses what cannot be built
        except ConvergenceError as error:
            raise ValueError(f"cannot begin: {error}") from error
        self._check_length()
        return self

    @property
    def shape(self) -> Surface:
        """The body's surface."""
        return add_surfaces(self.surface or []) if self.ball is None else Sphere(self.ball.radius)

    @property
    def body_mass(self) -> float:
        """Mass of the body, kg."""
        if self.mass is not None:
            return self.mass
        if self.ball is None:
            raise ValueError("needs the mass of the body, since surfaces have none")
        density = self.ball.density or self.pair.upper.density
        if density is None:
            raise ValueError("needs mass, ball.density or upper.density")
        return 4.0 / 3.0 * math.pi * self.ball.radius**3 * density

    @cached_property
    def body(self) -> FallingBody:
        """The body and its contact law, read only."""
        return self.build_body()

    def build_body(self) -> FallingBody:
        """A new body, as `tr.bounce` builds it; a half-space law remembers its last contact."""
        fall, contact = self.fall, self.contact
        return falling_body(
            pair=self.pair,
            surface=self.shape,
            mass=self.body_mass,
            height=fall.height,
            speed=fall.speed,
            gravity=fall.gravity,
            contact=contact.law,
            grid=None if contact.grid is None else contact.grid.build(),
            elements=contact.elements or 32,
            restitution=contact.restitution,
            damping=contact.damping,
        )

    @cached_property
    def contact_time(self) -> float | None:
        """Duration of the first contact by Hertz, without gravity, s; None for other shapes."""
        try:
            law = PowerLaw.hertz_ellipse(*curvature_radii(self.shape), self.pair)
        except ValueError:
            return None
        return strike_rigid_ground(law.compiled(0.0), self.body_mass, self.fall.impact_speed).duration

    @cached_property
    def t_end(self) -> float:
        """End of the run, s: as given, or where the body is highest after the last bounce."""
        if self.time.t_end is not None:
            return self.time.t_end
        speed, g = self.fall.impact_speed, self.fall.gravity
        t = (speed - self.fall.speed) / g
        for _ in range(self.time.bounces or 3):
            rebound = self._rebound(speed)
            t += (self.contact_time or 0.0) * (self.fall.impact_speed / speed) ** 0.2 + 2.0 * rebound / g
            speed = rebound
        return t - speed / g

    def _rebound(self, speed: float) -> float:
        """Speed (m/s) after a contact; the inverse of `damping_for`."""
        d = self.body.damping * speed
        if d < 1e-6:  # restitution 1 - 2 d/3 is 1 to rounding
            return speed

        def mismatch(e: float) -> float:
            return d * (1.0 + e) - math.log1p(d) + math.log1p(-e * d)

        most = min(1.0, (1.0 - 1e-14) / d)
        return speed * (float(brentq(mismatch, 0.0, most)) if mismatch(most) < 0.0 else most)

    def _check_length(self) -> None:
        """Refuse runs that would not end, or not fit."""
        points = 0 if self.line is None else self.line.points
        stored = self.time.samples * (20 + 2 * points)
        require_storable(stored, MOST_STORED, "fewer time.samples or line.points")
        if isinstance(self.time.dt, float) and self.t_end / self.time.dt > MOST_STEPS:
            raise ValueError(f"has {self.t_end / self.time.dt:.2g} steps of time.dt, at most {MOST_STEPS:g}")
        lasts = self.contact_time
        if lasts is not None and isinstance(self.time.dt, float) and self.time.dt > lasts:
            raise ValueError(
                f"takes steps of {self.time.dt:.3g} s, longer than its contact ({lasts:.2g} s); choose a "
                'shorter time.dt, or "auto"'
            )
        if lasts is not None and self.t_end / lasts > MOST_CONTACT_TIMES:
            raise ValueError(
                f"ends at {self.t_end:.3g} s, which is {self.t_end / lasts:.2g} times its contact time "
                f"({lasts:.2g} s), at most {MOST_CONTACT_TIMES:g}; choose a shorter time.t_end"
            )
