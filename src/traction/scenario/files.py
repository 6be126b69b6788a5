"""Numbers in files beside a scenario. Paths are confined to its folder, and only text is read."""

from __future__ import annotations

import math
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np

from traction.errors import InputError
from traction.printable import printable
from traction.regular_files import read_regular
from traction.scenario.toml import Table

MAX_BYTES = 5_000_000


def confined(folder: Path, name: str) -> Path:
    """The file `name` inside `folder`; absolute paths, `..` and links that lead out are refused."""
    outside = InputError(
        f'file = "{printable(name[:200])}" must lie in the folder of the scenario: '
        'give a relative path without "..".'
    )
    parts = PurePosixPath(name).parts + PureWindowsPath(name).parts
    anchored = PurePosixPath(name).is_absolute() or bool(PureWindowsPath(name).anchor)
    if anchored or ".." in parts or not name or "\0" in name:
        raise outside
    try:
        base = folder.resolve()
        path = (base / name).resolve()
    except (OSError, RuntimeError):  # links in a circle
        raise outside from None
    if not path.is_relative_to(base):
        raise outside
    return path


def table(folder: Path, name: str) -> np.ndarray:
    """Rows of numbers, separated by commas or spaces; lines that begin with # are skipped."""
    path = confined(folder, name)
    try:
        if not path.is_file():
            raise InputError(
                f'file = "{name}" does not exist in the folder of the scenario, which it is read from.'
            )
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f'file = "{name}" is larger than {MAX_BYTES} bytes.')
        lines = read_regular(path, MAX_BYTES).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f'file = "{name}" cannot be read as text: {error}.') from error
    rows: list[list[float]] = []
    for at, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            rows.append(_numbers(line, f'file = "{name}", line {at}'))
            if len(rows[-1]) != len(rows[0]):
                raise InputError(
                    f'file = "{name}", line {at}: {len(rows[-1])} numbers, '
                    f"but {len(rows[0])} in the rows before."
                )
    if not rows:
        raise InputError(f'file = "{name}" must contain rows of equally many numbers; it has none.')
    return np.array(rows, dtype=np.float64)


def _numbers(line: str, where: str) -> list[float]:
    """The numbers of one line."""
    numbers = []
    for word in line.replace(",", " ").split():
        try:
            number = float(word) if word.isascii() else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f'{where}: "{printable(word[:40])}" is not a finite number.')
        numbers.append(number)
    if not numbers:
        raise InputError(f"{where}: no numbers, only commas.")
    return numbers


def inlined(surface: Table, folder: Path) -> Table:
    """A surface table with the numbers of its `file` in place of the name, in m.

    A profile has two columns, y and z. A height map has the positions x in its first row, behind one
    number that is not used, and y followed by the heights in each row after that.
    """
    kept = {key: value for key, value in surface.items() if key != "file"}
    name = surface["file"]
    if not isinstance(name, str):
        raise InputError(f"file = {name!r} must be the name of a file, as text.")
    twice = [key for key in ("x", "y", "z") if key in surface]
    if twice:
        raise InputError(
            f'file = "{printable(name)}" brings {twice[0]} along; give the file or {twice[0]}, not both.'
        )
    numbers = table(folder, name)
    if surface.get("type") == "height-map":
        if min(numbers.shape) < 3:
            raise InputError(f'file = "{name}" needs at least two positions along x and y.')
        x, y, z = numbers[0, 1:], numbers[1:, 0], numbers[1:, 1:]
        return kept | {"x": x.tolist(), "y": y.tolist(), "z": z.tolist()}
    if numbers.shape[1] != 2:
        raise InputError(f'file = "{name}" must have two columns, y and z, but has {numbers.shape[1]}.')
    return kept | {"y": numbers[:, 0].tolist(), "z": numbers[:, 1].tolist()}
