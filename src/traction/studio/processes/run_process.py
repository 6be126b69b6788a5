"""A child process that runs one case into its folder, or resumes it, and draws its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from traction.results.storage.run_files import MANIFEST
from traction.studio.processes.server_link import Order, ServerLink, compute, follow_order

if TYPE_CHECKING:
    from traction.results.run import Run


def main() -> None:
    """Run, resume or draw what the server asks for."""
    follow_order(_carry_out, _report)


def _carry_out(link: ServerLink, order: Order, folder: Path) -> bool:
    """Compute, unless only the report is asked for; whether there is a complete run."""
    if order["action"] == "report":
        return True
    run = compute(link, lambda: _run(link, order, folder))
    return run is not None and run.is_complete


def _report(folder: Path, link: ServerLink) -> None:
    from traction.kinds.report_run import report_run

    report_run(folder, progress=link.progress)


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
