"""Loads on a half space against quadratures, limits and each other."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipkm1

import traction as tr
from traction.theory import hertz, loads

PAIR = tr.Pair(tr.STEEL, tr.RIGID)
E = PAIR.effective_modulus


def all_loads():
    return {
        "uniform circle": loads.uniform_circle(0.7, PAIR, pressure=3.0),
        "hertz circle": loads.hertz_circle(0.7, PAIR, pressure=3.0),
        "uniform rectangle": loads.uniform_rectangle(0.7, 0.4, PAIR, pressure=3.0),
        "hertz rectangle": loads.hertz_rectangle(0.7, 0.4, PAIR, pressure=3.0),
    }


def rings(load, r):
    """u at r of an axially symmetric pressure, ring by ring."""

    def ring(s):
        return 4 / (math.pi * E) * load.pressure(s) * s / (r + s) * ellipkm1(((r - s) / (r + s)) ** 2)

    a = load.radius
    if r >= a:
        return quad(lambda t: ring(a - a * t * t) * 2 * a * t, 0, 1, epsabs=0, epsrel=1e-11)[0]
    # quadratic steps away from the ring through r, where the kernel is logarithmic
    inner = quad(lambda t: ring(r - r * t * t) * 2 * r * t, 0, 1, epsabs=0, epsrel=1e-11)
    outer = quad(lambda t: ring(r + (a - r) * t * t) * 2 * (a - r) * t, 0, 1, epsabs=0, epsrel=1e-11)
    return inner[0] + outer[0]


def below(load, z, nu, order=80):
    """Stresses below the middle of a rectangle from point forces."""
    a, b = load.half_widths
    node, weight = np.polynomial.legendre.leggauss(order)
    x, y = np.meshgrid(a * node, b * node)
    force = load.peak_pressure * a * b * np.outer(weight, weight)
    r2, rho = x**2 + y**2, np.sqrt(x**2 + y**2 + z**2)
    both = 1 / (rho * (rho + z))
    radial = (1 - 2 * nu) * both - 3 * z * r2 / rho**5
    hoop = -(1 - 2 * nu) * (both - z / rho**3)
    sx, sy = (radial * x**2 + hoop * y**2) / r2, (radial * y**2 + hoop * x**2) / r2
    return [np.sum(force * s) / (2 * math.pi) for s in (sx, sy, -3 * z**3 / rho**5)]


@pytest.mark.parametrize("kind", all_loads())
def test_far_away_every_load_is_a_point_force(kind):
    load = all_loads()[kind]
    far = 1e4
    assert load.displacement(far) == pytest.approx(load.force / (math.pi * E * far), rel=1e-8)


@pytest.mark.parametrize("kind", all_loads())
def test_force_and_pressure_are_two_ways_to_say_it(kind):
    make, sides = {
        "uniform circle": (loads.uniform_circle, (0.7,)),
        "hertz circle": (loads.hertz_circle, (0.7,)),
        "uniform rectangle": (loads.uniform_rectangle, (0.7, 0.4)),
        "hertz rectangle": (loads.hertz_rectangle, (0.7, 0.4)),
    }[kind]
    load = all_loads()[kind]
    again = make(*sides, PAIR, force=load.force)
    assert again.peak_pressure == pytest.approx(3.0, rel=1e-14)
    pulled = make(*sides, PAIR, pressure=-3.0)
    assert pulled.displacement(0.3) == pytest.approx(-load.displacement(0.3), rel=1e-14)


@pytest.mark.parametrize("kind", ["uniform rectangle", "hertz rectangle"])
def test_pressure_of_a_rectangle_adds_up_to_the_force(kind):
    load = all_loads()[kind]
    t = (np.arange(400) + 0.5) * math.pi / 400
    along = 0.7 * np.sum(load.pressure(0.7 * np.cos(t), 0.1) * np.sin(t)) * math.pi / 400
    assert along * 0.8 == pytest.approx(load.force, rel=1e-5)
    assert load.pressure([0.0, 0.71, 0.0], [0.0, 0.0, 0.41]) == pytest.approx([3.0, 0.0, 0.0])


@pytest.mark.parametrize("kind", ["uniform circle", "hertz circle"])
@pytest.mark.parametrize("r", [0.2, 0.5, 0.69, 0.7, 0.72, 2.0])
def test_circles_match_a_sum_of_rings(kind, r):
    load = all_loads()[kind]
    assert load.displacement(r) == pytest.approx(rings(load, r), rel=1e-9)


def test_uniform_circle_at_its_middle_and_rim():
    load = loads.uniform_circle(0.7, PAIR, pressure=3.0)
    assert load.displacement([0.0, -0.7, 0.7]) == pytest.approx(
        np.array([2.0, 4 / math.pi, 4 / math.pi]) * 3.0 * 0.7 / E, rel=1e-14
    )
    assert load.displacement(0.7 * (1 + 1e-13)) == pytest.approx(load.displacement(0.7), rel=1e-11)
    assert load.force == pytest.approx(3.0 * math.pi * 0.49, rel=1e-14)
    assert load.pressure([0.0, 0.7, 0.8]) == pytest.approx([3.0, 3.0, 0.0])


def test_hertz_circle_is_the_contact_of_a_sphere():
    sphere = hertz.sphere(0.3, PAIR, force=50.0)
    load = loads.hertz_circle(sphere.radius, PAIR, pressure=sphere.peak_pressure)
    for name in ("approach", "force", "stiffness", "semi_axes"):
        assert getattr(load, name) == pytest.approx(getattr(sphere, name), rel=1e-13), name


@pytest.mark.parametrize("nu", [0.0, 0.3])
def test_axis_stress_below_a_circle(nu):
    load, z = loads.uniform_circle(0.7, PAIR, pressure=3.0), np.array([0.0, 0.2, 0.9, 5.0])
    k = z / np.hypot(0.7, z)
    s = load.stress_on_axis(z, nu)
    assert s.sigma_z == pytest.approx(-3.0 * (1 - k**3), rel=1e-12)
    assert s.sigma_x == pytest.approx(-3.0 * (0.5 + nu - (1 + nu) * k + k**3 / 2), rel=1e-10)
    assert s.sigma_y is s.sigma_x
    deep = load.stress_on_axis(1e6, nu)
    assert deep.sigma_z == pytest.approx(-3 * load.force / (2 * math.pi * 1e12), rel=1e-9)
    assert deep.sigma_x == pytest.approx((1 - 2 * nu) * load.force / (4 * math.pi * 1e12), rel=1e-9)


def test_uniform_circle_and_sphere_share_the_stress_of_equal_shares():
    """A Hertz pressure is a stack of uniform circles: p(r) = integral of -dp/ds over circles s > r."""
    sphere, z, nu = hertz.sphere(0.3, PAIR, force=50.0), 1e-4, 0.3
    a, p0 = sphere.radius, sphere.peak_pressure

    def share(t, name):
        circle = loads.uniform_circle(a * math.sin(t), PAIR, pressure=p0 * math.sin(t))
        return getattr(circle.stress_on_axis(z, nu), name)

    for name in ("sigma_x", "sigma_z"):
        total = quad(share, 1e-12, math.pi / 2, args=(name,), epsabs=0, epsrel=1e-10)[0]
        assert getattr(sphere.stress_on_axis(z, nu), name) == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize(
    "spot", [(0.0, 0.0), (0.3, -0.2), (0.7, 0.1), (0.2, 0.4), (0.7, 0.4), (1.0, 0.0), (3.0, -2.0)]
)
def test_rectangle_is_loves_formula(spot):
    """Johnson 3.25, term by term; a term is 0 times infinity, that is 0, in line with a side."""
    (x, y), a, b = spot, 0.7, 0.4

    def term(s, up, down):
        return s * (math.asinh(up / abs(s)) - math.asinh(down / abs(s))) if s else 0.0

    love = term(x + a, y + b, y - b) + term(y + b, x + a, x - a)
    love += term(x - a, y - b, y + b) + term(y - b, x - a, x + a)
    load = loads.uniform_rectangle(a, b, PAIR, pressure=3.0)
    assert load.displacement(*spot) == pytest.approx(3.0 * love / (math.pi * E), rel=1e-11)


def test_middle_of_a_square_and_its_corner():
    """At a corner a load displaces half as much as in its middle: four quarters make the whole."""
    square = loads.uniform_rectangle(0.5, 0.5, PAIR, pressure=3.0)
    middle, corner = square.displacement([0.0, 0.5], [0.0, 0.5])
    assert middle == pytest.approx(8 * 0.5 * math.asinh(1.0) * 3.0 / (math.pi * E), rel=1e-14)
    assert corner == pytest.approx(middle / 2, rel=1e-14)


def test_rectangles_tile():
    whole = loads.uniform_rectangle(0.6, 0.4, PAIR, pressure=3.0)
    part = loads.uniform_rectangle(0.3, 0.2, PAIR, pressure=3.0)
    x, y = np.array([0.1, 0.6, -2.0, 50.0]), np.array([0.05, 0.4, 1.0, 20.0])
    tiles = sum(part.displacement(x + sx, y + sy) for sx in (-0.3, 0.3) for sy in (-0.2, 0.2))
    assert whole.displacement(x, y) == pytest.approx(tiles, rel=1e-12)


@pytest.mark.parametrize("nu", [0.0, 0.3, 0.5])
@pytest.mark.parametrize("sides", [(0.7, 0.4), (0.2, 0.9)])
def test_axis_stress_below_a_rectangle(nu, sides):
    load = loads.uniform_rectangle(*sides, PAIR, pressure=3.0)
    for z in (0.3, 1.0, 20.0):
        s = load.stress_on_axis(z, nu)
        assert [s.sigma_x, s.sigma_y, s.sigma_z] == pytest.approx(below(load, z, nu), rel=1e-9, abs=1e-12)
    surface = load.stress_on_axis(0.0, nu)
    assert surface.sigma_z == pytest.approx(-3.0, rel=1e-14)
    assert surface.sigma_x + surface.sigma_y == pytest.approx(-3.0 * (1 + 2 * nu), rel=1e-14)


@pytest.mark.parametrize(
    ("x", "y", "a", "b", "integral"),
    [
        # mpmath, 30 digits: quad(sqrt(1 - (s/a)**2)*(asinh((y+b)/|x-s|) - asinh((y-b)/|x-s|)), [-a, x, a])/pi
        # with further break points at x -+ | |y| - b |
        (0.0, 0.0, 1.0, 1.0, 1.93991345321027006),
        (0.3, 0.2, 1.0, 2.0, 2.50480924465335044),
        (1.0, 0.0, 1.0, 2.0, 1.64597523604679312),
        (1.0, 2.0, 1.0, 2.0, 1.1456175851304948),
        (0.5, 2.0, 1.0, 2.0, 1.5151023747981921),
        (0.5, 2.0001, 1.0, 2.0, 1.51452965992016765),
        (0.5, 1.999999, 1.0, 2.0, 1.51511064090884506),
        (1.0001, 1.0, 1.0, 2.0, 1.55085628220918161),
        (100.0, 50.0, 1.0, 2.0, 0.0178884126123666913),
        (-0.7, 0.01, 1.0, 0.01, 0.0489697894038147735),
        (0.2, 0.0, 1.0, 100.0, 6.45147179693305277),
    ],
)
def test_hertz_rectangle_keeps_twelve_digits(x, y, a, b, integral):
    load = loads.hertz_rectangle(a, b, E, pressure=3.0)
    assert load.displacement(x, y) == pytest.approx(3.0 * integral / E, rel=1e-13)
    assert load.displacement([[-x], [x]], [-y, y]) == pytest.approx(
        3.0 * integral / E * np.ones((2, 2)), rel=1e-12
    )


def test_hertz_rectangle_is_a_stack_of_uniform_ones():
    load = loads.hertz_rectangle(0.7, 0.4, PAIR, pressure=3.0)
    x, y = 0.9, 0.3

    def share(t):
        part = loads.uniform_rectangle(0.7 * math.sin(t), 0.4, PAIR, pressure=3.0 * math.sin(t))
        return part.displacement(x, y)

    total = quad(share, 1e-14, math.pi / 2, epsabs=0, epsrel=1e-11)[0]
    assert load.displacement(x, y) == pytest.approx(total, rel=1e-10)


@pytest.mark.parametrize("kind", all_loads())
def test_scalars_stay_scalars_and_shapes_stay(kind):
    load = all_loads()[kind]
    assert np.shape(load.displacement(0.1)) == ()
    assert load.displacement(np.zeros((2, 3))).shape == (2, 3)
    assert load.pressure(np.zeros((2, 3))).shape == (2, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: loads.uniform_circle(0.0, E, pressure=1.0), r"radius = 0\.0 m must be positive"),
        (lambda: loads.hertz_circle(-1.0, E, pressure=1.0), r"radius = -1\.0 m must be positive"),
        (lambda: loads.uniform_circle(1.0, E), "exactly one of pressure and force; neither"),
        (
            lambda: loads.uniform_rectangle(1.0, -2.0, E, force=1.0),
            r"half_width_y = -2\.0 m must be positive",
        ),
        (lambda: loads.hertz_rectangle(0.0, 2.0, E, force=1.0), r"half_width_x = 0\.0 m must be positive"),
        (
            lambda: loads.hertz_rectangle(1.0, 2.0, E, pressure=math.nan),
            "pressure = nan must be finite, in Pa",
        ),
        (lambda: loads.uniform_rectangle(1.0, 1.0, 0.0, force=1.0), r"pair = 0\.0 Pa must be positive"),
        (lambda: all_loads()["uniform circle"].displacement("here"), "r must be an array of numbers"),
        (
            lambda: all_loads()["uniform rectangle"].stress_on_axis([1.0, -2.0], 0.3),
            r"z = -2\.0 m must not be negative",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(tr.InputError, match=message):
        call()
