"""Proof of an answer, computed from the answer and not taken from the iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact import normal_kernels as kernels


@dataclass(frozen=True)
class Certificate:
    """How well the pressure satisfies the conditions of contact, from a product of its own."""

    penetration: float  #: largest overlap of the deformed bodies, m
    tension: float  #: largest tensile traction, Pa
    residual: float  #: largest distance under pressure over the largest undeformed overlap
    complementarity: float  #: sum of pressure times distance over force times undeformed overlap
    force_error: (
        float  #: relative difference of the integral of the pressure and the asked force; 0 if none was
    )

    def holds(self, tol: float) -> bool:
        """Whether all conditions are met to `tol`, with a little room for rounding."""
        measures = (self.residual, self.complementarity, self.force_error)
        return self.tension == 0.0 and all(measure <= 1.01 * tol + 1e-13 for measure in measures)


def certify(
    gap: np.ndarray, displacement: np.ndarray, pressure: np.ndarray, approach: float, asked: float | None
) -> Certificate:
    """Certificate of a pressure whose displacement is given; `asked` is the sum of pressure wanted."""
    penetration, residual, work, least, overlap, total = kernels.certify(
        gap, displacement, pressure, approach
    )
    scale = overlap if overlap > 0.0 else 1.0
    return Certificate(
        penetration=penetration,
        tension=0.0 - least,
        residual=max(residual, penetration) / scale,
        complementarity=work / (scale * total) if total > 0.0 else 0.0,
        force_error=abs(total - asked) / asked if asked else 0.0,
    )
