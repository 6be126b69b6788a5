"""Figures as SVG inside a page, in colours that follow the reader's light or dark setting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from traction.view.page.colours import LIGHT_PAPER, PAPER, colour_variable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PIXELS = 96.0 / 72.0  #: in a point
_COLOUR = re.compile(r"(fill|stroke): (#[0-9a-f]{6})")
_NAMES = re.compile(r'(\bid="|href="#|url\(#)')


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
