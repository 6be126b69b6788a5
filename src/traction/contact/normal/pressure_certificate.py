"""Certificate of a pressure, computed from the solution and not taken from the iteration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.contact.normal.kernels.pressure_fields import measure_violations


@dataclass(frozen=True)
class Certificate:
    """Errors of the contact conditions for a pressure, computed from the solution by a separate product."""

    penetration: float  #: largest overlap of the deformed bodies, m
    tension: float  #: largest tensile traction, Pa
    residual: float  #: largest penetration or distance under pressure, over the largest undeformed overlap
    complementarity: float  #: sum of pressure times distance over force times undeformed overlap
    force_error: float  #: relative error of the prescribed force; 0 if none was prescribed

    def __str__(self) -> str:
        return (
            f"relative errors: distance {self.residual:.1e}, complementarity {self.complementarity:.1e}, "
            f"force {self.force_error:.1e}; penetration {self.penetration:.1e} m, tension {self.tension:g} Pa"
        )

    def holds(self, tol: float) -> bool:
        """Return whether all relative errors are within `tol`, with a little room for rounding."""
        return self.tension == 0.0 and self.largest <= 1.01 * tol + 1e-13

    @property
    def largest(self) -> float:
        """Largest of the relative errors; NaN if one of them is."""
        errors = self.residual, self.complementarity, self.force_error
        return math.nan if math.isnan(sum(errors)) else max(errors)


def certify_pressure(
    fields: tuple[np.ndarray, np.ndarray, np.ndarray],
    approach: float,
    *,
    asked: float | None,
    least_depth: float = 0.0,
) -> Certificate:
    """Certificate of a gap, displacement and pressure; `asked` is the prescribed sum of pressure.

    Distances are relative to the largest undeformed overlap in the contact, at least `least_depth` (m).
    """
    gap, displacement, pressure = fields
    penetration, residual, work, least, overlap, total = measure_violations(
        gap, displacement, pressure, approach
    )
    scale = max(overlap, least_depth) or 1.0
    return Certificate(
        penetration=penetration,
        tension=0.0 - least,
        residual=max(residual, penetration) / scale,
        complementarity=work / (scale * total) if total > 0.0 else 0.0,
        force_error=abs(total - asked) / asked if asked else 0.0,
    )
