"""Friction by temperature as a value: piecewise linear, with its derivative, checked."""

import numpy as np
import pytest

import traction as tr


def test_it_is_linear_between_temperatures_and_constant_beyond():
    law = tr.friction.thermal([0.0, 100.0, 300.0], [0.4, 0.3, 0.2])
    assert law.coefficient([-50.0, 50.0, 200.0, 900.0]) == pytest.approx([0.4, 0.35, 0.25, 0.2])
    assert law.largest == 0.4
    T = np.array([-10.0, 20.0, 150.0, 299.0, 400.0])
    slope = (law.coefficient(T + 1e-3) - law.coefficient(T - 1e-3)) / 2e-3
    assert law.derivative(T) == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0.0], [0.3]), "at least two"),
        (([0.0, 1.0], [0.3]), "shapes"),
        (([1.0, 1.0], [0.3, 0.2]), "must increase"),
        (([0.0, 1.0], [0.3, -0.2]), "negative"),
        (("ab", [0.3, 0.2]), "list of numbers"),
    ],
)
def test_input_is_checked(arguments, words):
    with pytest.raises(tr.InputError, match=words):
        tr.friction.thermal(*arguments)


def test_options_are_checked():
    with pytest.raises(tr.InputError, match="share"):
        tr.friction.thermal([0, 1], [0.3, 0.2], share=2.0)
    with pytest.raises(tr.InputError, match="bulk"):
        tr.friction.thermal([0, 1], [0.3, 0.2], bulk=3.0)
