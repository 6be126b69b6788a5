"""Figures of beams on obstacles show what they say."""

import numpy as np
import pytest

import traction as tr
from traction.view.obstacle_curves import place_words


@pytest.fixture(scope="module")
def contact():
    beam = tr.Beam(1.5, 350.0, 1.0, supports=("clamped", "free"))
    return tr.obstacle.solve(beam, 1e3, 0.002, 60)


@pytest.mark.parametrize("quantity", ["deflection", "rotation", "moment", "shear", "contact_force"])
def test_quantities_along_the_beam(contact, quantity):
    ax = tr.view.obstacle_plot(contact, quantity, theory=contact.benchmark, nodes=True)
    lines = {line.get_label(): line for line in ax.lines}
    x, drawn = lines["elements"].get_data()
    values = getattr(contact, quantity)(x)
    scale = np.abs(values).max() / np.abs(drawn).max()
    assert drawn * scale == pytest.approx(values, abs=1e-9 * np.abs(values).max())
    assert "closed form" in lines
    assert "x (m)" in ax.get_xlabel()
    if quantity == "deflection":
        assert ax.yaxis_inverted()
    if quantity == "contact_force":
        assert any("N" in text.get_text() for text in ax.texts)  # the size of the point force


def test_sizes_of_forces_close_together_do_not_cover_each_other():
    x, levels = np.array([0.0, 0.1, 0.15, 2.0]), np.array([10.0, 10.2, 10.9, 10.0])
    placed = place_words(x, levels, (0.5, 1.0))
    assert placed[[0, 3]].tolist() == [10.0, 10.0]  # the first of a group, and one apart
    assert np.diff(np.sort(placed[:3])).min() >= 1.0 - 1e-12
    ax = tr.view.obstacle_plot(
        tr.obstacle.solve(tr.Beam(4.0, 1.0, 1.0), 4.0, 0.02, 80, forces=[(1.0, 1.9), (1.0, 2.0), (1.0, 2.1)]),
        "contact_force",
    )
    ax.figure.canvas.draw()
    boxes = [one.get_window_extent() for one in ax.texts if one.get_text()]
    assert len(boxes) > 2
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_two_obstacles_are_drawn():
    beam = tr.Beam(8.0, 1.0, 1.0)
    both = tr.obstacle.solve(beam, lambda x: 3.0 * np.sin(np.pi * x / 4.0), 0.3, 60, above=0.3)
    assert len(tr.view.obstacle_plot(both).collections) == 2


def test_landing():
    beam = tr.Beam(3.0, 1.0, 1.0, supports=("clamped", "free"), damping=tr.Rayleigh(1.0, 0.05))
    landing = tr.land(beam, 2.0, 0.5, 24, t_end=6.0, dt=0.02)
    ax = tr.view.landing_plot(landing)
    assert len(ax.lines) == 10
    rest = ax.lines[-1].get_ydata()
    assert rest.max() == pytest.approx(0.5 / 1e-3, rel=1e-4)
    ax = tr.view.landing_energy_plot(landing)
    assert [text.get_text() for text in ax.get_legend().get_texts()][-1] == "taken by contacts"


def test_what_is_no_landing(contact):
    for draw in (tr.view.landing_plot, tr.view.landing_energy_plot):
        with pytest.raises(tr.InputError, match="landing"):
            draw(contact)


def test_unknown_quantity(contact):
    with pytest.raises(tr.InputError, match="quantity = 'stress'"):
        tr.view.obstacle_plot(contact, "stress")
