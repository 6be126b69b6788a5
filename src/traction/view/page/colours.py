"""Colours of a page in light and dark: a variable for each colour of its figures, and SVG with them."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from traction.view.figures import MAP_FLOOR, MAP_INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LIGHT_PAPER, DARK_PAPER = "#ffffff", "#15191f"
LIGHT_INK, DARK_INK = "#23272e", "#e6e9ed"
PAPER = "#fffffe"  #: marks areas of a figure that show the page behind them
KEPT = (MAP_INK, MAP_FLOOR, LIGHT_PAPER)  #: of what lies on maps and behind them, white included
LEAST_CONTRAST = 4.5  #: of lines and words on dark paper (WCAG AA, words)
LEAST_OF_LINES = 3.0  #: on light paper (WCAG AA, graphics)
PALE = 0.6  #: luminance from which a colour is that of an area, which turns dark
NEUTRAL, BLACK = 0.2, 0.1  #: saturation and luminance below which a colour is that of ink
PIXELS = 96.0 / 72.0  #: in a point
_COLOUR = re.compile(r"(fill|stroke): (#[0-9a-f]{6})")
_NAMES = re.compile(r'(\bid="|href="#|url\(#)')


def luminance(colour: str) -> float:
    """Relative luminance of a colour "#rrggbb", 0 to 1 (WCAG 2.2)."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _split(colour)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def light_variant(colour: str) -> str:
    """The colour on light paper: lines as dark as they need to be seen, areas as they are."""
    if colour == "#000000":
        return LIGHT_INK
    hue, light, saturation = colorsys.rgb_to_hls(*_split(colour))
    if luminance(colour) < PALE:
        while contrast(_join(hue, light, saturation), LIGHT_PAPER) < LEAST_OF_LINES:
            light -= 0.02
        return _join(hue, light, saturation)
    return colour


def dark_variant(colour: str) -> str:
    """The colour that takes the place of one on dark paper, of the same hue."""
    if colour in KEPT:
        return colour
    if colour == PAPER:
        return DARK_PAPER
    hue, light, saturation = colorsys.rgb_to_hls(*_split(colour))
    bright = luminance(colour)
    if bright < BLACK and saturation < NEUTRAL:
        return DARK_INK
    if bright > PALE:
        return _join(hue, 0.1 + 0.6 * (1.0 - light), min(saturation, 0.5))
    while contrast(_join(hue, light, saturation), DARK_PAPER) < LEAST_CONTRAST:
        light += 0.02
    return _join(hue, light, saturation)


def colour_variable(colour: str) -> str:
    """What a style says instead of a colour, as in "var(--c-0072b2)"."""
    return f"var(--c-{colour.lstrip('#').lower()})"


def declare_colours(colours: Iterable[str]) -> str:
    """CSS that sets the variables of colours for light and for dark."""
    used = sorted({colour.lower() for colour in colours})
    light = "".join(f"--c-{colour[1:]}:{light_variant(colour)};" for colour in used)
    dark = "".join(f"--c-{colour[1:]}:{dark_variant(colour)};" for colour in used)
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def _split(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return red, green, blue


def _join(hue: float, light: float, saturation: float) -> str:
    return "#" + "".join(
        f"{round(255 * c):02x}" for c in colorsys.hls_to_rgb(hue, min(light, 1.0), saturation)
    )


def clear_paper(figure: Figure) -> None:
    """Mark the white areas of a figure (its background, legends, boxes) as those that show the page."""
    from matplotlib.colors import to_hex, to_rgba
    from matplotlib.patches import Patch

    for artist in figure.findobj():
        if isinstance(artist, Patch):
            red, green, blue, alpha = to_rgba(artist.get_facecolor())
            if alpha > 0.0 and to_hex((red, green, blue)) == LIGHT_PAPER:
                artist.set_facecolor(to_rgba(PAPER, alpha))


def inline_svg(drawn: bytes, name: str, words: str) -> tuple[str, set[str]]:
    """An SVG file as an element of a page, and the colours in it.

    `name` keeps the identifiers of several figures in a page apart, `words` describe it to screen readers.
    """
    text = drawn.decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    wide = re.search(r'\swidth="([0-9.]+)pt"', text)
    text = re.sub(r'\s(width|height)="[0-9.]+pt"', "", text, count=2)
    text = re.sub(r'\sxmlns(:xlink)?="[^"]*"', "", text).replace("xlink:href", "href")
    text = _NAMES.sub(rf"\g<1>{name}-", text)
    found = {match.group(2) for match in _COLOUR.finditer(text)}
    text = _COLOUR.sub(lambda match: f"{match.group(1)}: {colour_variable(match.group(2))}", text)
    size = f' style="--wide: {round(PIXELS * float(wide.group(1)))}px"' if wide else ""
    return text.replace("<svg", f'<svg role="img" aria-label="{words}"{size}', 1).strip(), found
