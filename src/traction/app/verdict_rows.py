"""Rows of `traction verify`, each a line as soon as it is known, in columns that fit the terminal."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from rich.text import Text

from traction.app.verification import Verdict

#: columns in their order, with their widths; a narrow terminal leaves out those of WIDE only
COLUMNS = {
    "verdict": 7,
    "case": 31,
    "quantity": 52,
    "expected": 15,
    "computed": 15,
    "error": 7,
    "limit": 7,
    "source": 31,
}
WIDE_ONLY = ("expected", "computed", "source")
LEAST_QUANTITY = 18  #: columns; longer ones are wrapped
GAP = 2
STYLES = {"passed": "green", "MISSED": "bold red"}


class VerdictRows:
    """The header, and the lines of a verdict, for a terminal of so many columns (None: a file)."""

    def __init__(self, columns: int | None) -> None:
        widths = dict(COLUMNS)
        self._is_file = columns is None
        if columns is not None and columns < _total(widths):
            for name in WIDE_ONLY:
                del widths[name]
            spare = columns - _total(widths) + widths["quantity"]
            widths["quantity"] = min(widths["quantity"], max(spare, LEAST_QUANTITY))
        self._widths = widths

    def header(self) -> Text:
        """Names of the columns."""
        return Text(self._line({name: name for name in self._widths}), style="bold")

    def lines(self, verdict: Verdict) -> Iterator[Text]:
        """A line, and more of them where a text is wider than its column."""
        cells = {name: self._wrapped(name, text) for name, text in _cells(verdict).items()}
        for number in range(max(len(cells[name]) for name in self._widths)):
            at = {name: (cells[name][number : number + 1] or [""])[0] for name in self._widths}
            line = Text(self._line(at))
            if number == 0:
                line.stylize(STYLES[at["verdict"]], 0, len(at["verdict"]))
            yield line

    def _line(self, cells: dict[str, str]) -> str:
        return (" " * GAP).join(f"{cells[name]:<{wide}}" for name, wide in self._widths.items()).rstrip()

    def _wrapped(self, name: str, text: str) -> list[str]:
        wide = self._widths.get(name, 0)
        if not wide or self._is_file:
            return [text]
        return textwrap.wrap(text, wide, break_on_hyphens=False) or [""]


def _total(widths: dict[str, int]) -> int:
    return sum(widths.values()) + GAP * (len(widths) - 1)


def _cells(verdict: Verdict) -> dict[str, str]:
    check, known = verdict.check, math.isfinite(verdict.computed)
    return {
        "verdict": "passed" if verdict.passed else "MISSED",
        "case": check.name,
        "quantity": check.quantity.replace("_", " "),
        "expected": f"{check.expected:.9g}",
        "computed": f"{verdict.computed:.9g}" if known else "none",
        "error": _short(verdict.error) if known else "none",
        "limit": f"{check.tolerance:g}",
        "source": check.source,
    }


def _short(error: float) -> str:
    return f"{error:.1e}" if error else "0"


def summarise(verdicts: Sequence[Verdict], seconds: float) -> list[str]:
    """How many passed, which did not, and which is nearest to its limit."""
    missed = [verdict for verdict in verdicts if not verdict.passed]
    lines = [f"{len(verdicts) - len(missed)} passed, {len(missed)} missed in {seconds:.0f} s"]
    for verdict in missed:
        found = (
            f"computed {verdict.computed:.9g}, expected" if math.isfinite(verdict.computed) else "expected"
        )
        check = verdict.check
        lines.append(
            f"  missed: {check.name}, {check.quantity}: {found} {check.expected:.9g} ({check.source})"
        )
    judged = [verdict for verdict in verdicts if verdict.check.tolerance > 0.0]  # others are exact
    if len(judged) > 1 and not missed:
        nearest = max(judged, key=lambda verdict: verdict.error / verdict.check.tolerance)
        share = nearest.error / nearest.check.tolerance
        check = nearest.check
        lines.append(f"  nearest to its limit: {check.name}, {check.quantity}, at {share:.0%} of it")
    return lines
