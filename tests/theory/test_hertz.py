"""Hertz contact: its defining equations, by quadratures that share nothing with the closed forms."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import traction as tr
from traction.theory import hertz, loads

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
E = PAIR.effective_modulus
RATIOS = [1e-3, 3e-2, 0.7, 1.0, 1.5, 40.0, 1e3]


def displacement_inside(contact, x, y, directions=20000):
    """u by chords through (x, y): along each the pressure is a semi-ellipse, whose area is known."""
    a, b = contact.semi_axes
    angle = np.arange(directions) * math.pi / directions
    c, s = np.cos(angle), np.sin(angle)
    level, slope = 1 - (x / a) ** 2 - (y / b) ** 2, x * c / a**2 + y * s / b**2
    bend = (c / a) ** 2 + (s / b) ** 2
    chords = math.pi / 2 * (level + slope**2 / bend) / np.sqrt(bend)
    return contact.peak_pressure * np.mean(chords) / contact.effective_modulus


def integrate(contact, kernel, order=60, angles=600):
    """Integral of pressure times kernel(x, y) over the ellipse, for a smooth kernel."""
    a, b = contact.semi_axes
    node, weight = np.polynomial.legendre.leggauss(order)
    t, wt = (node + 1) * math.pi / 4, weight * math.pi / 4
    angle = np.arange(angles) * 2 * math.pi / angles
    rho, phi = np.meshgrid(np.sin(t), angle)
    values = kernel(a * rho * np.cos(phi), b * rho * np.sin(phi)) * np.cos(t) ** 2 * np.sin(t) * wt
    return contact.peak_pressure * a * b * values.sum() * 2 * math.pi / angles


def boussinesq(contact, z, nu):
    """Stresses below the middle by summing point forces (Johnson 3.19)."""

    def sx(x, y):
        r2 = x * x + y * y
        rho = np.sqrt(r2 + z * z)
        both = 1 / (rho * (rho + z))
        radial = (1 - 2 * nu) * both - 3 * z * r2 / rho**5
        hoop = -(1 - 2 * nu) * (both - z / rho**3)
        return (radial * x * x + hoop * y * y) / r2 / (2 * math.pi)

    def sz(x, y):
        return -3 * z**3 / (2 * math.pi * (x * x + y * y + z * z) ** 2.5)

    return [integrate(contact, k) for k in (sx, lambda x, y: sx(y, x), sz)]


def contacts():
    return {
        "sphere": lambda **given: hertz.sphere(0.4, PAIR, **given),
        "ellipse": lambda **given: hertz.ellipse(0.4, 3.0, PAIR, **given),
        "line": lambda **given: hertz.line(0.4, PAIR, length=0.2, **given),
    }


def test_sphere_obeys_the_classical_formulas():
    c = hertz.sphere(0.5, PAIR, force=1e4)
    assert c.force == pytest.approx(4 / 3 * E * math.sqrt(0.5) * c.approach**1.5, rel=1e-14)
    assert c.radius**2 == pytest.approx(0.5 * c.approach, rel=1e-14)
    assert c.peak_pressure == pytest.approx(3 * c.force / (2 * math.pi * c.radius**2), rel=1e-14)
    assert c.semi_axes == (c.radius, c.radius)


@pytest.mark.parametrize("kind", contacts())
def test_force_and_approach_are_inverse(kind):
    make = contacts()[kind]
    by_force = make(force=2e4)
    by_approach = make(approach=by_force.approach)
    assert by_approach.force == pytest.approx(2e4, rel=1e-13)
    assert by_approach.semi_axes == pytest.approx(by_force.semi_axes, rel=1e-13)
    assert by_approach.peak_pressure == pytest.approx(by_force.peak_pressure, rel=1e-13)


@pytest.mark.parametrize("kind", contacts())
def test_stiffness_is_the_slope_of_force(kind):
    make, middle = contacts()[kind], contacts()[kind](force=2e4)
    step = 1e-4 * middle.approach
    up, down = make(approach=middle.approach + step), make(approach=middle.approach - step)
    assert middle.stiffness == pytest.approx((up.force - down.force) / (2 * step), rel=1e-8)


@pytest.mark.parametrize("kind", contacts())
def test_stiffer_bodies_scale_pressure_and_force_alike(kind):
    c = contacts()[kind](approach=1e-5)
    makes = {
        "sphere": (hertz.sphere, (0.4,)),
        "ellipse": (hertz.ellipse, (0.4, 3.0)),
        "line": (hertz.line, (0.4,)),
    }
    make, radii = makes[kind]
    more = {"length": 0.2} if kind == "line" else {}
    stiff = make(*radii, 8 * E, approach=1e-5, **more)
    assert stiff.semi_axes == pytest.approx(c.semi_axes, rel=1e-14)
    assert stiff.force == pytest.approx(8 * c.force, rel=1e-14)
    assert stiff.peak_pressure == pytest.approx(8 * c.peak_pressure, rel=1e-14)
    assert (c.pair, stiff.pair) == (PAIR, None)


@pytest.mark.parametrize("given", [{"force": 3e3}, {"approach": 2e-6}])
def test_ellipse_of_equal_radii_is_the_sphere(given):
    c, s = hertz.ellipse(0.3, 0.3, PAIR, **given), hertz.sphere(0.3, PAIR, **given)
    for name in ("semi_axes", "approach", "force", "peak_pressure", "mean_pressure", "stiffness"):
        assert getattr(c, name) == pytest.approx(getattr(s, name), rel=1e-13), name


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("spot", [(0.0, 0.0), (0.9, 0.0), (0.0, 0.9), (0.5, -0.6)])
def test_deformed_bodies_close_the_gap(ratio, spot):
    c = hertz.ellipse(0.2, 0.2 * ratio, PAIR, force=5e3)
    x, y = spot[0] * c.semi_axes[0], spot[1] * c.semi_axes[1]
    gap = x**2 / 0.4 + y**2 / (0.4 * ratio)
    assert displacement_inside(c, x, y) + gap == pytest.approx(c.approach, rel=1e-12)
    assert c.displacement(x, y) + gap == pytest.approx(c.approach, rel=1e-12)


@pytest.mark.parametrize("ratio", RATIOS)
def test_pressure_adds_up_to_the_force(ratio):
    c = hertz.ellipse(0.2, 0.2 * ratio, PAIR, approach=1e-5)
    assert integrate(c, lambda x, y: np.ones_like(x)) == pytest.approx(c.force, rel=1e-12)
    assert c.mean_pressure * math.pi * math.prod(c.semi_axes) == pytest.approx(c.force, rel=1e-14)
    half = np.sqrt(0.5)
    assert c.pressure(half * c.semi_axes[0]) == pytest.approx(half * c.peak_pressure)
    assert c.pressure([0.0, 0.0], [half * c.semi_axes[1], 1.01 * c.semi_axes[1]]) == pytest.approx(
        [half * c.peak_pressure, 0.0]
    )


@pytest.mark.parametrize("ratio", RATIOS)
def test_swapped_radii_swap_the_axes(ratio):
    one, other = hertz.ellipse(0.2, 0.2 * ratio, E, force=1e3), hertz.ellipse(0.2 * ratio, 0.2, E, force=1e3)
    assert one.semi_axes == pytest.approx(other.semi_axes[::-1], rel=1e-13)
    assert one.approach == pytest.approx(other.approach, rel=1e-13)
    assert (one.semi_axes[0] < one.semi_axes[1]) == (ratio > 1)


@pytest.mark.parametrize("ratio", [1.0, 6.0])
@pytest.mark.parametrize("spot", [(1.6, 0.0), (1.2, 1.3), (-0.4, 2.0), (30.0, 40.0)])
def test_displacement_outside_matches_quadrature(ratio, spot):
    c = hertz.ellipse(0.2, 0.2 * ratio, PAIR, force=5e3)
    x, y = spot[0] * c.semi_axes[0], spot[1] * c.semi_axes[1]
    u = integrate(c, lambda s, t: 1 / np.hypot(x - s, y - t), angles=1200) / (math.pi * E)
    assert c.displacement(x, y) == pytest.approx(u, rel=1e-11)


def test_sphere_displacement_is_johnsons_and_continuous_at_the_rim():
    c = hertz.sphere(0.5, PAIR, force=1e3)
    a, r = c.radius, 1.7 * c.radius
    outside = (2 * a**2 - r**2) * math.asin(a / r) + a * math.sqrt(r**2 - a**2)
    assert c.displacement(r) == pytest.approx(c.peak_pressure / (2 * E * a) * outside, rel=1e-13)
    assert c.displacement(0.6 * r, 0.8 * r) == pytest.approx(c.displacement(r), rel=1e-14)
    assert c.displacement(a * (1 + 1e-12)) == pytest.approx(c.displacement(a * (1 - 1e-12)), rel=1e-11)
    slopes = [(c.displacement(a * (1 + h)) - c.displacement(a)) / (a * h) for h in (-1e-6, 1e-6)]
    assert slopes[0] == pytest.approx(slopes[1], rel=5e-3)
    far = 1e6 * a
    assert c.displacement(far) == pytest.approx(c.force / (math.pi * E * far), rel=1e-11)


@pytest.mark.parametrize("nu", [0.0, 0.3, 0.5])
@pytest.mark.parametrize("ratio", [0.05, 1.0, 5.0])
def test_axis_stress_is_the_sum_of_point_forces(ratio, nu):
    c = hertz.ellipse(0.2, 0.2 * ratio, PAIR, force=5e3)
    for z in (1.0 * max(c.semi_axes), 3.0 * max(c.semi_axes)):
        s = c.stress_on_axis(z, nu)
        assert [s.sigma_x, s.sigma_y, s.sigma_z] == pytest.approx(
            boussinesq(c, z, nu), rel=1e-9, abs=1e-11 * c.peak_pressure
        )


def test_axis_stress_of_the_sphere_is_johnsons():
    c, nu = hertz.sphere(0.2, PAIR, force=5e3), 0.28
    z = c.radius * np.array([1e-9, 0.1, 0.5, 1.0, 4.0])
    k = z / c.radius
    radial = -c.peak_pressure * ((1 + nu) * (1 - k * np.arctan(1 / k)) - 0.5 / (1 + k**2))
    s = c.stress_on_axis(z, nu)
    assert s.sigma_x == pytest.approx(radial, rel=1e-12)
    assert s.sigma_y == pytest.approx(radial, rel=1e-12)
    assert s.sigma_z == pytest.approx(-c.peak_pressure / (1 + k**2), rel=1e-14)


def test_surface_stress_at_the_middle_of_an_ellipse():
    c, nu = hertz.ellipse(0.2, 1.0, PAIR, force=5e3), 0.3
    (a, b), s = c.semi_axes, c.stress_on_axis(0.0, nu)
    expected = [-(2 * nu + (1 - 2 * nu) * other / (a + b)) for other in (b, a)]
    assert [s.sigma_x, s.sigma_y] == pytest.approx(c.peak_pressure * np.array(expected), rel=1e-14)
    assert s.sigma_z == pytest.approx(-c.peak_pressure, rel=1e-14)


@pytest.mark.parametrize(
    ("contact", "shear", "depth"),
    [(hertz.sphere(1.0, E, force=1e3), 0.310, 0.48), (hertz.line(1.0, E, force=1e5), 0.300, 0.786)],
)
def test_shear_peaks_where_johnson_says(contact, shear, depth):
    a, p0 = contact.semi_axes[0], contact.peak_pressure
    peak = minimize_scalar(
        lambda k: -contact.stress_on_axis(k * a, 0.3).max_shear, bounds=(0.1, 2.0), method="bounded"
    )
    assert (peak.x, -peak.fun / p0) == pytest.approx((depth, shear), abs=2e-3)


def test_von_mises_ignores_hydrostatic_stress():
    s = hertz.AxisStress(0.0, -3.0, -3.0, -3.0)
    assert (s.von_mises, s.max_shear) == (0.0, 0.0)
    assert hertz.AxisStress(0.0, 2.0, 0.0, 0.0).von_mises == pytest.approx(2.0)
    assert hertz.AxisStress(0.0, 2.0, 1.0, -4.0).max_shear == pytest.approx(3.0)


def test_slender_ellipse_is_stressed_as_a_line():
    line = hertz.line(0.1, E, force=1e5)
    a, p0, z = line.half_width, line.peak_pressure, line.half_width * np.array([0.0, 0.5, 2.0])
    errors = []
    for slender in (1e2, 1e3):
        ellipse = hertz.EllipseContact((a, slender * a), 1.0, 1.0, p0, E)
        s, t = ellipse.stress_on_axis(z, 0.3), line.stress_on_axis(z, 0.3)
        errors.append(
            max(np.abs(getattr(s, k) - getattr(t, k)).max() for k in ("sigma_x", "sigma_y", "sigma_z"))
        )
    assert errors[1] < 0.2 * errors[0] < 0.2 * 0.05 * p0


def test_line_approach_is_that_of_a_long_roller():
    """The strip of length L is `loads.hertz_rectangle`; the logarithm neglects (a/L)^2."""
    errors = []
    for length in (0.05, 0.1):
        c = hertz.line(0.3, PAIR, force=2e5, length=length)
        roller = loads.hertz_rectangle(c.half_width, length / 2, PAIR, pressure=c.peak_pressure)
        assert roller.force == pytest.approx(2e5 * length, rel=1e-13)
        errors.append(abs(roller.displacement(0.0) - c.approach) / c.approach)
    assert errors[0] < 1e-3
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


def test_line_formulas():
    c = hertz.line(0.3, PAIR, force=2e5)
    assert c.half_width == pytest.approx(math.sqrt(4 * 2e5 * 0.3 / (math.pi * E)), rel=1e-14)
    assert c.peak_pressure == pytest.approx(2 * 2e5 / (math.pi * c.half_width), rel=1e-14)
    assert c.semi_axes == (c.half_width, math.inf)
    assert c.mean_pressure * 2 * c.half_width == pytest.approx(2e5, rel=1e-14)
    assert c.pressure(0.6 * c.half_width, [0.0, 7.0]) == pytest.approx([0.8 * c.peak_pressure] * 2)


@pytest.mark.parametrize("quantity", ["approach", "stiffness"])
def test_line_without_length_has_no_approach(quantity):
    with pytest.raises(tr.UndefinedError, match=rf"{quantity} of a line contact.*length=0\.1"):
        getattr(hertz.line(0.3, PAIR, force=1e5), quantity)


def test_results_are_frozen():
    with pytest.raises(AttributeError):
        hertz.sphere(1.0, E, force=1.0).force = 2.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hertz.sphere(-0.5, E, force=1.0), r"radius = -0\.5 m must be positive.*relative"),
        (
            lambda: hertz.sphere(0.5, E, force=-1200.0),
            r"force = -1200\.0 N must be positive: contact can only",
        ),
        (lambda: hertz.sphere(0.5, E, approach=0.0), r"approach = 0\.0 m must be positive"),
        (lambda: hertz.sphere(0.5, E), "exactly one of force and approach; neither"),
        (lambda: hertz.sphere(0.5, E, force=1.0, approach=1.0), "force and approach given"),
        (lambda: hertz.sphere(0.5, -2.0, force=1.0), r"pair = -2\.0 Pa must be positive.*tr\.Pair"),
        (lambda: hertz.sphere(0.5, "steel", force=1.0), "pair = 'steel' must be a number"),
        (lambda: hertz.ellipse(0.5, 0.0, E, force=1.0), r"radius_y = 0\.0 m must be positive"),
        (lambda: hertz.ellipse(math.nan, 1.0, E, force=1.0), "radius_x = nan must be finite"),
        (lambda: hertz.ellipse(1e-5, 1e5, E, force=1.0), r"1e\+10 must lie between.*hertz\.line"),
        (lambda: hertz.line(1.0, E, approach=1e-6), r"approach = 1e-06 m has no meaning.*length=0\.1"),
        (lambda: hertz.line(1.0, E, approach=1.0, length=0.1), r"approach = 1\.0 m must be at most 0\.00235"),
        (
            lambda: hertz.line(1.0, 1e9, force=1e6, length=0.01),
            r"length = 0\.01 m must be at least.* 0\.0713",
        ),
        (
            lambda: hertz.sphere(1.0, E, force=1.0).stress_on_axis(-1e-3, 0.3),
            r"z = -0\.001 m must not be negative",
        ),
        (lambda: hertz.line(1.0, E, force=1.0).stress_on_axis(0.0, 0.7), r"poisson_ratio = 0\.7 must lie"),
        (lambda: hertz.sphere(1.0, E, force=1.0).pressure([0.0, math.inf]), r"x\[1\] = inf must be finite"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(tr.InputError, match=message):
        call()


def test_bodies_apart_have_a_contact_without_force():
    apart = hertz.NoContact.of(hertz.sphere(1.0, E, force=1.0), -1e-3)
    assert (apart.force, apart.peak_pressure, apart.mean_pressure, apart.stiffness) == (0.0, 0.0, 0.0, 0.0)
    assert (apart.semi_axes, apart.approach) == ((0.0, 0.0), -1e-3)
    x, y = np.meshgrid([-0.1, 0.0, 0.1], [0.0, 0.1])
    for field in (apart.pressure(x, y), apart.displacement(x, y)):
        np.testing.assert_array_equal(field, np.zeros((2, 3)))
    assert apart.pressure(0.0) == 0.0
    np.testing.assert_array_equal(apart.stress_on_axis([0.0, 1e-3], 0.3).max_shear, np.zeros(2))


def test_module_holds_the_names_of_its_field():
    assert not {"points", "depth", "poisson", "known", "modulus"} & set(vars(hertz))
    assert not {"points", "depth", "poisson", "known", "modulus"} & set(vars(loads))
