"""Friction along the track: values, exact means, refusals."""

import numpy as np
import pytest

import traction as tr

TRACK = tr.friction.along_track([0.0, 1.0, 1.0, 2.0], [1.0, 2.0, 0.5, 1.0])


def test_values_are_linear_between_places_and_constant_outside():
    assert TRACK.value([-5.0, 0.5, 1.5, 9.0]) == pytest.approx([1.0, 1.5, 0.75, 1.0])
    assert float(TRACK.value(1.0)) == 0.5  # behind the step
    step = tr.friction.along_track([3.0, 3.0], [0.3, 0.1])
    assert step.value([2.0, 3.0, 4.0]) == pytest.approx([0.3, 0.1, 0.1])
    assert step.mean(np.array([2.0, 3.0, 4.0]), 1.0) == pytest.approx([0.3, 0.2, 0.1])


@pytest.mark.parametrize("width", [0.01, 0.5, 7.0])
def test_means_are_those_of_many_values(width):
    x = np.linspace(-1.5, 3.5, 41)
    inside = (np.arange(20_000) + 0.5) / 20_000 - 0.5
    sampled = [float(TRACK.value(place + width * inside).mean()) for place in x]
    assert TRACK.mean(x, width) == pytest.approx(sampled, abs=1e-4)


@pytest.mark.parametrize(
    ("places", "values", "law", "words"),
    [
        ([0.0, -1.0], [0.3, 0.2], None, "must increase"),
        ([0.0, 0.0, 0.0], [0.3, 0.2, 0.1], None, "must increase"),
        ([0.0], [0.3], None, "at least two"),
        ([0.0, 1.0], [0.3, 0.0], None, "must be positive"),
        ([0.0, 1.0], [0.3, 0.2], 0.3, "must be a law"),
    ],
)
def test_what_is_wrong_is_refused(places, values, law, words):
    with pytest.raises(tr.InputError, match=words):
        tr.friction.along_track(places, values, law)
