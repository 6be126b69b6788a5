"""`Interface`: what is between the bodies, a law of friction and a layer, at a speed of rolling."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.contact.stick_slip.kernels.sliding_states import Sliding, SlidingRule
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.layer import Layer

#: of the yield stress, within which friction and a layer that does not harden both move: so narrow that
#: elements hardly come within it unless a sharp choice between the two would have no solution
TIE = 2e-6

#: a window of the grid, numbers of elements, or their rows and columns
Place = tuple[slice, slice] | np.ndarray | tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Carried:
    """Memory of the particles at the elements of a window, before a step; (ny, nx)."""

    mu: np.ndarray  #: coefficient by the law that they remember, without the factor of the place
    yielding: np.ndarray  #: yield stress of the layer, Pa
    speed: np.ndarray | None = None  #: of slip, m/s, in the step before; None where it is not known

    @classmethod
    def left_by(cls, sliding: Sliding, slip: np.ndarray, time: float) -> Carried:
        """What a step over a time (s) leaves, by a slip (m, (2, ny, nx)) that may be plastic in part."""
        speed = np.maximum(0.0, np.hypot(*slip) - sliding.plastic) / time
        return cls(sliding.mu, sliding.yielding, speed)

    @property
    def fields(self) -> tuple[np.ndarray, ...]:
        """What is known: two or three arrays."""
        return (self.mu, self.yielding) if self.speed is None else (self.mu, self.yielding, self.speed)

    def at(self, place: Place) -> Carried:
        """The same on a window of the grid, or that of some elements by their numbers."""
        return Carried(*(field[place] for field in self.fields))


def find_coefficient(rule: SlidingRule, remembered: np.ndarray) -> np.ndarray:
    """Coefficient that bounds tractions, (ny, nx), by that which particles remember."""
    return remembered if rule.lag == 0.0 else (1.0 - rule.lag) * remembered + rule.lag * rule.seen


def count_memories(rule: SlidingRule, speed: np.ndarray, time: float | np.ndarray) -> np.ndarray:
    """Number of memory distances dc that are slipped over a time (s), at slip speeds (m/s)."""
    passed: np.ndarray = np.maximum(speed, rule.background) * time / rule.distance
    return passed


def keep_over(rule: SlidingRule, speed: np.ndarray, time: float | np.ndarray) -> np.ndarray:
    """Share of a memory that is left after a time (s) at slip speeds (m/s)."""
    passed = count_memories(rule, speed, time)
    return np.exp(-passed) if rule.exact else 1.0 / (1.0 + passed)


@dataclass(frozen=True, eq=False)
class Interface:
    """Law of friction and layer between the bodies."""

    law: FrictionLaw
    layer: Layer | None
    speed: float  #: of rolling or of a shift, m/s
    #: of the place, over the grid, (ny, nx): coefficients of the law are multiplied by it
    factor: np.ndarray | None = None

    @property
    def compliance(self) -> float:
        """Shear of the layer per traction, m/Pa."""
        return 0.0 if self.layer is None else self.layer.compliance

    @property
    def yield_stress(self) -> float:
        """Yield stress of the layer, Pa; infinite where there is none."""
        stress = None if self.layer is None else self.layer.yield_stress
        return math.inf if stress is None else stress

    @property
    def hardening(self) -> float:
        """Increase of the yield stress of the layer by plastic motion, Pa/m."""
        return 0.0 if self.layer is None else self.layer.hardening

    @property
    def tie(self) -> float:
        """Difference of friction and yield stress within which both move, Pa (see `sliding_states.flow`).

        Zero where neither becomes weaker by it.
        """
        weakens = self.hardening < 0.0 or not self.law.is_constant
        return TIE * self.yield_stress if weakens and math.isfinite(self.yield_stress) else 0.0

    @property
    def reference_coefficient(self) -> float:
        """Coefficient of friction at rest, where it is largest on the grid."""
        return self.law.static

    @property
    def is_constant(self) -> bool:
        """Whether the bound does not depend on slip: constant friction on an elastic layer, or on none."""
        return self.law.is_constant and math.isinf(self.yield_stress)

    def rest_on(self, shape: tuple[int, ...]) -> Carried:
        """Memory of particles at rest, on a window of the grid."""
        return Carried(
            np.full(shape, self.law.static), np.full(shape, self.yield_stress), speed=np.zeros(shape)
        )

    def rule(
        self,
        pressure: np.ndarray,
        time: float,
        *,
        upstream: int = 0,
        reach: np.ndarray | None = None,
        carried: Carried | None = None,
    ) -> SlidingRule | None:
        """The rule of a step that takes a time (s) on elements under a pressure (Pa, (ny, nx)).

        The pressure is multiplied by the factor of the place, so that memories are those of the law alone.
        `reach` are the ways of the particles over that of the step, by covered elements, whose memory is
        exact; `carried` is their memory before the step. None where the bound does not depend on the slip.
        """
        if self.is_constant:
            return None
        memory = self.law.memory
        one = np.ones_like(pressure)
        if carried is None:
            carried = self.rest_on(pressure.shape)
        return SlidingRule(
            law=self.law.compiled(),
            pressure=np.ascontiguousarray(pressure, dtype=float),
            mu_before=np.ascontiguousarray(carried.mu),
            yield_before=np.ascontiguousarray(carried.yielding),
            reach=one if reach is None else np.ascontiguousarray(reach),
            time=time,
            distance=0.0 if memory is None else memory.distance,
            background=0.0 if memory is None else memory.speed,
            yield_stress=self.yield_stress,
            hardening=self.hardening,
            tie=self.tie,
            exact=reach is not None,
            upstream=upstream,
            lag=0.0,
            seen=one,
            gained=np.zeros_like(one),
        )
