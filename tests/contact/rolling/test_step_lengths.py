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


@pytest.mark.parametrize("case", CASES)
def test_whole_and_quarter_steps_agree_as_with_constant_friction(coarse, case):
    n, constant = coarse
    whole, part = (march(n, *CASES[case], cells, 8) for cells in (1.0, 0.25))
    assert np.abs(whole - part).max() <= 1.15 * constant + 2e-4


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_steps_down_to_a_twentieth_agree_as_with_constant_friction(fine, case):
    """On 30 x 22 elements, over one and a half lengths of the contact; and they end in steady rolling."""
    n, constant = fine
    found = [march(n, *CASES[case], cells, 45) for cells in (1.0, 0.25, 0.05)]
    spread = [np.abs(one - found[-1]).max() for one in found[:-1]]
    assert spread[0] <= 1.1 * constant[0]
    assert spread[1] <= 1.1 * constant[1]
    friction, layer = CASES[case]
    steady = tr.roll_steady(n, friction, creepage=CREEPAGE, speed=SPEED, layer=layer).force
    missed = [np.abs(one[-1] - np.array(steady) / (0.3 * LOAD)).max() for one in (found[0], found[-1])]
    assert max(missed) <= 4e-3


@pytest.fixture(scope="module")
def fine():
    """The same of 30 x 22 elements, for steps of 1 and 1/4 against 1/20 of one."""
    n = press(32, 26, 0.46e-3)
    found = [march(n, 0.3, None, cells, 45) for cells in (1.0, 0.25, 0.05)]
    return n, [np.abs(one - found[-1]).max() for one in found[:-1]]


def test_short_steps_of_laws_with_little_memory_say_that_they_may_jump():
    """Little slip is a high speed in a short step: all may slide at once. A longer memory prevents it."""
    n, message = press(18, 14, 0.85e-3), {}
    for memory in (None, (1e-6, 1e-3), (1e-4, 1e-3)):
        law = tr.friction.exponential(0.2, (0.1, 0.5), memory=memory)
        start = tr.roll_steady(n, law, creepage=(0.004, 0.0, 0.0), speed=SPEED)
        for cells in (1.0, 0.05):
            t = tr.roll(start, law, distance=cells * n.grid.dx, creepage=(0.004, 0.0, 0.0), speed=SPEED)
            message[memory, cells] = t.message
            if memory == (1e-4, 1e-3):
                assert t.force[0] == pytest.approx(start.force[0], rel=2e-3)
    warned = [key for key, words in message.items() if "may jump" in words]
    assert warned == [(None, 0.05), ((1e-6, 1e-3), 0.05)]
