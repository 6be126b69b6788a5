"""`CurveMaximum`: the largest force of a creep curve, beyond which no creepage carries more."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from traction.contact.friction.creep_force_curve import (
    CURVE_TOL,
    CreepCurve,
    CurvePoint,
    give_creepage,
    place_on,
)
from traction.contact.friction.curve_search import LEAST_WAY, MOST_WAY, SHORTER_WAY, follow_curve, rises_again
from traction.contact.friction.pressure_coupling import settle_pressure
from traction.contact.friction.solved_friction import STEEP, SolvedFriction, find_steepness
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.rigid_slip import RigidSlip

SETTLED_TOL = 1e-4  #: tolerance of the pressure of unlike bodies at the maximum
STEEP_UNLIKE = 0.5  #: steepness from which the pressure of unlike bodies makes elements jump
#: force above the maximum found that jumping elements may bring
JUMP_RISE, JUMP_RISE_UNLIKE = 0.02, 0.04
PEAK_TOL = 2e-3  #: of the creepage of most force, by which it is found
NEARLY = 0.9  #: of the most creepage, at which the last point may be
FULL = 0.99  #: of the friction bound, to which a curve rises at its end without creepage across
NEXT_TO_MOST = 0.05  #: of the creepage of most force, within which neighbouring points show jumps
#: change of the force over that of the creepage, both relative, beside a smooth maximum, and its error
STEEPEST, NOISE = 2.0, 2e-4
NEAR_MOST = (0.8, 1.25)  #: times this creepage, between which solutions decide whether it is smooth


class CurveMaximum(NamedTuple):
    """The maximum of a creep curve."""

    force: float  #: along the given force, N
    creepage: np.ndarray
    is_exact: bool  #: not where elements jump there, nor for unlike bodies, nor where the curve still rises
    largest: float  #: that another creepage may bring where elements jump, N
    rises: bool = False  #: whether the curve rises as far as it was followed

    def describe(self, rigid: RigidSlip) -> str:
        """The maximum in words."""
        about = "" if self.is_exact else "about "
        at = ", ".join(f"{self.creepage[k]:.4g}" for k in rigid.unknown)
        if self.rises:
            return f"{about}{self.force:.5g} N, to which it rises with the creepage"
        return f"{about}{self.force:.5g} N at the creepage {at}"


def find_maximum(curve: CreepCurve) -> CurveMaximum | None:
    """The maximum of a curve; None where it was not followed to an end.

    Where creepage across the force or spin is given, the force may rise with the creepage without end, ever
    less. None, too, where ways without a solution may carry more.
    """
    if follow_curve(curve) and not rises_again(curve):
        return _refine_maximum(curve)
    best = curve.find_best()
    if best is None or curve.sort()[-1].way < NEARLY * MOST_WAY * curve.scale:
        return None
    if any(way < best.way for way in curve.find_gaps()) or _falls_short(curve, best):
        return None
    return CurveMaximum(best.force, best.creepage, False, best.force, rises=True)


def _falls_short(curve: CreepCurve, best: CurvePoint) -> bool:
    """Whether a curve ends below its maximum, which was missed then.

    Without creepage across or spin all slides along the force at its end: what rises so far carries all that
    friction and the layer can.
    """
    patch = curve.whole.patch
    if curve.is_crossed or patch.interface is None:
        return False
    most = np.minimum(patch.bound, patch.interface.yield_stress).sum() * patch.grid.cell_area
    return bool(best.force < FULL * most)


def find_settled_maximum(curve: CreepCurve) -> CurveMaximum | None:
    """The maximum; of unlike bodies with the pressure that its tractions bring about."""
    peak = find_maximum(curve)
    settled = None if peak is None else settle_maximum(curve, peak)
    return peak if settled is None else settled[0]


def settle_maximum(curve: CreepCurve, peak: CurveMaximum) -> tuple[CurveMaximum, CreepCurve] | None:
    """The maximum with the pressure that its tractions bring about, and the curve under that pressure.

    None where that pressure is the same, or does not settle.
    """
    if curve.contact.pair.mismatch == 0.0:
        return None
    fixed = give_creepage(curve.whole, peak.creepage)
    start = min(curve.points, key=lambda point: abs(point.force - peak.force)).solved

    def solve(contact: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
        step = place_on(fixed, contact)
        solved = curve.solver.nearby(contact, step, CURVE_TOL, last or start)
        if solved is None or not solved.converged:
            solved = curve.solver.thoroughly(contact, step, CURVE_TOL)
        return solved

    settled = settle_pressure(curve.contact, SETTLED_TOL, solve)
    if not settled.converged or not settled.unsettled <= SETTLED_TOL:
        return None
    force = curve.sum_along(settled)
    largest = force * peak.largest / peak.force
    if peak.largest > peak.force:  # elements jump, and may have jumped to less as the pressure settled
        largest = max(largest, peak.largest)
    return peak._replace(force=force, largest=largest), curve.move_to(settled.normal)


def _refine_maximum(curve: CreepCurve) -> CurveMaximum | None:
    """The maximum between the points beside the best one."""
    _go_below_best(curve)
    best, low, high = _find_ends(curve)

    def lose(way: float) -> float:
        point = curve.measure(way)
        return np.nan if point is None else -point.force

    minimize_scalar(lose, bounds=(low, high), method="bounded", options={"xatol": PEAK_TOL * abs(best.way)})
    best, low, high = _find_ends(curve)
    lowest = low if low < best.way else 0.0
    if any(lowest < way < high for way in curve.find_gaps()):
        return None
    nearby = [point for point in curve.points if _is_near(point.way, best.way)]
    unlike = curve.contact.pair.mismatch != 0.0
    steep, more = (STEEP_UNLIKE, JUMP_RISE_UNLIKE) if unlike else (STEEP, JUMP_RISE)
    jagged = any(find_steepness(point.solved) >= steep for point in nearby)
    jagged = jagged or any(_is_near(way, best.way) for way in curve.lost) or _jumps(curve, best)
    largest = best.force * (1.0 + more * jagged)
    return CurveMaximum(best.force, best.creepage, not jagged and not unlike, largest)


def _jumps(curve: CreepCurve, best: CurvePoint) -> bool:
    """Whether forces of neighbouring points differ by more than beside a smooth maximum."""
    near = [point for point in curve.sort() if abs(point.way - best.way) <= NEXT_TO_MOST * best.way]
    return any(
        abs(two.force - one.force) / best.force > STEEPEST * (two.way - one.way) / best.way + NOISE
        for one, two in pairwise(near)
    )


def _go_below_best(curve: CreepCurve) -> None:
    """Follow the curve to smaller creepages while these, which had no solution before, carry more."""
    while True:
        best, low, _ = _find_ends(curve)
        if low < best.way or SHORTER_WAY * best.way < LEAST_WAY * curve.scale:
            return
        if curve.measure(SHORTER_WAY * best.way) is None:
            return


def _find_ends(curve: CreepCurve) -> tuple[CurvePoint, float, float]:
    """The point of most force and the ways of its neighbours."""
    points = curve.sort()
    k = int(np.argmax([point.force for point in points]))
    return points[k], points[max(k - 1, 0)].way, points[min(k + 1, len(points) - 1)].way


def _is_near(way: float, best: float) -> bool:
    """Whether a way is near that of the most force."""
    return NEAR_MOST[0] * best <= way <= NEAR_MOST[1] * best
