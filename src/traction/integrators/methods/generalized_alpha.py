"""The generalized-alpha method (Chung, Hulbert 1993): little damping at low frequencies, as asked at high."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.errors import InputError
from traction.integrators.methods.alpha_family import AlphaMethod, Weights

DEFAULT_RADIUS = 0.9


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
