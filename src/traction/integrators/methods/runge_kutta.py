"""Implicit Runge-Kutta methods of three stages: Radau IA and IIA of order 5.

Ehle 1969; Hairer, Wanner, Solving ODEs II, section IV.5; de Looij 2015.
"""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import numpy as np

from traction.integrators.core.method import Behaviour, ImplicitMethod
from traction.integrators.methods.kernels.radau_steps import make_radau_step

S = math.sqrt(6.0)


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


class RadauIA(RadauMethod):
    """Three stages at 0, (6 - sqrt 6)/10 and (6 + sqrt 6)/10 of the step (table 5.3); de Looij's Radau5."""

    name = "radau-ia"
    summary = "implicit, three stages, L-stable (Ehle 1969)"
    tableau = make_tableau(
        [
            [1.0 / 9.0, (-1.0 - S) / 18.0, (-1.0 + S) / 18.0],
            [1.0 / 9.0, 11.0 / 45.0 + 7.0 * S / 360.0, 11.0 / 45.0 - 43.0 * S / 360.0],
            [1.0 / 9.0, 11.0 / 45.0 + 43.0 * S / 360.0, 11.0 / 45.0 - 7.0 * S / 360.0],
        ],
        [1.0 / 9.0, 4.0 / 9.0 + S / 36.0, 4.0 / 9.0 - S / 36.0],
    )


class RadauIIA(RadauMethod):
    """Collocation at (4 - sqrt 6)/10, (4 + sqrt 6)/10 and 1, the end of the step (table 5.6)."""

    name = "radau-iia"
    summary = "implicit, three stages, L-stable and stiffly accurate (Ehle 1969)"
    tableau = make_tableau(
        [
            [(88.0 - 7.0 * S) / 360.0, (296.0 - 169.0 * S) / 1800.0, (-2.0 + 3.0 * S) / 225.0],
            [(296.0 + 169.0 * S) / 1800.0, (88.0 + 7.0 * S) / 360.0, (-2.0 - 3.0 * S) / 225.0],
            [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
        ],
        [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
    )
