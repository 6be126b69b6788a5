"""Arguments and options that commands share, those of sweeps about samples and engines, and completion.

`--dask` may stand alone or before an address.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from traction.app.terminal import columns_of, fit
from traction.errors import InputError

MOST_HINTS = 4  #: numbers without a unit that are named
ALONE = "--dask"
HERE = "dask"  #: in place of an address

Dask = Annotated[
    str | None,
    typer.Option(
        ALONE,
        metavar="[ADDRESS]",
        help="run the variants on Dask: alone, on workers of this machine; with the address of a "
        "scheduler, such as tcp://10.0.0.5:8786, on its workers",
        show_default=False,
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1,
        help='samples of keys with a distribution: "speed=uniform(20, 60 m/s)", normal(mean, sd), '
        "lognormal(mean, sd), integers(1, 1000), choice(a, b)",
        show_default=False,
    ),
]
SamplingMethod = Annotated[str, typer.Option("--sampling", help="latin-hypercube or random")]
Seed = Annotated[int, typer.Option(min=0, help="the same seed draws the same samples")]
Keep = Annotated[
    str, typer.Option(help="runs: each variant as a run folder; figures: only key figures, in one file")
]


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


def check_workers(workers: int | None, dask: str | None) -> None:
    """Refuse a number of processes for workers that exist."""
    if workers is not None and dask not in (None, HERE):
        raise InputError(f"--workers {workers}: the cluster at {dask} has its own workers; leave it out.")


def with_address(args: list[str]) -> list[str]:
    """The arguments, each `--dask` with a value: an address has a protocol or a port, nothing else has."""
    found = list(args)
    for place, word in enumerate(args):
        following = args[place + 1] if place + 1 < len(args) else ""
        if word == ALONE and ("=" in following or following.startswith("-") or not _is_address(following)):
            found[place] = f"{ALONE}={HERE}"
    return found


def _is_address(word: str) -> bool:
    return "://" in word or (":" in word and word.rpartition(":")[2].isdigit())
