"""Curves of a force map show its forces, one line for each yaw angle."""

import numpy as np
import pytest

import traction as tr

SHIFTS, YAW = np.array([-2e-3, 0.0, 4e-3]), np.array([0.0, 3e-3])


@pytest.fixture(scope="module")
def found():
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    return tr.force_map(wheelset, track, y=SHIFTS, yaw=YAW, side="right", force=40e3, dx=1e-3, dy=1e-3)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_each_yaw_angle_has_a_line(found):
    ax = tr.view.force_map_plot(found, component="y")
    drawn = [line for line in ax.lines if line.get_label().startswith("yaw")]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["yaw 0 mrad", "yaw 3 mrad"]
    for k, line in enumerate(drawn):
        np.testing.assert_allclose(line.get_xdata(), 1e3 * SHIFTS)
        np.testing.assert_allclose(line.get_ydata(), 1e-3 * found.force[:, k, 1])
