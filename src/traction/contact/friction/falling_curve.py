"""`CreepCurve`: the force that steady rolling brings along a given one, over creepage, and its maximum.

Solutions at given creepages are quick and robust beside those under given forces. The curve is followed from
small creepages to its maximum, or to the creepages between which the given force lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.pressure_coupling import settle_pressure
from traction.contact.friction.solved_friction import SolvedFriction, find_steepness
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip

STEEP = 0.8  #: fall of friction over the resistance of an element from which solutions may not be unique
CURVE_TOL = 1e-5  #: tolerance of solutions on the curve
SETTLED_TOL = 1e-4  #: the same of the pressure of unlike bodies at the maximum
STEEP_UNLIKE = 0.5  #: the same from which the pressure of unlike bodies makes elements jump
#: force above the maximum found that jumping elements may bring
JUMP_RISE, JUMP_RISE_UNLIKE = 0.01, 0.04
FIRST_WAY, LONGER_WAY, MOST_WAY = 0.3, 1.5, 1e3  #: creepages, over one at which about all slides
#: times the creepage of most force to which the curve is followed, and where it has hardly fallen
PAST_PEAK, FAR_PAST_PEAK = 2.0, 5.0
FALLEN, HARDLY_FALLEN = 0.99, 0.9998  #: of the most force, below which the curve has fallen, and at all
PEAK_TOL = 2e-3  #: of the creepage of most force, by which it is found
NEAR_MOST = (0.8, 1.25)  #: times this creepage, between which solutions decide whether it is smooth
ROOT_TOL = 1e-6  #: of the creepage under the given force
RETRIES = (1.0, 1.003, 0.995, 1.01)  #: times a creepage whose solution does not converge
TURNS = 8  #: in which creepages turn until their force is along the given one
ALIGNED = 1e-3  #: angle between both, rad

Solve = Callable[[NormalContact, WholeCells, float], SolvedFriction]


class CurvePoint(NamedTuple):
    """A solution on the curve."""

    way: float  #: creepage against the given force
    force: float  #: along the given force, N
    creepage: np.ndarray
    steepness: float


class CurveMaximum(NamedTuple):
    """The maximum of a creep curve."""

    force: float  #: along the given force, N
    creepage: np.ndarray
    is_exact: bool  #: not where elements jump there, nor for unlike bodies
    largest: float  #: that another creepage may bring where elements jump, N

    def describe(self, rigid: RigidSlip) -> str:
        """The maximum in words."""
        about = "" if self.is_exact else "about "
        at = ", ".join(f"{self.creepage[k]:.4g}" for k in rigid.unknown)
        return f"{about}{self.force:.5g} N at the creepage {at}"


class CreepCurve:
    """Forces along a given one, by solutions at creepages against it; the pressure is held.

    Where forces are given along x and y, creepages turn until their force is along the given one.
    """

    def __init__(self, contact: NormalContact, whole: WholeCells, solve: Solve) -> None:
        self.contact, self.whole, self._solve = contact, whole, solve
        self.points: list[CurvePoint] = []
        self._lost: list[float] = []  # ways without a solution
        self._peak: CurveMaximum | None = None
        self._along = list(whole.rigid.unknown)
        given = np.array([whole.rigid.force[k] for k in self._along], dtype=float)
        self.target = float(np.linalg.norm(given))  #: size of the given force, N
        self._direction = given / self.target if self.target > 0.0 else np.eye(len(given))[0]
        self._rest, self._turn = self._find_rest(), 0.0
        self._scale = self._find_scale()

    def find_creepage(self) -> np.ndarray | None:
        """The least creepage on the way from rest that brings the given force; None where none was found."""
        ends = self._enclose_force()
        if ends is None and self.find_peak() is not None:  # the way to the maximum may pass the force
            ends = self._enclose_force()
        if ends is None:
            return None
        try:
            way = brentq(lambda x: self._measure(x) - self.target, *ends, rtol=ROOT_TOL)
        except ValueError:  # no solution on the way
            return None
        return min(self.points, key=lambda point: abs(point.way - way)).creepage

    def find_peak(self) -> CurveMaximum | None:
        """The maximum of the curve; None where it does not fall again."""
        if self._peak is None and self._follow(math.inf):
            self._peak = self._refine_peak()
        return self._peak

    def _refine_peak(self) -> CurveMaximum:
        """The maximum between the points beside the best one."""
        best, low, high = self._find_best()
        minimize_scalar(
            lambda way: -self._measure(way),
            bounds=(low, high),
            method="bounded",
            options={"xatol": PEAK_TOL * abs(best.way)},
        )
        best, _, _ = self._find_best()
        nearby = [point for point in self.points if self._is_near(point.way, best.way)]
        unlike = self.contact.pair.mismatch != 0.0
        steep, more = (STEEP_UNLIKE, JUMP_RISE_UNLIKE) if unlike else (STEEP, JUMP_RISE)
        jagged = any(point.steepness >= steep for point in nearby)
        jagged = jagged or any(self._is_near(way, best.way) for way in self._lost)
        largest = best.force * (1.0 + more * jagged)
        return CurveMaximum(best.force, best.creepage, not jagged and not unlike, largest)

    def find_settled_peak(self) -> CurveMaximum | None:
        """The maximum; of unlike bodies with the pressure that its tractions bring about."""
        peak = self.find_peak()
        settled = None if peak is None or self.contact.pair.mismatch == 0.0 else self.settle(peak)
        return peak if settled is None else settled[0]

    def settle(self, peak: CurveMaximum) -> tuple[CurveMaximum, CreepCurve] | None:
        """The maximum with the pressure that its tractions bring about, and the curve under that pressure."""
        fixed = give_creepage(self.whole, peak.creepage)

        def solve(contact: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
            return self._solve(contact, _place_on(fixed, contact), CURVE_TOL)

        settled = settle_pressure(self.contact, SETTLED_TOL, solve)
        if not settled.converged or not settled.unsettled <= SETTLED_TOL:
            return None
        curve = CreepCurve(settled.normal, _place_on(self.whole, settled.normal), self._solve)
        force = float(self._direction @ self._sum_forces(settled))
        return peak._replace(force=force, largest=force * peak.largest / peak.force), curve

    def _enclose_force(self) -> tuple[float, float] | None:
        """Ways between which the given force is reached first; None where it is not."""
        if not self.points and self._measure(0.0) >= self.target:  # by the creepages that are given
            return self._enclose_backwards()
        if not any(point.force >= self.target for point in self.points):
            self._follow(self.target)
        points = sorted(self.points, key=_read_way)
        for below, point in zip(points[:1] + points, points, strict=False):
            if point.way > 0.0 and point.force >= self.target:
                return below.way, point.way
        return None

    def _enclose_backwards(self) -> tuple[float, float] | None:
        """The same where creepages along the force take from what there is already."""
        last, way = 0.0, -FIRST_WAY * self._scale
        while -way < MOST_WAY * self._scale:
            force = self._measure(way)
            if not np.isfinite(force):
                return None
            if force < self.target:
                return way, last
            last, way = way, LONGER_WAY * way
        return None

    def _follow(self, most: float) -> bool:
        """Follow the curve to a force or until it has fallen; whether it has."""
        if not self.points:
            self._measure(0.0)
        way = max([0.0, *(point.way for point in self.points)])
        while way < MOST_WAY * self._scale:
            if any(point.force >= most for point in self.points):
                return False
            if self._has_fallen():
                return True
            way = max(FIRST_WAY * self._scale, LONGER_WAY * way)
            self._measure(way)
        return False

    def _has_fallen(self) -> bool:
        """Whether the last points show that the most force is behind them."""
        if not self.points:
            return False
        best, last = max(self.points, key=_read_force), max(self.points, key=_read_way)
        fallen, beyond = last.force / best.force if best.force > 0.0 else 1.0, last.way - PAST_PEAK * best.way
        if best.way <= 0.0 or beyond < 0.0 or fallen > HARDLY_FALLEN:
            return False
        return fallen < FALLEN or last.way >= FAR_PAST_PEAK * best.way

    def _find_best(self) -> tuple[CurvePoint, float, float]:
        """The point of most force and the ways of its neighbours."""
        points = sorted(self.points, key=_read_way)
        k = int(np.argmax([point.force for point in points]))
        return points[k], points[max(k - 1, 0)].way, points[min(k + 1, len(points) - 1)].way

    def _is_near(self, way: float, best: float) -> bool:
        """Whether a way is near that of the most force."""
        return NEAR_MOST[0] * best <= way <= NEAR_MOST[1] * best

    def _measure(self, way: float) -> float:
        """Force along the given one at a creepage against it, or aside of it; NaN where none converges."""
        for factor in RETRIES:
            point = self._find_point(factor * way)
            if point is not None:
                self.points.append(point)
                return point.force
            self._lost.append(factor * way)
            if way == 0.0:
                break
        return math.nan

    def _find_point(self, way: float) -> CurvePoint | None:
        """The solution at a creepage; with two given forces in the direction that brings one along them."""
        for _ in range(TURNS):
            creepage = self._rest.copy()
            creepage[self._along] -= way * self._turn_direction()
            solved = self._solve(self.contact, give_creepage(self.whole, creepage), CURVE_TOL)
            if not solved.converged:
                return None
            force = self._sum_forces(solved)
            found = CurvePoint(way, float(self._direction @ force), creepage, find_steepness(solved))
            if len(force) == 1 or way == 0.0:
                return found
            off = math.atan2(self._direction[0] * force[1] - self._direction[1] * force[0], found.force)
            if abs(off) <= ALIGNED:
                return found
            self._turn -= off
        return None

    def _turn_direction(self) -> np.ndarray:
        """The direction of the given force; of two, turned by the angle found so far."""
        if len(self._along) < 2:
            return self._direction
        (x, y), cos, sin = self._direction, math.cos(self._turn), math.sin(self._turn)
        return np.array((cos * x - sin * y, sin * x + cos * y))

    def _sum_forces(self, solved: SolvedFriction) -> np.ndarray:
        """Forces in the directions of given ones, N."""
        force = solved.answer.traction.sum(axis=(1, 2)) * solved.step.patch.grid.cell_area
        return np.asarray(force[self._along])

    def _find_rest(self) -> np.ndarray:
        """Creepages of no force, from which two may turn; for one force, of none along it."""
        rest = np.array(self.whole.rigid.complete((0.0, 0.0)))
        if len(self._along) < 2 or rest[2] == 0.0:
            return rest
        free = replace(self.whole, rigid=replace(self.whole.rigid, force=(0.0, 0.0)))
        solved = self._solve(self.contact, free, CURVE_TOL)
        return np.array(solved.creepage) if solved.converged else rest

    def _find_scale(self) -> float:
        """A creepage by which nearly all slides, of the elasticity of bodies and layer."""
        patch = self.whole.patch
        layer = 0.0 if patch.interface is None else patch.interface.compliance
        length = patch.grid.nx * patch.grid.dx
        return float(patch.bound.max()) * (1.0 / patch.pair.shear_modulus + 2.0 * layer / length)


def _read_way(point: CurvePoint) -> float:
    return point.way


def _read_force(point: CurvePoint) -> float:
    return point.force


def give_creepage(whole: WholeCells, creepage: np.ndarray) -> WholeCells:
    """The step with all creepages given."""
    xi, eta, phi = (float(part) for part in creepage)
    return replace(whole, rigid=replace(whole.rigid, shift=(xi, eta, phi), force=(None, None)))


def _place_on(whole: WholeCells, contact: NormalContact) -> WholeCells:
    """The step under the pressure of another contact."""
    patch = FrictionPatch.around(contact, whole.patch.friction, whole.patch.interface)
    return replace(whole, patch=patch)
