"""Commands about the installation: `verify`, `warmup`, `info`."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from traction.app.terminal import columns_of, definitions
from traction.cli.options import Json
from traction.cli.output import FAULT, MISSED, say
from traction.errors import InputError

PACKAGES = ("numpy", "scipy", "numba", "pydantic", "matplotlib", "xarray", "scikit-fem")


def verify(
    only: Annotated[str | None, typer.Option(help="run only the checks whose name contains this")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="run a selection: seconds, once kernels are compiled")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare every capability with its analytical or published solution."""
    from traction.app.command_output import describe_verdict
    from traction.app.progress_bar import show_work
    from traction.app.verdict_rows import VerdictRows, summarise
    from traction.app.verification import compute_verdict, left_out, select_checks
    from traction.results.recorder import COMPUTING

    began = time.perf_counter()
    rows, verdicts = VerdictRows(columns_of()), []
    with show_work(silent=as_json, phases={COMPUTING: 30.0}, unit="checks", counting=False) as work:
        selected, without = select_checks(only, quick=quick), left_out()
        if not selected:
            raise InputError(_explain_none(only, without))
        work.row(rows.header())
        for check in selected:
            verdicts.append(compute_verdict(check))
            for line in rows.lines(verdicts[-1]):
                work.row(line)
            work.show(len(verdicts), len(selected))
    missed = sum(not verdict.passed for verdict in verdicts)
    lines = [f"left out: {reason}" for reason in without]
    lines += summarise(verdicts, time.perf_counter() - began)
    lines += ["a selection of the checks; run all with: traction verify"] if quick else []
    described = [describe_verdict(verdict) for verdict in verdicts]
    say({"checks": described, "missed": missed, "left_out": without}, "\n".join(lines), as_json)
    if missed:
        raise typer.Exit(MISSED)


def _explain_none(only: str | None, without: tuple[str, ...]) -> str:
    hint = "".join(f" Left out: {reason}." for reason in without)
    return f"--only {only}: no check has that in its name; `traction verify` lists them all.{hint}"


def warmup(
    workers: Annotated[
        int | None, typer.Option(min=1, help="number of processes that compile; one per core by default")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile all kernels on all cores, so that no later call has to wait for them."""
    from traction.app.command_output import describe_warmup, tell_call
    from traction.app.progress_bar import COMPILING, show_work
    from traction.app.warmup import FIRST_CALLS, warm_up

    outcomes = []
    with show_work(silent=as_json, phases={COMPILING: 60.0}, unit="calls", counting=False) as work:
        for outcome in warm_up(FIRST_CALLS, workers):
            outcomes.append(outcome)
            work.tell(tell_call(outcome))
            work.show(len(outcomes), len(FIRST_CALLS))
    facts, text = describe_warmup(outcomes)
    say(facts, text, as_json)
    if facts["failed"]:
        raise typer.Exit(FAULT)


def info(as_json: Json = False) -> None:
    """Print versions, kinds of scenarios and built-in examples."""
    from traction.app.command_output import describe_cache
    from traction.kinds.registry import KINDS, shipped, shipped_title
    from traction.version import __version__

    versions = {name: _version_of(name) for name in PACKAGES}
    python, (kept, words) = sys.version.split()[0], describe_cache()
    facts = {
        "traction": __version__,
        "python": python,
        "packages": versions,
        "compiled kernels": kept["folder"],
        "compiled": kept,
        "kinds": KINDS,
        "scenarios": list(shipped()),
    }
    columns = columns_of()
    lines = [f"traction {__version__}, python {python}"]
    lines += [f"  {name} {number}" for name, number in versions.items()]
    lines += ["kinds of scenarios", *definitions(KINDS.items(), columns)]
    examples = ((name, shipped_title(name)) for name in shipped())
    lines += ["built-in examples; run with: traction run NAME", *definitions(examples, columns)]
    lines += [f"compiled kernels: {words}"]
    say(facts, "\n".join(lines), as_json)


def _version_of(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
