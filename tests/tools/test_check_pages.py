"""The check of built pages finds pages that are too wide and pages that load from elsewhere."""

import pytest

import check_pages
from check_pages import faults_on_screen, foreign_loads, main

NARROW = (
    "<!doctype html><body><p>fits</p><div style='overflow-x:auto'><div style='width:3000px'>x</div></div>"
)
WIDE = "<!doctype html><body><div class=broad style='width:700px'>x</div>"
BROKEN = "<!doctype html><body><script>nothing.there()</script><img src='http://example.org/x.png'>"


def test_loads_from_other_hosts_are_found(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(check_pages, "find_browser", lambda: None)
    (tmp_path / "fine.html").write_text(
        '<link rel="canonical" href="https://example.org/">'
        '<a href="https://example.org">away</a><img src="own.png">'
    )
    assert main([str(tmp_path)]) == 0
    assert "width not checked" in capsys.readouterr().out
    (tmp_path / "page.html").write_text('<script async src="https://cdn.example.org/x.js"></script>')
    (tmp_path / "style.css").write_text("@font-face { src: url(//fonts.example.org/a.woff2) }")
    assert [one.split()[0] for one in foreign_loads(tmp_path)] == ["page.html", "style.css"]
    assert main([str(tmp_path)]) == 1


def test_pages_that_fail_on_screen_are_found(tmp_path, browser):
    for name, text in (("narrow", NARROW), ("wide", WIDE), ("broken", BROKEN)):
        (tmp_path / f"{name}.html").write_text(text)
    narrow, wide, broken = (tmp_path / f"{name}.html" for name in ("narrow", "wide", "broken"))
    assert faults_on_screen(tmp_path, [narrow], browser) == []
    (found,) = faults_on_screen(tmp_path, [wide], browser)
    assert found.startswith("wide.html needs 7")
    assert found.endswith("px of 400 px: div.broad")
    found = faults_on_screen(tmp_path, [broken], browser, widths=(400,))
    assert any("nothing is not defined" in one for one in found)
    assert any("asks for http://example.org/x.png" in one for one in found)


def test_empty_folder_is_said(tmp_path):
    with pytest.raises(SystemExit, match="make docs"):
        main([str(tmp_path)])
