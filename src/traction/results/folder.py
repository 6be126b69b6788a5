"""A run folder: input, results, and the state to resume from.

    manifest.json         input, versions, seed, status, timings, key figures
    scenario.toml         copy of the scenario
    static.bin            fields, coordinates, constants
    segments/000000.seg   samples, append only
    checkpoints/000001.state   the state after that many segments
    findings.bin          findings of the whole run, once it is complete
    aside/                damaged files, and files after damage; never read again
    data.nc               the labelled dataset, once exported
    lock                  held by the process that writes

Every file is written to a temporary name, synced and renamed, and carries a checksum. A sample is
acknowledged when `append` returns: from then on it survives the end of the process at any moment.
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from traction.errors import InputError, TractionError
from traction.outputs.atomic import remove_unfinished, storage_error, write_atomic
from traction.results import manifest as papers
from traction.results.field import Layout, Samples
from traction.results.manifest import Manifest, RunStatus, RunStore
from traction.results.storage import segments as files
from traction.results.storage.container import Block, DamagedError, pack, pack_blocks, read_bytes
from traction.results.storage.run_files import (
    CHECKPOINT,
    CHECKPOINTS,
    FINDINGS,
    MANIFEST,
    SCENARIO,
    SEGMENT,
    SEGMENTS,
    STATIC,
    check_path,
    claim_new,
    fill,
    hash_file,
    is_being_written,
    is_free,
    set_aside,
    sole_writer,
    total_size,
)
from traction.results.storage.segments import State
from traction.state_arrays import Arrays

MOST_DAMAGE = 50  #: sentences about one folder
HEADER = 1 << 26  #: bytes of an exported file beside its samples, at most


class Survey(NamedTuple):
    """Intact data: segments from the first on without a gap, and sentences about the rest."""

    ends: list[int]  #: 0, and the number of samples after each intact segment
    damage: list[str]


class RunFolder(RunStore):
    """One run on disk. Made by `create` or `open`; `record` fills it."""

    def __init__(self, path: Path, manifest: Manifest, layout: Layout) -> None:
        super().__init__(manifest, layout)
        self.path = path
        self._segments, self._checkpoints = path / SEGMENTS, path / CHECKPOINTS
        self._ends: list[int] | None = None  # known after the first look at the segments

    # -- making and opening ----------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        kind: str,
        scenario_text: str,
        layout: Layout,
        seed: int | None = None,
        scenario_name: str = SCENARIO,
    ) -> RunFolder:
        """A new run; `path` must not exist, be empty, or hold what a start has left that was killed."""
        place = check_path(path)
        try:
            scenario = scenario_text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(f"the scenario holds characters that UTF-8 cannot write: {error}.") from error
        run = secrets.token_hex(8)
        manifest = papers.new_manifest(run, kind, scenario_name, scenario, seed, layout.total)
        contents = {
            STATIC: files.pack_layout(run, layout),
            SCENARIO: scenario,
            MANIFEST: manifest.to_bytes(),  # last: with it the folder is a run
        }
        with claim_new(place):
            fill(place, contents)
        return cls(place, manifest, layout)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> RunFolder:
        """An existing run; nothing is changed."""
        place = check_path(path)
        source = place / MANIFEST
        try:
            if not place.is_dir():
                raise InputError(f"there is no run folder {place}; check the name.")
            if not source.exists():
                if is_free(place):
                    raise InputError(f"no run has begun in {place}: its start was killed; start it again.")
                raise InputError(f"{place} has no {MANIFEST}, so it is not a run folder; check the name.")
            for name in (SEGMENTS, CHECKPOINTS):
                if not (place / name).is_dir() or (place / name).is_symlink():
                    raise DamagedError(f"{place / name} is missing or not a folder.")
        except OSError as error:
            raise storage_error(error, place) from error
        manifest = Manifest.from_bytes(read_bytes(source, papers.LIMIT), str(source))
        layout = files.read_layout(place / STATIC, manifest.run)
        if layout.total != manifest.total:
            raise DamagedError(
                f"{source} is damaged: it counts {manifest.total} samples, not {layout.total}."
            )
        return cls(place, manifest, layout)

    # -- what it is ------------------------------------------------------------------------------------------

    @property
    def status(self) -> RunStatus:
        """Status of the run; `interrupted` when it should be running but no process writes it."""
        stored = self.manifest.status
        if stored is RunStatus.RUNNING and not is_being_written(self.path):
            return RunStatus.INTERRUPTED
        return stored

    @property
    def is_judged(self) -> bool:
        """Whether the run failed with all its samples and findings there: its result was judged worthless."""
        return self.status is RunStatus.FAILED and (self.path / FINDINGS).exists()

    @property
    def remedy(self) -> str:
        """Remedy for a full disk."""
        return f"Nothing acknowledged is lost. Free some space and resume: {self.resume_command}"

    @property
    def resume_command(self) -> str:
        """The command that resumes this run."""
        return f"traction resume {shlex.quote(str(self.path))}"

    def scenario_text(self) -> str:
        """The copy of the scenario."""
        path = self.path / SCENARIO
        data = read_bytes(path, papers.SCENARIO_LIMIT)
        if sha256(data).hexdigest() != self.manifest.scenario_sha256:
            raise DamagedError(f"{path} is damaged: its checksum does not match.")
        return data.decode("utf-8")

    # -- writing ---------------------------------------------------------------------------------------------

    def lock(self) -> AbstractContextManager[None]:
        """Hold the folder for writing; an `InputError` when another process does."""
        return sole_writer(self.path)

    @property
    def acknowledged(self) -> int:
        """Number of samples that are safe."""
        return self._known_ends()[-1]

    def append(self, first: int, samples: Mapping[str, np.ndarray]) -> None:
        """Add samples from index `first` on; when this returns they are acknowledged."""
        ends = self._known_ends()
        expected, index = ends[-1], len(ends) - 1
        arrays = {name: np.asarray(values) for name, values in samples.items()}
        count = self.layout.count_of(arrays)
        if first != expected:
            what = "a gap" if first > expected else "an overlap"
            raise InputError(f"samples from {first} on would leave {what}; the next sample is {expected}.")
        if count == 0 or first + count > self.layout.total:
            raise InputError(f"{count} samples from {first} on do not fit in a run of {self.layout.total}.")
        in_order = {item.name: arrays[item.name] for item in self.layout.fields}
        data = pack_blocks(in_order, {"run": self.manifest.run, "index": index, "first": first})
        self._write(self._segments / files.file_name(index, SEGMENT), data)
        ends.append(first + count)

    def checkpoint(self, samples: int, state: State) -> None:
        """Store the state after that many samples, all of which must be acknowledged."""
        ends = self._known_ends()
        if samples != ends[-1]:
            raise InputError(f"a checkpoint after {samples} samples needs them; {ends[-1]} are stored.")
        data = pack(state, {"run": self.manifest.run, "samples": samples})
        self._write(self._checkpoints / files.file_name(len(ends) - 1, CHECKPOINT), data)
        kept = files.numbered(self._checkpoints, CHECKPOINT)
        for number in set(kept) - set(files.worth_keeping(list(kept))):
            with suppress(OSError):  # one too many does no harm
                kept[number].unlink()

    def clear_unfinished(self) -> None:
        """Remove the temporary files of processes that ended; call it under `lock`."""
        for folder in (self.path, self._segments, self._checkpoints):
            remove_unfinished(folder)

    def note_export(self, name: str, digest: str) -> None:
        """Store the checksum of an exported file."""
        self._update(exports={**self.manifest.exports, name: digest})

    def note_exports(self, paths: Iterable[Path]) -> None:
        """Store the checksums of files that were written into the folder."""
        hashed = {path.name: hash_file(path) for path in paths}
        self._update(exports={**self.manifest.exports, **hashed})

    # -- reading ---------------------------------------------------------------------------------------------

    def blocks(self) -> Iterator[tuple[int, Samples]]:
        """First index and samples of each segment.

        A `DamagedError` where one differs from what was written.
        """
        first = 0
        for index in range(self._segment_count()):
            try:
                samples = self._read_segment(index, first)
            except DamagedError as error:
                raise DamagedError(f"{error} Compute it again: {self.resume_command}") from error
            yield first, samples
            first += self.layout.count_of(samples)
        if self.manifest.status == RunStatus.DONE and first != self.layout.total:
            raise DamagedError(
                f"{self._segments} is damaged: {first} samples, expected {self.layout.total}. "
                f"Compute the others again: {self.resume_command}"
            )

    def samples(self, *, partial: bool = False) -> Samples:
        """All acknowledged samples, field by field.

        A damaged segment raises a `DamagedError`; with `partial` those before it are returned, and `damage`
        names it.
        """
        # no more samples than fit into the segments are there, whatever a file says
        paths = files.numbered(self._segments, SEGMENT).values()
        most = total_size(paths) // self.layout.bytes_per_sample
        stacked = self.layout.empty(min(self.layout.total, most))
        count = 0
        try:
            for first, samples in self.blocks():
                for name, values in samples.items():
                    stacked[name][first : first + len(values)] = values
                    count = first + len(values)
        except DamagedError as error:
            if not partial:
                raise
            self._note_damage([str(error)])
        return {name: values[:count] for name, values in stacked.items()}

    def findings(self) -> Arrays:
        """Findings of the complete run; a `DamagedError` if they differ from what was written."""
        return files.read_arrays(self.path / FINDINGS, self.manifest.run)[0]

    def survey(self) -> Survey:
        """Read every segment; nothing is changed."""
        ends, damage = [0], list[str]()
        # every segment holds a sample at least, so no more than `total` of them can be right
        for index in range(min(self._segment_count(), self.layout.total)):
            if len(damage) > MOST_DAMAGE:
                damage.append(f"{self._segments}: and more.")
                break
            # after a damaged segment the numbers of the samples are not known, but more damage can be named
            first = None if damage else ends[-1]
            try:
                samples = self._read_segment(index, first)
            except DamagedError as error:
                damage.append(str(error))
                continue
            if first is not None:
                ends.append(first + self.layout.count_of(samples))
        return Survey(ends, damage)

    @property
    def states(self) -> Path:
        """The folder of the stored states."""
        return self._checkpoints

    def resume_point(self, check: Callable[[int, State], None] | None = None) -> tuple[int, State | None]:
        """Where to resume: the number of samples before the newest usable state, and that state.

        A state that `check` refuses, by an `InputError`, is not usable.
        Without one it is (0, None): from the start. Damaged files, and segments after a damaged one, are
        moved to `aside/`, so that the run can be continued; `damage` names them. Call it under `lock`.
        """
        self.clear_unfinished()
        starts, broken = self.survey()
        damage = list(broken)
        found: tuple[int, State | None] = (0, None)
        unusable: list[Path] = []
        checkpoints = files.numbered(self._checkpoints, CHECKPOINT)
        for number, path in reversed(checkpoints.items()):
            try:
                samples, state = files.read_checkpoint(path, self.manifest.run)
                if number < len(starts) and samples != starts[number]:
                    raise DamagedError(
                        f"{path} is damaged: it follows sample {samples}, not {starts[number]}."
                    )
                if check is not None and number < len(starts):
                    _require_state(path, samples, state, check)
            except DamagedError as error:
                damage.append(str(error))
                unusable.append(path)
                continue
            if number < len(starts):
                found = (samples, state)
                break
            if not broken:
                damage.append(f"{self._segments} is damaged: samples {starts[-1]} to {samples} are missing.")
            unusable.append(path)
        segments = files.numbered(self._segments, SEGMENT)
        later = [path for index, path in segments.items() if index >= len(starts) - 1]
        # the last first: what stays has no gap at any moment
        set_aside(self.path, [*unusable, *reversed(later)], self.remedy)
        self._note_damage(damage)
        self._ends = starts
        return found

    def verify(self) -> list[str]:
        """A sentence for each file that differs from what was written, none if all are intact.

        Changes nothing.
        """
        (ends, damage), done = self.survey(), self.manifest.status is RunStatus.DONE
        if done and not damage and ends[-1] != self.layout.total:
            damage.append(f"{self._segments} is damaged: {ends[-1]} samples, expected {self.layout.total}.")
        states = files.numbered(self._checkpoints, CHECKPOINT).values()
        reads: list[Callable[[], object]] = [partial(RunFolder.open, self.path), self.scenario_text]
        reads += [self.findings] if done else []
        reads += [partial(files.read_checkpoint, path, self.manifest.run) for path in states]
        for read in reads:
            try:
                read()
            except TractionError as error:
                damage.append(str(error))
        sources = [self.path / STATIC, *files.numbered(self._segments, SEGMENT).values()]
        return damage + export_faults(self.path, self.manifest.exports, sources)

    # -- inside ----------------------------------------------------------------------------------------------

    def _known_ends(self) -> list[int]:
        """0, and the number of samples after each segment."""
        if self._ends is None:
            ends, damage = self.survey()
            if damage:
                raise DamagedError(f"{damage[0]} Resume before it: {self.resume_command}")
            self._ends = ends
        return self._ends

    def _segment_count(self) -> int:
        """Number of segments that exist, or should."""
        return max(files.numbered(self._segments, SEGMENT), default=-1) + 1

    def _read_segment(self, index: int, first: int | None) -> Samples:
        path = self._segments / files.file_name(index, SEGMENT)
        return files.read_segment(path, self.manifest.run, index, first, self.layout)

    def _write(self, path: Path, data: bytes | Sequence[Block]) -> None:
        write_atomic(path, data, remedy=self.remedy)

    def _keep_findings(self, findings: Mapping[str, np.ndarray]) -> None:
        self._write(self.path / FINDINGS, pack(findings, {"run": self.manifest.run}))

    def _update(self, **changes: object) -> None:
        manifest = self.manifest.updated_now(**changes)
        self._write(self.path / MANIFEST, manifest.to_bytes())
        self.manifest = manifest

    def _note_damage(self, sentences: Iterable[str]) -> None:
        self.damage.extend(sentence for sentence in sentences if sentence not in self.damage)


def _require_state(path: Path, samples: int, state: State, check: Callable[[int, State], None]) -> None:
    try:
        check(samples, state)
    except InputError as error:
        raise DamagedError(f"{path} is damaged: {str(error).rstrip('.')}.") from error


def missing_export(place: Path, name: str, exports: Mapping[str, str]) -> bool:
    """Whether a file was never exported completely, or was deleted."""
    return name not in exports or not (place / name).exists()


def export_faults(place: Path, exports: Mapping[str, str], sources: Iterable[Path]) -> list[str]:
    """A sentence for each exported file that differs from what was written; one that was deleted is none.

    A file much larger than the `sources` of its numbers is not read.
    """
    limit = HEADER + 2 * total_size(sources)  # its last chunk may be nearly empty
    return [
        fault for name, digest in exports.items() for fault in _faults(place / Path(name).name, digest, limit)
    ]


def unchanged_exports(place: Path, exports: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the exported files in a folder that are as they were written."""
    found = []
    for name, digest in exports.items():
        path = place / name
        plain = Path(name).name == name and path.is_file() and not path.is_symlink()
        if plain and hash_file(path) == digest:
            found.append(name)
    return tuple(found)


def _faults(path: Path, digest: str, limit: int) -> list[str]:
    if not path.exists() and not path.is_symlink():
        return []
    try:
        intact = hash_file(path, limit) == digest
    except DamagedError as error:
        return [str(error)]
    return [] if intact else [f"{path} is damaged or was changed; delete it and export it again."]
