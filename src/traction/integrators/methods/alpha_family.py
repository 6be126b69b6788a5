"""The family of Newmark, HHT and generalized-alpha (Chung, Hulbert 1993), and backward Euler beside it.

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
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.integrators.core.method import Behaviour, ImplicitMethod, Vectors
from traction.integrators.core.state import State
from traction.integrators.methods.kernels.alpha_steps import make_alpha_step, make_backward_euler_step

SAME_STEP = 1e-9  #: relative difference of two steps that is rounding of their times
#: the most that a controlled step grows, a whole one after a half; beyond it x says little
MOST_STRETCHED = 10.0
DEFAULT_RADIUS = 0.9


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


@dataclass(frozen=True)
class Newmark(AlphaMethod):
    """beta = 1/4, gamma = 1/2 averages the acceleration over the step; beta = 1/6 takes it linear."""

    name = "newmark"
    summary = "implicit, options beta and gamma (Newmark 1959)"

    beta: float = 0.25
    gamma: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        for symbol in ("beta", "gamma"):
            value = checks.finite(symbol, getattr(self, symbol))
            if not 0.0 <= value <= 1.0:
                raise InputError(f"{symbol} = {value} must lie in [0, 1]; usual are beta 1/4, gamma 1/2.")

    @property
    def weights(self) -> Weights:
        """Beta and gamma."""
        return Weights(self.beta, self.gamma)

    @property
    def damping(self) -> str:
        """By gamma."""
        if self.gamma == 0.5:
            return "none: the energy oscillates without drift"
        return "positive, of first order in omega dt" if self.gamma > 0.5 else "negative: amplitudes grow"

    @property
    def high_frequency_radius(self) -> float:
        """Larger root of beta z^2 + (1/2 + gamma - 2 beta) z + (1/2 - gamma + beta) = 0."""
        b, g = self.beta, self.gamma
        if b == 0.0:
            return float("inf")
        return float(np.abs(np.roots([b, 0.5 + g - 2.0 * b, 0.5 - g + b])).max())


@dataclass(frozen=True)
class HHT(AlphaMethod):
    """0 <= alpha <= 1/3, gamma = (1 + 2 alpha)/2, beta = (1 + alpha)^2/4; alpha = 0 is Newmark's method."""

    name = "hht"
    summary = "implicit, option alpha (Hilber, Hughes, Taylor 1977)"

    alpha: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        value = checks.finite("alpha", self.alpha)
        if not 0.0 <= value <= 1.0 / 3.0:
            raise InputError(f"alpha = {value} must lie in [0, 1/3], where the method is stable.")

    @property
    def weights(self) -> Weights:
        """The force of the old state is weighted by alpha."""
        alpha = self.alpha
        return Weights((1.0 + alpha) ** 2 / 4.0, 0.5 + alpha, 0.0, alpha)

    @property
    def high_frequency_radius(self) -> float:
        """(1 - alpha)/(1 + alpha)."""
        return (1.0 - self.alpha) / (1.0 + self.alpha)


@dataclass(frozen=True)
class GeneralizedAlpha(AlphaMethod):
    """By the spectral radius at infinite frequency, alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1);
    or by alpha_m and alpha_f, the weights of the old state. gamma = 1/2 - alpha_m + alpha_f and
    beta = (1 - alpha_m + alpha_f)^2/4.
    """

    name = "generalized-alpha"
    summary = "implicit, options spectral_radius, or alpha_m and alpha_f (Chung, Hulbert 1993)"

    spectral_radius: float | None = None  #: 1 damps nothing, 0 everything that is not resolved; default 0.9
    alpha_m: float | None = None
    alpha_f: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.alpha_m is None) != (self.alpha_f is None):
            raise InputError("give both alpha_m and alpha_f, or spectral_radius.")
        if self.alpha_m is None:
            radius = DEFAULT_RADIUS if self.spectral_radius is None else self.spectral_radius
            radius = checks.finite("spectral_radius", radius)
            if not 0.0 <= radius <= 1.0:
                raise InputError(f"spectral_radius = {radius} must lie in [0, 1]; 0.8 to 0.95 is usual.")
            checks.keep(self, spectral_radius=radius)
            return
        if self.spectral_radius is not None:
            raise InputError("give spectral_radius, or alpha_m and alpha_f, not both.")
        m, f = checks.finite("alpha_m", self.alpha_m), checks.finite("alpha_f", self.alpha_f)
        if not m <= f <= 0.5:
            raise InputError(f"alpha_m = {m} and alpha_f = {f} must satisfy alpha_m <= alpha_f <= 1/2.")

    @property
    def weights(self) -> Weights:
        """All four parameters."""
        m, f = self.alpha_m, self.alpha_f
        if m is None or f is None:
            radius = self.spectral_radius if self.spectral_radius is not None else DEFAULT_RADIUS
            m, f = (2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0)
        return Weights((1.0 - m + f) ** 2 / 4.0, 0.5 - m + f, m, f)

    @property
    def high_frequency_radius(self) -> float:
        """The larger of alpha_f/(1 - alpha_f) and the double root (1 - f)/(1 + f), f = alpha_f - alpha_m."""
        w = self.weights
        double = abs((w.alpha_f - w.alpha_m - 1.0) / (w.alpha_f - w.alpha_m + 1.0))
        return max(abs(w.alpha_f / (1.0 - w.alpha_f)), double)


class EulerBackward(ImplicitMethod):
    """q1 = q + dt v1, v1 = v + dt a(t1, q1, v1)."""

    name = "euler-backward"
    summary = "implicit, L-stable (Cauchy 1824; Curtiss, Hirschfelder 1952)"
    make_step = staticmethod(make_backward_euler_step)
    behaviour = Behaviour(
        1, math.inf, "strong: amplitudes shrink by (omega dt)^2/2 per step", high_frequency_radius=0.0
    )

    @property
    def coefficients(self) -> Weights:
        """The accelerations at the end count wholly."""
        return Weights(1.0, 1.0)
