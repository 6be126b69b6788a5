"""A child process that runs one case into its folder, or resumes it, and draws its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from traction.results.storage.file_names import MANIFEST
from traction.studio.processes.server_link import Order, ServerLink, compute, draw, open_link

if TYPE_CHECKING:
    from traction.results.run import Run


def main() -> None:
    """Do what the server asks, and tell it about it."""
    opened = open_link()
    if opened is None:
        return
    link, order = opened
    folder = Path(str(order["folder"]))
    if order["action"] != "report":
        run = compute(link, lambda: _run(link, order, folder))
        if run is None or not run.is_complete:
            return

    def write_report() -> None:
        from traction.kinds.report_run import report_run

        report_run(folder, progress=link.progress)

    draw(link, write_report)


def _run(link: ServerLink, order: Order, folder: Path) -> Run | None:
    """Run or resume; None where nothing came of it."""
    from traction.errors import ConvergenceError
    from traction.kinds.simulate import resume
    from traction.results.run import Run

    try:
        run = _start(link, order, folder) if order["action"] == "start" else None
        if link.is_alone:
            return None
        if run is None:
            if not link.wait_for(folder):
                return None
            run = resume(folder, progress=link.progress, stop=link.stop, phase=link.phase)
    except ConvergenceError as error:
        link.end("failed", str(error))
        return error.result if isinstance(error.result, Run) else None
    link.end(str(run.status), run.message)
    return run


def _start(link: ServerLink, order: Order, folder: Path) -> Run | None:
    """Run; None where that is begun already, by a process of a studio that was killed meanwhile."""
    from traction.errors import InputError
    from traction.kinds.case import loads
    from traction.kinds.simulate import simulate

    case = loads(str(order.get("toml", "")))
    if link.is_alone:
        return None
    try:
        return simulate(case, folder, progress=link.progress, stop=link.stop, phase=link.phase)
    except InputError:
        if order.get("restored") and (folder / MANIFEST).is_file():
            return None
        raise


if __name__ == "__main__":
    main()
