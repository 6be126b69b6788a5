"""Materials and pairs: conversions, combined constants and their limits."""

import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import traction as tr

RATIOS = st.floats(-0.99, 0.5)
MODULI = st.floats(1e3, 1e13)
MATERIALS = st.builds(tr.Material, MODULI, RATIOS)
EXACT = {"rel": 1e-12}


@given(MODULI, RATIOS)
def test_moduli_convert_both_ways(modulus, ratio):
    assert tr.Material.from_shear_modulus(modulus, ratio).shear_modulus == pytest.approx(modulus, **EXACT)
    material = tr.Material(modulus, ratio)
    again = tr.Material.from_shear_modulus(material.shear_modulus, ratio)
    assert again.youngs_modulus == pytest.approx(modulus, **EXACT)
    assert 2.0 * material.shear_modulus * (1.0 + ratio) == pytest.approx(modulus, **EXACT)


@given(MATERIALS, MATERIALS)
def test_combined_constants(upper, lower):
    """design.md, section 4."""
    pair = tr.Pair(upper, lower)
    (g1, nu1), (g2, nu2) = ((m.shear_modulus, m.poisson_ratio) for m in (upper, lower))
    assert 1.0 / pair.shear_modulus == pytest.approx((1.0 / g1 + 1.0 / g2) / 2.0, **EXACT)
    ratio = (nu1 / g1 + nu2 / g2) / 2.0
    small = 1e-12 * (1.0 / g1 + 1.0 / g2)
    assert pair.poisson_ratio / pair.shear_modulus == pytest.approx(ratio, rel=1e-12, abs=small)
    mismatch = pair.shear_modulus / 4.0 * ((1.0 - 2.0 * nu1) / g1 - (1.0 - 2.0 * nu2) / g2)
    assert pair.mismatch == pytest.approx(mismatch, abs=1e-12)
    compliance = sum((1.0 - m.poisson_ratio**2) / m.youngs_modulus for m in (upper, lower))
    assert 1.0 / pair.effective_modulus == pytest.approx(compliance, **EXACT)


@given(MATERIALS, MATERIALS)
def test_effective_modulus_is_that_of_the_combined_body(upper, lower):
    pair = tr.Pair(upper, lower)
    assert pair.effective_modulus == pytest.approx(pair.shear_modulus / (1.0 - pair.poisson_ratio), **EXACT)


@given(MATERIALS, MATERIALS)
def test_exchanging_the_bodies_changes_the_sign_of_the_mismatch_only(upper, lower):
    pair, exchanged = tr.Pair(upper, lower), tr.Pair(lower, upper)
    assert exchanged.mismatch == -pair.mismatch
    for name in ("shear_modulus", "poisson_ratio", "effective_modulus"):
        assert getattr(exchanged, name) == pytest.approx(getattr(pair, name), rel=1e-14)


@given(MATERIALS, MATERIALS)
def test_constants_stay_in_their_limits(upper, lower):
    pair = tr.Pair(upper, lower)
    ratios = sorted((upper.poisson_ratio, lower.poisson_ratio))
    moduli = sorted((upper.shear_modulus, lower.shear_modulus))
    assert ratios[0] - 1e-12 <= pair.poisson_ratio <= ratios[1] + 1e-12
    assert moduli[0] * (1 - 1e-12) <= pair.shear_modulus <= moduli[1] * (1 + 1e-12)
    assert abs(pair.mismatch) <= 1.5 + 1e-12


@given(MATERIALS)
def test_equal_materials_combine_to_themselves(material):
    pair = tr.Pair(material, material)
    assert pair.mismatch == 0.0
    assert pair.shear_modulus == pytest.approx(material.shear_modulus, **EXACT)
    assert pair.poisson_ratio == pytest.approx(material.poisson_ratio, **EXACT)


@given(MATERIALS)
def test_rigid_lower_body(material):
    pair = tr.Pair(material, tr.RIGID)
    assert tr.RIGID.rigid
    assert not material.rigid
    assert pair.shear_modulus == pytest.approx(2.0 * material.shear_modulus, **EXACT)
    assert pair.poisson_ratio == pytest.approx(material.poisson_ratio, **EXACT)
    assert pair.mismatch == pytest.approx(0.5 - material.poisson_ratio, abs=1e-12)
    plane_strain = material.youngs_modulus / (1.0 - material.poisson_ratio**2)
    assert pair.effective_modulus == pytest.approx(plane_strain, **EXACT)


@given(MATERIALS, st.floats(-0.99, 0.5))
def test_a_stiff_body_tends_to_a_rigid_one(material, ratio):
    stiff = tr.Pair(material, tr.Material(1e12 * material.youngs_modulus, ratio))
    rigid = tr.Pair(material, tr.RIGID)
    for name in ("shear_modulus", "effective_modulus"):
        assert getattr(stiff, name) == pytest.approx(getattr(rigid, name), rel=1e-9)
    assert stiff.mismatch == pytest.approx(rigid.mismatch, abs=1e-9)


@given(st.floats(1e3, 1e13))
def test_two_incompressible_bodies_have_no_mismatch(modulus):
    assume(modulus != 2e6)
    pair = tr.Pair(tr.Material(modulus, 0.5), tr.Material(2e6, 0.5))
    assert pair.mismatch == 0.0


def test_bodies_are_numbered():
    pair = tr.Pair(tr.STEEL, tr.RIGID)
    assert pair.body(1) is tr.STEEL
    assert pair.body(2) is tr.RIGID
    assert pair.body(np.int64(2)) is tr.RIGID
    for number in (3, True, 1.0, np.array([1, 2]), [1]):
        with pytest.raises(tr.InputError, match=r"body = .* is not known; choose one of 1, 2"):
            pair.body(number)


def test_materials_hold_plain_numbers():
    thermal = {"specific_heat": np.float32(450.0), "conductivity": np.int64(50)}
    material = tr.Material(np.float32(2e11), np.float16(0.25), np.array(7850.0), **thermal)
    assert {type(value) for value in vars(material).values()} == {float}
    assert tr.Material(np.array(math.inf), 0.3).rigid


def test_values_compare_and_are_frozen():
    assert tr.Material(2e11, 0.3) == tr.Material(2e11, 0.3)
    assert hash(tr.Pair(tr.STEEL, tr.RIGID)) == hash(tr.Pair(tr.STEEL, tr.RIGID))
    assert tr.Pair(tr.STEEL, tr.RIGID) != tr.Pair(tr.RIGID, tr.STEEL)
    with pytest.raises(AttributeError):
        tr.STEEL.density = 1.0


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("poisson_ratio", lambda nu: tr.Material(2e11, nu)),
        ("nu", lambda nu: tr.Material.from_shear_modulus(8e10, nu)),
    ],
)
@pytest.mark.parametrize("ratio", [-1.0, -1.5, 0.51, math.nextafter(0.5, 1.0)])
def test_unstable_poisson_ratio(name, make, ratio):
    with pytest.raises(tr.InputError, match=re.escape(f"{name} = {ratio} must lie in (-1, 0.5]")):
        make(ratio)


@pytest.mark.parametrize("ratio", [math.nextafter(-1.0, 0.0), 0.0, 0.5])
def test_limits_of_the_poisson_ratio(ratio):
    assert tr.Material(2e11, ratio).shear_modulus > 0.0


BAD = {
    "nan ratio": (lambda: tr.Material(2e11, math.nan), "poisson_ratio = nan must be finite"),
    "ratio that is no number": (lambda: tr.Material(2e11, "0.3"), "poisson_ratio = '0.3' must be a number"),
    "nan ratio, by shear modulus": (
        lambda: tr.Material.from_shear_modulus(8e10, math.nan),
        "nu = nan must be",
    ),
    "no modulus": (lambda: tr.Material(0.0, 0.3), "youngs_modulus = 0.0 Pa must be positive"),
    "negative modulus": (
        lambda: tr.Material(-2e11, 0.3),
        "youngs_modulus = -200000000000.0 Pa must be positive",
    ),
    "nan modulus": (lambda: tr.Material(math.nan, 0.3), "youngs_modulus = nan must be finite, in Pa"),
    "minus infinite modulus": (lambda: tr.Material(-math.inf, 0.3), "youngs_modulus = -inf must be finite"),
    "modulus that is no number": (lambda: tr.Material(True, 0.3), "youngs_modulus = True must be a number"),
    "two moduli": (
        lambda: tr.Material(np.array([1.0, 2.0]), 0.3),
        "youngs_modulus = array([1., 2.]) must be a number, in Pa",
    ),
    "two ratios": (lambda: tr.Material(2e11, np.array([0.1, 0.2])), "poisson_ratio = array([0.1, 0.2]) must"),
    "two shear moduli": (
        lambda: tr.Material.from_shear_modulus(np.array([1.0, 2.0]), 0.3),
        "G = array([1., 2.]) must be a number",
    ),
    "no shear modulus": (lambda: tr.Material.from_shear_modulus(0.0, 0.3), "G = 0.0 Pa must be positive"),
    "no density": (lambda: tr.Material(2e11, 0.3, 0.0), "density = 0.0 kg/m3 must be positive"),
    "both rigid": (lambda: tr.Pair(tr.RIGID, tr.RIGID), "both bodies are rigid"),
    "no material": (lambda: tr.Pair(tr.STEEL, 2e11), "lower = 200000000000.0 must be a tr.Material"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named(case):
    make, message = BAD[case]
    with pytest.raises(tr.InputError, match=re.escape(message)):
        make()


def test_rigid_by_shear_modulus():
    assert tr.Material.from_shear_modulus(math.inf, 0.3).rigid
