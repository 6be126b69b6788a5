"""A page stays small: data goes first, then static pictures become smaller; large drawings are pixels."""

import io
from functools import partial

import numpy as np
import pytest
from PIL import Image

from traction.view import Table, blank_figure, report, write_report
from traction.view.page.live import shrink_png
from traction.view.page.pictures import MOST_DRAWN, Picture, keep_small


def test_the_largest_data_goes_first_and_only_as_far_as_needed():
    pictures = [Picture("a", "svg", "x" * size) for size in (100, 900, 500)]
    kept = keep_small(pictures, 700)
    assert [len(one.data) for one in kept] == [100, 0, 500]
    assert [len(one.data) for one in keep_small(pictures, 10_000)] == [100, 900, 500]
    assert keep_small([Picture("a", "svg" * 1000)], 10)[0].drawn == "svg" * 1000


def test_then_the_largest_static_pictures_become_smaller_as_far_as_needed():
    def picture(*sizes, data=""):
        drawn, *lighter = ("x" * size for size in sizes)
        return Picture("a", drawn, data, lighter=tuple(partial(str, one) for one in lighter))

    pictures = [picture(900, 400, 5), picture(300, 100, 5, data="y" * 50), picture(800, 850, 600, 5)]
    assert [one.size for one in keep_small(pictures, 2000)] == [900, 300, 800]
    assert [one.size for one in keep_small(pictures, 1500)] == [400, 300, 800]
    assert [one.size for one in keep_small(pictures, 1300)] == [400, 300, 600]  # 850 would be larger
    assert [one.size for one in keep_small(pictures, 20)] == [5, 5, 5]


def test_a_very_large_drawing_is_embedded_as_a_picture():
    svg, png = b"<svg>" + b" " * MOST_DRAWN + b"</svg>", partial(bytes, b"png")
    assert "data:image/png;base64," in Picture.of_svg("n", "c", svg, None, png).write()
    assert "<svg" in Picture.of_svg("n", "c", b"<svg></svg>", None, png).write()


def test_a_shrunk_picture_has_half_the_size():
    store = io.BytesIO()
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (60, 80, 3), dtype=np.uint8)).save(store, "PNG")
    small = shrink_png(store.getvalue())
    assert Image.open(io.BytesIO(small)).size == (40, 30)
    assert len(small) < 0.2 * len(store.getvalue())


@pytest.mark.parametrize("most", [80_000, 45_000])
def test_a_page_stays_below_its_limit_whatever_it_shows(most, tmp_path, monkeypatch):
    """Static pictures count as well as data, words and tables; every caption stays."""
    monkeypatch.setattr(report, "LARGEST", most)
    noise = np.random.default_rng(2).random((90, 90))
    figures = []
    for k in range(3):
        figure = blank_figure(2.0, 1.5)
        figure.subplots().imshow(noise)
        figures.append((f"map{k}", f"Map {k}", figure))
    table = Table("Rows", ("a", "b"), [("µ" * 20, "0")] * 50)
    page = write_report(
        tmp_path / "r.html", "t", summary="s", tables=[table], figures=figures, command="run"
    )[0]
    assert len(page.read_bytes()) <= most
    text = page.read_text(encoding="utf-8")
    assert all(f"<figcaption>Map {k}</figcaption>" in text for k in range(3))
    assert ("beside this page, is too large" in text) == (most == 45_000)
