"""Schemas of friction in scenario files: a number, or a law of the slip speed; and a layer."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from traction.friction_laws import friction as laws
from traction.friction_laws.falling_law import FallingLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.kinds.tables.body_tables import Buildable
from traction.quantities import quantity
from traction.scenario import si
from traction.scenario.schema import Strict

Coefficient = Annotated[float, Field(ge=0.0, le=100.0)]


class FrictionTable(Strict):
    """A coefficient of friction that falls with the slip speed."""

    needs: ClassVar[dict[str, tuple[str, ...]]] = {
        "linear": ("kinetic", "drop", "half_speed"),
        "rational": ("kinetic", "drop", "half_speed"),
        "exponential": ("kinetic", "drop", "half_speed"),
        "polach": ("static", "ratio", "decay"),
    }

    law: Literal["linear", "rational", "exponential", "polach"]
    kinetic: Coefficient | None = None
    """coefficient at high slip speed"""
    drop: Coefficient | None = None
    """what is added to it at rest"""
    half_speed: si.PositiveSpeed | None = None
    """slip speed at which half of the drop is left"""
    second_drop: Coefficient | None = None
    second_half_speed: si.PositiveSpeed | None = None
    static: Coefficient | None = None
    """of Polach's law, mu0"""
    ratio: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    """of Polach's law, A: kinetic over static coefficient"""
    decay: Annotated[float, Field(gt=0.0, le=1e6)] | None = None
    """of Polach's law, B, s/m"""
    memory_distance: si.PositiveLength | None = None
    """slip distance dc over which the coefficient adapts"""
    memory_speed: si.PositiveSpeed | None = None
    """lowest slip speed s0 with which it adapts"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        optional = ("second_drop", "second_half_speed") if self.law != "polach" else ()
        wanted, both = self.needs[self.law], ("memory_distance", "memory_speed")
        for name in wanted:
            if getattr(self, name) is None:
                raise ValueError(f'needs {name} for law = "{self.law}"')
        for name in {key for keys in self.needs.values() for key in keys} | {"second_drop"}:
            if name not in (*wanted, *optional) and getattr(self, name) is not None:
                raise ValueError(f'has {name}, which law = "{self.law}" does not take')
        for pair in (both, ("second_drop", "second_half_speed")):
            if len({getattr(self, name) is None for name in pair}) > 1:
                raise ValueError(f"needs {pair[0]} and {pair[1]} together")
        self.build()
        return self

    def build(self) -> FallingLaw:
        """As the solvers take it."""
        distance, speed = self.memory_distance, self.memory_speed
        memory = None if distance is None or speed is None else (distance, speed)
        if self.law == "polach":
            return laws.polach(self.static or 0.0, self.ratio or 0.0, self.decay or 0.0, memory=memory)
        make = {"linear": laws.linear, "rational": laws.rational, "exponential": laws.exponential}[self.law]
        terms = [(self.drop or 0.0, self.half_speed or 1.0)]
        if self.second_drop is not None:
            terms.append((self.second_drop, self.second_half_speed or 1.0))
        return make(self.kinetic or 0.0, *terms, memory=memory)

    @property
    def words(self) -> str:
        """In a report."""
        law = self.build()
        remembers = ""
        if law.memory is not None:
            remembers = f", memory over {quantity(law.memory.distance, 'm')}"
        return f"{self.law} law from {law.static:.4g} at rest to {law.kinetic:.4g}{remembers}"


class InclinationTable(Buildable[InclinedFriction]):
    """Coefficients of friction along a rail's profile."""

    makes = laws.by_inclination

    inclinations: list[si.Angle]
    """of the surface, increasing; positive where it falls towards the centre of the track"""
    coefficients: list[Coefficient]

    @property
    def words(self) -> str:
        """In a report."""
        low, high = min(self.coefficients), max(self.coefficients)
        return f"{low:.4g} to {high:.4g}, by the inclination of the rail's surface"


class LayerTable(Buildable[Layer]):
    """A thin layer between the bodies."""

    makes = Layer

    shear_modulus: si.PositivePressure
    thickness: si.PositiveLength
    yield_stress: si.PositivePressure | None = None
    hardening: Annotated[float, Field(ge=-1e20, le=1e20)] = 0.0
    """of the yield stress per plastic displacement, Pa/m"""

    @property
    def words(self) -> str:
        """In a report."""
        flows = ""
        if self.yield_stress is not None:
            flows = f", yields at {quantity(self.yield_stress, 'Pa')}"
        return f"{quantity(self.thickness, 'm')} with G = {quantity(self.shear_modulus, 'Pa')}{flows}"
