"""Closed forms of the beam on an obstacle: reference digits, the differential equations, limits."""

import math

import numpy as np
import pytest

import traction as tr
from reference_cases import reference_dynamics
from traction.beams.obstacle.infinite_beam import exact, with_dimensions

VALUES = reference_dynamics()["beam_on_obstacle"]["values"]


@pytest.mark.parametrize("key", [key for key in VALUES if key not in ("0", "EB")])
def test_reference_digits(key):
    value, solution = {k: v for k, v in VALUES[key].items() if isinstance(v, str)}, exact(float(key))
    delta = float(value["delta"])
    assert solution.free_length == pytest.approx(delta, rel=1e-13)
    assert solution.shear(0.0) == pytest.approx(float(value["T(0)=a"]), rel=1e-12)
    assert solution.moment(0.0) == pytest.approx(float(value["M(0)=theta'(0)=b"]), rel=1e-12)
    assert solution.rotation(delta) == pytest.approx(float(value["theta_delta"]), rel=1e-12)
    excess = float(value["T(delta)=theta_d/eps^2 = int_delta^inf (rho-1)"])
    assert solution.excess_force == pytest.approx(excess, rel=1e-12)
    behind = delta * (1.0 + 1e-15)
    assert solution.contact_force(behind) == pytest.approx(
        float(value["rho(delta+)=1+theta_d/eps^3"]), rel=1e-12
    )


def test_euler_bernoulli():
    solution = exact(0.0)
    assert solution.free_length == 72.0**0.25
    assert solution.point_force == pytest.approx(72.0**0.25 / 3.0, rel=1e-15)
    delta = solution.free_length
    assert solution.deflection([delta, 9.0]) == pytest.approx([1.0, 1.0], rel=1e-14)
    assert solution.contact_force_integral(0.0, delta - 1e-9) == 0.0
    assert solution.contact_force_integral(0.0, delta + 1.0) == pytest.approx(1.0 + delta / 3.0, rel=1e-14)
    assert solution.contact_force([1.0, 4.0]) == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("epsilon", [0.0, 1e-4, 0.023, 0.23, 2.0, 50.0])
def test_equations_and_continuity(epsilon):
    solution = exact(epsilon)
    delta = solution.free_length
    xi = np.linspace(0.02, 0.98, 40) * delta
    h = 1e-5 * delta
    slope = (solution.deflection(xi + h) - solution.deflection(xi - h)) / (2.0 * h)
    assert solution.rotation(xi) - epsilon**2 * solution.shear(xi) == pytest.approx(
        slope, rel=1e-8, abs=1e-8 * np.abs(slope).max()
    )
    for quantity in (solution.rotation, solution.moment, *([solution.shear] if epsilon else [])):
        size = np.abs(quantity(xi)).max()
        assert quantity(delta * (1 - 1e-14)) == pytest.approx(float(quantity(delta)), abs=1e-10 * size)
    assert solution.deflection(delta * (1 - 1e-14)) == pytest.approx(1.0, rel=1e-10)
    assert solution.deflection(0.0) == solution.rotation(0.0) == 0.0
    assert (solution.deflection(xi) <= 1.0).all()
    assert (solution.contact_force(delta * np.linspace(1.0, 3.0, 30)) >= 0.0).all()


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 3.0])
def test_forces_balance(epsilon):
    solution, far = exact(epsilon), 40.0 + 40.0 * epsilon
    carried = solution.contact_force_integral(0.0, far)  # the rest of the load hangs on the clamped end
    assert -solution.shear(0.0) + carried == pytest.approx(far, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 0.7])
def test_integral_is_that_of_the_density(epsilon):
    solution = exact(epsilon)
    delta = solution.free_length
    x, w = np.polynomial.legendre.leggauss(60)
    nodes = delta + 0.5 * 4.0 * epsilon * (1.0 + x)
    total = 0.5 * 4.0 * epsilon * (w @ solution.contact_force(nodes))
    assert solution.contact_force_integral(0.0, delta + 4.0 * epsilon) == pytest.approx(total, rel=1e-12)


def test_limits():
    assert exact(1e-8).free_length == pytest.approx(72.0**0.25 - 1e-8, rel=1e-14)
    assert exact(1e4).free_length == pytest.approx(math.sqrt(2.0) / 1e4, rel=1e-6)


@pytest.mark.parametrize("shear_stiffness", [None, 3e4])
def test_dimensions(shear_stiffness):
    EI, p, g = 120.0, 35.0, 0.004
    scaled = with_dimensions(EI, p, g, shear_stiffness=shear_stiffness)
    x = np.linspace(0.0, 0.9, 7) * scaled.free_length
    h = 1e-4 * scaled.free_length
    slope = (scaled.rotation(x[1:] + h) - scaled.rotation(x[1:] - h)) / (2.0 * h)
    assert scaled.moment(x[1:]) == pytest.approx(EI * slope, rel=1e-6, abs=1e-8)
    far = 30.0 * scaled.scale
    assert -scaled.shear(0.0) + scaled.contact_force_integral(0.0, far) == pytest.approx(p * far, rel=1e-12)
    assert scaled.deflection(far) == pytest.approx(g)


@pytest.mark.parametrize("epsilon", [-0.1, math.nan, math.inf, 1e9])
def test_bad_epsilon(epsilon):
    with pytest.raises(tr.InputError, match="epsilon"):
        exact(epsilon)


def test_bad_gap_and_place():
    with pytest.raises(tr.InputError, match="gap"):
        with_dimensions(1.0, 1.0, -0.1)
    with pytest.raises(tr.InputError, match="clamped end"):
        exact(0.1).deflection(-1.0)
