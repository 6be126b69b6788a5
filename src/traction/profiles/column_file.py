"""Profiles in plain text: rows of y and z, separated by spaces, commas or semicolons.

Lines that begin with one of ! # % " are remarks. y points to the flange or gauge side. The unit is m or mm: a
profile is narrower than 1 m.
"""

from __future__ import annotations

import numpy as np

from traction.errors import InputError
from traction.profiles.file_points import FilePoints, lines_of, numbers_of, points_of

MARK = "profile of a "  #: in a remark of our own files, before the kind
WIDEST = 1.0  #: of a profile, m


def read_columns(data: bytes) -> FilePoints:
    """Return the points of a file; one title line is skipped."""
    rows: list[list[float]] = []
    kind: str | None = None
    notes: list[str] = []
    titles = 0
    for at, line in enumerate(lines_of(data), start=1):
        text = line.strip()
        if not text:
            continue
        if text[0] in '!#%"':
            for word in ("wheel", "rail"):
                kind = word if MARK + word in text else kind
            continue
        row = numbers_of(text)
        if not row and not rows and not titles:
            titles = 1
        elif len(row) != 2:
            raise InputError(f"line {at}: {text[:40]!r} must be two numbers, y and z.")
        else:
            rows.append(row)
    points = points_of(rows)
    if float(np.ptp(points[:, 0])) > WIDEST:
        notes.append("lengths of the file taken as mm")
        points = 1e-3 * points
    return FilePoints(points, kind, tuple(notes))


def write_columns(points: np.ndarray, kind: str) -> str:
    """Return the text of a file, in m, y to the left and z upwards."""
    rows = "\n".join(f"{y: .12e} {z: .12e}" for y, z in points)
    return f"# {MARK}{kind}: y to the flange or gauge side, z upwards, m\n{rows}\n"
