"""The alpha method of Hilber, Hughes and Taylor (1977): damping of high frequencies at second order."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.errors import InputError
from traction.integrators.methods.alpha_family import AlphaMethod, Weights


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
