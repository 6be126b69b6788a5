"""A run in memory only: the same calls as `RunFolder`, no files, nothing to resume."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from traction.results.field import Layout, Samples
from traction.results.folder import RunFolder
from traction.results.manifest import RunStore, new_manifest
from traction.results.storage.segments import State


class MemoryStore(RunStore):
    """A store for `record` without a folder."""

    def __init__(self, kind: str, layout: Layout) -> None:
        super().__init__(new_manifest("", kind, "in memory", b"", None, layout.total), layout)
        self._blocks: list[tuple[int, Samples]] = []
        self._last: tuple[int, State | None] = (0, None)

    @property
    def acknowledged(self) -> int:
        """Number of stored samples."""
        return sum(self.layout.count_of(samples) for _, samples in self._blocks)

    def lock(self) -> AbstractContextManager[None]:
        """Nobody else can write here."""
        return nullcontext()

    states = "memory"

    def resume_point(self, check: Callable[[int, State], None]) -> tuple[int, State | None]:
        """The last state."""
        return self._last

    def append(self, first: int, samples: Mapping[str, np.ndarray]) -> None:
        """Store a copy of the samples from index `first` on."""
        self._blocks.append((first, {name: values.copy() for name, values in samples.items()}))

    def checkpoint(self, samples: int, state: State) -> None:
        """Store the state."""
        self._last = (samples, state)

    def blocks(self) -> Iterator[tuple[int, Samples]]:
        """First sample and samples of each block."""
        yield from self._blocks

    def samples(self) -> Samples:
        """All samples, field by field."""
        none = self.layout.empty(0)
        return {name: np.concatenate([none[name], *(one[name] for _, one in self._blocks)]) for name in none}


Store = RunFolder | MemoryStore  #: where samples go
