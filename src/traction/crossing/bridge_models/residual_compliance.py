"""Compliance of the neglected modes under wheels, C(s, t) = G(s, t) - sum_i phi_i(s) phi_i(t)/omega_i^2, m/N.

G(s, t) is the deflection of the whole beam at s under 1 N at t (see `residual_flexibility` for beams with
rigid-body motions). R(s) = C(s, s), that of a wheel under itself, is smooth within each segment, a polynomial
of degree 6 for Euler-Bernoulli, and interpolated by Chebyshev polynomials. That of a wheel under another one
is smooth for s and t in two segments; within one, where its third derivative jumps at s = t, it is so in s
and tau = t/s, t < s being measured from the start of the segment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.polynomial import Chebyshev

from traction.beams.beam import Beam
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.kernels.mode_shapes import residual_pairs, residual_rows, shape_rows
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.packed_train import Schedule
from traction.errors import ConvergenceError

DEGREES = (6, 12, 24, 48, 96)
CLOSE = 1e-11  #: of the largest G, its error between the nodes
FAR_OFF = 1e-2  #: likewise, above which a line is useless
BETWEEN = np.array([0.137, 0.661])  #: where that is checked


class FeltCompliance(NamedTuple):
    """Residual compliance under the wheels of a train in all steps of a march, m/N."""

    own: np.ndarray  #: R at both ends of each step, zero in those outside the beam, (steps, 2, wheels)
    pairs: np.ndarray  #: of wheels that are on the beam at the same time, (pairs, 2)
    mutual: np.ndarray  #: C of these at the ends of steps, (times, pairs)

    @classmethod
    def none(cls, steps: int, wheels: int) -> FeltCompliance:
        """Zero compliance, for a bridge that neglects no modes."""
        no_pairs = np.zeros((0, 2), dtype=np.int64)
        return cls(np.zeros((steps, 2, wheels)), no_pairs, np.zeros((steps + 1, 0)))

    def between(self, low: int, high: int) -> FeltCompliance:
        """The compliance from step `low` to before `high`."""
        return FeltCompliance(self.own[low:high], self.pairs, self.mutual[low : high + 1])


@dataclass(frozen=True, eq=False)
class ResidualCompliance:
    """Residual compliance of a beam whose lowest modes are kept."""

    bridge: ModalBridge
    shares: np.ndarray  #: of the modes kept, s^2
    lines: np.ndarray  #: G(s, s) of the segments by Chebyshev's coefficients, (segments, terms)
    flexibility: ResidualFlexibility

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """R and dR/ds at positions x (m) of any shape; zero outside the beam."""
        places = np.ascontiguousarray(x, dtype=float).ravel()
        found = np.empty((places.size, 2))
        residual_rows(self.bridge, self.lines, self.shares, places, found)
        return found[:, 0].reshape(np.shape(x)), found[:, 1].reshape(np.shape(x))

    @cached_property
    def mutual(self) -> np.ndarray:
        """G(s, t) for t < s by Chebyshev's coefficients, (segments of s, segments of t, terms, terms)."""
        ends, terms = self.bridge.ends, self.lines.shape[1]
        nodes = np.polynomial.chebyshev.chebpts1(terms)
        found = np.zeros((ends.size - 1, ends.size - 1, terms, terms))
        for a, (start, end) in enumerate(pairwise(ends.tolist())):
            for i, s in enumerate((start + 0.5 * (end - start) * (nodes + 1.0)).tolist()):
                own = self.flexibility.lines("deflection", s)
                for b, (first, last) in enumerate(pairwise(ends[: a + 2].tolist())):
                    t = first + 0.5 * ((s if a == b else last) - first) * (nodes + 1.0)
                    found[a, b, i] = sum(factor * line.at(t) for factor, line in own)
        to_terms = np.linalg.inv(np.polynomial.chebyshev.chebvander(nodes, terms - 1))
        return np.ascontiguousarray(to_terms @ found @ to_terms.T)

    def between(self, places: np.ndarray, on: np.ndarray, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """R of wheels `on` the beam at places (m, (times, wheels)), and C of pairs, (times, pairs)."""
        own, found = np.empty(places.shape), np.empty((len(places), len(pairs)))
        tables = self.lines, self.mutual
        residual_pairs(self.bridge, tables, self.shares, places, on, pairs, own, found)
        return own, found

    def between_wheels(self, places: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        """C of pairs of wheels at places (m, (times, wheels)), and its slope as all move, (2, times, pairs).

        Zero where one of a pair is outside the beam.
        """
        ends = self.bridge.ends
        on = (places >= ends[0]) & (places <= ends[-1])
        both = on[:, pairs[:, 0]] & on[:, pairs[:, 1]]
        found = np.zeros((2, *both.shape))
        if not both.any():
            return found
        found[0] = self.between(np.ascontiguousarray(places), on, pairs)[1]
        one, two = (places[:, pairs[:, end]][both] for end in range(2))
        found[1][both] = self._turning(np.maximum(one, two), np.minimum(one, two))
        return np.where(both, found, 0.0)

    def _turning(self, s: np.ndarray, t: np.ndarray) -> np.ndarray:
        """dC/ds + dC/dt at places t <= s (m)."""
        ends, chebyshev = self.bridge.ends, np.polynomial.chebyshev
        a, b = (np.clip(np.searchsorted(ends, x, side="right") - 1, 0, ends.size - 2) for x in (s, t))
        same, start = a == b, ends[b]
        width = np.maximum(np.where(same, s, ends[b + 1]) - start, np.finfo(float).tiny)
        u = 2.0 * (s - ends[a]) / (ends[a + 1] - ends[a]) - 1.0
        part = np.where(width > CLOSE * ends[-1], (t - start) / width, 0.0)
        v, moved = 2.0 * part - 1.0, np.where(width > CLOSE * ends[-1], 2.0 / width, 0.0)
        terms, degree = self.mutual[a, b], self.mutual.shape[2] - 1
        along = chebyshev.chebder(terms, axis=1)
        across = chebyshev.chebder(terms, axis=2)
        U, W = chebyshev.chebvander(u, degree), chebyshev.chebvander(v, degree)
        by_s = np.einsum("pn,pnm,pm->p", U[:, :-1], along, W) * 2.0 / (ends[a + 1] - ends[a])
        by_t = np.einsum("pn,pnm,pm->p", U, across, W[:, :-1]) * moved * np.where(same, 1.0 - part, 1.0)
        (ws, dws), (wt, dwt) = self._shapes(s), self._shapes(t)
        return np.asarray(by_s + by_t - (dws * wt + ws * dwt) @ self.shares)

    def _shapes(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Modes and their slopes at places (m), (places, modes)."""
        values, slopes = np.empty((2, x.size, self.bridge.omega.size))
        shape_rows(self.bridge, x, values, slopes)
        return values, slopes

    def in_steps(self, times: Schedule, behind: np.ndarray, around: np.ndarray) -> FeltCompliance:
        """Residual compliance under the wheels of a train in all steps.

        `around` (m, (wheels, 2)) both ends of the beam wheels over the ground may press on them.
        """
        places = times.travel.place(times.fine)[:, None] - behind
        middles = 0.5 * (places[1:] + places[:-1])
        first, last = self.bridge.ends[[0, -1]]
        on = (middles >= first - around[:, 0]) & (middles <= last + around[:, 1])
        inside = np.clip(places, first, last)  # a passage is the end of a step, to rounding
        met = on.T.astype(np.float32) @ on.astype(np.float32) > 0.0  # on the beam in one of the steps
        pairs = np.ascontiguousarray(np.argwhere(np.triu(met, 1)))
        if len(pairs):
            never = np.zeros((1, on.shape[1]), dtype=np.bool_)
            R, mutual = self.between(inside, np.concatenate([never, on]) | np.concatenate([on, never]), pairs)
        else:
            R, mutual = self.at(inside)[0], np.zeros((len(inside), 0))
        own = np.where(on[:, None], np.stack((R[:-1], R[1:]), axis=1), 0.0)
        return FeltCompliance(np.ascontiguousarray(own), pairs, mutual)


@lru_cache(maxsize=16)
def residual_compliance(beam: Beam, size: int) -> ResidualCompliance:
    """Residual compliance of all modes but the lowest `size`."""
    flexibility = ResidualFlexibility.of(beam, size)
    lines = _whole_beam(flexibility)
    return ResidualCompliance(modal_bridge(beam, size), flexibility.of_modes, lines, flexibility)


def _whole_beam(flexibility: ResidualFlexibility) -> np.ndarray:
    """G(s, s) of all segments, (segments, terms)."""
    beam = flexibility.beam

    def under(x: np.ndarray) -> np.ndarray:
        lines = [(one, flexibility.lines("deflection", one)) for one in x.tolist()]
        return np.array([sum(f * float(line.at(np.array([s]))[0]) for f, line in own) for s, own in lines])

    lines = [_smooth(under, start, end).coef for start, end in pairwise(beam.ends.tolist())]
    found = np.zeros((len(lines), max(line.size for line in lines)))
    for k, line in enumerate(lines):
        found[k, : line.size] = line
    return found


def _smooth(function: Callable[[np.ndarray], np.ndarray], start: float, end: float) -> Chebyshev:
    """A polynomial that meets the function within a segment, of the first degree that is close."""
    at = start + (end - start) * BETWEEN
    values = function(at)
    for degree in DEGREES:
        found = Chebyshev.interpolate(function, degree, domain=[start, end])
        error = float(np.abs(found(at) - values).max() / np.abs(found.coef).max())
        if error <= CLOSE:
            break
    if not error <= FAR_OFF:  # also where it is NaN
        raise ConvergenceError(
            f"the residual compliance between x = {start:.6g} and {end:.6g} m is not a smooth function "
            f"(error {error:.1e}); use residual=False and more modes."
        )
    return found
