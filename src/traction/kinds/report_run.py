"""`report_run`: the page, the figures and the files of a finished run, made of what is stored."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from traction.errors import InputError, TractionError
from traction.kinds.case import Scenario, stored_scenario
from traction.kinds.report_tables import missed_checks
from traction.results.folder import RunFolder
from traction.results.manifest import RunStatus
from traction.results.recorder import Progress
from traction.results.run import Run
from traction.results.storage.container import DamagedError
from traction.results.storage.run_files import SCENARIO
from traction.results.stored_run import StoredRun, digest_samples
from traction.view.report import write_report

T = TypeVar("T")

REPORT = "report.html"
FILM = "The same as an animation."


@dataclass(frozen=True)
class WrittenReport:
    """A report that was written."""

    files: list[Path]
    missed: list[str]  #: a sentence for each of its checks that did not pass


def report_run(
    run: Run | str | os.PathLike[str], scenario: Scenario | None = None, progress: Progress | None = None
) -> WrittenReport:
    """Write the report of a finished run, or of the folder of one, into its folder.

    What is not given is read from the folder: the `scenario`, and the arrays that the run has stored.
    `progress` is called with the number of figures and films drawn, and of all.
    """
    folder = _open_finished(run.folder if isinstance(run, Run) else run)
    scenario = scenario or stored_scenario(folder)
    stored = run.stored if isinstance(run, Run) else None
    if stored is None:
        written = _write_stored(folder, scenario, read_run(folder, scenario), progress)
    else:
        written = _write_page(folder, scenario, stored, progress)
    if folder.status is RunStatus.FAILED:
        folder.note_exports(written.files)  # with --force, all of a run that failed is replaced
    return written


def read_run(folder: RunFolder, scenario: Scenario) -> StoredRun:
    """What a finished run has stored for its report."""
    stored = digest_samples(folder, scenario.definition.stepper.whole)
    return stored.with_findings(folder.findings()).with_key_figures(folder.manifest.key_figures)


def _write_stored(
    folder: RunFolder, scenario: Scenario, stored: StoredRun, progress: Progress | None
) -> WrittenReport:
    """The report of numbers that were read; those that nobody computed end in a `DamagedError`."""
    try:
        return _write_page(folder, scenario, stored, progress)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, TractionError | OSError):
            raise
        raise DamagedError(
            f"the report of {folder.path} cannot be written: its numbers are not those of a run of the kind "
            f"{scenario.kind} ({type(error).__name__}: {error}). Run its scenario again into a new folder."
        ) from error


class _Counted:
    """Tells how many things have been dealt with, of so many."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def over(self, things: Iterable[T]) -> Iterator[T]:
        """The same things; each counts when the next one is asked for."""
        for thing in things:
            yield thing
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)


def _write_page(
    folder: RunFolder, scenario: Scenario, stored: StoredRun, progress: Progress | None
) -> WrittenReport:
    kind, case = scenario.definition, scenario.case
    report = kind.report(case, stored)
    films, figures = [*report.films(folder.path)], [*report.figures()]
    counted = _Counted(progress, 2 * len(films) + len(figures))  # films are drawn for their file and the page
    extras = [(film.save(folder.path / f"{name}.gif"), FILM) for name, _, film in counted.over(films)]
    extras += report.files(folder.path)
    beside = [f"Beside this page: {file.name}. {caption}" for file, caption in extras]
    message = folder.manifest.message
    notices = [f"Notice: {message}"] if message and folder.status is RunStatus.DONE else []
    tables = report.tables()
    written = write_report(
        folder.path / REPORT,
        getattr(case, "title", kind.summary),
        summary=[*_warn_of_failure(folder), *report.story()],
        sliders=counted.over(films),
        tables=tables,
        figures=counted.over(figures),
        notes=[*notices, *beside],
        versions=folder.manifest.versions,
        command=f"traction run {shlex.quote(str(folder.path / SCENARIO))} --out NEW_FOLDER",
    )
    return WrittenReport([*written, *(file for file, _ in extras)], missed_checks(tables))


def _open_finished(path: str | os.PathLike[str] | None) -> RunFolder:
    if path is None:
        raise InputError("the run is in memory only; give `simulate` a folder, which the report goes to.")
    folder = RunFolder.open(path)
    if folder.status is not RunStatus.DONE and not folder.is_judged:
        raise InputError(
            f"{folder.path} is not complete ({folder.status}); resume it: {folder.resume_command}"
        )
    return folder


def _warn_of_failure(folder: RunFolder) -> list[str]:
    """A paragraph on why the result is worthless, if it is."""
    failed = folder.status is RunStatus.FAILED
    return [f"This run failed: do not use its numbers. {folder.manifest.message}"] if failed else []
