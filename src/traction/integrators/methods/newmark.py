"""Newmark's method (Newmark 1959)."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.errors import InputError
from traction.integrators.methods.alpha_family import AlphaMethod, Weights


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
        import numpy as np

        b, g = self.beta, self.gamma
        if b == 0.0:
            return float("inf")
        return float(np.abs(np.roots([b, 0.5 + g - 2.0 * b, 0.5 - g + b])).max())
