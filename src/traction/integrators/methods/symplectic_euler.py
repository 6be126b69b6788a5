"""Symplectic Euler: the new velocity moves the coordinates (de Vogelaere 1956)."""

from __future__ import annotations

from traction.integrators.core.method import Behaviour, Method
from traction.integrators.methods.kernels.explicit_steps import make_symplectic_euler_step


class SymplecticEuler(Method):
    """v1 = v + dt a(t, q, v), q1 = q + dt v1."""

    name = "symplectic-euler"
    summary = "explicit, one force per step (de Vogelaere 1956)"
    make_step = staticmethod(make_symplectic_euler_step)
    behaviour = Behaviour(1, 2.0, "none on average: the energy oscillates by omega dt/2")
