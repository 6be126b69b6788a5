"""Velocity Verlet (Verlet 1967; Swope et al. 1982): the central difference method with velocities.

q1 = q + dt v + dt^2/2 a, v1 = v + dt/2 (a + a1). With damping the end acceleration solves
(M + dt/2 C) a1 = f(t1, q1, v + dt a) - K q1 - C (v + dt/2 a), which keeps the second order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from traction.integrators.core.matrices import combination, product
from traction.integrators.core.method import Kernel, Method
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State


@dataclass(frozen=True)
class Verlet(Method):
    """The second difference of q over dt^2 is the acceleration at the present time, not at an earlier one."""

    name: ClassVar[str] = "verlet"
    summary: ClassVar[str] = "explicit, one force per step, symplectic (Verlet 1967)"

    @property
    def order(self) -> int:
        """2."""
        return 2

    @property
    def stability_limit(self) -> float:
        """2."""
        return 2.0

    @property
    def damping(self) -> str:
        """None."""
        return "none: the energy swings by (omega dt)^2/4 of itself and returns"

    @property
    def kernel(self) -> Kernel:
        """Verlet march."""
        return Kernel("verlet", np.zeros(1))

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        system, t1 = motion.system, state.t + dt
        C, K = system.damping_matrix, system.stiffness_matrix
        half = state.v + 0.5 * dt * state.a
        q1 = state.q + dt * half
        force = motion.force(t1, q1, half + 0.5 * dt * state.a)
        if K is not None:
            force = force - product(K, q1)
        if C is None:
            a1 = motion.divided_by_mass(q1, force)
        elif callable(system.mass):
            a1 = motion.factored(combination((1.0, motion.mass(q1)), (0.5 * dt, C)))(force - product(C, half))
        else:
            matrix = lambda: combination((1.0, system.mass_matrix), (0.5 * dt, C))  # noqa: E731
            a1 = motion.kept_factor(("verlet", dt), matrix)(force - product(C, half))
        return state.but(t=t1, q=q1, v=half + 0.5 * dt * a1, a=a1)
