"""The track that wheels see of elements with shear: no kinks, and how far it is from the beam's own."""

import numpy as np
import pytest

import traction as tr
from traction.crossing.bridge_models.bridge_model import bridge_model
from traction.crossing.bridge_models.element_compliance import SmoothTrack, end_values

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
    np.testing.assert_allclose(model.rows(x, "slope"), differences, atol=1e-6 * np.abs(differences).max())
    nodes = model.discrete.nodes[1:-1]
    before, after = (model.rows(nodes + d, "slope") for d in (-1e-9, 1e-9))
    inner = ~np.isclose(nodes[:, None], beam.ends).any(axis=1)
    size = np.abs(before).max()
    assert np.abs(before - after)[inner].max() < 1e-6 * size
    plain = [model.discrete.sampler("slope", nodes + d).toarray() for d in (-1e-9, 1e-9)]
    assert np.abs(plain[0] - plain[1])[inner].max() > 0.1 * size  # the elements themselves do
    np.testing.assert_allclose(model.rows(nodes), model.discrete.sampler("deflection", nodes).toarray())
    assert not model.rows(np.array([-0.1, beam.length + 0.1])).any()


@pytest.mark.parametrize("elements", [1, 2, 3, 4, 9])
def test_strains_at_nodes_are_those_of_means(elements):
    """Of a cubic where four elements lie beside a node, of a line beside the ends; constants always."""
    nodes = np.arange(elements + 1.0)
    values = end_values(elements).toarray()
    for power, exact in ((0, 0), (1, 0 if elements > 1 else elements), (3, 2)):
        means = np.diff(nodes ** (power + 1)) / (power + 1)
        own = slice(exact, elements + 1 - exact)
        np.testing.assert_allclose((values @ means)[own], nodes[own] ** power, atol=1e-12 * elements**3)


def test_tiny_beams_have_the_same_track():
    """All lengths by 1e-7, the shear stiffness such that 12 EI/(kGA l^2) stays: slopes are those by 1e7."""
    tiny = tr.Beam.spans(
        [
            tr.Beam(6e-7, EI, 1500.0, shear_stiffness=kGA * 1e14, supports=("pinned", "pinned"))
            for EI, kGA in ((4e8, 2e9), (8e8, 1e9))
        ]
    )
    small, large = (SmoothTrack.of(beam.elements(120)) for beam in (tiny, SPANS))
    for ours, theirs in zip(small.slopes, large.slopes, strict=True):
        np.testing.assert_allclose(ours.toarray() * 1e-7, theirs.toarray(), atol=1e-6 * abs(theirs).max())
    jumps = abs(large.slopes[1][:-1] - large.slopes[0][1:]).toarray().max(axis=1)
    assert jumps.argmax() == 59  # where spans meet
