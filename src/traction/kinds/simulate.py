"""`simulate`: run a scenario, in memory or in a folder; `resume` one that was stopped."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.kinds.case import Scenario, load, stored_scenario
from traction.kinds.kind import Case, KindStepper
from traction.outputs.progress import require_hooks, telling
from traction.results.field import Layout
from traction.results.folder import RunFolder
from traction.results.manifest import RunStatus
from traction.results.memory import MemoryStore
from traction.results.recorder import (
    COMPUTING,
    EVALUATING,
    WRITING,
    Phase,
    Progress,
    Stop,
    StoppedError,
    never,
    pass_over,
    record,
)
from traction.results.run import Run, finished_run, load_run
from traction.results.stored_run import SampleDigest, StoredRun, digest_samples
from traction.state_arrays import flatten_state


def simulate(
    scenario: Scenario | str | Path,
    out: str | os.PathLike[str] | None = None,
    *,
    progress: Progress | bool | None = None,
    stop: Stop | None = None,
    phase: Phase | None = None,
) -> Run:
    """Run a scenario, in memory or into a folder.

    A run in a folder that is stopped or killed can be resumed by `tr.resume`.

    Parameters
    ----------
    scenario
        `tr.Scenario`, or the path of a scenario file.
    out
        New folder for samples, checkpoints and results; in memory by default.
    progress
        Function called with the number of completed samples and their total; True shows a bar in terminals
        and notebooks, False nowhere. By default notebooks show one for calls of more than a second.
    stop
        Function asked before each sample, and before each speed of a `[study]`; the run stops when it returns
        True.
    phase
        Function called with "computing", "evaluating" and "writing" as these phases begin.

    Returns
    -------
    Run
        Status, key figures and labelled data.

    Raises
    ------
    InputError
        If the scenario is invalid, or the folder is in use.
    ConvergenceError
        If the computation fails, or its result is worthless, as that of time steps much too long; what was
        computed is kept in the folder, and a worthless result is the `result` of the error.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=2, beam=bridge)
    >>> tr.simulate(case).ok
    True
    """
    if not isinstance(scenario, Scenario):
        scenario = load(checks.path("scenario", scenario))
    stepper = scenario.definition.stepper(scenario.case)
    layout = stepper.layout
    if out is None:
        return _complete(stepper, MemoryStore(scenario.kind, layout), progress, stop, phase)
    _require_room(checks.path("out", out), layout)
    folder = RunFolder.create(out, kind=scenario.kind, scenario_text=scenario.to_toml(), layout=layout)
    return _complete(stepper, folder, progress, stop, phase)


def resume(
    path: str | os.PathLike[str],
    *,
    progress: Progress | bool | None = None,
    stop: Stop | None = None,
    phase: Phase | None = None,
) -> Run:
    """Resume a run that was stopped or killed.

    The result is that of an uninterrupted run, bit for bit.

    Parameters
    ----------
    path
        Folder of the run.
    progress, stop, phase
        As in `tr.simulate`.

    Returns
    -------
    Run
        The completed run; a complete one is returned unchanged, after missing exports were made again.

    Raises
    ------
    InputError
        If the folder does not contain a run.
    ConvergenceError
        As `tr.simulate`.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=2, beam=bridge)
    >>> stopped = tr.simulate(case, "modes-of-a-bridge", stop=lambda: True)
    >>> stopped.ok, tr.resume("modes-of-a-bridge").ok
    (False, True)
    """
    folder = RunFolder.open(path)
    if folder.status is RunStatus.DONE and not folder.verify():
        restore_files(folder)
        return load_run(folder.path)
    scenario = stored_scenario(folder)
    return _complete(scenario.definition.stepper(scenario.case), folder, progress, stop, phase)


def restore_files(folder: RunFolder) -> None:
    """Make the files of a complete run that are missing, such as those whose writing was killed."""
    from traction.results.run_dataset import restore_netcdf

    restore_netcdf(folder)


def _complete(
    stepper: KindStepper[Case],
    store: RunFolder | MemoryStore,
    progress: Progress | bool | None,
    stop: Stop | None,
    phase: Phase | None,
) -> Run:
    """Record the missing samples, compute the findings of the whole, and set the status."""
    require_hooks(stop=stop, phase=phase)
    digest = SampleDigest(store.layout, stepper.whole)
    begin, stop = phase or pass_over, stop or never
    begin(COMPUTING)
    with telling(progress, f"computing {store.manifest.kind}") as told:
        recorded = record(
            store, stepper, progress=told or pass_over, stop=stop, keep=digest.add, check=stepper.check_state
        )
    if not recorded.stopped:
        # a run that was resumed has samples which this process has not seen
        run = StoredRun(digest.samples) if digest.is_complete else digest_samples(store, stepper.whole)
        begin(EVALUATING)
        try:
            found = stepper.evaluate(run, stop)
        except StoppedError as reached:
            store.finish(RunStatus.STOPPED, f"stopped after all {store.layout.total} samples, {reached}")
            return finished_run(store)
        run = run.with_findings({} if found is None else flatten_state(found))
        run = run.with_key_figures(stepper.key_figures(run))
        failure = stepper.failure(run)
        notices = stepper.notices(run) if failure is None else [failure]
        message = " ".join(f"{notice[:1].upper()}{notice[1:].removesuffix('.')}." for notice in notices)
        begin(WRITING)
        ended = _end_run(store, run, RunStatus.DONE if failure is None else RunStatus.FAILED, message)
        if failure is not None:
            raise ConvergenceError(message, ended)
        return ended
    return finished_run(store)


def _end_run(store: RunFolder | MemoryStore, run: StoredRun, status: RunStatus, message: str) -> Run:
    """Store what belongs to the run as a whole, and export its samples."""
    store.finish(status, message, run.key_figures, run.findings)
    if isinstance(store, RunFolder):
        from traction.results.run_dataset import export_netcdf, has_netcdf

        if has_netcdf():
            export_netcdf(store)
    return finished_run(store, run)


def _require_room(out: Path, layout: Layout) -> None:
    """Refuse a run that does not fit on the disk before it begins."""
    needed = layout.bytes_per_sample * layout.total
    place = out.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    if needed > free:
        raise InputError(
            f"the run would store {needed / 1e9:.3g} GB, but {place} has {free / 1e9:.3g} GB free; "
            "store fewer samples, or fewer points of each."
        )
