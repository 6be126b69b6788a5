"""The creep curve along a given force: what it says where solutions fail."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.creep_force_curve import CreepCurve, StepSolver
from traction.contact.friction.curve_maximum import find_maximum
from traction.contact.friction.curve_search import enclose_force, solve_between
from traction.contact.friction.friction_solution import check_demand, finish_steps
from traction.contact.friction.given_creep_forces import solve_given_creep_forces
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip

LAW = tr.friction.exponential(0.1, (0.3, 0.5))


def pose(force, creepage=(None, 0.0, 0.0)):
    """The demand of rolling under a force, and its whole cells."""
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    n = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(16, 12, 1.1e-3, 1.2e-3), pair, force=80e3)
    demand = check_demand(n, LAW, "creepage", creepage, force, tol=1e-6, on_failure="return", speed=20.0)
    return demand, WholeCells(FrictionPatch.around(n, LAW.static, demand.interface), demand.rigid, 1)


def fail_where(fails):
    """Solutions that fail where `fails` says, by their creepages."""

    def solve(contact, step, tol, last=None):
        shifts = [0.0 if last is None else last.creepage[k] for k in step.rigid.unknown]
        start = None if last is None else (last.answer.traction, np.array(shifts))
        answer = solve_stick_slip(step.equation, tol=tol, start=start)
        return SolvedFriction(
            contact, step, replace(answer, converged=answer.converged and not fails(step.rigid.shift))
        )

    return StepSolver(solve, solve, solve, solve)


def follow(force, fails):
    """The curve of a contact whose solutions fail where `fails` says."""
    demand, whole = pose(force)
    return CreepCurve(demand.contact, whole, fail_where(fails))


@pytest.mark.parametrize("force", [-8e3, -30e3, 8e3])
def test_a_curve_without_solutions_has_neither_creepage_nor_maximum(force):
    curve = follow((force, None), lambda creepage: True)
    assert enclose_force(curve) is None
    assert find_maximum(curve) is None
    assert curve.points == []


def test_single_solutions_that_fail_are_passed():
    """Creepages beside them are found instead, and the maximum with them."""
    whole, pierced = (follow((-30e3, None), fails) for fails in (lambda _: False, fails_now_and_then()))
    assert find_maximum(pierced).force == pytest.approx(find_maximum(whole).force, rel=1e-4)


def fails_now_and_then():
    """Every third solution fails."""
    count = iter(range(10**6))
    return lambda creepage: next(count) % 3 == 2


@pytest.mark.parametrize("least", [0.0, 0.0012])
def test_a_force_is_found_between_the_points_around_it(least):
    """Also where solutions at small creepages are found from larger ones only."""
    curve = follow((-18e3, None), lambda creepage: creepage[0] is not None and abs(creepage[0]) < least)
    found = solve_between(curve, enclose_force(curve), 1e-8)
    assert curve.sum_along(found) == pytest.approx(18e3, rel=1e-6)


@pytest.fixture
def pierced():
    """A curve whose brief solutions fail up to beyond its maximum, that maximum, and thorough products."""
    demand, whole = pose((-30e3, None))
    top = find_maximum(follow((-30e3, None), lambda creepage: False))
    least = 1.3 * abs(top.creepage[0])
    brief, products = fail_where(lambda creepage: creepage[0] is not None and abs(creepage[0]) < least), []

    def count(contact, step, tol):
        solved = fail_where(lambda creepage: False).thoroughly(contact, step, tol)
        products.append(solved.answer.products)
        return solved

    return CreepCurve(demand.contact, whole, brief._replace(thoroughly=count)), top, products


def test_a_curve_has_no_maximum_where_ways_before_it_are_lost(pierced):
    curve, _, products = pierced
    assert find_maximum(curve) is None
    assert curve.find_gaps()
    assert curve.points
    assert products == []


def test_lost_ways_are_measured_again_by_thorough_solutions(pierced):
    curve, top, products = pierced
    find_maximum(curve)
    curve.spare = 10**6
    curve.revisit_gaps()
    assert curve.find_gaps() == []
    assert find_maximum(curve).force == pytest.approx(top.force, rel=1e-4)
    assert curve.spare == 10**6 - sum(products)


def test_thorough_solutions_end_after_their_products(pierced):
    """The ways that they have not reached stay lost."""
    curve, _, products = pierced
    find_maximum(curve)
    gaps, curve.spare = curve.find_gaps(), 1
    curve.revisit_gaps()
    assert len(products) == 1
    assert curve.points[-1].way == gaps[0]
    assert curve.find_gaps()[-1] == gaps[-1]
    assert find_maximum(curve) is None
    assert len(products) == 1


def test_a_maximum_between_points_that_jump_is_about():
    """Forces of neighbouring points then differ by more than beside a smooth maximum."""
    curve = follow((-30e3, None), lambda creepage: False)
    peak = find_maximum(curve)
    assert peak.is_exact
    best = curve.find_best()
    curve.points.append(best._replace(way=1.001 * best.way, force=1.01 * best.force))
    assert not find_maximum(curve).is_exact


@pytest.mark.parametrize(
    ("fails", "reached"),
    [
        (lambda creepage: creepage[0] is None, "the creep curve was followed up to"),
        (lambda creepage: True, "no point of the creep curve was found"),
    ],
)
@pytest.mark.parametrize("creepage", [(None, 0.0, 0.0), (None, None, 0.3)])
def test_what_is_not_found_is_the_nearest_point_of_the_curve(creepage, fails, reached):
    """Tractions are within their bounds, and the message does not speak of the error of another iteration."""
    demand, whole = pose((-18e3, -1e3 if creepage[1] is None else None), creepage)
    lost = solve_given_creep_forces(demand.contact, whole, 1e-8, fail_where(fails))
    t = finish_steps([lost], demand, distance=1e-3, dissipation=1.0, motion="steady rolling")
    assert not t.ok
    assert t.message.startswith("no creepage was found for force = ")
    assert reached in t.message
    assert "asked" not in t.message
    assert (np.hypot(*t.traction) <= 0.4 * t.normal.pressure * (1.0 + 1e-9)).all()
    assert np.abs(t.creepage[:2]).max() < 1.0
