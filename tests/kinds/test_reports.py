"""Reports of every kind: their order, their words, and how a browser shows them on a desk and on a phone."""

import html
import itertools
import re

import pytest

import traction as tr
from built_ins import SHOWN
from traction.kinds.registry import KINDS, shipped
from traction.kinds.sweep.sweep_report import report_sweep

MOVING = ("roll", "bounce", "impact", "moving-load", "cross")  #: kinds with a slider through time
LARGEST = 3_000_000  #: bytes
#: what no reader should meet: numbers that are none, names of classes, round-off with a unit
BAD = re.compile(r"\bnan\b|\binf\b|[a-z](Law|Table|Case|Beam|Contact)\b|[eE]-[1-9]\d (N|Pa|m|J)\b")
#: use every control, by mouse and by keys
USE = """
(() => {
  const keys = ["ArrowRight", "ArrowLeft", "+", "ArrowRight", "-", "Home"];
  for (const panel of document.querySelectorAll(".panel > svg[tabindex]")) {
    for (const key of keys) panel.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    for (const kind of ["pointerdown", "pointermove", "pointerup"])
      panel.dispatchEvent(new PointerEvent(kind, { clientX: 200, pointerType: "touch", pointerId: 1 }));
  }
  for (const slider of document.querySelectorAll("input[type=range]")) {
    for (const value of [slider.min, slider.max]) {
      slider.value = value;
      slider.dispatchEvent(new Event("input"));
    }
  }
  for (const button of document.querySelectorAll("button")) { button.click(); button.click(); }
})()
"""
PAPER = "getComputedStyle(document.querySelector('main')).backgroundColor"
#: what is wider than the page, and text that is cut off
MEASURE = """
(() => {
  const wide = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > wide) found.push(`page ${document.documentElement.scrollWidth}`);
  for (const one of document.querySelectorAll("h1, h2, h4, p, figcaption, .key, .bar, .read, .live svg")) {
    const right = one.getBoundingClientRect().right;
    if (!one.closest(".scroll") && right > wide + 1) found.push(one.outerHTML.slice(0, 80));
  }
  return found;
})()
"""


def test_every_kind_is_looked_at():
    assert set(SHOWN) == set(KINDS)


def visible(page):
    text = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


@pytest.mark.parametrize("kind", KINDS)
def test_the_story_comes_first_then_figures_checks_inputs_and_versions(kind, built_in_report):
    page = built_in_report(SHOWN[kind]).read_text(encoding="utf-8")
    story = re.search(r'<section class="story">(.*?)</section>', page, re.DOTALL).group(1)
    computed, outcome, trust = (html.unescape(one) for one in re.findall(r"<p>(.*?)</p>", story, re.DOTALL))
    assert re.search(r"\d", computed)
    assert re.search(r"\d (mm|µm|m|kN|N|Hz|MPa|kN/m|m/s²|mm/s|%)", outcome)
    assert re.search(r"passes|not passed", trust)
    heads = re.findall(r"<h2>(.*?)</h2>", page)
    assert heads[0] == "Figures"
    assert heads[-4:] == ["Checks", "Inputs", "Versions", "Reproduce"]
    assert len(page.encode()) < LARGEST
    assert not BAD.search(visible(page)), BAD.search(visible(page))
    assert "m/s2" not in re.sub(r"data:[^\"']+", " ", page)  # pictures have any letters


def widths():
    """A phone for every kind; a desk too for those with a slider, where most is on the page."""
    for kind, width in itertools.product(KINDS, (400, 1280)):
        slow = [pytest.mark.slow] if width == 1280 and kind not in MOVING else []
        yield pytest.param(kind, width, id=f"{kind}-{width}", marks=slow)


@pytest.mark.parametrize(("kind", "width"), list(widths()))
def test_a_browser_shows_all_of_it(kind, width, built_in_report, browser):
    browser.open(built_in_report(SHOWN[kind]), width)
    assert browser.evaluate(MEASURE) == []
    light = browser.evaluate(PAPER)
    browser.set_scheme("dark")
    browser.evaluate(USE)
    assert browser.evaluate(MEASURE) == []
    assert browser.evaluate(PAPER) != light
    assert browser.errors == []
    assert [url for url in browser.requests if not url.startswith(("file:", "data:"))] == []
    sliders = browser.evaluate("document.querySelectorAll('input[type=range]').length")
    assert sliders == (kind in MOVING)


def test_without_scripts_figures_are_pictures(built_in_report, browser):
    browser.open(built_in_report(SHOWN["bounce"]), 400, scripts=False)
    heights = browser.evaluate(
        "[...document.querySelectorAll('.static svg')].map((one) => one.getBoundingClientRect().height)"
    )
    assert len(heights) == 5
    assert min(heights) > 100
    assert browser.evaluate(MEASURE) == []


def test_a_sweep_fits_too(tmp_path, browser):
    tr.sweep(shipped()["roller"], {"load.force_per_length": ["100 kN/m", "200 kN/m"]}, tmp_path / "out")
    page = report_sweep(tmp_path / "out")[0]
    words = visible(page.read_text(encoding="utf-8"))
    assert "Every complete variant passes its checks." in words
    assert not BAD.search(words), BAD.search(words)
    for width in (1280, 400):
        browser.open(page, width, "dark")
        assert browser.evaluate(MEASURE) == []
        assert browser.errors == []
