"""Ctrl-C and SIGTERM while a command computes: the first asks to stop, the second ends at once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import typer

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Answers whether the user has asked to stop; passed to computations as `stop` and as `phase`.

    While samples are computed, a signal asks to stop after the current one, and likewise while the speeds of
    a study are. While files are written it waits for them. At any other time nothing would be lost, so it
    ends the command at once, as a second signal always does; a third one ends the process, whatever it is
    doing.
    """

    def __init__(self) -> None:
        self._asked, self._deferred, self._unit = False, "", "sample"

    def __call__(self) -> bool:
        """Whether to stop; whoever asks will stop."""
        self._deferred = f"after this {self._unit}"
        return self._asked

    def phase(self, name: str) -> None:
        """A phase of the work begins."""
        from traction.results.recorder import EVALUATING, WRITING

        self._unit = "speed of the study" if name == EVALUATING else "sample"
        self._deferred = "after these files" if name == WRITING else ""

    def end(self) -> None:
        """Samples and files are complete; what follows can be repeated at any time."""
        self._deferred = ""
        if self._asked:
            raise KeyboardInterrupt

    def receive(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        if self._asked or not self._deferred:
            for known in SIGNALS:
                signal.signal(known, signal.SIG_DFL)
            raise KeyboardInterrupt
        self._asked = True
        with suppress(RuntimeError):  # the signal came while the terminal was being written to
            typer.echo(f"stopping {self._deferred}; press Ctrl-C again to stop at once", err=True)


@contextmanager
def stoppable() -> Iterator[StopRequest]:
    """Turn Ctrl-C and SIGTERM into a request to stop, meanwhile."""
    request = StopRequest()
    previous = {number: signal.signal(number, request.receive) for number in SIGNALS}
    try:
        yield request
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
