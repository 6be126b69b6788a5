"""How far a long call is: a bar in notebooks, one line in terminals, nothing in logs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from traction.printable import escaped

FIRST_SECONDS = 1.0  #: what takes less shows nothing
NEXT_SECONDS = 0.2  #: between two looks
WIDTH = 24  #: of the bar in a terminal, characters
PARTS = 200  #: of a compiled march whose progress is shown

Tell = Callable[[float, float], None]  #: called with what is done and what there is
Progress = Callable[[int, int], None]  #: the same, of steps, speeds or cases


class Screen(Protocol):
    """Where progress is shown."""

    def show(self, words: str, share: float, rest: str) -> None: ...  # noqa: D102
    def clear(self) -> None: ...  # noqa: D102


class Handle(Protocol):
    """An output of IPython that can be changed later."""

    def display(self, view: object) -> None: ...  # noqa: D102
    def update(self, view: object) -> None: ...  # noqa: D102


class NotebookScreen:
    """An element of the page that is updated in place, and removed at the end."""

    def __init__(self) -> None:
        self._handle: Handle | None = None

    def show(self, words: str, share: float, rest: str) -> None:
        """Update the bar."""
        from IPython.display import HTML, DisplayHandle

        text = f"{escaped(words)} {100.0 * share:.0f} %{escaped(rest)}"
        view = HTML(f"<progress value='{share:.4f}' max='1' style='width:16em'></progress> {text}")
        if self._handle is not None:
            self._handle.update(view)
            return
        self._handle = DisplayHandle()
        self._handle.display(view)

    def clear(self) -> None:
        """Take the bar away."""
        from IPython.display import HTML

        if self._handle is not None:
            self._handle.update(HTML(""))


class TerminalScreen:
    """One line that is written over, and removed at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._wide = stream, 0

    def show(self, words: str, share: float, rest: str) -> None:
        """Write the line."""
        bar = ("=" * round(share * WIDTH)).ljust(WIDTH)
        line = f"{words} [{bar}] {100.0 * share:3.0f} %{rest}"
        self._stream.write("\r" + line.ljust(self._wide))
        self._stream.flush()
        self._wide = len(line)

    def clear(self) -> None:
        """Remove the line."""
        if self._wide:
            self._stream.write("\r" + " " * self._wide + "\r")
            self._stream.flush()


def choose_screen(asked: bool) -> Screen | None:
    """Notebooks always show progress, terminals where asked to, files and pipes never."""
    if _in_notebook():
        return NotebookScreen()
    return TerminalScreen(sys.stderr) if asked and sys.stderr.isatty() else None


@contextmanager
def telling(progress: Callable[..., None] | bool | None, words: str) -> Iterator[Callable[..., None] | None]:
    """The function to call with what is done and what there is, as `progress` asks for it.

    A function is passed on; True shows a bar in a terminal or a notebook, None in a notebook only, False
    nowhere. The bar appears after a second.
    """
    if callable(progress):
        yield progress
        return
    screen = None if progress is False else choose_screen(progress is True)
    if screen is None:
        yield None
        return
    began, shown = time.monotonic(), 0.0

    def tell(done: float, total: float) -> None:
        nonlocal shown
        now = time.monotonic() - began
        if now < FIRST_SECONDS or now - shown < NEXT_SECONDS or not total:
            return
        shown, share = now, min(1.0, max(0.0, done / total))
        left = f", {now * (1.0 - share) / share:.0f} s left" if share > 0.0 else ""
        screen.show(words, share, left)

    try:
        yield tell
    finally:
        screen.clear()


def in_parts(first: int, last: int, told: Tell | None) -> Iterator[tuple[int, int]]:
    """Ranges (start, end) that cover the steps from `first` to `last`, reported as each is done.

    One range where nothing is reported, so that compiled code runs through.
    """
    if told is None or last <= first:
        yield first, last
        return
    size = max(1, -(-(last - first) // PARTS))
    for start in range(first, last, size):
        end = min(start + size, last)
        yield start, end
        told(end, last)


def _in_notebook() -> bool:
    """Whether the code runs in a kernel of Jupyter, whose output is a page."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"
