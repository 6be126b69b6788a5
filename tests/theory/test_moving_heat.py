"""The band of heat: its integral by quadrature, and its limits at low and high speed."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import k0, k0e

import traction as tr
from traction.theory.moving_heat import integrate_band

KAPPA = tr.STEEL.diffusivity


@pytest.mark.parametrize("u", [-30.0, -2.0, -1e-3, 1e-6, 0.4, 5.0, 40.0])
def test_closed_integral_is_that_of_the_line_source(u):
    found, _ = quad(lambda t: math.exp(t) * k0(abs(t)), 0.0, u, epsabs=1e-13, epsrel=1e-12, limit=200)
    assert integrate_band(np.array(u)) == pytest.approx(found, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("speed", [1e-3, 0.1, 30.0])
def test_rise_is_jaegers_integral(speed):
    """T = q/(pi k) int exp(v (x - s)/(2 kappa)) K0(v |x - s|/(2 kappa)) ds over the band."""
    heated, rate = tr.moving_heat.band(1e7, 4e-3, tr.STEEL, speed), speed / (2.0 * KAPPA)

    def source(u):
        return math.exp(2.0 * min(u, 0.0)) * k0e(abs(u))  # exp(u) K0(|u|)

    for x in (-3e-3, 0.5e-3, 4e-3):
        ends = sorted({-4e-3, 4e-3, *(x + np.array([-20.0, -1.0, 0.0, 1.0, 20.0]) / rate).clip(-4e-3, 4e-3)})
        parts = [quad(lambda s, x=x: source(rate * (x - s)), *one, limit=400)[0] for one in pairwise(ends)]
        assert heated.rise(x) == pytest.approx(1e7 / (math.pi * 50.0) * sum(parts), rel=1e-7)


def test_fast_limit_is_conduction_into_the_depth():
    """2 q sqrt(2 l/(pi k rho c v)) at the trailing edge; the error along the band falls with Pe."""
    errors = []
    for speed in (10.0, 100.0, 1000.0):
        heated = tr.moving_heat.band(1e8, 5e-3, tr.STEEL, speed)
        x = np.linspace(-4e-3, 4e-3, 9)
        fast = 2e8 * np.sqrt((x + 5e-3) / (math.pi * 50.0 * 450.0 * 7850.0 * speed))
        errors.append(np.abs(heated.rise(x) / fast - 1.0).max())
        assert heated.largest == pytest.approx(
            2e8 * math.sqrt(1e-2 / (math.pi * 50 * 450 * 7850 * speed)), rel=0.02
        )
    assert errors[1] < 0.15 * errors[0]
    assert errors[2] < 0.15 * errors[1]


def test_slow_limit_is_symmetric_and_grows_as_the_logarithm():
    slow = tr.moving_heat.band(1e6, 1e-3, tr.STEEL, 1e-6)
    x = np.array([0.3e-3, 0.8e-3, 2e-3])
    assert slow.rise(x) == pytest.approx(slow.rise(-x), rel=1e-3)
    slower = tr.moving_heat.band(1e6, 1e-3, tr.STEEL, 1e-7)
    # ln(4 kappa/(v r)) - gamma: ten times slower adds 2 q l ln(10)/(pi k)
    assert slower.rise(0.0) - slow.rise(0.0) == pytest.approx(
        2e6 * 1e-3 * math.log(10) / (math.pi * 50), rel=1e-4
    )


def test_input_is_checked():
    with pytest.raises(tr.InputError, match="speed"):
        tr.moving_heat.band(1e6, 1e-3, tr.STEEL, 0.0)
    with pytest.raises(tr.InputError, match="no specific_heat and no conductivity"):
        tr.moving_heat.band(1e6, 1e-3, tr.Material(2e11, 0.3, 7850.0), 1.0)
