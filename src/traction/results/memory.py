"""A run that is kept in memory only: the same calls as `RunFolder`, no files, nothing to resume."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from traction.results.field import Layout, Samples
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure, RunStatus, check_figures
from traction.results.storage.segments import State
from traction.state_arrays import Arrays


class MemoryStore:
    """What `record` needs of a run folder, without the folder."""

    def __init__(self, kind: str, layout: Layout) -> None:
        self.kind, self.layout = kind, layout
        self.status, self.message = RunStatus.RUNNING, ""
        self.key_figures: tuple[KeyFigure, ...] = ()
        self.timings: dict[str, float] = {}
        self.damage: list[str] = []
        self.findings: Arrays = {}
        self._blocks: list[tuple[int, Samples]] = []
        self._last: tuple[int, State | None] = (0, None)

    @property
    def acknowledged(self) -> int:
        """Number of samples that are kept."""
        return sum(self.layout.count_of(samples) for _, samples in self._blocks)

    def lock(self) -> AbstractContextManager[None]:
        """Nobody else can write here."""
        return nullcontext()

    def resume_point(self) -> tuple[int, State | None]:
        """The last state."""
        return self._last

    def changed_versions(self) -> list[str]:
        """None: what is in memory was computed by this process."""
        return []

    def begin(self) -> None:
        """Say that the run is going on."""
        self.status = RunStatus.RUNNING

    def append(self, first: int, samples: Mapping[str, np.ndarray]) -> None:
        """Keep a copy of the samples from number `first` on."""
        self._blocks.append((first, {name: values.copy() for name, values in samples.items()}))

    def checkpoint(self, samples: int, state: State) -> None:
        """Keep the state."""
        self._last = (samples, state)

    def add_timings(self, **seconds: float) -> None:
        """Add to the timings."""
        for name, value in seconds.items():
            self.timings[name] = self.timings.get(name, 0.0) + value

    def finish(
        self,
        status: RunStatus | str,
        message: str = "",
        key_figures: Iterable[KeyFigure] | None = None,
        findings: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """Say how the run ended."""
        self.status, self.message = RunStatus(status), message
        self.findings = dict(findings or {})
        if key_figures is not None:
            self.key_figures = check_figures(key_figures)

    def blocks(self) -> Iterator[tuple[int, Samples]]:
        """First sample and samples of each block."""
        yield from self._blocks

    def samples(self) -> Samples:
        """All samples, field by field."""
        none = self.layout.empty(0)
        return {name: np.concatenate([none[name], *(one[name] for _, one in self._blocks)]) for name in none}


Store = RunFolder | MemoryStore  #: where samples go
