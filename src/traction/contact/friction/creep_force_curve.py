"""`CreepCurve`: the force that steady rolling brings along a given one, over the creepage against it.

Each point of the curve is a solution at given creepages, begun from the solution beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch

CURVE_TOL = 1e-5  #: tolerance of solutions on the curve
RETRIES = (1.0, 1.003, 0.995, 1.01)  #: times a creepage whose solution does not converge
TURNS = 8  #: in which creepages turn until their force is along the given one
ALIGNED = 1e-3  #: angle between both, rad
GAP = 0.05  #: of a lost way, within which a point stands for it
LEAST_FOLLOWED, MOST_FOLLOWED = 0.2, 2.0  #: turn of the force over that of the creepages, at least and most


class StepSolver(NamedTuple):
    """Ways to solve steady rolling under a pressure, to a tolerance."""

    thoroughly: Callable[[NormalContact, WholeCells, float], SolvedFriction]  #: with all fallbacks
    briefly: Callable[[NormalContact, WholeCells, float], SolvedFriction]  #: by Newton's method alone
    #: thoroughly by whole cells, and only from there by Newton's method, which costs less
    by_cells: Callable[[NormalContact, WholeCells, float], SolvedFriction]
    #: by Newton's method alone from a solution nearby; None where it has other elements
    nearby: Callable[[NormalContact, WholeCells, float, SolvedFriction], SolvedFriction | None]


class CurvePoint(NamedTuple):
    """A solution on the curve."""

    way: float  #: creepage against the given force, from where there is none
    force: float  #: along the given force, N
    creepage: np.ndarray
    solved: SolvedFriction


class CreepCurve:
    """Forces along a given one, by solutions at creepages against it; the pressure is held.

    Where forces are given along x and y, creepages turn until their force is along the given one. Points of
    `earlier` curves are where solutions may begin.
    """

    def __init__(
        self,
        contact: NormalContact,
        whole: WholeCells,
        solver: StepSolver,
        earlier: Sequence[CurvePoint] = (),
    ) -> None:
        self.contact, self.whole, self.solver = contact, whole, solver
        self.points: list[CurvePoint] = []
        self.lost: list[float] = []  #: ways without a solution
        self.spare = 0  #: products that are left to thorough solutions, where brief ones do not converge
        self._earlier = list(earlier)
        self._along = list(whole.rigid.unknown)
        given = np.array([whole.rigid.force[k] for k in self._along], dtype=float)
        self.target = float(np.linalg.norm(given))  #: size of the given force, N
        self._direction = given / self.target if self.target > 0.0 else np.eye(len(given))[0]
        self._turn = 0.0
        #: a solution from which that of no force is sought, where there is one
        self.begin = self._earlier[0].solved if self._earlier else None
        self.scale = find_scale(whole)  #: a creepage by which nearly all slides

    def measure(self, way: float, *, aside: bool = True) -> CurvePoint | None:
        """The point at a creepage against the given force, or `aside` of it; None where none converges."""
        for factor in RETRIES if aside and way != 0.0 else (1.0,):
            point = self._find_point(factor * way)
            if point is not None:
                self.points.append(point)
                return point
            self.lost.append(factor * way)
        return None

    def find_gaps(self) -> list[float]:
        """Ways without a solution, in their order, near which there is no point either."""
        ways = [point.way for point in self.points]
        return [
            lost
            for lost in sorted(set(self.lost))
            if lost > 0.0 and all(abs(way - lost) > GAP * lost for way in ways)
        ]

    def revisit_gaps(self) -> None:
        """Measure lost ways again, from the smallest, while products are left to thorough solutions."""
        gaps, tried = self.find_gaps(), -1.0
        self.lost.clear()
        for way in gaps:
            if self.spare <= 0:
                self.lost.append(way)
            elif tried < 0.0 or way > (1.0 + GAP) * tried:
                tried = way
                self.measure(way, aside=False)

    def sort(self) -> list[CurvePoint]:
        """Points in the order of their ways."""
        return sorted(self.points, key=lambda point: point.way)

    def find_best(self) -> CurvePoint | None:
        """The point of most force."""
        return max(self.points, key=lambda point: point.force, default=None)

    def solve_force(self, point: CurvePoint, tol: float) -> CurvePoint | None:
        """The solution under the given force by Newton's method from a point nearby; None without one."""
        solved = self.solver.nearby(self.contact, self.whole, tol, point.solved)
        if solved is None or not solved.converged:
            return None
        return CurvePoint(self.find_way(solved), self.target, np.array(solved.creepage), solved)

    def find_way(self, solved: SolvedFriction) -> float:
        """Creepage of a solution against the given force, from where there is none."""
        against = (self.rest - np.array(solved.creepage))[self._along]
        return float(self._direction @ against if len(against) == 1 else np.linalg.norm(against))

    @property
    def is_crossed(self) -> bool:
        """Whether creepage or spin is given, beside which a curve that falls may rise again."""
        return bool(np.any(self.whole.rigid.complete((0.0, 0.0))))

    def move_to(self, contact: NormalContact) -> CreepCurve:
        """The curve under the pressure of another contact, without points yet."""
        return CreepCurve(contact, place_on(self.whole, contact), self.solver, self.points)

    def sum_along(self, solved: SolvedFriction) -> float:
        """Force of a solution along the given one, N."""
        return float(self._direction @ self._sum_forces(solved))

    def _find_point(self, way: float) -> CurvePoint | None:
        """The solution at a creepage; with two given forces in the direction that brings one along them."""
        last: SolvedFriction | None = None
        turn, before, off_before = self._turn, 0.0, math.nan
        for _ in range(TURNS):
            creepage = self.rest.copy()
            creepage[self._along] -= way * self._turn_direction(turn)
            last = self._solve_at(way, creepage, last)
            if last is None:
                return None
            off = self._measure_angle(last)
            if way == 0.0 or abs(off) <= ALIGNED:
                self._turn = turn
                return CurvePoint(way, self.sum_along(last), creepage, last)
            follows = 1.0 if math.isnan(off_before) else (off - off_before) / (turn - before)
            before, off_before = turn, off
            turn -= off / min(MOST_FOLLOWED, max(LEAST_FOLLOWED, follows))
        return None

    def _solve_at(
        self, way: float, creepage: np.ndarray, last: SolvedFriction | None
    ) -> SolvedFriction | None:
        """The solution at creepages, from those beside it, by itself, or thoroughly where that is allowed."""
        step = give_creepage(self.whole, creepage)
        for begin in self._choose_starts(way) if last is None else (last,):
            solved = self.solver.nearby(self.contact, step, CURVE_TOL, begin)
            if solved is not None and solved.converged:
                return solved
        solved = self.solver.briefly(self.contact, step, CURVE_TOL)
        if not solved.converged and self.spare > 0:
            solved = self.solver.thoroughly(self.contact, step, CURVE_TOL)
            self.spare -= solved.answer.products
        return solved if solved.converged else None

    def _choose_starts(self, way: float) -> Iterator[SolvedFriction]:
        """The solution at the next smaller creepage, on the branch from rest, then at the next larger."""
        for points in (self.points, self._earlier):
            below = max((point for point in points if point.way <= way), key=_read_way, default=None)
            above = min((point for point in points if point.way > way), key=_read_way, default=None)
            yield from (point.solved for point in (below, above) if point is not None)

    def _measure_angle(self, solved: SolvedFriction) -> float:
        """Angle from the given force to that of a solution, rad; 0 where one is given."""
        force = self._sum_forces(solved)
        if len(force) == 1:
            return 0.0
        across = self._direction[0] * force[1] - self._direction[1] * force[0]
        return math.atan2(across, float(self._direction @ force))

    def _turn_direction(self, turn: float) -> np.ndarray:
        """The direction of the given force; of two, turned by an angle (rad)."""
        if len(self._along) < 2:
            return self._direction
        (x, y), cos, sin = self._direction, math.cos(turn), math.sin(turn)
        return np.array((cos * x - sin * y, sin * x + cos * y))

    def _sum_forces(self, solved: SolvedFriction) -> np.ndarray:
        """Forces in the directions of given ones, N."""
        force = solved.answer.traction.sum(axis=(1, 2)) * solved.step.patch.grid.cell_area
        return np.asarray(force[self._along])

    @cached_property
    def rest(self) -> np.ndarray:
        """Creepages of no force, from which two may turn; for one force, of none along it.

        Free rolling creeps where there is spin, and where bodies are unlike.
        """
        rest = np.array(self.whole.rigid.complete((0.0, 0.0)))
        if len(self._along) < 2 or (rest[2] == 0.0 and self.contact.pair.mismatch == 0.0):
            return rest
        free = replace(self.whole, rigid=replace(self.whole.rigid, force=(0.0, 0.0)))
        if self.begin is not None:
            solved = self.solver.nearby(self.contact, free, CURVE_TOL, self.begin)
            if solved is not None and solved.converged:
                return np.array(solved.creepage)
        solved = self.solver.thoroughly(self.contact, free, CURVE_TOL)
        return np.array(solved.creepage) if solved.converged else rest


def _read_way(point: CurvePoint) -> float:
    return point.way


def find_scale(whole: WholeCells) -> float:
    """A creepage by which nearly all slides, of the elasticity of bodies and layer."""
    patch = whole.patch
    layer = 0.0 if patch.interface is None else patch.interface.compliance
    length = patch.grid.nx * patch.grid.dx
    return float(patch.bound.max()) * (1.0 / patch.pair.shear_modulus + 2.0 * layer / length)


def give_creepage(whole: WholeCells, creepage: Sequence[float] | np.ndarray) -> WholeCells:
    """The step with all creepages given."""
    xi, eta, phi = (float(part) for part in creepage)
    return replace(whole, rigid=replace(whole.rigid, shift=(xi, eta, phi), force=(None, None)))


def place_on(whole: WholeCells, contact: NormalContact) -> WholeCells:
    """The step under the pressure of another contact."""
    patch = FrictionPatch.around(contact, whole.patch.friction, whole.patch.interface)
    return replace(whole, patch=patch)
