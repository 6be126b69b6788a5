"""Beams without dimensions: EI = 1, load 1, gap 1, so that lengths are those of the closed forms."""

import pytest

import traction as tr


@pytest.fixture
def cantilever():
    """The benchmark for one epsilon, long enough to stand for a beam without end."""

    def make(epsilon, length=None):
        long = tr.obstacle.exact(epsilon).free_length + 20.0 * epsilon + 1.0 if length is None else length
        shear = None if epsilon == 0.0 else epsilon**-2
        return tr.Beam(long, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"))

    return make
