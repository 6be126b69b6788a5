"""Influence lines: what a force of 1 N at s does at a fixed place, as a function of s (Mueller-Breslau).

By Betti's law the line of the moment at x is the deflection of the beam with a kink of 1 rad there, that of
the shear force the deflection with a step of 1 m, and that of the deflection the one under 1 N at x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.beams import stiffness_kernels as kernels
from traction.beams.beam import Beam
from traction.beams.chain import Chain, factored
from traction.beams.modes import Shape
from traction.beams.statics import ShapeSum, bent, cut_at, held_at_rest, place_on

QUANTITIES = ("deflection", "moment", "shear")
JUMPS = {"moment": (1, -1.0), "shear": (0, 1.0)}  #: w or psi at a node, and by how much it jumps


@dataclass(frozen=True, eq=False)
class InfluenceLine:
    """A quantity at a place x, for 1 N at any place s."""

    quantity: str
    place: float  #: x, m
    shape: Shape | ShapeSum

    def __repr__(self) -> str:
        return f"<InfluenceLine of the {self.quantity} at x = {self.place:g} m>"

    def at(self, s: np.ndarray) -> np.ndarray:
        """The quantity, per N, for a force at s (m); zero off the beam."""
        return self.shape.at("deflection", np.asarray(s, dtype=float))

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Its derivative by s."""
        return self.shape.at("slope", np.asarray(s, dtype=float))

    def curvature(self, s: np.ndarray) -> np.ndarray:
        """Its second derivative by s."""
        return self.shape.at("curvature", np.asarray(s, dtype=float))


def influence_line(
    beam: Beam, quantity: str, x: float, *, side: str = "right", square: float = 0.0
) -> InfluenceLine:
    """Influence line of the "deflection", "moment" or "shear" at x (m).

    Of the shear force, which jumps at a support, `side` chooses the value to the "right" or "left" of x.
    With a negative `square` (1/s^2) the mass of the beam holds it like a foundation, see `statics.bent`.
    """
    checks.instance("beam", beam, Beam)
    checks.choice("quantity", quantity, QUANTITIES)
    checks.choice("side", side, ("right", "left"))
    place = place_on("x", x, beam.length)
    if quantity == "deflection":
        loads = [0.0] * len(beam.segments)
        shape = bent(beam.segments, beam.supports, [(1.0, place)], loads, square=square).shape
    else:
        shape = _dislocated(beam, place, *JUMPS[quantity], side == "right", square)
    return InfluenceLine(quantity, place, shape)


def _dislocated(beam: Beam, x: float, row: int, jump: float, right: bool, square: float) -> Shape:
    """Deflection where w (row 0) or psi (row 1) jumps by `jump` from the left of x to its right."""
    if square == 0.0:
        held_at_rest(beam.segments, beam.supports)
    cut = cut_at(beam.segments, beam.supports, [0.0] * len(beam.segments), [x])
    chain = Chain.at(cut.segments, cut.supports, abs(square))
    node = int(np.r_[0, np.cumsum(chain.counts)][cut.at[0]])
    right = (right and node < chain.counts.sum()) or node == 0
    part, end = (node, 0) if right else (node - 1, 2)  # the part that sees the node displaced
    segment = int(np.searchsorted(np.cumsum(chain.counts), part, "right"))
    moved = np.zeros(chain.size)
    moved[2 * node + row] = jump if right else -jump
    alone = np.empty((4, 4))
    kernels.part_stiffness(
        chain.sections[segment, :5], chain.sections[segment, 5], square, alone, np.empty((4, 4))
    )
    load = np.zeros(chain.size)
    load[2 * part : 2 * part + 4] = -alone[:, end + row] * moved[2 * node + row]
    load[chain.held] = 0.0
    d = factored(chain.bands(square)[0])(load)
    pieces = chain.polynomials(d, square)
    pieces[part] = chain.polynomials(d + moved, square)[part]
    return Shape(pieces, chain.table)
