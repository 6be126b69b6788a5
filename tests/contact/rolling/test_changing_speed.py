"""Steps are divided where slip speeds change within them, and only there."""

import numpy as np
import pytest

import traction as tr
from traction.contact.rolling.material_march import MaterialMarch
from traction.contact.rolling.material_step import _find_age

PAIR, SPEED, CREEPAGE = tr.Pair(tr.STEEL, tr.STEEL), 20.0, (0.006, 0.0005, 0.1)
MILD, STEEP = (0.15, (0.2, 1.0)), (0.15, (0.2, 0.1))
BETWEEN = {
    "law": (tr.friction.exponential(*MILD), None),
    "steep law": (tr.friction.exponential(*STEEP), None),
    "memory": (tr.friction.exponential(*MILD, memory=(3e-6, 1e-3)), None),
    "steep law on an elastic layer": (tr.friction.exponential(*STEEP), tr.Layer(4e9, 2e-5)),
    "law on a plastic layer": (tr.friction.exponential(*MILD), tr.Layer(4e9, 2e-5, 3e8)),
    "law on a hardening layer": (tr.friction.exponential(*MILD), tr.Layer(4e9, 2e-5, 1e8, hardening=1e13)),
}


@pytest.fixture
def parts(monkeypatch):
    """Lengths of the steps that are solved, in elements; also of those that are divided."""
    taken, take = [], MaterialMarch._take_part

    def count(march, route, begin, share):
        taken.append((share - begin.share) * route.way / march.demand.contact.grid.dx)
        return take(march, route, begin, share)

    monkeypatch.setattr(MaterialMarch, "_take_part", count)
    return taken


@pytest.mark.parametrize("name", BETWEEN)
def test_steps_are_divided_until_rolling_is_steady(parts, name):
    """Where all begins to slide they are; after steps of parts of an element, later ones are whole again."""
    friction, layer = BETWEEN[name]
    n = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(18, 14, 0.85e-3, 0.85e-3), PAIR, force=80e3)
    t = tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0))
    for cells in [1.0] * 40 + [0.25] * 4 + [1.0] * 3:
        t = tr.roll(t, friction, distance=cells * n.grid.dx, creepage=CREEPAGE, speed=SPEED, layer=layer)
    assert min(parts[:30]) < 0.75
    np.testing.assert_allclose(parts[-3:], 1.0)


def test_what_is_remembered_of_a_step_is_half_of_it_old_or_nothing():
    """Mean of the age by exp(-n age), in the limits and by a sum."""
    assert _find_age(np.array([0.0, 1e-3])) == pytest.approx(0.5, abs=1e-3)
    assert _find_age(np.array([1e3])) == pytest.approx(1e-3)
    ages = (np.arange(1000) + 0.5) / 1000
    for passed in (0.1, 1.0, 7.0):
        weight = np.exp(-passed * ages)
        assert _find_age(np.array([passed])) == pytest.approx((weight * ages).sum() / weight.sum(), rel=1e-4)
