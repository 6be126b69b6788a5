"""The data of live figures: what is drawn, thinned without losing peaks; other figures stay static."""

import json

import numpy as np
import pytest

from traction.quantities import Unit
from traction.view.chart import Chart
from traction.view.figures import BLUE, DARK, blank_figure, style_axes
from traction.view.page.live import colours_of, crop, embed_data, live_figure, live_film, plain, shorten, thin

SECONDS = Unit("s", 1.0)


def test_thinning_keeps_every_peak_the_ends_and_gaps():
    rng = np.random.default_rng(3)
    x, y = np.linspace(0.0, 1.0, 200_001), rng.normal(size=200_001)
    y[123_456], y[7_000], y[50_000:50_100] = 40.0, -30.0, np.nan
    few_x, few_y = thin(x, y, 500)
    assert few_x.size <= 3 * 500 + 2
    assert (np.nanmax(few_y), np.nanmin(few_y)) == (40.0, -30.0)
    assert few_x[np.nanargmax(few_y)] == x[123_456]
    assert (few_x[0], few_x[-1]) == (0.0, 1.0)
    assert np.isnan(few_y).any()
    assert (np.diff(few_x) > 0.0).all()


def test_what_is_seen_is_cropped_with_a_point_beyond():
    x = np.arange(10.0)
    np.testing.assert_array_equal(crop(x, x, (3.5, 6.0))[0], [3, 4, 5, 6, 7])
    np.testing.assert_array_equal(crop(x, x, (6.0, 3.5))[0], [3, 4, 5, 6, 7])
    assert crop(x[::-1], x, (3.5, 6.0))[0].size == 10


def test_few_points_are_all_kept():
    x = np.linspace(0.0, 1.0, 90)
    assert thin(x, x, 500)[0] is x


def test_numbers_are_rounded_to_the_range_of_their_axis():
    assert shorten(np.array([1.23456789, np.nan, 2.0]), 10.0, 4) == [1.235, None, 2]
    assert shorten(np.array([1.23456789e-6]), 1e-5, 3) == [1.23e-06]


def test_a_figure_of_curves_is_read_as_it_is_drawn():
    figure = blank_figure(6, 4)
    chart = Chart(figure.add_subplot(), SECONDS, Unit("mm", 1e-3))
    chart.plot([0.0, 1.0, 2.0], [1e-3, 3e-3, 2e-3], "--", color=BLUE, label="bent")
    chart.ax.axhline(2.0, color=DARK)
    chart.shade([(0.5, 1.0)], "off", color=DARK, alpha=0.2)
    chart.ax.text(1.0, 2.0, "here")
    chart.ax.invert_yaxis()
    chart.finish("time", "deflection", "A title", legend=True)
    spec = live_figure(figure)
    (panel,) = spec["panels"]
    items = {item["k"]: item for item in panel["items"]}
    assert (panel["xLabel"], panel["yLabel"], panel["title"]) == ("time (s)", "deflection (mm)", "A title")
    assert panel["y"][0] > panel["y"][1]
    assert (items["l"]["x"], items["l"]["y"], items["l"]["s"]) == ([0, 1, 2], [1, 3, 2], "bent")
    assert items["l"]["d"] == "--"
    assert items["h"]["at"] == 2.0
    assert (items["b"]["at"], items["b"]["s"]) == ([0.5, 1.0], "off")
    assert items["t"]["t"] == "here"
    assert colours_of(spec) >= {BLUE.lower(), DARK}


@pytest.mark.parametrize("draw", ["imshow", "loglog", "annotate"])
def test_what_the_script_does_not_draw_stays_static(draw):
    figure = blank_figure(4, 3)
    ax = figure.add_subplot()
    if draw == "imshow":
        ax.imshow(np.zeros((3, 3)))
    elif draw == "loglog":
        ax.loglog([1, 2], [1, 2])
    else:
        ax.annotate("", (0.1, 0.1), (0.9, 0.9), arrowprops={"arrowstyle": "->"})
    assert live_figure(figure) is None


class Stage:
    def __init__(self):
        self.figure = blank_figure(4, 3)
        ax = self.figure.add_subplot()
        ax.plot([0, 1], [5, 5], color=BLUE)
        (self.dot,) = ax.plot([0], [0], "o")
        self.image = ax.imshow(np.zeros((2, 2)), origin="lower", vmin=0.0, vmax=1.0)
        ax.set_aspect("auto")
        style_axes(ax, "x (m)", "y (m)", "")

    def show(self, frame):
        self.dot.set_data([frame], [1])
        self.image.set_data([[frame / 2, 0.0], [0.0, 0.0]])


def test_of_a_film_only_what_changes_is_written_for_every_frame():
    spec = live_film(Stage(), 3, 12.0)
    (panel,) = spec["panels"]
    image, still, dot = panel["items"]
    assert spec["frames"] == 3
    assert "f" not in still
    assert dot["f"] == {"x": [[0], [1], [2]]}
    assert len(set(image["f"]["src"])) == 3


def test_data_cannot_end_its_element():
    text = embed_data({"t": "</script><script>alert(1)</script>"})
    assert text.count("</script>") == 1
    assert json.loads(text.split(">", 1)[1].rsplit("<", 1)[0])["t"].startswith("</script>")


def test_formulas_become_words():
    assert plain(r"traction / ($\mu p_0$)") == "traction / (µ p₀)"
    assert plain("price_x") == "price_x"
