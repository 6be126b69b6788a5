"""Exact natural frequencies and shapes of a beam: roots of det K(omega) = 0.

Frequencies below a given one are counted (Wittrick and Williams 1971), so that none is missed and each is
found by its number; those that halving has set apart are refined by inverse iteration. As
K(lambda + mu) = K - mu M, a shape x at lambda has its root at lambda + (x'K x)/(x'M x), with an error of the
third order, and x'M x is its modal mass, the integral of m w^2 + rho I psi^2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from traction.beams.beam_description import BeamDescription
from traction.beams.exact.dynamic_stiffness import PartChain, factor_band, multiply_band
from traction.errors import ConvergenceError
from traction.integrators.core.matrices import SingularError

CLOSE = 1e-7  #: relative distance of frequencies that are refined together
APART = 0.1  #: width of the interval of one frequency, against itself, from which it is refined
MAX_ITERATIONS = 30
MAX_HALVINGS = 200
MAX_STRAYED = 4  #: estimates outside the interval, after which it is halved
MAX_DOUBLINGS = 100  #: of the frequencies between which all lie
ROUNDING = 1e-14
UNEQUAL = (
    "spans, sections or springs of the beam differ by more than rounding leaves room for. Join spans that "
    "are very short, and make springs that are very stiff rigid."
)
SETTLED = 1e-11  #: relative change of a square, twice, after which a shape is exact to rounding


@dataclass(frozen=True, eq=False)
class NaturalFrequency:
    """A natural frequency and the displacements of the nodes, with modal mass 1."""

    square: float  #: omega^2, 1/s^2
    chain: PartChain
    displacement: np.ndarray


def find_frequencies(beam: BeamDescription, first: int, n: int) -> list[NaturalFrequency]:
    """The n lowest frequencies after the `first` ones, which are motions of the rigid beam."""
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
            raise ConvergenceError(f"{n} frequencies were not set apart; {len(roots)} were found.", roots)
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
        """Frequencies below which `first` and at least `last` others lie."""
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
