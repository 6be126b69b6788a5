"""Files of profiles, by the ending of their names: Simpack, MiniProf and plain text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.profiles.column_file import read_columns, write_columns
from traction.profiles.file_points import MOST_BYTES, FilePoints
from traction.profiles.miniprof_file import read_miniprof, write_miniprof
from traction.profiles.orientation import has_flange_outside, is_upside_down
from traction.profiles.simpack_file import read_simpack, write_simpack
from traction.regular_files import read_regular

SIMPACK = {".prr": "rail", ".prw": "wheel"}
MINIPROF = {".ban": "rail", ".whl": "wheel"}


def read_points(path: Path, kind: str | None, mirror: bool, scale: float) -> FilePoints:
    """Return the points of a file, with their kind, in our axes."""
    try:
        found = _parsed(path, _content(path))
        known = kind or found.kind
        if known is None:
            raise InputError(
                'the file does not say whether it is a wheel or a rail; give kind="wheel" or "rail".'
            )
        if kind and found.kind and kind != found.kind:
            raise InputError(f"it is the profile of a {found.kind}, not of a {kind}.")
        return _oriented(scale * found.points, known, found.notes, mirror)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def write_points(path: Path, points: np.ndarray, kind: str) -> None:
    """Write a file of the format that the ending of its name says."""
    ending = path.suffix.lower()
    expected = (SIMPACK | MINIPROF).get(ending, kind)
    if expected != kind:
        raise InputError(f"{path}: the ending {ending} is for a {expected}, the profile is that of a {kind}.")
    write = write_simpack if ending in SIMPACK else write_miniprof if ending in MINIPROF else write_columns
    write_atomic(path, write(points, kind).encode())


def _content(path: Path) -> bytes:
    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror or error}.") from None


def _parsed(path: Path, data: bytes) -> FilePoints:
    ending = path.suffix.lower()
    if ending in SIMPACK:
        found = read_simpack(data)
        return found if found.kind else FilePoints(found.points, SIMPACK[ending], found.notes)
    if ending in MINIPROF:
        return read_miniprof(data, MINIPROF[ending])
    return read_columns(data)


def _oriented(points: np.ndarray, kind: str, notes: tuple[str, ...], mirror: bool) -> FilePoints:
    """The points with z upwards, and a wheel's flange inwards."""
    said = list(notes)
    if mirror:
        points = points * np.array([-1.0, 1.0])
        said.append("mirrored, as asked for")
    if len(points) < 2 or not np.isfinite(points).all():
        return FilePoints(points, kind, tuple(said))
    if is_upside_down(_inwards(points), kind):
        points = points * np.array([1.0, -1.0])
        said.append("z was turned upwards: it pointed downwards in the file")
    if kind == "wheel" and not mirror and has_flange_outside(points):
        points = points * np.array([-1.0, 1.0])
        said.append("y was turned to the flange: the file has it on the other side")
    return FilePoints(points, kind, tuple(said))


def _inwards(points: np.ndarray) -> np.ndarray:
    """The points in the order of increasing y."""
    return points if points[-1, 0] >= points[0, 0] else points[::-1]
