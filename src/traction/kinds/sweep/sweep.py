"""`sweep`: a scenario with some of its keys varied; each variant is an ordinary run in one table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from traction import checks
from traction.errors import TractionError
from traction.kinds.case import Scenario
from traction.kinds.simulate import restore_files
from traction.kinds.sweep.sweep_plan import plan_sweep
from traction.kinds.sweep.sweep_variant import Variant, VariantOutcome
from traction.kinds.sweep.sweep_workers import one_by_one, require_main_guard, side_by_side, wait_for_orphans
from traction.outputs.progress import telling
from traction.results.folder import RunFolder
from traction.results.manifest import RunStatus
from traction.results.recorder import Stop
from traction.results.replacement import discard_incomplete, discard_other_sweep
from traction.results.run import Run
from traction.results.storage.lock import sole_writer
from traction.results.sweep import Sweep
from traction.results.sweep_folder import (
    Plan,
    claim_folder,
    collect_sweep,
    read_plan,
    settle_plan,
    write_outcome,
)
from traction.scenario.variations import variations

Progress = Callable[[float, int], None]
Each = Callable[[str, Run], None]


def sweep(
    scenario: Scenario | str | Path,
    vary: Mapping[str, object],
    out: str | os.PathLike[str] | None = None,
    *,
    zipped: bool = False,
    workers: int = 1,
    progress: Progress | bool | None = None,
    each: Each | None = None,
    stop: Stop | None = None,
) -> Sweep:
    """Run a scenario with different values of some keys, in all combinations.

    Parameters
    ----------
    scenario
        `tr.Scenario`, or the path of a scenario file.
    vary
        Values of each key, such as "speed" or "axle[0].force": a list as in a file (`["20 m/s", "30 m/s"]`),
        or text:
        "20 m/s, 30 m/s", or "20:60:9 m/s" for nine values from 20 to 60 m/s.
    out
        Folder with a run folder for each variant and `table.csv`; in memory by default. The same sweep
        into the same folder resumes; another one is refused.
    zipped
        Combine the lists element by element instead of all combinations.
    workers
        Number of processes.
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
        Runs and table; variants that fail are listed in it, and the others continue.

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
    plan = plan_sweep(scenario, variations(vary), zipped=zipped)
    with telling(progress, "variants") as told:
        return carry_out(plan, out, workers=workers, progress=told, each=each, stop=stop)


def resume_sweep(path: str | os.PathLike[str], **options: Any) -> Sweep:
    """Resume the sweep in a folder; options are those of `carry_out`."""
    return carry_out(read_plan(Path(path).absolute()), path, **options)


def carry_out(
    plan: Plan,
    out: str | os.PathLike[str] | None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    each: Each | None = None,
    stop: Stop | None = None,
    force: bool = False,
) -> Sweep:
    """Run the missing variants of a planned sweep."""
    if checks.count("workers", workers) > 1:
        require_main_guard()  # before a folder is made
    watch = _Watch(len(plan.variants), progress, each)
    if out is None:
        _run(plan, None, range(len(plan.variants)), workers, watch, stop or _never)
        return collect_sweep(plan, None, watch.ended, watch.faults)
    folder = Path(out).absolute()
    claim_folder(folder)
    with sole_writer(folder):
        wait_for_orphans(folder)
        if force:
            discard_other_sweep(folder, plan)
            discard_incomplete(folder, plan)
        plan = settle_plan(folder, plan)
        missing = [number for number, run in enumerate(collect_sweep(plan, folder, {}).runs) if not run.ok]
        watch.completed = len(plan.variants) - len(missing)
        for number in {*range(len(plan.variants))} - {*missing}:
            restore_files(RunFolder.open(folder / plan.variants[number]))
        try:
            _run(plan, folder, missing, workers, watch, stop or _never)
        except BaseException:  # an interrupt too leaves a table of what there is
            with suppress(TractionError):  # the disk may be full; the error itself says so
                write_outcome(collect_sweep(plan, folder, watch.ended))
            raise
        result = collect_sweep(plan, folder, watch.ended, watch.faults)
        write_outcome(result)
    return result


def _run(
    plan: Plan, folder: Path | None, numbers: Iterable[int], workers: int, watch: _Watch, stop: Stop
) -> None:
    """Run the variants of these indices."""
    variants = [
        Variant(k, plan.variants[k], plan.kind, plan.scenarios[k], folder and folder / plan.variants[k])
        for k in numbers
    ]
    if workers == 1 or len(variants) < 2:
        outcomes = one_by_one(variants, watch.share, stop)
    else:
        outcomes = side_by_side(variants, workers, folder, watch.share, stop)
    with closing(outcomes):  # whatever happens here, the processes end
        for number, outcome in outcomes:
            watch.end(number, plan.variants[number], outcome)


class _Watch:
    """Outcomes so far, reported to the callbacks."""

    def __init__(self, total: int, progress: Progress | None, each: Each | None) -> None:
        self.total, self.completed = total, 0
        self.ended: dict[int, Run] = {}
        self.faults: list[int] = []
        self._shares: dict[int, float] = {}
        self._progress, self._each = progress, each

    def share(self, number: int, done: float) -> None:
        """Note the progress of a variant."""
        self._shares[number] = done
        self._tell()

    def end(self, number: int, name: str, outcome: VariantOutcome) -> None:
        """Note how a variant ended."""
        self._shares.pop(number, None)
        self.ended[number] = outcome.run
        self.completed += outcome.run.status in (RunStatus.DONE, RunStatus.FAILED)
        if outcome.fault:
            self.faults.append(number)
        if self._each is not None:
            self._each(name, outcome.run)
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.completed + sum(self._shares.values()), self.total)


def _never() -> bool:
    return False
