"""Explicit methods: forward and symplectic Euler, velocity Verlet, and the classical Runge-Kutta method."""

from __future__ import annotations

import math

from traction.integrators.core.method import Behaviour, Method
from traction.integrators.methods.implicit_methods import make_tableau
from traction.integrators.methods.kernels.explicit_steps import (
    make_forward_euler_step,
    make_rk4_estimated_step,
    make_rk4_step,
    make_symplectic_euler_step,
    make_verlet_step,
)


class EulerForward(Method):
    """q1 = q + dt v, v1 = v + dt a(t, q, v)."""

    name = "euler-forward"
    summary = "explicit, one force per step (Euler 1768)"
    make_step = staticmethod(make_forward_euler_step)
    behaviour = Behaviour(1, 0.0, "negative: amplitudes grow by (omega dt)^2/2 per step")


class SymplecticEuler(Method):
    """v1 = v + dt a(t, q, v), q1 = q + dt v1."""

    name = "symplectic-euler"
    summary = "explicit, one force per step (de Vogelaere 1956)"
    make_step = staticmethod(make_symplectic_euler_step)
    behaviour = Behaviour(1, 2.0, "none on average: the energy oscillates by omega dt/2")


class Verlet(Method):
    """The central difference method with velocities (Verlet 1967; Swope et al. 1982).

    q1 = q + dt v + dt^2/2 a, v1 = v + dt/2 (a + a1): the second difference of q over dt^2 is the acceleration
    at the present time, not at an earlier one. With damping the end acceleration solves
    (M + dt/2 C) a1 = f(t1, q1, v + dt a) - K q1 - C (v + dt/2 a), which keeps the second order.
    """

    name = "verlet"
    summary = "explicit, one force per step, symplectic (Verlet 1967)"
    make_step = staticmethod(make_verlet_step)
    behaviour = Behaviour(2, 2.0, "none: the energy oscillates by (omega dt)^2/4, without drift")


class RungeKutta4(Method):
    """Four stages at t, t + dt/2 (twice) and t + dt, weighted 1, 2, 2, 1 (Kutta 1901; de Looij 2015, (3.4)).

    Its accelerations are k1 to k4, and k5 at the end, which the next step begins with. The weights 1, 2, 2,
    0, 1 of k1 to k5 give a solution of order 3, at the distance dt/6 (k4 - k5); up to that factor it is the
    only one. Of the conditions of order 4 it misses two: sum b_i a_ij c_j^2 is 7/72 instead of 1/12, and
    sum b_i a_ij a_jk c_k is 1/36 instead of 1/24. The other two it meets: the velocities of both solutions
    take the integral of a load over time alike, right or wrong. The velocity of the last stage does not; it
    is of order 2.
    """

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
