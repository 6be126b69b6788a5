"""Stored data of a run for its report: samples, findings and key figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from traction.results.field import Layout, Samples
from traction.results.manifest import KeyFigure, check_figures
from traction.results.memory import Store
from traction.state_arrays import Arrays


@dataclass(frozen=True, eq=False)
class StoredRun(Mapping[str, np.ndarray]):
    """Samples of a run by the names of their fields, its findings and its key figures."""

    samples: Samples  #: all numbers; of fields with dimensions the last sample, or all if requested
    findings: Arrays = field(default_factory=dict)  #: of the run as a whole
    key_figures: tuple[KeyFigure, ...] = ()

    def with_findings(self, findings: Arrays) -> StoredRun:
        """The same with findings."""
        return replace(self, findings=findings)

    def with_key_figures(self, figures: Iterable[KeyFigure]) -> StoredRun:
        """The same with key figures."""
        return replace(self, key_figures=check_figures(figures))

    def __getitem__(self, name: str) -> np.ndarray:
        return self.samples[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.samples)

    def __len__(self) -> int:
        return len(self.samples)


class SampleDigest:
    """Samples that reports need, of a run that may not fit in memory.

    All numbers, and of fields with dimensions the last sample, but all samples of those named in `whole`.
    """

    def __init__(self, layout: Layout, whole: tuple[str, ...] = ()) -> None:
        self._parts: dict[str, list[np.ndarray]] = {field.name: [] for field in layout.fields}
        self._last = {field.name for field in layout.fields if field.dims and field.name not in whole}
        self._total, self._count = layout.total, 0

    def add(self, first: int, block: Mapping[str, np.ndarray]) -> None:
        """Add the samples from index `first` on, one block after the other."""
        if first != self._count:
            return  # it begins in the middle of a run, and is never complete
        for name, values in block.items():
            if name in self._last:
                self._parts[name] = [values[-1:].copy()]
            else:
                self._parts[name].append(values.copy())
        self._count += len(next(iter(block.values())))

    @property
    def is_complete(self) -> bool:
        """Whether it has seen all samples."""
        return self._count == self._total

    @property
    def samples(self) -> Samples:
        """By their fields."""
        return {name: np.concatenate(parts) for name, parts in self._parts.items()}


def digest_samples(store: Store, whole: tuple[str, ...] = ()) -> StoredRun:
    """The samples of a run that reports need, from where they are stored."""
    digest = SampleDigest(store.layout, whole)
    for first, block in store.blocks():
        digest.add(first, block)
    return StoredRun(digest.samples)
