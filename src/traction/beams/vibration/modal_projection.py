"""Shares of the natural modes in a given shape, by Gauss's rule on parts that resolve both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.beams.beam_description import BeamDescription
from traction.beams.exact.modes import Modes
from traction.beams.vibration.given_shape import GivenShape

GAUSS = 16  #: points on each part
EXACT = 1e-12  #: change of the shares, of the norm of the shape, after which parts are no longer halved
MAX_HALVINGS = 6


@dataclass(frozen=True)
class Projection:
    """What modes have of a shape."""

    coefficients: np.ndarray  #: integral of m u w_i + rho I u' psi_i, sqrt(kg) m for deflections
    captured: float  #: share of the integral of m u^2 + rho I u'^2 that the modes hold; 1 is all of it
    error: float  #: of the coefficients by quadrature, relative to their norm


def project_shape(shape: GivenShape | None, beam: BeamDescription, modes: Modes) -> Projection:
    """Shares of the modes in a shape; parts are halved until they no longer change."""
    if shape is None:
        return Projection(np.zeros(len(modes)), 1.0, 0.0)
    # the parts of the last mode are short against its waves
    breaks = np.unique(np.concatenate((modes.shapes[-1].parts, shape.breaks, beam.ends)))
    a, norm = _integrals(shape, beam, modes, breaks)
    error = np.inf
    for _ in range(MAX_HALVINGS):
        breaks = np.sort(np.concatenate((breaks, 0.5 * (breaks[1:] + breaks[:-1]))))
        before = a
        a, norm = _integrals(shape, beam, modes, breaks)
        error = float(np.abs(a - before).max() / np.sqrt(norm)) if norm else 0.0
        if error <= EXACT:
            break
    return Projection(a, float(a @ a / norm) if norm else 1.0, error)


def _integrals(
    shape: GivenShape, beam: BeamDescription, modes: Modes, breaks: np.ndarray
) -> tuple[np.ndarray, float]:
    """Integrals with each mode, and of the shape with itself."""
    points, weights = np.polynomial.legendre.leggauss(GAUSS)
    half = 0.5 * np.diff(breaks)
    x = (0.5 * (breaks[1:] + breaks[:-1])[:, None] + half[:, None] * points).ravel()
    w = (half[:, None] * weights).ravel()
    which = np.clip(np.searchsorted(beam.ends, x, side="right") - 1, 0, len(beam.segments) - 1)
    mass, rotary = beam.sections[which, 1] * w, beam.sections[which, 3] * w
    u = shape.deflection(x)
    a, norm = modes.deflection(x) @ (mass * u), float(mass @ u**2)
    if rotary.any():
        turned = shape.rotation(x)
        a = a + modes.rotation(x) @ (rotary * turned)
        norm += float(rotary @ turned**2)
    return a, norm
