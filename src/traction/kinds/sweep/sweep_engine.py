"""The engine of a sweep: this process, processes of the sweep, an executor, or Dask.

Dask has workers on this machine, or those of a cluster that exists.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from traction import checks
from traction.errors import InputError
from traction.kinds.sweep.sweep_executor import Outcomes, on_executor
from traction.kinds.sweep.sweep_variant import Variant
from traction.kinds.sweep.sweep_workers import (
    GUARD,
    Share,
    deaf,
    one_by_one,
    require_main_guard,
    side_by_side,
)
from traction.printable import printable
from traction.processors import available_cores
from traction.results.recorder import Stop
from traction.results.sweeps.sweep_folder import PLAN
from traction.version import __version__

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "dask"  #: in the place of an address: workers on this machine
ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://[^\s/?#]+:[0-9]{1,5}|[A-Za-z0-9.\-]+:[0-9]{1,5}")
ENCRYPTED = ("tls", "wss")  #: protocols that need certificates
ANSWER_SECONDS = 10.0  #: for a scheduler to answer
START_SECONDS = 60.0  #: for workers on this machine to start
RETRIES = 2  #: of a variant whose worker raises an error; lost workers are replaced by the scheduler anyway
#: the heartbeat of a worker rests while a compiled kernel runs; that is no reason to give it up. Nobody looks
#: at what else workers and scheduler record of themselves, on cores that variants need: half of their time
SETTINGS = {
    "distributed.scheduler.worker-ttl": None,
    "distributed.worker.daemon": True,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.tick.cycle": "5s",
    "distributed.scheduler.active-memory-manager.start": False,
}


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


@contextmanager
def dask_client(address: str, workers: int) -> Iterator[Client]:
    """A client of `workers` new workers on this machine ("dask"), or of the cluster at the address."""
    if find_spec("distributed") is None:
        raise InputError('Dask is not installed; install it: pip install "traction[dask]".')
    with _local_client(workers) if address == LOCAL else _client_at(address) as client:
        yield client


def executor_of(client: Client) -> Executor:
    """The executor of a client."""
    return cast(Executor, client.get_executor(pure=False, retries=RETRIES))


def require_open(client: Client) -> None:
    """Refuse a client that is closed, or whose calls must be awaited."""
    if client.asynchronous:
        raise InputError("the Dask client is asynchronous, whose calls must be awaited; make another one.")
    if client.status != "running":
        raise InputError(f"the Dask client is {client.status}, not connected; make a new one.")


def is_client(value: object) -> bool:
    """Whether it is a client of Dask, which need not be installed."""
    return type(value).__module__.partition(".")[0] == "distributed" and hasattr(value, "get_executor")


def require_workers_fit(client: Client, folder: Path | None) -> None:
    """Refuse workers with another version of Traction, or that do not see the folder they would write.

    Those that start later are checked at their first variant.
    """
    found = client.run(probe, folder and str(folder), on_error="return")
    if not found:
        warnings.warn(
            "the Dask scheduler has no workers yet; the variants wait until some start: `dask worker "
            "--nthreads 1 ADDRESS`.",
            RuntimeWarning,
            stacklevel=2,
        )
    for name, answer in found.items():
        if isinstance(answer, BaseException):
            raise InputError(
                f"the Dask worker {printable(str(name))} cannot load Traction {__version__} "
                f"({printable(str(answer))}); install it there."
            )
        version, sees = answer
        if version != __version__:
            raise InputError(
                f"the Dask worker {printable(str(name))} has Traction {printable(str(version))}, and this "
                f"is {__version__}; install the same version on both."
            )
        if not sees:
            raise InputError(
                f"the Dask worker {printable(str(name))} does not see {folder}; choose a folder on a file "
                'system that all machines share, or keep key figures only: keep="figures", --keep figures.'
            )


def probe(folder: str | None) -> tuple[str, bool]:
    """Version of Traction on a worker, and whether it sees the folder of the sweep."""
    return __version__, folder is None or os.path.isfile(os.path.join(folder, PLAN))


@contextmanager
def _local_client(workers: int) -> Iterator[Client]:
    require_main_guard()
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(SETTINGS):
        try:
            with deaf():  # Ctrl-C is handled by the sweep, which closes the workers
                cluster = LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address=None,
                    silence_logs=50,
                )
        except (RuntimeError, OSError) as error:
            raise InputError(f"the workers of Dask could not start ({error}). {GUARD}") from error
        with cluster, Client(cluster, set_as_default=False) as client:
            try:
                client.wait_for_workers(workers, timeout=START_SECONDS)
            except TimeoutError as error:
                raise InputError(f"{workers} workers of Dask did not start in time. {GUARD}") from error
            yield client


@contextmanager
def _client_at(address: str) -> Iterator[Client]:
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f'the address {printable(address)} of a Dask scheduler must read like "tcp://10.0.0.5:8786".'
        )
    from distributed import Client

    _require_protocol(address)
    try:
        client = Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} within {ANSWER_SECONDS:g} s; check the address, or "
            "start one: `dask scheduler` and `dask worker --nthreads 1 ADDRESS`."
        ) from error
    with client:
        yield client


def _require_protocol(address: str) -> None:
    """Refuse a protocol that is not configured, on which a client would fail and wait for its end."""
    from distributed import Security
    from distributed.comm.registry import get_backend

    protocol, separator, _ = address.partition("://")
    if not separator:
        return
    try:
        get_backend(protocol).get_connector()
    except Exception as error:  # of any kind: what a package is missing, or is too old for
        raise InputError(
            f"{address}: Dask cannot use the protocol {protocol} here ({error}); install its package, or use "
            "tcp."
        ) from error
    if protocol in ENCRYPTED and Security().get_connection_args("client").get("ssl_context") is None:
        raise InputError(
            f"{address}: {protocol} needs certificates in the configuration of Dask (distributed.comm.tls)."
        )
