"""Profiles in files of MiniProf, .ban (rails) and .whl (wheels): lines key=value, then rows of numbers.

Lengths are in mm, X to the right for a right wheel or rail. Y points upwards or downwards; the shape of the
profile says which. `ColumnDef` names the columns, `XOffset` and `YOffset` shift the points, `XYPoints` counts
them.
"""

from __future__ import annotations

import numpy as np

from traction.errors import InputError
from traction.profiles.file_points import FilePoints, finite_number, lines_of, numbers_of, points_of

MM = 1e-3


def read_miniprof(data: bytes, kind: str | None) -> FilePoints:
    """Return the points of a file; the ending of its name says the kind."""
    columns, offset, rows, promised = (0, 1), [0.0, 0.0], [], None
    for at, line in enumerate(lines_of(data), start=1):
        text = line.strip()
        if not text or text[0] in '!#%"':
            continue
        name, equals, rest = (part.strip() for part in text.partition("="))
        key = name.lower()
        if not equals:
            row = numbers_of(text)
            if not row and not rows:
                continue  # a title without a value, in old files
            if len(row) <= max(columns):
                raise InputError(f"line {at}: {text[:40]!r} must be at least {max(columns) + 1} numbers.")
            rows.append(row)
        elif rows:
            raise InputError(f"line {at}: {name[:40]!r} comes after points; keys come before them.")
        elif key == "columndef":
            columns = _columns(rest, at)
        elif key in ("xoffset", "yoffset"):
            offset[key == "yoffset"] = finite_number(rest, name, at)
        elif key == "xypoints":
            promised = finite_number(rest, name, at)
    if promised is not None and promised != len(rows):
        raise InputError(
            f"{len(rows)} points, but XYPoints = {promised:g} are announced; the file is not complete."
        )
    points = MM * (points_of(rows, columns) + np.array(offset))
    notes = [
        f"{name} = {value:g} mm of the file applied"
        for name, value in zip(("XOffset", "YOffset"), offset, strict=True)
        if value
    ]
    return FilePoints(-points, kind, tuple(notes))


def write_miniprof(points: np.ndarray, kind: str) -> str:
    """Return the text of a file, in mm, X to the right and Y downwards."""
    rows = "\n".join(f"{-1e3 * y:.9f} {-1e3 * z:.9f}" for y, z in points)
    return f"ProgramName=Traction\nColumnDef=X,Y\nXYPoints={len(points)}\n\n{rows}\n"


def _columns(text: str, at: int) -> tuple[int, int]:
    """The places of X and Y in a row."""
    names = [name.strip().upper() for name in text.split(",")]
    if len(names) > 40 or names.count("X") != 1 or names.count("Y") != 1:
        raise InputError(f"line {at}: ColumnDef = {text[:40]!r} must name X and Y once, as in X,Y,A,C,N.")
    return names.index("X"), names.index("Y")
