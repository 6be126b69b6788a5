"""Pictures of a page: a static one and, where there is data, what a live one is drawn from; small in all."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass, replace

from traction.printable import escaped
from traction.view.page.artists import Json
from traction.view.page.document import HINT
from traction.view.page.live import colours_of, embed_data
from traction.view.page.themed import inline_svg

MOST = 2_700_000  #: characters of all pictures of a page
MOST_DRAWN = 700_000  #: of one drawn as SVG; a larger one is embedded as PNG


@dataclass(frozen=True)
class Picture:
    """A figure of a page."""

    caption: str
    drawn: str  #: HTML of the static picture
    data: str = ""  #: HTML of the data, empty for a figure that stays static
    colours: frozenset[str] = frozenset()  #: which either needs

    @classmethod
    def of_svg(
        cls, name: str, caption: str, svg: bytes, data: Json | None, png: bytes | None = None
    ) -> Picture:
        """A figure drawn as SVG, or as PNG where that is given and much smaller."""
        if png is not None and len(svg) > MOST_DRAWN:
            found = cls.of_image(caption, png, "png")
        else:
            drawn, used = inline_svg(svg, name, escaped(caption))
            found = cls(caption, drawn, colours=frozenset(used))
        if data is None:
            return found
        return replace(found, data=embed_data(data), colours=found.colours | colours_of(data))

    @classmethod
    def of_image(cls, caption: str, image: bytes, kind: str) -> Picture:
        """A picture of pixels, such as a GIF."""
        coded = base64.b64encode(image).decode("ascii")
        return cls(caption, f'<img alt="{escaped(caption)}" src="data:image/{kind};base64,{coded}">')

    def write(self) -> str:
        """The element of the page."""
        box = '<div class="scroll static" tabindex="0" role="region" aria-label="figure">'
        words = f"<figcaption>{escaped(self.caption)}</figcaption>"
        return f"<figure>{box}{self.drawn}</div>{HINT}{words}{self.data}</figure>"


def keep_small(pictures: Iterable[Picture], most: int = MOST) -> list[Picture]:
    """The pictures; where they are too many for a page, those with the most data stay static."""
    kept = list(pictures)
    while sum(len(one.drawn) + len(one.data) for one in kept) > most and any(one.data for one in kept):
        largest = max(range(len(kept)), key=lambda k: len(kept[k].data))
        kept[largest] = replace(kept[largest], data="")
    return kept
