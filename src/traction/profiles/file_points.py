"""What files of profiles have in common: their points, and text that may hold anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from traction.errors import InputError

MOST_BYTES = 16_000_000  #: of a file; 100,000 points take 5 MB
MOST_LINES = 200_000
LARGEST = 1e9  #: number of a file
SEPARATORS = re.compile(r"[\s,;]+")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eEdD][-+]?\d{1,3})?")


@dataclass(frozen=True, eq=False)
class FilePoints:
    """Points of a file, (n, 2) in m, in the axes of `Profile` as far as the file says."""

    points: np.ndarray
    kind: str | None
    notes: tuple[str, ...] = ()


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a text file; bytes that are no text are replaced."""
    lines = data.decode("utf-8-sig", errors="replace").splitlines()
    if len(lines) > MOST_LINES:
        raise InputError(f"{len(lines)} lines; a profile has at most {MOST_LINES}.")
    return lines


def numbers_of(line: str) -> list[float]:
    """Return the numbers of a line, or none if a word is no number; exponents may be written with d."""
    words = [word for word in SEPARATORS.split(line.strip()) if word]
    if not all(len(word) <= 40 and NUMBER.fullmatch(word) for word in words):
        return []
    return [float(word.lower().replace("d", "e")) for word in words]


def finite_number(text: str, name: str, line: int) -> float:
    """Return the number that a key of a file has; `name` is that of the key."""
    found = numbers_of(text)
    if len(found) != 1 or not abs(found[0]) <= LARGEST:
        raise InputError(
            f"line {line}: {name} = {text[:40]!r} must be one number between -{LARGEST:g} and {LARGEST:g}."
        )
    return found[0]


def points_of(rows: list[list[float]], columns: tuple[int, int] = (0, 1)) -> np.ndarray:
    """Return two columns of the rows as points (n, 2)."""
    if not rows:
        raise InputError("no points; two numbers in a line are one point.")
    points = np.array([[row[columns[0]], row[columns[1]]] for row in rows], dtype=float)
    if not np.abs(points).max() <= LARGEST:
        raise InputError(f"a coordinate of {np.abs(points).max():g} must be at most {LARGEST:g}.")
    return points
