"""Beams under forces anywhere, next to their ends too: balance, reciprocity, closed forms, what goes on."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import traction as tr
from traction.beams.exact.beam_states import LIMIT, solve_band
from traction.beams.exact.kernels.state_equations import SIDE
from traction.beams.exact.modes import rigid_motions
from traction.beams.exact.statics import RESONANT, bend_beam
from traction.integrators.core.matrices import SingularError

F = 1e4
NEAR = (1e-3, 1e-5, 1e-7, 1e-9, 1e-12)
L, EI, KGA = 3.0, 1e7, 4e7
GAUSS = np.polynomial.legendre.leggauss(16)


def powers(least, most):
    return st.floats(least, most).map(lambda exponent: 10.0**exponent)


@st.composite
def beams(draw):
    """One to three spans, of either theory, on springs from very soft to very stiff, some on foundations."""
    n = draw(st.integers(1, 3))
    spans = [
        tr.Beam(
            draw(st.floats(0.2, 10.0)),
            draw(powers(5.0, 9.0)),
            1e3,
            shear_stiffness=draw(st.none() | powers(5.0, 10.0)),
            foundation=draw(st.none() | powers(0.0, 8.0)),
        )
        for _ in range(n)
    ]
    springs = st.builds(tr.Support, deflection=powers(-6.0, 12.0), rotation=powers(-6.0, 12.0))
    held = st.sampled_from(["clamped", "pinned", "free", "guided"]) | springs
    beam = tr.Beam.spans(spans, supports=[draw(held) for _ in range(n + 1)])
    assume(not rigid_motions(beam))
    return beam


@st.composite
def places(draw, beam):
    """Anywhere, often next to an end of a segment."""
    x = draw(st.floats(0.0, beam.length))
    if draw(st.booleans()):
        away = beam.length * draw(powers(-14.0, -2.0)) * draw(st.sampled_from([-1.0, 1.0]))
        x = float(draw(st.sampled_from(beam.ends.tolist()))) + away
    return float(np.clip(x, 0.0, beam.length))


def missing(beam, bending, forces):
    """Force and moment (over the length) that the balance of the whole beam misses, over all forces."""
    ends = bending.shape.parts
    middles, halves = 0.5 * (ends[1:] + ends[:-1]), 0.5 * np.diff(ends)
    x = middles[:, None] + halves[:, None] * GAUSS[0]
    beds = np.array([segment.foundation for segment in beam.segments])
    bed = beds[np.searchsorted(beam.ends[1:-1], middles)][:, None] * bending.deflection(x)
    carried = (bed * halves[:, None] * GAUSS[1]).ravel()
    given_forces, at = np.array(forces).T
    total = np.abs(given_forces).sum()
    force = bending.reactions.sum() + carried.sum() - given_forces.sum()
    moment = bending.reactions @ bending.places + bending.moments.sum() + carried @ x.ravel()
    return abs(force) / total, abs(moment - given_forces @ at) / (total * beam.length)


@given(st.data())
def test_forces_and_moments_balance(data):
    beam = data.draw(beams())
    forces = [(F, data.draw(places(beam)))]
    assert max(missing(beam, beam.bend(forces), forces)) < 1e-12


@given(st.data())
def test_several_forces_close_together_balance(data):
    beam = data.draw(beams())
    first = data.draw(places(beam))
    away = data.draw(st.lists(powers(-13.0, -3.0), min_size=1, max_size=5))
    forces = [(F, float(np.clip(first + beam.length * step, 0.0, beam.length))) for step in [0.0, *away]]
    together = beam.bend(forces)
    assert max(missing(beam, together, forces)) < 1e-12
    x = np.r_[np.linspace(0.0, beam.length, 7), [place for _, place in forces]]
    alone = sum(beam.bend([force]).deflection(x) for force in forces)
    np.testing.assert_allclose(together.deflection(x), alone, atol=1e-9 * np.abs(alone).max())


@given(st.data())
def test_deflections_are_reciprocal(data):
    beam = data.draw(beams())
    a, b = data.draw(places(beam)), data.draw(places(beam))
    of_a, of_b = beam.influence(a), beam.influence(b)
    x = np.linspace(0.0, beam.length, 31)
    scale = max(np.abs(of_a.deflection(x)).max(), np.abs(of_b.deflection(x)).max())
    assert float(of_a.deflection(b)) == pytest.approx(float(of_b.deflection(a)), rel=1e-9, abs=1e-12 * scale)


@given(st.data())
def test_only_the_shear_force_jumps_at_a_force(data):
    beam = data.draw(beams())
    x = data.draw(places(beam))
    assume(np.abs(beam.ends - x).min() > 1e-14 * beam.length)
    bending = beam.bend([(F, x)])
    before, along = np.nextafter(x, 0.0), np.r_[np.linspace(0.0, beam.length, 31), beam.ends, x]
    stiffness = beam.segment_at(x).bending_stiffness
    slopes = {  # how much each may change from one number to the next
        "deflection": np.abs(bending.slope(along)).max(),
        "rotation": np.abs(bending.moment(along)).max() / stiffness,
        "moment": F,
    }
    for name, slope in slopes.items():
        quantity = getattr(bending, name)
        rounding = 1e-12 * np.abs(quantity(along)).max() + 1e-15 * beam.length * slope
        assert float(quantity(x)) == pytest.approx(float(quantity(before)), abs=rounding), name
    assert float(bending.shear(before) - bending.shear(x)) == pytest.approx(F, rel=1e-12)


@given(st.data(), st.sampled_from([-3e4, -1.0, 1e2, 1e5]))
def test_vibrating_beams_are_reciprocal_too(data, square):
    beam = data.draw(beams())
    a, b = data.draw(places(beam)), data.draw(places(beam))
    x = np.linspace(0.0, beam.length, 31)
    of_a, of_b = (bend_beam(beam, [(1.0, s)], square=square) for s in (a, b))
    scale = max(np.abs(of_a.deflection(x)).max(), np.abs(of_b.deflection(x)).max())
    assert float(of_a.deflection(b)) == pytest.approx(float(of_b.deflection(a)), rel=1e-9, abs=1e-9 * scale)


def cantilever(x, a, shear):
    """Deflection, slope, moment and shear force under F at a."""
    inside = x < a
    bend = np.where(inside, x**2 * (3.0 * a - x), a**2 * (3.0 * x - a)) * F / (6.0 * EI)
    turn = np.where(inside, x * (2.0 * a - x), a**2) * F / (2.0 * EI)
    V = np.where(inside, F, 0.0)
    return bend + F * np.minimum(x, a) / shear, turn + V / shear, -F * np.maximum(a - x, 0.0), V


@pytest.mark.parametrize("shear", [None, KGA])
@pytest.mark.parametrize("near", [0.4, *NEAR, 0.0])
def test_a_cantilever_is_the_closed_form_beside_the_force(shear, near):
    a = L * (1.0 - near)
    bending = tr.Beam(L, EI, 1e3, shear_stiffness=shear, supports=("clamped", "free")).bend([(F, a)])
    x = np.unique(np.clip([0.5 * L, np.nextafter(a, 0.0), a, 0.5 * (a + L), L], 0.0, L))
    found = (bending.deflection(x), bending.slope(x), bending.moment(x), bending.shear(x))
    expected = cantilever(x, a, np.inf if shear is None else shear)
    if near == 0.0:  # there is no right side
        expected = (*expected[:1], expected[1] + F * (x == L) * (1.0 / (shear or np.inf)), *expected[2:])
        expected[3][x == L] = F
    for one, exact, scale in zip(found, expected, (0.0, 0.0, F * L, F), strict=True):
        np.testing.assert_allclose(one, exact, rtol=1e-12, atol=1e-14 * scale)
    assert bending.reactions == pytest.approx([F, 0.0], rel=1e-14)
    assert bending.moments == pytest.approx([F * a, 0.0], rel=1e-14)


@pytest.mark.parametrize("shear", [None, KGA])
@pytest.mark.parametrize("near", NEAR)
def test_a_force_next_to_a_clamp_deflects_as_the_clamp_allows(shear, near):
    """What little the beam moves is known to all digits: w = F a^3/(3 EI) + F a/kGA and its slope go on."""
    a = L * near
    bending = tr.Beam(L, EI, 1e3, shear_stiffness=shear, supports=("clamped", "free")).bend([(F, a)])
    exact = F * a**2 / (6.0 * EI) * (3.0 * L - a) + (0.0 if shear is None else F * a / shear)
    assert float(bending.deflection(L)) == pytest.approx(exact, rel=1e-12)
    assert float(bending.moment(0.0)) == pytest.approx(-F * a, rel=1e-12)


@pytest.mark.parametrize("near", NEAR)
def test_a_foundation_takes_a_force_at_its_end(near):
    """Half an infinite beam on a foundation, force at its free end (Hetenyi 1946): w = 2 F b/k."""
    k = 1e7
    b = (k / (4.0 * EI)) ** 0.25
    beam = tr.Beam(40.0 / b, EI, 1e3, supports=("free", "free"), foundation=k)
    a = beam.length * near
    tip = float(beam.bend([(F, a)]).deflection(0.0))
    assert tip == pytest.approx(2.0 * F * b / k * np.exp(-b * a) * np.cos(b * a), rel=1e-12)


def test_a_string_on_a_foundation():
    """Hardly any shear stiffness: w = F/(2 sqrt(k kGA)) exp(-x sqrt(k/kGA)) beside the force."""
    k, shear = 1e7, 1e5
    beam = tr.Beam(20.0, 1e9, 1e3, supports=("guided", "guided"), shear_stiffness=shear, foundation=k)
    s = np.array([0.0, 0.1, 0.5])
    stiff = beam.bend([(F, 10.0)])
    exact = F / (2.0 * np.sqrt(k * shear)) * np.exp(-s * np.sqrt(k / shear))
    np.testing.assert_allclose(stiff.deflection(10.0 + s), exact, rtol=1e-4)
    assert max(missing(beam, stiff, [(F, 10.0)])) < 1e-12


@pytest.mark.parametrize("quantity", ["deflection", "moment", "shear"])
@pytest.mark.parametrize("near", NEAR[:-1])
def test_influence_lines_next_to_a_free_end(quantity, near):
    beam = tr.Beam(L, EI, 1e3, shear_stiffness=KGA, supports=("clamped", "free"))
    x, s = L * (1.0 - near), np.array([0.3, 2.0, 2.9, L])
    expected = np.array([float(getattr(beam.bend([(1.0, one)]), quantity)(x)) for one in s])
    scale = {"deflection": 1e-7, "moment": L, "shear": 1.0}[quantity]
    found = tr.influence_line(beam, quantity, x).at(s)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13 * scale)


@given(st.data(), st.floats(9.0, 308.0))
def test_springs_as_stiff_as_one_likes_carry_what_rigid_ones_do(data, exponent):
    """All that holds goes over to rigid supports as 1/k, and no force is lost on the way."""
    n = data.draw(st.integers(1, 3))
    held = [data.draw(st.sampled_from(["clamped", "pinned"])) for _ in range(n + 1)]
    k = 10.0**exponent
    springs = {"clamped": tr.Support(k, k), "pinned": tr.Support(k, 0.0)}
    spans = [tr.Beam(data.draw(st.floats(0.5, 20.0)), data.draw(powers(4.0, 7.0)), 1e3) for _ in range(n)]
    rigid = tr.Beam.spans(spans, supports=held)
    stiff = tr.Beam.spans(spans, supports=[springs[one] for one in held])
    forces = [(F, data.draw(places(rigid)))]
    found, known = stiff.bend(forces), rigid.bend(forces)
    assert max(missing(stiff, found, forces)) < 1e-14
    size = max(segment.bending_stiffness / segment.length**3 for segment in rigid.segments)
    give = 1e3 * size * max(1.0, rigid.length**2) / k + 1e-11
    np.testing.assert_allclose(found.reactions, known.reactions, atol=F * give)
    np.testing.assert_allclose(found.moments, known.moments, atol=F * rigid.length * give)


@pytest.mark.parametrize("k", [1e12, 1e20, 1e30, 1e300])
def test_very_stiff_springs_give_way_by_their_force(k):
    """Two spans, a force in the middle of each: 5/16 F, 11/8 F, 5/16 F; each spring is pressed by R/k."""
    spans = [tr.Beam(5.0, 1e6, 1e3)] * 2
    beam = tr.Beam.spans(spans, supports=[tr.Support(k, 0.0)] * 3)
    bending = beam.bend([(F, 2.5), (F, 7.5)])
    np.testing.assert_allclose(bending.reactions, F * np.array([5.0, 22.0, 5.0]) / 16.0, rtol=1e-12 + 1e6 / k)
    assert float(bending.deflection(0.0)) == pytest.approx(bending.reactions[0] / k, abs=1e-15, rel=1e-9)


def test_springs_beyond_all_numbers_are_rigid():
    """Of numbers beyond 1e100."""
    beam = tr.Beam(1e3, 1e2, 1e3, supports=(tr.Support(1e305, 0.0), tr.Support(1e305, 0.0)))
    assert beam.bend([(F, 300.0)]).reactions == pytest.approx([0.7 * F, 0.3 * F], rel=1e-12)


def test_forces_beyond_all_numbers_are_refused():
    beam = tr.Beam(1e3, 1e2, 1e3, supports=("pinned", "pinned"))
    with pytest.raises(tr.InputError, match=r"forces\[0\] = 1e\+308 N must lie between -1e\+100 and 1e\+100"):
        beam.bend([(1e308, 300.0)])
    with pytest.raises(tr.InputError, match=r"load.* = 1e\+308 must lie between"):
        beam.bend(load=1e308)
    assert np.isfinite(beam.bend([(1e100, 300.0)]).deflection([300.0, 700.0])).all()


def test_equations_without_an_answer_are_refused():
    band, right = np.zeros((8, 2 * SIDE + 1)), np.ones(8)
    band[:7, SIDE] = band[7, SIDE - 1] = 1.0
    with pytest.raises(SingularError, match=r"pivot 8 of 8 is 0.*stiffer supports"):
        solve_band(band, right)
    band[7, SIDE] = 1.0
    assert np.abs(solve_band(band, right)).max() == 1.0
    right[3] = np.nan
    with pytest.raises(tr.ConvergenceError, match=rf"miss their equations by inf .* limit is {LIMIT:.0e}"):
        solve_band(band, right)


@pytest.mark.parametrize("number", [0, 1, 6])
@pytest.mark.parametrize("held", [("pinned", "pinned"), ("clamped", tr.Support(1e6, 0.0)), ("free", "free")])
@pytest.mark.parametrize("away", [0.4, 1e-12])
def test_natural_frequencies_have_no_answer(number, held, away):
    """However near an end the force stands; a little further off there is one, nearly a mode."""
    beam = tr.Beam(L, EI, 1e3, shear_stiffness=KGA, supports=held)
    modes, x = beam.modes(9), np.array([L * away])
    omega = float(modes.frequencies[modes.frequencies > 1e-3][number])
    force = [(1.0, float(x[0]))]
    for square in (omega**2, omega**2 * (1.0 + 0.3 * RESONANT)):
        with pytest.raises(SingularError, match=r"rad/s is a natural one .*1e-10.* damping"):
            bend_beam(beam, force, square=square)
        with pytest.raises(SingularError, match="natural"):
            tr.influence_line(beam, "moment", 1.0, square=square)
    square = omega**2 * (1.0 - 1e-6)
    at = np.linspace(0.1, 0.9, 5) * L
    shape = modes.deflection(at)[np.argmin(np.abs(modes.frequencies - omega))]
    w = bend_beam(beam, force, square=square).deflection(at)
    if away == 0.4:
        assert abs(w @ shape) > (1.0 - 1e-6) * np.linalg.norm(w) * np.linalg.norm(shape)


@settings(max_examples=settings().max_examples // 4)
@given(st.data(), powers(0.0, 7.0))
def test_other_frequencies_are_not_taken_for_natural_ones(data, square):
    beam = data.draw(beams())
    natural = beam.modes(12).frequencies ** 2
    assume(natural[-1] > square and np.abs(natural / square - 1.0).min() > 1e-6)
    x = np.linspace(0.0, beam.length, 9)
    bending = bend_beam(beam, [(1.0, data.draw(places(beam)))], square=square)
    assert np.isfinite(bending.deflection(x)).all()


@pytest.mark.parametrize("number", range(1, 5))
@pytest.mark.parametrize("mass", [1e3, 1e5])
def test_resonance_is_found_beside_a_motion_as_a_whole(number, mass):
    """A pendulum: where rounding of the stiffness hides a frequency from counting, the deflection tells."""
    for EI_ in np.geomspace(1e5, 1e9, 9):
        beam = tr.Beam(L, float(EI_), mass, supports=("pinned", "free"))
        omega = float(beam.modes(5).frequencies[number])
        with pytest.raises(SingularError, match="natural"):
            bend_beam(beam, [(1.0, L)], square=omega**2)
