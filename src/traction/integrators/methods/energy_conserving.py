"""An energy-conserving method: the midpoint rule with a discrete gradient (Gonzalez 1996).

With d = q1 - q = dt (v + v1)/2 the velocities follow M (v1 - v)/dt = F - C d/dt - K (q + q1)/2. The mean
force F is the force in the middle, corrected along d so that F.d = V(q) - V(q1) exactly: then the energy
changes by the damping alone, at every step length, through contact too. Of one degree of freedom
F = -(V(q1) - V(q))/d. A system may define its own mean force. Where no energy is given, F is the mean
of the force along d by Gauss quadrature (average vector field; McLachlan et al. 1999), and the energy is kept
as well as that quadrature is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction.integrators.core.method import Behaviour, ImplicitMethod
from traction.integrators.methods.kernels.energy_steps import make_energy_step


@dataclass(frozen=True)
class EnergyConserving(ImplicitMethod):
    """Conserves the energy of the discrete solution to the tolerance of the solver."""

    name = "energy-conserving"
    summary = "implicit, discrete gradient; needs energy= to be exact (Gonzalez 1996)"

    make_step = staticmethod(make_energy_step)
    behaviour = Behaviour(2, math.inf, "none: the energy is conserved exactly", 1.0)
