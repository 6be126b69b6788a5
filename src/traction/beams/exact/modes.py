"""Natural modes of a beam: roots of det K(omega) = 0, and shapes exact to rounding at any position.

Frequencies below a given one are counted (Wittrick and Williams 1971), so that none is missed and each is
found by its number; those that bisection has separated are refined by inverse iteration. As
K(lambda + mu) = K - mu M, a shape x at lambda has its root at lambda + (x'K x)/(x'M x), with an error of the
third order, and x'M x is its modal mass, the integral of m w^2 + rho I psi^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from traction import checks
from traction.beams.beam_description import BeamDescription, BeamFields, Segment, Support
from traction.beams.exact.dynamic_stiffness import BeamShape, PartChain, factor_band, multiply_band
from traction.beams.exact.kernels.beam_parts import DEGREE
from traction.errors import ConvergenceError
from traction.integrators.core.matrices import SingularError
from traction.outputs.beam_result import SHAPE_PLACES, BeamResult, places_axis
from traction.outputs.variable import Variable, counter, data, figure
from traction.quantities import counted

DIRECTION_FROM = 0.3  #: of its largest deflection, from which a shape's sign is seen
CLOSE = 1e-7  #: relative distance of frequencies that are refined together
APART = 0.1  #: width of the interval of one frequency, against itself, from which it is refined
MAX_ITERATIONS = 30
MAX_HALVINGS = 200
MAX_STRAYED = 4  #: estimates outside the interval, after which it is halved
MAX_DOUBLINGS = 100  #: of the frequencies between which all lie
ROUNDING = 1e-14
UNEQUAL = (
    "spans, sections or springs of the beam differ by more than double precision resolves. Join very short "
    "spans, and make very stiff springs rigid."
)
SETTLED = 1e-11  #: relative change of a square, twice, after which a shape is exact to rounding


@dataclass(frozen=True, eq=False, repr=False)
class Modes(BeamResult, BeamFields):
    """Natural modes of a beam, orthonormal: the integral of m w_i w_j + rho I psi_i psi_j is 1 or 0.

    Fields are (modes, shape of x), deflections in 1/sqrt(kg): a mode moves by w(x, t) = q(t) w_i(x), where
    q'' + omega^2 q is the work of the forces on w_i.
    """

    _rows, _drawn = ("mode",), "deflection"

    frequencies: np.ndarray  #: natural frequencies omega, rad/s, ascending; zero for rigid-body motions
    shapes: tuple[BeamShape, ...]  #: mode shapes

    def _headline(self) -> str:
        return counted(len(self), "mode")

    @property
    def length(self) -> float:
        """Length of the beam, m."""
        return float(self.shapes[0].breaks[-1]) if self.shapes else 0.0

    def _default_places(self) -> np.ndarray:
        return np.linspace(0.0, self.length, SHAPE_PLACES)

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        for k, omega in enumerate(self.frequencies[:3]):
            yield figure(f"frequency_{k + 1}", omega / (2.0 * np.pi), "Hz", f"frequency of mode {k + 1}")
        yield counter("mode", len(self), "number of the mode")
        yield places_axis(x)
        yield data("angular_frequency", self.frequencies, "rad/s", "natural angular frequency", "mode")
        yield data("frequency", self.frequencies / (2.0 * np.pi), "Hz", "natural frequency", "mode")
        for name, unit in (("deflection", "kg^-1/2"), ("moment", "N kg^-1/2")):
            yield data(name, getattr(self, name)(x), unit, f"{name} of the mode", "mode", "x")

    def __len__(self) -> int:
        return len(self.shapes)

    def slope(self, x: ArrayLike) -> np.ndarray:
        """Return the slope w' of each mode at positions `x` (m)."""
        return self._sample("slope", x)

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        if not self.shapes:
            return np.zeros((0, *places.shape))
        return np.array([shape.at(quantity, places) for shape in self.shapes])


def natural_modes(beam: BeamDescription, n: int) -> Modes:
    """The n lowest modes; the most recent are cached."""
    return _find_modes(beam.segments, beam.supports, n)


@lru_cache(maxsize=16)
def _find_modes(segments: tuple[Segment, ...], supports: tuple[Support, ...], n: int) -> Modes:
    beam = BeamDescription(segments, supports)
    rigid = rigid_motions(beam)[:n]
    found = find_frequencies(beam, len(rigid), n - len(rigid)) if n > len(rigid) else []
    omega = np.r_[np.zeros(len(rigid)), np.sqrt([one.square for one in found])]
    return Modes(omega, (*rigid, *(_make_elastic_shape(one) for one in found)))


def rigid_motions(beam: BeamDescription) -> list[BeamShape]:
    """Orthonormal rigid-body motions a + b x that nothing resists."""
    chain = PartChain(beam, np.ones(len(beam.segments), dtype=np.int64))
    ends, total = chain.table[:, 0], chain.table[-1, 0]
    hinders = [(1.0, x / total) for x, held in zip(ends, beam.supports, strict=True) if held.deflection]
    hinders += [(0.0, 1.0) for held in beam.supports if held.rotation]
    if any(segment.foundation for segment in beam.segments):
        hinders += [(1.0, 0.0), (0.0, 1.0)]
    _, sizes, directions = np.linalg.svd(np.linalg.qr(np.array([(0.0, 0.0), *hinders]), mode="r"))
    rank = int((sizes > 1e-12).sum())
    mass = _integrate_rigid_mass(beam)
    motions: list[np.ndarray] = []
    for a, b in directions[rank:]:
        motion = np.array((a, b / total))
        for other in motions:
            motion = motion - (other @ mass @ motion) * other
        motions.append(motion / np.sqrt(motion @ mass @ motion))
    return [_make_rigid_shape(motion, chain) for motion in motions]


def _integrate_rigid_mass(beam: BeamDescription) -> np.ndarray:
    """Mass matrix of the motions 1 and x."""
    total, ends = np.zeros((2, 2)), beam.ends
    for segment, a, b in zip(beam.segments, ends[:-1], ends[1:], strict=True):
        first, second = 0.5 * (b**2 - a**2), (b**3 - a**3) / 3.0
        total += segment.mass_per_length * np.array(((b - a, first), (first, second)))
        total[1, 1] += segment.rotary_inertia * (b - a)
    return total


def _make_rigid_shape(motion: np.ndarray, chain: PartChain) -> BeamShape:
    """The motion a + b x, with positive (downward) start."""
    a, b = motion if motion[0] >= 0.0 else -motion
    places = chain.table[:, 0]
    pieces = np.zeros((len(chain.counts), 4, DEGREE))
    pieces[:, 0, 0] = a + b * (0.5 * (places[1:] + places[:-1]))
    pieces[:, 0, 1] = b * chain.sections[:, 5]
    pieces[:, 1, 0] = b
    return BeamShape(pieces, chain.table)


def _make_elastic_shape(found: NaturalFrequency) -> BeamShape:
    """The shape of a mode, with positive (downward) start."""
    chain = found.chain
    starts = chain.states(found.displacement, found.square)
    shape = BeamShape.from_states(chain, found.square, np.zeros(len(chain.counts)), starts)
    values = shape.pieces[:, 0, 0]
    seen = np.flatnonzero(np.abs(values) >= DIRECTION_FROM * np.abs(values).max())
    sign = 1.0 if values[seen[0]] > 0.0 else -1.0
    return BeamShape(sign * shape.pieces, shape.table)


@dataclass(frozen=True, eq=False)
class NaturalFrequency:
    """A natural frequency and the displacements of the nodes, with modal mass 1."""

    square: float  #: omega^2, 1/s^2
    chain: PartChain
    displacement: np.ndarray


def find_frequencies(beam: BeamDescription, first: int, n: int) -> list[NaturalFrequency]:
    """The n lowest frequencies after the `first` ones, which are rigid-body motions."""
    search = _FrequencySearch(beam)
    low, high = search.bounds(first, first + n)
    roots: list[NaturalFrequency] = []
    intervals = [(low, first, high, search.count(high))]
    halvings = 0
    while intervals and len(roots) < n:
        a, below, b, above = intervals.pop()
        if above == below:
            continue
        halvings += 1
        if halvings > MAX_HALVINGS * (n + 1):
            raise ConvergenceError(f"{n} frequencies were not separated; {len(roots)} were found.", roots)
        narrow = b - a <= CLOSE * b
        if narrow or (above - below == 1 and b - a <= APART * b):
            found = search.refine(a, b, above - below)
            if found is not None:
                roots += found
                continue
            if narrow:
                raise ConvergenceError(
                    f"the frequencies near {b:.9g} rad/s could not be refined: {UNEQUAL}", roots
                )
        middle = 0.5 * (a + b)
        between = search.count(middle)
        intervals += [(middle, between, b, above), (a, below, middle, between)]
    return roots[:n]


@dataclass(frozen=True)
class _FrequencySearch:
    """Counts and refinement, by frequency omega (rad/s)."""

    beam: BeamDescription

    def count(self, omega: float) -> int:
        return PartChain.at(self.beam, omega**2).frequencies_below(omega**2)

    def bounds(self, first: int, last: int) -> tuple[float, float]:
        """Frequencies with `first` and at least `last` natural frequencies below them."""
        total = sum(segment.length for segment in self.beam.segments)
        low = high = min(
            (segment.bending_stiffness / segment.mass_per_length) ** 0.5 / total**2
            for segment in self.beam.segments
        )
        for _ in range(MAX_DOUBLINGS):
            if self.count(low) <= first:
                break
            low *= 0.25
        else:
            raise ConvergenceError(f"the frequencies could not be counted: {UNEQUAL}")
        for _ in range(MAX_DOUBLINGS):
            if self.count(high) >= last:
                return low, high
            high *= 2.0
        raise ConvergenceError(f"the frequencies could not be counted: {UNEQUAL}")

    def refine(self, low: float, high: float, multiplicity: int) -> list[NaturalFrequency] | None:
        """Frequencies between the two, or None where the iteration leaves the interval."""
        chain, square = PartChain.at(self.beam, high**2), (0.5 * (low + high)) ** 2
        x = np.random.default_rng(0).standard_normal((chain.size, multiplicity))
        x[chain.held] = 0.0
        moves, strayed = [np.inf], 0
        for _ in range(MAX_ITERATIONS):
            K, M = chain.bands(square)
            try:
                x = factor_band(K)(multiply_band(M, x))
            except SingularError:
                square *= 1.0 + ROUNDING
                continue
            x /= np.abs(x).max(axis=0)
            stiffness, mass = x.T @ multiply_band(K, x), x.T @ multiply_band(M, x)
            distances, turn = eigh(0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T))
            x, squares = x @ turn, square + distances
            if (squares < low**2 * (1.0 - CLOSE)).any() or (squares > high**2 * (1.0 + CLOSE)).any():
                strayed += 1  # the vectors hold little of the shapes yet: from the same place, they gain more
                if strayed > MAX_STRAYED:
                    return None
                continue
            moves.append(abs(float(distances.mean())))
            square = float(squares.mean())
            if max(moves[-2:]) <= SETTLED * square:
                break
        if moves[-1] > CLOSE * square:
            return None
        return [NaturalFrequency(float(value), chain, x[:, k]) for k, value in enumerate(squares)]
