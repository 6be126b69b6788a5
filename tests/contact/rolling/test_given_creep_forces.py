"""Steady rolling under given forces with steep laws: below the maximum, above it, and with what work."""

import re
from collections import Counter

import numpy as np
import pytest

import traction as tr
from traction.contact.rolling import steady_rolling
from traction.errors import InputError

SPEED, LOAD = 20.0, 80e3
STEEP = tr.friction.exponential(0.1, (0.2, 0.02))
LIKE, UNLIKE = tr.Pair(tr.STEEL, tr.STEEL), tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))


def press(pair, force=LOAD, grid=(24, 20, 0.95e-3, 0.95e-3), radii=(0.46, 0.3)):
    return tr.press(tr.Paraboloid(*radii), tr.Grid(*grid), pair, force=force)


@pytest.fixture
def work(monkeypatch):
    """Solutions made, by whether they have fallbacks."""
    made = Counter()

    def count(name):
        solve = getattr(steady_rolling, name)

        def counted(*args, **given):
            made["thorough" if not given.get("brief", name == "_solve_near") else "brief"] += 1
            return solve(*args, **given)

        monkeypatch.setattr(steady_rolling, name, counted)

    for name in ("_solve_classical", "_solve_covered", "_solve_near"):
        count(name)
    return made


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
@pytest.mark.parametrize(
    "force", [(3e3, 2e3), pytest.param((6e3, -1e3), marks=pytest.mark.slow), (-2e3, -2e3)]
)
def test_two_forces_of_unlike_bodies_are_found_from_free_rolling(force, discretisation):
    """Free rolling creeps, so that creepages turn about it."""
    given = {"speed": SPEED, "discretisation": discretisation}
    t = tr.roll_steady(press(UNLIKE), STEEP, creepage=(None, None, 0.0), force=force, **given)
    assert t.force == pytest.approx(force, abs=1e-4 * LOAD)
    assert t.certificate.holds(1e-6)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_a_force_stays_on_its_branch_as_the_pressure_turns(work):
    """Solutions of each pressure alone would alternate between two creepages."""
    pair = tr.Pair(tr.STEEL, tr.Material(67610205319.0, 0.29968851))
    n = press(pair, 39859.26, (16, 16, 1.3e-3, 1.3e-3), (0.41841264, 0.21836576))
    law = tr.friction.linear(0.10072412, (0.12901106, 0.02949595))
    given = {"speed": 98.928098, "discretisation": "classical"}
    t = tr.roll_steady(n, law, creepage=(None, 0.0, 0.0), force=(1569.724, None), **given)
    assert t.force[0] == pytest.approx(1569.724, rel=1e-5)
    assert work["thorough"] <= 1


@pytest.mark.parametrize("creepage", [(None, 0.003, 0.0), (None, 0.0, 2.0), (0.003, None, 0.0)])
def test_a_force_above_a_curve_that_rises_without_end_is_refused(creepage, work):
    """With creepage across or spin the force tends to kinetic friction."""
    along = creepage.index(None)
    kinetic = STEEP.kinetic * LOAD
    force = [None, None]
    force[along] = -9e3
    pattern = rf"force = -9000 N is larger in size than .*, about {kinetic:.5g} N, to which it rises"
    with pytest.raises(InputError, match=pattern):
        tr.roll_steady(press(LIKE), STEEP, creepage=creepage, force=force, speed=SPEED)
    assert work["thorough"] == 0
    force[along] = -0.98 * kinetic
    t = tr.roll_steady(press(LIKE), STEEP, creepage=creepage, force=force, speed=SPEED)
    assert t.force[along] == pytest.approx(force[along], rel=1e-5)


@pytest.mark.parametrize("force", [pytest.param(-1e3, marks=pytest.mark.slow), -4e3, -8e3])
def test_steep_laws_with_spin_are_solved_before_the_maximum(force):
    """At 8 kN, kinetic friction, all slides with any large creepage, too."""
    n, given = press(LIKE), {"creepage": (None, 0.0, 0.5), "speed": SPEED, "discretisation": "classical"}
    t = tr.roll_steady(n, STEEP, force=(force, None), **given)
    assert t.force[0] == pytest.approx(force, rel=1e-5)
    assert 0.0 < t.creepage[0] < 0.0028


@pytest.mark.parametrize("discretisation", ["classical", pytest.param("covered", marks=pytest.mark.slow)])
def test_steep_laws_with_spin_are_refused_above_the_maximum_with_little_work(discretisation, work):
    n, given = press(LIKE), {"speed": SPEED, "discretisation": discretisation}
    with pytest.raises(InputError, match="maximum of the creep curve") as refused:
        tr.roll_steady(n, STEEP, creepage=(None, 0.0, 0.5), force=(-9.5e3, None), **given)
    assert work["thorough"] <= 10
    assert 10 <= work["brief"] <= 150
    top = float(re.search(r"curve, (?:about )?(\S+) N", str(refused.value))[1])
    around = [
        -tr.roll_steady(n, STEEP, creepage=(xi, 0.0, 0.5), **given).force[0] for xi in (2.7e-3, 2.9e-3, 4e-3)
    ]
    assert 0.99 * top <= max(around) <= top * (1.0 + 1e-6)


@pytest.mark.parametrize("share", [1.4, 3.0])
def test_a_force_far_above_the_maximum_of_unlike_bodies_is_refused_with_little_work(share, work):
    """Also one above mu Fn, whose refusal states the maximum."""
    pair = tr.Pair(tr.STEEL, tr.Material(7e10, 0.33))
    n = press(pair, 60e3, (20, 16, 1e-3, 1e-3))
    law, options = tr.friction.exponential(0.1, (0.3, 0.05)), {"speed": SPEED}
    top = max(
        -tr.roll_steady(n, law, creepage=(xi, 0.0, 0.0), **options).force[0]
        for xi in (0.0015, 0.002, 0.0025, 0.003, 0.004)
    )
    work.clear()
    with pytest.raises(InputError, match="maximum of the creep curve") as refused:
        tr.roll_steady(n, law, creepage=(None, 0.0, 0.0), force=(-share * top, None), **options)
    stated = float(str(refused.value).split("about ")[1].split(" N")[0])
    assert stated == pytest.approx(top, rel=0.02)
    assert 5 <= work["brief"] <= 120
    assert work["thorough"] <= 3


@pytest.mark.parametrize("discretisation", ["classical", pytest.param("covered", marks=pytest.mark.slow)])
def test_a_force_before_a_maximum_that_brief_solutions_miss_is_solved(discretisation):
    """They are found at rest and where friction has fallen, where all slides."""
    n = press(LIKE, 60e3, (24, 20, 0.9e-3, 0.8e-3))
    law, given = tr.friction.linear(0.07, (0.22, 0.019)), {"speed": 28.0, "discretisation": discretisation}
    carried = tr.roll_steady(n, law, creepage=(0.0006, 0.0, 0.0), **given).force[0]
    t = tr.roll_steady(n, law, creepage=(None, 0.0, 0.0), force=(0.97 * carried, None), **given)
    assert t.force[0] == pytest.approx(0.97 * carried, rel=1e-5)
    assert 0.0 < t.creepage[0] < 0.001


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.slow
def test_two_forces_with_spin_are_not_solved_beyond_the_maximum():
    """A solution where friction has fallen may be at small creepage, too."""
    n = press(LIKE, 42011.06758344398, (14, 12, 1.3e-3, 1.3e-3))
    law = tr.friction.linear(0.0734359911887496, (0.22258866911954578, 0.018914979542453067))
    force = 0.65 * np.array((-1457.4656853685544, -4312.173757944723))
    t = tr.roll_steady(n, law, creepage=(None, None, 0.4), force=tuple(force), speed=28.03491164235869)
    assert t.force[:2] == pytest.approx(force, rel=1e-4)
    assert np.hypot(*t.creepage[:2]) < 0.001


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_a_solution_that_may_lie_beyond_the_maximum_says_so():
    """There is another one at a fifth of its creepage, where steep friction makes elements jump."""
    n, law = press(LIKE, 42e3, (14, 12, 1.3e-3, 1.3e-3)), tr.friction.linear(0.0734, (0.2226, 0.0189))
    t = tr.roll_steady(n, law, creepage=(None, None, 0.4), force=(-947.0, -2803.0), speed=28.0)
    assert np.hypot(*t.creepage[:2]) < 0.001 or t.other_solutions is None


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(
    ("load", "law", "speed", "given", "force"),
    [
        (24009.2, (0.0627, (0.2498, 0.1259)), 27.57, (0.00674, 0.0), -1430.8),
        (28720.6, (0.0649, (0.2618, 0.2446)), 20.99, (0.01697, 0.5), -1771.7),
        (29886.5, (0.0931, (0.1665, 0.0996)), 44.01, (0.00313, -0.3), -2643.5),
    ],
)
def test_a_force_where_the_curve_falls_and_rises_again_is_solved(load, law, speed, given, force):
    n, law = press(LIKE, load, (12, 11, 25e-3 / 12, 2e-3)), tr.friction.linear(*law)
    options = {"speed": speed, "discretisation": "classical"}
    t = tr.roll_steady(n, law, creepage=(None, *given), force=(force, None), **options)
    assert t.force[0] == pytest.approx(force, rel=1e-5)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize("force", [-200.0, -405.0])
def test_given_forces_of_a_softening_layer_are_solved_to_tolerance(force):
    n = press(LIKE, 50057.0, (19, 11, 25e-3 / 19, 2e-3))
    law, layer = (
        tr.friction.linear(0.2007, (0.2788, 0.01113)),
        tr.Layer(4e9, 2e-5, 71220405.0, hardening=-1.36e13),
    )
    given = {"speed": 20.089, "layer": layer, "discretisation": "classical"}
    t = tr.roll_steady(n, law, creepage=(0.005, None, 0.0), force=(None, force), **given)
    assert t.certificate.holds(1e-6)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_a_refusal_names_what_falls_beyond_the_maximum():
    n, layer = press(LIKE, 60e3, (14, 12, 1.2e-3, 1.2e-3)), tr.Layer(4e9, 2e-5, 1.5e8, hardening=-5e12)
    with pytest.raises(InputError, match="the layer softens beyond it"):
        tr.roll_steady(n, 0.3, creepage=(None, 0.0, 0.0), force=(-1e4, None), layer=layer, speed=20.0)
