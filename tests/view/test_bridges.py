"""Figures of beams and crossings: they show what they are given."""

import numpy as np
import pytest

import traction as tr
from traction.view.animations.crossing_animation import _rows

BEAM = tr.Beam(20.0, 2.08e9, 7900.0)


@pytest.fixture(scope="module")
def run():
    return tr.moving_load(BEAM, [(7e5, 0.0), (7e5, 5.0)], 30.0, size=8, t_end=1.0)


def test_crossing_plot_shows_the_deflection_downwards(run):
    ax = tr.view.crossing_plot(run, 10.0, at_rest=True)
    moving, rest = ax.lines[:2]
    np.testing.assert_allclose(moving.get_ydata(), 1e3 * run.deflection(10.0))
    np.testing.assert_allclose(rest.get_ydata(), 1e3 * run.at_rest("deflection", 10.0))
    assert ax.yaxis_inverted()
    assert ax.get_ylabel() == "deflection (mm)"


def test_several_crossings_are_told_apart(run):
    ax = tr.view.crossing_plot({"one": run, "two": run}, 5.0, quantity="moment")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    assert ax.get_ylabel() == "moment (kN m)"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("quantity", ["deflection", "acceleration", "shear"])
def test_map_has_the_tracks_of_all_axles(run, quantity):
    ax = tr.view.crossing_map(run, quantity=quantity)
    assert len(ax.lines) == 2
    x, t = ax.lines[1].get_data()
    assert len(t) > 100
    assert (t[0], t[-1]) == (run.t[0], run.t[-1])
    np.testing.assert_allclose(x, np.interp(t, run.t, run.places[:, 1]))


def test_resonance_plot_marks_the_expected_speeds():
    bridge = tr.Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"), damping=0.01)
    curve = tr.resonance(
        bridge, [tr.Train.hslm("A1"), tr.Train.hslm("A2")], np.linspace(80.0, 95.0, 8), modes=1
    )
    ax = tr.view.resonance_plot(curve)
    dashes = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert [line.get_xdata()[0] for line in dashes] == pytest.approx([324.0], rel=1e-5)
    np.testing.assert_allclose(ax.lines[1].get_ydata(), curve.acceleration[1])


def test_mode_plot_names_the_frequencies():
    ax = tr.view.mode_plot(BEAM, 3)
    assert [text.get_text() for text in ax.texts] == ["4.568 Hz", "12.59 Hz", "24.68 Hz"]


def test_envelope_plot_bounds_all_times(run):
    ax = tr.view.envelope_plot(run)
    found = run.envelope("moment")
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 1e-3 * found.largest)


def test_animation_has_its_frames(run, tmp_path):
    from PIL import Image

    whole = tr.view.animate_crossing(run, tmp_path / "a.gif", frames=2)
    again = tr.view.animate_crossing(run, tmp_path / "b.gif", frames=2)
    during = (0.1 * run.t[-1], 0.5 * run.t[-1])
    part = tr.view.animate_crossing(run, tmp_path / "c.gif", frames=2, during=during)
    assert whole.read_bytes() == again.read_bytes() != part.read_bytes()
    with Image.open(whole) as picture:
        assert picture.n_frames == 2
    page = tr.view.animate_crossing(run, tmp_path / "a.html", frames=2).read_text("utf-8")
    assert "<title>Axles cross a beam</title>" in page
    assert "http" not in page


def test_animation_shows_a_part_of_the_crossing(run, tmp_path):
    assert _rows(run, (run.t[10], run.t[40])) == (10, 40)
    with pytest.raises(tr.InputError, match="must rise and lie within the crossing"):
        tr.view.animate_crossing(run, tmp_path / "c.gif", during=(0.2, 0.1))


def test_animation_refuses_other_formats(run, tmp_path):
    with pytest.raises(tr.InputError, match="must end in"):
        tr.view.animate_crossing(run, tmp_path / "a.avi")
