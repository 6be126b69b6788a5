"""FaStrip: its linear limit, Carter's strips, saturation, mirrors, convergence, and its errors."""

import math

import numpy as np
import pytest

import traction as tr
from convergence import observed_order

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
MU = 0.3


@pytest.fixture(scope="module")
def ellipse():
    return tr.hertz.ellipse(0.3, 0.9, PAIR, force=1e4)


@pytest.mark.parametrize("creepage", [(1e-7, 0, 0), (0, -1e-7, 0), (0, 0, 1e-5), (1e-7, 2e-7, 1e-5)])
def test_small_creepages_give_the_forces_of_the_linear_theory(ellipse, creepage):
    f = tr.fastrip(ellipse, 1.0, creepage=creepage, strips=80)
    expected = f.coefficients.force(creepage, f.semi_axes, PAIR.shear_modulus)[:2]
    assert f.force == pytest.approx(expected, rel=1e-3, abs=1e-9 * ellipse.force)


def test_no_creepage_is_no_force(ellipse):
    f = tr.fastrip(ellipse, MU, creepage=(0.0, 0.0, 0.0))
    assert f.force == (0.0, 0.0)
    a, b = f.semi_axes
    assert f.stick_area == pytest.approx(math.pi * a * b, rel=2e-3)
    assert tr.fastrip(ellipse, 0.0, creepage=(1e-3, 1e-3, 0.5)).force == (0.0, 0.0)


def test_strips_across_a_long_ellipse_are_carters(ellipse):
    """With C11 of strips, pi^2/(4 (1 - nu)), the middle strip is a cylinder of its pressure and width."""
    a, b = ellipse.semi_axes
    strip = tr.KalkerCoefficients(
        a / b, 0.28, math.pi**2 / (4 * 0.72), math.pi**2 / 4, math.pi / 3 * math.sqrt(a / b), 1
    )
    f = tr.fastrip(ellipse, MU, creepage=(-2e-4, 0.0, 0.0), strips=401, steps=200, coefficients=strip)
    # of a line contact of the same half width and peak pressure: P = pi a p0/2, R = a E*/(2 p0)
    R = a * PAIR.effective_modulus / (2.0 * ellipse.peak_pressure)
    line = tr.hertz.line(R, PAIR, force=0.5 * math.pi * a * ellipse.peak_pressure)
    carter = tr.carter.line(line, R, MU, creepage=-2e-4)
    middle = 200
    assert line.semi_axes[0] == pytest.approx(a, rel=1e-9)
    assert f.slip_length[middle] == pytest.approx(2.0 * (a - carter.stick_half_width), rel=1e-4)
    assert f.traction[0, middle] == pytest.approx(carter.traction(f.x[middle]), abs=1e-4 * carter.bound)


def test_force_saturates_against_the_creepage(ellipse):
    f = tr.fastrip(ellipse, MU, creepage=(0.3, -0.4, 0.0), strips=80)
    assert f.force == pytest.approx((-0.6 * MU * ellipse.force, 0.8 * MU * ellipse.force), rel=2e-3)
    assert f.stick_area == 0.0


@pytest.mark.parametrize(
    "creepage", [(5e-4, 3e-4, 0.8), (5e-4, -8e-4, 0.8), (1e-3, 0.0, 0.0), (0.0, 0.0, 6.0)]
)
def test_traction_stays_within_the_bound_and_slip_reaches_it(ellipse, creepage):
    f = tr.fastrip(ellipse, MU, creepage=creepage)
    size = np.hypot(*f.traction)
    assert (size <= f.bound * (1.0 + 1e-6) + 1e-3).all()
    assert size[~f.stick] == pytest.approx(f.bound[~f.stick], rel=1e-9, abs=1e-3)
    leads = f.x[:, 0] * f.direction
    assert (leads > f.x[:, -1]).all()
    assert f.wear_number > 0.0


def test_mirrors(ellipse):
    """Left and right exchanged: eta, spin, F_y and M_z change their signs."""
    f = tr.fastrip(ellipse, MU, creepage=(4e-4, 3e-4, 0.6))
    g = tr.fastrip(ellipse, MU, creepage=(4e-4, -3e-4, -0.6))
    assert (g.force[0], -g.force[1], -g.moment) == pytest.approx((*f.force, f.moment))
    back = tr.fastrip(ellipse, MU, creepage=(-4e-4, -3e-4, 0.6), direction=-1)  # turned by 180 degrees
    assert (-back.force[0], -back.force[1], back.moment) == pytest.approx((*f.force, f.moment))
    assert (np.diff(back.y) > 0.0).all()
    assert back.traction == pytest.approx(-f.traction[:, ::-1])
    opposite = tr.fastrip(ellipse, MU, creepage=(-4e-4, -3e-4, -0.6))
    assert opposite.force == pytest.approx((-f.force[0], -f.force[1]))


def test_forces_converge(ellipse):
    sizes, creepage = (20, 40, 80), (4e-4, 2e-4, 1.0)
    fine = np.array(tr.fastrip(ellipse, MU, creepage=creepage, strips=640, steps=640).force)
    errors = [
        np.abs(np.array(tr.fastrip(ellipse, MU, creepage=creepage, strips=n, steps=n).force) - fine).max()
        for n in sizes
    ]
    assert errors[-1] < 2e-3 * MU * ellipse.force
    assert observed_order([1.0 / n for n in sizes], errors) > 1.2


def random_creepages(contact, count, spin, seed):
    """From small creepages to full sliding, in units in which the linear theory reaches mu N, with a spin."""
    rng, (a, b) = np.random.default_rng(seed), contact.semi_axes
    k, c = tr.kalker_coefficients(a / b, 0.28), math.sqrt(a * b)
    scale = MU * contact.force / PAIR.shear_modulus / np.array([k.C11 * c**2, k.C22 * c**2, k.C23 * c**3])
    size, angle = 2.0 ** rng.uniform(-3.0, 2.5, count), rng.uniform(0.0, 2.0 * math.pi, count)
    return np.stack((size * np.cos(angle), size * np.sin(angle), np.full(count, spin)), axis=1) * scale


@pytest.mark.parametrize(
    ("spin", "strip", "sim"), [(0.0, 0.015, 0.03), (0.3, 0.025, 0.04), (1.0, 0.04, 0.065), (3.0, 0.03, 0.1)]
)
def test_errors_against_the_full_theory(spin, strip, sim):
    """Root mean squares of the errors over mu N, which the page on theories states."""
    contact = tr.hertz.sphere(0.46, PAIR, force=80e3)
    half = 1.06 * contact.radius
    n = tr.press(tr.Sphere(0.46), tr.Grid.around(half, half, 24, 24), PAIR, force=80e3)
    errors = {tr.fastrip: [], tr.fastsim: []}
    for creepage in random_creepages(contact, 12, spin, seed=4):
        full = tr.roll_steady(n, MU, creepage=creepage, tol=1e-4)
        for theory, found in errors.items():
            off = np.subtract(theory(contact, MU, creepage=creepage).force, full.force)
            found.append(math.hypot(*off) / (MU * 80e3))
    rms = {theory: math.sqrt(np.mean(np.square(found))) for theory, found in errors.items()}
    assert rms[tr.fastrip] < strip
    assert rms[tr.fastsim] < sim
    assert spin == 0.3 or rms[tr.fastrip] < rms[tr.fastsim]


@pytest.mark.parametrize("spin", [0.0, 30.0, 300.0])
def test_what_slides_opposes_the_rigid_slip(ellipse, spin):
    """At large creepages p = -mu pn w/|w|, with the pole of the spin in the contact: an integral."""
    a, b = ellipse.semi_axes
    creepage = np.array([0.3 * b * spin, 0.2 * a * spin, spin]) if spin else np.array([0.5, 0.3, 0.0])
    creepage *= 1e3
    x, y = (g * s for g, s in zip(np.meshgrid(*[(np.arange(800) + 0.5) / 400 - 1] * 2), (a, b), strict=True))
    wx, wy = creepage[0] - creepage[2] * y, creepage[1] + creepage[2] * x
    pressure = ellipse.peak_pressure * np.sqrt(np.maximum(0.0, 1.0 - (x / a) ** 2 - (y / b) ** 2))
    exact = [-MU * float((pressure * w / np.hypot(wx, wy)).sum()) * a * b / 400**2 for w in (wx, wy)]
    f = tr.fastrip(ellipse, MU, creepage=creepage, strips=80, steps=80)
    assert f.force == pytest.approx(exact, abs=5e-3 * MU * ellipse.force)


def test_friction_law_is_that_of_the_rigid_slip(ellipse):
    law = tr.friction.exponential(0.1, (0.25, 0.5))
    for theory in (tr.fastrip, tr.fastsim, tr.polach):
        f = theory(ellipse, law, creepage=(0.2, 0.0, 0.0), speed=5.0)
        mu = float(law.coefficient(1.0))
        assert f.friction == pytest.approx(mu)
        assert f.force[0] == pytest.approx(-mu * ellipse.force, rel=2e-2)
        with pytest.raises(tr.InputError, match="speed is missing"):
            theory(ellipse, law, creepage=(0.2, 0.0, 0.0))
        with pytest.raises(tr.InputError, match="no memory"):
            theory(
                ellipse,
                tr.friction.exponential(0.1, (0.2, 1.0), memory=(1e-6, 1e-3)),
                creepage=(0, 0, 0),
                speed=1,
            )


def test_constant_law_is_a_number(ellipse):
    law = tr.friction.linear(MU, (0.0, 1.0))
    for theory in (tr.fastrip, tr.fastsim, tr.polach):
        one = theory(ellipse, law, creepage=(4e-4, 2e-4, 0.5), speed=5.0)
        assert one.force == pytest.approx(theory(ellipse, MU, creepage=(4e-4, 2e-4, 0.5)).force, rel=1e-12)


def test_input_is_checked(ellipse):
    with pytest.raises(tr.InputError, match="creepage"):
        tr.fastrip(ellipse, MU, creepage=(0.1, 0.2))
    with pytest.raises(tr.InputError, match="strips"):
        tr.fastrip(ellipse, MU, creepage=(0.1, 0.2, 0.0), strips=1)
