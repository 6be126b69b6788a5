"""A child process that carries out a sweep into its folder, or resumes it, and draws its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from traction.studio.messages import read_workers
from traction.studio.processes.server_link import Order, ServerLink, compute, follow_order

if TYPE_CHECKING:
    from traction.results.sweeps.sweep import Sweep


def main() -> None:
    """Carry out or resume the sweep that the server asks for."""
    follow_order(_carry_out, _report)


def _carry_out(link: ServerLink, order: Order, folder: Path) -> bool:
    """Compute the variants; whether anything came of it."""
    found = compute(link, lambda: _sweep(link, order, folder))
    if found is not None:
        link.end(str(found.status), "" if found.ok else found.message)
    return found is not None


def _report(folder: Path, link: ServerLink) -> None:
    from traction.kinds.sweep.sweep_report import report_sweep

    report_sweep(folder)


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
