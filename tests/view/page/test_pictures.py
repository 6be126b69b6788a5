"""A page stays small: the figures with the most data stay static, very large drawings become pictures."""

from traction.view.page.pictures import MOST_DRAWN, Picture, keep_small


def test_the_largest_data_goes_first_and_only_as_far_as_needed():
    pictures = [Picture("a", "svg", "x" * size) for size in (100, 900, 500)]
    kept = keep_small(pictures, 700)
    assert [len(one.data) for one in kept] == [100, 0, 500]
    assert [len(one.data) for one in keep_small(pictures, 10_000)] == [100, 900, 500]
    assert keep_small([Picture("a", "svg" * 1000)], 10)[0].drawn == "svg" * 1000


def test_a_very_large_drawing_is_embedded_as_a_picture():
    svg = b"<svg>" + b" " * MOST_DRAWN + b"</svg>"
    assert "data:image/png;base64," in Picture.of_svg("n", "c", svg, None, b"png").write()
    assert "<svg" in Picture.of_svg("n", "c", b"<svg></svg>", None, b"png").write()
