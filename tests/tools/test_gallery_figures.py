"""A figure with an empty axes must not reach the built pages."""

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")
from gallery_figures import clear_paper, empty_axes, save_full_figures  # noqa: E402


@pytest.fixture(autouse=True)
def _agg():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def test_drawn_axes_are_not_empty():
    figure, axes = plt.subplots(2, 3)
    axes[0, 0].plot([0.0, 1.0], [0.0, 1.0])
    axes[0, 1].scatter([0.0], [1.0])
    axes[0, 2].bar([0.0, 1.0], [1.0, 2.0])
    figure.colorbar(axes[1, 0].imshow(np.eye(3)), ax=axes[1, 0])
    axes[1, 1].pcolormesh(np.eye(3))
    axes[1, 2].axis("off")
    assert empty_axes(figure) == []


def test_axes_with_guides_only_are_empty():
    figure, axes = plt.subplots(1, 4)
    axes[0].axhline(0.0)
    axes[1].axvspan(0.0, 1.0)
    axes[2].plot([], [], label="in the legend")
    axes[2].plot([0.0, 1.0], [np.nan, np.nan])
    axes[3].set_title("never drawn")
    assert empty_axes(figure) == list(axes)


def test_figures_have_no_paper_of_their_own():
    figure, (left, right) = plt.subplots(1, 2)
    right.set_facecolor("#440155")
    clear_paper(figure)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())
    assert pixels[2, 2, 3] == 0
    for axes, opaque in ((left, 0), (right, 255)):
        x, y = axes.transAxes.transform((0.5, 0.5)).astype(int)
        assert pixels[-y, x, 3] == opaque


def test_build_stops_at_a_figure_that_is_drawn_on_later():
    pytest.importorskip("sphinx_gallery")
    _, (left, right) = plt.subplots(1, 2)
    left.plot([0.0, 1.0])
    right.set_title("Energy")
    with pytest.raises(ValueError, match=r"plot_x\.py, block at line 12: 1 of 2 axes are empty .*'Energy'"):
        save_full_figures(("code", "", 12), {"src_file": "plot_x.py"}, {})
