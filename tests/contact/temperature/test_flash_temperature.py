"""Flash temperatures: the benchmark of Ertz and Knothe, limits, laws of scale, and the share of the heat."""

import math

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
EFFUSIVITY = math.sqrt(50.0 * 450.0 * 7850.0)
HERTZIAN = 2.1883  #: largest integral from x to 1 of sqrt(1 - u^2)/sqrt(u - x) du
#: CONTACT (Vollebregt), open-source revision of July 2025, example of temperatures: a = 5.88, b = 10.54 mm,
#: 100 kN, 30 m/s, dx = 0.2 mm, dy = 0.5 mm; creepage, bulk temperature of the wheel, highest temperature
CONTACT = [
    ((-0.03333, 0.0, 0.0), 0.0, 166.8),
    ((0.0, 0.0, 0.0), 150.0, 75.0),
    ((-0.03333, 0.0, 0.0), 150.0, 241.8),
    ((-0.002, 0.001, 0.2), 150.0, 90.85),
]


def press_ellipse(across=1, **options):
    """The contact of Ertz and Knothe, of cells of 0.2 mm along and 0.5 mm across it."""
    grid = tr.Grid(64 * across, 45, 0.2e-3 / across, 0.5e-3)
    return tr.press(tr.Paraboloid(1 / 2.03, 1 / 0.843), grid, options.get("pair", PAIR), force=100e3)


@pytest.fixture(scope="module")
def ellipse():
    return press_ellipse()


@pytest.fixture(scope="module")
def sliding(ellipse):
    return tr.roll_steady(ellipse, 0.3, creepage=(-1.0 / 30.0, 0.0, 0.0))


@pytest.mark.parametrize(("creepage", "bulk", "highest"), CONTACT)
def test_classical_elements_reproduce_contact(ellipse, creepage, bulk, highest):
    t = tr.roll_steady(ellipse, 0.3, creepage=creepage, direction=-1, discretisation="classical")
    hot = tr.flash_temperature(t, 30.0, bulk=(bulk, 0.0))
    inside = hot.surfaces[:, ellipse.contact]
    assert hot.largest == inside.max() == pytest.approx(highest, rel=3e-4)
    assert inside[0] == pytest.approx(inside[1], rel=1e-12)


def test_a_body_that_is_hotter_outside_does_not_count(sliding):
    hot = tr.flash_temperature(sliding, 30.0, bulk=(500.0, 0.0), velocities=(-30.0, -30.0))
    assert hot.max() > 499.0
    assert hot.largest == pytest.approx(hot.surfaces[:, sliding.normal.contact].max())
    assert hot.largest < 450.0  # like bodies meet half way, and friction adds its heat


def test_contact_counts_the_heat_of_an_element_twice():
    """Its temperatures fall with the square root of dx, to those of the exact coefficients."""
    differences, found = [], []
    for across in (1, 2, 4):
        n = press_ellipse(across)
        t = tr.roll_steady(n, 0.3, creepage=(-1.0 / 30.0, 0.0, 0.0), discretisation="classical")
        exact = tr.flash_temperature(t, 30.0, velocities=(-30.0, -30.0)).largest
        differences.append(tr.flash_temperature(t, 30.0).largest - exact)
        found.append(exact)
    assert found == pytest.approx([152.6] * 3, rel=2e-3)
    assert np.array(differences[:-1]) / differences[1:] == pytest.approx(math.sqrt(2.0), rel=0.03)


def test_fast_contact_is_the_integral_of_its_power_along_each_row(sliding):
    """At a Peclet number of 6000 heat goes into the depth: T = int q/(2 e sqrt(pi V d)) dx."""
    hot = tr.flash_temperature(sliding, 30.0, velocities=(-30.0, -30.0))
    assert hot.peclet == pytest.approx([30.0 * 5.88e-3 / (2.0 * tr.STEEL.diffusivity)] * 2, rel=2e-3)
    grid, row = hot.grid, 22
    ends = np.abs(grid.x[:, None] - grid.x) + np.array([[[0.5]], [[-0.5]]]) * grid.dx
    weight = np.where(
        grid.x[None] >= grid.x[:, None], 2.0 * (np.sqrt(ends[0]) - np.sqrt(np.maximum(ends[1], 0.0))), 0
    )
    fast = weight @ hot.power[row] / (2.0 * EFFUSIVITY * math.sqrt(math.pi * 30.0))
    assert hot.temperature[row] == pytest.approx(fast, rel=2e-3, abs=2e-3 * hot.largest)
    flux = 0.5 * 0.3 * sliding.normal.peak_pressure  # without the elastic part of the slip, some 10 % of it
    closed = flux / (EFFUSIVITY * math.sqrt(math.pi * 30.0)) * math.sqrt(5.88e-3) * HERTZIAN
    assert hot.largest == pytest.approx(closed, rel=0.025)


def test_temperature_scales_with_slip_and_the_root_of_the_speed(ellipse):
    """In full sliding T is as mu p s/sqrt(V), with the slip speed s = V xi."""
    t = tr.roll_steady(ellipse, 0.3, creepage=(-0.2, 0.0, 0.0))
    rises = [tr.flash_temperature(t, V, velocities=(-V, -V)).largest for V in (10.0, 40.0)]
    assert rises[1] / rises[0] == pytest.approx(2.0, rel=2e-3)


def test_slow_contact_is_as_at_rest(sliding):
    slow = tr.flash_temperature(sliding, 1e-7)
    power = slow.power / slow.speed
    rest = tr.HeatedHalfSpace(slow.grid, tr.STEEL).rise(0.5 * power)
    assert slow.temperature / slow.speed == pytest.approx(rest, rel=1e-3)


def test_rolling_back_is_the_mirror_image(ellipse):
    ahead, back = (
        tr.flash_temperature(tr.roll_steady(ellipse, 0.3, creepage=(-d * 0.01, 0.0, 0.0), direction=d), 20.0)
        for d in (1, -1)
    )
    assert ahead.temperature == pytest.approx(back.temperature[:, ::-1], abs=1e-5 * ahead.largest)


def test_surfaces_that_touch_are_equally_warm_and_all_heat_is_absorbed(sliding):
    """Unlike materials, unlike speeds and unlike bulk temperatures."""
    brass = tr.Material(1e11, 0.35, 8500.0, specific_heat=380.0, conductivity=110.0)
    hot = tr.flash_temperature(sliding, 2.0, (brass, tr.STEEL), velocities=(-0.3, -2.0), bulk=(40.0, 10.0))
    touches = sliding.normal.contact
    assert hot.surfaces[0][touches] == pytest.approx(hot.surfaces[1][touches], abs=1e-6 * hot.largest)
    assert hot.flux.sum(axis=0) == pytest.approx(hot.power, abs=1e-9 * hot.power.max())
    assert (hot.flux[:, ~touches] == 0.0).all()
    ahead = hot.surfaces[:, :, -1]  # where particles enter, cold
    assert ahead.max(axis=1) == pytest.approx([40.0, 10.0], abs=0.5)


def test_fast_unlike_bodies_share_as_their_effusivities(sliding):
    copper = tr.Material(1.2e11, 0.34, 8900.0, specific_heat=385.0, conductivity=390.0)
    hot = tr.flash_temperature(sliding, 100.0, (copper, tr.STEEL), velocities=(-100.0, -100.0))
    e = math.sqrt(390.0 * 385.0 * 8900.0)
    assert hot.share == pytest.approx(e / (e + EFFUSIVITY), rel=2e-3)


def test_share_may_be_given(sliding):
    hot = tr.flash_temperature(sliding, 30.0, share=1.0, velocities=(-30.0, -30.0))
    half = tr.flash_temperature(sliding, 30.0, velocities=(-30.0, -30.0))
    assert hot.surfaces[0] == pytest.approx(2.0 * half.surfaces[0], rel=1e-12, abs=1e-9)
    assert hot.surfaces[1] == pytest.approx(0.0)
    rigid = tr.flash_temperature(sliding, 30.0, (tr.STEEL, tr.RIGID), share=1.0)  # needs no thermal constants
    assert rigid.share == pytest.approx(1.0)


def test_a_body_that_does_not_turn_is_hotter(ellipse):
    """xi = 1: body 1 is locked, and its surface stays in the contact; the other one is always fresh."""
    t = tr.roll_steady(ellipse, 0.3, creepage=(1.0, 0.0, 0.0))
    hot = tr.flash_temperature(t, 10.0)
    assert hot.velocities == (0.0, -10.0)
    assert hot.share < 0.1
    assert hot.peclet[0] == 0.0


def test_it_is_an_array(sliding):
    hot = tr.flash_temperature(sliding, 30.0)
    assert np.max(hot) == hot.max() == hot.largest
    assert np.asarray(hot).shape == hot.grid.shape
    assert hot.max(axis=0).shape == (hot.grid.nx,)


def test_line_contact_reaches_the_fast_limit():
    """Jaeger's line sources under a Hertzian flux; their sum at a high Peclet number is 2.1883 sqrt(a)."""
    n = tr.press(tr.Cylinder(0.46), tr.Grid.line(80, 0.2e-3), PAIR, force=4e6)
    t = tr.roll_steady(n, 0.3, creepage=(-0.4, 0.0, 0.0))  # so large that the elastic slip is small beside it
    hot = tr.flash_temperature(t, 5.0, velocities=(-5.0, -5.0))
    flux = 0.5 * 0.3 * n.peak_pressure * 0.4 * 5.0
    fast = flux / (EFFUSIVITY * math.sqrt(math.pi * 5.0)) * math.sqrt(n.semi_axes[0]) * HERTZIAN
    assert hot.largest == pytest.approx(fast, rel=6e-3)
    with pytest.raises(tr.UndefinedError, match="without end"):
        tr.flash_temperature(t, 5.0, velocities=(0.0, -5.0))


def test_input_is_checked(ellipse, sliding):
    shifted = tr.shift(ellipse, 0.3, displacement=(1e-6, 0.0, 0.0))
    with pytest.raises(tr.InputError, match="shift, whose heat is not steady"):
        tr.flash_temperature(shifted, 10.0)
    with pytest.raises(tr.InputError, match="speed"):
        tr.flash_temperature(sliding, 0.0)
    with pytest.raises(tr.InputError, match=r"share = 1\.5"):
        tr.flash_temperature(sliding, 1.0, share=1.5)
    with pytest.raises(tr.InputError, match="no specific_heat"):
        tr.flash_temperature(sliding, 1.0, tr.Material(1e11, 0.3, 8000.0))
    with pytest.raises(tr.InputError, match="has its own share"):
        tr.flash_temperature(sliding, 1.0, share=0.5, discretisation="classical")


def test_bodies_apart_have_no_highest_temperature():
    n = press_ellipse()
    apart = tr.press(tr.Paraboloid(1 / 2.03, 1 / 0.843), n.grid, PAIR, approach=-1e-6)
    hot = tr.flash_temperature(tr.roll_steady(apart, 0.3, creepage=(0.01, 0.0, 0.0)), 30.0)
    assert math.isnan(hot.largest)
    assert str(hot).startswith("FlashTemperature: 30 m/s, no contact")
    assert not hot.temperature.any()
