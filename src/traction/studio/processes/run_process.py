"""A child process that runs a case or a sweep into its folder, or resumes it, and draws its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from traction.results.storage.run_files import MANIFEST
from traction.studio.messages import read_workers
from traction.studio.processes.server_link import Order, ServerLink, compute, follow_order

if TYPE_CHECKING:
    from traction.results.run import Run
    from traction.results.sweeps.sweep import Sweep

SWEEPS = ("sweep", "resume-sweep")  #: actions on sweeps


def main() -> None:
    """Run, resume or draw what the server asks for."""
    follow_order(_carry_out, _report)


def _carry_out(link: ServerLink, order: Order, folder: Path) -> bool:
    """Compute, unless only the report is asked for; whether there is one to draw."""
    if order["action"] == "report":
        return True
    if order["action"] in SWEEPS:
        found = compute(link, lambda: _sweep(link, order, folder))
        if found is not None:
            link.end(str(found.status), "" if found.ok else found.message)
        return found is not None
    run = compute(link, lambda: _run(link, order, folder))
    return run is not None and run.is_complete


def _report(folder: Path, link: ServerLink) -> None:
    from traction.kinds.report_run import report_run
    from traction.kinds.sweep.sweep_report import report_sweep
    from traction.results.sweeps.sweep_folder import is_sweep

    report_sweep(folder) if is_sweep(folder) else report_run(folder, progress=link.progress)


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


def _sweep(link: ServerLink, order: Order, folder: Path) -> Sweep | None:
    """Carry out or resume; None where nothing came of it: without a server, its successor does it."""
    from traction.kinds.sweep.run_sweep import carry_out, resume_sweep
    from traction.studio.forms.checked_sweep import plan_order

    workers = read_workers(order)
    if not link.wait_for(folder) or link.is_alone:
        return None
    if order["action"] == "resume-sweep":
        return resume_sweep(folder, workers=workers, progress=link.progress, stop=link.stop)
    plan = plan_order(str(order.get("toml", "")), order)
    return carry_out(plan, folder, workers=workers, progress=link.progress, stop=link.stop)


if __name__ == "__main__":
    main()
