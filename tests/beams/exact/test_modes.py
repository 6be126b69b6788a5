"""Exact modes: reference frequencies, orthonormal shapes, the equations of motion, all supports."""

import itertools
import math

import numpy as np
import pytest

import traction as tr
from reference_cases import reference_dynamics

NAMES = ("clamped", "pinned", "free", "guided")
EULER_BERNOULLI = {
    "clamped_clamped": ("clamped", "clamped"),
    "free_free_elastic": ("free", "free"),
    "cantilever": ("clamped", "free"),
    "simply_supported": ("pinned", "pinned"),
    "clamped_pinned": ("clamped", "pinned"),
}
TIMOSHENKO = {
    "SS": ("pinned", "pinned"),
    "CC": ("clamped", "clamped"),
    "CF": ("clamped", "free"),
    "FF": ("free", "free"),
}


def thick_beam(height, supports, **options):
    """Rectangle of unit length, EI = m = 1, nu = 0.3, kappa = 5/6."""
    r2 = height**2 / 12.0
    return tr.Beam(
        1.0, 1.0, 1.0, shear_stiffness=1.0 / (3.12 * r2), rotary_inertia=r2, supports=supports, **options
    )


def gram(beam, modes):
    """Integrals of m w_i w_j + rho I psi_i psi_j."""
    total = np.zeros((len(modes), len(modes)))
    ends = beam.ends
    nodes, weights = np.polynomial.legendre.leggauss(6 * len(modes) + 40)
    for segment, a, b in zip(beam.segments, ends[:-1], ends[1:], strict=True):
        x, dx = 0.5 * (a + b) + 0.5 * (b - a) * nodes, 0.5 * (b - a) * weights
        w, psi = modes.deflection(x), modes.rotation(x)
        total += (w * dx * segment.mass_per_length) @ w.T + (psi * dx * segment.rotary_inertia) @ psi.T
    return total


@pytest.mark.parametrize("name", EULER_BERNOULLI)
def test_reference_frequencies_of_euler_bernoulli(name):
    roots = [float(value) for value in reference_dynamics()["natural_frequencies"]["eb"][name]]
    beam = tr.Beam(2.0, 3e5, 7.0, supports=EULER_BERNOULLI[name])
    found = beam.frequencies(7)
    expected = np.square(np.array(roots) / 2.0) * math.sqrt(3e5 / 7.0)
    assert found[found > 0.0][:5] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("supports", "equation"),
    [
        (("clamped", "clamped"), lambda b: math.cos(b) - 2.0 * math.exp(-b) / (1.0 + math.exp(-2.0 * b))),
        (("clamped", "free"), lambda b: math.cos(b) + 2.0 * math.exp(-b) / (1.0 + math.exp(-2.0 * b))),
        (("pinned", "free"), lambda b: math.sin(b) - math.cos(b) * math.tanh(b)),
        (("guided", "clamped"), lambda b: math.sin(b) + math.cos(b) * math.tanh(b)),
    ],
)
def test_fifty_frequencies_solve_the_scaled_frequency_equation(supports, equation):
    beam = tr.Beam(1.0, 1.0, 1.0, supports=supports)
    for root in np.sqrt(beam.frequencies(52)[2:]):
        low, high = equation(root * (1.0 - 1e-12)), equation(root * (1.0 + 1e-12))
        assert low * high < 0.0  # a root lies within 1e-12


@pytest.mark.parametrize("key", reference_dynamics()["natural_frequencies"]["timoshenko"]["values"])
def test_reference_frequencies_of_timoshenko(key):
    values = reference_dynamics()["natural_frequencies"]["timoshenko"]["values"][key]
    name, height = key.split("_h/L=")
    found = thick_beam(float(height), TIMOSHENKO[name]).frequencies(7)
    assert np.sqrt(found[found > 0.0][:5]) == pytest.approx([float(v) for v in values], rel=1e-12)


@pytest.mark.parametrize("height", [0.5, 0.05, 1e-3])
def test_both_spectra_of_a_pinned_timoshenko_beam(height):
    r2 = height**2 / 12.0
    s2, n = 3.12 * r2, np.arange(0.0, 200.0) * math.pi
    b, root = 1.0 + n**2 * (r2 + s2), np.sqrt((1.0 + n**2 * (r2 + s2)) ** 2 - 4.0 * r2 * s2 * n**4)
    first, second = 2.0 * n**4 / (b + root), (b + root) / (2.0 * r2 * s2)  # n = 0 has the second one only
    expected = np.sqrt(np.sort(np.r_[first[1:], second]))[:80]
    assert thick_beam(height, ("pinned", "pinned")).frequencies(80) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("supports", list(itertools.combinations_with_replacement(NAMES, 2)))
@pytest.mark.parametrize("height", [0.3, 0.01])
def test_shapes_are_orthonormal_for_all_supports(supports, height):
    beam = thick_beam(height, supports)
    modes = beam.modes(30)
    assert np.abs(gram(beam, modes) - np.eye(30)).max() < 1e-11


def test_high_modes_are_orthonormal():
    for beam in (tr.Beam(20.0, 2.08e9, 7900.0), thick_beam(0.02, ("clamped", "free"))):
        modes = beam.modes(200)
        assert np.abs(gram(beam, modes) - np.eye(200)).max() < 1e-10


def test_shapes_obey_the_equations_of_motion():
    beam = thick_beam(0.2, ("clamped", "pinned"))
    modes, segment = beam.modes(25), beam.segments[0]
    x, h = np.linspace(0.05, 0.95, 50), 1e-4
    square = modes.frequencies[:, None] ** 2
    shear_slope = (modes.shear(x + h) - modes.shear(x - h)) / (2.0 * h)
    assert np.abs(shear_slope + square * modes.deflection(x)).max() < 2e-4 * np.abs(shear_slope).max()
    moment_slope = (modes.moment(x + h) - modes.moment(x - h)) / (2.0 * h)
    turning = square * segment.rotary_inertia * modes.rotation(x)
    assert np.abs(moment_slope - modes.shear(x) - turning).max() < 2e-4 * np.abs(moment_slope).max()
    sheared = modes.slope(x) - modes.rotation(x)
    assert np.abs(sheared - segment.shear_compliance * modes.shear(x)).max() < 1e-11 * np.abs(sheared).max()


def test_end_conditions_hold():
    modes = tr.Beam(3.0, 2.0, 5.0, supports=("guided", "free")).modes(20)
    assert np.abs(modes.slope(0.0)).max() < 1e-10 * np.abs(modes.slope(1.0)).max()
    assert np.abs(modes.shear(0.0)).max() < 1e-9 * np.abs(modes.shear(1.0)).max()
    assert np.abs(modes.moment(3.0)).max() < 1e-9 * np.abs(modes.moment(1.0)).max()


def test_motions_of_the_rigid_beam_come_first():
    beam = tr.Beam(2.0, 3.0, 5.0, supports=("free", "free"))
    modes = beam.modes(6)
    assert (modes.frequencies[:2] == 0.0).all()
    assert modes.frequencies[2] > 0.0
    assert np.abs(gram(beam, modes) - np.eye(6)).max() < 1e-12
    assert tr.Beam(2.0, 3.0, 5.0, supports=("pinned", "free")).frequencies(2)[0] == 0.0
    assert tr.Beam(2.0, 3.0, 5.0, supports=("guided", "guided")).frequencies(2)[0] == 0.0


def test_a_joint_without_support_changes_nothing():
    whole = tr.Beam(20.0, 2.08e9, 7900.0)
    parts = [tr.Beam(x, 2.08e9, 7900.0) for x in (3.1, 9.9, 7.0)]
    joined = tr.Beam.spans(parts, supports=("clamped", "free", "free", "clamped"))
    assert joined.frequencies(40) == pytest.approx(whole.frequencies(40), rel=1e-12)
    x = np.linspace(0.0, 20.0, 41)
    assert joined.modes(10).deflection(x) == pytest.approx(whole.modes(10).deflection(x), abs=1e-12)


def test_equal_spans_share_the_frequencies_of_one():
    span = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    three = tr.Beam.spans([span] * 3)
    found = three.frequencies(4)
    assert found[0] == pytest.approx(span.frequencies(1)[0], rel=1e-12)  # neighbours in opposite phase
    assert found[3] == pytest.approx(span.frequencies(2)[1], rel=1e-12)
    assert np.abs(gram(three, three.modes(12)) - np.eye(12)).max() < 1e-11


def test_frequencies_that_coincide_keep_orthonormal_shapes():
    clamped = tr.Beam.spans([tr.Beam(20.0, 2.08e9, 7900.0)] * 3, supports=["clamped"] * 4)
    modes = clamped.modes(9)
    one = np.repeat(tr.Beam(20.0, 2.08e9, 7900.0).frequencies(3), 3)
    assert modes.frequencies == pytest.approx(one, rel=1e-10)
    assert np.abs(gram(clamped, modes) - np.eye(9)).max() < 1e-10


def test_foundation_adds_to_each_square():
    free, bedded = (tr.Beam(10.0, 4e6, 60.0, supports=("free", "free"), foundation=k) for k in (None, 3e6))
    assert np.square(bedded.frequencies(12)) == pytest.approx(
        np.square(free.frequencies(12)) + 3e6 / 60.0, rel=1e-11
    )


def test_soft_and_stiff_springs_tend_to_free_and_clamped():
    soft = tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(deflection=1e3),) * 2)
    assert soft.frequencies(1)[0] == pytest.approx(math.sqrt(2e3 / (7900.0 * 20.0)), rel=1e-3)
    stiff = tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(deflection=1e17, rotation=1e17),) * 2)
    assert stiff.frequencies(5) == pytest.approx(tr.Beam(20.0, 2.08e9, 7900.0).frequencies(5), rel=1e-6)


def test_elastic_support_against_its_own_frequency_equation():
    k, beam = 40.0, tr.Beam(1.0, 1.0, 1.0, supports=("clamped", tr.Support(deflection=40.0)))
    for b in np.sqrt(beam.frequencies(5)):  # cantilever with a spring: b^3 (1 + cos cosh) = k (cos sinh - ..)
        left = b**3 * (1.0 + math.cos(b) * math.cosh(b))
        right = k * (math.cos(b) * math.sinh(b) - math.sin(b) * math.cosh(b))
        assert left == pytest.approx(right, rel=1e-9)


def test_thin_timoshenko_tends_to_euler_bernoulli():
    thin = thick_beam(1e-4, ("clamped", "clamped")).frequencies(10)
    plain = tr.Beam(1.0, 1.0, 1.0).frequencies(10)
    assert thin == pytest.approx(plain, rel=1e-5)
    assert (thin < plain).all()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("length", [0.3, 0.47, 1.9, 26.0])
@pytest.mark.parametrize("supports", [("pinned", "guided"), ("guided", "free"), ("clamped", "pinned")])
def test_frequencies_do_not_depend_on_units(length, supports):
    scaled = tr.Beam(length, 7.0, 0.4, supports=supports).frequencies(60)
    one = tr.Beam(1.0, 1.0, 1.0, supports=supports).frequencies(60)
    assert scaled == pytest.approx(one * math.sqrt(7.0 / 0.4) / length**2, rel=1e-12)


def test_many_spans_miss_no_frequency():
    beam = tr.Beam.spans([tr.Beam(0.6, 6.4e6, 60.0)] * 40, supports=[tr.Support(deflection=2e7)] * 41)
    modes = beam.modes(60)
    assert (np.diff(modes.frequencies) >= 0.0).all()
    assert np.abs(gram(beam, modes) - np.eye(60)).max() < 1e-9


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((-1.0, 1.0, 1.0), {}, "length"),
        ((1.0, 0.0, 1.0), {}, "bending_stiffness"),
        ((1.0, 1.0, math.nan), {}, "mass_per_length"),
        ((1.0, 1.0, 1.0), {"supports": ("clamped", "welded")}, "welded"),
        ((1.0, 1.0, 1.0), {"supports": "clamped"}, "supports"),
        ((1.0, 1.0, 1.0), {"shear_stiffness": -2.0}, "shear_stiffness"),
        ((1.0, 1.0, 1.0), {"damping": 1.5}, "critical"),
        ((1.0, 1.0, 1.0), {"foundation": -1.0}, "foundation"),
        ((1.0, 1.0, 1.0), {"rotary_inertia": -1.0}, "rotary_inertia"),
    ],
)
def test_bad_input_is_named(arguments, options, words):
    with pytest.raises(tr.InputError, match=words):
        tr.Beam(*arguments, **options)


def test_modes_need_a_count():
    with pytest.raises(tr.InputError, match="n = 0"):
        tr.Beam(1.0, 1.0, 1.0).modes(0)


def test_spans_that_rounding_cannot_tell_end_with_a_sentence():
    long, short = tr.Beam(20.0, 2e10, 12e3), tr.Beam(1e-12, 2e10, 12e3)
    with pytest.raises(tr.ConvergenceError, match="could not be counted"):
        tr.Beam.spans([long, short, long], supports=["pinned", "free", "free", "pinned"]).frequencies(3)
