"""The family of Newmark, HHT and generalized-alpha (Chung, Hulbert 1993).

q1 = q + dt v + dt^2 ((1/2 - beta) x + beta x1), v1 = v + dt ((1 - gamma) x + gamma x1), and the equation of
motion between the ends, the old one weighted by alpha_m and alpha_f:
(1 - alpha_m) x1 + alpha_m x = (1 - alpha_f) a1 + alpha_f a with the net force r = f - C v - K q = M a.
Times M(q1) this is what is solved (Arnold, Bruls 2007); with a constant M it is the usual form. The
method's accelerations x are those of the equation of motion, a, when alpha_m = alpha_f = 0; otherwise they
are those of another time, by a part of the step: x - a is in proportion to the step that made it, and where
the step changes it is scaled (`lagging`), or the change would look like a kick.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from traction.integrators.core.matrices import Matrix, Solve, combination
from traction.integrators.core.method import ImplicitMethod, Kernel
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State
from traction.integrators.core.step_equations import Equations, solved

SAME_STEP = 1e-9  #: relative difference of two steps that is rounding of their times
MOST_STRETCHED = (
    10.0  #: the most that a controlled step grows, a whole one after a half; beyond it x says little
)


@dataclass(frozen=True)
class Weights:
    """Parameters of the family."""

    beta: float
    gamma: float
    alpha_m: float = 0.0
    alpha_f: float = 0.0


def lagging(state: State, dt: float) -> np.ndarray:
    """The method's accelerations x of a state as a step dt would have made them."""
    ratio = dt / state.made if state.made > 0.0 else 1.0
    if abs(ratio - 1.0) <= SAME_STEP or not state.x.size:
        return state.x
    return np.asarray(state.a + (state.x - state.a) * min(ratio, MOST_STRETCHED))


class AlphaMethod(ImplicitMethod):
    """A member of the family."""

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """Its parameters."""

    @property
    def order(self) -> int:
        """2 if gamma = 1/2 - alpha_m + alpha_f, else 1."""
        w = self.weights
        return 2 if abs(w.gamma - 0.5 + w.alpha_m - w.alpha_f) <= 1e-12 else 1

    @property
    def stability_limit(self) -> float:
        """Infinite for alpha_m <= alpha_f <= 1/2 and 2 beta >= 1/2 + alpha_f - alpha_m; of Newmark in general
        1/sqrt(gamma/2 - beta) for gamma >= 1/2, else 0.
        """
        w = self.weights
        effective = w.gamma + w.alpha_m - w.alpha_f
        if effective < 0.5 - 1e-12:
            return 0.0
        if w.alpha_m == w.alpha_f == 0.0:
            excess = 0.5 * w.gamma - w.beta
            return math.inf if excess <= 1e-15 else 1.0 / math.sqrt(excess)
        stable = w.alpha_m <= w.alpha_f <= 0.5 and w.beta >= 0.25 + 0.5 * (w.alpha_f - w.alpha_m) - 1e-12
        return math.inf if stable else 0.0

    @property
    def kernel(self) -> Kernel:
        """March of the family."""
        w = self.weights
        return Kernel("alpha", np.array([w.beta, w.gamma, w.alpha_m, w.alpha_f]))

    def begin(self, motion: Motion, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """The first state; the method's accelerations begin with those of the equation of motion."""
        state = super().begin(motion, t, q, v)
        return state.but(x=state.a)

    def resume(self, state: State) -> State:
        """After another method its own accelerations begin with those of the equation of motion."""
        return state if state.x.size else state.but(x=state.a)

    def settled(self, state: State) -> State:
        """A state from which on the acceleration is constant.

        There x - a changes by the factor -alpha_m/(1 - alpha_m) in each step, and what all steps to come add
        to v is a geometric series, (1 - gamma - alpha_m) dt (x - a). What they add to q is one order less.
        """
        if not state.x.size:
            return state
        w = self.weights
        more = (1.0 - w.gamma - w.alpha_m) * state.made * (state.x - state.a)
        return state.but(v=state.v + more, x=state.a)

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        state = state.but(x=lagging(state, dt))
        step = _Step(motion, state, dt, self.weights)
        equations = Equations(
            step.residual,
            step.newton,
            step.picard,
            state.t + dt,
            motion.inertia_scale(state),
            step.linear if motion.system.jacobian is None and motion.n > 1 else None,
        )
        x1 = solved(equations, state.x, self.equations, motion.counts)
        q1, v1 = step.end(x1)
        # the force at the end is known from the last residual; dividing by the mass gives its acceleration
        return state.but(t=state.t + dt, q=q1, v=v1, a=step.acceleration(x1, q1, v1), x=x1, made=dt)


class _Step:
    """The equations of one step for the accelerations x1."""

    def __init__(self, motion: Motion, state: State, dt: float, weights: Weights) -> None:
        self.motion, self.state, self.dt, self.w = motion, state, dt, weights
        w, x = weights, state.x
        self.q = state.q + dt * state.v + (0.5 - w.beta) * dt * dt * x
        self.v = state.v + (1.0 - w.gamma) * dt * x
        self.weighted = w.alpha_m * x - w.alpha_f * state.a
        # of a mass that depends on q, that of the end is taken: accelerations are weighted, not forces
        self.old = np.zeros(motion.n) if callable(motion.system.mass) else self.old_inertia(state.q)
        self.known: tuple[np.ndarray, np.ndarray] | None = None  # x1 and its net force

    def end(self, x1: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities at the end."""
        dt, w = self.dt, self.w
        return self.q + w.beta * dt * dt * x1, self.v + w.gamma * dt * x1

    def old_inertia(self, q: np.ndarray) -> np.ndarray:
        """M (alpha_m x - alpha_f a) of the old state with the mass at q."""
        w = self.w
        return self.motion.inertia(q, self.weighted) if w.alpha_m or w.alpha_f else np.zeros(self.motion.n)

    def residual(self, x1: np.ndarray) -> tuple[np.ndarray, float]:
        """M ((1 - alpha_m) x1 + alpha_m x - alpha_f a) - (1 - alpha_f) r1, and the size of the forces."""
        q1, v1 = self.end(x1)
        force = self.motion.net_force(self.state.t + self.dt, q1, v1)
        inertia = self.motion.inertia(q1, x1)
        self.known = x1, force
        w, old = self.w, self.old
        if callable(self.motion.system.mass):
            old = self.old_inertia(q1)
        size = max(float(np.abs(inertia).max()), float(np.abs(force).max()), float(np.abs(old).max()))
        return (1.0 - w.alpha_m) * inertia - (1.0 - w.alpha_f) * force + old, size

    def newton(self, x1: np.ndarray) -> Solve:
        """Solve with the Jacobian at x1."""
        motion = self.motion
        if motion.system.is_linear:
            return self.linear()
        q1, v1 = self.end(x1)
        stiffness, damping = motion.tangents(self.state.t + self.dt, q1, v1, x1, self.dt)
        return motion.factored(self.matrix(motion.mass(q1), stiffness, damping))

    def linear(self) -> Solve:
        """Solve with the constant matrices, factored once per step length."""
        return self.motion.linear_factor(("alpha", self.dt), self.state.q, self.matrix)

    def matrix(self, mass: Matrix, stiffness: Matrix | None, damping: Matrix | None) -> Matrix:
        """(1 - alpha_m) M + (1 - alpha_f) (gamma dt C + beta dt^2 K)."""
        dt, w = self.dt, self.w
        share = 1.0 - w.alpha_f
        return combination(
            (1.0 - w.alpha_m, mass), (share * w.gamma * dt, damping), (share * w.beta * dt * dt, stiffness)
        )

    def picard(self) -> Solve:
        """Divide by the mass alone."""
        motion, q, share = self.motion, self.state.q, 1.0 - self.w.alpha_m
        return lambda r: motion.divided_by_mass(q, r) / share

    def acceleration(self, x1: np.ndarray, q1: np.ndarray, v1: np.ndarray) -> np.ndarray:
        """Acceleration by the equation of motion at the end."""
        if self.known is not None and self.known[0] is x1:
            return self.motion.divided_by_mass(q1, self.known[1])
        return self.motion.acceleration(self.state.t + self.dt, q1, v1)
