"""Runge-Kutta methods on second-order systems (Hairer, Norsett, Wanner, Solving ODEs I, II.1 and II, IV.5).

With the stage accelerations A_j as unknowns, the stages have V_i = v + dt sum a_ij A_j and
Q_i = q + c_i dt v + dt^2 sum (a a)_ij A_j, and M(Q_i) A_i = f - C V_i - K Q_i at the time t + c_i dt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from traction.integrators.core.matrices import Matrix, Solve, blocks, combination
from traction.integrators.core.method import ImplicitMethod, Kernel, Method
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State
from traction.integrators.core.step_equations import Equations, solved


@dataclass(frozen=True, eq=False)
class Tableau:
    """Butcher's coefficients."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray

    @classmethod
    def of(cls, a: list[list[float]], b: list[float]) -> Tableau:
        """A tableau; the stage times are the sums of the rows."""
        return cls(np.array(a), np.array(b), np.array(a).sum(axis=1))

    @cached_property
    def aa(self) -> np.ndarray:
        """Weights of the accelerations in the coordinates of the stages."""
        return np.asarray(self.a @ self.a)

    @cached_property
    def ba(self) -> np.ndarray:
        """Weights of the accelerations in the coordinates at the end."""
        return np.asarray(self.b @ self.a)

    @cached_property
    def stiffly_accurate(self) -> bool:
        """Whether the last stage is the end of the step."""
        return bool(np.allclose(self.a[-1], self.b, rtol=0.0, atol=1e-15))

    @cached_property
    def flat(self) -> np.ndarray:
        """All coefficients for a kernel: the number of stages, a, b, c, aa, ba, whether stiffly accurate."""
        parts = (self.a.ravel(), self.b, self.c, self.aa.ravel(), self.ba)
        return np.concatenate(([len(self.b)], *parts, [float(self.stiffly_accurate)]))


@dataclass(frozen=True)
class ExplicitRungeKutta(Method):
    """Stages one after the other; the first is the acceleration at the start, which the state holds."""

    tableau: ClassVar[Tableau]

    @property
    def kernel(self) -> Kernel:
        """Explicit Runge-Kutta march, written out for each tableau."""
        return Kernel(self.name, np.zeros(1))

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        return self.staged_step(motion, state, dt)[0]

    def staged_step(self, motion: Motion, state: State, dt: float) -> tuple[State, list[np.ndarray]]:
        """The state after one step, and the accelerations of its stages."""
        t, q, v, table = state.t, state.q, state.v, self.tableau
        stages = [state.a]
        for i in range(1, len(table.b)):
            velocity = v + dt * _weighted(table.a[i], stages)
            position = q + table.c[i] * dt * v + dt * dt * _weighted(table.aa[i], stages)
            stages.append(motion.acceleration(t + table.c[i] * dt, position, velocity))
        q1 = q + dt * v + dt * dt * _weighted(table.ba, stages)
        v1 = v + dt * _weighted(table.b, stages)
        return state.but(t=t + dt, q=q1, v=v1, a=motion.acceleration(t + dt, q1, v1)), stages


@dataclass(frozen=True)
class ImplicitRungeKutta(ImplicitMethod):
    """All stages at once; the unknowns are the stage accelerations, one after the other."""

    tableau: ClassVar[Tableau]

    @property
    def kernel(self) -> Kernel:
        """Implicit Runge-Kutta march."""
        return Kernel(f"implicit-runge-kutta-{len(self.tableau.b)}", self.tableau.flat)

    @property
    def high_frequency_radius(self) -> float:
        """Zero: oscillations that the step does not resolve die at once."""
        return 0.0

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        table, n = self.tableau, motion.n
        stages = _Stages(motion, state, dt, table)
        equations = Equations(
            stages.residual,
            stages.newton,
            stages.picard,
            state.t + dt,
            motion.inertia_scale(state),
            stages.linear if motion.system.jacobian is None and n > 1 else None,
        )
        unknown = solved(equations, np.tile(state.a, len(table.b)), self.equations, motion.counts)
        A = unknown.reshape(-1, n)
        q1 = state.q + dt * state.v + dt * dt * (table.ba @ A)
        v1 = state.v + dt * (table.b @ A)
        a1 = A[-1].copy() if table.stiffly_accurate else motion.acceleration(state.t + dt, q1, v1)
        return state.but(t=state.t + dt, q=q1, v=v1, a=a1)


@dataclass(frozen=True)
class _Stages:
    """The equations of all stages of one step."""

    motion: Motion
    state: State
    dt: float
    table: Tableau

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Times, coordinates, velocities and accelerations of the stages."""
        state, dt, table = self.state, self.dt, self.table
        A = x.reshape(-1, self.motion.n)
        V = state.v + dt * (table.a @ A)
        Q = state.q + dt * np.outer(table.c, state.v) + dt * dt * (table.aa @ A)
        return state.t + table.c * dt, Q, V, A

    def residual(self, x: np.ndarray) -> tuple[np.ndarray, float]:
        """M A_i - (f - C V_i - K Q_i), and the size of the forces."""
        parts, size = [], 0.0
        for t, q, v, a in zip(*self.at(x), strict=True):
            inertia, force = self.motion.inertia(q, a), self.motion.net_force(t, q, v)
            size = max(size, float(np.abs(inertia).max()), float(np.abs(force).max()))
            parts.append(inertia - force)
        return np.concatenate(parts), size

    def newton(self, x: np.ndarray) -> Solve:
        """Solve with the Jacobian of all stages."""
        motion, system = self.motion, self.motion.system
        if system.is_linear:
            return self.linear()
        rows = []
        for i, (t, q, v, a) in enumerate(zip(*self.at(x), strict=True)):
            rows.append(self.row(i, motion.mass(q), *motion.tangents(t, q, v, a, self.dt)))
        return motion.factored(blocks(rows, motion.n))

    def linear(self) -> Solve:
        """Solve with the constant matrices, factored once per step length."""
        system, state = self.motion.system, self.state

        def assembled() -> Matrix:
            mass = self.motion.mass(state.q)
            rows = range(len(self.table.b))
            K, C = system.stiffness_matrix, system.damping_matrix
            return blocks([self.row(i, mass, K, C) for i in rows], self.motion.n)

        if callable(system.mass):
            return self.motion.factored(assembled())
        return self.motion.kept_factor(("stages", self.dt), assembled)

    def row(self, i: int, mass: Matrix, stiffness: Matrix | None, damping: Matrix | None) -> list[Matrix]:
        """Blocks delta_ij M + dt a_ij C + dt^2 (aa)_ij K of stage i."""
        dt, table = self.dt, self.table
        return [
            combination(
                (float(i == j), mass),
                (dt * float(table.a[i, j]), damping),
                (dt * dt * float(table.aa[i, j]), stiffness),
            )
            for j in range(len(table.b))
        ]

    def picard(self) -> Solve:
        """Divide each stage by the mass at the start."""
        motion, q = self.motion, self.state.q

        def divide(r: np.ndarray) -> np.ndarray:
            return np.concatenate([motion.divided_by_mass(q, part) for part in r.reshape(-1, motion.n)])

        return divide


def _weighted(weights: np.ndarray, stages: list[np.ndarray]) -> np.ndarray:
    total = np.zeros_like(stages[0])
    for weight, stage in zip(weights, stages, strict=False):
        if weight != 0.0:
            total = total + weight * stage
    return total
