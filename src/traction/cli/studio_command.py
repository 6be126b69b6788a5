"""The command `studio`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def studio(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="folder with runs and sweeps, made if needed; or one run or sweep to open",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="port; 0 takes a free one")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="open the page in a browser")
    ] = True,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=64, help="runs at the same time", show_default=False)
    ] = None,
    hours: Annotated[float, typer.Option(min=0.01, max=1000.0, help="longest time of one run")] = 4.0,
) -> None:
    """Open Traction Studio: choose, change, run and look at cases in a browser, on this machine only."""
    from traction.studio.serve import serve
    from traction.studio.settings import StudioLimits

    usual = StudioLimits()
    limits = StudioLimits(jobs=jobs or usual.jobs, run_seconds=3600.0 * hours)
    serve(folder, port=port, browser=browser, limits=limits, tell=typer.echo)
