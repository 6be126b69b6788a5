"""The width of a terminal, and text that fits it."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable
from typing import TextIO

from traction.printable import printable_lines

NARROWEST = 40  #: columns; text is not wrapped to less
COMMAND = ": traction "  #: how a command begins that is to be typed
HANGING = "  "  #: how much further the second line of a wrapped one is indented


def columns_of(stream: TextIO | None = None) -> int | None:
    """Columns of the terminal behind a stream (standard output); None for a file or a pipe.

    The environment variable COLUMNS overrides both.
    """
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return max(int(given), NARROWEST)
    try:
        return max(os.get_terminal_size((stream or sys.stdout).fileno()).columns, NARROWEST)
    except (OSError, ValueError):  # no terminal, or a stream without a file
        return None


def fit(text: str, columns: int | None) -> str:
    """The text with lines that are too long continued on further ones, broken between words only.

    Characters on which a terminal would act, of names and messages in files, are shown as their codes.
    """
    text = printable_lines(text)
    if columns is None:
        return text
    return "\n".join(piece for line in text.splitlines() for piece in _pieces(line, columns))


def _pieces(line: str, columns: int) -> list[str]:
    if len(line) <= columns:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    words, colon, command = line.partition(COMMAND)
    if colon:  # a command is copied, and stays in one piece
        return [*_pieces(f"{words}:", columns), f"{indent}{HANGING}{COMMAND[2:]}{command}"]
    return hang(line.strip(), indent, indent + HANGING, columns)


def hang(text: str, first: str, others: str, columns: int) -> list[str]:
    """Lines of a paragraph that begins with `first` and is continued behind `others`."""
    return textwrap.wrap(
        text,
        columns,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,  # names of files are copied
        break_on_hyphens=False,
    ) or [first.rstrip()]


def definitions(pairs: Iterable[tuple[str, str]], columns: int | None) -> list[str]:
    """Lines with names in one column and what they mean, wrapped, in another."""
    listed = list(pairs)
    wide = max((len(name) for name, _ in listed), default=0)
    lines: list[str] = []
    for name, words in listed:
        first = f"  {name:<{wide}}  "
        lines += [first + words] if columns is None else hang(words, first, " " * len(first), columns)
    return lines
