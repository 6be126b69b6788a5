"""A sweep folder: the plan, and a run folder for each variant that was begun.

    sweep.json              the variants: their names, the varied values, their complete scenarios
    000-speed=20/           the run folder of a variant
    table.csv               a row for each variant
    failures.json           why variants without a run folder failed
    outcomes.jsonl          instead of run folders, where only key figures are kept
    scenario.toml           then, the scenario of the first variant
    lock                    held by the process that runs the sweep
    workers/                locks of processes that share the work, while they do

`sweep.json` is written once, before anything runs; the progress of the sweep is in the run folders, or in the
journal of outcomes. A line of it is written when its variant has ended: a killed sweep loses none that was
written, and a line that is damaged or incomplete costs its variant only. Lines name their variant by the
digest of its scenario. A line with the versions of the program that ran the sweep stands before its lines: a
sweep that is resumed has several. A damaged line may have been one of these: versions of the lines after it
are not known.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from traction import checks
from traction.errors import InputError
from traction.outputs.atomic import WRITING, remove_unfinished, storage_error, write_atomic
from traction.printable import printable, printable_lines
from traction.quantities import counted
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure, RunStatus, current_versions, now
from traction.results.run import Run, load_run
from traction.results.storage.container import DamagedError, open_sealed, parse_json, read_bytes, seal_json
from traction.results.storage.run_files import LOCK, MANIFEST, SCENARIO
from traction.results.sweeps.sweep import Sweep, tabulate_runs
from traction.results.sweeps.sweep_column import Column, SweepAxis, fits
from traction.version import __version__

JOURNAL = "outcomes.jsonl"
JOURNAL_LIMIT = 1 << 30  #: bytes
SYNC_SECONDS = 1.0  #: between writes to the disk itself; a kill loses nothing that was written before
DIGEST = 16  #: characters
KNOWN = (RunStatus.DONE, RunStatus.FAILED)

Checks = tuple[tuple[str, bool], ...]  #: names of checks, and whether they are passed

Versions = dict[str, str]  #: of programs, by their names

_LINE = TypeAdapter(tuple[str, str, str, tuple[KeyFigure, ...], Checks])
_VERSIONS = TypeAdapter(Versions)
PLAN, TABLE, FAILURES = "sweep.json", "table.csv", "failures.json"
FORMAT = 1  #: raised when older programs can no longer read what is written
LIMIT = 1 << 28  #: bytes of all scenarios together
RUNS, FIGURES = "runs", "figures"  #: kept of each variant: its run folder, or its key figures only
NOT_BEGUN = Run(RunStatus.STOPPED, "not begun")


class Journal:
    """The file of outcomes, open for more of them."""

    def __init__(self, handle: int, path: Path) -> None:
        self._handle, self._path = handle, path
        self._synced = time.monotonic()
        self._versions_written = False

    def add(self, scenario: str, run: Run, checks: Checks = ()) -> None:
        """Write how the variant with this scenario ended; one that was stopped has not ended."""
        if run.status not in KNOWN:
            return
        if not self._versions_written:
            self._write_sealed(dict(current_versions()))
            self._versions_written = True
        self._write_sealed([_digest(scenario), str(run.status), run.message, run.key_figures, checks])
        if time.monotonic() > self._synced + SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Wait until all lines are on the disk."""
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise storage_error(error, self._path) from error
        self._synced = time.monotonic()

    def _write_sealed(self, content: list[object] | Versions) -> None:
        text = json.dumps(content)
        self._write(f"{_digest(text)} {text}\n".encode())

    def _write(self, line: bytes) -> None:
        try:
            while line:
                line = line[os.write(self._handle, line) :]
        except OSError as error:
            raise storage_error(error, self._path) from error


@contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal in a folder; what a kill left of a last line is closed, so that it spoils no other."""
    path = folder / JOURNAL
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags, 0o666)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        journal = Journal(handle, path)
        if os.fstat(handle).st_size:
            os.lseek(handle, -1, os.SEEK_END)
            if os.read(handle, 1) != b"\n":
                journal._write(b"\n")
        yield journal
        journal.sync()
    finally:
        os.close(handle)


@dataclass(frozen=True)
class JournalOutcome:
    """How a variant ended, and the versions of the program that ran the sweep."""

    run: Run
    checks: Checks
    versions: Versions  #: empty where they are not known


def read_journal(folder: Path, kind: str, scenarios: Sequence[str]) -> dict[int, Run]:
    """Outcomes of the variants with these scenarios, by index; the last one where there are several."""
    return {number: outcome.run for number, outcome in read_outcomes(folder, kind, scenarios).items()}


def read_outcomes(folder: Path, kind: str, scenarios: Sequence[str]) -> dict[int, JournalOutcome]:
    """Outcomes with their checks and versions, likewise."""
    path = folder / JOURNAL
    if not path.is_file():
        return {}
    found: dict[str, JournalOutcome] = {}
    versions: Versions = {}
    for line in read_bytes(path, JOURNAL_LIMIT).decode(errors="replace").splitlines():
        seal, _, text = line.partition(" ")
        if not text or seal != _digest(text):
            versions = {}
            continue
        versions = _read_versions(text) or versions
        outcome = _read_outcome(text, kind)
        if outcome is not None:
            found[outcome[0]] = JournalOutcome(*outcome[1:], versions)
    numbered = ((number, found.get(_digest(text))) for number, text in enumerate(scenarios))
    return {number: outcome for number, outcome in numbered if outcome is not None}


def _read_versions(text: str) -> Versions | None:
    """The versions of a line that has them."""
    try:
        found = _VERSIONS.validate_python(json.loads(text))
    except (ValueError, ValidationError):
        return None
    words = [*found, *found.values()]
    return found if all(word == printable(word) for word in words) else None


def _read_outcome(text: str, kind: str) -> tuple[str, Run, Checks] | None:
    """Digest of a scenario and its outcome; None where the line has none."""
    try:
        scenario, status, message, figures, checks = _LINE.validate_python(json.loads(text))
        ended = RunStatus(status)
    except (ValueError, ValidationError):
        return None
    words = [*(f"{name}{unit}" for name, _, unit in figures), *(name for name, _ in checks)]
    if ended not in KNOWN or any(text != printable(text) for text in words):
        return None
    return scenario, Run(ended, printable_lines(message), key_figures=figures, kind=kind), checks


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST]


@dataclass(frozen=True)
class Plan:
    """The plan of a sweep."""

    kind: str
    title: str
    varied: tuple[Column, ...]  #: with a value for each variant
    variants: tuple[str, ...]  #: names, which are those of the run folders
    scenarios: tuple[str, ...]  #: complete scenario files in SI, one for each variant
    command: tuple[str, ...]  #: arguments of `traction sweep` behind a scenario file that plan the same
    axes: tuple[SweepAxis, ...] = ()  #: over which the variants run, the last one fastest
    keep: str = RUNS  #: what of each variant is kept
    versions: tuple[tuple[str, str], ...] = ()  #: of programs, when it was planned

    def same_as(self, other: Plan) -> bool:
        """Whether the same is to be run, however the values were written."""
        keys, theirs = ([column.name for column in plan.varied] for plan in (self, other))
        alike = self.kind == other.kind and self.keep == other.keep
        return alike and keys == theirs and self.scenarios == other.scenarios

    def to_bytes(self) -> bytes:
        """JSON with a checksum."""
        data = seal_json({"format": FORMAT, "traction": __version__, "created": now(), **asdict(self)})
        if len(data) > LIMIT:
            raise InputError(
                f"the scenarios of {len(self.variants)} variants take {len(data)} bytes, at most {LIMIT}; "
                "give fewer values."
            )
        return data

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> Plan:
        """The plan in `data`; a `DamagedError` about `source` if it differs from what was written."""
        content = open_sealed(data, source)
        if content.get("format") != FORMAT:
            raise InputError(f"{source} has format {content.get('format')}; this version reads {FORMAT}.")
        entries = {name: content[name] for name in content.keys() - {"format", "traction", "created"}}
        try:
            plan = TypeAdapter(cls).validate_json(json.dumps(entries), strict=True)
        except ValidationError as error:
            raise DamagedError(f"{source} is damaged: its entries are not those of a sweep.") from error
        counts = {len(plan.scenarios), *(len(one.values) for one in plan.varied)}
        keys = [one.name for one in plan.varied]
        fitting = not plan.axes or fits(plan.axes, keys, len(plan.variants))
        if {len(plan.variants)} != counts or not all(map(_leads_nowhere_else, plan.variants)) or not fitting:
            raise DamagedError(f"{source} is damaged: its entries are not those of a sweep.")
        return plan


def is_sweep(path: str | os.PathLike[str]) -> bool:
    """Whether the folder is that of a sweep."""
    return (checks.path("path", path) / PLAN).is_file()


def read_plan(folder: Path) -> Plan:
    """The plan of the sweep in the folder."""
    source = folder / PLAN
    if not source.is_file():
        raise InputError(f"{folder} contains no {PLAN}, so it is not a sweep; check the name.")
    return Plan.from_bytes(read_bytes(source, LIMIT), str(source))


def claim_folder(folder: Path) -> None:
    """Create the folder of a sweep; one with other content is refused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = [name for name in os.listdir(folder) if name != LOCK and not name.startswith(WRITING)]
    except OSError as error:
        raise storage_error(error, folder) from error
    if others and PLAN not in others:
        raise InputError(f"{folder} exists, is not empty and contains no sweep; choose another folder.")


def settle_plan(folder: Path, plan: Plan) -> Plan:
    """Write the plan into its folder, or read it there; call it under the lock of the folder."""
    remove_unfinished(folder)
    if not (folder / PLAN).exists():
        write_atomic(folder / PLAN, plan.to_bytes(), remedy="Free some space and start the sweep again.")
        _keep_scenario(folder, plan)
        return plan
    there = read_plan(folder)
    if not there.same_as(plan):
        raise InputError(
            f"{folder} holds another sweep, {_words(there)}, not {_words(plan)}; choose another folder, "
            f"or resume it: {resume_command(folder)}"
        )
    _keep_scenario(folder, there)
    return there


def _keep_scenario(folder: Path, plan: Plan) -> None:
    """Write the scenario of the first variant where no variant has a folder."""
    if plan.keep == FIGURES and not (folder / SCENARIO).exists():
        write_atomic(folder / SCENARIO, plan.scenarios[0].encode())


def load_sweep(path: str | os.PathLike[str]) -> Sweep:
    """Return the sweep in a folder with its progress so far; nothing is run.

    Parameters
    ----------
    path
        Folder of the sweep.

    Returns
    -------
    Sweep
        Runs and table.

    Raises
    ------
    InputError
        If the folder does not contain a sweep.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=1, beam=bridge)
    >>> done = tr.sweep(case, {"beam.length": "10 m, 20 m"}, "bridge-sweep")
    >>> len(tr.load_sweep("bridge-sweep").runs)
    2
    """
    folder = checks.path("path", path).absolute()
    plan = read_plan(folder)
    return collect_sweep(plan, folder, {})


def collect_sweep(
    plan: Plan, folder: Path | None, ended: Mapping[int, Run], faults: Sequence[int] = ()
) -> Sweep:
    """The result of a sweep: runs that ended in this call, and the stored state of the others."""
    stored = [NOT_BEGUN] * len(plan.variants) if folder is None else _stored_runs(plan, folder)
    runs = [ended.get(number, run) for number, run in enumerate(stored)]
    table = tabulate_runs(plan.variants, plan.varied, runs, plan.axes)
    go_on = "" if folder is None else resume_command(folder)
    return Sweep(plan.kind, tuple(runs), table, folder, tuple(plan.variants[k] for k in faults), go_on)


def require_own_run(place: Path, scenario: str) -> None:
    """Refuse a run folder in the place of a variant that contains a run of another scenario."""
    if RunFolder.open(place).manifest.scenario_sha256 != hashlib.sha256(scenario.encode()).hexdigest():
        raise InputError(f"{place} contains another run; move it out of the folder of the sweep.")


def _stored_runs(plan: Plan, folder: Path) -> list[Run]:
    """The stored runs of all variants."""
    if plan.keep == FIGURES:
        ended = read_journal(folder, plan.kind, plan.scenarios)
        return [ended.get(number, NOT_BEGUN) for number in range(len(plan.variants))]
    failures = read_failures(folder)
    runs = []
    for name, scenario in zip(plan.variants, plan.scenarios, strict=True):
        place = folder / name
        if not (place / MANIFEST).exists():
            runs.append(Run(RunStatus.FAILED, failures[name]) if name in failures else NOT_BEGUN)
            continue
        try:
            require_own_run(place, scenario)
            runs.append(load_run(place))
        except (DamagedError, InputError) as error:
            runs.append(Run(RunStatus.FAILED, str(error), place))
    return runs


def write_outcome(sweep: Sweep) -> None:
    """Write the table, and why variants without a run folder failed."""
    assert sweep.folder is not None
    rows = zip(sweep.table.variants, sweep.runs, strict=True)
    failures = {n: run.message for n, run in rows if run.folder is None and run.status is RunStatus.FAILED}
    path = sweep.folder / FAILURES
    journal = (sweep.folder / JOURNAL).exists()  # which has them
    if (failures and not journal) or path.exists():
        write_atomic(path, json.dumps(failures, indent=1).encode())
    sweep.table.save(sweep.folder / TABLE)


def resume_command(folder: Path) -> str:
    """The command that resumes the sweep."""
    return f"traction resume {shlex.quote(str(folder))}"


def read_failures(folder: Path) -> dict[str, str]:
    """Why variants without a folder failed; a damaged file loses only the messages."""
    path = folder / FAILURES
    if not path.is_file():
        return {}
    try:
        found = parse_json(read_bytes(path, LIMIT), str(path))
    except DamagedError:
        return {}
    return {printable(name): printable_lines(str(message)) for name, message in found.items()}


def _words(plan: Plan) -> str:
    keys = ", ".join(column.name for column in plan.varied)
    kept = ", of which key figures are kept" if plan.keep == FIGURES else ""
    return f"of {keys} in {counted(len(plan.variants), 'variant')} of {plan.title}{kept}"


def _leads_nowhere_else(name: str) -> bool:
    """Whether a name is that of a direct subfolder."""
    return Path(name).name == name and name not in ("", ".", "..")
