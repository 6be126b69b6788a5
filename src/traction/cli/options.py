"""Arguments and options that several commands share, and what a shell completes them to."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from traction.app.terminal import columns_of, fit
from traction.errors import InputError

MOST_HINTS = 4  #: numbers without a unit that are named


def complete_kinds(incomplete: str) -> list[tuple[str, str]]:
    """Kinds that begin with what was typed, each with what it is."""
    from traction.kinds.registry import KINDS

    return [(name, words) for name, words in KINDS.items() if name.startswith(incomplete)]


def complete_examples(incomplete: str) -> list[tuple[str, str]]:
    """Built-in examples that begin with what was typed, each with what it shows."""
    from traction.kinds.registry import shipped, shipped_title

    return [(name, shipped_title(name)) for name in shipped() if name.startswith(incomplete)]


def complete_starts(incomplete: str) -> list[tuple[str, str]]:
    """Kinds and built-in examples that begin with what was typed."""
    return [*complete_kinds(incomplete), *complete_examples(incomplete)]


def complete_scenarios(incomplete: str) -> list[tuple[str, str]]:
    """Scenario files, folders and built-in examples that begin with what was typed."""
    found = sorted(Path().glob(f"{incomplete}*")) if incomplete[:1] not in ("/", "~", ".") else []
    files = [(str(path), "scenario file") for path in found if path.suffix == ".toml"]
    folders = [(f"{path}/", "folder") for path in found if path.is_dir()]
    return [*files, *folders, *complete_examples(incomplete)]


def find_scenario(file: Path) -> Path:
    """The file, or that of the built-in example of this name where there is no such file."""
    from traction.kinds.registry import shipped

    examples = shipped()
    if file.exists() or str(file) in examples or file.suffix:
        return file if file.exists() else examples.get(str(file), file)
    close = get_close_matches(str(file), examples, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(close)}?" if close else "`traction info` lists the examples."
    raise InputError(
        f"{file} is neither a file nor a built-in example; {hint} `traction new` writes a file to start from."
    )


def hint_at_units(file: Path, changes: dict[str, str]) -> None:
    """Say once, beside the output, which numbers have no unit and in which one they are taken."""
    from traction.kinds.case import numbers_in_si

    found = numbers_in_si(file, changes)
    if found:
        more = f" and {len(found) - MOST_HINTS} more" if len(found) > MOST_HINTS else ""
        text = f"note: numbers without a unit are in SI: {'; '.join(found[:MOST_HINTS])}{more}"
        typer.echo(fit(text, columns_of(sys.stderr)), err=True)


def parse_changes(pairs: list[str]) -> dict[str, str]:
    """Keys with their values as TOML, of options `--set key=value`."""
    for pair in pairs:
        if "=" not in pair:
            raise InputError(f"--set {pair} must read key=value, as in --set load.force=2e3.")
    return {key.strip(): value for key, _, value in (pair.partition("=") for pair in pairs)}


File = Annotated[
    Path,
    typer.Argument(
        help="scenario file (TOML), or name of a built-in example",
        show_default=False,
        autocompletion=complete_scenarios,
    ),
]
Folder = Annotated[Path, typer.Argument(help="folder of a run or of a sweep", show_default=False)]
Out = Annotated[Path | None, typer.Option(help="folder to write; named after the file by default")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object, for programs")]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="number of processes that share the variants: 1, and with --dask one for each core",
        show_default=False,
    ),
]
Change = Annotated[
    list[str],
    typer.Option("--set", help="key=value: replaces a value of the file, as in load.force=2e3"),
]
Variations = Annotated[
    list[str],
    typer.Option(
        "--set",
        help='key=values: the variants to run, as in "speed=20 m/s, 30 m/s", or "speed=20:60:9 m/s" '
        "for 9 values from 20 to 60 m/s",
    ),
]
Start = Annotated[
    str | None,
    typer.Argument(
        help="kind of scenario, or name of a built-in example; without it, the kinds are listed",
        autocompletion=complete_starts,
    ),
]
KindName = Annotated[str, typer.Argument(help="kind of scenario", autocompletion=complete_kinds)]
