"""Covered elements in steady rolling: shares that agree with their own solution."""

import numpy as np
import pytest

import traction as tr
from traction.contact.elements.covered_rolling import CoveredRolling, EdgeShares, meet_shares
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


def test_a_secant_finds_shares_that_change_slowly():
    """x -> 0.9 x + 0.03, whose solution is 0.3."""

    def pair(x):
        taken, found = np.array([x]), np.array([0.9 * x + 0.03])
        return EdgeShares(taken, taken), EdgeShares(found, found)

    found = meet_shares(pair(0.1), pair(0.12))
    assert found.glides == pytest.approx([0.3])
    assert meet_shares(pair(0.1), pair(0.1)).sticks == pytest.approx([0.12])
