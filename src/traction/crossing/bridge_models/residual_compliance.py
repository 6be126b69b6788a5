"""Compliance of the neglected modes under a wheel: R(s) = G(s, s) - sum_i phi_i(s)^2/omega_i^2, m/N.

G(s, s) is the deflection of the whole beam at s under 1 N there (see `residual_flexibility` for beams with
rigid-body motions). It is smooth within each segment, a polynomial of degree 6 for Euler-Bernoulli, and
interpolated by Chebyshev polynomials. Wheels further apart than half a wave of the last mode kept hardly
feel each other's R, so that each feels its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.polynomial import Chebyshev

from traction.beams.beam import Beam
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.kernels.mode_shapes import residual_rows
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.schedule import Schedule
from traction.errors import ConvergenceError

DEGREES = (6, 12, 24, 48, 96)
CLOSE = 1e-11  #: of the largest G, its error between the nodes
FAR_OFF = 1e-2  #: likewise, above which a line is useless
BETWEEN = np.array([0.137, 0.661])  #: where that is checked


@dataclass(frozen=True, eq=False)
class ResidualCompliance:
    """Residual compliance of a beam whose lowest modes are kept."""

    bridge: ModalBridge
    shares: np.ndarray  #: of the modes kept, s^2
    lines: np.ndarray  #: G of the segments by Chebyshev's coefficients, (segments, terms)

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """R and dR/ds at positions x (m) of any shape; zero outside the beam."""
        places = np.ascontiguousarray(x, dtype=float).ravel()
        found = np.empty((places.size, 2))
        residual_rows(self.bridge, self.lines, self.shares, places, found)
        return found[:, 0].reshape(np.shape(x)), found[:, 1].reshape(np.shape(x))

    def in_steps(self, times: Schedule, behind: np.ndarray, around: np.ndarray) -> np.ndarray:
        """R under wheels at both ends of all steps, zero in those outside the beam, (steps, 2, wheels).

        `around` (m, (wheels, 2)) both ends of the beam wheels over the ground may press on them.
        """
        places = times.travel.place(times.fine)[:, None] - behind
        middles = 0.5 * (places[1:] + places[:-1])
        first, last = self.bridge.ends[[0, -1]]
        on = (middles >= first - around[:, 0]) & (middles <= last + around[:, 1])
        # a passage is the end of a step, to rounding
        R = self.at(np.clip(places, first, last))[0]
        return np.ascontiguousarray(np.where(on[:, None], np.stack((R[:-1], R[1:]), axis=1), 0.0))


@lru_cache(maxsize=16)
def residual_compliance(beam: Beam, size: int) -> ResidualCompliance:
    """Residual compliance of all modes but the lowest `size`."""
    flexibility = ResidualFlexibility.of(beam, size)
    return ResidualCompliance(modal_bridge(beam, size), flexibility.of_modes, _whole_beam(flexibility))


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
