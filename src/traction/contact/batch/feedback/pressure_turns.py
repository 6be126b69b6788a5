"""Members of unlike bodies, whose pressure and tractions depend on each other (see `pressure_coupling`).

Both problems are solved in turns for all members together: pressures displace the surfaces tangentially,
which adds to the slip; tractions lift them, which adds to the gap. Each turn starts from the one before, and
is only as exact as what the pressures still change by. Elements are whole cells, with one more around all
contacts, since edges move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from traction.contact.batch.feedback.member_splitting import OwnMembers, OwnSolution, prepare_splitting
from traction.contact.batch.kernels.pressing_steps import PressedMembers
from traction.contact.batch.member_parts import SAFETY
from traction.contact.batch.pressing import Pressing
from traction.contact.batch.slip_matrices import SlipMatrices
from traction.contact.batch.splitting import SplitSolution, Splitting
from traction.contact.friction.pressure_coupling import FULL_TURNS
from traction.halfspace.half_space import HalfSpace

MOST_TURNS = 24  #: of what takes more, elements alternate at an edge: it is left to the single solver
FIRST_TOLERANCE = 1e-2  #: of the tractions in the first turn
GAIN = 0.1  #: tolerance of a turn over what the one before has changed


@dataclass(frozen=True, eq=False)
class Coupling:
    """Influence of pressures on slips and of tractions on gaps, as matrices on a device."""

    slip: np.ndarray  #: of elements along x and y by their pressures, m/Pa, (n, 2 n)
    lift: np.ndarray  #: of all cells of the grid by tractions along x and y, m/Pa, (2 n, cells)

    @classmethod
    def fill(cls, splitting: Splitting, pressing: Pressing) -> Coupling:
        """That of the elements of a group."""
        matrices, grid = splitting.matrices, pressing.grid
        half_space = HalfSpace(grid, matrices.patch.pair)
        row, column = matrices.row + matrices.patch.top, matrices.column + matrices.patch.left
        below, beside = (part.ravel() for part in np.mgrid[: grid.ny, : grid.nx])
        lags = [
            half_space.factor("z", along) * half_space.spectrum("z", along, (grid.ny, grid.nx + 1)).lags
            for along in "xy"
        ]
        up, right = np.subtract.outer(row, row).T, np.subtract.outer(column, column).T
        slip = [_draw(lags, up, right, k) for k in (0, 1)]
        if matrices.direction:
            slip = [one - _draw(lags, up, right + matrices.direction, k) for k, one in enumerate(slip)]
        up, right = np.subtract.outer(below, row).T, np.subtract.outer(beside, column).T
        lift = [_draw(lags, up, right, k) for k in (0, 1)]
        take = splitting.device.take
        # the influence of pressures on x and y is minus that of tractions along x and y on z
        return cls(take(-np.concatenate(slip, axis=1)), take(np.concatenate(lift, axis=0)))


def _draw(lags: list[np.ndarray], up: np.ndarray, right: np.ndarray, k: int) -> np.ndarray:
    """Influence at distances in cells, which is odd along x or y."""
    sign = np.sign(right) if k == 0 else np.sign(up)
    return np.asarray(sign * lags[k][np.abs(up), np.abs(right)])


@dataclass(frozen=True, eq=False)
class PressureTurns:
    """Solves pressure and tractions of members in turns."""

    splitting: Splitting
    pressing: Pressing
    coupling: Coupling
    gap: np.ndarray  #: m, (members, ny, nx)
    force: np.ndarray  #: normal force, N

    @property
    def matrices(self) -> SlipMatrices:
        """Matrices that the members share."""
        return self.splitting.matrices

    def solve(
        self, own: OwnMembers, pressure: np.ndarray, scaled: tuple[np.ndarray, np.ndarray], tol: float
    ) -> tuple[OwnSolution, np.ndarray]:
        """Solutions with numbers of steps that are negative where a member was not solved, and what is left
        to change of the pressures, over their peaks.

        pressure: that without friction, Pa, (members, ny, nx); it is changed. scaled: creepages and forces
        over the units of the members.
        """
        count, fine, take = own.unit.size, SAFETY * tol, self.splitting.device.take
        lift, turn_tol = np.zeros_like(self.gap), np.full(count, FIRST_TOLERANCE)  # tolerance of a turn
        change, steps, rows = np.full(count, np.nan), np.zeros(count, dtype=int), np.arange(count)
        z, found = None, self._make_room(count)
        for turn in range(MOST_TURNS):
            given = scaled[0][rows], scaled[1][rows]
            solution = self._roll(own.take(rows), pressure[rows], given, turn_tol[rows], z)
            steps[rows] += np.abs(solution.split.steps)
            share = 1.0 if turn < FULL_TURNS else max(0.1, FULL_TURNS / (turn + FULL_TURNS))
            lift[rows] += share * (self._lift(own.unit[rows], solution.split.traction) - lift[rows])
            exact = max(GAIN * float(turn_tol[rows].min()), 0.1 * fine)
            again, good = self._press(rows, lift[rows], pressure[rows], exact)
            change[rows] = np.abs(again - pressure[rows]).max(axis=(1, 2)) / again.max(axis=(1, 2)) / share
            good &= solution.split.steps > 0
            settled = good & (change[rows] <= tol) & (turn_tol[rows] <= fine)
            ended = settled | ~good | (turn == MOST_TURNS - 1)
            self._enter(found, rows[ended], solution, np.flatnonzero(ended))
            steps[rows[ended & ~settled]] *= -1
            stay = np.flatnonzero(~ended)
            if not stay.size:
                break
            rows, z = rows[stay], self.splitting.xp.ascontiguousarray(solution.z[:, take(stay)])
            pressure[rows] = again[stay]
            turn_tol[rows] = np.maximum(fine, np.minimum(turn_tol[rows], GAIN * change[rows]))
        inside = pressure[:, *self.matrices.patch.window][:, self.matrices.row, self.matrices.column]
        return replace(found, split=replace(found.split, steps=steps), contact=inside > 0.0), change

    def _roll(
        self,
        own: OwnMembers,
        pressure: np.ndarray,
        scaled: tuple[np.ndarray, np.ndarray],
        tol: np.ndarray,
        start: np.ndarray | None,
    ) -> OwnSolution:
        """Tractions under pressures over the grid."""
        xp, take, window = self.splitting.xp, self.splitting.device.take, self.matrices.patch.window
        inside = pressure[:, *window]
        known = xp.matmul(take(inside[:, self.matrices.row, self.matrices.column]), self.coupling.slip)
        drawn = self.splitting.device.bring(known).reshape(len(inside), 2, -1)
        splitting = prepare_splitting(self.splitting, replace(own, pressure=inside), drawn)
        given = self.splitting.admit(np.arange(len(inside)), *scaled)
        return splitting.follow(given, tol, start)

    def _lift(self, unit: np.ndarray, traction: np.ndarray) -> np.ndarray:
        """Change of the gap by tractions in sectors, m, (members, ny, nx)."""
        field = self.splitting.unfold(traction) * unit[:, None, None]
        device = self.splitting.device
        lift = self.splitting.xp.matmul(device.take(field.reshape(len(unit), -1)), self.coupling.lift)
        return device.bring(lift).reshape(len(unit), *self.pressing.grid.shape)

    def _press(
        self, rows: np.ndarray, lift: np.ndarray, start: np.ndarray, tol: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Pressures over gaps with a lift, (members, ny, nx), and whether they were found, on elements."""
        pressing, take = self.pressing, self.pressing.device.take
        gaps = self.gap[rows] + lift
        gaps = (gaps - gaps.min(axis=(1, 2), keepdims=True)) / pressing.own
        asked = self.force[rows] / pressing.grid.cell_area
        tables = PressedMembers(take(np.arange(rows.size)), take(asked), take(np.zeros(rows.size)).copy())
        solution = pressing.solve(gaps, tables, tol, start)
        pressure = pressing.unfold_pressures(solution.pressure)
        outside = np.ones(pressing.grid.shape, dtype=bool)
        patch = self.matrices.patch
        outside[patch.top + self.matrices.row, patch.left + self.matrices.column] = False
        good = (solution.steps > 0) & (solution.found[:, 7] == 0.0) & ~pressure[:, outside].any(axis=1)
        return pressure, good

    def _make_room(self, count: int) -> OwnSolution:
        """Room for the solutions of so many members, which are entered as they settle."""
        splitting, elements = self.splitting, (count, self.matrices.row.size)
        fields = (splitting.xp.zeros((splitting.held.shape[0], count, splitting.wide)) for _ in range(3))
        traction, slip, z = fields
        found, creepage = np.full((count, 7), np.nan), np.zeros((count, 3))
        split = SplitSolution(traction, slip, found, creepage, np.zeros(count, dtype=int))
        return OwnSolution(split, z, np.zeros(elements), np.ones(elements))

    def _enter(self, found: OwnSolution, rows: np.ndarray, solution: OwnSolution, chosen: np.ndarray) -> None:
        """Enter as members `rows` those of a solution that are chosen, by their numbers."""
        to, of = self.splitting.device.take(rows), self.splitting.device.take(chosen)
        for name in ("traction", "slip"):
            getattr(found.split, name)[:, to] = getattr(solution.split, name)[:, of]
        for name in ("found", "creepage"):
            getattr(found.split, name)[rows] = getattr(solution.split, name)[chosen]
        found.z[:, to], found.bound[rows] = solution.z[:, of], solution.bound[chosen]
        if found.glides is not None and solution.glides is not None:
            found.glides[rows] = solution.glides[chosen]
