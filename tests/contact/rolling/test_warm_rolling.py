"""Transient rolling with friction by temperature: its steady limit, its beginning, combinations, refusals."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
DX = 0.8e-3
FALLING = tr.friction.thermal([50.0, 450.0], [0.35, 0.15])
BY_SPEED = tr.friction.exponential(0.2, (0.15, 1.0), memory=(2e-6, 1e-3))
HALVED = tr.friction.thermal([50.0, 450.0], [1.0, 0.5], law=BY_SPEED)
CASES = {
    "temperature": (FALLING, None),
    "with memory": (tr.friction.thermal([50.0, 450.0], [0.35, 0.15], memory=(2e-4, 1e-3)), None),
    "unequal bulk": (tr.friction.thermal([50.0, 450.0], [0.35, 0.15], bulk=(100.0, 20.0)), None),
    "given share": (tr.friction.thermal([50.0, 450.0], [0.35, 0.15], share=0.3), None),
    "by slip speed too": (HALVED, None),
    "elastic layer": (FALLING, tr.Layer(4e9, 1e-4)),
    "yielding layer": (FALLING, tr.Layer(4e9, 1e-4, yield_stress=200e6)),
    "all": (HALVED, tr.Layer(4e9, 1e-4, yield_stress=200e6, hardening=1e11)),
}


@pytest.fixture(scope="module")
def ball():
    return tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(18, 18, DX, DX), PAIR, force=80e3)


def begin(n):
    return tr.shift(n, 0.35, displacement=(0.0, 0.0, 0.0))


def march(t, friction, steps, cells=1.0, **options):
    for _ in range(steps):
        t = tr.roll(t, friction, distance=cells * DX, creepage=(-0.02, 0.0, 0.0), speed=30.0, **options)
    return t


@pytest.mark.parametrize("case", CASES)
def test_the_march_of_whole_cells_ends_in_steady_rolling(ball, case):
    law, layer = CASES[case]
    options = {"layer": layer, "discretisation": "classical"}
    t = march(begin(ball), law, 20, **options)
    steady = tr.roll_steady(ball, law, creepage=(-0.02, 0.0, 0.0), speed=30.0, **options)
    assert t.force[0] == pytest.approx(steady.force[0], rel=1e-4)
    inside, most = ball.contact, steady.temperature.max()
    assert t.temperature[inside] == pytest.approx(steady.temperature[inside], abs=1e-3 * most)
    assert t.ok
    assert t.certificate.temperature <= 2.5e-4


@pytest.mark.parametrize("case", ["temperature", "all"])
@pytest.mark.parametrize("cells", [1.0, pytest.param(0.25, marks=pytest.mark.slow)])
def test_the_covered_march_ends_in_steady_rolling(ball, case, cells):
    law, layer = CASES[case]
    t = march(begin(ball), law, int(20 / cells), cells, layer=layer)
    steady = tr.roll_steady(ball, law, creepage=(-0.02, 0.0, 0.0), speed=30.0, layer=layer)
    # a hardening layer begins to flow within an element: 3.8e-3 here, falling with finer elements
    assert t.force[0] == pytest.approx(steady.force[0], rel=4e-3 if case == "all" else 3e-3)
    assert t.temperature.max() == pytest.approx(steady.temperature.max(), rel=0.02)


def test_steady_rolling_goes_on_as_it_is(ball):
    steady = tr.roll_steady(ball, FALLING, creepage=(-0.02, 0.0, 0.0), speed=30.0)
    t = march(steady, FALLING, 3, 0.3)
    assert t.force[0] == pytest.approx(steady.force[0], rel=3e-4)


@pytest.mark.parametrize("cells", [1.0, 0.2])
def test_surfaces_warm_up_by_the_heat_that_particles_met(ball, cells):
    """Under full sliding that begins: T = 1/(e1 + e2) int q/sqrt(pi t) dt over the time since then."""
    law = tr.friction.thermal([0.0, 1e6], [0.3, 0.3 * (1.0 - 1e-9)])  # does not change
    t = tr.shift(ball, 0.3, displacement=(-1e-3, 0.0, 0.0))  # slides
    for _ in range(round(3 / cells)):
        t = tr.roll(t, law, distance=cells * DX, creepage=(-0.1, 0.0, 0.0), speed=30.0)
    x, row, n = ball.grid.x, 9, 2000
    power = t.power_density[row] * 30.0 / (cells * DX)
    root = (np.arange(n) + 0.5) / n * np.sqrt(3 * DX / 30.0)  # of the age of the heat
    met = np.interp(x[7:11, None] + 30.0 * root**2, x, power).mean(axis=1)
    expected = met * np.sqrt(3 * DX / 30.0 / np.pi) / np.sqrt(7850.0 * 450.0 * 50.0)
    assert t.temperature[row, 7:11] == pytest.approx(expected, rel=0.015 + 0.01 * cells)


def test_colder_at_first_friction_is_higher(ball):
    t, pulls = begin(ball), []
    for _ in range(24):
        t = tr.roll(t, FALLING, distance=0.5 * DX, creepage=(-0.05, 0.0, 0.0), speed=30.0)
        pulls.append(t.force[0])
    slides = int(np.argmax(pulls))
    assert (np.diff(pulls[slides:]) < 0.0).all()
    assert pulls[slides] > 1.1 * pulls[-1]


def test_a_given_force_is_carried_at_more_creepage_as_it_warms_up(ball):
    t = tr.roll_steady(ball, 0.35, creepage=(None, 0.0, 0.0), force=(18e3, None))
    first = abs(t.creepage[0])
    cold = tr.shift(ball, 0.35, force=(18e3, None), displacement=(None, 0.0, 0.0))
    for _ in range(40):
        cold = tr.roll(cold, FALLING, distance=DX, creepage=(None, 0.0, 0.0), force=(18e3, None), speed=60.0)
    steady = tr.roll_steady(ball, FALLING, creepage=(None, 0.0, 0.0), force=(18e3, None), speed=60.0)
    assert cold.force[0] == pytest.approx(18e3, rel=1e-5)
    assert cold.creepage[0] == pytest.approx(steady.creepage[0], rel=0.02)
    assert abs(cold.creepage[0]) > first


def test_a_force_that_only_cold_surfaces_carry_is_refused(ball):
    steep = tr.friction.thermal([0.0, 40.0], [0.35, 0.05])
    t = tr.shift(ball, 0.35, force=(24e3, None), displacement=(None, 0.0, 0.0))
    refusal = r"must be smaller in size than mu Fn|near its limit"
    with pytest.raises((tr.InputError, tr.ConvergenceError), match=refusal):
        tr.roll(t, steep, distance=40 * DX, creepage=(None, 0.0, 0.0), force=(24e3, None), speed=60.0)


@pytest.mark.parametrize("force", [-100.0, 0.0])
def test_bodies_apart_are_refused_a_force_without_a_limit_of_warm_friction(ball, force):
    apart = tr.press(tr.Paraboloid(0.46, 0.46), ball.grid, PAIR, approach=-1e-5)
    with pytest.raises(tr.InputError, match="must be smaller in size than mu Fn = 0 N") as refused:
        tr.roll_steady(apart, FALLING, creepage=(None, 0.0, 0.0), force=(force, None), speed=20.0)
    assert "Warm surfaces" not in str(refused.value)


def test_bodies_that_part_cool_down(ball):
    hot = tr.roll_steady(ball, FALLING, creepage=(-0.05, 0.0, 0.0), speed=30.0)
    air = tr.press(tr.Paraboloid(0.46, 0.46), ball.grid, PAIR, approach=-1e-4)
    flown = tr.roll(hot, FALLING, distance=20 * DX, creepage=(0.0, 0.0, 0.0), speed=30.0, normal=air)
    landed = tr.roll(flown, FALLING, distance=0.2 * DX, creepage=(-0.05, 0.0, 0.0), speed=30.0, normal=ball)
    assert landed.temperature.max() < 0.4 * hot.temperature.max()


def test_a_long_step_is_as_many_short_ones(ball):
    one = tr.roll(begin(ball), FALLING, distance=6 * DX, creepage=(-0.02, 0.0, 0.0), speed=30.0)
    many = march(begin(ball), FALLING, 6)
    assert one.force[0] == pytest.approx(many.force[0], rel=1e-6)
    assert one.dissipation > 0.0


def test_given_shares_heat_the_surface_that_becomes_hotter():
    """The one of low effusivity, whichever body takes more of the heat."""
    pair = tr.Pair(tr.STEEL, replace(tr.STEEL, conductivity=2.0))
    n = tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(14, 14, 1e-3, 1e-3), pair, force=80e3)
    begun, found = tr.roll_steady(n, 0.3, creepage=(-0.001, 0, 0)), []
    for share in (0.6, 0.45):
        flat = tr.friction.thermal([0.0, 1e3], [0.3, 0.3], share=share)
        step = tr.roll(begun, flat, distance=1e-3, creepage=(-0.003, 0, 0), speed=30.0)
        found.append(step.temperature[n.contact] / (1.0 - share))
    assert found[0] == pytest.approx(found[1], rel=1e-6)
