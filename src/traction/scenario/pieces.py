"""Text of several values: its parts between commas that are in no quotes and no brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from traction.scenario.units import NUMBER, unit

PIECE = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[\[{]|[\]}]|,)""")


def pieces_of(text: str) -> list[str]:
    """Parts between commas, without the space around them; a comma at the end adds none."""
    pieces = [piece.strip() for piece in _split(text)]
    if pieces and not pieces[-1]:
        pieces.pop()
    return pieces


def unit_behind(piece: str) -> str:
    """The unit of a number; empty without one."""
    number = NUMBER.match(piece)
    return known_unit(piece[number.end() :]) if number else ""


def known_unit(text: str) -> str:
    """The text if it is a unit, else an empty one."""
    try:
        unit(text.strip())
    except ValueError:
        return ""
    return text.strip()


def _split(text: str) -> Iterator[str]:
    depth, piece = 0, ""
    for token in PIECE.split(text):
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        if token == "," and depth <= 0:
            yield piece
            piece = ""
        else:
            piece += token
    yield piece
