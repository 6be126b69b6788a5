"""The way along a creep curve: from rest to a given force, or to where the force has fallen.

The least creepage under a given force is sought between two points that enclose it.
"""

from __future__ import annotations

import math

from traction.contact.friction.creep_force_curve import CreepCurve, CurvePoint
from traction.contact.friction.friction_derivatives import carries_more
from traction.contact.friction.solved_friction import SolvedFriction

FIRST_WAY, LONGER_WAY, MOST_WAY = 0.3, 1.5, 1e3  #: creepages, over one at which about all slides
SHORTER_WAY, LEAST_WAY = 0.6, 1e-3  #: times a creepage below which none is known, and the least of these
#: times the creepage of most force to which the curve is followed, and where it has hardly fallen
PAST_PEAK, FAR_PAST_PEAK = 2.0, 5.0
FALLEN, HARDLY_FALLEN = 0.99, 0.9998  #: of the most force, below which the curve has fallen, and at all
AGAIN_WAY = 2.0  #: factor of creepages at which a curve that has fallen may rise again
HALVINGS = 24  #: of the creepages between which the given force is sought
NEXT_TO_ENDS = 0.1  #: part of these that a guess keeps from their ends
OTHER_PARTS = (0.5, 0.25, 0.75)  #: of these, where the guess has no solution
SAME = 1e-6  #: creepages that are the same, relative to the larger


def follow_curve(curve: CreepCurve, most: float = math.inf) -> bool:
    """Follow the curve to a force or until it has fallen; whether it has."""
    if not curve.points:
        curve.measure(0.0)
    way = max((0.0, *(point.way for point in curve.points), *curve.lost))
    while way < MOST_WAY * curve.scale:
        if any(point.force >= most for point in curve.points):
            return False
        if has_fallen(curve):
            return True
        way = max(FIRST_WAY * curve.scale, LONGER_WAY * way)
        curve.measure(way)
    return has_fallen(curve)


def has_fallen(curve: CreepCurve) -> bool:
    """Whether the last points show that the most force is behind them."""
    best = curve.find_best()
    if best is None or best.way <= 0.0 or best.force <= 0.0:
        return False
    last = curve.sort()[-1]
    fallen = last.force / best.force
    if last.way < PAST_PEAK * best.way or fallen > HARDLY_FALLEN:
        return False
    return fallen < FALLEN or last.way >= FAR_PAST_PEAK * best.way


def rises_again(curve: CreepCurve) -> bool:
    """Whether a curve that has fallen rises to more, as it may beside given creepage across or spin.

    There it tends to what friction carries at any large slip speed.
    """
    if not curve.is_crossed:
        return False
    way = curve.sort()[-1].way
    while way < MOST_WAY * curve.scale:
        way *= AGAIN_WAY
        curve.measure(way)
    best = curve.find_best()
    return best is not None and curve.sort()[-1].force >= HARDLY_FALLEN * best.force


def enclose_force(curve: CreepCurve) -> tuple[CurvePoint, CurvePoint] | None:
    """Points between which the given force is reached first; None where it is not."""
    if not curve.points:
        rest = curve.measure(0.0)
        if rest is not None and rest.force >= curve.target:  # by the creepages that are given
            return _enclose_backwards(curve, rest)
    if not any(point.force >= curve.target for point in curve.points):
        follow_curve(curve, curve.target)
    points = curve.sort()
    reached = [k for k, point in enumerate(points) if point.way > 0.0 and point.force >= curve.target]
    if not reached:
        return None
    if reached[0] > 0:
        return points[reached[0] - 1], points[reached[0]]
    return _enclose_below(curve, points[0])


def _enclose_below(curve: CreepCurve, above: CurvePoint) -> tuple[CurvePoint, CurvePoint] | None:
    """The same where no solution is known at smaller creepages, which are followed from the larger."""
    while (way := SHORTER_WAY * above.way) > LEAST_WAY * curve.scale:
        point = curve.measure(way)
        if point is None:
            return None
        if point.force < curve.target:
            return point, above
        above = point
    return None


def _enclose_backwards(curve: CreepCurve, above: CurvePoint) -> tuple[CurvePoint, CurvePoint] | None:
    """The same where creepages along the force take from what there is already."""
    way = -FIRST_WAY * curve.scale
    while -way < MOST_WAY * curve.scale:
        point = curve.measure(way)
        if point is None:
            return None
        if point.force < curve.target:
            return point, above
        above, way = point, LONGER_WAY * way
    return None


def solve_between(
    curve: CreepCurve, ends: tuple[CurvePoint, CurvePoint], tol: float
) -> SolvedFriction | None:
    """The solution under the given force between two points that enclose it; None where none is found.

    Newton's method under the force begins from each of them, as they approach each other. Where elements jump
    it may find one that carries less at more creepage: it is taken where there is no better.
    """
    below, above = ends
    starts, worse = [below, above], None
    for _ in range(HALVINGS):
        for start in sorted(starts, key=lambda point: abs(point.force - curve.target)):
            found = curve.solve_force(start, tol)
            if found is None or not _lies_between(found.way, below.way, above.way):
                continue
            if carries_more(found.solved):
                return found.solved
            worse = found.solved
        point = _measure_between(curve, below, above)
        if point is None:
            break
        below, above = (below, point) if point.force >= curve.target else (point, above)
        starts = [point]
    return worse


def _lies_between(way: float, below: float, above: float) -> bool:
    """Whether a creepage lies between two, which may be the same."""
    margin = SAME * max(abs(below), abs(above))
    return below - margin <= way <= above + margin


def _measure_between(curve: CreepCurve, below: CurvePoint, above: CurvePoint) -> CurvePoint | None:
    """A point between two, near where a line between them has the given force."""
    if above.way - below.way <= SAME * abs(above.way):
        return None
    guess = (curve.target - below.force) / (above.force - below.force)
    for part in (min(1.0 - NEXT_TO_ENDS, max(NEXT_TO_ENDS, guess)), *OTHER_PARTS):
        point = curve.measure(below.way + part * (above.way - below.way), aside=False)
        if point is not None:
            return point
    return None
