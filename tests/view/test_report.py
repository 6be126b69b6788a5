import re
from html.parser import HTMLParser

import pytest

import traction as tr
from traction.view import Table, blank_figure, write_report

NASTY = '<script>alert("1 & 2")</script>'


class Elements(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href", "srcset")]

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def page(tmp_path):
    figure = blank_figure(2, 1)
    figure.subplots().plot([0, 1])
    table = Table(NASTY, ("check", NASTY), [("force", "passed"), (NASTY, "7 mm")])
    return write_report(
        tmp_path / "made" / "report.html",
        NASTY,
        summary=["first", NASTY],
        tables=[table],
        figures=[("curve", NASTY, figure)],
        command=f"python {NASTY}",
    )


def test_report_holds_everything_it_shows(page):
    text = page[0].read_text(encoding="utf-8")
    elements = Elements()
    elements.feed(text)
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in elements.links)
    assert not re.search(r"https?://|@import|url\((?!#)|fetch\(|XMLHttp|WebSocket", text)
    assert elements.tags.count("svg") == 1
    assert not {"link", "iframe", "object"} & set(elements.tags)


def test_report_escapes_all_it_is_given(page):
    elements = Elements()
    elements.feed(page[0].read_text(encoding="utf-8"))
    assert elements.tags.count("script") == 2  # the data of the figure, and what draws it
    # title twice, paragraph, table title, header, cell, caption and command
    assert sum(NASTY in words for words in elements.text) == 8


def test_figures_lie_beside_the_report(page):
    assert [file.name for file in page] == ["report.html", "curve.png", "curve.svg"]
    assert page[1].read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in page[2].read_bytes()


def test_same_figure_gives_the_same_bytes(tmp_path):
    for name in ("first", "second"):
        figure = blank_figure(2, 1)
        figure.subplots().scatter([0, 1], [1, 0])
        write_report(
            tmp_path / name / "r.html", "t", summary="s", figures=[("dots", "c", figure)], command="run"
        )
    for file in ("r.html", "dots.png", "dots.svg"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()


def test_good_news_is_marked(page):
    assert page[0].read_text(encoding="utf-8").count(">passed</td>") == 1
    assert '<td class="good" data-head=' in page[0].read_text(encoding="utf-8")


def test_ragged_table_is_an_error():
    with pytest.raises(tr.InputError, match="3 cells, the header 2"):
        Table("t", ("a", "b"), [("1", "2", "3")])


def test_films_are_shown_first_and_held_by_the_page(tmp_path):
    film = tmp_path / "film.gif"
    film.write_bytes(b"GIF89a, and what moves")
    page = tmp_path / "report.html"
    table = tr.view.Table("Numbers", ("name",), [("one",)])
    tr.view.write_report(
        page, "A title", summary="Words.", tables=[table], films=[(film, "It moves.")], command="do"
    )
    film.unlink()
    text = page.read_text()
    assert "data:image/gif;base64,R0lGODlh" in text
    assert text.index("It moves.") < text.index("Numbers")


def test_each_table_of_verdicts_has_its_own_count(tmp_path):
    head = ("check", "verdict")
    checks = Table("Checks", head, [("force", "passed"), ("energy", "large")])
    cases = Table("Verification cases", head, [("ball", "passed"), ("roller", "passed")])
    one = Table("Checks", head, [("force", "passed")])
    for tables, counts in (
        ([checks, cases], ["1 of 2 checks passed", "2 of 2 verification cases passed"]),
        ([one], ["Check passed"]),
        ([Table("Checks", head, [("force", "large")])], ["Check missed"]),
        ([Table("Checks", head, [])], []),
    ):
        page = write_report(tmp_path / "r.html", "t", summary="s", tables=tables, command="run")[0]
        assert re.findall(r'<p class="verdict[^>]*>(.*?)</p>', page.read_text()) == counts
