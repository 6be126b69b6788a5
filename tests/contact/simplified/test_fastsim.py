"""FASTSIM: its linear limit, saturation, symmetry, order, and how far it is from the full theory."""

import math

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.contact.simplified import fastsim as module

BOUNDS = module.BOUNDS
MU = 0.3


@pytest.fixture(scope="module")
def ball():
    return tr.hertz.sphere(0.19, tr.Pair(tr.STEEL, tr.STEEL), force=1e5)


@pytest.fixture(scope="module")
def ellipse():
    return tr.hertz.ellipse(0.3, 0.9, tr.Pair(tr.STEEL, tr.STEEL), force=1e4)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("creepage", [(1e-7, 0, 0), (0, -1e-7, 0), (0, 0, 1e-5), (1e-7, 2e-7, 1e-5)])
def test_small_creepages_give_the_forces_of_the_linear_theory(ellipse, creepage, bound):
    f = tr.fastsim(ellipse, 1.0, creepage=creepage, bound=bound, strips=80)
    expected = f.coefficients.force(creepage, f.semi_axes, ellipse.pair.shear_modulus)[:2]
    assert f.force == pytest.approx(expected, rel=1e-3, abs=1e-9 * ellipse.force)


@pytest.mark.parametrize("bound", BOUNDS)
def test_force_saturates_against_the_creepage(ball, bound):
    f = tr.fastsim(ball, MU, creepage=(0.3, -0.4, 0.0), bound=bound)
    assert f.force == pytest.approx((-0.6 * MU * ball.force, 0.8 * MU * ball.force), rel=6e-3)
    assert f.stick_area < 1e-3 * math.pi * ball.radius**2  # a steep bound holds the first bit of a strip
    assert f.wear_number == pytest.approx(0.5 * MU * ball.force, rel=6e-3)


@pytest.mark.parametrize("bound", BOUNDS)
def test_traction_stays_within_the_bound_and_slip_reaches_it(ellipse, bound):
    f = tr.fastsim(ellipse, MU, creepage=(5e-4, 3e-4, 0.8), bound=bound)
    size = np.hypot(*f.traction)
    assert (size <= f.bound * (1.0 + 1e-12)).all()
    assert size[~f.stick] == pytest.approx(f.bound[~f.stick], abs=1e-6)
    assert 0.0 < f.stick_area < math.pi * f.semi_axes[0] * f.semi_axes[1]


def test_mirrors(ellipse):
    """Left and right exchanged: eta, spin, F_y and M_z change their signs."""
    f = tr.fastsim(ellipse, MU, creepage=(4e-4, 3e-4, 0.6))
    g = tr.fastsim(ellipse, MU, creepage=(4e-4, -3e-4, -0.6))
    assert (g.force[0], -g.force[1], -g.moment) == pytest.approx((*f.force, f.moment))
    back = tr.fastsim(ellipse, MU, creepage=(-4e-4, -3e-4, 0.6), direction=-1)  # turned by 180 degrees
    assert (-back.force[0], -back.force[1], back.moment) == pytest.approx((*f.force, f.moment))
    opposite = tr.fastsim(ellipse, MU, creepage=(-4e-4, -3e-4, -0.6))
    assert opposite.force == pytest.approx((-f.force[0], -f.force[1]))


def test_forces_converge_at_second_order(ball):
    creepage, sizes = (5e-4, 1e-3, 0.5), [20, 40, 80, 160]
    exact = tr.fastsim(ball, MU, creepage=creepage, strips=1280, steps=1280).force
    errors = []
    for n in sizes:
        fx, fy = tr.fastsim(ball, MU, creepage=creepage, strips=n, steps=n).force
        errors.append(math.hypot(fx - exact[0], fy - exact[1]))
    assert observed_order(sizes, errors) < -1.7


@pytest.mark.parametrize(("bound", "worst", "mean"), [("parabolic", 0.05, 0.025), ("elliptic", 0.07, 0.025)])
def test_forces_are_near_those_of_the_full_theory(reference, bound, worst, mean):
    table = reference["force_table_circ"]
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    circle = tr.hertz.sphere(0.5e-3 / table["inputs"]["A1_curvature_x"], pair, force=1e5)
    errors = []
    for xi, eta, phi, fx, fy, mz, *_ in table["rows"]:
        f = tr.fastsim(circle, MU, creepage=(xi, eta, 1e3 * phi), bound=bound)
        errors.append(math.hypot(f.force[0] - fx, f.force[1] - fy) / (MU * 1e5))
        if mz:
            assert 0.7 < 1e3 * f.moment / mz < 1.1
    assert max(errors) < worst
    assert np.mean(errors) < mean


def test_a_solved_contact_serves_as_well(ball):
    a = ball.radius
    n = tr.press(tr.Sphere(0.19), tr.Grid.around(1.1 * a, 1.1 * a, 40, 40), ball.pair, force=1e5)
    creepage = (1e-3, 0.0, 0.2)
    assert tr.fastsim(n, MU, creepage=creepage).force == pytest.approx(
        tr.fastsim(ball, MU, creepage=creepage).force, rel=5e-3
    )


def test_no_creepage_or_no_friction_gives_no_force(ball):
    assert tr.fastsim(ball, MU, creepage=(0, 0, 0)).force == (0.0, 0.0)
    assert tr.fastsim(ball, 0.0, creepage=(1e-3, 1e-3, 1.0)).force == (0.0, 0.0)


def test_bad_input_is_named(ball):
    line = tr.hertz.line(0.2, ball.pair, force=1e5)
    for contact, words in ((line, "must be a result of"), (3, "must be a result of")):
        with pytest.raises(tr.InputError, match=words):
            tr.fastsim(contact, MU, creepage=(0, 0, 0))
    with pytest.raises(tr.InputError, match=r"give tr\.hertz a tr\.Pair"):
        tr.fastsim(tr.hertz.sphere(0.2, 1e11, force=1.0), MU, creepage=(0, 0, 0))
    with pytest.raises(tr.InputError, match="creepage has shape"):
        tr.fastsim(ball, MU, creepage=(0.0, 0.0))
    with pytest.raises(tr.InputError, match="'parabolic', 'elliptic'"):
        tr.fastsim(ball, MU, creepage=(0, 0, 0), bound="flat")


def test_reduced_slope_divides_the_flexibility(ball):
    """k0 alone scales the shear modulus: forces are those of another creepage."""
    plain = tr.fastsim(ball, MU, creepage=(5e-4, 2e-4, 0.1))
    soft = tr.fastsim(ball, MU, creepage=(1e-3, 4e-4, 0.2), slope=(0.5, 1.0, 0.0))
    assert soft.force == pytest.approx(plain.force, rel=1e-9)
    assert soft.reduction == 0.5
    assert tr.fastsim(ball, MU, creepage=(5e-4, 2e-4, 0.1), slope=(1, 1, 0)).force == plain.force


def test_reduction_falls_with_polachs_gradient(ball):
    """k = k0 (alpha + (1 - alpha)/(1 + beta eps)), eps = G pi a b C11 xi/(4 mu N) of one creepage."""
    k0, alpha, beta = 0.8, 0.3, 0.6
    a, xi = ball.radius, 2e-3
    found = tr.fastsim(ball, MU, creepage=(xi, 0.0, 0.0), slope=(k0, alpha, beta))
    stiff = ball.pair.shear_modulus * found.coefficients.C11
    eps = stiff * math.pi * a * a * xi / (4.0 * MU * ball.force)
    assert found.reduction == pytest.approx(k0 * (alpha + (1.0 - alpha) / (1.0 + beta * eps)))
    clean = module.compute_flexibilities(found.coefficients, (a, a), ball.pair.shear_modulus)
    assert np.multiply(found.flexibility, found.reduction) == pytest.approx(clean)
    small = tr.fastsim(ball, MU, creepage=(1e-8, 0.0, 0.0), slope=(k0, alpha, beta))
    assert small.force[0] == pytest.approx(-k0 * stiff * a * a * 1e-8, rel=1e-3)


def test_falling_friction_and_reduced_slope_give_a_measured_looking_curve(ball):
    """The maximum lies at a creepage of several per cent, and the curve falls after it (Spiryagin 2013)."""
    law, slope = tr.friction.polach(0.4, 0.4, 0.6), (0.25, 0.2, 0.2)
    creepages = np.geomspace(1e-4, 0.3, 60)
    wet = [-tr.fastsim(ball, law, creepage=(xi, 0, 0), slope=slope, speed=20.0).force[0] for xi in creepages]
    dry = [-tr.fastsim(ball, 0.4, creepage=(xi, 0, 0)).force[0] for xi in creepages]
    top = int(np.argmax(wet))
    assert 0.005 < creepages[top] < 0.1
    assert wet[-1] < 0.8 * wet[top]
    assert wet[0] == pytest.approx(0.25 * dry[0], rel=0.05)


@pytest.mark.parametrize("slope", [(0.0, 1.0, 0.0), (1.2, 1.0, 0.0), (1.0, 1.0), (1.0, 0.5, -1.0), "abc"])
def test_slope_is_checked(ball, slope):
    with pytest.raises(tr.InputError, match="slope"):
        tr.fastsim(ball, MU, creepage=(1e-3, 0.0, 0.0), slope=slope)
