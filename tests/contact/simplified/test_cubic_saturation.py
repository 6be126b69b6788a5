"""Kalker's linear theory, saturated by the cubic law, as an estimate."""

import math

import pytest

import traction as tr
from traction.contact.simplified.cubic_saturation import saturate_creep

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
AXES, LOAD, MU = (5e-3, 4e-3), 60e3, 0.3


def test_small_creepages_give_the_forces_of_the_linear_theory():
    creepage = (1e-8, 2e-8, 1e-6)
    linear = tr.kalker_coefficients(AXES[0] / AXES[1], PAIR.poisson_ratio)
    asked = linear.force(creepage, AXES, PAIR.shear_modulus)[:2]
    found = saturate_creep(AXES, LOAD, MU, creepage, PAIR)
    assert found.force == pytest.approx(asked, rel=1e-3)
    assert not found.slides


def test_large_creepages_slide_at_the_bound():
    found = saturate_creep(AXES, LOAD, MU, (0.03, -0.04, 0.0), PAIR)
    assert math.hypot(*found.force) == pytest.approx(MU * LOAD)
    assert found.slides


def test_nothing_slides_without_friction_or_extent():
    assert saturate_creep(AXES, LOAD, 0.0, (1e-3, 0.0, 0.0), PAIR).force == (0.0, 0.0)
    assert saturate_creep((0.0, 1e-3), LOAD, MU, (1e-3, 0.0, 0.0), PAIR).force == (0.0, 0.0)
