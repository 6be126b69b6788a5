"""The engine of a sweep: this process, processes of the sweep, an executor, or Dask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from traction import checks
from traction.errors import InputError
from traction.kinds.sweep.dask_engine import (
    LOCAL,
    dask_client,
    executor_of,
    is_client,
    require_open,
    require_workers_fit,
)
from traction.kinds.sweep.sweep_executor import Outcomes, on_executor
from traction.kinds.sweep.sweep_variant import Variant
from traction.kinds.sweep.sweep_workers import Share, one_by_one, require_main_guard, side_by_side
from traction.processors import available_cores
from traction.results.recorder import Stop

if TYPE_CHECKING:
    from distributed import Client


@dataclass(frozen=True)
class Engine:
    """What runs the variants of a sweep."""

    workers: int = 1  #: processes of the sweep
    executor: Executor | None = None
    check: Callable[[Path | None], None] = lambda folder: None  #: that workers can write in the folder

    def run(self, variants: Sequence[Variant], folder: Path | None, share: Share, stop: Stop) -> Outcomes:
        """Outcomes of the variants, as they are known."""
        if self.executor is not None and variants:
            writes = any(variant.place is not None for variant in variants)
            self.check(folder if writes else None)
            return on_executor(variants, self.executor, folder, share, stop)
        if self.workers == 1 or len(variants) < 2:
            return one_by_one(variants, share, stop)
        return side_by_side(variants, self.workers, folder, share, stop)


@contextmanager
def open_engine(executor: Executor | Client | str | None, workers: int | None) -> Iterator[Engine]:
    """The engine that was asked for, checked before a folder is made; what it starts ends with it."""
    if workers is not None:
        checks.count("workers", workers)
    if executor is None:
        if workers is not None and workers > 1:
            require_main_guard()
        yield Engine(workers or 1)
        return
    if workers is not None and not (isinstance(executor, str) and executor == LOCAL):
        raise InputError(
            f"workers = {workers} counts processes of the sweep, but the executor has its own; leave workers "
            "out."
        )
    if isinstance(executor, str):
        with dask_client(executor, workers or available_cores()) as client:
            yield _engine_of(client)
    elif is_client(executor):
        yield _engine_of(executor)  # type: ignore[arg-type]
    elif isinstance(executor, Executor):
        yield Engine(executor=executor)
    else:
        raise InputError(
            f"executor = {checks.shown(executor)} must be a concurrent.futures.Executor, a client of Dask, "
            '"dask" for workers of Dask on this machine, or the address of a Dask scheduler.'
        )


def _engine_of(client: Client) -> Engine:
    require_open(client)
    return Engine(executor=executor_of(client), check=lambda folder: require_workers_fit(client, folder))
