"""Words and lines of a page can be read on light and on dark paper (WCAG 2.2, AA)."""

import re

import pytest

from traction.view import figures
from traction.view.page.colours import (
    DARK_PAPER,
    PAPER,
    contrast,
    dark_variant,
    declare_colours,
    light_variant,
)
from traction.view.page.document import read_part


def variables(scheme):
    blocks = re.findall(r":root \{(.*?)\}", read_part("page.css"), re.DOTALL)
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})\b", blocks[("light", "dark").index(scheme)]))


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "soft", "accent", "good", "bad"])
def test_words_of_a_page_can_be_read(scheme, name):
    found = variables(scheme)
    assert contrast(found[name], found["paper"]) >= 4.5
    assert contrast(found["ink"], found["box"]) >= 4.5


@pytest.mark.parametrize("colour", [*figures.CYCLE, figures.GREY, "#440154", "#000000", "#1b3a6b"])
def test_lines_of_figures_are_seen_on_dark_paper(colour):
    assert contrast(dark_variant(colour.lower()), DARK_PAPER) >= 4.5


@pytest.mark.parametrize("colour", [*figures.CYCLE, figures.GREY, "#000000"])
def test_lines_of_figures_are_seen_on_light_paper(colour):
    assert contrast(light_variant(colour.lower()), "#ffffff") >= 3.0
    assert light_variant(figures.BLUE.lower()) == figures.BLUE.lower()
    assert light_variant(figures.GROUND_FILL) == figures.GROUND_FILL


def test_areas_turn_dark_and_maps_stay():
    assert contrast(dark_variant(figures.GROUND_FILL), DARK_PAPER) < 2.0
    assert dark_variant(PAPER) == DARK_PAPER
    assert dark_variant(figures.MAP_INK) == figures.MAP_INK
    assert dark_variant(figures.MAP_FLOOR) == figures.MAP_FLOOR


def test_each_colour_is_declared_for_both():
    text = declare_colours({"#0072B2", PAPER})
    assert text.count("--c-0072b2:") == 2
    assert f"--c-fffffe:{DARK_PAPER};" in text
