"""An energy-conserving method: the midpoint rule with a discrete gradient (Gonzalez 1996).

With d = q1 - q = dt (v + v1)/2 the velocities follow M (v1 - v)/dt = F - C d/dt - K (q + q1)/2. The mean
force F is the force in the middle, corrected along d so that F.d = V(q) - V(q1) exactly: then the energy
changes by the damping alone, at every step length, through contact too. Of one degree of freedom
F = -(V(q1) - V(q))/d. A system may bring a mean force of its own. Where no energy is given, F is the mean
of the force along d by Gauss quadrature (average vector field; McLachlan et al. 1999), and the energy is kept
as well as that quadrature is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from traction.integrators.core.matrices import Matrix, Solve, combination, dense, product
from traction.integrators.core.method import ImplicitMethod, Kernel
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State
from traction.integrators.core.step_equations import Equations, solved
from traction.integrators.core.system_energy import Energy

#: Gauss points and weights on [0, 1]
POINTS, WEIGHTS = (
    (np.polynomial.legendre.leggauss(4)[0] + 1.0) / 2.0,
    np.polynomial.legendre.leggauss(4)[1] / 2.0,
)
CANCELLED = 1e-7  #: a difference of energies smaller than this, relative to them, has too few digits left


@dataclass(frozen=True)
class EnergyConserving(ImplicitMethod):
    """Conserves the energy of the discrete solution to the tolerance of the solver."""

    name: ClassVar[str] = "energy-conserving"
    summary: ClassVar[str] = "implicit, discrete gradient; needs energy= to be exact (Gonzalez 1996)"

    @property
    def order(self) -> int:
        """2."""
        return 2

    @property
    def stability_limit(self) -> float:
        """Infinite: the energy is the bound."""
        return math.inf

    @property
    def damping(self) -> str:
        """None."""
        return "none: the energy is conserved exactly"

    @property
    def high_frequency_radius(self) -> float:
        """1."""
        return 1.0

    @property
    def kernel(self) -> Kernel:
        """March with the mean force."""
        return Kernel("energy-conserving", np.concatenate((POINTS, WEIGHTS)))

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        step = _Step(motion, state, dt)
        equations = Equations(
            step.residual,
            step.newton,
            step.picard,
            state.t + dt,
            motion.inertia_scale(state),
            step.linear if motion.system.jacobian is None and motion.n > 1 else None,
        )
        guess = dt * state.v + 0.5 * dt * dt * state.a
        d = solved(equations, guess, self.equations, motion.counts)
        q1, v1, t1 = state.q + d, 2.0 * d / dt - state.v, state.t + dt
        return state.but(t=t1, q=q1, v=v1, a=motion.acceleration(t1, q1, v1))


class _Step:
    """The equations of one step for the displacement d."""

    def __init__(self, motion: Motion, state: State, dt: float) -> None:
        self.motion, self.state, self.dt = motion, state, dt
        self.energy = Energy(motion)
        self.middle = state.t + 0.5 * dt
        system = motion.system
        self.exact = system.energy is not None and system.force is not None
        self.moves = system.force_arguments == 3  # the force may depend on the velocity
        self.before = self.energy.potential(self.middle, state.q) if self.exact else 0.0

    def residual(self, d: np.ndarray) -> tuple[np.ndarray, float]:
        """M (v1 - v)/dt + C d/dt + K (q + d/2) - F, and the size of the forces."""
        state, dt, system = self.state, self.dt, self.motion.system
        halfway = state.q + 0.5 * d
        inertia = self.motion.inertia(halfway, 2.0 * (d / dt - state.v) / dt)
        force = self.mean_force(d)
        rest = np.zeros(self.motion.n)
        if system.damping_matrix is not None:
            rest = rest + product(system.damping_matrix, d / dt)
        if system.stiffness_matrix is not None:
            rest = rest + product(system.stiffness_matrix, halfway)
        size = max(float(np.abs(part).max()) for part in (inertia, force, rest))
        return inertia + rest - force, size

    def mean_force(self, d: np.ndarray) -> np.ndarray:
        """F."""
        if self.motion.system.mean_force is not None:
            self.motion.counts["force_evaluations"] += 1
            return self.given(d)[0]
        if not self.exact:
            return self.path_mean(d)
        motion, state, t = self.motion, self.state, self.middle
        velocity, halfway = d / self.dt, state.q + 0.5 * d
        rest = np.zeros_like(d)
        work = self.work(d)
        if motion.n == 1 and work is not None:
            force = np.array([work / d[0]])
            if not self.moves:
                return force
            return force + motion.force(t, halfway, velocity) - motion.force(t, halfway, rest)
        conservative = motion.force(t, halfway, rest)
        force = motion.force(t, halfway, velocity) if self.moves else conservative
        if work is None:
            return force
        return force + (work - float(conservative @ d)) / float(d @ d) * d

    def given(self, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """F and dF/dd of a system that has its own mean force."""
        system, q = self.motion.system, self.state.q
        assert system.mean_force is not None
        force, slope = system.mean_force(self.middle, q, q + d)
        return np.asarray(force, dtype=float), np.asarray(slope, dtype=float)

    def work(self, d: np.ndarray) -> float | None:
        """V(q) - V(q + d) at the middle time, or None where it is lost in rounding."""
        after = self.energy.potential(self.middle, self.state.q + d)
        work = self.before - after
        return None if abs(work) <= CANCELLED * max(abs(after), abs(self.before)) else work

    def path_mean(self, d: np.ndarray) -> np.ndarray:
        """Mean of the force along d."""
        force = np.zeros_like(d)
        for point, weight in zip(POINTS, WEIGHTS, strict=True):
            force += weight * self.motion.force(self.middle, self.state.q + point * d, d / self.dt)
        return force

    def path_tangents(self, d: np.ndarray, rate: np.ndarray) -> tuple[Matrix, Matrix]:
        """Stiffness and damping of the mean force: a change of d moves each point by its part of it."""
        stiffness: list[tuple[float, Matrix | None]] = []
        damping: list[tuple[float, Matrix | None]] = []
        for point, weight in zip(POINTS.tolist(), WEIGHTS.tolist(), strict=True):
            at = self.state.q + point * d
            k, c = self.motion.tangents(self.middle, at, d / self.dt, rate, self.dt)
            stiffness.append((2.0 * weight * point, k))
            damping.append((weight, c))
        return combination(*stiffness), combination(*damping)

    def newton(self, d: np.ndarray) -> Solve:
        """Solve with the Jacobian at d."""
        motion, state, dt, system = self.motion, self.state, self.dt, self.motion.system
        if system.is_linear:
            return self.linear()
        halfway, velocity = state.q + 0.5 * d, d / dt
        if system.mean_force is not None:
            matrix = self.matrix(motion.mass(halfway), system.stiffness_matrix, system.damping_matrix)
            return motion.factored(dense(matrix, motion.n) - self.given(d)[1])
        rate = 2.0 * (d / dt - state.v) / dt
        slope = self.slope(d) if motion.n == 1 and self.exact else None
        if slope is not None and not self.moves:
            constant = system.stiffness_matrix, system.damping_matrix
            return motion.factored(self.matrix(motion.mass(halfway), *constant) - slope)
        if not self.exact and (motion.n == 1 or system.jacobian is not None):
            return motion.factored(self.matrix(motion.mass(halfway), *self.path_tangents(d, rate)))
        stiffness, damping = motion.tangents(self.middle, halfway, velocity, rate, dt)
        if slope is not None:
            return motion.factored(
                self.matrix(motion.mass(halfway), system.stiffness_matrix, damping) - slope
            )
        matrix = self.matrix(motion.mass(halfway), stiffness, damping)
        return motion.factored(self.corrected(matrix, stiffness, d))

    def slope(self, d: np.ndarray) -> np.ndarray | None:
        """dF/dd = (f(q1) - F)/d of one degree of freedom."""
        work = self.work(d)
        if work is None:
            return None
        force = self.motion.force(self.middle, self.state.q + d, np.zeros_like(d))
        return np.asarray((force - work / d) / d)

    def corrected(self, matrix: Matrix, stiffness: Matrix | None, d: np.ndarray) -> Matrix:
        """Add what the correction along d changes with d; of sparse matrices it is left to the iteration."""
        n = self.motion.n
        work = self.work(d) if self.exact and n > 1 and isinstance(matrix, np.ndarray) else None
        if work is None:
            return matrix
        rest, square = np.zeros_like(d), float(d @ d)
        middle = self.motion.force(self.middle, self.state.q + 0.5 * d, rest)
        end = self.motion.force(self.middle, self.state.q + d, rest)
        K = self.motion.system.stiffness_matrix
        by_q = combination((1.0, K), (-1.0, stiffness))  # of the force alone
        scale = (work - float(middle @ d)) / square
        change = (
            end - middle - 0.5 * product(np.transpose(dense(by_q, n)), d)
        ) / square - 2.0 * scale / square * d
        return dense(matrix, n) - scale * np.eye(n) - np.outer(d, change)

    def linear(self) -> Solve:
        """Solve with the constant matrices, factored once per step length."""
        return self.motion.linear_factor(("mean", self.dt), self.state.q, self.matrix)

    def matrix(self, mass: Matrix, stiffness: Matrix | None, damping: Matrix | None) -> Matrix:
        """2 M/dt^2 + C/dt + K/2."""
        return combination((2.0 / self.dt**2, mass), (1.0 / self.dt, damping), (0.5, stiffness))

    def picard(self) -> Solve:
        """Divide by 2 M/dt^2."""
        motion, q, scale = self.motion, self.state.q, 0.5 * self.dt**2
        return lambda r: scale * motion.divided_by_mass(q, r)
