"""`simulate`: run a scenario, in memory or in a folder; `resume` one that was stopped; `report` on one."""

from __future__ import annotations

import math
import os
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from traction.errors import InputError
from traction.kinds.case import Scenario, load, loads
from traction.results.folder import RunFolder
from traction.results.manifest import RunStatus
from traction.results.memory import MemoryStore
from traction.results.recorder import Progress, Stepper, Stop, record
from traction.results.run import Run, load_run, memory_run

REPORT = "report.html"
CHECKS, PASSED = "Checks", "passed"  #: the table of a report that tells whether a run can be trusted


def simulate(
    scenario: Scenario | str | Path,
    out: str | os.PathLike[str] | None = None,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Run:
    """Run a scenario (or the file of one); with `out`, everything is kept in that new folder.

    A run that does not converge raises, and what was computed until then is in the folder. `progress` is
    called with the samples completed and their number; `stop` is asked before each sample.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    stepper = scenario.definition.stepper(scenario.case)
    layout = _layout(scenario, stepper)
    if out is None:
        store = MemoryStore(**layout)
        _march(scenario, stepper, store, progress, stop)
        return memory_run(store)
    _require_room(Path(out), stepper)
    folder = RunFolder.create(out, scenario_text=scenario.to_toml(), **layout)
    _march(scenario, stepper, folder, progress, stop)
    return _result(folder)


def resume(
    path: str | os.PathLike[str], *, progress: Progress | None = None, stop: Stop | None = None
) -> Run:
    """Go on with a run that was stopped or killed; the result is the one it would have had."""
    folder = RunFolder.open(path)
    if folder.status is RunStatus.DONE and not folder.verify():
        return load_run(folder.path)
    scenario = loads(folder.scenario_text(), f"{folder.path.name}/scenario.toml")
    _march(scenario, scenario.definition.stepper(scenario.case), folder, progress, stop)
    return _result(folder)


@dataclass(frozen=True)
class Report:
    """A report that was written."""

    files: list[Path]
    missed: list[str]  #: a sentence for each of its checks that did not pass


def report(path: str | os.PathLike[str]) -> list[Path]:
    """Write the report page and the figures of a finished run; returns the files written."""
    return written_report(path).files


def written_report(path: str | os.PathLike[str]) -> Report:
    """As `report`, and tell which checks did not pass."""
    from traction.view.report import write_report

    folder = RunFolder.open(path)
    if folder.status is not RunStatus.DONE:
        raise InputError(
            f"{folder.path} is not complete ({folder.status}); go on with: {folder.resume_command}"
        )
    scenario = loads(folder.scenario_text(), f"{folder.path.name}/scenario.toml")
    samples = digest(folder, scenario.definition.whole)
    kind, case = scenario.definition, scenario.case
    versions = ", ".join(f"{name} {version}" for name, version in folder.manifest.versions.items())
    extras = kind.extras(case, samples, folder.path)
    films = [(file, caption) for file, caption in extras if file.suffix == ".gif"]
    beside = [
        f"Beside this page: {file.name}. {caption}" for file, caption in extras if file.suffix != ".gif"
    ]
    told = kind.story(case, samples) or [f"A run of the kind {kind.name}: {kind.summary}."]
    tables = kind.tables(case, samples)
    written = write_report(
        folder.path / REPORT,
        getattr(case, "title", kind.summary),
        summary=[*told, *beside, f"Computed with {versions}."],
        films=films,
        tables=tables,
        figures=kind.figures(case, samples),
        command=f"traction run {shlex.quote(str(folder.path / 'scenario.toml'))} --out NEW_FOLDER",
    )
    missed = [
        f"{check}: {found}, limit {limit}: {verdict}"
        for table in tables
        if table.title == CHECKS
        for check, found, limit, verdict in table.rows
        if verdict != PASSED
    ]
    return Report([*written, *(file for file, _ in extras)], missed)


def digest(store: RunFolder | MemoryStore, whole: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """What reports need of a run that may not fit in memory.

    All numbers, and of fields with dimensions the last sample, but all of those named in `whole`.
    """
    numbers: dict[str, list[np.ndarray]] = {field.name: [] for field in store.layout.fields}
    for _, block in store.blocks():
        for field in store.layout.fields:
            values = block[field.name]
            if field.dims and field.name not in whole:
                numbers[field.name] = [values[-1:].copy()]
            else:
                numbers[field.name].append(values.copy())
    return {name: np.concatenate(parts) for name, parts in numbers.items()}


def _result(folder: RunFolder) -> Run:
    """The run as it lies in the folder, with the damage that was found on the way."""
    return replace(load_run(folder.path), damage=tuple(folder.damage))


def _require_room(out: Path, stepper: Stepper) -> None:
    """Refuse a run that cannot fit on the disk before it begins."""
    sizes = {coordinate.name: coordinate.values.size for coordinate in stepper.coordinates}
    sample = sum(8 * math.prod(sizes[name] for name in field.dims) for field in stepper.fields)
    needed = sample * stepper.total
    place = out.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    if needed > free:
        raise InputError(
            f"the run would store {needed / 1e9:.3g} GB, but {place} has {free / 1e9:.3g} GB free; "
            "store fewer samples, or fewer points of each."
        )


def _layout(scenario: Scenario, stepper: Stepper) -> dict[str, Any]:
    """What a store must know before the first sample."""
    return {
        "kind": scenario.kind,
        "fields": stepper.fields,
        "coordinates": stepper.coordinates,
        "constants": getattr(stepper, "constants", ()),
        "total": stepper.total,
    }


def _march(
    scenario: Scenario,
    stepper: Stepper,
    store: RunFolder | MemoryStore,
    progress: Progress | None,
    stop: Stop | None,
) -> None:
    """Record what is missing and say how it ended."""
    outcome = record(store, stepper, progress=progress, stop=stop)
    if outcome.stopped:
        return
    kind = scenario.definition
    samples = digest(store, kind.whole)
    message = " ".join(f"{notice[:1].upper()}{notice[1:]}" for notice in kind.notices(scenario.case, samples))
    store.finish(RunStatus.DONE, message, kind.key_figures(scenario.case, samples))
    if isinstance(store, RunFolder) and _has_netcdf():
        from traction.results.dataset import export_netcdf

        export_netcdf(store)


def _has_netcdf() -> bool:
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("xarray", "h5netcdf"))
