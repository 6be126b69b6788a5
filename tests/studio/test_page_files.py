"""What the page is made of: small modules that find each other, no markup of words, nothing from outside."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from traction.view.page.colours import contrast

PAGE = Path(str(files("traction.studio") / "page"))
MODULES = sorted(PAGE.rglob("*.js"))
NAMESPACE = "http://www.w3.org/2000/svg"
#: what makes markup or code of words, which may come from files of others
FORBIDDEN = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|eval\(|new Function)"
)
LONGEST = 500
IMPORT = re.compile(r'from "(\.[^"]+)"')


def _name(path):
    return path.relative_to(PAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_is_small_safe_and_finds_what_it_imports(path):
    text = path.read_text(encoding="utf-8")
    assert FORBIDDEN.findall(text) == []
    assert re.findall(r"https?://[^\s\"'`]+", text.replace(NAMESPACE, "")) == []
    assert text.count("\n") < LONGEST
    assert text.startswith("// "), "a module begins with what it is for"
    for name in IMPORT.findall(text):
        assert (path.parent / name).resolve().is_file(), name


def test_the_document_has_no_script_style_or_handler_of_its_own():
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", text) == []
    for name in re.findall(r'(?:src|href)="/static/([^"]+)"', text):
        assert (PAGE / name).is_file(), name


def test_colours_are_given_for_light_and_dark():
    """Every colour that the page names is one of the style sheet, which has both."""
    style = (PAGE / "styles" / "base.css").read_text(encoding="utf-8")
    given = set(re.findall(r"--([\w-]+): light-dark\(", style))
    texts = [one.read_text(encoding="utf-8") for one in (*PAGE.rglob("*.css"), *MODULES)]
    used = {name for text in texts for name in re.findall(r"var\(--([a-z0-9-]+)\)", text)}
    assert used <= given


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_words_and_lines_stand_out(colours):
    """WCAG AA: 4.5 for words on whatever they lie, 3 for lines and borders of controls."""
    style = (PAGE / "styles" / "base.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    of = {name: dark if colours == "dark" else light for name, light, dark in pairs}
    for words in ("ink", "soft", "accent", "good", "bad"):
        for under in ("paper", "desk", "box"):
            assert contrast(of[words], of[under]) >= 4.5, (words, under)
    assert contrast(of["accent"], of["tint"]) >= 4.5
    assert contrast(of["on-accent"], of["accent"]) >= 4.5
    for line in ("edge", *(f"c{n}" for n in range(1, 8))):
        assert contrast(of[line], of["paper"]) >= 3.0, line
