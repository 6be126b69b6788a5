"""A cylinder on a thick beam: `tr.rest` against contact solved in the mesh, over thickness and patch."""

import math

import pytest
from scipy.integrate import quad
from scipy.special import j1

import traction as tr
from traction.app.finite_elements.thick_beam import BeamUnderCylinder, neutral_length, shear_coefficient

STEEL = tr.Material(2.1e11, 0.3)
PATCH, RADIUS = 1e-3, 0.5
FORCE = math.pi * tr.Pair(tr.RIGID, STEEL).effective_modulus * PATCH**2 / (4.0 * RADIUS)


def both(thickness, slenderness=8.0, fine=0.1):
    """Finite elements and `tr.rest`; thickness in half widths by Hertz."""
    height = thickness * PATCH
    case = BeamUnderCylinder(slenderness * height, height, RADIUS, STEEL)
    meshed = case.meshed(FORCE, fine=fine)
    return case, meshed, case.split(FORCE, max(meshed.edge, meshed.half_width))


def differences(case, meshed, split):
    """Of peak pressure, half width and deflection, relative."""
    contact = split.contacts[0]
    return (
        contact.peak_pressure / meshed.peak_pressure - 1.0,
        contact.semi_axes[0] / meshed.half_width - 1.0,
        float(split.deflection(0.5 * case.length)) / meshed.deflection - 1.0,
    )


@pytest.mark.parametrize("thickness", [21.0, 40.0])
def test_thick_beams_agree_within_two_percent(thickness):
    case, meshed, split = both(thickness)
    assert case.height > 20.0 * meshed.half_width
    assert max(map(abs, differences(case, meshed, split))) < 3e-3
    assert split.drops[0] == pytest.approx(meshed.drop, rel=0.02)
    edge = split.contacts[0].grid.x[split.contacts[0].contact[0]].max()
    assert edge == pytest.approx(meshed.edge, rel=0.01)
    assert 2.0 * meshed.forces.sum() == pytest.approx(FORCE)


def test_the_split_fails_where_the_patch_is_as_wide_as_the_beam_is_thick():
    errors = {}
    for thickness in (5.0, 3.0, 2.5):
        case, meshed, split = both(thickness, slenderness=3.0)
        errors[case.height / meshed.half_width] = abs(differences(case, meshed, split)[0])
    (four, small), (two, some), (one, large) = errors.items()
    assert (four, two, one) == pytest.approx((4.31, 1.75, 1.06), rel=0.02)
    assert small < 5e-3
    assert 0.02 < some < 0.06
    assert large > 0.2


def test_the_top_rises_above_the_neutral_axis_as_bending_says():
    """nu/(1 - nu) M h^2/(8 EI) more than the half plane knows: the wheel stands higher by that."""
    case, meshed, split = both(40.0)
    nu, moment = STEEL.poisson_ratio, FORCE * case.length / 4.0
    rise = nu / (1.0 - nu) * moment / case.beam.segments[0].bending_stiffness * case.height**2 / 8.0
    local = split.approaches[0]
    assert meshed.drop - meshed.deflection == pytest.approx(local - rise, abs=0.1 * local)


def left_over(ratio):
    """Curvature that beam and half plane have more than a strip, in (a/h)^2 times that of the wheel.

    Under waves on its top a strip gives way by (sinh kh cosh kh + kh)/(sinh^2 kh - (kh)^2), the beam by
    6/(kh)^3, the half plane by 1, in 2 (1 - nu^2)/(Ek); the pressure of Hertz has the waves 2 J1(ka)/(ka).
    """

    def missed(k):
        strip = (math.sinh(k) * math.cosh(k) + k) / (math.sinh(k) ** 2 - k * k) if k < 30.0 else 1.0
        curvature = k * (strip - 1.0) - 6.0 / k**2 if k > 0.3 else 1.2 - k
        return curvature * (2.0 * j1(k * ratio) / (k * ratio)) ** 2

    parts = ((1e-9, 0.3), (0.3, 30.0), (30.0, 60.0 / ratio))
    return -0.5 * sum(quad(missed, *part, limit=1000)[0] for part in parts)


@pytest.mark.parametrize("thickness", [10.0, 21.0])
def test_the_difference_is_what_a_strip_has_more_than_beam_and_half_plane(thickness):
    case, meshed, split = both(thickness, fine=0.04)
    width = split.contacts[0].semi_axes[0]
    expected = 0.5 * left_over(meshed.half_width / case.height) * (width / case.height) ** 2
    assert left_over(1e-3) == pytest.approx(0.5, rel=0.02)
    assert width / meshed.half_width - 1.0 == pytest.approx(expected, rel=0.15)


def test_finer_meshes_change_little():
    peaks = [both(21.0, fine=fine)[1].peak_pressure for fine in (0.2, 0.1, 0.05)]
    assert abs(peaks[1] - peaks[2]) < 0.6 * abs(peaks[0] - peaks[2])
    assert peaks[1] == pytest.approx(peaks[2], rel=1e-3)


def test_the_kink_of_shear_and_the_depth_of_the_neutral_axis():
    """Seewald's kink of the neutral axis under a force, and Johnson's approach to a depth."""
    E, nu = STEEL.youngs_modulus, STEEL.poisson_ratio
    kink = (1.0 + nu) * (2.4 * (1.0 - nu) + 1.5 * nu) / E
    assert shear_coefficient(nu) * E / (2.0 * (1.0 + nu)) == pytest.approx(1.0 / kink)
    height = 0.04
    approach = tr.hertz.line(
        RADIUS, tr.Pair(tr.RIGID, STEEL), force=FORCE, length=neutral_length(height, STEEL)
    ).approach
    modulus = tr.Pair(tr.RIGID, STEEL).effective_modulus
    johnson = FORCE / (math.pi * modulus) * (2.0 * math.log(height / PATCH) - nu / (1.0 - nu))
    assert approach == pytest.approx(johnson, rel=1e-12)


def test_a_patch_beyond_the_mesh_is_an_error():
    case = BeamUnderCylinder(8.0 * 3.0 * PATCH, 3.0 * PATCH, RADIUS, STEEL)
    with pytest.raises(tr.InputError, match="last of the nodes"):
        case.meshed(FORCE, fine=0.2)
