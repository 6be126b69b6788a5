"""Beams at rest against closed forms, equilibrium and reciprocity."""

import math

import numpy as np
import pytest

import traction as tr

L, EI, M = 20.0, 2.08e9, 7900.0
P, LOAD = 745560.0, 1.2e4


def beam(*supports, **options):
    return tr.Beam(L, EI, M, supports=supports, **options)


@pytest.mark.parametrize(
    ("supports", "largest"),
    [
        (("clamped", "clamped"), P * L**3 / (192.0 * EI)),
        (("pinned", "pinned"), P * L**3 / (48.0 * EI)),
        (("clamped", "pinned"), 7.0 * P * L**3 / (768.0 * EI)),
    ],
)
def test_midspan_under_a_central_force(supports, largest):
    assert beam(*supports).bend([(P, 0.5 * L)]).deflection(0.5 * L) == pytest.approx(largest, rel=1e-12)


def test_a_guided_end_is_a_plane_of_symmetry():
    half, whole = beam("clamped", "guided"), tr.Beam(2.0 * L, EI, M)
    x = np.linspace(0.0, L, 9)
    expected = whole.bend([(P, 0.3 * L), (P, 1.7 * L)]).deflection(x)
    assert half.bend([(P, 0.3 * L)]).deflection(x) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("supports", "factor", "place"),
    [
        (("clamped", "clamped"), 1.0 / 384.0, 0.5),
        (("pinned", "pinned"), 5.0 / 384.0, 0.5),
        (("clamped", "free"), 1.0 / 8.0, 1.0),
    ],
)
@pytest.mark.parametrize("shear", [None, 4e8])
def test_uniform_load_with_and_without_shear(supports, factor, place, shear):
    bent = beam(*supports, shear_stiffness=shear).bend(load=LOAD)
    sheared = 0.0 if shear is None else LOAD * L**2 / (2.0 if place == 1.0 else 8.0) / shear
    assert bent.deflection(place * L) == pytest.approx(factor * LOAD * L**4 / EI + sheared, rel=1e-12)


def test_moment_and_shear_of_a_pinned_beam():
    a, x = 7.0, np.array([2.0, 6.9, 12.0, 19.0])
    bent = beam("pinned", "pinned").bend([(P, a)])
    assert bent.moment(x) == pytest.approx(
        np.where(x < a, P * (L - a) * x / L, P * a * (L - x) / L), rel=1e-12
    )
    assert bent.shear(x) == pytest.approx(np.where(x < a, P * (L - a) / L, -P * a / L), rel=1e-12)
    assert bent.reactions == pytest.approx([P * (L - a) / L, P * a / L], rel=1e-12)


@pytest.mark.parametrize("shear", [None, 3e8])
def test_supports_carry_all_of_the_loads(shear):
    spans = [tr.Beam(x, EI, M, shear_stiffness=shear) for x in (12.0, 17.0, 9.0)]
    held = ("clamped", "pinned", tr.Support(deflection=4e7, rotation=2e8), "pinned")
    bent = tr.Beam.spans(spans, supports=held).bend([(P, 5.0), (2.0 * P, 20.0)], load=LOAD)
    assert bent.reactions.sum() == pytest.approx(3.0 * P + 38.0 * LOAD, rel=1e-12)
    turning = bent.reactions @ bent.places + bent.moments.sum()  # work on the motion w = x
    assert turning == pytest.approx(5.0 * P + 40.0 * P + 38.0 * LOAD * 19.0, rel=1e-10)


def test_moments_of_the_supports_by_hand():
    bent = beam("clamped", "free").bend([(P, L)])
    assert bent.moments[0] == pytest.approx(P * L, rel=1e-12)
    assert bent.moment(0.0) == pytest.approx(-P * L, rel=1e-12)


def test_deflections_are_reciprocal():
    spans = tr.Beam.spans([beam("pinned", "pinned", shear_stiffness=5e8)] * 2)
    for a, b in ((3.0, 31.0), (11.0, 19.5)):
        assert spans.influence(a).deflection(b) == pytest.approx(spans.influence(b).deflection(a), rel=1e-11)


def test_long_beam_on_a_foundation():
    k = 1e8
    b = (k / (4.0 * EI)) ** 0.25
    bent = tr.Beam(200.0, EI, M, supports=("free", "free"), foundation=k).bend([(P, 100.0)])
    x = np.linspace(100.0, 130.0, 31)
    z = b * (x - 100.0)
    expected = P * b / (2.0 * k) * np.exp(-z) * (np.cos(z) + np.sin(z))
    assert bent.deflection(x) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_no_locking_when_shear_stiffness_is_huge():
    thin = beam("clamped", "clamped", shear_stiffness=EI * 1e10)
    assert thin.bend([(P, 8.0)]).deflection(8.0) == pytest.approx(
        beam("clamped", "clamped").bend([(P, 8.0)]).deflection(8.0), rel=1e-9
    )


def test_static_sum_of_modes_tends_to_the_influence_line():
    pinned = beam("pinned", "pinned")
    modes = pinned.modes(100)
    x = np.array([4.0, 9.0])
    total = (modes.deflection(7.0) / modes.frequencies**2) @ modes.deflection(x)
    assert total == pytest.approx(pinned.influence(7.0).deflection(x), rel=1e-6)


def test_a_beam_that_nothing_holds_is_an_error():
    with pytest.raises(tr.InputError, match="do not hold"):
        beam("free", "pinned").bend([(P, 3.0)])


@pytest.mark.parametrize("x", [-1.0, 21.0, math.nan])
def test_a_force_off_the_beam_is_an_error(x):
    with pytest.raises(tr.InputError, match="forces"):
        beam("pinned", "pinned").bend([(P, x)])
