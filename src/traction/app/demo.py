"""`python -m traction.app.demo`: a train crosses a bridge, its contact patches solved."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table as Printed

from traction.app.checks import crossing_checks
from traction.app.command_output import show_progress
from traction.app.verification import Verdict
from traction.errors import ConvergenceError, TractionError
from traction.kinds.case import load
from traction.kinds.registry import shipped
from traction.kinds.simulate import simulate
from traction.results.manifest import current_versions
from traction.view.report import Table, write_report

CASE = "train-crossing"  #: of the shipped scenarios
INTRODUCTION = (
    "Traction computes what happens where elastic bodies touch, roll, bounce and bend, in time. Here a train "
    "crosses a bridge: the bridge oscillates, the cars move on their suspensions, and under each wheel the "
    "contact patch, two centimetres long, is that of the elastic half space, solved on a grid."
)
#: rows of `traction verify` that the demonstration runs, and the sources of their solutions
KNOWN = {
    ("wheel-at-rest", "deflection of the beam"): ("wheel at rest: deflection", "P L³/192 EI"),
    ("wheel-at-rest", "approach"): ("wheel at rest: approach", "Hertz"),
    ("wheel-on-soft-beam", "semi-axis along"): ("soft beam: length of patch", "Hertz, bent beam"),
    ("cross-force", "largest midspan"): ("moving force: deflection", "series of modes"),
    ("cross-hard-contact", "midspan, sprung mass"): ("moving sprung mass: deflection", "VBI-2D program"),
    ("cross-slowly", "deflection over that at rest"): ("slow crossing: deflection", "wheel at rest"),
    ("cross-energy-half-space", "energy balance error, undamped"): ("undamped crossing: energy", "conserved"),
}
YOURS = (
    f"traction new {CASE} --out mine.toml  # your own train: edit the file",
    "traction run mine.toml --out mine            # Ctrl-C stops it",
    "traction resume mine                         # continues where it stopped",
    "traction verify                              # all verification cases",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; returns the exit code: 0 done, 2 bad input, 3 no convergence."""
    parser = argparse.ArgumentParser(
        prog="python -m traction.app.demo", description="A train crosses a bridge: report and animation."
    )
    parser.add_argument("--out", default="demo-output", metavar="DIR", help="folder for figures and report")
    out = Path(parser.parse_args(arguments).out)
    try:
        require_writable(out)
        run(out, Console())
    except OSError as error:
        return _fail(f"cannot write to {out}: {error.strerror or error}. Give another folder by --out.", 2)
    except ConvergenceError as error:
        return _fail(str(error), 3)
    except TractionError as error:
        return _fail(str(error), 2)
    return 0


def run(out: Path, console: Console) -> None:
    """March, check, draw, and say what was found; everything is written into `out`."""
    began = perf_counter()
    scenario = load(shipped()[CASE])
    case = scenario.case
    console.print(f"[bold]{case.title}[/bold]\n\n{INTRODUCTION}")  # type: ignore[attr-defined]
    with show_progress("the train crosses", silent=False) as (show, _):
        samples = simulate(scenario, progress=show).stored
    assert samples is not None
    report = scenario.definition.report(case, samples)
    with console.status("comparing with theory") as status:
        told, tables = [*report.story()], [*report.tables()]
        status.update("verification cases")
        tables.insert(-1, verify_some())
        status.update("animation")
        films = [*report.films(out)]
        moving = [film.save(out / f"{name}.gif") for name, _, film in films]
        status.update("figures")
        files = write_report(
            out / "report.html",
            case.title,  # type: ignore[attr-defined]
            summary=[INTRODUCTION, *told],
            tables=tables,
            figures=report.figures(),
            sliders=films,
            versions=current_versions(),
            command=f"python -m traction.app.demo --out {out}",
        )
    for paragraph in told:
        console.print(f"\n{paragraph}", highlight=False)
    print_tables(console, tables[:-1])
    console.print(f"\ndone in {perf_counter() - began:.1f} s; open")
    for file in (files[0], *moving):
        console.print(f"  {file}", highlight=False, soft_wrap=True)
    console.print("\nnext:")
    for line in next_steps():
        console.print(f"  {line}", highlight=False, soft_wrap=True)


def next_steps() -> tuple[str, ...]:
    """Commands to try, after the one that puts them on the path of the shell if they are not."""
    activate = Path(os.path.relpath(sys.prefix), "bin", "activate")
    if shutil.which("traction") or not activate.exists():
        return YOURS
    return (f"source {activate}", *YOURS)


def verify_some() -> Table:
    """Some rows of `traction verify` about wheels on bridges."""
    found = {(check.name, check.quantity): check for check in crossing_checks.checks()}
    rows = []
    for key, (words, source) in KNOWN.items():
        verdict = Verdict(found[key], found[key].compute())
        passed = "passed" if verdict.passed else "missed"
        limit = f"{found[key].tolerance:g}"
        rows.append((words, source, f"{verdict.error:.0e}", limit, passed))
    return Table("Verification cases", ("case", "compared with", "error", "limit", "verdict"), rows)


def print_tables(console: Console, tables: Sequence[Table]) -> None:
    """Tables of the report, on the terminal."""
    for table in tables:
        shown = Printed(title=table.title, title_justify="left", title_style="bold")
        for number, name in enumerate(table.header):
            shown.add_column(name, justify="right" if number else "left")
        for row in table.rows:
            shown.add_row(*row)
        console.print()
        console.print(shown)


def require_writable(folder: Path) -> None:
    """Make the folder and a file in it, so that a bad place is known before the work is done."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
