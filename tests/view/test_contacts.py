import re
import subprocess
import sys

import numpy as np
import pytest

import traction as tr
from traction.view import contacts, figures

UNIT = re.compile(r"\((m|mm|µm|nm|Pa|kPa|MPa|GPa)\)$")


def test_pressure_map_shows_the_pressure_in_megapascal(ellipse):
    ax = tr.view.pressure_map(ellipse)
    (image,) = ax.images
    shown = image.get_array()
    np.testing.assert_allclose(shown.filled(0.0), ellipse.pressure / 1e6, rtol=1e-14)
    np.testing.assert_array_equal(np.ma.getmaskarray(shown), ~ellipse.contact)
    np.testing.assert_allclose(image.get_extent(), [-8.0, 10.0, -9.0, 5.0])
    assert image.origin == "lower"
    assert ax.get_aspect() == 1.0


def test_fitted_ellipse_has_the_semi_axes_of_the_contact(ellipse):
    (line,) = tr.view.pressure_map(ellipse, ellipse=True).lines
    a, b = ellipse.semi_axes
    x, y = line.get_data()
    assert np.ptp(x) == pytest.approx(2e3 * a, rel=1e-3)
    assert np.ptp(y) == pytest.approx(2e3 * b, rel=1e-3)
    assert (x.max() + x.min()) / 2 == pytest.approx(1.0, abs=1e-6)


def test_hertz_ellipse_lies_where_it_is_put(ellipse, hertz):
    (line,) = tr.view.pressure_map(ellipse, hertz=hertz, hertz_center=(0.0, 0.0)).lines
    assert line.get_label() == "Hertz"
    assert np.max(line.get_xdata()) == pytest.approx(1e3 * hertz.semi_axes[0])


@pytest.mark.parametrize("along", ["x", "y"])
def test_section_goes_through_the_centre(ellipse, hertz, along):
    ax = tr.view.section(ellipse, hertz, along)
    computed, theory = ax.lines
    middle = ellipse.pressure[24] if along == "x" else ellipse.pressure[:, 30]
    beside = ellipse.pressure[23] if along == "x" else ellipse.pressure[:, 29]
    drawn = computed.get_ydata() * 1e6
    assert min(np.abs(drawn - row).max() for row in (middle, beside)) < 1e-6 * ellipse.peak_pressure
    assert theory.get_ydata().max() * 1e6 == pytest.approx(hertz.peak_pressure, rel=1e-3)
    # the two agree but for the steps of the elements
    at_centres = np.interp(computed.get_xdata(), *theory.get_data())
    assert np.abs(at_centres - computed.get_ydata()).max() < 0.1 * hertz.peak_pressure / 1e6


def test_deformed_surfaces_meet_in_the_contact_and_nowhere_overlap(ellipse):
    ax = tr.view.deformed_section(ellipse)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    distance = lines["body 1, deformed"] - lines["body 2, deformed"]
    touched = ellipse.contact[np.argmin(np.abs(ellipse.grid.y - ellipse.center[1]))]
    largest = np.abs(lines["body 1, undeformed"]).max()
    assert np.abs(distance[touched]).max() < 1e-5 * largest
    assert distance[~touched].min() > 1e-4 * largest
    # equal bodies share the approach
    assert lines["body 2, deformed"].min() == pytest.approx(0.5 * lines["body 1, undeformed"].min(), rel=1e-3)


def test_convergence_plot_finds_the_order():
    cells = np.array([16, 32, 64, 128])
    ax = tr.view.convergence_plot(cells, {"approach": 3.0 * cells**-1.5}, order=2)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["approach: order 1.50", "order 2"]
    x, y = ax.lines[1].get_data()
    assert np.polyfit(np.log(x), np.log(y), 1)[0] == pytest.approx(-2.0)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_convergence_plot_draws_every_series_apart():
    cells = np.array([16, 32, 64])
    ax = tr.view.convergence_plot(cells, {f"e{i}": (i + 1.0) / cells for i in range(15)})
    assert len(ax.lines) == 15
    assert len({(line.get_color(), line.get_marker()) for line in ax.lines}) == 15
    assert len(ax.get_legend().get_texts()) == 15


@pytest.mark.parametrize("cells", [[32], [32, 32]])
def test_convergence_of_one_resolution_has_no_order(cells):
    ax = tr.view.convergence_plot(cells, {"approach": [1e-3] * len(cells)}, order=1)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["approach", "order 1"]


@pytest.mark.parametrize(
    ("cells", "errors", "message"),
    [
        ([0, 2], [1.0, 1.0], r"cells = \[0, 2\] must be a row of positive numbers"),
        ([], [], r"cells = \[\] must be a row"),
        ([1, 2], {}, "errors has no series"),
        ([1, 2], {"approach": [1.0]}, r"approach has shape \(1,\), expected \(2,\)"),
    ],
)
def test_convergence_plot_names_bad_input(cells, errors, message):
    with pytest.raises(tr.InputError, match=message):
        tr.view.convergence_plot(cells, errors)


def test_hertz_line_on_a_map_has_two_sides(ellipse):
    line = tr.hertz.line(0.46, ellipse.pair, force=1e6)
    ax = tr.view.pressure_map(ellipse, hertz=line, hertz_center=(0.0, 0.0))
    sides = sorted(side.get_xdata()[0] for side in ax.lines)
    assert sides == pytest.approx([-1e3 * line.half_width, 1e3 * line.half_width])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Hertz"]
    assert np.isfinite([*ax.get_xlim(), *ax.get_ylim()]).all()
    ax.figure.canvas.draw()


@pytest.mark.parametrize(
    "draw", [contacts.pressure_map, contacts.section, contacts.deformed_section, tr.view.von_mises_map]
)
def test_axes_are_named_with_units(ellipse, draw):
    ax = draw(ellipse)
    assert UNIT.search(ax.get_xlabel())
    assert UNIT.search(ax.get_ylabel())
    assert ax.get_title(loc="left")


def test_given_axes_are_used(ellipse):
    ax = tr.view.blank_figure().subplots()
    assert tr.view.section(ellipse, ax=ax) is ax
    assert ax.lines


def test_line_contact_has_a_section_but_no_map(strip):
    ax = tr.view.section(strip, tr.hertz.line(0.1, strip.pair, force=1e5))
    assert ax.lines[0].get_ydata().max() * 1e6 == pytest.approx(strip.peak_pressure)
    assert tr.view.von_mises_map(strip).lines
    with pytest.raises(tr.InputError, match="Use section"):
        tr.view.pressure_map(strip)
    for draw in (tr.view.section, tr.view.deformed_section, tr.view.von_mises_map, tr.view.stress_plane):
        with pytest.raises(tr.InputError, match='line contact does not vary along y; use along="x"'):
            draw(strip, along="y")


def test_bodies_that_do_not_touch(steel):
    apart = tr.press(tr.Sphere(0.1), tr.Grid(16, 16, 1e-4, 1e-4), steel, approach=-1e-6)
    assert tr.view.pressure_map(apart).images[0].get_array().mask.all()
    with pytest.raises(tr.InputError, match="do not touch"):
        tr.view.von_mises_map(apart)


def test_zero_error_cannot_be_drawn():
    with pytest.raises(tr.InputError, match="must be positive"):
        tr.view.convergence_plot([1, 2], [0.0, 1.0])


@pytest.mark.parametrize("draw", [lambda n: contacts.section(n), lambda n: figures.blank_figure()])
def test_missing_matplotlib_says_how_to_get_it(ellipse, monkeypatch, draw):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(tr.InputError, match=re.escape("pip install traction[plot]")):
        draw(ellipse)


def test_view_loads_without_matplotlib():
    code = "import sys, traction; traction.view.section; print('matplotlib' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
