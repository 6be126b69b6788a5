"""Symplectic Euler: the new velocity moves the coordinates (de Vogelaere 1956)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from traction.integrators.core.method import Kernel, Method
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State


@dataclass(frozen=True)
class SymplecticEuler(Method):
    """v1 = v + dt a(t, q, v), q1 = q + dt v1."""

    name: ClassVar[str] = "symplectic-euler"
    summary: ClassVar[str] = "explicit, one force per step (de Vogelaere 1956)"

    @property
    def order(self) -> int:
        """1."""
        return 1

    @property
    def stability_limit(self) -> float:
        """2."""
        return 2.0

    @property
    def damping(self) -> str:
        """None on average."""
        return "none on average: the energy swings by omega dt/2 of itself"

    @property
    def kernel(self) -> Kernel:
        """Symplectic march."""
        return Kernel("symplectic-euler", np.zeros(1))

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        v1 = state.v + dt * state.a
        q1 = state.q + dt * v1
        return state.but(t=state.t + dt, q=q1, v=v1, a=motion.acceleration(state.t + dt, q1, v1))
