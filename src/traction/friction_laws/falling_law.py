"""`FallingLaw`: friction that falls with the slip speed by two terms, linear, rational or exponential."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw, check_law
from traction.friction_laws.kernels import coefficients as kernels
from traction.friction_laws.kernels.coefficients import CompiledFriction

FORMS = {"linear": kernels.LINEAR, "rational": kernels.RATIONAL, "exponential": kernels.EXPONENTIAL}
NO_TABLE = np.zeros((0, 2))
NO_TERM = (0.0, 1.0)

Term = tuple[float, float]  #: (m, h): what falls, and the slip speed (m/s) at which half of it has fallen


@dataclass(frozen=True)
class FallingLaw(FrictionLaw):
    """Friction of two terms beside the kinetic coefficient; made by `tr.friction.linear` and the others.

    The largest coefficient is that at rest, unless a term is negative.
    """

    form: str  #: "linear", "rational" or "exponential"
    kinetic_coefficient: float
    first: Term
    second: Term = NO_TERM

    def __post_init__(self) -> None:
        checks.choice("form", self.form, tuple(FORMS))
        checks.keep(
            self,
            kinetic_coefficient=checks.not_negative("kinetic", self.kinetic_coefficient),
            first=_check_term("first", self.first),
            second=_check_term("second", self.second),
        )
        check_law(self)

    def evaluate(self, slip_speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and their derivatives (s/m) at clean slip speeds, m/s."""
        mu, slope = np.empty(slip_speed.shape), np.empty(slip_speed.shape)
        speeds = np.ascontiguousarray(slip_speed, dtype=float)
        kernels.fill_coefficients(self.compiled(), speeds.reshape(-1), mu.reshape(-1), slope.reshape(-1))
        return mu, slope

    @property
    def kinetic(self) -> float:
        """Coefficient at high slip speed, which the terms leave."""
        return self.kinetic_coefficient

    @property
    def is_constant(self) -> bool:
        """Whether there is nothing that falls."""
        return self.first[0] == self.second[0] == 0.0

    @property
    def static(self) -> float:
        """Coefficient at rest, with all terms."""
        return self.kinetic_coefficient + self.first[0] + self.second[0]

    @property
    def largest(self) -> float:
        """Largest coefficient at any slip speed: that at rest, unless a term is negative."""
        if min(self.first[0], self.second[0]) >= 0.0:
            return self.static
        return super().largest

    def compiled(self) -> CompiledFriction:
        """Return the law as kernels take it."""
        return CompiledFriction(
            FORMS[self.form], self.kinetic_coefficient, *self.first, *self.second, NO_TABLE
        )


def _check_term(name: str, term: object) -> Term:
    """A term (m, h); one that is zero needs no speed."""
    size, speed = checks.pair(name, term, "two numbers (m, h): what falls, and a slip speed in m/s")
    m = checks.finite(f"m of {name}", size)
    if m == 0.0 and speed is None:
        return NO_TERM
    if m > 0.0 and checks.finite(f"h of {name}", speed, "m/s") == 0.0:
        raise InputError(
            f"h of {name} = 0 m/s: a static coefficient above the kinetic one jumps where slip begins, here "
            f"by {m:.4g}, and quasi-static solutions are not unique. Give a slip speed h at which half of it "
            "has fallen, such as 0.1 m/s, and memory=(distance, speed), to let it fall over a slip distance."
        )
    return m, checks.positive(f"h of {name}", speed, "m/s", "at it half of the term has fallen.")
