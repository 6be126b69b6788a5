"""The samples of a run, read once for as long as it stays the same."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from traction.results.field import Field, Layout, Samples
from traction.results.folder import RunFolder
from traction.results.storage.run_files import MANIFEST, SEGMENTS
from traction.studio.messages import AXIS_DIGITS, Facts, RefusedError, numbers

MOST_BYTES = 1_500_000_000  #: of a run whose samples are read into memory
MOST_RUNS = 6  #: that are kept
KEPT_BYTES = 800_000_000
ROUND_OFF = 1e-6  #: of the normal force
ATOM = 1e-10  #: m, no patch is smaller
FEWEST_EVEN, EVEN = 16, 1e-6  #: samples of a spectrum, and how equal their steps are


@dataclass(eq=False)
class RunSamples:
    """Layout and samples of a run so far."""

    folder: RunFolder
    samples: Samples
    _extremes: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def layout(self) -> Layout:
        """Fields and coordinates."""
        return self.folder.layout

    @property
    def kind(self) -> str:
        """Kind of the scenario."""
        return self.folder.manifest.kind

    @cached_property
    def count(self) -> int:
        """Number of samples so far."""
        return min((len(values) for values in self.samples.values()), default=0)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Fields by name."""
        return {one.name: one for one in self.layout.fields}

    @cached_property
    def label(self) -> Field | None:
        """What labels the samples: time, distance, load."""
        return next((one for one in self.layout.fields if one.labels_samples), None)

    @cached_property
    def label_values(self) -> np.ndarray:
        """Its values; numbers of the samples from 1 where nothing labels them."""
        if self.label is None:
            return np.arange(1, self.count + 1)
        return self.samples[self.label.name]

    @property
    def label_words(self) -> tuple[str, str, str]:
        """Its name, words and unit."""
        one = self.label
        return ("sample", "sample", "1") if one is None else (one.name, one.long_name, one.unit)

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return sum(values.nbytes for values in self.samples.values())

    @cached_property
    def is_even(self) -> bool:
        """Whether the samples lie at equal times."""
        if self.label is None or self.label.name != "time" or self.count < FEWEST_EVEN:
            return False
        steps = np.diff(self.label_values)
        return bool(steps[0] > 0.0 and np.abs(steps - steps.mean()).max() <= EVEN * steps.mean())

    def coordinate(self, name: str) -> Facts:
        """Values along a dimension, for JSON."""
        found = next(one for one in self.layout.coordinates if one.name == name)
        return stored_axis(name, found.long_name, found.unit, found.values)

    def extremes(self, name: str) -> tuple[float, float]:
        """Least and largest value of a field over all samples."""
        if name not in self._extremes:
            values = self.samples[name]
            known = values[np.isfinite(values)] if values.dtype.kind == "f" else values
            self._extremes[name] = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
        return self._extremes[name]

    def numbers_of(self, name: str) -> np.ndarray:
        """Samples of a field; zeros where all of them are the noise of a solver."""
        values, low_high = self.samples[name], self.extremes(name)
        return np.zeros_like(values) if max(map(abs, low_high)) < self._noise(name) else values

    def cells_of(self, name: str, most: int) -> np.ndarray:
        """The first samples of a field for a table, each that is noise as zero."""
        values = self.samples[name][:most]
        return np.where(np.abs(values) < self._noise(name), values.dtype.type(0), values)

    def _noise(self, name: str) -> float:
        """Size below which a force or moment is noise: beside the normal or wheel forces."""
        if name == "shear" and "axle_force" in self.fields:
            return ROUND_OFF * max(map(abs, self.extremes("axle_force")))
        if name not in ("force_x", "force_y", "moment") or "normal_force" not in self.fields:
            return 0.0
        noise = ROUND_OFF * max(map(abs, self.extremes("normal_force")))
        return noise * max(half_width(self.layout), ATOM) if name == "moment" else noise

    def row(self, sample: int) -> int:
        """Index of a sample, -1 for the last; beyond the end it is the last."""
        if self.count == 0:
            raise RefusedError(409, "this run has no samples yet.")
        return self.count - 1 if sample < 0 else min(sample, self.count - 1)


def half_width(layout: Layout) -> float:
    """Half of what the grid of a contact spans along x, m; 0 without one."""
    known = next((one.values for one in layout.coordinates if one.name == "x"), None)
    return 0.0 if known is None or not len(known) else 0.5 * float(np.ptp(known))


def stored_axis(name: str, label: str, unit: str, values: np.ndarray) -> Facts:
    """An axis with its values, for JSON."""
    shown = "" if unit == "1" else unit
    return {"name": name, "label": label, "unit": shown, "values": numbers(values, AXIS_DIGITS)}


_kept: OrderedDict[str, tuple[tuple[int, int, int], RunSamples]] = OrderedDict()


def read_samples(folder: str) -> RunSamples:
    """The samples of the run in a folder so far."""
    path = Path(folder)
    status = (path / MANIFEST).stat()
    stamp = status.st_mtime_ns, status.st_size, (path / SEGMENTS).stat().st_mtime_ns
    known = _kept.get(folder)
    if known is not None and known[0] == stamp:
        _kept.move_to_end(folder)
        return known[1]
    opened = RunFolder.open(path)
    needed = opened.layout.bytes_per_sample * opened.layout.total
    if needed > MOST_BYTES:
        raise RefusedError(
            422, f"this run stores {needed / 1e9:.3g} GB, too much to be shown here; take its netCDF file."
        )
    found = RunSamples(opened, opened.samples(partial=True))
    _kept[folder] = stamp, found
    while len(_kept) > 1 and (
        len(_kept) > MOST_RUNS or sum(one.size for _, one in _kept.values()) > KEPT_BYTES
    ):
        _kept.popitem(last=False)
    return found
