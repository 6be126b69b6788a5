"""Commands that compute and show: `run`, `sweep`, `resume`, `report`, `studio`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from traction.cli.options import (
    Change,
    Dask,
    File,
    Folder,
    Json,
    Keep,
    Out,
    Samples,
    SamplingMethod,
    Seed,
    Variations,
    Workers,
    check_workers,
    find_scenario,
    hint_at_units,
    parse_changes,
)
from traction.cli.output import FAULT, INTERRUPTED, NOT_CONVERGED, say
from traction.cli.stopping import stoppable
from traction.errors import ConvergenceError, InputError

if TYPE_CHECKING:
    from traction.app.progress_bar import WorkDisplay
    from traction.kinds.case import Scenario
    from traction.results.run import Run
    from traction.results.sweeps.sweep import Sweep

NO_FIGURES = "none, its figures need matplotlib: pip install traction[plot]"


def run(
    file: File,
    change: Change = [],  # noqa: B006 - typer copies it
    out: Out = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="replace the folder of a run that failed, was stopped or was killed; a complete run, and "
            "one that is still running, is kept",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a scenario and write its report."""
    from traction.kinds.case import load
    from traction.kinds.simulate import simulate
    from traction.results.replacement import discard_run

    found, changes = find_scenario(file), parse_changes(change)
    scenario = load(found, changes=changes)
    hint_at_units(found, changes)
    default = Path(f"{file.stem}-run")
    folder = out or (default if force else _unused(default))
    if force:
        discard_run(folder)
    try:
        _finish(lambda **hooks: simulate(scenario, folder, **hooks), as_json, scenario)
    except ConvergenceError as error:
        kept = f"The samples before are in {folder}; with other settings, replace it by --force."
        raise ConvergenceError(f"{error} {kept}", error.result) from error


def sweep(
    file: File,
    change: Variations = [],  # noqa: B006 - typer copies it
    together: Annotated[
        bool, typer.Option("--zip", help="take the values of several keys side by side, not in combination")
    ] = False,
    samples: Samples = None,
    sampling: SamplingMethod = "latin-hypercube",
    seed: Seed = 0,
    keep: Keep = "runs",
    workers: Workers = None,
    dask: Dask = None,
    out: Out = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="start variants again that failed or were stopped, and replace another sweep of which no "
            "variant is complete; complete variants are kept",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a scenario with several values or samples of some keys; repeated, it continues where it stopped."""
    from traction.kinds.sweep.run_sweep import carry_out
    from traction.kinds.sweep.sweep_plan import plan_sweep
    from traction.scenario.distributions import choose_sampling
    from traction.scenario.variations import typed_variations

    check_workers(workers, dask)
    drawn = choose_sampling(samples, sampling, seed)
    varied = typed_variations(change, drawn)
    plan = plan_sweep(find_scenario(file), varied, zipped=together, sampling=drawn, keep=keep, prefix="--set")
    folder = out if out is not None else Path(f"{file.stem}-sweep")
    _finish_sweep(
        lambda **hooks: carry_out(plan, folder, workers=workers, executor=dask, force=force, **hooks), as_json
    )


def resume(folder: Folder, workers: Workers = None, dask: Dask = None, as_json: Json = False) -> None:
    """Resume a run or a sweep that was stopped or killed; it continues where it stopped."""
    from traction.kinds.simulate import resume as resume_run
    from traction.kinds.sweep.run_sweep import resume_sweep
    from traction.results.sweeps.sweep_folder import is_sweep

    if is_sweep(folder):
        check_workers(workers, dask)
        _finish_sweep(lambda **hooks: resume_sweep(folder, workers=workers, executor=dask, **hooks), as_json)
        return
    if workers not in (None, 1) or dask is not None:
        given = "--dask" if dask is not None else f"--workers {workers}"
        raise InputError(
            f"{given}: {folder} holds no sweep, and a single run has no variants to share; "
            f"leave {given.split()[0]} out."
        )
    _finish(lambda **hooks: resume_run(folder, **hooks), as_json)


def report(folder: Folder, as_json: Json = False) -> None:
    """Write the report page and the figures of a complete run, or of a sweep."""
    from traction.app.progress_bar import DRAWING, show_work
    from traction.kinds.report_run import report_run
    from traction.kinds.sweep.sweep_report import report_sweep
    from traction.results.sweeps.sweep_folder import is_sweep

    missed: list[str] = []
    with show_work(silent=as_json, phases={DRAWING: 8.0}, unit="figures", counting=False) as work:
        if is_sweep(folder):
            paths = report_sweep(folder)
        else:
            made = report_run(folder, progress=work.show)
            paths, missed = made.files, made.missed
    files = [str(path) for path in paths]
    text = "\n".join(["wrote", *(f"  {file}" for file in files), *_warnings(missed)])
    say({"files": files, "missed_checks": missed}, text, as_json)


def _finish(start: Callable[..., Run], as_json: bool, scenario: Scenario | None = None) -> None:
    """Run with progress, then write the report."""
    from traction.app.command_output import describe_run
    from traction.app.progress_bar import show_work
    from traction.results.manifest import RunStatus
    from traction.results.run import Run

    with stoppable() as stop, show_work(silent=as_json) as work:

        def begin(phase: str) -> None:
            stop.phase(phase)
            work.phase(phase)

        try:
            result = start(progress=work.show, phase=begin, stop=stop)
        except ConvergenceError as error:
            if not isinstance(error.result, Run):
                raise
            result = error.result  # complete, and judged worthless
        if result.is_complete:
            stop.end()
        files, missed = _draw_report(result, scenario, work)
    more = {"ok": result.ok, "damage": list(result.damage), "missed_checks": missed, "files": files}
    text = "\n".join([str(result), *_warnings(missed)])
    if files:
        text += f"\n  report: {files[0]}"
    elif result.is_complete:
        text += f"\n  report: {NO_FIGURES}"
    elif result.folder is not None:
        text += f"\n  resume with: traction resume {result.folder}"
    if result.folder is not None:
        text += f"\n  {_studio_line(result.folder)}"
    say({**describe_run(result), **more}, text, as_json)
    if result.status is RunStatus.FAILED:
        raise typer.Exit(NOT_CONVERGED)
    if not result.ok:
        raise typer.Exit(INTERRUPTED)


def _draw_report(result: Run, scenario: Scenario | None, work: WorkDisplay) -> tuple[list[str], list[str]]:
    """Files of the report of a complete run, and its checks that did not pass."""
    from traction.app.progress_bar import DRAWING
    from traction.kinds.report_run import report_run

    if not result.is_complete or result.folder is None or find_spec("matplotlib") is None:
        return [], []
    work.phase(DRAWING)
    made = report_run(result, scenario, work.show)
    return [str(path) for path in made.files], made.missed


def _warnings(missed: list[str]) -> list[str]:
    """Lines about checks that did not pass."""
    return [f"  check not passed: {sentence}" for sentence in missed]


def _finish_sweep(start: Callable[..., Sweep], as_json: bool) -> None:
    """Sweep with progress, then write the report; a variant that failed is code 3, a bug code 70."""
    from traction.app.command_output import describe_sweep, tell_failure
    from traction.app.progress_bar import DRAWING, SWEEPING, show_work
    from traction.kinds.sweep.sweep_report import report_sweep
    from traction.results.manifest import RunStatus
    from traction.results.sweeps.sweep_folder import TABLE
    from traction.results.sweeps.sweep_summary import summarise_sweep

    with stoppable() as stop, show_work(silent=as_json, phases=SWEEPING, unit="variants") as work:
        result = start(progress=work.show, each=lambda *ended: tell_failure(work.tell, *ended), stop=stop)
        stop.phase(DRAWING)
        assert result.folder is not None
        drawn: list[str] = []
        if find_spec("matplotlib") is not None:
            work.phase(DRAWING)
            drawn = [str(path) for path in report_sweep(result.folder)]
    table = str(result.folder / TABLE)
    lines = [*summarise_sweep(result), f"  table: {table}"]
    lines += [f"  report: {drawn[0] if drawn else NO_FIGURES}"]
    if result.status not in (RunStatus.DONE, RunStatus.FAILED) and result.go_on:  # what failed fails again
        lines.append(f"  resume with: {result.go_on}")
    lines.append(f"  {_studio_line(result.folder)}")
    say(describe_sweep(result, [*drawn, table]), "\n".join(lines), as_json)
    if result.faults:
        raise typer.Exit(FAULT)
    if not result.ok:
        raise typer.Exit(NOT_CONVERGED if result.status is RunStatus.FAILED else INTERRUPTED)


def _studio_line(folder: Path) -> str:
    """How to look at a run or a sweep in a browser."""
    return f"open in Studio: traction studio {shlex.quote(str(folder))}"


def _unused(path: Path) -> Path:
    """The path, with a number when it holds something already."""
    from traction.results.storage.run_files import is_free

    number, candidate = 2, path
    while not is_free(candidate) and number < 10_000:
        candidate, number = path.with_name(f"{path.name}-{number}"), number + 1
    return candidate


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
