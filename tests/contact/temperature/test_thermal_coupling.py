"""Friction that falls with the temperature: agreement with its own heat, limits, refusals."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
FALLING = tr.friction.thermal([50.0, 450.0], [0.35, 0.15])


@pytest.fixture(scope="module")
def ball():
    return tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(26, 26, 0.56e-3, 0.56e-3), PAIR, force=80e3)


@pytest.mark.parametrize("discretisation", ["covered", "classical"])
@pytest.mark.parametrize("creepage", [(-0.003, 0, 0), (-0.03, 0, 0), (0.01, 0.08, 0.3), (0, 0, 3.0)])
def test_coefficients_are_those_of_their_own_temperature(ball, creepage, discretisation):
    t = tr.roll_steady(ball, FALLING, creepage=creepage, speed=30.0, discretisation=discretisation)
    hot = tr.flash_temperature(t, 30.0)
    inside = ball.contact
    assert FALLING.coefficient(hot.temperature)[inside] == pytest.approx(
        t.coefficient[inside], abs=2.5e-4 * 0.35
    )
    assert (
        np.hypot(*t.traction)[inside] <= (1.0 + 1e-5) * (t.coefficient * ball.pressure)[inside] + 1.0
    ).all()
    assert t.ok


def test_it_is_the_fixed_point_of_solving_and_heating_by_turns(ball):
    """The plain iteration, without the Newton steps of the coupling."""
    creepage, mu = (-0.02, 0.0, 0.0), np.full(ball.grid.shape, 0.3)
    for _ in range(40):
        t = tr.roll_steady(ball, mu, creepage=creepage, tol=1e-5)
        mu = 0.5 * mu + 0.5 * FALLING.coefficient(tr.flash_temperature(t, 30.0).temperature)
    coupled = tr.roll_steady(ball, FALLING, creepage=creepage, speed=30.0)
    assert coupled.force[0] == pytest.approx(t.force[0], rel=3e-4)


def test_cold_friction_is_constant_friction(ball):
    cold = tr.roll_steady(ball, FALLING, creepage=(-0.001, 0.0, 0.0), speed=1.0)
    constant = tr.roll_steady(ball, 0.35, creepage=(-0.001, 0.0, 0.0))
    assert cold.force == pytest.approx(constant.force, abs=1e-9 * ball.force)


def test_force_falls_behind_its_maximum(ball):
    pulls = [
        tr.roll_steady(ball, FALLING, creepage=(-xi, 0.0, 0.0), speed=30.0).force[0]
        for xi in (1e-3, 5e-3, 1e-2, 3e-2, 1e-1)
    ]
    top = int(np.argmax(pulls))
    assert 0 < top < 3
    assert (np.diff(pulls[top:]) < 0.0).all()
    assert pulls[-1] > 0.15 * ball.force


def test_warm_bulk_moves_along_the_law(ball):
    warm = tr.friction.thermal([50.0, 450.0], [0.35, 0.15], bulk=(250.0, 250.0))
    t = tr.roll_steady(ball, warm, creepage=(-0.002, 0.0, 0.0), speed=0.01)  # so slow that nothing warms up
    assert t.coefficient[ball.contact] == pytest.approx(0.25, abs=2e-3)


def test_a_force_may_be_given(ball):
    t = tr.roll_steady(ball, FALLING, creepage=(None, 0.0, 0.0), force=(20e3, None), speed=30.0)
    again = tr.roll_steady(ball, FALLING, creepage=t.creepage, speed=30.0)
    assert again.force[0] == pytest.approx(20e3, rel=1e-3)


def test_what_is_out_of_reach_is_refused(ball):
    with pytest.raises(tr.InputError, match="speed"):
        tr.roll_steady(ball, FALLING, creepage=(-0.01, 0.0, 0.0))
    with pytest.raises(tr.InputError, match="is for rolling"):
        tr.shift(ball, FALLING, displacement=(1e-6, 0.0, 0.0))
    start = tr.roll_steady(ball, 0.3, creepage=(1e-3, 0.0, 0.0))
    with pytest.raises(tr.InputError, match="Peclet number"):
        tr.roll(start, FALLING, distance=1e-4, creepage=(1e-3, 0.0, 0.0), speed=0.01)
    with pytest.raises(tr.InputError, match="alone"):
        start.change_with(FALLING, speed=1.0)
    with pytest.raises(tr.InputError, match="must be a law of the slip speed"):
        tr.friction.thermal([0.0, 1.0], [0.3, 0.2], law=0.3)
    with pytest.raises(tr.InputError, match="must be smaller in size than mu Fn = 28000 N"):
        tr.roll_steady(ball, FALLING, creepage=(None, 0, 0), force=(30e3, None), speed=30.0)


def test_tangents_are_not_those_of_a_field_that_is_held(ball):
    t = tr.roll_steady(ball, FALLING, creepage=(-0.02, 0.0, 0.0), speed=30.0)
    with pytest.raises(AttributeError, match="tangent is not available"):
        _ = t.tangent
    with pytest.raises(AttributeError, match="change_with is not available"):
        t.change_with(0.3)


def test_a_force_that_only_cold_friction_carries_is_refused_with_the_maximum(ball):
    steep = tr.friction.thermal([20.0, 250.0], [0.35, 0.1])
    pulls = [
        tr.roll_steady(ball, steep, creepage=(-xi, 0, 0), speed=30.0).force[0] for xi in (4e-3, 5e-3, 6e-3)
    ]
    with pytest.raises(tr.InputError, match="become too warm") as refused:
        tr.roll_steady(ball, steep, creepage=(None, 0.0, 0.0), force=(27.9e3, None), speed=30.0)
    most = float(str(refused.value).split("about ")[1].split(" N")[0])
    assert most == pytest.approx(max(pulls), rel=2e-3)


@pytest.mark.parametrize("direction", [1, -1])
def test_memory_delays_the_coefficients_along_the_way(ball, direction):
    """From element to element a share exp(-s dt/dc) of the coefficient ahead is left."""
    dc, s0, V, xi = 2e-4, 1e-3, 30.0, 0.03
    law = tr.friction.thermal([50.0, 450.0], [0.35, 0.15], memory=(dc, s0))
    t = tr.roll_steady(ball, law, creepage=(-xi * direction, 0.0, 0.0), speed=V, direction=direction)
    wanted = law.coefficient(tr.flash_temperature(t, V).temperature)
    slip, row = V * np.hypot(*t.slip), 13
    mu, found = 0.35, []
    for i in range(ball.grid.nx)[::-direction]:
        kept = np.exp(-max(slip[row, i], s0) * ball.grid.dx / V / dc)
        mu = kept * mu + (1.0 - kept) * wanted[row, i]
        found.append(mu)
    inside = ball.contact[row]
    assert np.array(found)[::-direction][inside] == pytest.approx(t.coefficient[row, inside], abs=1e-4)
    at_once = tr.roll_steady(ball, FALLING, creepage=(-xi * direction, 0, 0), speed=V, direction=direction)
    assert abs(t.force[0]) > 1.02 * abs(at_once.force[0])


def test_a_short_memory_is_none(ball):
    short = tr.friction.thermal([50.0, 450.0], [0.35, 0.15], memory=(1e-9, 1e-3))
    with_it, without = (
        tr.roll_steady(ball, one, creepage=(-0.03, 0, 0), speed=30.0) for one in (short, FALLING)
    )
    assert with_it.force[0] == pytest.approx(without.force[0], rel=1e-4)


def try_random_cases(ball, count, seed):
    """Number of random cases that are refused; what is not agrees with its own temperature."""
    rng, refused = np.random.default_rng(seed), 0
    for _ in range(count):
        low, cold = rng.uniform(0.0, 200.0), rng.uniform(0.1, 0.6)
        bounds = [low, low + rng.uniform(20.0, 600.0)]
        bulk = tuple(rng.uniform(0.0, 150.0, 2))
        law = tr.friction.thermal(bounds, [cold, cold * rng.uniform(0.1, 1.0)], bulk=bulk)
        creepage = rng.choice([-1, 1], 3) * 10.0 ** rng.uniform([-4, -4, -2], [-0.7, -0.7, 0.7])
        options = {
            "discretisation": str(rng.choice(["covered", "classical"])),
            "direction": int(rng.choice([1, -1])),
        }
        V = 10.0 ** rng.uniform(-1.0, 2.0)
        try:
            t = tr.roll_steady(ball, law, creepage=creepage, speed=V, **options)
        except tr.ConvergenceError:
            refused += 1
            continue
        assert t.ok
        wanted = law.coefficient(tr.flash_temperature(t, V, bulk=bulk).temperature)[ball.contact]
        assert wanted == pytest.approx(t.coefficient[ball.contact], abs=2.6e-4 * law.largest)
    return refused


def test_random_cases_settle(ball):
    assert try_random_cases(ball, 25, seed=1) == 0


@pytest.mark.slow
def test_many_random_cases_settle(ball):
    assert try_random_cases(ball, 500, seed=2) <= 2


def test_a_body_that_takes_heat_needs_thermal_data():
    insulated = tr.Material(206e9, 0.28, 7850.0)
    n = tr.press(
        tr.Paraboloid(0.46, 0.46), tr.Grid(14, 14, 1e-3, 1e-3), tr.Pair(insulated, tr.STEEL), force=80e3
    )
    for known in ({"creepage": (-0.003, 0, 0)}, {"creepage": (None, 0, 0), "force": (5e3, None)}):
        with pytest.raises(tr.InputError, match="body 1 has no specific_heat and no conductivity"):
            tr.roll_steady(n, FALLING, speed=30.0, **known)
    lower = tr.friction.thermal([50.0, 450.0], [0.35, 0.15], share=0.0)
    assert tr.roll_steady(n, lower, speed=30.0, creepage=(-0.003, 0, 0)).temperature.max() > 10.0


def test_what_does_not_settle_says_so(ball, monkeypatch):
    monkeypatch.setattr("traction.contact.temperature.thermal_coupling.MOST_TURNS", 1)
    given = {"creepage": (-0.03, 0.0, 0.0), "speed": 30.0}
    unsettled = tr.roll_steady(ball, FALLING, **given, on_failure="return")
    assert not unsettled.ok
    assert unsettled.certificate.temperature > 2.5e-4
    assert "did not settle" in unsettled.message
    with pytest.raises(tr.ConvergenceError, match="Friction and temperature did not settle") as failed:
        tr.roll_steady(ball, FALLING, **given)
    assert not failed.value.result.ok
    begun = tr.roll_steady(ball, 0.3, creepage=(-0.001, 0.0, 0.0))
    steep = tr.friction.thermal([0.0, 60.0], [0.35, 0.05])
    step = tr.roll(begun, steep, distance=0.56e-3, **given, on_failure="return")
    assert not step.ok
    assert "did not settle" in step.message
