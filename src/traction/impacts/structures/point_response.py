"""What a striker feels of a structure: its modes at the struck point, and what they leave out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError


@dataclass(frozen=True, eq=False)
class PointResponse:
    """Deflection of the struck point under the force f there: w = sum phi_i q_i + r f + Y (impulse of f).

    Each mode moves by q'' + c q' + omega^2 q = phi f.
    """

    frequencies: np.ndarray  #: omega, rad/s; zero for a mode without stiffness
    rates: np.ndarray  #: c, 1/s
    shapes: np.ndarray  #: phi at the struck point, 1/sqrt(kg)
    residual_flexibility: float = 0.0  #: r of the modes left out, m/N
    mobility: float = 0.0  #: Y, m/(N s): of waves that run away in an unbounded plate

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.not_negative, residual_flexibility="m/N", mobility="m/(N s)")
        for name in ("frequencies", "rates", "shapes"):
            values = checks.finite_array(name, getattr(self, name))
            if values.shape != np.shape(self.frequencies) or values.ndim != 1:
                raise InputError(f"{name} has shape {values.shape}: give one number for each mode.")
            if name != "shapes" and (values < 0.0).any():
                raise InputError(f"{name} has the negative value {values.min():g}; it must be at least 0.")
            checks.keep(self, **{name: values})

    def __len__(self) -> int:
        return int(self.frequencies.size)

    @property
    def table(self) -> np.ndarray:
        """Rows (omega, c, phi), as the kernels take them."""
        return np.ascontiguousarray(np.stack((self.frequencies, self.rates, self.shapes), axis=1))

    @property
    def flexibility(self) -> float:
        """Static deflection under 1 N of the modes with stiffness and of those left out, m/N."""
        held = self.frequencies > 0.0
        return float((self.shapes[held] ** 2 / self.frequencies[held] ** 2).sum()) + self.residual_flexibility

    def impulse_answer(self, t: np.ndarray) -> np.ndarray:
        """Green's function: deflection (m) at times t (s) after an impulse of 1 N s, without r."""
        from traction.beams.kernels.oscillator import respond

        out = np.empty(6)
        answers = np.full(np.shape(t), self.mobility)
        for k, time in enumerate(np.ravel(t)):
            for omega, rate, shape in self.table:
                respond(omega, rate, float(time), out)
                answers.ravel()[k] += shape**2 * out[1]
        return answers
