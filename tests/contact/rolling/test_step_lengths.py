"""Laws and layers at steps from 1 to 1/20 element: they agree as closely as constant friction does."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
MEMORY = (2e-5, 1e-3)
CREEPAGE, SPEED, LOAD = (0.006, 0.0005, 0.1), 20.0, 80e3
FALLING = tr.friction.exponential(0.15, (0.15, 1.0), memory=MEMORY)
CASES = {
    "linear": (tr.friction.linear(0.15, (0.15, 1.0), memory=MEMORY), None),
    "rational": (tr.friction.rational(0.15, (0.15, 1.0), memory=MEMORY), None),
    "exponential": (FALLING, None),
    "memory as short as the slip of an element": (
        tr.friction.exponential(0.15, (0.15, 1.0), memory=(3e-6, 1e-3)),
        None,
    ),
    "polach": (tr.friction.polach(0.3, 0.5, 0.6, memory=MEMORY), None),
    "own": (tr.friction.own(lambda s: 0.15 + 0.15 / (1.0 + s), memory=MEMORY), None),
    "slow and without memory": (tr.friction.exponential(0.2, (0.1, 20.0)), None),
    "elastic layer": (0.3, tr.Layer(4e9, 5e-5)),
    "yielding layer": (0.3, tr.Layer(4e9, 5e-5, yield_stress=200e6)),
    "hardening layer": (0.3, tr.Layer(4e9, 5e-5, yield_stress=150e6, hardening=2e12)),
    "softening layer": (0.3, tr.Layer(4e9, 5e-5, yield_stress=250e6, hardening=-2e11)),
    "law and layer": (FALLING, tr.Layer(4e9, 5e-5, yield_stress=200e6)),
    "temperature": (tr.friction.thermal([0.0, 300.0], [0.3, 0.15]), None),
}

#: in steps of one element they fall by about what the contact of 16 x 12 or 30 x 22 elements resists
STEEP = {
    "linear without memory": tr.friction.linear(0.15, (0.15, 0.25)),
    "rational without memory": tr.friction.rational(0.15, (0.15, 0.3)),
    "exponential without memory": tr.friction.exponential(0.15, (0.15, 0.3)),
    "polach without memory": tr.friction.polach(0.3, 0.5, 3.0),
}
#: those of CONTACT's cases of falling friction, whose memory is too short for short steps
SHORT = {
    "two exponential terms": tr.friction.exponential(0.12, (0.15, 0.4), (0.1, 3.0), memory=(3e-6, 1e-3)),
    "rational": tr.friction.rational(0.1, (0.2, 0.8), (0.08, 2.0), memory=(3e-6, 1e-3)),
    "exponential": tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3)),
    "linear": tr.friction.linear(0.2, (0.15, 1.5), memory=(3e-6, 1e-3)),
}
#: by three and six times that
VERY_STEEP = {
    "linear, 3": tr.friction.linear(0.15, (0.15, 0.052)),
    "exponential, 3": tr.friction.exponential(0.15, (0.15, 0.072)),
    "linear, 6": tr.friction.linear(0.15, (0.15, 0.026)),
    "rational, 6": tr.friction.rational(0.15, (0.15, 0.052)),
    "exponential, 6": tr.friction.exponential(0.15, (0.15, 0.036)),
    "polach, 6": tr.friction.polach(0.3, 0.5, 19.0),
}


def press(nx, ny, size):
    return tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(nx, ny, size, size), PAIR, force=LOAD)


def march(n, friction, layer, cells, length):
    """Forces over mu Fn after each element of way, from no traction."""
    t, found = tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0)), []
    options = {"creepage": CREEPAGE, "speed": SPEED, "layer": layer}
    for k in range(1, round(length / cells) + 1):
        t = tr.roll(t, friction, distance=cells * n.grid.dx, **options)
        if abs(k * cells - round(k * cells)) < 1e-9:
            found.append(t.force)
    return np.array(found) / (0.3 * LOAD)


@pytest.fixture(scope="module")
def coarse():
    """A contact of 16 x 12 elements, and what constant friction differs by at steps of 1 and 1/4 of one."""
    n = press(18, 14, 0.85e-3)
    whole, part = (march(n, 0.3, None, cells, 8) for cells in (1.0, 0.25))
    return n, np.abs(whole - part).max()


@pytest.mark.parametrize("case", [*CASES, *STEEP, *VERY_STEEP])
def test_whole_and_quarter_steps_agree_as_with_constant_friction(coarse, case):
    n, constant = coarse
    friction, layer = CASES[case] if case in CASES else ((STEEP | VERY_STEEP)[case], None)
    whole, part = (march(n, friction, layer, cells, 8) for cells in (1.0, 0.25))
    assert np.abs(whole - part).max() <= 1.15 * constant + 2e-4


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_steps_down_to_a_twentieth_agree_as_with_constant_friction(fine, case):
    """On 30 x 22 elements, over one and a half lengths of the contact; and they end in steady rolling.

    A memory too short to need no lag lags where all begins to slide, by 2e-4 more.
    """
    n, constant = fine
    found = [march(n, *CASES[case], cells, 45) for cells in (1.0, 0.25, 0.05)]
    spread = [np.abs(one - found[-1]).max() for one in found[:-1]]
    assert spread[0] <= 1.1 * constant[0]
    assert spread[1] <= 1.1 * constant[1] + 2e-4
    friction, layer = CASES[case]
    steady = tr.roll_steady(n, friction, creepage=CREEPAGE, speed=SPEED, layer=layer).force
    missed = [np.abs(one[-1] - np.array(steady) / (0.3 * LOAD)).max() for one in (found[0], found[-1])]
    assert max(missed) <= 4e-3


@pytest.mark.slow
@pytest.mark.parametrize("case", [*STEEP, *VERY_STEEP])
def test_steep_laws_without_memory_agree_as_closely(fine, case):
    """They lag, and end as close to steady rolling as constant friction does, after a longer distance."""
    n, constant = fine
    friction, length = (STEEP | VERY_STEEP)[case], 45 if case in STEEP else 180
    found = [march(n, friction, None, cells, length) for cells in (1.0, 0.25, 0.05)]
    spread = [np.abs(one - found[-1]).max() for one in found[:-1]]
    assert spread[0] <= constant[0]
    assert spread[1] <= constant[1]
    steady = tr.roll_steady(n, friction, creepage=CREEPAGE, speed=SPEED).force
    missed = [np.abs(one[-1] - np.array(steady) / (0.3 * LOAD)).max() for one in found]
    assert missed[0] <= 2.3e-3
    assert missed[2] <= 3e-4


@pytest.fixture(scope="module")
def reference():
    """The contact of CONTACT's cases of falling friction, and the differences with constant friction."""
    n = tr.press(tr.Paraboloid(0.625, 0.34), tr.Grid(28, 22, 0.6e-3, 0.51e-3), PAIR, force=LOAD)
    given = {cells: march_at(n, 0.35, cells, (0.004, 0.001, 0.2)) for cells in (1.0, 0.25, 0.05)}
    return n, [np.abs(given[cells] - given[0.05]).max() for cells in (1.0, 0.25)]


def march_at(n, friction, cells, creepage):
    """Forces over mu Fn after each of 30 elements of distance, from no traction."""
    t, found, per = tr.shift(n, 0.35, displacement=(0.0, 0.0, 0.0)), [], round(1.0 / cells)
    for _ in range(30):
        for _ in range(per):
            t = tr.roll(t, friction, distance=cells * n.grid.dx, creepage=creepage, speed=SPEED)
        found.append(t.force)
    return np.array(found) / (0.35 * LOAD)


@pytest.mark.slow
@pytest.mark.parametrize("creepage", [(0.004, 0.001, 0.2), (0.008, 0.0, 0.2), (0.02, 0.0, 0.0)])
@pytest.mark.parametrize("law", SHORT)
def test_memories_that_are_too_short_agree_as_closely(reference, law, creepage):
    """Without a lag they would jump in short steps, and be up to 0.6 of mu Fn apart from 0.8 % on."""
    n, constant = reference
    found = {cells: march_at(n, SHORT[law], cells, creepage) for cells in (1.0, 0.25, 0.05)}
    assert np.abs(found[1.0] - found[0.05]).max() <= 1.1 * constant[0]
    assert np.abs(found[0.25] - found[0.05]).max() <= 1.1 * constant[1]


#: memories about the limit from which they need no lag, of two also by the speed at which all forget
MEMORIES = [*((way, 1e-3) for way in (4e-6, 8e-6, 12e-6, 17e-6, 25e-6)), (1e-4, 5.0), (1e-4, 10.0)]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("xi", [0.006, 0.012, 0.03])
@pytest.mark.sampled(4)
def test_no_memory_is_too_short_and_yet_does_not_lag(coarse, memory, xi):
    """Near the limit forces would jump at the onset of sliding, 8e-3 apart or more by the length of steps.

    At 0.6 % creepage it is what constant friction differs by, at others less than a thousandth.
    """
    n, _ = coarse
    law, found = tr.friction.exponential(0.15, (0.15, 0.5), memory=memory), {}
    for cells in (1.0, 0.25, 0.1):
        t, ends = tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0)), []
        for _ in range(8):
            for _ in range(round(1.0 / cells)):
                t = tr.roll(t, law, distance=cells * n.grid.dx, creepage=(xi, 0.0, 0.0), speed=SPEED)
            ends.append(t.force[0])
        found[cells] = np.array(ends) / (0.3 * LOAD)
    most = 2.8e-3 if xi == 0.006 else 1e-3
    assert np.abs(found[1.0] - found[0.1]).max() <= most
    assert np.abs(found[0.25] - found[0.1]).max() <= 1e-3


@pytest.fixture(scope="module")
def fine():
    """The same of 30 x 22 elements, for steps of 1 and 1/4 against 1/20 of one."""
    n = press(32, 26, 0.46e-3)
    found = [march(n, 0.3, None, cells, 45) for cells in (1.0, 0.25, 0.05)]
    return n, [np.abs(one - found[-1]).max() for one in found[:-1]]


def test_short_steps_of_laws_with_little_memory_lag_instead_of_jumping():
    """Little slip is a high speed in a short step, so that all may slide at once; not with a long memory."""
    n, lags = press(18, 14, 0.85e-3), {}
    for memory in (None, (1e-6, 1e-3), (1e-4, 1e-3)):
        law = tr.friction.exponential(0.2, (0.1, 0.5), memory=memory)
        start = tr.roll_steady(n, law, creepage=(0.004, 0.0, 0.0), speed=SPEED)
        for cells in (1.0, 0.05):
            t = tr.roll(start, law, distance=cells * n.grid.dx, creepage=(0.004, 0.0, 0.0), speed=SPEED)
            lags[memory, cells] = t.lag
            assert ("lags behind" in t.message) == (t.lag > 0.0)
            assert t.force[0] == pytest.approx(start.force[0], rel=2e-3)
    assert {memory for (memory, _), lag in lags.items() if lag > 0.0} == {None, (1e-6, 1e-3)}


def test_a_step_whose_half_does_not_carry_the_force_says_how_far_off_it_may_be():
    n = tr.press(tr.Paraboloid(0.5, 0.5), tr.Grid(22, 22, 5e-4, 5e-4), PAIR, force=1e4)
    law = tr.friction.exponential(0.2, (0.15, 0.5), memory=(1e-6, 1e-3))
    start = tr.roll_steady(n, law, creepage=(5e-4, 0.0, 0.0), speed=SPEED)

    def roll_part(cells):
        return tr.roll(
            start, law, distance=cells * 5e-4, force=(-3300.0, None), creepage=(None, 0.0, 0.0), speed=SPEED
        )

    assert "may be off by 0.9%" in roll_part(1.0).message
    with pytest.raises(tr.InputError, match="were reached"):
        roll_part(0.5)


def roll_on(t, law, count, *, speed, creepage, cells=1):
    """Results of steps of whole cells, which move with the contact as those of steady rolling do."""
    found, way = [], cells * t.normal.grid.dx
    for _ in range(count):
        t = tr.roll(t, law, distance=way, creepage=creepage, speed=speed, discretisation="classical")
        found.append(t)
    return found


def begin_steady(n, law, speed, creepage):
    """Steady rolling, and a contact one step of more creepage away from it."""
    steady = tr.roll_steady(n, law, creepage=creepage, speed=speed, discretisation="classical")
    near = tuple(1.001 * np.array(creepage))
    return steady, roll_on(steady, law, 1, speed=speed, creepage=near)[0]


@pytest.mark.parametrize(
    ("speed", "size", "cells"), [(10.0, 0.85e-3, 18), (20.0, 0.85e-3, 18), (10.0, 0.425e-3, 36)]
)
def test_steps_with_a_law_without_memory_end_in_steady_rolling(speed, size, cells):
    """Where friction falls by less than half of what the patch resists in a step."""
    n, law, given = press(cells, cells - 4, size), tr.friction.polach(0.4, 0.4, 0.6), (0.008, 0.0, 0.0)
    steady = tr.roll_steady(n, law, creepage=given, speed=speed, discretisation="classical")
    rest = tr.shift(n, 0.4, displacement=(0.0, 0.0, 0.0))
    last = roll_on(rest, law, 2 * cells, speed=speed, creepage=given)[-1]
    assert last.message == "converged"
    assert last.force == pytest.approx(steady.force, abs=1e-4 * 0.4 * LOAD)


def find_factors(n, law, *, cells, speed=20.0, creepage=(0.02, 0.0, 0.0)):
    """Factors by which steps of whole cells multiply a small error of the force."""
    steady, near = begin_steady(n, law, speed, creepage)
    assert not steady.stick.any()
    change = np.diff([t.force[0] for t in roll_on(near, law, 4, speed=speed, creepage=creepage, cells=cells)])
    return change[1:] / change[:-1]


def test_errors_alternate_by_what_friction_falls_over_what_the_patch_resists():
    """A part r of its resistance multiplies errors by -r/(1 - r) in a step, and is inverse to its length."""
    n, law, parts = press(36, 28, 0.425e-3), tr.friction.polach(0.4, 0.4, 0.6), []
    for cells in (2, 3):
        factor = find_factors(n, law, cells=cells)[-1]
        parts.append(cells * factor / (factor - 1.0))
    assert 0.2 < parts[0] < 0.5
    assert parts[1] == pytest.approx(parts[0], rel=0.03)


def test_memory_damps_errors_by_what_a_step_keeps_of_it():
    """Errors are multiplied by (k - (1 - k) r)/(1 - (1 - k) r), k the share that a step keeps.

    One mode stands for all of them, hence the limit; exponential decay of the memory would be 0.4 off.
    Without memory r is seen in steps of two cells, half of that in steps of one.
    """
    n, given = press(36, 28, 0.425e-3), 0.02
    factor = find_factors(n, tr.friction.polach(0.4, 0.4, 0.6), cells=2)[0]
    r = 2.0 * factor / (factor - 1.0)
    for way in (1e-6, 5e-6):
        law = tr.friction.polach(0.4, 0.4, 0.6, memory=(way, 1e-3))
        k = 1.0 / (1.0 + given * n.grid.dx / way)
        factor = find_factors(n, law, cells=1)[0]
        assert factor == pytest.approx((k - (1.0 - k) * r) / (1.0 - (1.0 - k) * r), abs=0.03)
