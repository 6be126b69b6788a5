"""Polach's formula: its limits, its printed curve, symmetry, and how far it is from FASTSIM."""

import math

import numpy as np
import pytest

import traction as tr

MU = 0.3


@pytest.fixture(scope="module")
def ellipse():
    return tr.hertz.ellipse(0.3, 0.9, tr.Pair(tr.STEEL, tr.STEEL), force=1e4)


@pytest.mark.parametrize("creepage", [(1e-8, 0, 0), (0, -1e-8, 0), (0, 0, 1e-6)])
def test_small_creepages_give_the_forces_of_the_linear_theory(ellipse, creepage):
    f = tr.polach(ellipse, 1.0, creepage=creepage)
    expected = f.coefficients.force(creepage, f.semi_axes, ellipse.pair.shear_modulus)[:2]
    assert f.force == pytest.approx(expected, rel=1e-3, abs=1e-12 * ellipse.force)


def test_force_saturates_against_the_creepage(ellipse):
    f = tr.polach(ellipse, MU, creepage=(3e3, -4e3, 0.0))
    assert f.force == pytest.approx((-0.6 * MU * ellipse.force, 0.8 * MU * ellipse.force), rel=1e-6)


@pytest.mark.parametrize("slope", [(1.0, 1.0), (0.65, 0.3)])
def test_longitudinal_force_follows_the_printed_formula(ellipse, slope):
    k, (a, b), g = (
        tr.kalker_coefficients(ellipse.semi_axes[0] / ellipse.semi_axes[1], 0.28),
        ellipse.semi_axes,
        ellipse.pair.shear_modulus,
    )
    for xi in (1e-4, 1e-3, 1e-2):
        eps = g * math.pi * a * b * k.C11 * xi / (4.0 * MU * ellipse.force)
        part = slope[0] * eps / (1.0 + (slope[0] * eps) ** 2) + math.atan(slope[1] * eps)
        f = tr.polach(ellipse, MU, creepage=(xi, 0, 0), slope=slope, coefficients=k)
        assert f.force[0] == pytest.approx(-2.0 * MU * ellipse.force / math.pi * part, rel=1e-12)
        assert f.force[1] == 0.0


def test_spin_vanishes_as_it_grows(ellipse):
    """Sliding about the centre of the contact has no lateral force."""
    sizes = [abs(tr.polach(ellipse, MU, creepage=(0, 0, spin)).force[1]) for spin in (0.5, 1.0, 100.0, 1e4)]
    assert sizes[1] > sizes[0]
    assert sizes[3] < 0.02 * sizes[1]


def test_huge_creepages_slide(ellipse):
    """The terms of the spin cancel, and their rounding grows with the creepage."""
    for spin in (1e6, 1e30, 1e90):
        assert abs(tr.polach(ellipse, MU, creepage=(0, 0, spin)).force[1]) < 1e-6 * MU * ellipse.force
    force = tr.polach(ellipse, MU, creepage=(3e50, -4e50, 1.0)).force
    assert force == pytest.approx((-0.6 * MU * ellipse.force, 0.8 * MU * ellipse.force), rel=1e-6)


def test_spin_follows_the_printed_formula(ellipse):
    (a, b), g, limit = ellipse.semi_axes, ellipse.pair.shear_modulus, MU * ellipse.force
    k = tr.kalker_coefficients(a / b, 0.28)
    for xi, eta, phi in ((0, 0, 0.3), (0, 1e-3, 1.0), (2e-3, -1e-3, 0.5), (1e-3, 1e-3, -0.1)):
        aside = eta + a * phi if abs(eta + a * phi) > abs(eta) else eta
        wide, whole = 1.0 + 6.3 * (1.0 - math.exp(-a / b)), math.hypot(xi, aside)
        e = 8.0 / 3.0 * g * b * math.sqrt(a * b) * k.C23 * aside / (limit * wide)
        d = (e * e - 1.0) / (e * e + 1.0)
        part = abs(e) * (d**3 / 3 - d**2 / 2 + 1 / 6) - math.sqrt((1 - d * d) ** 3) / 3
        spin = 9.0 / 16.0 * a * limit * part * wide * phi / whole
        s = math.hypot(xi, eta) or 1.0
        eps = g * math.pi * a * b * math.hypot(k.C11 * xi, k.C22 * eta) / s * whole / (4.0 * limit)
        pulled = 2.0 * limit / math.pi * (eps / (1.0 + eps**2) + math.atan(eps))
        f = tr.polach(ellipse, MU, creepage=(xi, eta, phi), coefficients=k)
        assert f.force == pytest.approx(
            (-pulled * xi / whole, -pulled * eta / whole + spin), abs=1e-9 * limit
        )


def test_mirrors(ellipse):
    fx, fy = tr.polach(ellipse, MU, creepage=(4e-4, 3e-4, 0.6)).force
    assert tr.polach(ellipse, MU, creepage=(4e-4, -3e-4, -0.6)).force == pytest.approx((fx, -fy))
    assert tr.polach(ellipse, MU, creepage=(-4e-4, -3e-4, -0.6)).force == pytest.approx((-fx, -fy))
    assert tr.polach(ellipse, MU, creepage=(-4e-4, -3e-4, 0.6), direction=-1).force == pytest.approx(
        (-fx, -fy)
    )


def test_close_to_fastsim_without_spin(ellipse):
    for creepage in ((5e-4, 0, 0), (0, 1e-3, 0), (1e-3, 1e-3, 0)):
        quick = tr.fastsim(ellipse, MU, creepage=creepage).force
        assert np.subtract(tr.polach(ellipse, MU, creepage=creepage).force, quick) == pytest.approx(
            (0.0, 0.0), abs=0.12 * MU * ellipse.force
        )


def test_no_friction_has_no_force(ellipse):
    assert tr.polach(ellipse, 0.0, creepage=(1e-3, 0, 0)).force == (0.0, 0.0)


def test_bad_slopes_are_named(ellipse):
    with pytest.raises(tr.InputError, match="k_S <= k_A <= 1"):
        tr.polach(ellipse, MU, creepage=(0, 0, 0), slope=(0.5, 0.8))
    with pytest.raises(tr.InputError, match=r"slope\[1\]"):
        tr.polach(ellipse, MU, creepage=(0, 0, 0), slope=(0.5, 0.0))
