"""Natural modes of a beam: frequencies, and shapes that are exact to rounding at any place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription
from traction.beams.beam_fields import BeamFields
from traction.beams.exact.beam_shape import BeamShape
from traction.beams.exact.dynamic_stiffness import PartChain
from traction.beams.exact.kernels.shape_pieces import DEGREE
from traction.beams.exact.natural_frequencies import NaturalFrequency, find_frequencies
from traction.beams.segment import Segment
from traction.beams.supports import Support

DIRECTION_FROM = 0.3  #: of its largest deflection, from which a shape's sign is seen


@dataclass(frozen=True, eq=False)
class Modes(BeamFields):
    """The lowest modes, orthonormal: the integral of m w_i w_j + rho I psi_i psi_j is 1 or 0.

    Fields are (modes, shape of x), deflections in 1/sqrt(kg): a mode moves by w(x, t) = q(t) w_i(x), where
    q'' + omega^2 q is the work of the forces on w_i.
    """

    frequencies: np.ndarray  #: omega, rad/s, ascending; zero for motions of the rigid beam
    shapes: tuple[BeamShape, ...]

    def __repr__(self) -> str:
        first = ", ".join(f"{omega:.6g}" for omega in self.frequencies[:3])
        return f"<Modes {len(self)}, frequencies {first}, ... rad/s>"

    def __len__(self) -> int:
        return len(self.shapes)

    def slope(self, x: ArrayLike) -> np.ndarray:
        """w' at places x."""
        return self._sample("slope", x)

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        if not self.shapes:
            return np.zeros((0, *places.shape))
        return np.array([shape.at(quantity, places) for shape in self.shapes])


def natural_modes(beam: BeamDescription, n: int) -> Modes:
    """The n lowest modes; those last asked for are kept."""
    return _find_modes(beam.segments, beam.supports, n)


@lru_cache(maxsize=16)
def _find_modes(segments: tuple[Segment, ...], supports: tuple[Support, ...], n: int) -> Modes:
    beam = BeamDescription(segments, supports)
    rigid = rigid_motions(beam)[:n]
    found = find_frequencies(beam, len(rigid), n - len(rigid)) if n > len(rigid) else []
    omega = np.r_[np.zeros(len(rigid)), np.sqrt([one.square for one in found])]
    return Modes(omega, (*rigid, *(_elastic_shape(one) for one in found)))


def rigid_motions(beam: BeamDescription) -> list[BeamShape]:
    """Orthonormal motions a + b x of the whole beam that nothing resists."""
    chain = PartChain(beam, np.ones(len(beam.segments), dtype=np.int64))
    ends, total = chain.table[:, 0], chain.table[-1, 0]
    hinders = [(1.0, x / total) for x, held in zip(ends, beam.supports, strict=True) if held.deflection]
    hinders += [(0.0, 1.0) for held in beam.supports if held.rotation]
    if any(segment.foundation for segment in beam.segments):
        hinders += [(1.0, 0.0), (0.0, 1.0)]
    _, sizes, directions = np.linalg.svd(np.linalg.qr(np.array([(0.0, 0.0), *hinders]), mode="r"))
    rank = int((sizes > 1e-12).sum())
    mass = _rigid_mass(beam)
    motions: list[np.ndarray] = []
    for a, b in directions[rank:]:
        motion = np.array((a, b / total))
        for other in motions:
            motion = motion - (other @ mass @ motion) * other
        motions.append(motion / np.sqrt(motion @ mass @ motion))
    return [_rigid_shape(motion, chain) for motion in motions]


def _rigid_mass(beam: BeamDescription) -> np.ndarray:
    """Mass matrix of the motions 1 and x."""
    total, ends = np.zeros((2, 2)), beam.ends
    for segment, a, b in zip(beam.segments, ends[:-1], ends[1:], strict=True):
        first, second = 0.5 * (b**2 - a**2), (b**3 - a**3) / 3.0
        total += segment.mass_per_length * np.array(((b - a, first), (first, second)))
        total[1, 1] += segment.rotary_inertia * (b - a)
    return total


def _rigid_shape(motion: np.ndarray, chain: PartChain) -> BeamShape:
    """The motion a + b x, which begins downwards."""
    a, b = motion if motion[0] >= 0.0 else -motion
    places = chain.table[:, 0]
    pieces = np.zeros((len(chain.counts), 4, DEGREE))
    pieces[:, 0, 0] = a + b * (0.5 * (places[1:] + places[:-1]))
    pieces[:, 0, 1] = b * chain.sections[:, 5]
    pieces[:, 1, 0] = b
    return BeamShape(pieces, chain.table)


def _elastic_shape(found: NaturalFrequency) -> BeamShape:
    """The shape of a mode, which begins downwards."""
    chain = found.chain
    starts = chain.states(found.displacement, found.square)
    shape = BeamShape.from_states(chain, found.square, np.zeros(len(chain.counts)), starts)
    values = shape.pieces[:, 0, 0]
    seen = np.flatnonzero(np.abs(values) >= DIRECTION_FROM * np.abs(values).max())
    sign = 1.0 if values[seen[0]] > 0.0 else -1.0
    return BeamShape(sign * shape.pieces, shape.table)
