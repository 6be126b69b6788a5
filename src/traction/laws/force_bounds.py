"""Pieces of a contact law between two solved approaches, from bounds on its force.

The contact of a half space grows with the approach, and with it the stiffness S = dF/d(approach): the force
is convex, between the chord of two solved approaches a < b and their tangents, which meet at c. While no
element enters, pressures and force are linear: the force on a grid is a polygon whose corners are where
elements enter. Two tests accept an interval without another solution:

1. At c the chord is above the tangents by less than the tolerance. The parabola through both forces whose
   integral is the energy taken up, E(b) - E(a), lies between them.
2. The tangents alone take up that energy but for e. Since S is at most S(b), the force is above the tangents
   by h = sqrt(e (S(b) - S(a))) at most: with h within the tolerance, c is the only corner.

Otherwise the contact at c is solved, and both parts are treated likewise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

TOLERANCE = 1e-6  #: of the force, largest error of a piece
NARROW = 1e-6  #: of an approach: energies of narrower pieces have too few digits for a parabola
MOST_SOLVED = 2000  #: in one interval


class SolvedApproach(NamedTuple):
    """A contact as solved at an approach."""

    approach: float  #: counted from gap zero, m
    force: float  #: N
    stiffness: float  #: dF/d(approach), N/m
    energy: float  #: J
    peak: float  #: largest pressure, Pa
    peak_rate: float  #: its derivative by the approach, Pa/m
    area: float  #: of the contact, m2


class ForcePiece(NamedTuple):
    """Force and patch from an approach to that of the next piece."""

    begins: float  #: counted from gap zero, m
    force: float  #: there, N
    slope: float  #: N/m
    bend: float  #: half of the second derivative, N/m2
    energy: float  #: J
    peak: float  #: largest pressure, Pa
    peak_slope: float  #: Pa/m
    area: float  #: of the contact, m2
    area_slope: float  #: m


Solve = Callable[[float], SolvedApproach]


class NotConvexError(Exception):
    """The force of a law does not lie within its bounds."""


def divide_interval(low: SolvedApproach, high: SolvedApproach, solve: Solve) -> list[ForcePiece]:
    """Pieces from one solved approach to a higher one; `solve` is called from low to high or between."""
    pieces, waiting, end = [], [high], low
    for _ in range(MOST_SOLVED):
        found = accepted_pieces(end, waiting[-1])
        if found is None:
            waiting.append(solve(_meeting_point(end, waiting[-1])))
            continue
        pieces += found
        end = waiting.pop()
        if not waiting:
            return pieces
    raise NotConvexError(f"more than {MOST_SOLVED} solutions between {low.approach} and {high.approach} m")


def accepted_pieces(a: SolvedApproach, b: SolvedApproach) -> list[ForcePiece] | None:
    """One or two pieces between solved approaches; None if the contact between them has to be solved."""
    t, width = _meeting_point(a, b) - a.approach, b.approach - a.approach
    corner = a.force + a.stiffness * t
    limit, gained = TOLERANCE * corner, b.stiffness - a.stiffness
    chord = (b.force - a.force) / width
    if abs(chord - a.stiffness) * t <= limit and abs(b.stiffness - chord) * (width - t) <= limit:
        return [_parabola(a, b, area_slope=(b.area - a.area) / width)]
    if gained <= 0.0:
        return None
    rest = width - t
    taken = t * (a.force + 0.5 * a.stiffness * t) + rest * (b.force - 0.5 * b.stiffness * rest)
    if math.sqrt(abs(b.energy - a.energy - taken) * gained) > limit:
        return None
    middle = SolvedApproach(
        a.approach + t, corner, b.stiffness, a.energy + t * (a.force + 0.5 * a.stiffness * t),
        a.peak + a.peak_rate * t, b.peak_rate, b.area,
    )  # fmt: skip
    return [_parabola(a, middle, area_slope=0.0), _parabola(middle, b, area_slope=0.0)]


def _meeting_point(a: SolvedApproach, b: SolvedApproach) -> float:
    """Approach at which the tangents of both meet; the middle where they do not meet between them."""
    width, gained = b.approach - a.approach, b.stiffness - a.stiffness
    t = (b.stiffness * width - (b.force - a.force)) / gained if gained > 0.0 else math.nan
    return a.approach + (t if 0.0 < t < width else 0.5 * width)


def _parabola(a: SolvedApproach, b: SolvedApproach, area_slope: float) -> ForcePiece:
    """Through both forces, with the energy taken up between them as its integral."""
    width = b.approach - a.approach
    chord, below = (b.force - a.force) / width, 0.0
    if width > NARROW * b.approach:
        below = 6.0 * (0.5 * (a.force + b.force) - (b.energy - a.energy) / width)
    return ForcePiece(
        a.approach, a.force, chord - below / width, below / (width * width), a.energy, a.peak,
        (b.peak - a.peak) / width, a.area, area_slope,
    )  # fmt: skip
