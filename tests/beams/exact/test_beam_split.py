"""Which end of a beam that was cut stands for a place."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import traction as tr
from traction.beams.exact.beam_states import split_beam

SPANS = tr.Beam.spans(
    [tr.Beam(length, 2e9, 8e3, supports=("pinned", "pinned")) for length in (3.0, 2.0, 7.0)]
)


def cut(places, near=1e-12):
    return split_beam(SPANS, [0.0] * 3, places, near=near)


@given(st.lists(st.floats(0.0, 12.0), max_size=20), st.sampled_from([1e-15, 1e-12, 0.05]))
def test_each_place_has_the_end_nearest_to_it(places, near):
    found = cut(places, near)
    nearest = [int(np.argmin(np.abs(found.ends - x))) for x in places]
    assert found.at.tolist() == nearest
    assert np.all(np.diff(found.ends) > 0.0)


def test_of_two_ends_as_near_the_first():
    found = cut([1.0, 1.25, 1.5], near=0.5 / 12.0)  # 1.25 m is one with 1 m
    assert found.ends[found.at].tolist() == [1.0, 1.0, 1.0]
    np.testing.assert_allclose(found.ends, [0.0, 1.0, 3.0, 5.0, 12.0])


def test_ends_and_no_places_at_all():
    assert cut([]).at.shape == (0,)
    assert cut([12.0, 0.0, 3.0]).at.tolist() == [3, 0, 1]
