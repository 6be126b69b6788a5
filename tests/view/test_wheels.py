"""Figures of wheels on bridges show what was computed."""

import numpy as np
import pytest

import traction as tr
from traction.view.animations.crossing_animation import CrossingFilm
from traction.view.patches import patches_of
from traction.view.wheel_forces import draw_wheel_forces

BRIDGE = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL)
WORN = tr.Wheel(
    0.46,
    1e3,
    suspension=tr.Suspension(1e6, 1e4, 9e3),
    irregularity=tr.Irregularity.flat(0.46, 0.04, at=1.0),
)


@pytest.fixture(scope="module", params=["hertz", "half-space"])
def run(request):
    """With a flight."""
    train = [(WORN, 0.0), (tr.Wheel(0.46, 1e4), 1.0)]
    return tr.cross(BRIDGE, train, 30.0, contact=request.param, size=4, dt=1.25e-4, t_end=0.08)


@pytest.fixture(scope="module")
def stands():
    return tr.rest([tr.Wheel(0.46, 1.0)] * 2, BRIDGE, [5.0, 12.0], [3e5, 5e5])


def test_forces_are_drawn_for_each_wheel_and_crossing(run):
    ax = tr.view.wheel_force_plot(run, wheels=(0, 1))
    drawn = [line for line in ax.lines if line.get_label().startswith("wheel")]
    np.testing.assert_allclose(drawn[1].get_ydata(), run.contact_forces[:, 1] / 1e3)
    ax = tr.view.wheel_force_plot({"one": run, "other": run})
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"one", "other"}
    force = tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, size=2)
    with pytest.raises(tr.InputError, match="no wheels"):
        tr.view.wheel_force_plot(force)


@pytest.mark.parametrize(
    ("forces", "zero"),
    [([180.0, 190.0, 185.0], False), ([100.0, 190.0, 150.0], True), ([185.0, 185.0 + 1e-6, 185.0], True)],
)
def test_zero_is_on_the_axis_unless_it_hides_the_variation(forces, zero):
    curve = np.array([0.0, 0.1, 0.2]), 1e3 * np.array(forces)[:, None]
    low, high = draw_wheel_forces({"": curve}).get_ylim()
    assert (low <= 0.0 < high) == zero


def test_spectra_mark_what_dominates():
    t = np.linspace(0.0, 4.0, 2001)
    signal = 3e-3 * np.sin(2 * np.pi * 5.0 * t) + 1e-3 * np.sin(2 * np.pi * 12.0 * t)
    ax = tr.view.spectrum_plot(tr.spectrum(t, signal), natural=[5.1, 30.0, 400.0], highest=40.0)
    words = [text.get_text().strip() for text in ax.texts]
    assert {"f₁", "f₂", "5 Hz", "12 Hz"} == set(words)
    assert ax.get_xlim() == (0.0, 40.0)
    assert "mm" in ax.get_ylabel()


def test_energies_are_changes_since_the_start(run):
    ax = tr.view.crossing_energy_plot(run)
    curves = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert {"bridge", "vehicles", "contact", "gravity"} <= set(curves)
    assert curves["gravity"][0] == 0.0
    assert "(J)" in ax.get_ylabel() or "(kJ)" in ax.get_ylabel() or "(mJ)" in ax.get_ylabel()


def test_patches_carry_the_force_of_their_wheel(run):
    lifted = int(np.argmin(run.contact_forces[:, 0]))
    assert run.contact_forces[lifted, 0] == 0.0
    rows = np.array([0, lifted, 600])
    for patch, row in zip(patches_of(run, rows), rows, strict=True):
        cell = (patch.x[1] - patch.x[0]) * (patch.y[1] - patch.y[0])
        assert patch.pressure.sum() * cell == pytest.approx(run.contact_forces[row, 0], rel=0.02, abs=1.0)
    assert patches_of(run, rows)[1].reach == (0.0, 0.0)
    ax = tr.view.patch_plot(run, [0.0, 0.06], wheel=1)
    assert len([line for line in ax.lines if line.get_label().startswith("t = ")]) == 2
    with pytest.raises(tr.InputError, match="the train has 2 wheels"):
        tr.view.patch_plot(run, [0.0], wheel=2)


@pytest.mark.sampled(2)
def test_the_animation_shows_the_patch(run, tmp_path):
    from PIL import Image

    plain = tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, size=2)
    sizes = []
    for crossing, name in ((run, "patch.gif"), (plain, "plain.gif")):
        with Image.open(tr.view.animate_crossing(crossing, tmp_path / name, frames=3)) as picture:
            assert picture.n_frames == 3
            sizes.append(picture.size)
    assert sizes[0][0] > sizes[1][0]


def test_the_film_follows_the_wheel_whose_force_varies_most(run):
    film = CrossingFilm.of(run, 5.0, 2)
    spread = np.ptp(run.contact_forces, axis=0)
    assert film.patches.wheel == int(spread.argmax())
    other = 1 - film.patches.wheel
    assert CrossingFilm.of(run, 5.0, 2, wheel=other).patches.wheel == other
    on = run.t[run.on_beam[:, film.patches.wheel]]
    assert film.on_bridge.tolist() == [on[0], on[-1]]
    with pytest.raises(tr.InputError, match="there are 2 elastic contacts"):
        tr.view.animate_crossing(run, "never.gif", wheel=2)


def test_rest_is_the_sum_of_its_parts(stands):
    for around in (None, 1):
        ax = tr.view.rest_plot(stands, around=around)
        bent, local, both = (line.get_ydata() for line in ax.lines[:3])
        np.testing.assert_allclose(bent + local, both)
        low, high = ax.get_ylim()
        assert low > high  # downwards
    with pytest.raises(tr.InputError, match="carries 2 wheels"):
        tr.view.rest_plot(stands, around=2)


def test_patches_of_wheels_at_rest(stands):
    ax = tr.view.rest_patch_plot(stands, wheel=1, along="y")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "on the bent bridge",
        "on a straight one",
    ]
