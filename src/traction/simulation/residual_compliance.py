"""What the modes left out give way under a wheel: R(s) = G(s, s) - sum_i phi_i(s)^2/omega_i^2, m/N.

G(s, s) is the deflection of the whole beam at s under 1 N there (see `flexibility` for beams that can move as
a whole). It is smooth within each segment, a polynomial of degree 6 in the theory of Euler and Bernoulli, and
told by Chebyshev's. Wheels further apart than half a wave of the last mode kept hardly feel each other's R,
so that each feels its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.polynomial import Chebyshev

from traction.beams.beam import Beam
from traction.beams.influence import influence_line
from traction.simulation.bridge import ModalBridge, modal_bridge
from traction.simulation.cross_kernels import shape_rows
from traction.simulation.flexibility import flexibility
from traction.simulation.schedule import Schedule

DEGREES = (8, 16, 32, 64, 128)
CLOSE = 1e-11  #: of the largest G, its error between the nodes
BETWEEN = np.array([0.137, 0.661])  #: where that is looked at


@dataclass(frozen=True, eq=False)
class ResidualCompliance:
    """Of a beam whose lowest modes are kept."""

    bridge: ModalBridge
    shares: np.ndarray  #: of the modes kept, s^2
    whole: tuple[tuple[Chebyshev, Chebyshev], ...]  #: G of the segments and its derivative

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """R and dR/ds at places x (m) of any shape; zero off the beam."""
        places = np.ascontiguousarray(x, dtype=float).ravel()
        rows, slopes = np.empty((2, places.size, self.shares.size))
        shape_rows(self.bridge, places, rows, slopes)
        value, slope = -(rows**2) @ self.shares, -2.0 * (rows * slopes) @ self.shares
        ends = self.bridge.ends
        on = (places >= ends[0]) & (places <= ends[-1])
        segment = np.clip(np.searchsorted(ends, places, side="right") - 1, 0, len(self.whole) - 1)
        for k, (line, rate) in enumerate(self.whole):
            here = on & (segment == k)
            value[here] += line(places[here])
            slope[here] += rate(places[here])
        gives = on & (value > 0.0)  # at rigid supports rounding is all there is
        shape = np.shape(x)
        return np.where(gives, value, 0.0).reshape(shape), np.where(gives, slope, 0.0).reshape(shape)

    def in_steps(self, times: Schedule, behind: np.ndarray) -> np.ndarray:
        """R under wheels at both ends of all steps, zero in those off the beam, (steps, 2, wheels)."""
        places = times.travel.place(times.fine)[:, None] - behind
        middles = 0.5 * (places[1:] + places[:-1])
        on = (middles >= self.bridge.ends[0]) & (middles <= self.bridge.ends[-1])
        # a passage is the end of a step, to rounding
        R = self.at(np.clip(places, self.bridge.ends[0], self.bridge.ends[-1]))[0]
        return np.ascontiguousarray(np.where(on[:, None], np.stack((R[:-1], R[1:]), axis=1), 0.0))


@lru_cache(maxsize=16)
def residual_compliance(beam: Beam, size: int) -> ResidualCompliance:
    """Of all modes but the lowest `size`."""
    bridge = modal_bridge(beam, size)
    known = flexibility(beam, bridge.omega)
    return ResidualCompliance(bridge, known.of_modes, _whole(beam, known.shifts))


@lru_cache(maxsize=16)
def _whole(beam: Beam, shifts: tuple[tuple[float, float], ...]) -> tuple[tuple[Chebyshev, Chebyshev], ...]:
    def under(x: np.ndarray) -> np.ndarray:
        return np.array([sum(f * _own(beam, float(one), square) for f, square in shifts) for one in x])

    lines = [_smooth(under, start, end) for start, end in pairwise(beam.ends.tolist())]
    return tuple((line, line.deriv()) for line in lines)


def _own(beam: Beam, x: float, square: float) -> float:
    return float(influence_line(beam, "deflection", x, square=square).at(np.array([x]))[0])


def _smooth(function: Callable[[np.ndarray], np.ndarray], start: float, end: float) -> Chebyshev:
    """A polynomial that meets the function within a segment.

    Of degrees, the first that is close; or the best, where rounding of forces beside an end that is free to
    move makes higher ones worse.
    """
    at = start + (end - start) * BETWEEN
    values, best, least = function(at), None, np.inf
    for degree in DEGREES:
        found = Chebyshev.interpolate(function, degree, domain=[start, end])
        error = float(np.abs(found(at) - values).max() / np.abs(found.coef).max())
        if error < least:
            best, least = found, error
        if error <= CLOSE or error > least:
            break
    assert best is not None
    return best
