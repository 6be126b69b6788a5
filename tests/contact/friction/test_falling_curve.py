"""The creep curve along a given force: what it says where solutions fail."""

from dataclasses import replace

import pytest

import traction as tr
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.falling_curve import CreepCurve
from traction.contact.friction.friction_solution import check_demand
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip

LAW = tr.friction.exponential(0.1, (0.3, 0.5))


def follow(force, fails):
    """The curve of a contact whose solutions fail where `fails` says, by their creepages."""
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    n = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(16, 12, 1.1e-3, 1.2e-3), pair, force=80e3)
    creepage = (None, 0.0, 0.0)
    demand = check_demand(n, LAW, "creepage", creepage, force, tol=1e-6, on_failure="return", speed=20.0)
    whole = WholeCells(FrictionPatch.around(n, LAW.static, demand.interface), demand.rigid, 1)

    def solve(contact, step, tol):
        answer = solve_stick_slip(step.equation, tol=tol)
        return SolvedFriction(contact, step, replace(answer, converged=not fails(step.rigid.shift)))

    return CreepCurve(n, whole, solve)


@pytest.mark.parametrize("force", [-8e3, -30e3, 8e3])
def test_a_curve_without_solutions_has_neither_creepage_nor_maximum(force):
    curve = follow((force, None), lambda creepage: True)
    assert curve.find_creepage() is None
    assert curve.find_peak() is None
    assert curve.points == []


def test_single_solutions_that_fail_are_passed():
    """Creepages beside them are found instead, and the maximum with them."""
    whole, pierced = (follow((-30e3, None), fails) for fails in (lambda _: False, fails_now_and_then()))
    assert pierced.find_peak().force == pytest.approx(whole.find_peak().force, rel=1e-4)


def fails_now_and_then():
    """Every third solution fails."""
    count = iter(range(10**6))
    return lambda creepage: next(count) % 3 == 2
