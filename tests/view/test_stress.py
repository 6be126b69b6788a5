"""Figures of the stress inside bodies: its maximum is Hertz's, and marked in the right body."""

import numpy as np
import pytest

import traction as tr


def test_von_mises_maximum_is_the_hertz_one(ellipse, hertz):
    plane = tr.view.stress_plane(ellipse, along="y", points=(31, 21))
    depths = np.linspace(0.0, 8e-3, 801)
    theory = hertz.stress_on_axis(depths, tr.STEEL.poisson_ratio).von_mises
    assert plane.peak == pytest.approx(theory.max(), rel=2e-3)
    assert plane.peak_z == pytest.approx(-depths[theory.argmax()], rel=0.05)
    assert plane.peak_position == pytest.approx(ellipse.center[1], abs=3e-4)
    assert plane.peak >= plane.von_mises.max()


@pytest.mark.parametrize(("body", "side"), [(1, 1.0), (2, -1.0)])
def test_von_mises_map_marks_the_maximum_inside_the_body(ellipse, body, side):
    plane = tr.view.stress_plane(ellipse, body, points=(21, 15))
    ax = tr.view.von_mises_map(ellipse, body, plane=plane)
    mark = next(line for line in ax.lines if line.get_label() == "maximum")
    np.testing.assert_allclose(mark.get_xydata()[0], [1e3 * plane.peak_position, 1e3 * plane.peak_z])
    assert side * mark.get_ydata()[0] > 0.0
    (note,) = ax.texts
    assert f"{plane.peak / ellipse.peak_pressure:.3f}" in note.get_text()
