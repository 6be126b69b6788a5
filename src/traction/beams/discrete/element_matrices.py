"""Stiffness and consistent mass of beam elements, for the displacements w and l psi at both ends.

Then a stiffness is a few whole multiples of c = EI/(l^3 (1 + phi)), and with c cut to 46 digits motions
without strain need no force to the last digit. In other units rounding acts like springs to the ground of
1e-16 EI/l^3 at every node, and 1000 elements miss the first frequency by 0.1 %.
"""

from __future__ import annotations

import numpy as np

from traction.beams.discrete.kernels import element_shapes as kernels
from traction.beams.discrete.kernels.banded_matrices import WIDTH

DIGITS = 46  #: of c, so that its multiples up to 24 are exact in 53
#: of Gauss's rule with 4 points on (0, 1), exact for the products of cubics
POINTS, WEIGHTS = (0.5 * x for x in np.polynomial.legendre.leggauss(4))
POINTS = POINTS + 0.5
#: multiples of c, and of phi c, in the stiffness
BENDING = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]], dtype=float)
SHEARING = np.array([[0, 0, 0, 0], [0, 1, 0, -1], [0, 0, 0, 0], [0, -1, 0, 1]], dtype=float)


def cut_digits(numbers: np.ndarray) -> np.ndarray:
    """Numbers with `DIGITS` binary digits."""
    mantissas, exponents = np.frexp(numbers)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissas, DIGITS)), exponents - DIGITS))


def assemble_bands(
    sections: np.ndarray, counts: np.ndarray, scales: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Bands (4, n) of stiffness and mass of all elements for (w, scale psi) at each node.

    `sections` are rows of EI, m, 1/kGA, rho I, k and the length of an element, which is the scale of all
    nodes but some between segments.
    """
    stiff, mass = _element_matrices(sections)
    K, M = np.zeros((WIDTH + 1, 2 * scales.size)), np.zeros((WIDTH + 1, 2 * scales.size))
    segment, first = np.repeat(np.arange(len(counts)), counts), 2 * np.arange(scales.size - 1)
    lengths = sections[segment, 5]
    one = np.ones(lengths.size)
    factors = one, lengths / scales[:-1], one, lengths / scales[1:]
    for i in range(4):
        for j in range(i + 1):
            K[i - j, first + i] += stiff[segment, i, j] * (factors[i] * factors[j])
            M[i - j, first + i] += mass[segment, i, j] * (factors[i] * factors[j])
    return K, M


def _element_matrices(sections: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness with that of the foundation, and consistent mass, of the elements of segments, (n, 4, 4)."""
    EI, m, compliance, rotary, bed, lengths = (column[:, None, None] for column in sections.T)
    phi = 12.0 * EI * compliance / lengths**2
    c = cut_digits(EI / (lengths * lengths * lengths * (1.0 + phi)))
    large = c * 64.0
    p = np.where(phi < 64.0, (phi * c + large) - large, cut_digits(phi * c))  # on the digits of c
    K, M = BENDING * c + SHEARING * p, np.zeros((len(sections), 4, 4))
    for point, weight in zip(POINTS, WEIGHTS, strict=True):
        w, psi = (
            _unit_rows(row, point, sections, phi.ravel()) for row in (kernels.DEFLECTION, kernels.ROTATION)
        )
        K += weight * lengths * bed * w[:, :, None] * w[:, None, :]
        M += (
            weight
            * lengths
            * (m * w[:, :, None] * w[:, None, :] + rotary * psi[:, :, None] * psi[:, None, :])
        )
    return K, M


def _unit_rows(quantity: int, xi: float, sections: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """What each of (w, l psi) at both ends gives of a quantity at xi, (n, 4)."""
    rows, lengths = np.empty((len(sections), 4)), np.ascontiguousarray(sections[:, 5])
    EI = np.ascontiguousarray(sections[:, 0])
    kernels.shape_rows(quantity, np.full(len(sections), xi), lengths, phi, EI, rows)
    rows[:, 1::2] /= lengths[:, None]
    return rows
