"""Entry of the command `traction`, beside the package: Ctrl-C is handled before any of it is loaded."""

import os
import signal
from types import FrameType

INTERRUPTED = 130  #: exit status; `traction.cli.output` lists the others


def main() -> None:
    """Run the command line; until it is loaded, Ctrl-C ends the process with a line."""
    waits = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where a shell ignores Ctrl-C
    if waits:
        signal.signal(signal.SIGINT, _leave)
    from traction.cli import main as run

    if waits:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once: an interrupt in the midst of an import may leave half a module, and nothing is open."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
