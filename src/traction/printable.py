"""Text from users and files, made safe for where it is shown: terminals, figures and pages.

A name may hold anything: control characters that recolour or clear a terminal, marks that reverse the order
of letters, or signs that matplotlib takes for mathematics.
"""

from __future__ import annotations

from html import escape

SPACES = "\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000"  #: that Python does not count as printable
JOINERS = "\u00ad\u200c\u200d"  #: soft hyphens, and what some scripts need between letters
KEPT = str.maketrans(dict.fromkeys(SPACES + JOINERS, " "))


def is_printable(text: str) -> bool:
    """Whether no character is one on which a terminal acts, or that reorders others."""
    return text.isprintable() or text.translate(KEPT).isprintable()


def printable(text: str) -> str:
    """The text with every other character written as its code."""
    return text if is_printable(text) else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """The same for text of several lines; their ends and tabulators stay."""
    if is_printable(text.replace("\n", "").replace("\t", "")):
        return text
    return "".join(one if one in "\n\t" else _shown(one) for one in text)


def literal(text: str) -> str:
    """Text that matplotlib shows as it is: printable, and without mathematics."""
    return printable(text).replace("$", r"\$")


def escaped(text: str) -> str:
    """Text as HTML and SVG show it, in elements and in attributes."""
    return escape(printable_lines(text), quote=True)


def _shown(character: str) -> str:
    code = ord(character)
    if is_printable(character):
        return character
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
