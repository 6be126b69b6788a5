"""Carter's rolling: force by quadrature, limits, signs, and the slip that belongs to the tractions."""

import numpy as np
import pytest

import traction as tr
from traction.theory import carter

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
RADIUS, MU = 0.5, 0.3
ROLLER = tr.hertz.line(RADIUS, PAIR, force=1.789e5)
FULL = MU * ROLLER.half_width / RADIUS  #: creepage at which all slips
SHARES = [-1.5, -1.0, -0.4, -1e-3, 0.0, 0.2, 0.8, 3.0]


def nodes(found, count=8000):
    angle = (np.arange(count) + 0.5) * np.pi / count - np.pi / 2
    return found.half_width * np.sin(angle), found.half_width * np.cos(angle) * np.pi / count


@pytest.mark.parametrize("share", SHARES)
def test_tractions_add_up_to_the_force(share):
    found = carter.line(ROLLER, RADIUS, MU, creepage=share * FULL)
    x, width = nodes(found)
    total = (found.traction(x) * width).sum()
    assert total == pytest.approx(found.force, rel=1e-4, abs=1e-7 * ROLLER.force)


@pytest.mark.parametrize("share", [-0.9, -0.3, 0.0, 0.5])
def test_force_and_creepage_lead_to_each_other(share):
    found = carter.line(ROLLER, RADIUS, MU, creepage=share * FULL)
    again = carter.line(ROLLER, RADIUS, MU, force=found.force)
    assert again.creepage == pytest.approx(found.creepage, abs=1e-12)
    assert again.stick_half_width == pytest.approx(found.stick_half_width)


def test_force_opposes_creepage_and_saturates():
    for share in SHARES:
        found = carter.line(ROLLER, RADIUS, MU, creepage=share * FULL)
        assert found.force * share <= 0.0
        assert abs(found.force) <= MU * ROLLER.force * (1.0 + 1e-12)
        if abs(share) >= 1.0:
            assert abs(found.force) == pytest.approx(MU * ROLLER.force)
            assert found.stick_half_width == 0.0


def test_the_reference_case_has_its_round_numbers():
    found = carter.line(ROLLER, RADIUS, MU, creepage=-0.4 * FULL)
    assert found.force == pytest.approx(0.64 * MU * ROLLER.force)
    assert found.stick_half_width == pytest.approx(0.6 * ROLLER.half_width)


@pytest.mark.parametrize("share", [-0.4, 0.7])
def test_slip_vanishes_at_the_leading_edge_and_opposes_the_traction_behind(share):
    found = carter.line(ROLLER, RADIUS, MU, creepage=share * FULL)
    a = found.half_width
    grid = tr.Grid.line(2000, 2.0 * a / 2000, length=1.0)
    traction = found.traction(grid.x)
    moved = tr.HalfSpace(grid, PAIR).product("x", "x", traction[None])[0]
    slip = found.creepage - np.gradient(moved, grid.x)  # following a particle, which goes towards -x
    border = a - 2.0 * found.stick_half_width
    sticks = (grid.x > border + 0.02 * a) & (grid.x < 0.98 * a)
    slips = (grid.x > -0.98 * a) & (grid.x < border - 0.02 * a)
    assert np.abs(slip[sticks]).max() < 0.01 * abs(found.creepage)
    assert (slip[slips] * traction[slips] < 0.0).all()


def test_more_force_than_friction_holds_is_refused():
    with pytest.raises(tr.InputError, match="must be at most mu P"):
        carter.line(ROLLER, RADIUS, MU, force=1.01 * MU * ROLLER.force)
    with pytest.raises(tr.InputError, match="exactly one of creepage and force"):
        carter.line(ROLLER, RADIUS, MU)
