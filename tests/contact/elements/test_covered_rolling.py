"""Covered elements in steady rolling: shares that agree with their own solution."""

import numpy as np
import pytest

import traction as tr
from traction.contact.elements.covered_rolling import CoveredRolling, EdgeShares
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.rolling import steady_rolling
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip

PAIR, MU = tr.Pair(tr.STEEL, tr.STEEL), 0.3
#: small, where elements at the trailing edge begin to slip; large; with the pole of the spin inside
CREEPAGES = (
    (2e-4, 2e-4, -0.05),
    (3e-4, -1e-4, 0.02),
    (3e-3, -5e-3, 0.7),
    (1e-3, 0.0, 2.0),
    (5e-4, 2e-3, -1.0),
)


@pytest.fixture(scope="module")
def circle():
    """20 elements across, 5 mm in radius."""
    return tr.press(tr.Sphere(0.1898), tr.Grid(24, 24, 0.5e-3, 0.5e-3), PAIR, force=1e5)


def posed(contact, creepage):
    return WholeCells(FrictionPatch.around(contact, MU), RigidSlip(creepage, (None, None)), 1)


def solved(contact, creepage, tol=2e-7):
    return steady_rolling._solve_covered(contact, posed(contact, creepage), tol)


@pytest.mark.parametrize("creepage", CREEPAGES)
def test_shares_are_those_of_their_own_solution(circle, creepage):
    done = solved(circle, creepage, 1e-9)
    step, answer = done.step, done.answer
    found, _ = step.follow(answer)
    assert step.shares.differ_from(found.shares) <= 4e-9 / steady_rolling.SHARE_EFFECT
    leaves = step.elements.ends[1]
    sticks = answer.stick[step.elements.row, step.elements.column]
    np.testing.assert_array_equal(step.shares.sticks[leaves] > 1e-4, sticks[leaves])
    assert not (sticks & (step.shares.glides > 0.0)).any()


@pytest.mark.parametrize("creepage", CREEPAGES)
def test_shares_do_not_depend_on_where_they_begin(circle, creepage):
    """All stick at the edge and none glides, or the other way round: the forces at the end are the same."""
    expected = solved(circle, creepage)
    for stick in (0.0, 1.0):
        whole = posed(circle, creepage)
        answer = steady_rolling._begin_fine(whole)
        step = CoveredRolling.begin(whole, 1, answer)
        n = step.elements.row.size
        step = step.take(EdgeShares(np.where(step.elements.ends[1], stick, 0.0), np.full(n, 1.0 - stick)))
        found = steady_rolling._follow_shares(circle, step, answer, 2e-7, steady_rolling.PASSES)
        assert found.converged
        change = found.answer.traction - expected.answer.traction
        assert np.abs(change.sum(axis=(1, 2))).max() <= 1e-6 * found.step.patch.bound.sum()


def test_forces_vary_continuously_with_the_creepage(circle):
    """The demand of many elements passes 1 and 2 on the way; switched elements jumped by 1e-5 to 5e-4."""
    spins = np.linspace(0.62, 0.64, 41)
    force = np.array([tr.roll_steady(circle, MU, creepage=(2e-3, -5e-3, s), tol=1e-9).force for s in spins])
    second = np.abs(np.diff(force, n=2, axis=0)).max() / (MU * circle.force)
    assert second <= 1e-6


def test_the_certificate_states_what_shares_leave_open(circle):
    t = tr.roll_steady(circle, MU, creepage=CREEPAGES[2])
    assert 0.0 < t.certificate.shares <= 1e-6
    assert "shares" in str(t.certificate)
    assert (
        tr.roll_steady(circle, MU, creepage=CREEPAGES[2], discretisation="classical").certificate.shares
        == 0.0
    )


def test_shares_at_the_pole_of_a_spin_settle():
    """Some elements beside the pole hardly feel themselves, and answer each other's shares with theirs."""
    n = tr.press(tr.Paraboloid(0.46, 0.1), tr.Grid(44, 44, 194.0206e-6, 70.89557e-6), PAIR, force=1e4)
    for creepage in (
        (5.705e-6, 3.4635e-4, 0.31738),
        (3.95e-5, 2.539e-4, 0.28873),
        (1.4733e-5, -1.83221e-5, 0.160912),
    ):
        assert tr.roll_steady(n, 0.1, creepage=creepage).certificate.shares <= 1e-6


def test_whole_elements_do_opposite_work_on_each_other(circle):
    """What one does on the slip that another causes, the other does on its own: the sum of all is nothing."""
    step = solved(circle, (1e-3, 0.0, 0.0)).step
    assert isinstance(step, CoveredRolling)
    parts, influence = step.parts, step.parts.integrate_slip(1)
    whole = np.flatnonzero(parts.cut < 0)[::7]
    matrix = influence.matrix(whole, whole).reshape(2 * whole.size, 2 * whole.size)
    np.testing.assert_allclose(matrix, -matrix.T, atol=1e-12 * np.abs(matrix).max())
