"""`PlasticLaw`: Hertz contact that yields (Thornton 1997)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.laws.contact_law import NO_TABLE, ContactLaw, Memory, Response
from traction.laws.kernels.law_values import (
    PLASTIC,
    REMEMBERED,
    CompiledLaw,
    contact_energy,
    contact_force,
    turn_back,
)
from traction.laws.power_law import PowerLaw
from traction.materials import Pair


@dataclass(frozen=True)
class PlasticLaw(ContactLaw):
    """Elastic-plastic Hertz contact with elastic unloading (Thornton 1997).

    F = k delta^(3/2) up to yield; beyond it the pressure is limited and F grows linearly with the slope
    reached there. Unloading from the largest approach follows Hertz with the larger radius of the dent.
    The memory is the largest approach so far; the energy includes that dissipated by plastic flow.

    Parameters
    ----------
    elastic
        Hertz law, with the exponent 3/2.
    yield_approach
        Approach at which the contact yields, m.

    Examples
    --------
    >>> law = tr.PlasticLaw.from_yield_pressure(0.01, tr.Pair(tr.STEEL, tr.STEEL), 1.6e9)
    >>> hit = tr.impact(tr.RigidGround(), None, tr.Striker(0.033, 1.0, law=law))
    >>> print(f"e = {hit.restitution:.3f}")
    e = 0.711
    """

    elastic: PowerLaw
    yield_approach: float

    def __post_init__(self) -> None:
        checks.instance("elastic", self.elastic, PowerLaw)
        if self.elastic.exponent != 1.5:
            raise InputError(
                f"elastic.exponent = {self.elastic.exponent} must be 1.5, that of Hertz contact."
            )
        checks.keep(self, yield_approach=checks.positive("yield_approach", self.yield_approach, "m"))

    @classmethod
    def from_yield_pressure(cls, radius: float, pair: Pair | float, yield_pressure: float) -> PlasticLaw:
        """Return the law of a sphere that yields at a given contact pressure.

        Parameters
        ----------
        radius, pair
            As in `tr.hertz.sphere`.
        yield_pressure
            Pressure in the centre at yield, 2 E*/pi sqrt(delta/R), Pa; about 1.6 times the yield stress
            of the weaker body.
        """
        law = PowerLaw.hertz(radius, pair)
        modulus = 0.75 * law.coefficient / math.sqrt(radius)
        p = checks.positive("yield_pressure", yield_pressure, "Pa")
        return cls(law, radius * (0.5 * math.pi * p / modulus) ** 2)

    @property
    def uses_history(self) -> bool:
        """True: the dent remains."""
        return True

    def begin(self) -> Memory:
        """Return the memory of an undented contact."""
        return {"deepest": np.zeros(())}

    def recall(self, stored: Memory) -> Memory:
        """Return a `stored` largest approach (m), checked."""
        if set(stored) != {"deepest"}:
            raise InputError(
                f"memory = {checks.shown(stored)} must hold deepest, the largest approach so far."
            )
        return {"deepest": np.array(checks.at_least("memory['deepest']", stored["deepest"], 0.0, "m"))}

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Return the response: loading where the `approach` (m) is the largest so far, otherwise unloading.

        The `memory` holds the largest approach; the `rate` has no effect.
        """
        delta = checks.finite("approach", approach, "m")
        before = 0.0 if memory is None else float(self.recall(memory)["deepest"])
        law, dent = self.compiled(0.0), np.zeros(REMEMBERED)
        if delta < before:
            turn_back(law, dent, before)
        force, stiffness, _ = contact_force(law, dent, delta, 0.0)
        energy = contact_energy(law, dent, delta)
        return Response(force, stiffness, energy, memory={"deepest": np.array(max(before, delta))})

    def compiled(self, energy: float) -> CompiledLaw:
        """Return the law as kernels take it, for contact energies up to `energy` (J)."""
        k, n = self.elastic.coefficient, self.elastic.exponent
        return CompiledLaw(PLASTIC, k, n, 0.0, self.yield_approach, NO_TABLE)
