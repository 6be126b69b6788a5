"""Beams of a material and a cross section."""

import math

import numpy as np
import pytest

import traction as tr

NU, RHO, E = tr.STEEL.poisson_ratio, tr.STEEL.density, tr.STEEL.youngs_modulus


def test_rectangle():
    beam = tr.Beam.of_section(tr.STEEL, 2.0, width=0.05, height=0.1)
    segment = beam.segments[0]
    assert segment.length == 2.0
    assert segment.bending_stiffness == pytest.approx(E * 0.05 * 0.1**3 / 12.0)
    assert segment.mass_per_length == pytest.approx(RHO * 0.05 * 0.1)
    assert segment.shear_compliance == segment.rotary_inertia == 0.0
    assert beam == tr.Beam(2.0, E * 0.05 * 0.1**3 / 12.0, RHO * (0.05 * 0.1))


def test_tube_is_the_difference_of_two_bars_and_thin_ones_have_their_known_shear():
    whole, hole, tube = (
        tr.Beam.of_section(tr.STEEL, 1.0, **given).segments[0]
        for given in ({"diameter": 0.1}, {"diameter": 0.06}, {"diameter": 0.1, "inner_diameter": 0.06})
    )
    assert tube.bending_stiffness == pytest.approx(whole.bending_stiffness - hole.bending_stiffness)
    assert tube.mass_per_length == pytest.approx(whole.mass_per_length - hole.mass_per_length)
    assert whole.bending_stiffness == pytest.approx(E * math.pi * 0.1**4 / 64.0)
    thin = tr.Beam.of_section(tr.STEEL, 1.0, diameter=0.1, inner_diameter=0.0999999, shear=True).segments[0]
    area = thin.mass_per_length / RHO
    kappa = 1.0 / (thin.shear_compliance * tr.STEEL.shear_modulus * area)
    assert kappa == pytest.approx(2.0 * (1.0 + NU) / (4.0 + 3.0 * NU), rel=1e-5)  # Cowper, thin tube


@pytest.mark.parametrize(
    ("given", "kappa"),
    [
        ({"width": 0.05, "height": 0.1}, 10.0 * (1.0 + NU) / (12.0 + 11.0 * NU)),
        ({"diameter": 0.1}, 6.0 * (1.0 + NU) / (7.0 + 6.0 * NU)),
        ({"area": 2e-3, "second_moment": 4e-6, "shear": 0.4}, 0.4),
    ],
)
def test_shear_and_rotary_inertia(given, kappa):
    segment = tr.Beam.of_section(tr.STEEL, 1.0, **{"shear": True, **given}).segments[0]
    area = segment.mass_per_length / RHO
    assert segment.shear_compliance == pytest.approx(1.0 / (kappa * tr.STEEL.shear_modulus * area))
    assert segment.rotary_inertia == pytest.approx(RHO * segment.bending_stiffness / E)


def test_what_a_beam_takes_is_passed_on():
    options = {"supports": ("pinned", "free"), "damping": 0.02, "foundation": 1e4}
    made = tr.Beam.of_section(tr.STEEL, 1.0, area=1e-3, second_moment=1e-7, **options)
    assert made == tr.Beam(1.0, E * 1e-7, RHO * 1e-3, **options)
    assert np.isfinite(made.frequencies(2)).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "exactly one of width and height, diameter, area and second_moment.*nothing"),
        ({"width": 0.1}, "each whole; given: width and height"),
        ({"width": 0.1, "height": 0.1, "diameter": 0.1}, "width and height with diameter"),
        ({"area": 1e-3}, "each whole; given: area and second_moment"),
        ({"diameter": 0.1, "inner_diameter": 0.1}, r"inner_diameter = 0.1 m must be below"),
        ({"width": 0.1, "height": 0.1, "inner_diameter": 0.05}, "give its diameter too"),
        ({"area": 1e-3, "second_moment": 1e-7, "shear": True}, "give it, as in shear=0.85"),
        ({"diameter": 0.1, "shear": 2.0}, "shear = 2.0 must be at most 1"),
        ({"width": -1.0, "height": 1.0}, "width = -1.0 m must be positive"),
    ],
)
def test_bad_sections(given, words):
    with pytest.raises(tr.InputError, match=words):
        tr.Beam.of_section(tr.STEEL, 1.0, **given)


def test_material_needs_a_density():
    with pytest.raises(tr.InputError, match="have a density"):
        tr.Beam.of_section(tr.Material(2e11, 0.3), 1.0, diameter=0.1)
    with pytest.raises(tr.InputError, match="have a density"):
        tr.Plate.of(tr.RIGID, 0.1, 1.0, 1.0)
