"""The command line: `traction`, also as `python -m traction`.

Exit codes: 0 done, 1 verification missed, 2 bad input, 3 did not converge, 70 a fault of the program,
130 stopped before the end.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from traction.errors import ConvergenceError, InputError, TractionError

if TYPE_CHECKING:
    from traction.app.command_output import Facts
    from traction.kinds.case import Scenario
    from traction.results.run import Run
    from traction.results.sweep import Sweep

MISSED, BAD_INPUT, NOT_CONVERGED, FAULT, INTERRUPTED = 1, 2, 3, 70, 130

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Dynamic contact mechanics: describe a case in a file, run it, look at it, trust it.",
)

File = Annotated[Path, typer.Argument(help="scenario file (TOML)")]
Folder = Annotated[Path, typer.Argument(help="run folder")]
Out = Annotated[Path | None, typer.Option(help="folder to write; by default named after the file")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object, for programs")]
Workers = Annotated[int, typer.Option(min=1, help="processes that share the variants of a sweep")]
Change = Annotated[
    list[str], typer.Option("--set", help="key=value that replaces one of the file, as in load.force=2e3")
]


@app.command()
def new(
    kind: Annotated[str, typer.Argument(help="kind, or name of a shipped scenario; see `traction info`")],
    out: Annotated[Path | None, typer.Option(help="file to write; printed when not given")] = None,
) -> None:
    """Write a scenario to start from."""
    from traction.kinds.registry import KINDS, STARTS, shipped

    names = shipped()
    of_kind = (name for name in names if _kind_in(names[name]) == kind)
    chosen = kind if kind in names else STARTS.get(kind) or next(of_kind, None)
    if chosen is None:
        from difflib import get_close_matches

        close = get_close_matches(kind, [*names, *KINDS], n=1, cutoff=0.4)
        hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join([*KINDS, *names])}."
        raise InputError(f'"{kind}" is neither a kind nor a shipped scenario; {hint}')
    text = names[chosen].read_text(encoding="utf-8")
    if out is None:
        sys.stdout.write(text)
        return
    if out.exists():
        raise InputError(f"{out} exists; choose another name, or remove it.")
    from traction.outputs.atomic import write_atomic

    write_atomic(out, text.encode())
    typer.echo(f"wrote {out}; run it by: traction run {out}")


@app.command()
def validate(file: File, change: Change = [], as_json: Json = False) -> None:  # noqa: B006 - typer copies it
    """Check a scenario file."""
    from traction.kinds.case import load

    kind = load(file, changes=_changes(change)).kind
    _say({"file": str(file), "kind": kind, "valid": True}, f"{file}: valid, kind {kind}", as_json)


@app.command()
def run(
    file: File,
    change: Change = [],  # noqa: B006 - typer copies it
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Run a scenario and write its report."""
    from traction.kinds.case import load
    from traction.kinds.simulate import simulate

    scenario = load(file, changes=_changes(change))
    folder = out if out is not None else _unused(Path(f"{file.stem}-run"))
    _finish(lambda **hooks: simulate(scenario, folder, **hooks), as_json, scenario)


@app.command("sweep")
def sweep_command(
    file: File,
    change: Annotated[
        list[str],
        typer.Option(
            "--set",
            help='key=values that are run one after the other: "speed=20 m/s, 30 m/s", or '
            '"speed=20:60:9 m/s" for 9 values from 20 to 60 m/s',
        ),
    ] = [],  # noqa: B006 - typer copies it
    together: Annotated[
        bool, typer.Option("--zip", help="go through the lists side by side, not through all combinations")
    ] = False,
    workers: Workers = 1,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Run a scenario with several values of some keys; the same command goes on where it was."""
    from traction.kinds.sweep.sweep import carry_out
    from traction.kinds.sweep.sweep_plan import plan_sweep
    from traction.scenario.variations import typed_variations

    plan = plan_sweep(file, typed_variations(change), zipped=together, prefix="--set")
    folder = out if out is not None else Path(f"{file.stem}-sweep")
    _finish_sweep(lambda **hooks: carry_out(plan, folder, workers=workers, **hooks), as_json)


@app.command("resume")
def resume_command(folder: Folder, workers: Workers = 1, as_json: Json = False) -> None:
    """Go on with a run or a sweep that was stopped or killed."""
    from traction.kinds.simulate import resume
    from traction.kinds.sweep.sweep import resume_sweep
    from traction.results.sweep_folder import is_sweep

    if is_sweep(folder):
        _finish_sweep(lambda **hooks: resume_sweep(folder, workers=workers, **hooks), as_json)
        return
    if workers != 1:
        raise InputError(
            f"--workers {workers}: {folder} holds no sweep, and a single run has no variants to share; "
            "leave --workers out."
        )
    _finish(lambda **hooks: resume(folder, **hooks), as_json)


@app.command("report")
def report_command(folder: Folder, as_json: Json = False) -> None:
    """Write the report page and the figures of a finished run, or of a sweep."""
    from traction.kinds.report_run import report_run
    from traction.kinds.sweep.sweep_report import report_sweep
    from traction.results.sweep_folder import is_sweep

    missed: list[str] = []
    if is_sweep(folder):
        paths = report_sweep(folder)
    else:
        made = report_run(folder)
        paths, missed = made.files, made.missed
    files = [str(path) for path in paths]
    text = "\n".join(["wrote", *(f"  {file}" for file in files), *_warnings(missed)])
    _say({"files": files, "missed_checks": missed}, text, as_json)


@app.command("verify")
def verify_command(
    only: Annotated[str | None, typer.Option(help="run only the checks whose name contains this")] = None,
    as_json: Json = False,
) -> None:
    """Run every capability against its closed or published answer."""
    from traction.app.command_output import describe_verdict, print_verdicts
    from traction.app.verification import left_out, verify

    verdicts, without = list(verify(only)), left_out()
    if not verdicts:
        hint = "".join(f" Left out: {reason}." for reason in without)
        raise InputError(
            f"--only {only}: no check has that in its name; `traction verify` lists them all.{hint}"
        )
    missed = sum(not verdict.passed for verdict in verdicts)
    if not as_json:
        print_verdicts(verdicts)
    lines = [f"left out: {reason}" for reason in without]
    rows = [describe_verdict(verdict) for verdict in verdicts]
    text = "\n".join([*lines, f"{len(verdicts) - missed} passed, {missed} missed"])
    _say({"checks": rows, "missed": missed, "left_out": without}, text, as_json)
    if missed:
        raise typer.Exit(MISSED)


@app.command()
def schema(kind: Annotated[str, typer.Argument(help="kind of scenario")] = "press") -> None:
    """Print the JSON Schema of a kind, for editors."""
    from traction.kinds.registry import kind_of

    definition = kind_of(kind)
    document = definition.schema.model_json_schema()
    document["properties"] = {"kind": {"const": kind}, **document.get("properties", {})}
    document["required"] = ["kind", *document.get("required", [])]
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    typer.echo(json.dumps(document, indent=1))


@app.command()
def warmup(
    workers: Annotated[
        int | None, typer.Option(min=1, help="processes that compile; by default one for each core")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile all kernels now, on all cores, so that no later call has to wait for it."""
    from traction.app.command_output import describe_warmup, show_progress, tell_call
    from traction.app.warmup import FIRST_CALLS, warm_up

    outcomes = []
    with show_progress("compiling", silent=as_json) as (show, tell):
        for outcome in warm_up(FIRST_CALLS, workers):
            outcomes.append(outcome)
            tell(tell_call(outcome))
            show(len(outcomes), len(FIRST_CALLS))
    facts, text = describe_warmup(outcomes)
    _say(facts, text, as_json)
    if facts["failed"]:
        raise typer.Exit(FAULT)


@app.command()
def info(as_json: Json = False) -> None:
    """Versions, kinds and shipped scenarios."""
    from importlib.metadata import PackageNotFoundError, version

    from traction.app.command_output import describe_cache
    from traction.kinds.registry import KINDS, shipped
    from traction.version import __version__

    def of(name: str) -> str:
        try:
            return version(name)
        except PackageNotFoundError:
            return "not installed"

    packages = ("numpy", "scipy", "numba", "pydantic", "matplotlib", "xarray", "scikit-fem")
    versions = {name: of(name) for name in packages}
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
    lines = [f"traction {__version__}, python {python}"]
    lines += [f"  {name} {number}" for name, number in versions.items()]
    lines += [f"kind {name}: {summary}" for name, summary in KINDS.items()]
    lines += [f"scenarios: {', '.join(shipped())}", f"compiled kernels: {words}"]
    _say(facts, "\n".join(lines), as_json)


def main() -> None:
    """Run the command line; every error a user can cause is a sentence and an exit code."""
    _show_compiling()
    try:
        app()
    except ConvergenceError as error:
        _fail(str(error), NOT_CONVERGED)
    except TractionError as error:
        _fail(str(error), BAD_INPUT)
    except MemoryError:
        _fail("the case does not fit in the memory; choose a smaller grid.", BAD_INPUT)
    except OSError as error:
        _fail(f"{error.filename or 'a file'}: {error.strerror or error}.", BAD_INPUT)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except Exception as error:
        if os.environ.get("TRACTION_DEBUG"):
            raise
        _fail(
            f"{type(error).__name__}: {error}. This is a fault of Traction; TRACTION_DEBUG=1 shows where.",
            FAULT,
        )


def _show_compiling() -> None:
    """Show what the library tells while it compiles; above a bar, where there is one."""

    class OnTerminal(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            from rich.console import Console

            Console(stderr=True, soft_wrap=True).print(record.getMessage(), style="dim", markup=False)

    logger = logging.getLogger("traction.compiled")
    logger.handlers[:] = [OnTerminal()]
    logger.propagate = False


def _fail(message: str, code: int) -> NoReturn:
    """Say what is wrong, for people or, with --json, for programs, and exit."""
    if "--json" in sys.argv[1:]:
        typer.echo(json.dumps({"ok": False, "error": message, "code": code}))
    typer.echo(f"error: {message}", err=True)
    raise SystemExit(code) from None


def _finish(start: Callable[..., Run], as_json: bool, scenario: Scenario | None = None) -> None:
    """Run with progress, then write the report."""
    from traction.app.command_output import describe_run, show_progress
    from traction.kinds.report_run import report_run

    with _stoppable() as stop, show_progress("running", silent=as_json, counting=True) as (show, _):
        result = start(progress=show, stop=stop)
    files: list[str] = []
    missed: list[str] = []
    if result.ok and result.folder is not None and find_spec("matplotlib") is not None:
        made = report_run(result, scenario)
        files, missed = [str(path) for path in made.files], made.missed
    more = {"ok": result.ok, "damage": list(result.damage), "missed_checks": missed, "files": files}
    text = "\n".join([str(result), *_warnings(missed)])
    if files:
        text += f"\n  report: {files[0]}"
    elif result.ok:
        text += "\n  report: none, its figures need matplotlib: pip install traction[plot]"
    elif result.folder is not None:
        text += f"\n  go on with: traction resume {result.folder}"
    _say({**describe_run(result), **more}, text, as_json)
    if not result.ok:
        raise typer.Exit(INTERRUPTED)


def _warnings(missed: list[str]) -> list[str]:
    """Lines about checks that did not pass."""
    return [f"  check not passed: {sentence}" for sentence in missed]


def _finish_sweep(start: Callable[..., Sweep], as_json: bool) -> None:
    """Sweep with progress, then write the report; a variant that failed is code 3, a fault code 70."""
    from traction.app.command_output import describe_sweep, show_progress, tell_ending
    from traction.kinds.sweep.sweep_report import report_sweep
    from traction.results.manifest import RunStatus
    from traction.results.sweep_folder import TABLE

    with _stoppable() as stop, show_progress("sweeping", silent=as_json) as (show, tell):
        result = start(progress=show, each=lambda name, run: tell(tell_ending(name, run)), stop=stop)
    assert result.folder is not None
    files = [str(result.folder / TABLE)]
    if find_spec("matplotlib") is not None:
        files = [*(str(path) for path in report_sweep(result.folder)), *files]
    _say(describe_sweep(result, files), "\n".join([str(result), *(f"  {file}" for file in files)]), as_json)
    if result.faults:
        raise typer.Exit(FAULT)
    if not result.ok:
        raise typer.Exit(NOT_CONVERGED if result.status is RunStatus.FAILED else INTERRUPTED)


@contextmanager
def _stoppable() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C and SIGTERM into a request to stop after the sample at hand."""
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        typer.echo("stopping after this sample; once more to stop at once", err=True)

    previous = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _changes(pairs: list[str]) -> dict[str, str]:
    for pair in pairs:
        if "=" not in pair:
            raise InputError(f"--set {pair} must read key=value, as in --set load.force=2e3.")
    return {key.strip(): value for key, _, value in (pair.partition("=") for pair in pairs)}


def _kind_in(path: Path) -> str:
    import tomllib

    return str(tomllib.loads(path.read_text(encoding="utf-8"))["kind"])


def _unused(path: Path) -> Path:
    """The path, with a number when it is taken."""
    number, candidate = 2, path
    while candidate.exists() and number < 10_000:
        candidate, number = path.with_name(f"{path.name}-{number}"), number + 1
    return candidate


def _say(facts: Facts, text: str, as_json: bool) -> None:
    typer.echo(json.dumps(facts, indent=1) if as_json else text)
