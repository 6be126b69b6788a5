"""The files of a run folder that hold numbers: segments of samples, checkpoints, and what never changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from traction.checks import shown
from traction.errors import InputError
from traction.outputs.atomic import storage_error
from traction.results.field import Constant, Coordinate, Field, Layout, Samples
from traction.results.storage.container import DamagedError, Json, pack, read_packed

State = dict[str, np.ndarray]  #: all that the next sample depends on


def pack_layout(run: str, layout: Layout) -> bytes:
    """Content of `static.bin`."""
    meta = {
        "run": run,
        "total": layout.total,
        "fields": [asdict(item) for item in layout.fields],
        "coordinates": [[item.name, item.unit, item.long_name] for item in layout.coordinates],
        "constants": [[item.name, item.unit, item.long_name, list(item.dims)] for item in layout.constants],
    }
    arrays = {item.name: item.values for item in layout.coordinates}
    return pack(arrays | {item.name: item.values for item in layout.constants}, meta)


def read_layout(path: Path, run: str) -> Layout:
    """What `pack_layout` wrote."""
    arrays, meta = read_arrays(path, run)
    try:
        fields = tuple(Field(**{**item, "dims": tuple(item["dims"])}) for item in meta["fields"])
        coordinates = tuple(
            Coordinate(name, arrays[name], unit, words) for name, unit, words in meta["coordinates"]
        )
        constants = tuple(
            Constant(name, arrays[name], unit, words, tuple(dims))
            for name, unit, words, dims in meta["constants"]
        )
        return Layout(fields, _whole(meta["total"]), coordinates, constants)
    except (InputError, KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"{path} is damaged: it does not describe a run ({error}).") from error


def read_arrays(path: Path, run: str) -> tuple[dict[str, np.ndarray], Json]:
    """Arrays and meta of a file; a `DamagedError` if it was not written by this run."""
    arrays, meta = read_packed(path)
    if meta.get("run") != run:
        raise DamagedError(f"{path} is damaged: it belongs to another run.")
    return arrays, meta


def read_segment(path: Path, run: str, index: int, first: int | None, layout: Layout) -> Samples:
    """The samples from `first` on, None when not known; a `DamagedError` when it is not the segment meant."""
    samples, meta = read_arrays(path, run)
    if meta.get("index") != index:
        raise DamagedError(
            f"{path} is damaged: it holds segment {shown(meta.get('index'))}, expected {index}."
        )
    if first is not None and meta.get("first") != first:
        raise DamagedError(
            f"{path} is damaged: it begins at sample {shown(meta.get('first'))}, expected {first}."
        )
    try:
        count = layout.count_of(samples)
    except InputError as error:
        raise DamagedError(f"{path} is damaged: {error}") from error
    if count == 0 or (first or 0) + count > layout.total:
        raise DamagedError(
            f"{path} is damaged: {count} samples from {first} on, expected up to {layout.total}."
        )
    return samples


def read_checkpoint(path: Path, run: str) -> tuple[int, State]:
    """Number of samples before the state, and the state."""
    state, meta = read_arrays(path, run)
    try:
        return _whole(meta.get("samples")), state
    except ValueError as error:
        raise DamagedError(f"{path} is damaged: {error}.") from error


def numbered(folder: Path, suffix: str) -> dict[int, Path]:
    """The files `000012.suffix` of a folder by their number, in order; other files are not ours."""
    pattern = re.compile(rf"(\d{{6,12}}){re.escape(suffix)}", re.ASCII)
    found = {}
    try:
        paths = list(folder.iterdir())
    except OSError as error:
        raise storage_error(error, folder) from error
    for path in paths:
        match = pattern.fullmatch(path.name)
        if match and path.name == file_name(int(match[1]), suffix):
            found[int(match[1])] = path
    return dict(sorted(found.items()))


def file_name(number: int, suffix: str) -> str:
    """The name of numbered file `number`."""
    return f"{number:06d}{suffix}"


def worth_keeping(numbers: Sequence[int]) -> Iterator[int]:
    """The two newest checkpoints and ever sparser older ones, so that early damage does not cost it all."""
    newest = max(numbers, default=0)
    for number in numbers:
        age = newest - number
        if age < 2 or number % (1 << (age.bit_length() - 1)) == 0:
            yield number


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a number of samples")
    return value
