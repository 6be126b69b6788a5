"""A beam divided at nodes, with the exact bending of each piece under its load.

In a piece of length l, with t = x/l, the state (w, psi, M, V) is a polynomial in t that follows from its
value at t = 0 and from the load q and the contact force lambda per length,

    w' = psi + V/kGA,    psi' = -M/EI,    M' = V,    V' = k w - q + lambda,

without a foundation k of finite degree. These are the elements of Hermite (Euler, Bernoulli) and of
Friedman and Kosmatka (Timoshenko) with the bending inside an element under its load added, and with the end
forces kept as unknowns: the stiffness, whose rounding errors grow with the fourth power of the number of
elements, is never formed. All numbers here are dimensionless, see `LineScales`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription, place_on
from traction.beams.discrete.beam_elements import divide_spans, gauss_rule
from traction.beams.obstacle.obstacle_shapes import call_function
from traction.errors import InputError

W, PSI, M, V = range(4)  #: components of the state
CONSTANT, SLOPED, LOAD = 4, 5, 6  #: columns of `pieces` beyond the four of the state at the left end
DEGREES = 8  #: of the polynomials without a foundation, under a cubic load
BED_DEGREES = 36  #: with a foundation; k l^4/EI <= 64 leaves less than rounding
LARGEST_BED = 64.0  #: k l^4/EI of an element
COARSE_BED = 8.0  #: of an element that may still be stretched
POINTS, WEIGHTS = gauss_rule(4)
TO_POWERS = np.linalg.inv(np.vander(POINTS, 4, increasing=True))  #: from values at the points

Load = float | Callable[[np.ndarray], ArrayLike]  #: N/m, a number or a function of x

MOST_ELEMENTS = 100_000  #: of a beam on an obstacle


@dataclass(frozen=True)
class LineScales:
    """Units of length, moment and force for a deflection of 1 m."""

    length: float  #: m
    bending_stiffness: float  #: N m^2

    @classmethod
    def of(cls, beam: BeamDescription) -> LineScales:
        """From the length of the beam and its first segment."""
        return cls(beam.length, beam.segments[0].bending_stiffness)

    @property
    def state(self) -> np.ndarray:
        """Units of w (m), psi (1), M (N m) and V (N)."""
        L, EI = self.length, self.bending_stiffness
        return np.array([1.0, 1.0 / L, EI / L**2, EI / L**3])

    @property
    def density(self) -> float:
        """Unit of forces per length, N/m."""
        return self.bending_stiffness / self.length**4


@dataclass(frozen=True, eq=False)
class BeamLine:
    """A beam with nodes, supports and loads."""

    beam: BeamDescription
    scales: LineScales
    nodes: np.ndarray  #: over the unit of length
    springs: np.ndarray  #: against deflection and rotation at each node, (nodes, 2)
    forces: np.ndarray  #: loads at the nodes, downwards
    pieces: np.ndarray  #: polynomials of the state, (pieces, 7, 4, degrees)
    load: np.ndarray  #: load over each piece as a polynomial in t, (pieces, 4)
    compliance: np.ndarray  #: 1/kGA of each piece
    stiffness: np.ndarray  #: EI of each piece
    bed: np.ndarray  #: k of each piece

    @classmethod
    def of(
        cls, beam: BeamDescription, nodes: np.ndarray, load: Load, forces: Sequence[tuple[float, float]] = ()
    ) -> BeamLine:
        """Divide at `nodes` (m), which include ends of segments and positions of point forces (N, m)."""
        scales = LineScales.of(beam)
        L, EI0 = scales.length, scales.bending_stiffness
        which = np.clip(np.searchsorted(beam.ends, 0.5 * (nodes[1:] + nodes[:-1])) - 1, 0, None)
        sections = beam.sections[which]
        lengths = np.diff(nodes) / L
        EI, c, bed = sections[:, 0] / EI0, sections[:, 2] * EI0 / L**2, sections[:, 4] * L**4 / EI0
        worst = float((bed * lengths**4 / EI).max())
        if worst > LARGEST_BED:
            raise InputError(
                f"elements are too long for the foundation: k l^4/EI = {worst:.3g} must be at most "
                f"{LARGEST_BED}; take {(worst / LARGEST_BED) ** 0.25:.1f} times as many."
            )
        density = load_polynomials(load, nodes) / scales.density
        springs, loads = np.zeros((nodes.size, 2)), np.zeros(nodes.size)
        for place, held in zip(beam.ends, beam.supports, strict=True):
            springs[nearest_node(nodes, place)] += np.array(held.stiffness) * np.array([L**3, L]) / EI0
        for force, place in forces:
            loads[nearest_node(nodes, place)] += force * L**3 / EI0
        pieces = bend_pieces(lengths, EI, c, bed, density)
        return cls(beam, scales, nodes / L, springs, loads, pieces, density, c, EI, bed)

    @property
    def count(self) -> int:
        """Number of pieces."""
        return int(self.nodes.size - 1)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Lengths of the pieces."""
        return np.diff(self.nodes)

    @cached_property
    def ends(self) -> np.ndarray:
        """The state at the right end of each piece from its columns, (pieces, 4, 7)."""
        return np.ascontiguousarray(self.pieces.sum(axis=3).transpose(0, 2, 1))

    @cached_property
    def moments(self) -> np.ndarray:
        """Integrals of w and of t w over t in (0, 1) from the columns, (pieces, 2, 7)."""
        powers = np.arange(self.pieces.shape[3])
        weights = np.stack((1.0 / (powers + 1.0), 1.0 / (powers + 2.0)))
        return np.einsum("ecn,an->eac", self.pieces[:, :, W], weights)


def bend_pieces(
    lengths: np.ndarray, EI: np.ndarray, c: np.ndarray, bed: np.ndarray, load: np.ndarray
) -> np.ndarray:
    """Polynomials of the state for unit values at the left end, for lambda = 1 and t, and for the load."""
    degrees = BED_DEGREES if bed.any() else DEGREES
    pieces = np.zeros((lengths.size, 7, 4, degrees))
    for k in range(4):
        pieces[:, k, k, 0] = 1.0
    push = np.zeros((lengths.size, 7, degrees))  # lambda - q
    push[:, CONSTANT, 0] = push[:, SLOPED, 1] = 1.0
    push[:, LOAD, :4] = -load
    h = lengths[:, None]
    for n in range(degrees - 1):
        w, psi, m, v = (pieces[:, :, k, n] for k in range(4))
        step = h / (n + 1.0)
        pieces[:, :, W, n + 1] = step * (psi + c[:, None] * v)
        pieces[:, :, PSI, n + 1] = -step * m / EI[:, None]
        pieces[:, :, M, n + 1] = step * v
        pieces[:, :, V, n + 1] = step * (bed[:, None] * w + push[:, :, n])
    return pieces


def load_polynomials(load: Load, nodes: np.ndarray) -> np.ndarray:
    """The load (N/m) over each piece as a cubic in t through its values at Gauss points."""
    if not callable(load):
        powers = np.zeros((nodes.size - 1, 4))
        powers[:, 0] = checks.finite("load", load, "N/m")
        return powers
    places = nodes[:-1, None] + np.diff(nodes)[:, None] * POINTS
    return sample_load(load, places) @ TO_POWERS.T


def sample_load(load: Load, places: np.ndarray) -> np.ndarray:
    """The load (N/m) at positions (m)."""
    if callable(load):
        return checks.finite_array("load", call_function("load", load, places), unit="N/m")
    return np.full(places.shape, checks.finite("load", load, "N/m"))


def longest_element(beam: BeamDescription) -> float:
    """The longest element (m) of a coarse mesh on a foundation."""
    bedded = [one for one in beam.segments if one.foundation]
    return min(
        ((COARSE_BED * one.bending_stiffness / one.foundation) ** 0.25 for one in bedded), default=np.inf
    )


def nearest_node(nodes: np.ndarray, place: float) -> int:
    """Index of the node at a position."""
    return int(np.argmin(np.abs(nodes - place)))


def find_elements(nodes: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Elements that contain positions, and t = 0 to 1 along them."""
    element = np.clip(np.searchsorted(nodes, places, side="right") - 1, 0, nodes.size - 2)
    return element, (places - nodes[element]) / np.diff(nodes)[element]


def nearest_nodes(nodes: np.ndarray, places: Iterable[float]) -> list[int]:
    """Indices of the nodes at positions."""
    return [nearest_node(nodes, place) for place in places]


def sum_at_nodes(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Sums at the nodes of contributions of elements at their left and right ends."""
    return np.r_[left, 0.0] + np.r_[0.0, right]


def spread_nodes(beam: BeamDescription, elements: ArrayLike, marks: Sequence[float] = ()) -> np.ndarray:
    """Positions of nodes (m): `elements` of about equal length, or the positions themselves.

    Ends of segments and the `marks` (point forces, steps of the obstacle) become nodes.
    """
    inner = [place_on("place", float(x), beam.length) for x in marks]
    marked = np.unique(np.r_[beam.ends, inner])
    marked = marked[np.r_[True, np.diff(marked) > 1e-9 * beam.length]]
    if isinstance(elements, list | tuple) or (isinstance(elements, np.ndarray) and elements.ndim):
        given = checks.finite_array("elements", elements, unit="m")
        if given.ndim != 1 or given.size < 2 or not (np.diff(given) > 0.0).all():
            raise InputError("elements must be a number, or the increasing positions of at least two nodes.")
        if abs(given[0]) > 1e-9 * beam.length or abs(given[-1] - beam.length) > 1e-9 * beam.length:
            raise InputError(
                f"elements extend from {given[0]} to {given[-1]} m, the beam from 0 to {beam.length} m."
            )
        after = np.clip(np.searchsorted(marked, given), 1, marked.size - 1)
        distance = np.minimum(np.abs(given - marked[after - 1]), np.abs(given - marked[after]))
        return np.sort(np.r_[given[distance > 1e-9 * beam.length], marked])  # nodes next to a mark are it
    total = checks.count("elements", elements, marked.size - 1, MOST_ELEMENTS)
    spans = np.diff(marked)
    counts = 1 + np.floor(spans / spans.sum() * (total - spans.size)).astype(int)
    while counts.sum() < total:
        counts[np.argmax(spans / counts)] += 1
    return divide_spans(marked, counts)
