"""A child process that runs one case into its folder, or resumes it, and draws its report."""

from __future__ import annotations

import logging
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from traction.studio.processes.child_pipe import ChildPipe, limit_memory

if TYPE_CHECKING:
    from traction.results.run import Run

DRAWING = "drawing"
TOLD_SECONDS = 0.1  #: between two messages about progress


class _Server:
    """What the server asks, and what it receives."""

    def __init__(self, pipe: ChildPipe) -> None:
        self._pipe, self._told = pipe, 0.0
        self._asked = threading.Event()

    def listen(self) -> None:
        """Wait in a thread for the request to stop, or for the end of the server."""
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        for message in self._pipe.receive():
            if message.get("stop"):
                break
        self._asked.set()

    def stop(self) -> bool:
        """Whether to stop."""
        return self._asked.is_set()

    def progress(self, done: int, total: int) -> None:
        """Tell how many samples are complete."""
        now = time.monotonic()
        if done == total or now - self._told >= TOLD_SECONDS:
            self._told = now
            self._pipe.send({"progress": [int(done), int(total)]})

    def phase(self, name: str) -> None:
        """Tell which phase begins."""
        self._pipe.send({"phase": name})

    def end(self, state: str, message: str) -> None:
        """Tell how the run ended."""
        self._pipe.send({"ended": state, "message": message})

    def note(self, message: str) -> None:
        """Tell what the run waits for."""
        self._pipe.send({"note": message})

    def report(self, state: str, message: str = "") -> None:
        """Tell how the report is getting on."""
        self._pipe.send({"report": state, "message": message})


class _NoteHandler(logging.Handler):
    """Passes on what the compiler says: a first run may wait for it."""

    def __init__(self, server: _Server) -> None:
        super().__init__()
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        """Tell the server."""
        self._server.note(record.getMessage())


def main() -> None:
    """Do what the first message asks, and tell the server about it."""
    pipe = ChildPipe()
    order = next(pipe.receive(), None)
    if order is None:
        return
    limit_memory(order.get("memory"))
    server = _Server(pipe)
    server.listen()
    logging.getLogger("traction.compiled").addHandler(_NoteHandler(server))
    folder = Path(str(order["folder"]))
    if order["action"] != "report":
        run = _compute(server, order, folder)
        if run is None or not run.is_complete:
            return
    _draw(server, folder)


def _compute(server: _Server, order: dict[str, object], folder: Path) -> Run | None:
    """Run or resume; None where nothing came of it."""
    from traction.errors import ConvergenceError, TractionError
    from traction.kinds.case import loads
    from traction.kinds.simulate import resume, simulate
    from traction.results.run import Run

    server.phase("computing")
    try:
        if order["action"] == "resume":
            run = resume(folder, progress=server.progress, stop=server.stop, phase=server.phase)
        else:
            case = loads(str(order["toml"]))
            run = simulate(case, folder, progress=server.progress, stop=server.stop, phase=server.phase)
    except ConvergenceError as error:
        server.end("failed", str(error))
        return error.result if isinstance(error.result, Run) else None
    except TractionError as error:
        server.end("failed", str(error))
    except MemoryError:
        server.end("failed", "the case does not fit in the memory that a run may use; choose a smaller grid.")
    except Exception as error:  # a bug must be seen, and the server must know
        server.end("failed", f"{type(error).__name__}: {error}. This is a bug in Traction.")
        raise
    else:
        server.end(str(run.status), run.message)
        return run
    return None


def _draw(server: _Server, folder: Path) -> None:
    """Write the report, where figures can be drawn."""
    if find_spec("matplotlib") is None:
        server.report("failed", "figures need matplotlib: pip install traction[plot].")
        return
    import matplotlib as mpl

    mpl.use("Agg")
    from traction.errors import TractionError
    from traction.kinds.report_run import report_run

    server.phase(DRAWING)
    server.report(DRAWING)
    try:
        report_run(folder, progress=server.progress)
    except (TractionError, MemoryError) as error:
        server.report("failed", str(error) or "the report does not fit in memory.")
        return
    server.report("ready")


if __name__ == "__main__":
    main()
