"""Steps of rolling with steep laws without memory: lagged, they approach the steady rolling of the law."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
LOAD, SPEED, CREEPAGE = 80e3, 20.0, (0.006, 0.0005, 0.1)
SHARPNESS = {"half": 0.5, "all": 1.0, "three times": 3.0}  #: fall over what the contact resists, about
#: by it laws that have it on the grid of `contact`, whose half speeds it is inverse to
LAWS = {
    "linear": lambda r: tr.friction.linear(0.15, (0.15, 0.157 / r)),
    "rational": lambda r: tr.friction.rational(0.15, (0.15, 0.31 / r)),
    "exponential": lambda r: tr.friction.exponential(0.15, (0.15, 0.217 / r)),
    "polach": lambda r: tr.friction.polach(0.3, 0.5, 3.2 * r),
    "own": lambda r: tr.friction.own(lambda s: 0.15 + 0.15 * np.exp(-3.2 * r * s)),
}


@pytest.fixture(scope="module")
def contact():
    """A contact of 16 x 12 elements."""
    return tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(18, 14, 0.85e-3, 0.85e-3), PAIR, force=LOAD)


def roll_on(t, law, length, *, cells=1.0, creepage=CREEPAGE, **options):
    """Results of steps over a length, in elements."""
    found = []
    for _ in range(round(length / cells)):
        t = tr.roll(
            t, law, distance=cells * t.normal.grid.dx, creepage=creepage, speed=SPEED, **options
        )
        found.append(t)
    return found


def roll_from_rest(n, law, length, **options):
    """The same from no traction."""
    return roll_on(tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0)), law, length, **options)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sharpness", SHARPNESS)
def test_steps_of_whole_cells_end_in_steady_rolling(contact, law, sharpness):
    friction = LAWS[law](SHARPNESS[sharpness])
    options = {"creepage": CREEPAGE, "speed": SPEED, "discretisation": "classical"}
    steady = tr.roll_steady(contact, friction, **options)
    *_, before, last = roll_from_rest(contact, friction, 80, discretisation="classical")
    assert last.force == pytest.approx(steady.force, abs=1e-4 * 0.3 * LOAD)
    assert before.force == pytest.approx(last.force, abs=1e-5 * 0.3 * LOAD)
    assert last.coefficient == pytest.approx(steady.coefficient, abs=1e-3)
    assert "lags behind it" in last.message
