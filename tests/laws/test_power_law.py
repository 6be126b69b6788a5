"""Power laws, and Hertz's among them."""

import math

import pytest
from scipy.integrate import quad

import traction as tr
from traction.laws.kernels.law_values import hertz_mean
from traction.laws.power_law import PowerLaw


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.3])
def test_power_law_is_consistent(exponent):
    law, step = PowerLaw(3.0, exponent), 1e-5
    middle, low, high = (law.response(0.2 + s) for s in (0.0, -step, step))
    assert middle.force == pytest.approx(3.0 * 0.2**exponent)
    assert (high.force - low.force) / (2 * step) == pytest.approx(middle.stiffness, rel=1e-8)
    assert (high.energy - low.energy) / (2 * step) == pytest.approx(middle.force, rel=1e-8)


def test_power_laws_of_hertz(steel_pair):
    for law, hertz in (
        (PowerLaw.hertz(0.1, steel_pair), tr.hertz.sphere(0.1, steel_pair, force=1e3)),
        (PowerLaw.hertz_ellipse(0.46, 0.1, steel_pair), tr.hertz.ellipse(0.46, 0.1, steel_pair, force=1e3)),
    ):
        answer = law.response(hertz.approach)
        assert answer.force == pytest.approx(1e3, rel=1e-12)
        assert answer.stiffness == pytest.approx(hertz.stiffness, rel=1e-12)
    effective = PowerLaw.hertz(0.1, steel_pair).coefficient
    assert effective == pytest.approx(4.0 / 3.0 * steel_pair.effective_modulus * math.sqrt(0.1))


@pytest.mark.parametrize(("start", "end"), [(1.0, 1.2), (1.0, 1.0), (0.3, 2.0), (-0.5, 1.0), (1.0, -0.5)])
def test_mean_of_hertz_force(start, end):
    force = lambda d: 3.0 * max(0.0, d) ** 1.5  # noqa: E731
    mean, slope = hertz_mean(3.0, start, end)
    if start != end:
        assert mean == pytest.approx(quad(force, start, end, points=[0.0])[0] / (end - start), rel=1e-8)
    else:
        assert mean == pytest.approx(3.0)
    step = 1e-6
    difference = hertz_mean(3.0, start, end + step)[0] - hertz_mean(3.0, start, end - step)[0]
    assert slope == pytest.approx(difference / (2 * step), rel=1e-6)


def test_bad_input_is_named():
    with pytest.raises(tr.InputError, match="coefficient"):
        PowerLaw(-1.0, 1.5)
    with pytest.raises(tr.InputError, match="exponent"):
        PowerLaw(1.0, 0.0)
