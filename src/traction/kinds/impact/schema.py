"""Kind "impact": a ball strikes a beam, a plate or the ground, once or several times."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from traction.beams.beam import Beam
from traction.impacts.striker import Striker
from traction.impacts.structures.plate import Plate, plate_stiffness
from traction.impacts.structures.struck_structures import Structure, struck_place
from traction.impacts.structures.unbounded import InfiniteBeam, InfinitePlate, RigidGround
from traction.kinds.tables.body_tables import PairCase, material
from traction.laws.contact_law import ContactLaw
from traction.laws.damped_law import DampedLaw
from traction.laws.plastic_law import PlasticLaw
from traction.laws.power_law import PowerLaw
from traction.laws.rigid_strike import strike_rigid_ground
from traction.materials import Material
from traction.scenario import si
from traction.scenario.schema import Strict, named_also

SHEAR_FACTOR = 5.0 / 6.0  #: of a rectangular section
MOST_CONTACT_TIMES = 1e5  #: of a run
MOST_STORED = 1e8  #: numbers of all samples
SupportName = Literal["clamped", "pinned", "free", "guided"]


class StructureTable(Strict):
    """The struck structure, of the lower material: a beam of rectangular section, a plate, or ground."""

    type: Literal["beam", "plate", "infinite-beam", "infinite-plate", "rigid"]
    length: si.PositiveLength | None = None
    width: si.PositiveLength | None = None
    """of the section of a beam, or of a plate along y"""
    thickness: si.PositiveLength | None = None
    """in the direction of the strike"""
    supports: Annotated[list[SupportName], Field(min_length=2, max_length=2)] | None = None
    shear: bool = False
    """Timoshenko's theory of beams"""
    damping: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    modes: Annotated[int, Field(ge=1, le=20_000)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        needed = {
            "beam": ("length", "width", "thickness"),
            "plate": ("length", "width", "thickness"),
            "infinite-beam": ("width", "thickness"),
            "infinite-plate": ("thickness",),
            "rigid": (),
        }[self.type]
        for name in ("length", "width", "thickness"):
            given = getattr(self, name) is not None
            if given != (name in needed):
                raise ValueError(f'{"takes no" if given else "needs"} {name} with type = "{self.type}"')
        if self.type != "beam" and (self.supports is not None or self.shear):
            raise ValueError('takes supports and shear only with type = "beam"')
        if self.type not in ("beam", "plate") and (self.damping or self.modes is not None):
            raise ValueError('takes damping and modes only with type = "beam" or "plate"')
        if self.supports is not None and self._loose(self.supports):
            raise ValueError("is not held by these supports; support it at two positions, or clamp an end")
        return self

    def _loose(self, supports: list[SupportName]) -> bool:
        """Whether the beam can move as a whole."""
        sides = [one in ("clamped", "pinned") for one in supports]
        turns = [one in ("clamped", "guided") for one in supports]
        return not any(sides) or (sum(sides) == 1 and not any(turns))

    def build(self, body: Material) -> Structure:
        """The struck structure."""
        if self.type == "rigid":
            return RigidGround()
        if self.type == "infinite-plate":
            return InfinitePlate(*plate_stiffness(body, self._size("thickness")))
        if self.type == "plate":
            stiffness = plate_stiffness(body, self._size("thickness"))
            return Plate(self._size("length"), self._size("width"), *stiffness, damping=self.damping)
        width, h = self._size("width"), self._size("thickness")
        EI, m = body.youngs_modulus * width * h**3 / 12.0, (body.density or 0.0) * width * h
        if self.type == "infinite-beam":
            return InfiniteBeam(EI, m)
        shear = SHEAR_FACTOR * body.youngs_modulus / (2.0 * (1.0 + body.poisson_ratio)) * width * h
        left, right = self.supports or ("pinned", "pinned")
        return Beam(
            self._size("length"),
            EI,
            m,
            supports=(left, right),
            damping=self.damping,
            shear_stiffness=shear if self.shear else None,
            rotary_inertia=m * h**2 / 12.0 if self.shear else None,
        )

    def _size(self, name: str) -> float:
        return float(getattr(self, name))


class StrikingBallTable(Strict):
    """The ball that strikes; density of the upper body, and mass of a solid ball, unless given."""

    radius: si.PositiveLength
    speed: si.PositiveSpeed
    density: si.PositiveDensity | None = None
    mass: si.PositiveMass | None = None


class StrikeTable(Strict):
    """Where, from the left end of a beam or a corner of a plate; in the middle unless given."""

    x: si.PositiveLength | None = named_also("at")
    """`at` as in `tr.impact` is the same"""
    y: si.PositiveLength | None = None
    gravity: si.NotNegativeAcceleration = 0.0


class ImpactContactTable(Strict):
    """Hertz, with damping or with yield of the contact."""

    not_both = (("damping or yield_pressure", "damping", "yield_pressure"),)

    damping: si.NotNegativeDamping | None = None
    yield_pressure: si.PositivePressure | None = None


class ImpactTimeTable(Strict):
    """Method, duration and number of samples of the impact."""

    method: Literal["modal", "small-increment", "energy"] = "modal"
    t_end: si.PositiveTime | None = None
    samples: Annotated[int, Field(ge=2, le=1_000_000)] = 1000
    points: Annotated[int, Field(ge=2, le=10_001)] = 81
    """along a beam, at which its deflection is stored"""


class ImpactCase(PairCase):
    """A ball strikes a structure."""

    title: Annotated[str, Field(max_length=200)] = "A ball strikes a beam"
    structure: StructureTable
    ball: StrikingBallTable
    strike: StrikeTable = StrikeTable()
    contact: ImpactContactTable = ImpactContactTable()
    time: ImpactTimeTable = ImpactTimeTable()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        body = material(self.lower)
        if self.structure.type != "rigid" and (body.rigid or body.density is None):
            raise ValueError("needs an elastic lower material with a density; give lower.density")
        kind, strike = self.structure.type, self.strike
        wrong = strike.x is not None and kind not in ("beam", "plate")
        if wrong or (strike.y is not None and kind != "plate"):
            raise ValueError(f'takes strike.x of a beam, x and y of a plate, not with type = "{kind}"')
        points = self.time.points if kind == "beam" else 0
        if self.time.samples * (8 + points) > MOST_STORED:
            raise ValueError(f"would store more than {MOST_STORED:g} numbers; choose fewer samples or points")
        lasts = self.contact_time
        if self.time.t_end is not None and self.time.t_end > MOST_CONTACT_TIMES * lasts:
            raise ValueError(
                f"ends at {self.time.t_end:.3g} s, more than {MOST_CONTACT_TIMES:g} times its contact time "
                f"({lasts:.2g} s); choose a shorter time.t_end"
            )
        self.place  # noqa: B018  refuses places off the structure
        return self

    @cached_property
    def striker(self) -> Striker:
        """The ball and its contact."""
        ball, pair = self.ball, self.pair
        density = ball.density or pair.upper.density or (pair.lower.density if pair.upper.rigid else None)
        if ball.mass is None and density is None:
            raise ValueError("needs ball.mass, ball.density or upper.density")
        mass = ball.mass or 4.0 / 3.0 * math.pi * ball.radius**3 * float(density or 0.0)
        law: ContactLaw = PowerLaw.hertz(ball.radius, pair)
        if self.contact.yield_pressure is not None:
            law = PlasticLaw.from_yield_pressure(ball.radius, pair, self.contact.yield_pressure)
        elif self.contact.damping is not None:
            law = DampedLaw(PowerLaw.hertz(ball.radius, pair), self.contact.damping)
        return Striker(mass, ball.speed, law=law)

    @property
    def contact_time(self) -> float:
        """On rigid ground, s."""
        striker = self.striker
        energy = 0.5 * striker.mass * striker.speed**2
        return strike_rigid_ground(striker.law.compiled(energy), striker.mass, striker.speed).duration

    @cached_property
    def target(self) -> Structure:
        """The struck structure."""
        return self.structure.build(material(self.lower))

    @property
    def place(self) -> float | tuple[float, float] | None:
        """Where, as `tr.impact` takes it."""
        target, strike = self.target, self.strike
        if isinstance(target, Plate):
            x = 0.5 * target.length if strike.x is None else strike.x
            return target.place((x, 0.5 * target.width if strike.y is None else strike.y))
        if isinstance(target, Beam):
            return struck_place(target, 0.5 * target.length if strike.x is None else strike.x)
        return None
