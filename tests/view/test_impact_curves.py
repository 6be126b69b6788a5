"""Figures of impacts: drawn, labelled, and told when they cannot be drawn."""

import numpy as np
import pytest

import traction as tr
from traction import view

STRIKER = tr.Striker(0.033, 0.01, hertz_constant=1.6e-7)
BEAM = tr.Beam(0.15, 180.0, 0.8, supports=("pinned", "pinned"))


@pytest.fixture(scope="module")
def history():
    return tr.impact(BEAM, 0.07, STRIKER, modes=10, t_end=1e-3)


def test_force_of_several_methods(history):
    sine = tr.impact(BEAM, 0.07, STRIKER, modes=10, t_end=1e-3, method="energy")
    ax = view.impact_force_plot({"modal": history, "half sine": sine}, span=(0.0, 3e-4))
    assert len(ax.lines) == 2
    assert ax.get_xlabel() == "time (µs)"
    assert max(ax.lines[0].get_ydata()) == pytest.approx(history.contacts[0].peak, rel=1e-4)
    with pytest.raises(tr.InputError, match="histories is empty"):
        view.impact_force_plot({})


def test_iterates(history):
    picard = tr.impact(BEAM, 0.07, STRIKER, modes=10, t_end=1e-3, method="picard", iterations=4, points=200)
    ax = view.iterates_plot(picard.stats["iterates"])
    assert [line.get_label() for line in ax.lines][:2] == ["half sine", "iterate 1"]


def test_motion_and_shapes(history):
    ax = view.impact_motion_plot(history)
    assert [line.get_label() for line in ax.lines] == ["striker", "struck point"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    ax = view.beam_shape_plot(history, [5e-5, 1e-4])
    assert len(ax.lines) == 3
    rigid = tr.impact(tr.RigidGround(), None, STRIKER)
    with pytest.raises(tr.InputError, match="has no shape along x"):
        view.beam_shape_plot(rigid, [1e-5])


def test_plate_and_map():
    plate = tr.impact(tr.Plate(0.5, 0.4, 2400.0, 39.0), (0.2, 0.1), STRIKER, modes=50, t_end=1e-4)
    ax = view.plate_wave_plot(plate, 1e-4)
    assert ax.images[0].get_array().shape == (129, 161)
    x, y = np.linspace(0.1, 0.5, 4), np.geomspace(0.1, 1.0, 3)
    ax = view.impact_map(x, y, np.add.outer(y, x), words=("x", "y", "value", "Map"))
    assert ax.get_yscale() == "log"
    with pytest.raises(tr.InputError, match="values"):
        view.impact_map(x, y, np.add.outer(x, y), words=("x", "y", "value", "Map"))
    with pytest.raises(tr.InputError, match="words has 3 texts"):
        view.impact_map(x, y, np.add.outer(y, x), words=("x", "y", "value"))


def test_what_is_no_plate_and_no_impact(history):
    with pytest.raises(tr.InputError, match="not a plate"):
        view.plate_wave_plot(history, 1e-4)
    with pytest.raises(tr.InputError, match="history"):
        view.impact_motion_plot(BEAM)


def test_animation_of_a_plate(tmp_path):
    """Frames differ, and show the deflections of the history in one scale."""
    plate = tr.impact(tr.Plate(0.5, 0.4, 2400.0, 39.0), (0.2, 0.1), STRIKER, modes=50, t_end=1e-4)
    film = view.animate_impact(plate, frames=3)
    shown = []
    for frame in range(3):
        film.stage.show(frame)
        shown.append(np.array(film.stage.image.get_array()))
    x, y = np.linspace(0.0, 0.5, 61), np.linspace(0.0, 0.4, 49)
    exact = plate.surface(*np.meshgrid(x, y), 5e-5)
    assert shown[1] / np.abs(shown[1]).max() == pytest.approx(exact / np.abs(exact).max(), abs=1e-9)
    assert film.stage.image.get_clim()[1] == pytest.approx(np.abs(shown).max())
    assert np.abs(shown[0]).max() == 0.0


def test_animation(history, tmp_path):
    from PIL import Image

    file = view.animate_impact(history, tmp_path / "beam.gif", frames=4)
    with Image.open(file) as picture:
        assert picture.n_frames > 1
    page = view.animate_impact(history, tmp_path / "beam.html", frames=2, span=(0.0, 1e-4))
    assert b"data:image/png" in page.read_bytes()
    with pytest.raises(tr.InputError, match=r"must end in \.gif or \.html"):
        view.animate_impact(history, tmp_path / "beam.mp4")
