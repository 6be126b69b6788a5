"""Proof that tractions and slips obey Coulomb's law, computed from the answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FrictionCertificate:
    """How well the conditions of stick and slip are met; all numbers are relative to the largest bound."""

    bound: float  #: largest traction above its bound
    stick: float  #: largest slip of an element below its bound, as a traction
    direction: float  #: largest angle between slip and minus the traction, as a traction
    force: float  #: error of given forces over mu Fn

    @property
    def largest(self) -> float:
        """The worst of them; NaN if one is."""
        return float(np.max((self.bound, self.stick, self.direction, self.force)))

    def holds(self, tol: float) -> bool:
        """Whether all conditions are met to `tol`, with a little room for rounding."""
        return bool(self.largest <= 1.01 * tol + 1e-13)

    def __str__(self) -> str:
        return (
            f"relative errors: bound {self.bound:.1e}, slip in stick {self.stick:.1e}, "
            f"direction {self.direction:.1e}, force {self.force:.1e}"
        )


def certify_friction(
    traction: np.ndarray, slip: np.ndarray, bound: np.ndarray, rho: np.ndarray, force_error: float
) -> FrictionCertificate:
    """Certificate of tractions (Pa), slips (m) and bounds.

    A slip counts as the traction rho * slip that the iteration would add, and its direction as no more than
    the bound: a wrong angle turns a traction, it does not raise it.
    """
    largest = float(bound.max()) or 1.0
    contact = bound > 0.0
    size, moved = np.hypot(*traction), np.where(contact, rho * np.hypot(*slip), 0.0)
    over = np.where(contact, size - bound, size)
    below = np.where(contact, np.maximum(0.0, bound - size), 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        along = np.where(size > 0.0, traction / size, 0.0)
    across = np.abs(slip[0] * along[1] - slip[1] * along[0])
    forward = np.maximum(0.0, slip[0] * along[0] + slip[1] * along[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.minimum(rho, bound / np.hypot(*slip))
    wrong = np.where(contact, np.where(moved > 0.0, weight, 0.0) * np.hypot(across, forward), 0.0)
    return FrictionCertificate(
        bound=max(0.0, float(over.max()) / largest),
        stick=float(np.minimum(below, moved).max()) / largest,
        direction=float(wrong.max()) / largest,
        force=force_error,
    )
