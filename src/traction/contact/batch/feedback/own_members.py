"""Members with bounds of their own: fields of coefficients, laws of friction, layers that yield."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from traction.contact.batch.feedback.law_bounds import LawBounds
from traction.contact.batch.feedback.member_splitting import MemberSplitting, OwnSolution
from traction.contact.batch.slip_matrices import SlipMatrices
from traction.contact.batch.splitting import Splitting
from traction.contact.rolling.friction_branches import STEEP
from traction.contact.stick_slip.interface import Interface
from traction.contact.stick_slip.lagged_friction import SPEEDS

REMEMBERED = 0.5  #: tolerance where bounds follow the slip, relative to that of other members
CREEP_STEP = 1e-3  #: change of creepage, as a slip over that of an element by its own traction
LEAST_RISE = 1e-2  #: of forces over mu Fn with such slips; nearer to the maximum the single solver decides


@dataclass(frozen=True, eq=False)
class OwnMembers:
    """Members of a group; arrays have a row for each, fields over the window of its matrices."""

    friction: np.ndarray  #: largest coefficient
    between: Sequence[Interface | None]
    pressure: np.ndarray  #: Pa, (members, ny, nx)
    unit: np.ndarray  #: of tractions, Pa
    time: np.ndarray  #: of a step, s

    def take(self, rows: np.ndarray) -> OwnMembers:
        """Some of the members."""
        return OwnMembers(
            self.friction[rows], [self.between[k] for k in rows], self.pressure[rows], self.unit[rows],
            self.time[rows],
        )  # fmt: skip

    @property
    def follow_slip(self) -> np.ndarray:
        """Which of them have bounds that depend on their slip."""
        return np.array([one is not None and not one.is_constant for one in self.between], dtype=bool)

    def bound(self, window: tuple[slice, slice]) -> np.ndarray:
        """Largest bounds over their units, (members, ny, nx)."""
        return self.load(window) * (self.friction / self.unit)[:, None, None]

    def load(self, window: tuple[slice, slice]) -> np.ndarray:
        """Pressures times factors of the place, Pa, (members, ny, nx)."""
        load = self.pressure.copy()
        for k, one in enumerate(self.between):
            if one is not None and one.factor is not None:
                load[k] *= one.factor[window]
        return load


def prepare_splitting(
    shared: Splitting, members: OwnMembers, known: np.ndarray | None = None
) -> MemberSplitting:
    """The splitting of members that all have bounds which follow their slip, or none.

    known: slips whatever the tractions are, m, (members, 2, n).
    """
    matrices, laws = shared.matrices, None
    places = matrices.take_places(members.bound(matrices.patch.window))
    if members.follow_slip.any():
        between = [one for one in members.between if one is not None]
        laws = LawBounds(shared, between, members.load(matrices.patch.window), members.unit, members.time)
    scaled = None
    if known is not None:
        scaled = shared.fold(known * (matrices.rho / members.unit)[:, None, None])
    return MemberSplitting(shared, shared.pad_places(places, 0.0), scaled, laws)


def solve_own(
    shared: Splitting, members: OwnMembers, scaled: tuple[np.ndarray, np.ndarray], tol: float
) -> OwnSolution:
    """Solve members; where other solutions may exist, the number of steps is negative.

    scaled: creepages and forces over the units of the members.
    """
    splitting, numbers = prepare_splitting(shared, members), np.arange(members.unit.size)
    follows = splitting.laws is not None
    wanted = np.full(numbers.size, (REMEMBERED if follows else 1.0) * tol)
    solution = splitting.follow(shared.admit(numbers, *scaled), wanted)
    if splitting.laws is not None and shared.matrices.direction:
        steps = solution.split.steps
        steep = shared.device.bring(splitting.laws.members.steepness)
        good = (steps > 0) & (steep < STEEP)
        forced = np.flatnonzero(good & ~np.isnan(scaled[1]).all(axis=1))
        if forced.size:
            good[forced] = carry_more(shared, members.take(forced), scaled[1][forced], solution, forced, tol)
        steps[:] = np.where(good, np.abs(steps), -np.abs(steps))
    touched = members.pressure[:, shared.matrices.row, shared.matrices.column] > 0.0
    return replace(solution, contact=touched)


def carry_more(
    shared: Splitting,
    members: OwnMembers,
    force: np.ndarray,
    solution: OwnSolution,
    rows: np.ndarray,
    tol: float,
) -> np.ndarray:
    """Whether more creepage in the directions of given forces brings more force, by differences.

    The solution is that on the way to the maximum of the creep curve (see `friction_branches`). The members
    are the rows of the solution.
    """
    matrices, split, count = shared.matrices, solution.split, rows.size
    step = CREEP_STEP / (matrices.rho * matrices.patch.grid.dx)
    start = shared.xp.ascontiguousarray(solution.z[:, shared.device.take(rows)])
    free, wanted = np.full((count, 2), np.nan), np.full(count, REMEMBERED * tol)
    most = members.bound(matrices.patch.window).sum(axis=(1, 2))
    tangent, given = np.zeros((count, 2, 2)), ~np.isnan(force)
    for j in (0, 1):
        creepage = split.creepage[rows].copy()
        creepage[:, j] += step
        moved = prepare_splitting(shared, members).follow(
            shared.admit(np.arange(count), creepage, free), wanted, start
        )
        tangent[:, :, j] = (moved.split.found[:, 3:5] - split.found[rows, 3:5]) / most[:, None] / CREEP_STEP
        tangent[moved.split.steps < 0] = np.nan
    for j in (0, 1):  # a direction whose creepage is given does not count
        tangent[~given[:, j], j] = tangent[~given[:, j], :, j] = 0.0
        tangent[~given[:, j], j, j] = -1.0
    sound = np.isfinite(tangent).all(axis=(1, 2))
    tangent[~sound] = 0.0
    return sound & (np.linalg.eigvals(tangent).real.max(axis=1) < -LEAST_RISE)


def may_branch(matrices: SlipMatrices, members: OwnMembers) -> np.ndarray:
    """Which members have friction that falls too steeply at some slip speed for one solution (see
    `friction_branches`), by the largest resistance of their elements.
    """
    own = np.maximum(matrices.own[0] + np.maximum(matrices.own[1], 0.0), matrices.own[2])
    resistance = np.maximum(own, matrices.least[:, None]).mean(axis=0) / matrices.rho
    falls = {one.law: 0.0 for one in members.between if one is not None}
    for law in falls:
        falls[law] = 0.0 if law.is_constant else max(0.0, -float(law.evaluate(SPEEDS)[1].min()))
    fall = np.array([0.0 if one is None else falls[one.law] for one in members.between])
    held = (matrices.take_places(members.load(matrices.patch.window)) * resistance).max(axis=1)
    return np.asarray(fall / members.time * held >= 1.0)
