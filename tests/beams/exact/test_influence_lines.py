"""Influence lines against the beam at rest under 1 N at each place."""

import numpy as np
import pytest

import traction as tr

TIMOSHENKO = tr.Beam(8.0, 2e9, 5000.0, shear_stiffness=1e9)
BEAMS = {
    "clamped": tr.Beam(20.0, 2.08e9, 7900.0),
    "two spans": tr.Beam.spans([tr.Beam(8.0, 2e9, 5e3), tr.Beam(12.0, 3e9, 6e3)]),
    "springs and bed": tr.Beam.spans(
        [TIMOSHENKO, tr.Beam(12.0, 3e9, 6000.0, foundation=1e5)],
        supports=("clamped", tr.Support(deflection=1e8), "pinned"),
    ),
}
FORCES = np.array([0.5, 5.0, 7.9, 9.1, 19.0])


@pytest.mark.parametrize("name", BEAMS)
@pytest.mark.parametrize("quantity", ["deflection", "moment", "shear"])
@pytest.mark.parametrize("x", [0.0, 3.3, 8.0, 13.7, 20.0])
def test_line_is_what_each_force_does(name, quantity, x):
    beam = BEAMS[name]
    expected = np.array([float(getattr(beam.bend([(1.0, s)]), quantity)(x)) for s in FORCES])
    found = tr.influence_line(beam, quantity, x).at(FORCES)
    scale = {"deflection": 1e-7, "moment": 1.0, "shear": 1.0}[quantity]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10 * scale)


def test_sides_of_a_support_differ_by_its_reaction():
    beam = BEAMS["two spans"]
    right, left = (tr.influence_line(beam, "shear", 8.0, side=side).at(FORCES) for side in ("right", "left"))
    reactions = np.array([beam.bend([(1.0, s)]).reactions[1] for s in FORCES])
    np.testing.assert_allclose(right - left, reactions, rtol=1e-10)


def test_slope_and_curvature_are_derivatives():
    line = tr.influence_line(BEAMS["clamped"], "moment", 7.0)
    s, h = np.array([3.0, 11.0]), 1e-4
    np.testing.assert_allclose(line.slope(s), (line.at(s + h) - line.at(s - h)) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(
        line.curvature(s), (line.slope(s + h) - line.slope(s - h)) / (2 * h), rtol=1e-6
    )


def test_a_free_beam_has_no_line():
    free = tr.Beam(5.0, 1e6, 10.0, supports=("free", "free"))
    for quantity in ("deflection", "moment"):
        with pytest.raises(tr.InputError, match="do not hold the beam"):
            tr.influence_line(free, quantity, 2.0)


def test_rail_gives_way_like_springs_in_a_row():
    """Many soft springs under a stiff rail are a Winkler foundation."""
    rail = tr.rail(200, 0.3, 1e6)
    beam = tr.Beam(60.0, 6.42e6, 60.21, foundation=1e6 / 0.3)
    at = [(1e5, 30.0)]
    assert float(rail.bend(at).deflection(30.0)) == pytest.approx(
        float(beam.bend(at).deflection(30.0)), rel=2e-3
    )
    with pytest.raises(tr.InputError, match="support_stiffness"):
        tr.rail(10, 0.6, -1.0)
