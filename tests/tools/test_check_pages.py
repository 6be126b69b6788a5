"""The check of built pages finds pages that are too wide and pages that load from elsewhere."""

import pytest

from check_pages import find_browser, foreign_loads, main, overflowing

NARROW = (
    "<!doctype html><body><p>fits</p><div style='overflow-x:auto'><div style='width:3000px'>x</div></div>"
)
WIDE = "<!doctype html><body><table class=broad style='width:700px'><tr><td>x</table>"


def test_loads_from_other_hosts_are_found(tmp_path):
    (tmp_path / "fine.html").write_text(
        '<link rel="canonical" href="https://example.org/">'
        '<a href="https://example.org">away</a><img src="own.png">'
    )
    (tmp_path / "page.html").write_text('<script async src="https://cdn.example.org/x.js"></script>')
    (tmp_path / "style.css").write_text("@font-face { src: url(//fonts.example.org/a.woff2) }")
    found = foreign_loads(tmp_path)
    assert [one.split(":")[0] for one in found] == ["page.html", "style.css"]
    assert main([str(tmp_path)]) == 1


def test_pages_wider_than_a_phone_are_found(tmp_path, capsys):
    browser = find_browser()
    if browser is None:
        pytest.skip("no Chromium is installed")
    (tmp_path / "narrow.html").write_text(NARROW)
    (tmp_path / "wide.html").write_text(WIDE)
    ((page, width, need, element),) = overflowing(sorted(tmp_path.glob("*.html")), browser)
    assert page.endswith("wide.html")
    assert (width, element) == (400, "td")
    assert need > 700
    assert main([str(tmp_path)]) == 1
    assert "wide.html needs" in capsys.readouterr().out


def test_empty_folder_is_said(tmp_path):
    with pytest.raises(SystemExit, match="make docs"):
        main([str(tmp_path)])
