"""A beam of finite elements (Hermite cubics; Friedman, Kosmatka 1993, with shear) of fourth order.

For the displacements w and l psi a stiffness is a few whole multiples of c = EI/(l^3 (1 + phi)), and with c
cut to 46 digits motions without strain need no force to the last digit. In other units rounding acts like
springs to the ground of 1e-16 EI/l^3 at every node, and 1000 elements miss the first frequency by 0.1 %.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams.beam_description import BeamDescription
from traction.beams.discrete.discrete_beam import QUANTITIES, DiscreteBeam, cut_held, number_free
from traction.beams.discrete.kernels import element_shapes as kernels
from traction.beams.discrete.kernels.banded_matrices import WIDTH, factor
from traction.errors import InputError

MOST_ELEMENTS = 1_000_000  #: of a beam, or cells of differences
DIGITS = 46  #: of c, so that its multiples up to 24 are exact in 53
#: multiples of c, and of phi c, in the stiffness
BENDING = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]], dtype=float)
SHEARING = np.array([[0, 0, 0, 0], [0, 1, 0, -1], [0, 0, 0, 0], [0, -1, 0, 1]], dtype=float)


def gauss_rule(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points on (0, 1) and weights, exact for polynomials of degree 2 n - 1."""
    points, weights = np.polynomial.legendre.leggauss(n)
    return 0.5 + 0.5 * points, 0.5 * weights


def cut_digits(numbers: np.ndarray) -> np.ndarray:
    """Numbers with `DIGITS` binary digits."""
    mantissas, exponents = np.frexp(numbers)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissas, DIGITS)), exponents - DIGITS))


def assemble_bands(sections: np.ndarray, counts: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Bands for (w, scale psi) at each node, (4, 4, n): stiffness, mass, and both forms of what shear adds.

    `sections` are rows of EI, m, 1/kGA, rho I, k and the length of an element, which is the scale of all
    nodes but some between segments.
    """
    bands = np.zeros((4, WIDTH + 1, 2 * scales.size))
    segment, first = np.repeat(np.arange(len(counts)), counts), 2 * np.arange(scales.size - 1)
    lengths = sections[segment, 5]
    one = np.ones(lengths.size)
    factors = one, lengths / scales[:-1], one, lengths / scales[1:]
    matrices = (*_integrate_elements(sections), *_inertia_of_shear(sections))
    for band, elements in zip(bands, matrices, strict=True):
        for i in range(4):
            for j in range(i + 1):
                band[i - j, first + i] += elements[segment, i, j] * (factors[i] * factors[j])
    return bands


def _integrate_elements(sections: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness with that of the foundation, and consistent mass, of the elements of segments, (n, 4, 4)."""
    EI, m, compliance, rotary, bed, lengths = (column[:, None, None] for column in sections.T)
    phi = 12.0 * EI * compliance / lengths**2
    c = cut_digits(EI / (lengths * lengths * lengths * (1.0 + phi)))
    large = c * 64.0
    p = np.where(phi < 64.0, (phi * c + large) - large, cut_digits(phi * c))  # on the digits of c
    K, M = BENDING * c + SHEARING * p, np.zeros((len(sections), 4, 4))
    for point, weight in zip(*gauss_rule(4), strict=True):  # exact for the products of cubics
        w, psi = (
            _sample_unit_shapes(row, point, sections, phi.ravel())
            for row in (kernels.DEFLECTION, kernels.ROTATION)
        )
        K += weight * lengths * bed * w[:, :, None] * w[:, None, :]
        inertia = m * w[:, :, None] * w[:, None, :] + rotary * psi[:, :, None] * psi[:, None, :]
        M += weight * lengths * inertia
    return K, M


def _inertia_of_shear(sections: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mass that makes up for the deformation within elements under their own inertia, with shear, (n, 4, 4).

    A clamped element deflects under p = m omega^2 w by p l^2/(12 kGA) on average, in shear, and turns under
    mu = rho I omega^2 psi by mu l^2 phi/(12 EI (1 + phi)), of which the shape functions know nothing: the
    squares of frequencies miss by parts of l^2. By V' = -p and EI psi'' + V = -mu their energies are those of
    (m l^2/12) w' gamma and rho I (phi/(1 + phi) l^2/12 psi'^2 - psi gamma/(1 + phi)) per length, with the
    strain gamma = V/kGA, and those of `_inertia_at_springs`.

    At free ends the first term makes the mass negative where sections have next to no rotary inertia. Then
    kGA psi gamma = -EI psi psi'', and with w' = gamma + psi it is, by parts, gamma^2 + phi l^2/12 psi'^2:
    the second form, which is never negative.
    """
    EI, m, compliance, rotary, lengths = (sections[:, [k]] for k in (0, 1, 2, 3, 5))
    phi = 12.0 * EI * compliance / lengths**2
    part, one = phi / (1.0 + phi), np.ones_like(m)
    strain = part * np.array([-1.0, -0.5, 1.0, -0.5])  # l gamma of (w, l psi)
    rise, turn, mean = (
        one * np.array(row) for row in ((-1.0, 0.0, 1.0, 0.0), (0.0, -1.0, 0.0, 1.0), (0.0, 0.5, 0.0, 0.5))
    )

    def product(factor: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        both = factor[:, :, None] * left[:, :, None] * right[:, None, :]
        return np.asarray(0.5 * (both + both.swapaxes(1, 2)))

    turned = product(part * rotary / (12.0 * lengths), turn, turn)
    turned -= product(rotary / ((1.0 + phi) * lengths), strain, mean)
    straight = product(m * lengths / 12.0, strain, strain) + product(m * lengths * phi / 144.0, turn, turn)
    return product(m * lengths / 12.0, strain, rise) + turned, straight + turned


def _inertia_at_springs(sections: np.ndarray, springs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mass (kg, kg m2) that shear adds to w and psi of the ends of segments on `springs`, both (ends, 2).

    The shear force there is k w, and the moment k psi: by parts the energies of `_inertia_of_shear` are those
    of (m l^2/12) k w^2/kGA and rho I phi/(1 + phi) l^2/12 k psi^2/EI besides, and in the second form
    (m l^2/12) k psi^2/kGA too.
    """
    EI, m, compliance, rotary, lengths = (sections[:, k] for k in (0, 1, 2, 3, 5))
    phi = 12.0 * EI * compliance / lengths**2
    sheared = m * compliance * lengths**2 / 12.0
    turned = rotary * phi / (EI * (1.0 + phi)) * lengths**2 / 12.0
    finite = np.where(np.isinf(springs), 0.0, springs)

    def at_ends(*parts: np.ndarray) -> np.ndarray:
        both = np.stack(parts, axis=1)
        return finite * np.concatenate((both[:1], 0.5 * (both[1:] + both[:-1]), both[-1:]))

    return at_ends(sheared, turned), at_ends(sheared, turned + sheared)


def _sample_unit_shapes(quantity: int, xi: float, sections: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Weights of (w, l psi) at both ends in a quantity at xi, (n, 4)."""
    rows, lengths = np.empty((len(sections), 4)), np.ascontiguousarray(sections[:, 5])
    EI = np.ascontiguousarray(sections[:, 0])
    kernels.shape_rows(quantity, np.full(len(sections), xi), lengths, phi, EI, rows)
    rows[:, 1::2] /= lengths[:, None]
    return rows


class BeamElements(DiscreteBeam):
    """Displacements are w and l psi (m) of each node, in this order, without those that supports prevent.

    l is the length of the element right of the node (of the last one, left of it).
    """

    @property
    def order(self) -> int:
        """4."""
        return 4

    @property
    def scales(self) -> np.ndarray:
        """Lengths (m) by which the rotations of the nodes are multiplied in q."""
        return self.geometry.scales

    def state_of(self, deflection: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Values at the nodes; sections stay normal to the axis."""
        return np.stack((deflection, slope * self.scales), axis=1).ravel()[self.numbers >= 0]

    def _rows(self, quantity: str, x: np.ndarray) -> sparse.csr_array:
        geometry, rows = self.geometry, np.empty((x.size, 4))
        s, cell, xi = self._find_cells(x)
        stiffnesses = self.beam.sections[s, 0]
        kernels.shape_rows(
            QUANTITIES.index(quantity), xi, geometry.lengths[s], geometry.phis[s], stiffnesses, rows
        )
        rows[:, 1] /= geometry.scales[cell]
        rows[:, 3] /= geometry.scales[cell + 1]
        columns, ends = 2 * cell[:, None] + np.arange(4), np.arange(0, 4 * x.size + 1, 4)
        return sparse.csr_array((rows.ravel(), columns.ravel(), ends), shape=(x.size, self.numbers.size))


def divide_into_elements(
    beam: BeamDescription, n: int | Sequence[int], modes: int | None = None
) -> BeamElements:
    """`n` elements in all, or so many in each segment; `modes` are damped."""
    counts = count_elements(beam, n)
    lengths = np.array([segment.length for segment in beam.segments]) / counts
    sections = np.column_stack((beam.sections, lengths))
    firsts = np.r_[0, np.cumsum(counts)]
    scales = np.r_[np.repeat(lengths, counts), lengths[-1]]
    springs = np.array([held.stiffness for held in beam.supports])
    K, M, *forms = assemble_bands(sections, counts, scales)
    at = (2 * firsts[:, None] + np.arange(2)).ravel()
    in_q = np.stack((np.ones(firsts.size), scales[firsts] ** -2), axis=1)
    for form, added in zip(forms, _inertia_at_springs(sections, springs), strict=True):
        form[0, at] += (added * in_q).ravel()
    springs = (springs * in_q).ravel()
    rigid = np.isinf(springs)
    K[0, at[~rigid]] += springs[~rigid]
    numbers = number_free(K.shape[1], at[rigid])
    if (numbers < 0).all():
        raise InputError("n = 1 element is held at both ends and cannot move; give at least 2.")
    ends, phis = beam.ends, 12.0 * sections[:, 0] * sections[:, 2] / lengths**2
    geometry = kernels.BeamCells(ends, lengths, firsts, phis, numbers, scales, True)
    mass = next(M + form for form in forms if _is_definite(M + form, numbers) or form is forms[-1])
    return BeamElements.without_held(beam, divide_spans(ends, counts), (K, mass), geometry, modes)


def _is_definite(band: np.ndarray, numbers: np.ndarray) -> bool:
    """Whether a matrix is positive definite without the displacements that are held."""
    free = cut_held(band, numbers)
    return bool(factor(free, np.zeros_like(free)) == free.shape[1])


def divide_spans(ends: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Positions from the first to the last end, with so many equal steps between two of them."""
    parts = [np.linspace(a, b, n + 1)[1:] for a, b, n in zip(ends, ends[1:], counts, strict=False)]
    return np.r_[ends[0], np.concatenate(parts)]


def count_elements(beam: BeamDescription, n: int | Sequence[int]) -> np.ndarray:
    """Elements of each segment: as given, or in proportion to the lengths."""
    parts = len(beam.segments)
    if isinstance(n, list | tuple) or (isinstance(n, np.ndarray) and n.ndim):
        if len(n) != parts:
            raise InputError(f"n has {len(n)} numbers; give one in all, or one per segment ({parts}).")
        each = MOST_ELEMENTS // parts
        return np.array([checks.count(f"n[{k}]", one, 1, each) for k, one in enumerate(n)])
    total = checks.count("n", n, 1, MOST_ELEMENTS)
    if total < parts:
        raise InputError(f"n = {total} elements are too few for {parts} segments, each needs one.")
    shares = np.array([segment.length for segment in beam.segments]) / beam.length * (total - parts)
    counts = np.floor(shares).astype(np.int64)
    for k in np.argsort(counts - shares, kind="stable")[: total - parts - int(counts.sum())]:
        counts[k] += 1
    return counts + 1
