"""Arguments and options that several commands share, and what a shell completes them to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from traction.errors import InputError


def complete_kinds(incomplete: str) -> list[tuple[str, str]]:
    """Kinds that begin with what was typed, each with what it is."""
    from traction.kinds.registry import KINDS

    return [(name, words) for name, words in KINDS.items() if name.startswith(incomplete)]


def complete_starts(incomplete: str) -> list[tuple[str, str]]:
    """Kinds and built-in examples that begin with what was typed."""
    from traction.kinds.registry import shipped

    examples = [(name, "built-in example") for name in shipped() if name.startswith(incomplete)]
    return [*complete_kinds(incomplete), *examples]


def parse_changes(pairs: list[str]) -> dict[str, str]:
    """Keys with their values as TOML, of options `--set key=value`."""
    for pair in pairs:
        if "=" not in pair:
            raise InputError(f"--set {pair} must read key=value, as in --set load.force=2e3.")
    return {key.strip(): value for key, _, value in (pair.partition("=") for pair in pairs)}


File = Annotated[Path, typer.Argument(help="scenario file (TOML)", show_default=False)]
Folder = Annotated[Path, typer.Argument(help="folder of a run or of a sweep", show_default=False)]
Out = Annotated[Path | None, typer.Option(help="folder to write; named after the file by default")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object, for programs")]
Workers = Annotated[int, typer.Option(min=1, help="number of processes that share the variants")]
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
