"""`BeamDescription`: what a beam is made of and how it is held, as all solvers take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.beams.damping import Damping
from traction.beams.segment import Segment
from traction.beams.supports import Support
from traction.errors import InputError


@dataclass(frozen=True)
class BeamDescription:
    """Segments end to end, supports at their ends, and damping."""

    segments: tuple[Segment, ...]
    supports: tuple[Support, ...]  #: at the ends of the segments
    damping: Damping = 0.0

    @property
    def length(self) -> float:
        """Of all segments, m."""
        return float(self.ends[-1])

    @property
    def ends(self) -> np.ndarray:
        """Places of the ends of the segments, m."""
        return np.r_[0.0, np.cumsum([segment.length for segment in self.segments])]

    @property
    def mass(self) -> float:
        """Of the whole beam, kg."""
        return sum(segment.mass_per_length * segment.length for segment in self.segments)

    @property
    def sections(self) -> np.ndarray:
        """EI, m, 1/kGA, rho I and k of the segments, (segments, 5)."""
        return np.array([segment.section for segment in self.segments])

    @property
    def shears(self) -> bool:
        """Whether any segment has a shear compliance: Timoshenko's theory."""
        return any(segment.shear_compliance for segment in self.segments)

    def segment_at(self, x: float) -> Segment:
        """The one at a place."""
        place = place_on("x", x, self.length)
        return self.segments[min(int(np.searchsorted(self.ends[1:], place, "right")), len(self.segments) - 1)]


def place_on(name: str, x: object, length: float) -> float:
    """A place on a beam of a length (m)."""
    place = checks.finite(name, x, "m")
    if not 0.0 <= place <= length:
        raise InputError(f"{name} = {place} m lies off the beam, which reaches from 0 to {length} m.")
    return place


def check_forces(forces: Sequence[tuple[float, float]], length: float) -> list[tuple[float, float]]:
    """Point forces (N, place in m) on a beam of a length (m), as a user gave them."""
    return [
        (checks.finite(f"forces[{k}]", force, "N"), place_on(f"forces[{k}]", x, length))
        for k, (force, x) in enumerate(forces)
    ]
