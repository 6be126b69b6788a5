"""Checked input of a batch of pressed contacts, and their solution by groups and one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from traction import checks
from traction.contact.batch.batch_results import PressedBatch
from traction.contact.batch.device import Processor
from traction.contact.batch.kernels.pressing_steps import PressedMembers
from traction.contact.batch.member_parts import (
    SAFETY,
    count_members,
    is_certified,
    require_usual_sizes,
    solve_parts,
)
from traction.contact.batch.pressing import Pressing
from traction.contact.normal.press import NormalContact, recover_contact, solve_press
from traction.errors import CoarseGridWarning, InputError, warn_user
from traction.grid import Grid
from traction.materials import Pair
from traction.status import Status
from traction.surfaces import gap_on

LEAST_ELEMENTS = 50  #: in contact, of a round one with 8 across
#: quantities of members, as `PressedBatch` has them
FOUND = ("force", "approach", "peak_pressure", "contact_area", "error", "iterations", "status")


@dataclass(frozen=True, eq=False)
class PressMembers:
    """K members; arrays have a row for each."""

    gaps: np.ndarray  #: different ones, m, (kinds, ny, nx)
    kind: np.ndarray  #: number of the gap of each, (K,)
    force: np.ndarray | None  #: N, (K,), or
    approach: np.ndarray | None  #: m, (K,)

    @property
    def count(self) -> int:
        """K."""
        return int(self.kind.size)

    def load(self, k: int) -> tuple[float | None, float | None]:
        """Force and approach of a member, one of them None."""
        force, approach = (None if part is None else float(part[k]) for part in (self.force, self.approach))
        return force, approach


def check_press_members(grid: Grid, gaps: object, forces: object, approaches: object) -> PressMembers:
    """Members from what a user gave; single values are meant for all."""
    fields = _check_gaps(grid, gaps)
    given = checks.exactly_one(forces=forces, approaches=approaches)
    loads = np.atleast_1d(checks.finite_array(given, forces if given == "forces" else approaches))
    if loads.ndim != 1:
        raise InputError(f"{given} has shape {loads.shape}, expected (K,): one number for each member.")
    if given == "forces" and not (loads > 0.0).all():
        raise InputError(
            f"forces has the value {float(loads.min())} N and must be positive: contact can only push. Give "
            "the magnitudes, or approaches."
        )
    if given == "forces":
        require_usual_sizes(given, loads, " N")
    count = count_members({"gaps": len(fields), given: loads.size})
    kind = np.arange(count) if len(fields) == count else np.zeros(count, dtype=int)
    loads = np.broadcast_to(loads, count).copy()
    return PressMembers(fields, kind, *((loads, None) if given == "forces" else (None, loads)))


def _check_gaps(grid: Grid, gaps: object) -> np.ndarray:
    """Gaps over the grid, (kinds, ny, nx)."""
    several = isinstance(gaps, Sequence) and not isinstance(gaps, str | bytes)
    if several or (isinstance(gaps, np.ndarray) and gaps.ndim == 3):
        rows = list(gaps)  # type: ignore[call-overload]
        if not rows:
            raise InputError("gaps is empty; give the gap of all members, or one for each.")
        if not all(np.isscalar(row) for row in rows):
            return np.array([gap_on(row, grid) for row in rows])
    return gap_on(gaps, grid)[None]  # type: ignore[arg-type]


class PressRows:
    """Rows of a `PressedBatch` that are entered as they are found."""

    def __init__(self, grid: Grid, pair: Pair, members: PressMembers, tol: float, fields: bool) -> None:
        self.grid, self.pair, self.members, count = grid, pair, members, members.count
        self.found = {name: np.full(count, np.nan) for name in FOUND}
        self.found["iterations"], self.found["status"] = (
            np.zeros(count, dtype=int),
            np.empty(count, dtype=object),
        )
        self.found["status"][:] = Status.STALLED  # np.full would convert it to a string, one by one
        self.pressure = np.zeros((count, *grid.shape)) if fields else None
        self.tol = tol
        self._missing = np.ones(count, dtype=bool)

    def _enter(self, rows: np.ndarray | int, *found: object) -> None:
        """Enter what was found of some members, in the order of `FOUND`."""
        for row, values in zip(self.found.values(), found, strict=True):
            row[rows] = values

    def solve(self, pressing: Pressing, device: Processor) -> None:
        """Solve all members that touch, in parts that fit into memory."""
        members = self.members
        lowest = members.gaps.min(axis=(1, 2))[members.kind]
        touching = np.ones(members.count, dtype=bool)
        if members.approach is not None:
            touching = members.approach > lowest
            apart = np.flatnonzero(~touching)
            self._enter(apart, 0.0, members.approach[apart], 0.0, 0.0, 0.0, 0, Status.CONVERGED)
            self._missing[apart] = False
        chosen, most = np.flatnonzero(touching), device.fit_members(pressing.bytes_per_member())
        for _ in solve_parts(lambda part: self._solve_part(pressing, part, lowest[part]), chosen, most):
            pass

    def _solve_part(self, pressing: Pressing, part: np.ndarray, lowest: np.ndarray) -> None:
        members, take, own, area = self.members, pressing.device.take, pressing.own, self.grid.cell_area
        kinds, kind = np.unique(members.kind[part], return_inverse=True)
        gaps = members.gaps[kinds]
        gaps = (gaps - gaps.min(axis=(1, 2), keepdims=True)) / own
        none = np.full(part.size, np.nan)
        asked = none if members.force is None else members.force[part] / area
        depth = np.zeros(part.size) if members.approach is None else (members.approach[part] - lowest) / own
        tables = PressedMembers(take(kind.astype(np.int64)), take(asked), take(depth).copy())
        solution = pressing.solve(gaps, tables, SAFETY * self.tol)
        found = solution.found
        least = np.zeros(part.size)
        if (
            members.force is not None
        ):  # displacement of one element under the mean pressure (see `NormalProblem`)
            mean = members.force[part] / (self.grid.nx * self.grid.ny * area)
            least = mean * min(self.grid.dx, self.grid.dy) / self.pair.effective_modulus / own
        scale = np.maximum(np.maximum(found[:, 3], least), 1e-300)
        distance = found[:, 2] / np.maximum(found[:, 4], 1e-300)
        with np.errstate(over="ignore"):  # of members without contact, whose errors are large
            error = np.maximum(found[:, :2].max(axis=1), distance) / scale
        if members.force is not None:
            error = np.maximum(error, np.abs(found[:, 4] / asked - 1.0))
        good = is_certified(error, self.tol) & (solution.steps > 0) & (found[:, 7] == 0.0)
        rows, approach = part[good], solution.approach[good] * own + lowest[good]
        carried = found[good, 4] * area, approach, found[good, 5], found[good, 6] * area
        self._enter(rows, *carried, error[good], solution.steps[good], Status.CONVERGED)
        if self.pressure is not None:
            self.pressure[rows] = pressing.unfold_pressures(solution.pressure)[good]
        self._missing[rows] = False

    def solve_rest(self) -> None:
        """Solve all other members one by one."""
        for k in np.flatnonzero(self._missing):
            force, approach = self.members.load(int(k))
            gap = self.members.gaps[self.members.kind[k]]
            single = solve_press(
                gap, self.grid, self.pair, force=force, approach=approach, tol=self.tol, on_failure="return"
            )
            carried = single.force, single._approach, single.peak_pressure, single.contact_area
            self._enter(int(k), *carried, single.certificate.largest, single.iterations, single.status)
            if self.pressure is not None:
                self.pressure[k] = single.pressure

    def finish(self, began: float) -> PressedBatch:
        """The result, with a warning of members with few elements."""
        area = self.found["contact_area"]
        few = (area < LEAST_ELEMENTS * self.grid.cell_area) & (area > 0.0)
        coarse = int(np.count_nonzero(few)) if not self.grid.is_line else 0
        if coarse:
            verb = "has" if coarse == 1 else "have"
            warn_user(
                f"{coarse} of {self.members.count} members {verb} fewer than {LEAST_ELEMENTS} elements in "
                "contact, about 8 across: expect errors of a few percent in the peak pressure. Use a finer "
                "grid for them.",
                CoarseGridWarning,
            )
        return PressedBatch(
            grid=self.grid,
            **self.found,
            singles=np.flatnonzero(self._missing),
            pressure=self.pressure,
            seconds=perf_counter() - began,
            _restore=None if self.pressure is None else self._restore,
        )

    def _restore(self, k: int) -> NormalContact:
        """The contact of a member."""
        assert self.pressure is not None
        gap = self.members.gaps[self.members.kind[k]]
        return recover_contact(self.pressure[k], gap, self.grid, self.pair, tol=2.0 * self.tol)
