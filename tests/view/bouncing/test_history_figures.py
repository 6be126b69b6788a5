import math
import re

import numpy as np
import pytest

import traction as tr
from traction.view.bouncing.history_curves import contact_intervals

UNIT = re.compile(r"\((s|ms|m|mm|J|kN|N)\)$")
CONTACT_TIME = 3.03496e-3


@pytest.fixture(scope="module")
def rubber():
    return tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))


@pytest.fixture(scope="module")
def ball(rubber):
    return tr.bounce(0.11, rubber, 1.0, t_end=1.2)


@pytest.fixture(scope="module")
def losing(rubber):
    return tr.bounce(
        0.11, rubber, 1.0, method="euler-backward", dt=CONTACT_TIME / 30, locate_events=False, t_end=1.2
    )


@pytest.fixture(scope="module")
def steel_ball():
    pair = tr.Pair(tr.Material(2.1e11, 0.3, density=7800.0), tr.STEEL)
    return tr.bounce(0.01, pair, 0.1, t_end=0.2)


def test_flight_is_a_parabola_although_it_is_one_step(losing):
    line = tr.view.height_plot(losing).lines[-1]
    t, q = line.get_data()
    falling = t < 0.45
    assert falling.sum() > 50
    np.testing.assert_allclose(q[falling], 1.0 - 0.5 * 9.81 * t[falling] ** 2, atol=1e-12)


def test_several_heights_are_named_by_method_and_drawn_apart(ball, losing):
    ax = tr.view.height_plot([ball, losing])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["rk4", "euler-backward"]
    assert len({line.get_color() for line in ax.lines[-2:]}) == 2
    twice = tr.view.height_plot([ball, ball])
    assert [text.get_text() for text in twice.get_legend().get_texts()] == ["1: rk4", "2: rk4"]
    named = tr.view.height_plot({"fine": ball, "coarse": losing})
    assert [text.get_text() for text in named.get_legend().get_texts()] == ["fine", "coarse"]


@pytest.mark.parametrize("contact", [None, 0])
def test_energies_add_up_to_the_total(ball, contact):
    ax = tr.view.energy_plot(ball, contact=contact)
    total = next(line for line in ax.lines if line.get_label() == "total").get_ydata()
    tops = [shade.get_paths()[0].vertices[:, 1].max() for shade in ax.collections]
    np.testing.assert_allclose(total, ball.energy[0], rtol=1e-6)
    assert tops[-1] == pytest.approx(ball.energy[0], rel=1e-6)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["gravitational", "kinetic", "elastic", "total"]


def test_energy_is_seen_to_be_lost(losing):
    total = next(
        line for line in tr.view.energy_plot(losing).lines if line.get_label() == "total"
    ).get_ydata()
    assert total[0] == pytest.approx(losing.energy[0])
    assert total[-1] < 0.9 * total[0]


def test_contact_shows_force_and_penetration(ball):
    force, depth = tr.view.contact_plot(ball)
    contact, law = ball.contacts[0], ball.body.law
    assert depth.lines[0].get_ydata().max() == pytest.approx(1e3 * contact.depth, rel=1e-6)
    assert force.lines[0].get_ydata().max() == pytest.approx(
        1e-3 * law.response(contact.depth).force, rel=1e-4
    )
    assert force.lines[0].get_xdata()[-1] == pytest.approx(1e3 * contact.duration, rel=1e-9)
    assert "4.572 mm" in [text.get_text() for text in depth.texts]


def test_contacts_are_found_without_located_events(ball, losing):
    assert not losing.contacts
    first = contact_intervals(losing)[0]
    step = CONTACT_TIME / 30
    assert first.start == pytest.approx(ball.contacts[0].start, abs=1.01 * step)
    assert first.end == pytest.approx(first.start + CONTACT_TIME, rel=0.2)
    assert tr.view.contact_plot(losing)[1].lines[0].get_ydata().max() == pytest.approx(
        1e3 * first.depth, rel=0.01
    )


@pytest.mark.parametrize("which", ["ball", "steel_ball"])
def test_surfaces_meet_in_the_contact(request, which):
    history = request.getfixturevalue(which)
    contact = history.contacts[0]
    ax = tr.view.surface_plot(history, contact.peak_time)
    lines = {line.get_label(): line.get_data() for line in ax.lines}
    touching = np.isfinite(lines["contact"][1])
    body, ground = lines["body"][1], lines["ground"][1]
    assert 50 < touching.sum() < 400
    assert np.abs(body - ground)[touching].max() < 3e-3 * np.abs(ground).max()
    assert (body - ground)[~touching].min() > 0.0
    hertz = math.sqrt(history.body.surface.radius * contact.depth)
    assert 1e-3 * lines["contact"][0][touching].max() == pytest.approx(hertz, rel=0.05)


def test_magnification_is_stated_and_true(ball, steel_ball):
    for history, factor in ((ball, 2.0), (steel_ball, 5.0)):
        ax = tr.view.surface_plot(history, history.contacts[0].peak_time)
        assert ax.get_aspect() == factor
        assert f"heights magnified {factor:g} times" in [text.get_text() for text in ax.texts]
    ax = tr.view.surface_plot(ball, 0.0, magnification=1.0)
    assert "true to scale" in [text.get_text() for text in ax.texts]
    assert "contact" not in [line.get_label() for line in ax.lines]


def test_half_space_of_a_known_shape_is_drawn_as_far_as_it_is_known(rubber):
    x = np.linspace(-0.04, 0.04, 41)
    shape = tr.HeightMap(x, x, (x[None] ** 2 + x[:, None] ** 2) / 0.22)
    grid = tr.Grid(33, 33, 1.8e-3, 1.8e-3)
    history = tr.bounce(
        surface=shape, mass=5.0, pair=rubber, height=0.2, contact="half-space", grid=grid, t_end=0.25
    )
    ax = tr.view.surface_plot(history, history.contacts[0].peak_time)
    assert 20.0 < ax.get_xlim()[1] <= 40.0


def test_stability_marks_the_limits():
    steps = np.geomspace(0.1, 10.0, 41)
    results = [tr.stability(name, steps) for name in ("verlet", "rk4", "newmark")]
    radius, period, damping = tr.view.stability_plot(results)
    marks = [line.get_xdata()[0] for line in radius.lines if line.get_marker() == "o"]
    assert marks == pytest.approx([2.0, 2.0 * math.sqrt(2.0)])
    verlet = period.lines[0].get_ydata()
    assert np.isnan(verlet[steps > 2.0]).all()
    assert np.isfinite(verlet[steps < 2.0]).all()
    assert len(damping.lines) == 4
    assert [text.get_text() for text in radius.figure.legends[0].get_texts()] == ["verlet", "rk4", "newmark"]


def test_axes_are_named_with_units(ball):
    drawn = [tr.view.height_plot(ball), tr.view.energy_plot(ball), tr.view.energy_plot(ball, contact=0)]
    drawn += [*tr.view.contact_plot(ball), tr.view.surface_plot(ball, 0.1)]
    for ax in drawn:
        assert UNIT.search(ax.get_ylabel())
        assert ax.get_title(loc="left")
        assert UNIT.search(ax.get_xlabel()) or ax.get_shared_x_axes().get_siblings(ax) != [ax]


def test_every_method_has_a_style_of_its_own():
    styles = [str(tr.view.method_style(name)) for name in tr.methods()]
    assert len(set(styles)) == len(styles)


def test_bad_input_is_named(ball):
    with pytest.raises(tr.InputError, match=r"contact = 5 is not in the history, which has 1 from 0"):
        tr.view.contact_plot(ball, contact=5)
    with pytest.raises(tr.InputError, match="histories is empty"):
        tr.view.height_plot([])
    with pytest.raises(tr.InputError, match=r"tr\.bounce"):
        tr.view.energy_plot(3.0)
    with pytest.raises(tr.InputError, match="method = 'eular' is not known"):
        tr.view.method_style("eular")
    with pytest.raises(tr.InputError, match="axes has 1 axes, expected 2"):
        tr.view.contact_plot(ball, [tr.view.blank_figure().subplots()])
    two = tr.integrate(tr.SecondOrderSystem(np.eye(2), None, [1.0, 0.0], [0.0, 0.0]), "rk4", 0.1, 0.2)
    with pytest.raises(tr.InputError, match="has 2 coordinates; a height is one"):
        tr.view.height_plot(two)


def test_a_body_in_flight_has_no_surfaces_to_show(rubber):
    flying = tr.bounce(0.11, rubber, 1.0, t_end=0.1)
    with pytest.raises(tr.InputError, match="does not touch the ground"):
        tr.view.surface_plot(flying, 0.05)
    assert tr.view.height_plot(flying).lines
