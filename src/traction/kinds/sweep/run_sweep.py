"""`sweep`: a scenario with some of its keys varied; each variant is an ordinary run in one table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traction import checks
from traction.errors import TractionError
from traction.kinds.case import Scenario
from traction.kinds.simulate import restore_files
from traction.kinds.sweep.sweep_engine import Engine, open_engine
from traction.kinds.sweep.sweep_executor import remove_flags
from traction.kinds.sweep.sweep_plan import plan_sweep
from traction.kinds.sweep.sweep_variant import Variant, VariantOutcome
from traction.kinds.sweep.sweep_workers import wait_for_orphans
from traction.outputs.progress import require_hooks, telling
from traction.results.folder import RunFolder
from traction.results.manifest import RunStatus
from traction.results.recorder import Stop, never
from traction.results.replacement import discard_incomplete, discard_other_sweep
from traction.results.run import Run
from traction.results.storage.run_files import sole_writer
from traction.results.sweeps.sweep import Sweep
from traction.results.sweeps.sweep_folder import (
    FIGURES,
    RUNS,
    Journal,
    Plan,
    claim_folder,
    collect_sweep,
    open_journal,
    read_plan,
    settle_plan,
    write_outcome,
)
from traction.scenario.distributions import LATIN, choose_sampling
from traction.scenario.variations import variations

if TYPE_CHECKING:
    from distributed import Client

Progress = Callable[[float, int], None]
Each = Callable[[str, Run], None]


def sweep(
    scenario: Scenario | str | Path,
    vary: Mapping[str, object],
    out: str | os.PathLike[str] | None = None,
    *,
    zipped: bool = False,
    samples: int | None = None,
    sampling: str = LATIN,
    seed: int = 0,
    keep: str = RUNS,
    workers: int | None = None,
    executor: Executor | Client | str | None = None,
    progress: Progress | bool | None = None,
    each: Each | None = None,
    stop: Stop | None = None,
) -> Sweep:
    """Run a scenario with different values of some keys: in all combinations, or sampled.

    Parameters
    ----------
    scenario
        `tr.Scenario`, or the path of a scenario file.
    vary
        Values of each key, such as "speed" or "axle[0].force": a list as in a file (`["20 m/s", "30 m/s"]`),
        or text: "20 m/s, 30 m/s", or "20:60:9 m/s" for nine values from 20 to 60 m/s. Text with a
        distribution is sampled: "uniform(20, 60 m/s)", "normal(mean, standard deviation)" and
        "lognormal(mean, standard deviation)", both with optional lower and upper limits,
        "integers(1, 1000)", "choice(steel, copper)". Each combination of the lists has all samples.
    out
        Folder with a run folder for each variant and `table.csv`; in memory by default. The same sweep
        into the same folder resumes; another one is refused.
    zipped
        Combine the lists element by element instead of all combinations.
    samples
        Number of samples of the keys that have a distribution.
    sampling
        "latin-hypercube", with one value of each key in each of `samples` intervals of equal probability, or
        "random".
    seed
        Seed of the random numbers; the same seed draws the same samples.
    keep
        "runs" keeps each variant as an ordinary run; "figures" keeps only key figures, in one file for all
        variants, which is faster where a variant takes milliseconds.
    workers
        Number of processes; 1 by default, and as many as there are cores for "dask".
    executor
        Runs the variants in place of processes of the sweep: any `concurrent.futures.Executor`, a Dask
        client, "dask" for Dask workers on this machine, or the address of a Dask scheduler, such as
        "tcp://10.0.0.5:8786".
    progress
        Function called with the number of completed variants (with fractions of running ones) and their
        total; True, False and the default are those of `tr.simulate`.
    each
        Function called with name and run of each variant as it ends.
    stop
        Function asked before each sample; the sweep stops when it returns True.

    Returns
    -------
    Sweep
        Runs and table, and `data`, the labelled dataset over keys and samples; variants that fail are
        listed in it, and the others continue. Results do not depend on the number or kind of workers.

    Raises
    ------
    InputError
        If a key or value is invalid; all variants are checked before any runs.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=1, beam=bridge)
    >>> found = tr.sweep(case, {"beam.length": "10:30:3 m"})
    >>> found.ok, found.table["beam.length"].tolist()
    (True, [10.0, 20.0, 30.0])
    """
    checks.flag("zipped", zipped)
    drawn = choose_sampling(samples, sampling, seed)
    plan = plan_sweep(scenario, variations(vary, drawn), zipped=zipped, sampling=drawn, keep=keep)
    with telling(progress, "variants") as told:
        return carry_out(plan, out, workers=workers, executor=executor, progress=told, each=each, stop=stop)


def resume_sweep(path: str | os.PathLike[str], **options: Any) -> Sweep:
    """Resume the sweep in a folder; options are those of `carry_out`."""
    return carry_out(read_plan(checks.path("path", path).absolute()), path, **options)


def carry_out(
    plan: Plan,
    out: str | os.PathLike[str] | None,
    *,
    workers: int | None = None,
    executor: Executor | Client | str | None = None,
    progress: Progress | None = None,
    each: Each | None = None,
    stop: Stop | None = None,
    force: bool = False,
) -> Sweep:
    """Run the missing variants of a planned sweep."""
    require_hooks(stop=stop, each=each)
    watch = _Watch(plan, progress, each)
    with open_engine(executor, workers) as engine:  # before a folder is made
        if out is None:
            _run(plan, None, range(len(plan.variants)), engine, watch, stop or never)
            return collect_sweep(plan, None, watch.ended, watch.faults)
        folder = checks.path("out", out).absolute()
        claim_folder(folder)
        with sole_writer(folder):
            wait_for_orphans(folder)
            remove_flags(folder)
            if force:
                discard_other_sweep(folder, plan)
                discard_incomplete(folder, plan)
            plan = settle_plan(folder, plan)
            _complete(plan, folder, engine, watch, stop or never)
            result = collect_sweep(plan, folder, watch.ended, watch.faults)
            write_outcome(result)
    return result


def _complete(plan: Plan, folder: Path, engine: Engine, watch: _Watch, stop: Stop) -> None:
    """Run what is missing in the folder."""
    runs = collect_sweep(plan, folder, {}).runs
    missing = [number for number, run in enumerate(runs) if not run.ok]
    watch.completed = len(runs) - len(missing)
    for run in runs:
        if run.ok and run.folder is not None:
            restore_files(RunFolder.open(run.folder))
    try:
        with open_journal(folder) if plan.keep == FIGURES else nullcontext() as watch.journal:
            _run(plan, folder, missing, engine, watch, stop)
    except BaseException:  # an interrupt too leaves a table of what there is
        with suppress(TractionError):  # the disk may be full; the error itself says so
            write_outcome(collect_sweep(plan, folder, watch.ended))
        raise


def _run(
    plan: Plan, folder: Path | None, numbers: Iterable[int], engine: Engine, watch: _Watch, stop: Stop
) -> None:
    """Run the variants of these indices."""
    stored = folder if plan.keep == RUNS else None
    variants = [
        Variant(
            *(k, plan.variants[k], plan.kind, plan.scenarios[k], stored and stored / plan.variants[k]),
            samples=plan.keep == RUNS,
        )
        for k in numbers
    ]
    with closing(engine.run(variants, folder, watch.share, stop)) as outcomes:  # processes end, come what may
        for number, outcome in outcomes:
            watch.end(number, outcome)


class _Watch:
    """Outcomes so far, reported to the callbacks."""

    def __init__(self, plan: Plan, progress: Progress | None, each: Each | None) -> None:
        self._plan, self.completed = plan, 0
        self.journal: Journal | None = None
        self.ended: dict[int, Run] = {}
        self.faults: list[int] = []
        self._shares: dict[int, float] = {}
        self._progress, self._each = progress, each

    def share(self, number: int, done: float) -> None:
        """Note the progress of a variant."""
        self._shares[number] = done
        self._tell()

    def end(self, number: int, outcome: VariantOutcome) -> None:
        """Note how a variant ended."""
        if self.journal is not None:
            self.journal.add(self._plan.scenarios[number], outcome.run, outcome.checks)
        self._shares.pop(number, None)
        self.ended[number] = outcome.run
        self.completed += outcome.run.status in (RunStatus.DONE, RunStatus.FAILED)
        if outcome.fault:
            self.faults.append(number)
        if self._each is not None:
            self._each(self._plan.variants[number], outcome.run)
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.completed + sum(self._shares.values()), len(self._plan.variants))
