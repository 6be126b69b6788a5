"""Cattaneo and Mindlin's shift: force by quadrature, limits, and that what sticks has moved as one."""

import numpy as np
import pytest

import traction as tr
from traction.theory import cattaneo

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
BALL = tr.hertz.sphere(0.4, PAIR, force=2000.0)
ROLLER = tr.hertz.line(0.4, PAIR, force=3e5)
MU = 0.3
SHARES = [0.0, 0.1, 0.5, 0.875, 0.999]


@pytest.mark.parametrize("share", SHARES)
def test_tractions_add_up_to_the_force(share):
    force = share * MU * BALL.force
    found = cattaneo.sphere(BALL, MU, force)
    angle = (np.arange(4000) + 0.5) * np.pi / 8000
    r = found.radius * np.sin(angle)  # the root at the edge is smooth over the angle
    ring = 2.0 * np.pi * r * found.radius * np.cos(angle) * np.pi / 8000
    assert (found.traction(r) * ring).sum() == pytest.approx(force, rel=1e-4, abs=1e-9 * BALL.force)


@pytest.mark.parametrize("share", SHARES)
def test_tractions_of_a_strip_add_up_to_the_force(share):
    force = share * MU * ROLLER.force
    found = cattaneo.line(ROLLER, MU, force)
    angle = (np.arange(8000) + 0.5) * np.pi / 8000 - np.pi / 2
    x = found.half_width * np.sin(angle)
    width = found.half_width * np.cos(angle) * np.pi / 8000
    assert (found.traction(x) * width).sum() == pytest.approx(force, rel=1e-4, abs=1e-9 * ROLLER.force)


@pytest.mark.parametrize("share", SHARES)
def test_traction_is_bounded_and_reaches_the_bound_where_it_slips(share):
    found = cattaneo.sphere(BALL, MU, share * MU * BALL.force)
    r = np.linspace(0.0, 1.2 * found.radius, 500)
    bound = MU * BALL.pressure(r)
    traction = found.traction(r)
    assert (traction <= bound * (1.0 + 1e-12)).all()
    assert (traction >= 0.0).all()
    slips = r > found.stick_radius
    assert traction[slips] == pytest.approx(bound[slips])
    assert (traction[~slips][1:] < bound[~slips][1:] + 1e-9 * found.bound).all()


def test_stick_radius_is_known_in_numbers():
    assert cattaneo.sphere(BALL, MU, 0.875 * MU * BALL.force).stick_radius == pytest.approx(BALL.radius / 2)
    strip = cattaneo.line(ROLLER, MU, 0.75 * MU * ROLLER.force)
    assert strip.stick_half_width == pytest.approx(ROLLER.half_width / 2)


def test_small_force_meets_mindlins_stiffness():
    # 8 a G/(2 - nu) for both bodies together is half of that for one
    force = 1e-6 * MU * BALL.force
    found = cattaneo.sphere(BALL, MU, force)
    stiffness = 4.0 * BALL.radius * PAIR.shear_modulus / (2.0 - PAIR.poisson_ratio)
    assert force / found.shift == pytest.approx(stiffness, rel=1e-5)


def test_what_sticks_has_moved_by_the_shift():
    found = cattaneo.sphere(BALL, MU, 0.6 * MU * BALL.force)
    grid = tr.Grid.around(1.05 * found.radius, 1.05 * found.radius, 160, 160)
    x, y = grid.mesh()
    r = np.hypot(x, y)
    moved = tr.HalfSpace(grid, PAIR).product("x", "x", found.traction(r))
    sticks = r < 0.95 * found.stick_radius
    assert moved[sticks] == pytest.approx(found.shift, rel=3e-3)
    slips = (r > 1.1 * found.stick_radius) & (r < found.radius)
    assert (moved[slips] < found.shift).all()  # left behind: body 1 slips against its traction


@pytest.mark.parametrize("share", [1.0, 2.0])
def test_more_force_than_friction_holds_is_refused(share):
    with pytest.raises(tr.InputError, match="the bodies slide"):
        cattaneo.sphere(BALL, MU, share * MU * BALL.force)


def test_bad_input_is_named():
    with pytest.raises(tr.InputError, match="give its size"):
        cattaneo.sphere(BALL, MU, -1.0)
    with pytest.raises(tr.InputError, match=r"hertz\.pair.*give Hertz a tr\.Pair"):
        cattaneo.sphere(tr.hertz.sphere(0.4, 1e11, force=10.0), MU, 1.0)
