"""`PlasticLaw`: Hertz's contact that yields (Thornton 1997)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.laws.contact_law import ContactLaw
from traction.laws.kernels.law_values import (
    PLASTIC,
    REMEMBERED,
    CompiledLaw,
    contact_energy,
    contact_force,
    turn_back,
)
from traction.laws.law_table import NO_TABLE
from traction.laws.power_law import PowerLaw
from traction.laws.response import Memory, Response
from traction.materials import Pair


@dataclass(frozen=True)
class PlasticLaw(ContactLaw):
    """Hertz up to the yield of the contact, then a straight line; unloads elastically (Thornton 1997).

    Up to the approach of yield F = k delta^(3/2); beyond it the pressure is limited and F grows with the
    slope reached there. From the deepest approach F returns by Hertz with the larger radius of the dent.
    The memory is the deepest approach so far; the energy includes what plastic flow has taken.
    """

    elastic: PowerLaw  #: with the exponent 3/2
    yield_approach: float  #: m

    def __post_init__(self) -> None:
        checks.instance("elastic", self.elastic, PowerLaw)
        if self.elastic.exponent != 1.5:
            raise InputError(
                f"elastic.exponent = {self.elastic.exponent} must be 1.5: only Hertz can yield here."
            )
        checks.keep(self, yield_approach=checks.positive("yield_approach", self.yield_approach, "m"))

    @classmethod
    def from_yield_pressure(cls, radius: float, pair: Pair | float, yield_pressure: float) -> PlasticLaw:
        """Yields when the pressure in the middle, 2 E*/pi sqrt(delta/R), is `yield_pressure` (Pa).

        That is about 1.6 times the yield stress of the weaker body.
        """
        law = PowerLaw.hertz(radius, pair)
        modulus = 0.75 * law.coefficient / math.sqrt(radius)
        p = checks.positive("yield_pressure", yield_pressure, "Pa")
        return cls(law, radius * (0.5 * math.pi * p / modulus) ** 2)

    @property
    def uses_history(self) -> bool:
        """The dent stays."""
        return True

    def begin(self) -> Memory:
        """No dent."""
        return {"deepest": np.zeros(())}

    def recall(self, stored: Memory) -> Memory:
        """The deepest approach (m) that was stored, checked."""
        if set(stored) != {"deepest"}:
            raise InputError(
                f"memory = {checks.shown(stored)} must hold deepest, the largest approach so far."
            )
        return {"deepest": np.array(checks.at_least("memory['deepest']", stored["deepest"], 0.0, "m"))}

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """On the way in where the approach (m) is the deepest so far, on the way back otherwise."""
        delta = checks.finite("approach", approach, "m")
        before = 0.0 if memory is None else float(self.recall(memory)["deepest"])
        law, dent = self.compiled(0.0), np.zeros(REMEMBERED)
        if delta < before:
            turn_back(law, dent, before)
        force, stiffness, _ = contact_force(law, dent, delta, 0.0)
        energy = contact_energy(law, dent, delta)
        return Response(force, stiffness, energy, memory={"deepest": np.array(max(before, delta))})

    def compiled(self, energy: float) -> CompiledLaw:
        """The law as kernels take it."""
        k, n = self.elastic.coefficient, self.elastic.exponent
        return CompiledLaw(PLASTIC, k, n, 0.0, self.yield_approach, NO_TABLE)
