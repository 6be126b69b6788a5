"""The classical Runge-Kutta method of order 4 (Kutta 1901); de Looij (2015), equation (3.4).

Its accelerations are k1 to k4, and k5 at the end, which the next step begins with. The weights 1, 2, 2, 0, 1
of k1 to k5 give a solution of order 3, at the distance dt/6 (k4 - k5); up to that factor it is the only one.
Of the conditions of order 4 it misses two: sum b_i a_ij c_j^2 is 7/72 instead of 1/12, and
sum b_i a_ij a_jk c_k is 1/36 instead of 1/24. The other two it meets: the velocities of both solutions take
the integral of a load over time alike, right or wrong. The velocity of the last stage does not; it is of
order 2.
"""

from __future__ import annotations

import math

from traction.integrators.core.method import Behaviour, Method
from traction.integrators.methods.kernels.explicit_steps import make_rk4_estimated_step, make_rk4_step
from traction.integrators.methods.runge_kutta import make_tableau


class RungeKutta4(Method):
    """Four stages at t, t + dt/2 (twice) and t + dt, weighted 1, 2, 2, 1."""

    name = "rk4"
    summary = "explicit, four forces per step (Kutta 1901)"
    tableau = make_tableau(
        [[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    )

    make_step = staticmethod(make_rk4_step)
    make_estimated_step = staticmethod(make_rk4_estimated_step)
    #: at 2 sqrt 2, |1 + z + z^2/2 + z^3/6 + z^4/24| = 1 on the imaginary axis
    behaviour = Behaviour(4, 2.0 * math.sqrt(2.0), "weak: amplitudes shrink by (omega dt)^6/144 per step")

    @property
    def embedded_order(self) -> int:
        """3."""
        return 3
