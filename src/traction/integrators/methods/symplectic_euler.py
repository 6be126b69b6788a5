"""Symplectic Euler: the new velocity moves the coordinates (de Vogelaere 1956)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from traction.integrators.core.method import Behaviour, MakeStep, Method
from traction.integrators.methods.kernels.explicit_steps import make_symplectic_euler_step


@dataclass(frozen=True)
class SymplecticEuler(Method):
    """v1 = v + dt a(t, q, v), q1 = q + dt v1."""

    name: ClassVar[str] = "symplectic-euler"
    summary: ClassVar[str] = "explicit, one force per step (de Vogelaere 1956)"

    make_step: ClassVar[MakeStep] = staticmethod(make_symplectic_euler_step)
    behaviour: ClassVar[Behaviour] = Behaviour(1, 2.0, "none on average: the energy oscillates by omega dt/2")
