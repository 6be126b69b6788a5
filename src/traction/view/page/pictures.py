"""Pictures of a page: a static one and, where there is data, what a live one is drawn from; small in all."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from traction.printable import escaped
from traction.view.page.colours import inline_svg
from traction.view.page.document import HINT
from traction.view.page.live import Json, colours_of, embed_data, shrink_png

MOST_DRAWN = 700_000  #: bytes of one drawn as SVG; a larger one is embedded as PNG


@dataclass(frozen=True)
class Picture:
    """A figure of a page."""

    caption: str
    drawn: str  #: HTML of the static picture
    data: str = ""  #: HTML of the data, empty for a figure that stays static
    colours: frozenset[str] = frozenset()  #: which either needs
    lighter: tuple[Callable[[], str], ...] = ()  #: make HTML of smaller static pictures, one after the other

    @classmethod
    def of_svg(
        cls, name: str, caption: str, svg: bytes, data: Json | None, png: Callable[[], bytes]
    ) -> Picture:
        """A figure drawn as SVG, or as PNG where that is much smaller; a file of that name lies beside."""
        lighter = (
            lambda: _embed(caption, png(), "png"),
            lambda: _embed(caption, shrink_png(png()), "png"),
            lambda: _refer(f"{name}.png"),
        )
        if len(svg) > MOST_DRAWN:
            found = cls(caption, lighter[0](), lighter=lighter[1:])
        else:
            drawn, used = inline_svg(svg, name, escaped(caption))
            found = cls(caption, drawn, colours=frozenset(used), lighter=lighter)
        if data is None:
            return found
        return replace(found, data=embed_data(data), colours=found.colours | colours_of(data))

    @classmethod
    def of_image(cls, caption: str, image: bytes, name: str) -> Picture:
        """A picture of pixels, such as a GIF, in a file of that name."""
        kind = name.rpartition(".")[2]
        return cls(caption, _embed(caption, image, kind), lighter=(lambda: _refer(name),))

    @property
    def size(self) -> int:
        """Bytes that it takes in the page."""
        return len(self.drawn.encode()) + len(self.data.encode())

    @property
    def frame(self) -> int:
        """Bytes of what is written around it."""
        return len(self.write().encode()) - self.size

    def write(self) -> str:
        """The element of the page."""
        box = '<div class="scroll static" tabindex="0" role="region" aria-label="figure">'
        words = f"<figcaption>{escaped(self.caption)}</figcaption>"
        return f"<figure>{box}{self.drawn}</div>{HINT}{words}{self.data}</figure>"


def keep_small(pictures: Iterable[Picture], most: int) -> list[Picture]:
    """The pictures, in so many bytes.

    Where they are too many, those with the most data stay static; then the largest static ones are drawn
    smaller, and at last only named.
    """
    kept = list(pictures)
    total = sum(one.size for one in kept)
    while total > most:
        live = [k for k, one in enumerate(kept) if one.data]
        large = live or [k for k, one in enumerate(kept) if one.lighter]
        if not large:
            break
        k = max(large, key=lambda k: len(kept[k].data if live else kept[k].drawn))
        before = kept[k].size
        kept[k] = replace(kept[k], data="") if live else _lighten(kept[k])
        total += kept[k].size - before
    return kept


def _lighten(picture: Picture) -> Picture:
    """The next smaller static picture."""
    (make, *rest) = picture.lighter
    drawn = make()
    smaller = drawn if len(drawn) < len(picture.drawn) or not rest else picture.drawn
    return replace(picture, drawn=smaller, lighter=tuple(rest))


def _embed(caption: str, image: bytes, kind: str) -> str:
    coded = base64.b64encode(image).decode("ascii")
    return f'<img alt="{escaped(caption)}" src="data:image/{kind};base64,{coded}">'


def _refer(name: str) -> str:
    return f"<p>{escaped(name)}, beside this page, is too large to be shown in it.</p>"
