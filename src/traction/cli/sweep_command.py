"""Options of `traction sweep` about samples and engines; `--dask` may stand alone or before an address."""

from __future__ import annotations

from typing import Annotated

import typer

from traction.errors import InputError

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
