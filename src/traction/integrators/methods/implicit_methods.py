"""Implicit methods beside the family of Newmark: Radau IA and IIA of order 5, and an energy-conserving one.

Radau's have three stages (Ehle 1969; Hairer, Wanner, Solving ODEs II, section IV.5; de Looij 2015).

The other is the midpoint rule with a discrete gradient (Gonzalez 1996). With d = q1 - q = dt (v + v1)/2 the
velocities follow M (v1 - v)/dt = F - C d/dt - K (q + q1)/2. The mean force F is the force in the middle,
corrected along d so that F.d = V(q) - V(q1) exactly: then the energy changes by the damping alone, at every
step length, through contact too. Of one degree of freedom F = -(V(q1) - V(q))/d. A system may define its own
mean force. Where no energy is given, F is the mean of the force along d by Gauss quadrature (average vector
field; McLachlan et al. 1999), and the energy is kept as well as that quadrature is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from traction.integrators.core.method import Behaviour, ImplicitMethod
from traction.integrators.methods.kernels.energy_steps import make_energy_step
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


@dataclass(frozen=True)
class EnergyConserving(ImplicitMethod):
    """Conserves the energy of the discrete solution to the tolerance of the solver."""

    name = "energy-conserving"
    summary = "implicit, discrete gradient; needs energy= to be exact (Gonzalez 1996)"

    make_step = staticmethod(make_energy_step)
    behaviour = Behaviour(2, math.inf, "none: the energy is conserved exactly", 1.0)
