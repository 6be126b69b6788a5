"""Which nodes touch: complementarity, and errors where there is no answer."""

import numpy as np
import pytest

import traction as tr
from traction.app.finite_elements.contact import touching


def compliance(n):
    """A smooth one: near nodes feel each other."""
    x = np.arange(n)
    return np.exp(-np.abs(x[:, None] - x) / 4.0) + 0.1 * np.eye(n)


@pytest.mark.parametrize("force", [1e-3, 0.3, 2.0])
def test_what_touches_presses_and_what_does_not_is_open(force):
    C, gap = compliance(40), (np.arange(40) / 15.0) ** 2
    found = touching(C, gap, force)
    distance = gap + C @ found.forces - found.drop
    on = found.forces > 0.0
    assert found.forces.sum() == pytest.approx(force)
    assert np.abs(distance[on]).max() < 1e-12
    assert distance[~on].min() >= 0.0
    assert found.forces.min() >= 0.0


def test_a_contact_that_reaches_the_last_node_is_an_error():
    with pytest.raises(tr.InputError, match="last of the nodes"):
        touching(compliance(10), np.linspace(0.0, 1e-3, 10), 10.0)
