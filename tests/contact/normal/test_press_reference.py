"""`press` against the reference program and against closed forms."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from reference_cases import MM, MPA, grid_of, wheel_rail_profile


@pytest.mark.parametrize("run", ["mx40", "mx76", "mx148"])
def test_sphere_equals_the_reference_program(reference, steel_pair, run):
    entry = reference["hertz_sphere_normal"]["runs"][run]
    totals = entry["totals"]
    contact = tr.press(tr.Sphere(0.1), grid_of(entry["grid"]), steel_pair, force=totals["Fn"])
    assert contact.approach == pytest.approx(totals["penetration"] * MM, rel=1e-7)
    assert contact.peak_pressure == pytest.approx(totals["p_max"] * MPA, rel=1e-6)
    assert contact.contact.sum() == totals["n_contact"]
    assert contact.iterations <= 10


def test_every_pressure_equals_the_reference_program(reference, steel_pair):
    entry = reference["hertz_sphere_normal"]["runs"]["mx40"]
    contact = tr.press(tr.Sphere(0.1), grid_of(entry["grid"]), steel_pair, force=entry["totals"]["Fn"])
    expected = np.zeros(contact.pressure.size)
    expected[np.array(entry["fields"]["index"]) - 1] = np.array(entry["fields"]["pn"]) * MPA
    assert np.abs(contact.pressure.ravel() - expected).max() <= 1e-5 * expected.max()


@pytest.mark.parametrize(("case", "given"), [("norm_problm_1p", "approach"), ("norm_problm_1f", "force")])
def test_wheel_on_rail_equals_the_reference_program(reference, steel_pair, case, given):
    entry = reference["nonhertz_wheel_rail_profile"]["cases"][case]
    totals = entry["totals"]
    load = {"approach": totals["penetration"] * MM, "force": totals["Fn"]}
    contact = tr.press(
        wheel_rail_profile(reference), grid_of(entry["grid"]), steel_pair, **{given: load[given]}
    )
    assert contact.force == pytest.approx(totals["Fn"], rel=1e-5)
    assert contact.approach == pytest.approx(totals["penetration"] * MM, rel=1e-5)
    assert contact.peak_pressure == pytest.approx(totals["p_max"] * MPA, rel=1e-5)
    assert contact.contact.sum() == totals["n_contact"]


def test_strip_equals_the_reference_program(reference, steel_pair):
    """The reference program models line contact by one row of elements 200 mm long."""
    entry = reference["carter2d"]
    case, totals = entry["grid"], entry["totals"]
    row = tr.press(tr.Cylinder(0.5), grid_of(case), steel_pair, force=totals["Fn"], tol=1e-9)
    assert row.approach == pytest.approx(totals["penetration"] * MM, rel=1e-7)
    assert row.peak_pressure == pytest.approx(totals["p_max"] * MPA, rel=1e-6)
    assert row.contact.sum() == totals["n_contact"]


def test_line_is_the_limit_of_a_long_strip(reference, steel_pair):
    """The reference program's strip is 200 half widths long; the difference falls with the square."""
    entry = reference["carter2d"]
    case, totals = entry["grid"], entry["totals"]
    x = (case["xl"] + 0.5 * case["mx"] * case["dx"]) * MM
    grid = tr.Grid.line(case["mx"], case["dx"] * MM, length=case["dy"] * MM, center=x)
    line = tr.press(tr.Cylinder(0.5), grid, steel_pair, force=totals["Fn"] / (case["dy"] * MM), tol=1e-9)
    assert line.approach == pytest.approx(totals["penetration"] * MM, rel=1e-5)
    assert line.peak_pressure == pytest.approx(totals["p_max"] * MPA, rel=2e-5)
    short = tr.press(tr.Cylinder(0.5), replace(grid, length=1e-3), steel_pair, force=line.force, tol=1e-9)
    np.testing.assert_allclose(short.pressure, line.pressure, rtol=1e-7)


@pytest.mark.parametrize("ratio", [1.0, 2.0, 5.0, 10.0])
@pytest.mark.parametrize("given", ["force", "approach"])
def test_ellipse_equals_hertz(steel_pair, ratio, given):
    hertz = tr.hertz.ellipse(0.46, 0.46 / ratio, steel_pair, force=1e5)
    a, b = hertz.semi_axes
    grid = tr.Grid.around(1.12 * a, 1.12 * b, 41, 41)
    contact = tr.press(tr.Paraboloid(0.46, 0.46 / ratio), grid, steel_pair, **{given: getattr(hertz, given)})
    assert contact.peak_pressure == pytest.approx(hertz.peak_pressure, rel=5e-3)
    assert contact.approach == pytest.approx(hertz.approach, rel=5e-3)
    assert contact.force == pytest.approx(hertz.force, rel=5e-3)
    assert contact.semi_axes == pytest.approx((a, b), rel=5e-3)
    assert contact.stiffness == pytest.approx(hertz.stiffness, rel=2e-2)


def test_approach_converges_to_hertz(unit_pair):
    cells = [32, 64, 128, 256, 512]
    errors = []
    for n in cells:
        contact = tr.press(tr.Sphere(1.0), tr.Grid.around(1.0, 1.0, n, n), unit_pair, force=4 / 3 * 0.7**3)
        errors.append(abs(contact.approach / 0.7**2 - 1.0))
        assert contact.iterations <= 10
    assert observed_order([1.0 / n for n in cells], errors) >= 1.5


def test_line_contact_equals_hertz(steel_pair):
    hertz = tr.hertz.line(0.5, steel_pair, force=1e6, length=0.5)
    (a, _) = hertz.semi_axes
    grid = tr.Grid.line(200, 2.2 * a / 200, length=0.5)
    contact = tr.press(tr.Cylinder(0.5), grid, steel_pair, force=1e6)
    error = np.abs(contact.pressure[0] - hertz.pressure(grid.x))
    inside = np.abs(grid.x) < a - 2 * grid.dx
    assert error[inside].max() <= 2e-3 * hertz.peak_pressure
    assert contact.peak_pressure == pytest.approx(hertz.peak_pressure, rel=2e-3)
    assert contact.approach == pytest.approx(hertz.approach, rel=1e-4)
    assert contact.semi_axes[0] == pytest.approx(a, rel=2e-3)
    assert contact.stiffness == pytest.approx(hertz.stiffness, rel=5e-3)


def test_wavy_surface_equals_westergaard(steel_pair):
    """Westergaard 1939 (Johnson, section 13.2): mean pressure p* sin^2(pi a/l), p* = pi E* d/l."""
    wavelength, amplitude = 1e-2, 1e-6
    grid = tr.Grid.line(512, wavelength / 512)
    gap = amplitude * (1.0 - np.cos(2 * np.pi * grid.x / wavelength))[None, :]
    full = np.pi * steel_pair.effective_modulus * amplitude / wavelength
    half_width = 0.3 * wavelength
    mean = full * np.sin(np.pi * half_width / wavelength) ** 2
    contact = tr.press(gap, grid, steel_pair, force=mean * wavelength, periodic="x")
    assert contact.contact_area / 2.0 == pytest.approx(half_width, abs=1.5 * grid.dx)
    s = np.sin(np.pi * grid.x / wavelength)
    root = np.sqrt(np.maximum(0.0, np.sin(np.pi * half_width / wavelength) ** 2 - s**2))
    exact = 2.0 * full * np.cos(np.pi * grid.x / wavelength) * root
    inside = np.abs(grid.x) < half_width - 3 * grid.dx
    assert np.abs(contact.pressure[0] - exact)[inside].max() <= 5e-3 * exact.max()


def test_doubly_periodic_full_contact_equals_the_cosine_solution(unit_pair):
    """A wavy surface pressed flat: p = p_mean + E* q d/2 cos(q x) (Johnson, section 13.2)."""
    n, amplitude = 96, 1e-3
    grid = tr.Grid(n, n, 1.0 / n, 1.0 / n)
    x, _ = grid.mesh()
    full = np.pi * amplitude
    contact = tr.press(
        amplitude * (1 - np.cos(2 * np.pi * x)), grid, unit_pair, force=1.2 * full, periodic="xy"
    )
    assert contact.contact.all()
    exact = 1.2 * full + full * np.cos(2 * np.pi * x)
    assert np.abs(contact.pressure - exact).max() <= 2e-3 * exact.max()
    assert contact.stiffness == np.inf


@pytest.mark.parametrize("axis", ["x", "y"])
def test_one_direction_periodic_cylinder_equals_line_contact(unit_pair, axis):
    """A cylinder that repeats along its axis is a line contact of the strip grid.length."""
    n, length, a = 64, 30.0, 0.5
    cells = (16, n) if axis == "x" else (n, 16)
    grid = tr.Grid(*cells, 1.25 / n, 1.25 / n, length=length)
    contact = tr.press(
        tr.Cylinder(1.0, axis=axis),
        grid,
        unit_pair,
        approach=tr.hertz.line(1.0, unit_pair, force=np.pi * a**2 / 4, length=length).approach,
        periodic=axis,
    )
    width = 16 * 1.25 / n
    assert contact.force / width == pytest.approx(np.pi * a**2 / 4, rel=2e-3)
