"""Profiles in files of Simpack, .prr (rails) and .prw (wheels).

A file has sections, `header` with the type (0 rail, 1 wheel) and `spline` with options and, in `point`, rows
of y, z and a weight. Its axes point to the right and downwards, for a right wheel or rail. Options are
applied in the order of the format: nearest distance of points, shift, rotation about x, bounds, mirrors,
unit.
"""

from __future__ import annotations

import math

import numpy as np

from traction.errors import InputError
from traction.profiles.file_points import FilePoints, finite_number, lines_of, numbers_of, points_of

KINDS = {0.0: "rail", 1.0: "wheel"}
DEFAULTS = {
    "point.dist.min": 0.0, "shift.y": 0.0, "shift.z": 0.0, "rotate": 0.0,
    "bound.y.min": 1.0, "bound.y.max": 0.0, "bound.z.min": 1.0, "bound.z.max": 0.0,
    "mirror.y": 0.0, "mirror.z": 0.0, "units.len.f": 1.0, "units.ang.f": 1.0, "approx.smooth": 0.0,
}  # fmt: skip
DIGITS = 12  #: of written coordinates


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
