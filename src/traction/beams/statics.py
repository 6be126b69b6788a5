"""A beam at rest under point forces and uniform loads: exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from traction import checks
from traction.beams import stiffness_kernels as kernels
from traction.beams.chain import Chain, factored, product
from traction.beams.modes import Shape, rigid_motions
from traction.beams.segment import Segment
from traction.beams.supports import Support
from traction.errors import InputError

SAME_PLACE = 1e-12  #: of the length of the beam, between places that are one


@dataclass(frozen=True, eq=False)
class ShapeSum:
    """A sum of shapes times factors."""

    terms: tuple[tuple[float, Shape], ...]

    @property
    def breaks(self) -> np.ndarray:
        """Places between which it is smooth, m."""
        return np.unique(np.concatenate([shape.breaks for _, shape in self.terms]))

    def at(self, quantity: str, x: np.ndarray) -> np.ndarray:
        """Values at places x, m."""
        total = np.zeros(np.shape(x))
        for factor, shape in self.terms:
            total += factor * shape.at(quantity, x)
        return total


@dataclass(frozen=True, eq=False)
class Bending:
    """Deflection, rotation, moment and shear force of a beam at rest."""

    shape: Shape | ShapeSum
    places: np.ndarray  #: of the supports, m
    reactions: np.ndarray  #: upward forces of the supports on the beam, N
    moments: np.ndarray  #: of the supports on the beam, N m, that reduce the rotation

    def __repr__(self) -> str:
        carried = ", ".join(f"{force:.6g}" for force in self.reactions)
        return f"<Bending of a beam whose supports carry {carried} N>"

    def deflection(self, x: Any) -> np.ndarray:
        """w (m), downwards, at places x (m)."""
        return self.shape.at("deflection", np.asarray(x, dtype=float))

    def slope(self, x: Any) -> np.ndarray:
        """w'."""
        return self.shape.at("slope", np.asarray(x, dtype=float))

    def rotation(self, x: Any) -> np.ndarray:
        """psi of the sections."""
        return self.shape.at("rotation", np.asarray(x, dtype=float))

    def curvature(self, x: Any) -> np.ndarray:
        """w'' (1/m)."""
        return self.shape.at("curvature", np.asarray(x, dtype=float))

    def moment(self, x: Any) -> np.ndarray:
        """M (N m), sagging positive."""
        return self.shape.at("moment", np.asarray(x, dtype=float))

    def shear(self, x: Any) -> np.ndarray:
        """V = M' (N); at a point force the value to its right."""
        return self.shape.at("shear", np.asarray(x, dtype=float))


def superposed(factors: Sequence[float], bendings: Sequence[Bending]) -> Bending:
    """The sum of solutions times factors.

    Forces that lie close together are solved for one by one and added: a beam cut into very short and very
    long segments loses digits.
    """
    terms: list[tuple[float, Shape]] = []
    for factor, bending in zip(factors, bendings, strict=True):
        parts = bending.shape.terms if isinstance(bending.shape, ShapeSum) else ((1.0, bending.shape),)
        terms += [(factor * share, shape) for share, shape in parts]
    weights = np.asarray(factors)
    return Bending(
        ShapeSum(tuple(terms)),
        bendings[0].places,
        weights @ np.array([bending.reactions for bending in bendings]),
        weights @ np.array([bending.moments for bending in bendings]),
    )


def bent(
    segments: tuple[Segment, ...],
    supports: tuple[Support, ...],
    forces: Sequence[tuple[float, float]],
    loads: Sequence[float],
    *,
    square: float = 0.0,
) -> Bending:
    """A beam under forces (N, place in m) and a uniform load (N/m) on each segment.

    With `square` (1/s^2) the forces vibrate with that square of the frequency, or, where it is negative,
    the mass of the beam holds it like a foundation.
    """
    if square == 0.0:
        held_at_rest(segments, supports)
    cut = cut_at(segments, supports, loads, [x for _, x in forces])
    chain = Chain.at(cut.segments, cut.supports, abs(square))
    nodes = np.r_[0, np.cumsum(chain.counts)]
    right = np.zeros(chain.size)
    pull = np.zeros(4)
    for s, load in enumerate(cut.loads):
        kernels.load_forces(chain.sections[s, :5], chain.sections[s, 5], load, pull)
        for part in range(nodes[s], nodes[s + 1]):
            right[2 * part : 2 * part + 4] -= pull
    for (force, _), end in zip(forces, cut.at, strict=True):
        right[2 * nodes[end]] += force
    free = right.copy()
    right[chain.held] = 0.0
    K, _ = chain.bands(square)
    d = factored(K)(right)
    shape = Shape(chain.polynomials(d, square, np.array(cut.loads)), chain.table)
    reactions, moments = _reactions(chain, d, free, square)
    kept = np.array(cut.kept)
    return Bending(shape, chain.table[kept, 0], reactions[kept], moments[kept])


def held_at_rest(segments: tuple[Segment, ...], supports: tuple[Support, ...]) -> None:
    """Raise an error where nothing holds the beam as a whole."""
    if rigid_motions(segments, supports):
        raise InputError(
            "the supports do not hold the beam at rest: it can move as a whole. Support it at two places, "
            "clamp an end, or give a foundation."
        )


def _reactions(
    chain: Chain, d: np.ndarray, right: np.ndarray, square: float
) -> tuple[np.ndarray, np.ndarray]:
    """What each support takes of the loads: right - K d without the supports."""
    loose = Chain(chain.segments, tuple(Support() for _ in chain.supports), chain.counts)
    K, _ = loose.bands(square)
    taken = right - product(K, d[:, None])[:, 0]
    nodes = np.r_[0, np.cumsum(chain.counts)]
    return taken[2 * nodes], taken[2 * nodes + 1]


@dataclass(frozen=True)
class Cut:
    """A beam with a node at each force."""

    segments: tuple[Segment, ...]
    supports: tuple[Support, ...]
    loads: tuple[float, ...]
    at: tuple[int, ...]  #: end of a segment where each force acts
    kept: tuple[int, ...]  #: ends of segments that were there before


def cut_at(
    segments: tuple[Segment, ...],
    supports: tuple[Support, ...],
    loads: Sequence[float],
    places: Sequence[float],
) -> Cut:
    """The beam with a node at each of the places."""
    ends = np.r_[0.0, np.cumsum([segment.length for segment in segments])]
    near = SAME_PLACE * ends[-1]
    pieces: list[Segment] = []
    held, weights, kept, where = [supports[0]], [], [0], [0.0]
    for s, segment in enumerate(segments):
        inside = sorted({x for x in places if ends[s] + near < x < ends[s + 1] - near})
        stops = [ends[s], *_apart(inside, near), ends[s + 1]]
        for a, b in pairwise(stops):
            pieces.append(Segment(float(b - a), *segment.section))
            weights.append(loads[s])
            held.append(Support())
            where.append(float(b))
        held[-1] = supports[s + 1]
        kept.append(len(pieces))
    at = tuple(int(np.argmin(np.abs(np.array(where) - x))) for x in places)
    return Cut(tuple(pieces), tuple(held), tuple(weights), at, tuple(kept))


def _apart(places: list[float], near: float) -> list[float]:
    """Places without those that follow another at once."""
    kept: list[float] = []
    for x in places:
        if not kept or x - kept[-1] > near:
            kept.append(x)
    return kept


def place_on(name: str, x: Any, length: float) -> float:
    """A place on a beam."""
    place = checks.finite(name, x, "m")
    if not 0.0 <= place <= length:
        raise InputError(f"{name} = {place} m lies off the beam, which reaches from 0 to {length} m.")
    return place
