"""Derivatives of the forces by the approach, against differences of whole solutions."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
GRID = tr.Grid(26, 26, 0.3e-3, 0.3e-3)
SURFACE = tr.Paraboloid(0.09, 0.06)
STEP = 1e-5  #: of the approach


def differences(solve, contact, step=STEP):
    """Central differences of (F_x, F_y, M_z) by the approach."""
    h = step * contact.approach
    forces = []
    for approach in (contact.approach + h, contact.approach - h):
        t = solve(tr.press(SURFACE, GRID, PAIR, approach=approach, tol=1e-10))
        forces.append(np.array([*t.force, t.moment]))
    return (forces[0] - forces[1]) / (2.0 * h)


@pytest.fixture(scope="module")
def contact():
    return tr.press(SURFACE, GRID, PAIR, force=1.2e4, tol=1e-10)


@pytest.mark.parametrize("discretisation", ["covered", "classical"])
@pytest.mark.parametrize("creepage", [(6e-4, 0.0, 0.0), (4e-4, 8e-4, 0.3), (0.0, 0.0, 1.2)])
def test_steady_rolling_by_the_approach(contact, creepage, discretisation):
    def solve(n):
        return tr.roll_steady(n, 0.3, creepage=creepage, discretisation=discretisation, tol=1e-9)

    expected = differences(solve, contact)
    found = solve(contact).approach_tangent
    assert found[:2] == pytest.approx(expected[:2], abs=1e-5 * np.abs(expected[:2]).max())
    assert found[2] == pytest.approx(expected[2], abs=1e-5 * np.abs(expected[:2]).max() * 2e-3)


def test_shift_by_the_approach(contact):
    def solve(n):
        return tr.shift(n, 0.3, displacement=(2e-6, 1e-6, 1e-3), tol=1e-9)

    expected = differences(solve, contact)
    assert solve(contact).approach_tangent == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("scheme", ["covered", "world-fixed", "moving"])
@pytest.mark.parametrize("cells", [0.3, 2.5])
def test_transient_rolling_by_the_approach(contact, scheme, cells):
    before = tr.shift(contact, 0.3, displacement=(None, None, 0.0), force=(-1500.0, 0.0), tol=1e-9)

    def solve(n):
        return tr.roll(
            before,
            0.3,
            distance=cells * GRID.dx,
            creepage=(6e-4, 3e-4, 0.1),
            normal=n,
            scheme=scheme,
            tol=1e-10,  # differences over so short a step see what the tolerance leaves
        )

    # A step in parts solves contacts on its way: over less, differences see what their tolerance leaves.
    # Displacements on entry depend on the size of the growth: differences have an error of first order.
    step = 1e-5 if cells < 1.0 else 1e-4
    expected = 2.0 * differences(solve, contact, 0.5 * step) - differences(solve, contact, step)
    found = solve(contact).approach_tangent
    assert found == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())


def test_full_sliding_grows_with_the_normal_force(contact):
    t = tr.roll_steady(contact, 0.3, creepage=(0.9, 0.0, 0.0))
    assert t.approach_tangent[0] == pytest.approx(-0.3 * contact.stiffness, rel=1e-6)


def test_pressure_rate_is_that_of_the_stiffness(contact):
    assert contact.pressure_rate.sum() * GRID.cell_area == pytest.approx(contact.stiffness)
    assert (contact.pressure_rate[~contact.contact] == 0.0).all()
