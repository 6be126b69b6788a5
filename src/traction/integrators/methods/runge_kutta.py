"""Butcher coefficients, and common parts of implicit Runge-Kutta methods of three stages."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import numpy as np

from traction.integrators.core.method import Behaviour, ImplicitMethod
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


class RadauMethod(ImplicitMethod):
    """All three stages at once; the unknowns are their accelerations."""

    tableau: ClassVar[Tableau]
    make_step = staticmethod(make_radau_step)
    behaviour = Behaviour(
        5,
        math.inf,
        "weak: amplitudes shrink by (omega dt)^6/7200 per step; unresolved oscillations die at once",
        0.0,
    )

    @property
    def coefficients(self) -> Tableau:
        """The tableau."""
        return self.tableau
