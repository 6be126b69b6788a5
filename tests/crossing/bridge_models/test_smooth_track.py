"""The track that wheels see of elements with shear: no kinks, and how far it is from the beam's own."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.crossing.bridge_models.bridge_model import bridge_model
from traction.crossing.bridge_models.smooth_track import SmoothTrack

SHEAR = tr.Beam(20.0, 2.08e9, 7900.0, shear_stiffness=4e9, rotary_inertia=800.0)
SPAN = tr.Beam(6.0, 4e8, 1500.0, shear_stiffness=2e9, supports=("pinned", "pinned"))
SPANS = tr.Beam.spans([SPAN, tr.Beam(6.0, 8e8, 1500.0, shear_stiffness=1e9, supports=("pinned", "pinned"))])


def test_elements_without_shear_need_none():
    assert SmoothTrack.of(tr.Beam(20.0, 2.08e9, 7900.0).elements(8)) is None


@pytest.mark.parametrize("beam", [SHEAR, SPANS], ids=["one", "spans"])
def test_slopes_are_derivatives_and_have_no_jumps_within_a_segment(beam):
    model = bridge_model(beam, "elements", 12)
    x = np.linspace(0.01, 0.99, 50) * beam.length
    step = 1e-6
    differences = (model.rows(x + step) - model.rows(x - step)) / (2.0 * step)
    np.testing.assert_allclose(model.slope_rows(x), differences, atol=1e-6 * np.abs(differences).max())
    nodes = model.discrete.nodes[1:-1]
    before, after = (model.slope_rows(nodes + d) for d in (-1e-9, 1e-9))
    inner = ~np.isclose(nodes[:, None], beam.ends).any(axis=1)
    size = np.abs(before).max()
    assert np.abs(before - after)[inner].max() < 1e-6 * size
    plain = [model.discrete.sampler("slope", nodes + d).toarray() for d in (-1e-9, 1e-9)]
    assert np.abs(plain[0] - plain[1])[inner].max() > 0.1 * size  # the elements themselves do
    np.testing.assert_allclose(model.rows(nodes), model.discrete.sampler("deflection", nodes).toarray())
    assert not model.rows(np.array([-0.1, beam.length + 0.1])).any()


def test_compliance_under_a_wheel_lacks_the_kink():
    """A wheel in the middle of an element lacks 15/128 l/kGA of what the beam gives way; at nodes, nothing.

    Of a string on nodes l apart the line has (-1, 9, 9, -1)/16 of them: the sum of both weights of all pairs
    times half their distance is 15/128 l.
    """
    errors, lengths = [], 20.0 / np.array([16, 32, 64])
    for length in lengths:
        model = bridge_model(SHEAR, "elements", round(20.0 / length))
        x = np.array([10.0, 10.0 + 0.5 * length])
        rows = model.rows(x)
        found = np.einsum("ij,ij->i", rows, np.linalg.solve(model.stiffness, rows.T).T)
        exact = np.array([float(SHEAR.bend([(1.0, float(at))]).deflection(float(at))) for at in x])
        assert found[0] == pytest.approx(exact[0], rel=1e-9)
        errors.append((exact[1] - found[1]) * 4e9 / length)
    assert errors[-1] == pytest.approx(15.0 / 128.0, rel=1e-2)
    assert observed_order(lengths, np.abs(np.array(errors) - 15.0 / 128.0)) > 1.8  # the rest is of bending


def test_tiny_beams_have_the_same_track():
    """All lengths by 1e-7, the shear stiffness such that 12 EI/(kGA l^2) stays: slopes are those by 1e7."""
    tiny = tr.Beam.spans(
        [
            tr.Beam(6e-7, EI, 1500.0, shear_stiffness=kGA * 1e14, supports=("pinned", "pinned"))
            for EI, kGA in ((4e8, 2e9), (8e8, 1e9))
        ]
    )
    small, large = (SmoothTrack.of(beam.elements(120)) for beam in (tiny, SPANS))
    size = np.abs(large.slopes).max()
    np.testing.assert_allclose(small.slopes * 1e-7, large.slopes, atol=1e-6 * size)
    assert np.abs(large.slopes[1, :-1] - large.slopes[0, 1:]).max(axis=1).argmax() == 59  # where spans meet
