"""Natural modes of a beam: frequencies, and shapes that are exact to rounding at any place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.beams.exact.dynamic_stiffness import Chain
from traction.beams.exact.kernels import part_stiffness as kernels
from traction.beams.exact.natural_frequencies import Root, elastic_roots
from traction.beams.segment import Segment
from traction.beams.supports import Support

ROWS = {"deflection": (0, 0), "slope": (0, 1), "curvature": (0, 2), "rotation": (1, 0)}
ROWS |= {"moment": (2, 0), "shear": (3, 0)}  #: row of the polynomials and derivative of each quantity
DIRECTION_FROM = 0.3  #: of its largest deflection, from which a shape's sign is seen


@dataclass(frozen=True, eq=False)
class Shape:
    """w, psi, M, V along a beam, as polynomials over its parts."""

    pieces: np.ndarray  #: (parts, 4, DEGREE)
    table: np.ndarray  #: see `part_stiffness.sample`

    @property
    def breaks(self) -> np.ndarray:
        """Places between which it is smooth, m."""
        return self.table[:, 0]

    @property
    def parts(self) -> np.ndarray:
        """Ends of the parts, over each of which it is a polynomial, m."""
        starts, lengths, firsts = self.table[:-1].T
        counts = np.diff(self.table[:, 2]).astype(int)
        inside = np.arange(len(self.pieces)) - np.repeat(firsts, counts)
        return np.r_[np.repeat(starts, counts) + inside * np.repeat(lengths, counts), self.table[-1, 0]]

    def at(self, quantity: str, x: np.ndarray) -> np.ndarray:
        """Values at places x, m, zero outside the beam."""
        row, order = ROWS[quantity]
        places = np.ascontiguousarray(x, dtype=float).ravel()
        values = np.empty(places.size)
        kernels.sample_many(self.pieces, self.table, row, order, places, values)
        return values.reshape(np.shape(x))


@dataclass(frozen=True, eq=False)
class Modes:
    """The lowest modes, orthonormal: the integral of m w_i w_j + rho I psi_i psi_j is 1 or 0.

    Shapes are in 1/sqrt(kg): a mode moves by w(x, t) = q(t) w_i(x), where q'' + omega^2 q is the work of the
    forces on w_i.
    """

    frequencies: np.ndarray  #: omega, rad/s, ascending; zero for motions of the rigid beam
    shapes: tuple[Shape, ...]

    def __repr__(self) -> str:
        first = ", ".join(f"{omega:.6g}" for omega in self.frequencies[:3])
        return f"<Modes {len(self)}, frequencies {first}, ... rad/s>"

    def __len__(self) -> int:
        return len(self.shapes)

    def deflection(self, x: Any) -> np.ndarray:
        """w_i at places x, (modes, shape of x)."""
        return self._at("deflection", x)

    def slope(self, x: Any) -> np.ndarray:
        """w_i' at places x."""
        return self._at("slope", x)

    def rotation(self, x: Any) -> np.ndarray:
        """psi_i of the sections at places x; w_i' in the theory of Euler and Bernoulli."""
        return self._at("rotation", x)

    def moment(self, x: Any) -> np.ndarray:
        """M_i = -EI psi_i' at places x."""
        return self._at("moment", x)

    def shear(self, x: Any) -> np.ndarray:
        """V_i at places x."""
        return self._at("shear", x)

    def _at(self, quantity: str, x: Any) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        if not self.shapes:
            return np.zeros((0, *places.shape))
        return np.array([shape.at(quantity, places) for shape in self.shapes])


def natural_modes(segments: tuple[Segment, ...], supports: tuple[Support, ...], n: int) -> Modes:
    """The n lowest modes."""
    rigid = rigid_motions(segments, supports)[:n]
    roots = elastic_roots(segments, supports, len(rigid), n - len(rigid)) if n > len(rigid) else []
    omega = np.r_[np.zeros(len(rigid)), np.sqrt([root.square for root in roots])]
    return Modes(omega, (*rigid, *(_shape(root) for root in roots)))


def rigid_motions(segments: tuple[Segment, ...], supports: tuple[Support, ...]) -> list[Shape]:
    """Orthonormal motions a + b x of the whole beam that nothing resists."""
    chain = Chain(segments, supports, np.ones(len(segments), dtype=np.int64))
    ends, total = chain.table[:, 0], chain.table[-1, 0]
    hinders = [(1.0, x / total) for x, held in zip(ends, supports, strict=True) if held.deflection]
    hinders += [(0.0, 1.0) for held in supports if held.rotation]
    if any(segment.foundation for segment in segments):
        hinders += [(1.0, 0.0), (0.0, 1.0)]
    _, sizes, directions = np.linalg.svd(np.linalg.qr(np.array([(0.0, 0.0), *hinders]), mode="r"))
    rank = int((sizes > 1e-12).sum())
    motions = [np.array((a, b / total)) for a, b in directions[rank:]]
    mass = _rigid_mass(segments, ends)
    shapes: list[np.ndarray] = []
    for motion in motions:
        for other in shapes:
            motion = motion - (other @ mass @ motion) * other
        shapes.append(motion / np.sqrt(motion @ mass @ motion))
    return [_rigid_shape(motion, chain) for motion in shapes]


def _rigid_mass(segments: tuple[Segment, ...], ends: np.ndarray) -> np.ndarray:
    """Mass matrix of the motions 1 and x."""
    total = np.zeros((2, 2))
    for segment, a, b in zip(segments, ends[:-1], ends[1:], strict=True):
        m, rotary = segment.mass_per_length, segment.rotary_inertia
        first, second = 0.5 * (b**2 - a**2), (b**3 - a**3) / 3.0
        total += m * np.array(((b - a, first), (first, second)))
        total[1, 1] += rotary * (b - a)
    return total


def _rigid_shape(motion: np.ndarray, chain: Chain) -> Shape:
    places = chain.table[:, 0]
    d = np.stack((motion[0] + motion[1] * places, np.full(places.size, motion[1])), axis=1).ravel()
    pieces = np.zeros((len(chain.segments), 4, kernels.DEGREE))
    middles = 0.5 * (places[1:] + places[:-1])
    pieces[:, 0, 0] = motion[0] + motion[1] * middles
    pieces[:, 0, 1] = motion[1] * chain.sections[:, 5]
    pieces[:, 1, 0] = motion[1]
    sign = 1.0 if d[0] >= 0.0 else -1.0
    return Shape(sign * pieces, chain.table)


def _shape(root: Root) -> Shape:
    d, chain = root.displacement, root.chain
    pieces = chain.polynomials(d, root.square)
    values = pieces[:, 0, 0]
    seen = np.flatnonzero(np.abs(values) >= DIRECTION_FROM * np.abs(values).max())
    sign = 1.0 if values[seen[0]] > 0.0 else -1.0
    return Shape(sign * pieces, chain.table)
