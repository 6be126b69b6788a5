"""Files of profiles, by the ending of their names: Simpack, MiniProf and plain text.

Files of Simpack, .prr (rails) and .prw (wheels), have sections, `header` with the type (0 rail, 1 wheel) and
`spline` with options and, in `point`, rows of y, z and a weight. Their axes point to the right and downwards,
for a right wheel or rail. Options are applied in the order of the format: nearest distance of points, shift,
rotation about x, bounds, mirrors, unit.

Files of MiniProf, .ban (rails) and .whl (wheels), have lines key=value, then rows of numbers. Lengths are in
mm, X to the right for a right wheel or rail. Y points upwards or downwards; the shape of the profile says
which. `ColumnDef` names the columns, `XOffset` and `YOffset` shift the points, `XYPoints` counts them.

Plain text has rows of y and z, separated by spaces, commas or semicolons. Lines that begin with one of ! # %
" are remarks. y points to the flange or gauge side. The unit is m or mm: a profile is narrower than 1 m.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.profiles.curation import has_flange_outside, is_upside_down
from traction.regular_files import read_regular

MOST_BYTES = 16_000_000  #: of a file; 100,000 points take 5 MB
MOST_LINES = 200_000
LARGEST = 1e9  #: number of a file
SEPARATORS = re.compile(r"[\s,;]+")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eEdD][-+]?\d{1,3})?")
KINDS = {0.0: "rail", 1.0: "wheel"}
DEFAULTS = {
    "point.dist.min": 0.0, "shift.y": 0.0, "shift.z": 0.0, "rotate": 0.0,
    "bound.y.min": 1.0, "bound.y.max": 0.0, "bound.z.min": 1.0, "bound.z.max": 0.0,
    "mirror.y": 0.0, "mirror.z": 0.0, "units.len.f": 1.0, "units.ang.f": 1.0, "approx.smooth": 0.0,
}  # fmt: skip
DIGITS = 12  #: of written coordinates
MM = 1e-3
MARK = "profile of a "  #: in a remark of our own files, before the kind
WIDEST = 1.0  #: of a profile, m
SIMPACK = {".prr": "rail", ".prw": "wheel"}
MINIPROF = {".ban": "rail", ".whl": "wheel"}


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


def read_simpack(data: bytes) -> FilePoints:
    """Return the points of a file, after its own options."""
    options, rows, kind = _sections(lines_of(data))
    notes = [f"option {name} = {options[name]:g} of the file applied" for name in _changed(options)]
    if options["approx.smooth"]:
        notes.append(
            f"approx.smooth = {options['approx.smooth']:g} of the file not applied; use .smoothed(wavelength)"
        )
    if any(len(row) > 2 and row[2] != 1.0 for row in rows):
        notes.append("weights of the file's points not applied")
    points = _with_options(points_of(rows), options)
    return FilePoints(-points, kind, tuple(notes))


def write_simpack(points: np.ndarray, kind: str) -> str:
    """Return the text of a file, in m, with default options."""
    rows = "\n".join(f"      {-y: .{DIGITS}e} {-z: .{DIGITS}e}" for y, z in points)
    return f"""! Profile written by Traction: y to the right, z downwards, for a right {kind}
header.begin
  version = 1
  type = {int(kind == "wheel")} ! 0 rail, 1 wheel
header.end
spline.begin
  approx.smooth = 0.0
  units.len = 'm'
  units.ang = 'rad'
  units.len.f = 1.0
  units.ang.f = 1.0
  point.begin
{rows}
  point.end
spline.end
"""


def _sections(lines: list[str]) -> tuple[dict[str, float], list[list[float]], str | None]:
    """Options, rows of numbers and the kind."""
    options, rows, kind, section = dict(DEFAULTS), [], None, []
    for at, line in enumerate(lines, start=1):
        text = line.split("!")[0].split("%")[0].strip()
        if not text:
            continue
        name, _, rest = (part.strip() for part in text.partition("="))
        if name.endswith(".begin"):
            section.append(name)
        elif name.endswith(".end"):
            if not section or section.pop() != f"{name[:-4]}.begin":
                raise InputError(f"line {at}: {name[:40]!r} ends a section that has not begun.")
        elif section and section[-1] == "point.begin":
            row = numbers_of(text)
            if not 2 <= len(row) <= 3:
                raise InputError(
                    f"line {at}: {text[:40]!r} must be two numbers y and z, and perhaps a weight."
                )
            rows.append(row)
        elif name == "type" and section == ["header.begin"]:
            number = finite_number(rest, name, at)
            if number not in KINDS:
                raise InputError(f"line {at}: type = {number:g} must be 0 (rail) or 1 (wheel).")
            kind = KINDS[number]
        elif name in options:
            options[name] = finite_number(rest, name, at)
    if section:
        raise InputError(f"section {section[-1][:40]!r} is not ended; the file is not complete.")
    return options, rows, kind


def _changed(options: dict[str, float]) -> list[str]:
    """Names of options that change the points."""
    bounds = [name for axis in "yz" for name in (f"bound.{axis}.min", f"bound.{axis}.max")]
    active = [name for name in bounds if options[f"{name[:7]}.min"] < options[f"{name[:7]}.max"]]
    simple = ("point.dist.min", "shift.y", "shift.z", "rotate", "mirror.y", "mirror.z", "units.len.f")
    return [name for name in simple if options[name] != DEFAULTS[name]] + active


def _with_options(points: np.ndarray, options: dict[str, float]) -> np.ndarray:
    """The points in m, after the options of their file."""
    for name in ("units.len.f", "units.ang.f"):
        if options[name] <= 0.0:
            raise InputError(
                f"{name} = {options[name]:g} must be positive: it is the unit's share of m or rad."
            )
    kept = [0]
    for i in range(1, len(points) if options["point.dist.min"] > 0.0 else 0):
        if np.hypot(*(points[i] - points[kept[-1]])) >= options["point.dist.min"]:
            kept.append(i)
    points = points[kept] if len(kept) > 1 or options["point.dist.min"] > 0.0 else points
    points = points + np.array([options["shift.y"], options["shift.z"]])
    angle = options["rotate"] / options["units.ang.f"]
    c, s = math.cos(angle), math.sin(angle)
    points = points @ np.array([[c, -s], [s, c]]).T
    low, high = options["bound.y.min"], options["bound.y.max"]
    if low < high:
        points = points[(points[:, 0] >= low) & (points[:, 0] <= high)]
    low, high = options["bound.z.min"], options["bound.z.max"]
    if low < high:
        points = np.stack([points[:, 0], np.clip(points[:, 1], low, high)], axis=-1)
    signs = [-1.0 if options[name] == 1.0 else 1.0 for name in ("mirror.y", "mirror.z")]
    return points * np.array(signs) / options["units.len.f"]


def read_miniprof(data: bytes, kind: str | None) -> FilePoints:
    """Return the points of a file; the ending of its name says the kind."""
    rows: list[list[float]] = []
    columns, offset, promised = (0, 1), [0.0, 0.0], None
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


def read_points(path: Path, kind: str | None, mirror: bool, scale: float) -> FilePoints:
    """Return the points of a file, with their kind, in our axes."""
    try:
        found = _parse(path)
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
    if not path.name:
        raise InputError(f"path = {str(path)!r} must be the name of a file.")
    ending = path.suffix.lower()
    expected = (SIMPACK | MINIPROF).get(ending, kind)
    if expected != kind:
        raise InputError(f"{path}: the ending {ending} is for a {expected}, the profile is that of a {kind}.")
    write = write_simpack if ending in SIMPACK else write_miniprof if ending in MINIPROF else write_columns
    write_atomic(path, write(points, kind).encode())


def _parse(path: Path) -> FilePoints:
    """Points as the file has them."""
    try:
        data, ending = read_regular(path, MOST_BYTES), path.suffix.lower()
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror or error}.") from None
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
    inwards = points if points[-1, 0] >= points[0, 0] else points[::-1]  # in the order of increasing y
    if is_upside_down(inwards, kind):
        points = points * np.array([1.0, -1.0])
        said.append("z was turned upwards: it pointed downwards in the file")
    if kind == "wheel" and not mirror and has_flange_outside(points):
        points = points * np.array([-1.0, 1.0])
        said.append("y was turned to the flange: the file has it on the other side")
    return FilePoints(points, kind, tuple(said))
