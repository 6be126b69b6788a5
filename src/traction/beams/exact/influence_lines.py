"""Influence lines: what a force of 1 N at s does at a fixed place, as a function of s (Mueller-Breslau).

By Betti's law the line of the moment at x is the deflection of the beam with a kink of 1 rad there, that of
the shear force the deflection with a step of 1 m, and that of the deflection the one under 1 N at x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription, place_on
from traction.beams.exact.beam_shape import BeamShape
from traction.beams.exact.beam_states import solve_states
from traction.beams.exact.split_at import SAME_PLACE, split_beam
from traction.beams.exact.statics import bend_beam, require_answer
from traction.errors import InputError

QUANTITIES = ("deflection", "moment", "shear")
JUMPS = {"moment": (1, -1.0), "shear": (0, 1.0)}  #: w or psi at a node, and by how much it jumps


@dataclass(frozen=True, eq=False)
class InfluenceLine:
    """A quantity at a place x, for 1 N at any place s."""

    quantity: str
    place: float  #: x, m
    shape: BeamShape

    def __repr__(self) -> str:
        return f"<InfluenceLine of the {self.quantity} at x = {self.place:g} m>"

    def at(self, s: ArrayLike) -> np.ndarray:
        """The quantity, per N, for a force at s (m); zero off the beam."""
        return self.shape.at("deflection", np.asarray(s, dtype=float))

    def slope(self, s: ArrayLike) -> np.ndarray:
        """Its derivative by s."""
        return self.shape.at("slope", np.asarray(s, dtype=float))

    def curvature(self, s: ArrayLike) -> np.ndarray:
        """Its second derivative by s."""
        return self.shape.at("curvature", np.asarray(s, dtype=float))


def influence_line(
    beam: BeamDescription, quantity: str, x: float, *, side: str = "right", square: float = 0.0
) -> InfluenceLine:
    """Influence line of the "deflection", "moment" or "shear" at x (m).

    Of the shear force, which jumps at a support, `side` chooses the value to the "right" or "left" of x.
    With a negative `square` (1/s^2) the mass of the beam holds it like a foundation, see `statics.bend_beam`.
    """
    if not isinstance(beam, BeamDescription):
        raise InputError(f"beam = {checks.shown(beam)} must be a tr.Beam.")
    checks.choice("quantity", quantity, QUANTITIES)
    checks.choice("side", side, ("right", "left"))
    place = place_on("x", x, beam.length)
    if quantity == "deflection":
        shape = bend_beam(beam, [(1.0, place)], square=square).shape
    else:
        shape = _dislocate(beam, place, *JUMPS[quantity], side == "right", square)
    return InfluenceLine(quantity, place, shape)


def _dislocate(
    beam: BeamDescription, x: float, row: int, jump: float, right: bool, square: float
) -> BeamShape:
    """Deflection where w (row 0) or psi (row 1) jumps by `jump` from the left of x to its right."""
    require_answer(beam, square)
    cut = split_beam(beam, [0.0] * len(beam.segments), [x], near=SAME_PLACE)
    at = int(cut.at[0])
    after = (right and at < len(cut.beam.segments)) or at == 0  # of the end, which its support holds
    jumps = np.zeros((len(cut.ends), 2, 2))
    jumps[at, int(after), row] = jump
    return solve_states(cut, square, jumps=jumps).shape
