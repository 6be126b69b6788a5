"""Surface temperature of a moving half space: exact coefficients, limits, transforms, conservation."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf

import traction as tr
from convergence import observed_order
from traction.halfspace.heated_half_space import compute_heat_lags, compute_line_heat_lags
from traction.halfspace.kernels.surface_influence import INVERSE, rectangle
from traction.theory.moving_heat import integrate_band

ASPECT = 0.7


def integrate_finely(i, j, m):
    """The same integral over time by adaptive quadrature of short pieces."""

    def integrand(s):
        along = erf((i + 0.5) / s - m * s) - erf((i - 0.5) / s - m * s)
        return 0.25 * along * (erf((j + 0.5) * ASPECT / s) - erf((j - 0.5) * ASPECT / s))

    end = (6.0 + math.sqrt(36.0 + 4.0 * m * 10.0)) / (2.0 * m)
    edges = [math.sqrt(e / m) for e in (i - 0.5, i + 0.5) if e > 0.0]
    cuts = [np.geomspace(1e-6 * end, end, 200)] + [
        np.linspace(max(0.0, e - 8 / m), e + 8 / m, 40) for e in edges
    ]
    cuts = np.unique(np.concatenate([[0.0], *cuts]).clip(0.0, end))
    pieces = pairwise(cuts)
    return sum(quad(integrand, a, b, epsabs=1e-17, epsrel=1e-12)[0] for a, b in pieces) / math.sqrt(math.pi)


@pytest.mark.parametrize("drift", [1e-3, 0.3, 20.0, 1e4])
def test_coefficients_are_exact_at_any_peclet_number(drift):
    lags = compute_heat_lags((4, 6), ASPECT, drift)
    for i, j in ((0, 0), (3, 0), (-2, 1), (5, 2)):
        assert lags[j, i + 5] == pytest.approx(integrate_finely(i, j, drift), abs=1e-12 * lags.max())


def test_at_rest_it_is_the_integral_of_one_over_r():
    lags = compute_heat_lags((5, 7), ASPECT, 0.0)
    exact = [[rectangle(INVERSE, float(i), ASPECT * j, 1.0, ASPECT) for i in range(-6, 7)] for j in range(5)]
    assert lags == pytest.approx(np.array(exact) / (2.0 * math.pi), rel=1e-12)
    assert compute_heat_lags((5, 7), ASPECT, 1e-7) == pytest.approx(lags, rel=1e-5)


@pytest.mark.parametrize("drift", [1e-2, 1.0, 1e3])
def test_long_elements_are_jaegers_bands(drift):
    wide, exact = compute_heat_lags((1, 9), 1e6, drift), compute_line_heat_lags(9, drift)
    assert wide == pytest.approx(exact, rel=1e-9, abs=1e-12 * exact.max())


@pytest.mark.parametrize("velocity", [-30.0, 0.0, 0.2])
def test_products_by_transforms_equal_direct_sums(velocity):
    grid = tr.Grid(11, 6, 0.3e-3, 0.5e-3)
    body = tr.HeatedHalfSpace(grid, tr.STEEL, velocity)
    flux = np.random.default_rng(3).random(grid.shape) * 1e8
    assert body.rise(flux) == pytest.approx(body.rise_directly(flux), rel=1e-12)


def test_line_of_elements_is_the_closed_form_of_one_band():
    grid = tr.Grid.line(40, 0.25e-3)
    for velocity in (2.0, -0.05):
        body = tr.HeatedHalfSpace(grid, tr.STEEL, velocity)
        flux = np.where(np.abs(grid.x) < 2e-3, 1e7, 0.0)[None]
        band = tr.moving_heat.band(1e7, 2e-3, tr.STEEL, abs(velocity))
        assert body.rise(flux)[0] == pytest.approx(band.rise(np.sign(velocity) * grid.x), rel=1e-10)


@pytest.mark.parametrize("speed", [1e-3, 1.0, 300.0])
def test_hertzian_band_converges_to_its_integral(speed):
    """A flux q0 sqrt(1 - (x/a)^2): the middle of elements against quadrature of Jaeger's line source."""
    a, q0, rate = 3e-3, 1e8, speed / (2.0 * tr.STEEL.diffusivity)
    angle = math.pi * ((np.arange(6000) + 0.5) / 6000 - 0.5)

    def exact(x):
        """By parts, with s = a sin(angle): the primitive of the source times the slope of the flux."""
        slope = -q0 * np.sin(angle) * math.pi / angle.size
        return float(integrate_band(rate * (x - a * np.sin(angle))) @ slope) / (math.pi * 50.0 * rate)

    errors = []
    for n in (20, 40, 80):
        grid = tr.Grid.line(n, 2.0 * a / n)
        ends = np.linspace(-1.0, 1.0, n + 1)
        flux = q0 * a * np.diff(0.5 * (ends * np.sqrt(1.0 - ends**2) + np.arcsin(ends))) / grid.dx
        found = tr.HeatedHalfSpace(grid, tr.STEEL, speed).rise(flux[None])[0]
        inner = np.abs(grid.x) < 0.6 * a
        errors.append(np.abs(found - [exact(x) for x in grid.x])[inner].max() / found.max())
    assert errors[-1] < 2e-3
    assert observed_order([1 / 20, 1 / 40, 1 / 80], errors) > 1.3


def test_heat_at_rest_over_a_disc_is_that_of_carslaw_and_jaeger():
    """Uniform flux q over a disc of radius a: q a/k in the middle, 2 q a/(pi k) at the edge."""
    grid = tr.Grid(161, 161, 1e-4, 1e-4)
    x, y = grid.mesh()
    inside = np.hypot(x, y) <= 6e-3
    rise = tr.HeatedHalfSpace(grid, tr.STEEL).rise(1e6 * inside)
    assert rise[80, 80] == pytest.approx(1e6 * 6e-3 / 50.0, rel=3e-3)
    assert rise[80, 140] == pytest.approx(2e6 * 6e-3 / (math.pi * 50.0), rel=2e-2)


def test_a_wake_carries_all_heat():
    """Far behind the source T falls so that rho c v times its integral over a section is the power."""
    grid, v = tr.Grid(400, 81, 0.5e-3, 0.5e-3), 0.5
    flux = np.zeros(grid.shape)
    flux[40, 2] = 1e6
    rise = tr.HeatedHalfSpace(grid, tr.STEEL, v).rise(flux)
    time = (grid.x[-1] - grid.x[2]) / v
    depth = math.sqrt(math.pi * tr.STEEL.diffusivity * time)  # of the Gaussian into the body
    carried = 450.0 * 7850.0 * v * float(rise[:, -1].sum()) * grid.dy * depth
    assert carried == pytest.approx(1e6 * grid.cell_area, rel=2e-2)


def test_input_is_checked():
    grid = tr.Grid(4, 4, 1e-3, 1e-3)
    with pytest.raises(tr.InputError, match="no density"):
        tr.HeatedHalfSpace(grid, tr.RIGID)
    with pytest.raises(tr.UndefinedError, match="warms up without end"):
        tr.HeatedHalfSpace(tr.Grid.line(4, 1e-3), tr.STEEL)
    with pytest.raises(tr.InputError, match="shape"):
        tr.HeatedHalfSpace(grid, tr.STEEL, 1.0).rise(np.ones((3, 3)))
