"""What the page is made of: small modules that find each other, no markup of words, nothing from outside."""

import itertools
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
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


#: what eyes without one kind of cone see, in linear RGB (Machado, Oliveira and Fernandes 2009)
EYES = {
    "without red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "without green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "without blue": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def _seen(colour, eye):
    """Place of a colour in CIELAB, as an eye sees it."""
    share = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(np.maximum(XYZ @ np.clip(np.array(eye) @ linear, 0.0, 1.0) / XYZ.sum(axis=1), 0.008856))
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_colour_blind_tell_stick_from_slip_and_curves_apart(colours, eye):
    """Differences of CIELAB: 2 can be noticed, 10 at a glance. Curves of like colours have other dashes."""
    style = (PAGE / "styles" / "base.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    of = {name: _seen(dark if colours == "dark" else light, EYES[eye]) for name, light, dark in pairs}
    assert np.linalg.norm(of["stick"] - of["slip"]) > 50.0
    assert np.linalg.norm(of["good"] - of["bad"]) > 20.0
    found = re.search(r"DASHES = (\[.*?\]);", (PAGE / "drawing" / "curves.js").read_text(), re.DOTALL)
    dashes = json.loads(re.sub(r",\s*\]", "]", found[1]))
    for a, b in itertools.combinations(range(7), 2):
        alike = np.linalg.norm(of[f"c{a + 1}"] - of[f"c{b + 1}"]) < 10.0
        assert not alike or dashes[a % len(dashes)] != dashes[b % len(dashes)], (a, b)
