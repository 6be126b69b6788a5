"""Surfaces: their formulas, how shapes agree, and what they refuse."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import traction as tr
from convergence import observed_order
from traction.surfaces import gap_on

GRID = tr.Grid(5, 4, 2e-3, 3e-3, center=(1e-3, -2e-3))
X, Y = GRID.mesh()
R, S = 0.3, 0.5
LATERAL = np.linspace(-0.02, 0.02, 9)


def arc(r2, radius=R):
    return radius - np.sqrt(radius**2 - r2)


PROFILE = tr.RollingProfile(R, LATERAL, 3.0 * LATERAL**2, interpolation="cubic")
FORMULAS = {
    "sphere": (tr.Sphere(R), (X**2 + Y**2) / (2 * R)),
    "sphere off centre": (tr.Sphere(R, center=(1e-3, 2e-3)), ((X - 1e-3) ** 2 + (Y - 2e-3) ** 2) / (2 * R)),
    "exact sphere": (tr.Sphere(R, exact=True), arc(X**2 + Y**2)),
    "exact sphere off centre": (tr.Sphere(R, (1e-3, 0.0), exact=True), arc((X - 1e-3) ** 2 + Y**2)),
    "roller": (tr.Cylinder(R), X**2 / (2 * R)),
    "roller off centre": (tr.Cylinder(R, center=2e-3), (X - 2e-3) ** 2 / (2 * R)),
    "roller along x": (tr.Cylinder(R, axis="x", center=2e-3), (Y - 2e-3) ** 2 / (2 * R)),
    "exact roller": (tr.Cylinder(R, exact=True), arc(X**2)),
    "exact roller along x": (tr.Cylinder(R, axis="x", exact=True), arc(Y**2)),
    "paraboloid": (tr.Paraboloid(R, S), X**2 / (2 * R) + Y**2 / (2 * S)),
    "paraboloid off centre": (
        tr.Paraboloid(R, S, (1e-3, 2e-3)),
        (X - 1e-3) ** 2 / (2 * R) + (Y - 2e-3) ** 2 / (2 * S),
    ),
    "flat along y": (tr.Paraboloid(R, math.inf), X**2 / (2 * R)),
    "flat": (tr.Paraboloid(math.inf, math.inf), np.zeros(GRID.shape)),
    "sum": (tr.Sphere(R) + tr.Cylinder(S) + tr.Cylinder(S, "x"), (X**2 + Y**2) * (0.5 / R + 0.5 / S)),
    "function": (tr.FunctionSurface(lambda x, y: x * y), X * Y),
    "function of x alone": (tr.FunctionSurface(lambda x, y: np.abs(x)), np.abs(X)),
    "constant": (tr.FunctionSurface(lambda x, y: 7e-6), np.full(GRID.shape, 7e-6)),
    "integer constant": (tr.FunctionSurface(lambda x, y: 0), np.zeros(GRID.shape)),
    "constant in a sum": (tr.FunctionSurface(lambda x, y: 1.0) + tr.Cylinder(R), 1.0 + X**2 / (2 * R)),
    "wheel on a profile": (PROFILE, arc(X**2) + 3.0 * Y**2),
}


@pytest.mark.parametrize("case", FORMULAS)
def test_formula(case):
    surface, expected = FORMULAS[case]
    gap = surface.gap(GRID)
    np.testing.assert_allclose(gap, expected, rtol=1e-9, atol=1e-16)
    assert (gap.shape, gap.dtype, gap.flags.c_contiguous) == (GRID.shape, np.float64, True)


@pytest.mark.parametrize("case", FORMULAS)
def test_gap_belongs_to_the_caller(case):
    surface = FORMULAS[case][0]
    gap = surface.gap(GRID)
    gap += 1.0
    np.testing.assert_allclose(gap - 1.0, surface.gap(GRID), atol=1e-15)


EXACT_AND_PARABOLIC = {
    "sphere": (tr.Sphere(R, exact=True), tr.Sphere(R)),
    "roller": (tr.Cylinder(R, exact=True), tr.Cylinder(R)),
    "wheel": (tr.RollingProfile(R, [-1, 1], [0, 0]), tr.Cylinder(R)),
}


@pytest.mark.parametrize("case", EXACT_AND_PARABOLIC)
def test_exact_shape_leaves_the_parabola_with_the_fourth_power(case):
    """R - sqrt(R^2 - r^2) = r^2/(2R) + r^4/(8R^3) + O(r^6)."""
    exact, parabola = EXACT_AND_PARABOLIC[case]
    r = R * 0.02 * 2.0 ** -np.arange(4)
    difference = exact.height(r, np.zeros(4)) - parabola.height(r, np.zeros(4))
    assert observed_order(r, difference) == pytest.approx(4.0, abs=0.01)
    np.testing.assert_allclose(difference, r**4 / (8 * R**3), rtol=1e-3)


def test_exact_shape_has_no_cancellation():
    """1 um from the lowest point of a wheel R - sqrt(R^2 - r^2) keeps no more than four digits."""
    tiny = tr.Sphere(0.46, exact=True).height(np.array(1e-6), np.array(0.0))
    assert tiny == pytest.approx(1e-12 / 0.92, rel=1e-11)


def test_exact_shape_ends_at_its_radius():
    edge = tr.Sphere(R, exact=True).height(np.array(R), np.array(0.0))
    assert edge == pytest.approx(R)
    for surface in (tr.Sphere(R, exact=True), tr.Cylinder(R, exact=True)):
        with pytest.raises(tr.InputError, match=r"reaches 0\.4 m .* beyond radius = 0\.3 m.*exact=False"):
            surface.gap(tr.Grid(2, 1, 0.8, 1.0))


@given(st.floats(1e-3, 1e3), st.floats(-1, 1), st.floats(-1, 1))
def test_sphere_is_the_round_paraboloid(radius, x, y):
    grid = tr.Grid(3, 2, 0.1, 0.2, center=(x, y))
    np.testing.assert_allclose(
        tr.Sphere(radius).gap(grid), tr.Paraboloid(radius, radius).gap(grid), rtol=1e-13
    )


def test_sums_need_surfaces():
    with pytest.raises(TypeError, match="unsupported operand"):
        tr.Sphere(R) + 1.0


COEFFICIENTS = st.tuples(*[st.floats(-1, 1)] * 4)


@given(COEFFICIENTS, st.sampled_from(["linear", "cubic"]))
def test_height_map_is_exact_on_bilinear_data(coefficients, interpolation):
    def height(x, y):
        a, b, c, d = coefficients
        return a + b * x + c * y + d * x * y

    x, y = np.array([-1.0, -0.4, 0.1, 0.7, 2.0]), np.array([-2.0, 0.0, 0.3, 1.0])
    surface = tr.HeightMap(x, y, height(x, y[:, None]), interpolation)
    grid = tr.Grid(7, 5, 0.4, 0.55, center=(0.4, -0.4))
    np.testing.assert_allclose(surface.gap(grid), height(*grid.mesh()), atol=1e-13)


@pytest.mark.parametrize(("interpolation", "order"), [("linear", 2), ("cubic", 4)])
def test_height_map_has_the_order_of_its_interpolation(interpolation, order):
    def height(x, y):
        return np.sin(x + 0.3) * np.cos(y - 0.2)

    def error(n):
        x = np.linspace(-1.0, 1.0, n)
        gap = tr.HeightMap(x, 2.0 * x, height(x, 2.0 * x[:, None]), interpolation).gap(grid)
        return np.abs(gap - height(*grid.mesh())).max()

    grid = tr.Grid(61, 61, 0.02, 0.04)  # away from the ends, where a cubic spline is less regular
    sizes = [20, 40, 80, 160]
    assert observed_order([1 / (n - 1) for n in sizes], [error(n) for n in sizes]) == pytest.approx(
        order, abs=0.25
    )


def test_height_map_returns_its_data():
    z = np.random.default_rng(0).normal(size=GRID.shape)
    np.testing.assert_allclose(tr.HeightMap(GRID.x, GRID.y, z).gap(GRID), z, rtol=1e-12)
    np.testing.assert_allclose(tr.HeightMap(GRID.x, GRID.y, z, "cubic").gap(GRID), z, rtol=1e-10)


@pytest.mark.parametrize(("interpolation", "order"), [("linear", 2), ("cubic", 4)])
def test_profile_has_the_order_of_its_interpolation(interpolation, order):
    wave = tr.Grid(1, 301, 1e-3, 4e-3)

    def error(n):
        y = np.linspace(-1.0, 1.0, n)
        profile = tr.RollingProfile(R, y, np.sin(3 * y), interpolation)
        return np.abs(profile.gap(wave)[:, 0] - np.sin(3 * wave.y)).max()

    sizes = [20, 40, 80, 160]
    assert observed_order([1 / (n - 1) for n in sizes], [error(n) for n in sizes]) == pytest.approx(
        order, abs=0.3
    )


def test_gap_on_takes_arrays_surfaces_and_functions():
    expected = tr.Sphere(R).gap(GRID)
    for shape in (expected, expected.tolist(), tr.Sphere(R), tr.Sphere(R).height):
        np.testing.assert_array_equal(gap_on(shape, GRID), expected)


def nan_at_origin(x, y):
    return np.where(np.hypot(x - GRID.x[0], y - GRID.y[1]) < 1e-9, np.nan, x)


def scalar_height(x, y):
    return math.hypot(x, y)


def branching_height(x, y):
    return x if x > 0 else y


def test_errors_of_a_function_stay_what_they_are():
    def height(x, y):
        return tr.Sphere(1e-3, exact=True).height(x, y)

    with pytest.raises(tr.InputError, match=r"^the grid reaches"):
        gap_on(height, GRID)
    with pytest.raises(ZeroDivisionError):
        gap_on(lambda x, y: 1 / 0, GRID)


def test_surfaces_hold_plain_numbers():
    surface = tr.Sphere(np.float32(0.5), center=np.zeros(2, np.float32), exact=np.True_)
    assert surface == tr.Sphere(0.5, exact=True)
    assert [type(v) for v in (surface.radius, *surface.center, surface.exact)] == [float, float, float, bool]
    assert hash(surface) == hash(tr.Sphere(0.5, exact=True))


Z = np.zeros((2, 3))
BAD = {
    "no radius": (lambda: tr.Sphere(0.0), "radius = 0.0 m must be positive"),
    "negative radius": (lambda: tr.Cylinder(-1.0), "radius = -1.0 m must be positive"),
    "nan radius": (lambda: tr.Sphere(math.nan), "radius = nan must be finite"),
    "unknown axis": (lambda: tr.Cylinder(1.0, axis="z"), "axis = 'z' is not known; choose one of 'x', 'y'"),
    "zero radius of a paraboloid": (lambda: tr.Paraboloid(0.0, 1.0), "radius_x = 0.0 m must be positive"),
    "nan radius of a paraboloid": (lambda: tr.Paraboloid(1.0, math.nan), "radius_y = nan must be finite"),
    "minus infinite radius": (lambda: tr.Paraboloid(-math.inf, 1.0), "radius_x = -inf must be finite"),
    "hollow": (
        lambda: tr.Paraboloid(1.0, -2.0),
        "radius_y = -2.0 m must be positive: give an infinite radius for a flat direction",
    ),
    "text for a radius": (lambda: tr.Paraboloid("1 m", 1.0), "radius_x = '1 m' must be a number"),
    "nan height": (
        lambda: tr.FunctionSurface(nan_at_origin).gap(GRID),
        "gap[1, 0] = nan must be finite, in m",
    ),
    "no height": (
        lambda: tr.FunctionSurface(lambda x, y: None).gap(GRID),
        "height must be an array of numbers, in m, not of type object",
    ),
    "complex height": (
        lambda: gap_on(lambda x, y: x + 1j * y, GRID),
        "height must be an array of numbers, in m, not of type complex128",
    ),
    "no function": (lambda: tr.FunctionSurface(3), "function = 3 must be a function h(x, y)"),
    "function of one": (
        lambda: tr.FunctionSurface(lambda x: x).gap(GRID),
        "function = <lambda> fails as h(x, y) on arrays of shapes (1, 5) and (4, 1)",
    ),
    "function of scalars": (lambda: gap_on(scalar_height, GRID), "function = scalar_height fails as h(x, y)"),
    "function that asks": (lambda: gap_on(branching_height, GRID), "use numpy's functions and np.where"),
    "height of the wrong shape": (
        lambda: tr.FunctionSurface(lambda x, y: np.zeros(3)).gap(GRID),
        "heights of shape (3,), expected (4, 5)",
    ),
    "infinite centre": (lambda: tr.Sphere(1.0, center=(math.inf, 0.0)), "center[0] = inf must be finite"),
    "centre of one": (lambda: tr.Sphere(1, center=5), "center = 5 must be two numbers (x, y), in m"),
    "centre of three": (lambda: tr.Sphere(1.0, center=(0, 0, 7)), "center = (0, 0, 7) must be two numbers"),
    "no centre": (lambda: tr.Paraboloid(1.0, 1.0, center=None), "center = None must be two numbers"),
    "text for a centre": (lambda: tr.Cylinder(1.0, center="a"), "center = 'a' must be a number, in m"),
    "roller with two centres": (lambda: tr.Cylinder(1.0, center=(0, 1)), "center = (0, 1) must be a number"),
    "text for a truth": (lambda: tr.Sphere(1.0, exact="no"), "exact = 'no' must be True or False"),
    "roller, text for a truth": (lambda: tr.Cylinder(1.0, exact="no"), "exact = 'no' must be True or False"),
    "gap over nothing": (
        lambda: tr.Sphere(1.0).gap(None),
        "grid = None must be a tr.Grid: build one by tr.Grid(nx, ny, dx, dy).",
    ),
    "complex gap": (lambda: gap_on(X + 1j * Y, GRID), "gap must be an array of numbers, in m"),
    "gap of the wrong shape": (
        lambda: gap_on(np.zeros((5, 4)), GRID),
        "gap has shape (5, 4), expected (4, 5)",
    ),
    "no grid": (lambda: gap_on(tr.Sphere(1.0), (5, 4)), "grid = (5, 4) must be a tr.Grid"),
    "map of the wrong shape": (
        lambda: tr.HeightMap([0, 1], [0, 1, 2], Z),
        "z has shape (2, 3), expected (3, 2)",
    ),
    "map with a gap": (
        lambda: tr.HeightMap([0, 1, 2], [0, 1], Z + np.array([0, 0, math.nan])),
        "z[0, 2] = nan must be finite",
    ),
    "unsorted map": (lambda: tr.HeightMap([0, 2, 1], [0, 1], Z), "x[2] = 1.0 m must exceed x[1]"),
    "repeated place": (lambda: tr.HeightMap([0, 1, 2], [1, 1], Z), "y[1] = 1.0 m must exceed y[0]"),
    "too few for cubic": (lambda: tr.HeightMap([0, 1, 2], [0, 1], Z, "cubic"), "at least 4 positions"),
    "places in two rows": (
        lambda: tr.HeightMap(Z, [0, 1], Z),
        "x has shape (2, 3); at least 2 positions in one row",
    ),
    "unknown interpolation": (
        lambda: tr.HeightMap([0, 1, 2], [0, 1], Z, "splines"),
        "interpolation = 'splines'",
    ),
    "map too small": (
        lambda: tr.HeightMap([-1, 0, 1e-3], [-1, 1], Z).gap(GRID),
        "x = -0.003 to 0.005 m, but the surface is known only from -1 to 0.001 m",
    ),
    "map too small along y": (
        lambda: tr.HeightMap([-1, 0, 1], [-1e-3, 1], Z).gap(GRID),
        "y = -0.0065 to 0.0025 m, but the surface is known only from -0.001 to 1 m",
    ),
    "profile too small": (lambda: tr.RollingProfile(R, [0, 1], [0, 0]).gap(GRID), "y = -0.0065 to 0.0025 m"),
    "profile of the wrong shape": (
        lambda: tr.RollingProfile(R, [0, 1], [0, 0, 0]),
        "z has shape (3,), expected (2,)",
    ),
    "profile without radius": (
        lambda: tr.RollingProfile(-R, [0, 1], [0, 0]),
        "radius = -0.3 m must be positive",
    ),
    "grid beyond the wheel": (
        lambda: tr.RollingProfile(1e-3, [-1, 1], [0, 0]).gap(GRID),
        "the lowest point, beyond radius = 0.001 m: use a grid that is shorter along x.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named(case):
    make, message = BAD[case]
    with pytest.raises(tr.InputError, match=re.escape(message)):
        make()
