"""Waves on a row of elements: sums over aliases, transforms of matrices, limits of short and whole steps."""

import numpy as np
import pytest

import traction as tr
from traction.theory import rolling_waves as waves

THETA = np.array([-3.0, -0.4, 0.05, 0.7, 2.0, 3.1, np.pi])
ELEMENTS = tuple(waves.ELEMENTS)


def by_aliases(theta, step, elements, most=20_000):
    """The defining sum, cut off."""
    k = theta + 2.0 * np.pi * np.arange(-most, most + 1)
    shape = np.sinc(k / (2.0 * np.pi)) ** waves.ELEMENTS[elements]
    return (shape * np.exp(1j * k * step) / np.abs(k)).sum()


@pytest.mark.parametrize("elements", ELEMENTS)
@pytest.mark.parametrize("step", [0.0, 1e-3, 0.3, 0.5, 1.0, 1.7])
def test_symbol_is_the_sum_over_aliases(elements, step):
    expected = [by_aliases(theta, step, elements) for theta in THETA]
    np.testing.assert_allclose(waves.influence(THETA, step, elements), expected, atol=3e-9)


@pytest.mark.parametrize("elements", ELEMENTS)
@pytest.mark.parametrize("step", [0.01, 0.35, 1.0])
def test_symbol_is_the_transform_of_a_row_of_a_large_grid(elements, step):
    """The displacements of the middle element, faded out towards the ends of the grid."""
    middle, pair = 400, tr.Pair(tr.STEEL, tr.STEEL)
    grid = tr.Grid.line(2 * middle + 1, 1e-3)
    column = tr.RollingOperator(grid, pair, step, elements).difference[:, middle]
    away = np.arange(-middle, middle + 1)
    faded = column * np.cos(0.5 * np.pi * away / middle) ** 2
    unit = 2.0 * (1.0 - pair.poisson_ratio) * grid.dx / pair.shear_modulus
    theta = np.pi * np.arange(1, 9) / 8
    found = (np.exp(-1j * np.multiply.outer(theta, away)) * faded).sum(axis=1) / unit
    np.testing.assert_allclose(found, waves.difference(theta, step, elements), atol=1e-4 * step)


@pytest.mark.parametrize("elements", ELEMENTS)
def test_whole_steps_carry_waves_on_unchanged(elements):
    np.testing.assert_allclose(waves.growth(THETA, 1.0, elements), np.exp(1j * THETA), atol=1e-13)
    np.testing.assert_allclose(waves.growth(THETA, 2.0, elements), np.exp(2j * THETA), atol=1e-13)


@pytest.mark.parametrize("elements", ELEMENTS)
def test_short_steps_differentiate_long_waves_and_are_blind_to_the_shortest(elements):
    short = np.array([1e-3, 1e-4, 1e-5])
    slopes = np.array([waves.difference([0.01, np.pi], c, elements) / c for c in short])
    np.testing.assert_allclose(slopes[:, 0], -1j, atol=3e-3)
    assert (np.abs(slopes[:, 1]) < 12.0 * short).all()
    assert np.abs(slopes[0, 1]) > 0.5 * short[0]  # of second order, not nothing


@pytest.mark.parametrize("elements", ELEMENTS)
@pytest.mark.parametrize("step", [0.02, 0.1, 0.4, 0.8])
def test_parts_of_an_element_smooth_and_hold_the_shortest_wave_in_place(elements, step):
    factor = waves.growth(np.linspace(0.01, np.pi, 400), step, elements)
    assert (np.abs(factor) <= 1.0 + 1e-13).all()
    assert np.abs(factor[-1]) < 1.0
    assert abs(factor[-1].imag) < 1e-13  # no phase but 0 or pi: it does not travel


def test_interpolation_is_upwind_transport():
    step, theta = 0.2, np.linspace(0.1, np.pi, 50)
    factor = waves.growth(theta, step, interpolation_cell=1.0)
    expected = 1.0 - 2.0 * step * (1.0 - step) * (1.0 - np.cos(theta))
    np.testing.assert_allclose(np.abs(factor) ** 2, expected, atol=1e-13)


@pytest.mark.parametrize("elements", ELEMENTS)
def test_wiggles_are_two_elements_long_and_grow_as_steps_shorten(elements):
    found = [waves.wiggle(c, elements) for c in (1.0, 0.1, 0.01)]
    assert [w.wavelength for w in found] == [2.0] * 3
    assert found[0].gain < 2.0
    assert found[1].gain > 2.0 * found[0].gain
    assert found[2].gain > 4.0 * found[1].gain
    if elements == "constant":
        assert found[2].gain == pytest.approx(100.0, rel=1e-3)  # 1/c


@pytest.mark.parametrize(
    "call",
    [
        lambda: waves.influence(0.0),
        lambda: waves.influence(3.2),
        lambda: waves.influence(1.0, 0.1, "quadratic"),
        lambda: waves.wiggle(1.5),
        lambda: waves.growth(1.0, 0.1, interpolation_cell=0.0),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(tr.InputError):
        call()
