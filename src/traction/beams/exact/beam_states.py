"""A beam at rest or vibrating, by its states (w, psi, M, V) just after the ends of all parts.

Along a part a state follows from another; at a node w and psi are continuous, M and V jump by supports and
forces. No number of these equations grows as a part becomes short, as its stiffness EI/l^3 would, so
that forces may act arbitrarily close to an end or to each other. Each equation is one of equilibrium
or of continuity: where all hold to rounding, so does the balance of the whole beam, whatever supports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg import lapack

from traction.beams.beam_description import BeamDescription, Segment, Support
from traction.beams.exact.dynamic_stiffness import BeamShape, PartChain
from traction.beams.exact.kernels import state_equations as kernels
from traction.errors import ConvergenceError, InputError
from traction.integrators.core.matrices import SingularError

SAME_PLACE = 1e-12  #: of the length of the beam, between a place that a user means and an end
MOST_REFINEMENTS = 4
EXACT = 4.0 * np.finfo(float).eps  #: residual of an equation over its terms
LIMIT = 1e-12  #: residual over the largest terms of equations of one kind


@dataclass(frozen=True, eq=False)
class CutBeam:
    """A beam with segments between the ends of those of another and further positions."""

    beam: BeamDescription  #: supports at further places are free
    loads: np.ndarray  #: uniform, of the segments, N/m
    ends: np.ndarray  #: places, m
    at: np.ndarray  #: end at each of the further places
    kept: np.ndarray  #: ends that were there before


def split_beam(
    beam: BeamDescription, loads: Sequence[float], places: Sequence[float], *, near: float
) -> CutBeam:
    """The beam with an end at each of the positions (m); those within `near` of an end or another are one."""
    ends = beam.ends
    near = near * ends[-1]
    pieces: list[Segment] = []
    held, weights, kept, where = [beam.supports[0]], [], [0], [0.0]
    ordered = np.unique(np.asarray(places, dtype=float))
    first = np.searchsorted(ordered, ends[:-1] + near, "right")
    last = np.searchsorted(ordered, ends[1:] - near, "left")
    for s, segment in enumerate(beam.segments):
        inside = _keep_apart(ordered[first[s] : last[s]].tolist(), near)
        for a, b in pairwise([ends[s], *inside, ends[s + 1]]):
            pieces.append(Segment(float(b - a), *segment.section) if inside else segment)
            weights.append(loads[s])
            held.append(Support())
            where.append(float(b))
        held[-1] = beam.supports[s + 1]
        kept.append(len(pieces))
    stops, wanted = np.array(where), np.asarray(places, dtype=float)
    after = np.clip(
        np.searchsorted(stops, wanted), 1, stops.size - 1
    )  # of two ends as near, the first counts
    at = np.where(wanted - stops[after - 1] <= stops[after] - wanted, after - 1, after)
    cut = BeamDescription(tuple(pieces), tuple(held))
    return CutBeam(cut, np.array(weights), stops, at, np.array(kept))


def _keep_apart(places: list[float], near: float) -> list[float]:
    """Positions without those that follow another at once."""
    kept: list[float] = []
    for x in places:
        if not kept or x - kept[-1] > near:
            kept.append(x)
    return kept


@dataclass(frozen=True, eq=False)
class BeamStates:
    """Solution of a beam that was cut: states in SI."""

    chain: PartChain
    cut: CutBeam
    square: float
    holding: np.ndarray  #: upward forces (N) and moments (N m) of the supports at all ends, (ends, 2)
    starts: np.ndarray  #: just after the nodes, (parts + 1, 4)

    @cached_property
    def shape(self) -> BeamShape:
        """w, psi, M, V along the beam."""
        shape = BeamShape.from_states(self.chain, self.square, self.cut.loads, self.starts)
        table = shape.table.copy()
        table[:, 0] = self.cut.ends
        return BeamShape(shape.pieces, table)


def solve_states(
    cut: CutBeam, square: float, *, forces: np.ndarray | None = None, jumps: np.ndarray | None = None
) -> BeamStates:
    """States under the loads of the divided beam, `forces` (N) at its ends, and `jumps` there.

    `jumps` (ends, 2, 2) are those of w (m) and psi, just before and just after an end. With `square` (1/s^2)
    all vibrates with that square of the frequency; where it is negative, mass acts like a foundation.
    """
    chain = PartChain.at(cut.beam, abs(square))
    nodes, n = np.r_[0, np.cumsum(chain.counts)], int(chain.counts.sum())
    pushes = np.zeros(len(cut.ends)) if forces is None else forces
    # the longest part and the stiffness there make all numbers of the order of one
    longest = int(np.argmax(chain.sections[:, 5]))
    a, B = float(chain.sections[longest, 5]), float(chain.sections[longest, 0])
    T = _in_units_of_beam(chain.transfers(square, cut.loads)[0], chain.sections, a, B)
    springs, loads, steps = np.zeros((n + 1, 2)), np.zeros((n + 1, 2)), np.zeros((n + 1, 2, 2))
    with np.errstate(over="ignore"):  # a spring beyond all numbers is rigid; loads are checked next
        springs[nodes] = chain.springs[:, 1:] * (a**3 / B, a / B)
        loads[nodes, 0] = pushes * (a**2 / B)
    if not np.isfinite(loads).all():
        raise _too_large(pushes, cut.loads)
    if jumps is not None:
        steps[nodes] = jumps / (a, 1.0)
    # unknown of a soft spring is the displacement, of a stiff one the force: none is a large number times a
    # small one. Loads on stiff ones go there at once, and displace them: so those on rigid ones bend nothing
    gives, holds = 1.0 / np.maximum(springs, 1.0), np.minimum(springs, 1.0)
    taken = np.where(springs > 1.0, loads, 0.0)
    moved = np.stack((-gives * taken, gives * taken), axis=1)
    band, right = np.empty((4 * n + 4, 2 * kernels.SIDE + 1)), np.empty(4 * n + 4)
    kernels.fill_equations(T, chain.counts, gives, holds, steps + moved, loads - taken, band, right)
    if not np.isfinite(right).all():
        raise _too_large(pushes, cut.loads)
    starts = solve_band(band, right).reshape(n + 1, 4)
    holding = (holds * starts[:, :2] + taken)[nodes]
    starts[:, :2] = gives * starts[:, :2] + steps[:, 1] + moved[:, 1]
    units = np.array((a, 1.0, B / a, B / a**2))
    with np.errstate(over="ignore"):
        found = BeamStates(chain, cut, square, holding * units[:1:-1], starts * units)
    if not (np.isfinite(found.starts).all() and np.isfinite(found.holding).all()):
        raise _too_large(pushes, cut.loads)
    return found


def _in_units_of_beam(T: np.ndarray, sections: np.ndarray, a: float, B: float) -> np.ndarray:
    """Transfers over the parts, which are in their own units, in units (a, B)."""
    ratio, EI = sections[:, 5] / a, sections[:, 0]
    to = np.ones((len(sections), 5))
    to[:, 0], to[:, 2], to[:, 3] = 1.0 / ratio, ratio * B / EI, ratio**2 * B / EI
    return np.asarray(T * (to[:, None, :] / to[:, :4, None]))


def _too_large(forces: np.ndarray, loads: np.ndarray) -> InputError:
    return InputError(
        f"forces up to {np.abs(forces).max():.3g} N and loads up to {np.abs(loads).max():.3g} N/m bend the "
        f"beam beyond the largest number, {np.finfo(float).max:.2g}; give smaller ones: all results are "
        "proportional to them."
    )


def solve_band(band: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solution whose residual is the rounding of the terms of each equation (Skeel 1980).

    Elimination alone is exact to rounding of the largest number of the whole system; steps of refinement make
    it exact to that of each equation, but for those whose terms are all rounding of zero. So a solution is
    refused by the residual over the largest terms of equations of its kind, where that is more than rounding
    of the largest load.
    """
    scale = 1.0 / np.abs(band).max(axis=1)
    rows, sides = band * scale[:, None], right * scale
    solve = _factor_equations(rows)
    x, residuals = solve(sides), np.empty(right.size)
    for _ in range(MOST_REFINEMENTS):
        if kernels.residual(rows, x, sides, residuals) <= EXACT:
            return x
        x = x + solve(residuals)
    worst = kernels.residual_by_kind(band, x, right, np.abs(right).max() * (np.finfo(float).eps / LIMIT))
    if not worst <= LIMIT:
        raise ConvergenceError(
            f"the states of the beam miss their equations by {worst:.1e} of the largest terms, the "
            f"limit is {LIMIT:.0e}; bring stiffnesses, lengths and springs nearer to each other.",
            x,
        )
    return x


def _factor_equations(band: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    side, n = kernels.SIDE, len(band)
    full = np.zeros((3 * side + 1, n), order="F")  # the first rows are room for pivoting
    for d in range(2 * side + 1):  # the rows of the band as LAPACK's columns
        first, last = max(0, side - d), min(n, n + side - d)
        full[3 * side - d, first + d - side : last + d - side] = band[first:last, d]
    lu, pivots, zero = lapack.dgbtrf(full, side, side, overwrite_ab=True)
    if zero:
        raise SingularError(
            f"the equations of the beam are singular to rounding (pivot {zero} of {n} is 0): it is nearly "
            "unsupported. Give stiffer supports or, for a vibrating beam, another frequency."
        )

    def solve(b: np.ndarray) -> np.ndarray:
        return np.asarray(lapack.dgbtrs(lu, side, side, b, pivots)[0])

    return solve
