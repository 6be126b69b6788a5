"""The family of Newmark, HHT and generalized-alpha (Chung, Hulbert 1993).

q1 = q + dt v + dt^2 ((1/2 - beta) x + beta x1), v1 = v + dt ((1 - gamma) x + gamma x1), and the equation of
motion between the ends, the old one weighted by alpha_m and alpha_f:
(1 - alpha_m) x1 + alpha_m x = (1 - alpha_f) a1 + alpha_f a with the net force r = f - C v - K q = M a.
Multiplied by M(q1) this is solved (Arnold, Bruls 2007); with a constant M it is the usual form. The
method's accelerations x are those of the equation of motion, a, when alpha_m = alpha_f = 0; otherwise they
are those of another time, by a part of the step: x - a is in proportion to the step that made it, and where
the step changes it is scaled (`lagging`), or the change would look like a kick.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from traction.integrators.core.method import ImplicitMethod, Vectors
from traction.integrators.core.state import State
from traction.integrators.methods.kernels.alpha_steps import make_alpha_step

SAME_STEP = 1e-9  #: relative difference of two steps that is rounding of their times
#: the most that a controlled step grows, a whole one after a half; beyond it x says little
MOST_STRETCHED = 10.0


class Weights(NamedTuple):
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

    has_accelerations = True
    make_step = staticmethod(make_alpha_step)

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
    def damping(self) -> str:
        """By the spectral radius."""
        if self.high_frequency_radius == 1.0:
            return "none: the energy oscillates without drift"
        return f"of third order in omega dt; radius {self.high_frequency_radius:.3g} at high frequencies"

    @property
    def coefficients(self) -> Weights:
        """Its parameters."""
        return Weights(*map(float, self.weights))

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

    def vectors(self, state: State, dt: float) -> Vectors:
        """What the formulas of a step dt know of a state."""
        return state.q, state.v, state.a, lagging(state, dt)
