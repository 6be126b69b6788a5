"""Butcher coefficients, and common parts of implicit Runge-Kutta methods of three stages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from traction.integrators.core.method import ImplicitMethod, MakeStep
from traction.integrators.methods.kernels.radau_steps import make_radau_step


class Tableau(NamedTuple):
    """Butcher's coefficients."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    aa: np.ndarray  #: weights of the accelerations in the coordinates of the stages
    ba: np.ndarray  #: weights of the accelerations in the coordinates at the end
    stiffly_accurate: bool  #: whether the last stage is the end of the step


def make_tableau(rows: list[list[float]], weights: list[float]) -> Tableau:
    """A tableau; the stage times are the sums of the rows."""
    a, b = np.array(rows), np.array(weights)
    return Tableau(a, b, a.sum(axis=1), a @ a, b @ a, bool(np.allclose(a[-1], b, rtol=0.0, atol=1e-15)))


@dataclass(frozen=True)
class RadauMethod(ImplicitMethod):
    """All three stages at once; the unknowns are their accelerations."""

    tableau: ClassVar[Tableau]
    make_step: ClassVar[MakeStep] = staticmethod(make_radau_step)

    @property
    def coefficients(self) -> Tableau:
        """The tableau."""
        return self.tableau

    @property
    def order(self) -> int:
        """5."""
        return 5

    @property
    def stability_limit(self) -> float:
        """Infinite."""
        return math.inf

    @property
    def damping(self) -> str:
        """Weak where the step resolves the oscillation."""
        return "weak: amplitudes shrink by (omega dt)^6/7200 per step; unresolved oscillations die at once"

    @property
    def high_frequency_radius(self) -> float:
        """Zero: oscillations that the step does not resolve die at once."""
        return 0.0
