"""USETAB files: tables of creep forces that multibody programs read, as CONTACT's `usetab_table` writes them.

A file has a row Fx, Fy, Mz for each a/b (outermost), xi, eta and psi (innermost), of loads, moduli, friction
and c = sqrt(a b) of one. Its numbers itab and naob1 say which:

    a/b = i/itab, i = 1 ... itab, then naob1 values from the largest down to 1, which the file lists
    xi, eta = i/itab, i = 0 ... itab, then itab/i, i = 0 ... itab, where 0 stands for 1e-5
    psi = the same, then their negatives

The creepages are xi' = -3 mu N xi/(G c^2 C11), eta' = -3 mu N eta/(G c^2 C22), phi' = -mu N psi/(G c^3 C23)
with three-digit coefficients, which only say at which creepages the forces of a file were computed, so that
they have to be the same in whatever reads and writes it: table E.3 of Kalker, Three-Dimensional Elastic
Bodies in Rolling Contact (1990), as `usetab_table` reads it. It is linear between its rows over g, the ratio
of the shorter semi-axis to the longer, 1/C a parabola over Poisson's ratio, with asymptotes below g = 0.101
and a misprint (0.8, a < b: C23 = 1.15 at nu = 0.25, where Kalker prints 1.25).

Creepages of a file are the negatives of its xi, eta and psi, and forces turn with creepages, so that values
at nodes of splines are the negatives of those in the file.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from traction import checks
from traction.contact.tables.kernels.table_forces import creep_forces_of_many
from traction.contact.tables.reduced_creepages import box_coordinates
from traction.contact.tables.spline_table import SplineTable
from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.regular_files import read_regular

LEAST_TABULATED = 0.101  #: g below which the coefficients are asymptotes
POISSON_RATIO = 0.28  #: of the files that CONTACT writes

#: C11, C22, C23, each at Poisson's ratios 0, 1/4 and 1/2; rows g = 0.1, 0.2, ... 1
_SHORT_ALONG_X = """
2.51 3.31 4.85  2.51 2.52 2.53  .334 .473 .731
2.59 3.37 4.81  2.59 2.63 2.66  .483 .603 .809
2.68 3.44 4.80  2.68 2.75 2.81  .607 .715 .889
2.78 3.53 4.82  2.78 2.88 2.98  .720 .823 .977
2.88 3.62 4.83  2.88 3.01 3.14  .827 .929 1.07
2.98 3.72 4.91  2.98 3.14 3.31  .930 1.03 1.18
3.09 3.81 4.97  3.09 3.28 3.48  1.03 1.14 1.29
3.19 3.91 5.05  3.19 3.41 3.65  1.13 1.15 1.40
3.29 4.01 5.12  3.29 3.54 3.82  1.23 1.36 1.51
3.40 4.12 5.20  3.40 3.67 3.98  1.33 1.47 1.63
"""
_LONG_ALONG_X = """
10.7 11.7 12.9  10.7 12.8 16.0  12.2 14.6 18.0
6.96 7.78 8.82  6.96 8.14 9.79  5.72 6.63 7.89
5.57 6.34 7.34  5.57 6.40 7.51  3.79 4.32 5.01
4.84 5.57 6.57  4.84 5.48 6.31  2.88 3.24 3.70
4.37 5.10 6.11  4.37 4.90 5.56  2.35 2.62 2.96
4.06 4.78 5.80  4.06 4.50 5.04  2.01 2.23 2.50
3.82 4.54 5.58  3.82 4.21 4.67  1.76 1.95 2.18
3.65 4.36 5.42  3.65 3.99 4.39  1.58 1.75 1.94
3.51 4.22 5.30  3.51 3.81 4.16  1.44 1.59 1.77
3.40 4.12 5.20  3.40 3.67 3.98  1.33 1.47 1.63
"""
#: a/b of 1 and more that CONTACT writes
LONG_RATIOS = (
    200.0, 130.0, 90.0, 65.0, 45.0, 32.0, 22.4, 16.0, 11.2, 8.0, 5.6, 4.0, 2.8, 2.0, 1.7, 1.4, 1.2, 1.0,
)  # fmt: skip
DIVISIONS = 7  #: itab of these files
MAP = 10  #: imap, the scale of creepages; no other is known
NEAR_ZERO = float(np.float32(1e-5))  #: the program's single precision; itab over it stands for infinity
FILTERED = 5e-7  #: forces below are written as zero, so that none is a negative zero

MOST_BYTES = 64 << 20
MOST_DIVISIONS, MOST_RATIOS = 20, 100
LARGEST_FORCE = 1.05  #: over mu N; rounding and coarse grids exceed 1 by less
FARTHEST_RATIO = 1e5

_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eEdD][-+]?\d{1,3})?")
_CELLS = re.compile(rb"mxeff=\s*(\d{1,4})")
_END = b"end of table"
SAME_MATERIAL = 5e-3  #: difference of Poisson's ratios; forces change by a thousandth of mu N


def read_printed_coefficients(ratio: float, poisson_ratio: float = POISSON_RATIO) -> np.ndarray:
    """C11, C22 and C23 of Kalker's printed table at a/b, (3,)."""
    g, nu = min(ratio, 1.0 / ratio), poisson_ratio
    if g < LEAST_TABULATED:
        return np.array(_short_limits(g, nu) if ratio <= 1.0 else _long_limits(g, nu))
    # single precision numbers of the program: its constants have no more digits
    rows = np.array((_SHORT_ALONG_X if ratio <= 1.0 else _LONG_ALONG_X).split(), dtype=np.float32)
    table = rows.astype(float).reshape(10, 3, 3)
    row = int(10.0 * g - 0.005)
    share = 10.0 * g - row
    at_zero, at_quarter, at_half = ((1.0 - share) * table[row - 1] + share * table[row]).T
    return 1.0 / (
        8.0 * (nu - 0.25) * (nu - 0.5) / at_zero
        - 16.0 * nu * (nu - 0.5) / at_quarter
        + 8.0 * nu * (nu - 0.25) / at_half
    )


def _short_limits(g: float, nu: float) -> tuple[float, float, float]:
    """Coefficients of an ellipse that is short along x, a/b -> 0."""
    c22 = 0.25 * math.pi**2
    c23 = math.pi * math.sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (math.log(16.0 / g) - 5.0))
    return c22 / (1.0 - nu), c22, c23


def _long_limits(g: float, nu: float) -> tuple[float, float, float]:
    """Coefficients of an ellipse that is long along x, b/a -> 0."""
    slender, excess = math.log(16.0 / g**2), 3.0 - math.log(4.0)
    along, across = slender - 2.0 * nu, (1.0 - nu) * slender + 2.0 * nu
    c11 = 2.0 * math.pi / (g * along) * (1.0 + excess / along)
    c22 = 2.0 * math.pi / (g * across) * (1.0 + (1.0 - nu) * excess / across)
    c23 = 2.0 * math.pi / (3.0 * g**1.5 * ((1.0 - nu) * slender - 2.0 + 4.0 * nu))
    return c11, c22, c23


@dataclass(frozen=True, eq=False)
class Usetab:
    """What a USETAB file contains: forces on body 1 over mu N, and moments over mu N c."""

    ratios: np.ndarray  #: a/b: i/itab, then those of 1 and more, downwards
    values: np.ndarray  #: Fx, Fy, Mz, (a/b, xi, eta, psi, 3)
    cells: int | None = None  #: elements across the ellipse, where the file says so

    @property
    def divisions(self) -> int:
        """The number itab."""
        return self.values.shape[1] // 2 - 1

    @cached_property
    def creepages(self) -> np.ndarray:
        """The scaled creepages xi, and eta."""
        return scaled_creepages(self.divisions)

    @cached_property
    def spins(self) -> np.ndarray:
        """The scaled spins psi."""
        return np.concatenate((self.creepages, -self.creepages))

    @cached_property
    def coefficients(self) -> np.ndarray:
        """C11, C22 and C23 by which creepages are scaled, (a/b, 3)."""
        return np.array([read_printed_coefficients(float(ratio)) for ratio in self.ratios])


def scaled_creepages(divisions: int = DIVISIONS) -> np.ndarray:
    """Values xi of a file, in its order: from 0 to 1, then from infinity down to 1."""
    steps = np.arange(divisions + 1)
    return np.concatenate((steps / divisions, divisions / np.maximum(NEAR_ZERO, steps)))


def file_ratios(divisions: int = DIVISIONS, long_ratios: tuple[float, ...] = LONG_RATIOS) -> np.ndarray:
    """Values a/b of a file, in its order."""
    return np.concatenate((np.arange(1, divisions + 1) / divisions, long_ratios))


def write_usetab(path: str | os.PathLike[str], table: Usetab) -> Path:
    """Write a file that is either complete or not there; returns its path."""
    file = checks.path("path", path)
    if not file.parent.is_dir():
        raise InputError(f"path = {str(file)!r}: the folder {file.parent} does not exist; create it first.")
    write_atomic(file, "".join(_compose(table)).encode("ascii"))
    return file


def _compose(table: Usetab) -> list[str]:
    itab, long = table.divisions, table.ratios[table.divisions :]
    across = "" if table.cells is None else f",mxeff={table.cells:3d}."
    parts = [
        '! "tabcon", table of the Hertzian creep-force law, written by Traction\n',
        "! Rows of Fx, Fy, Mz for a/b, xi, eta and psi; psi varies first\n",
        "! Creepages are scaled by the coefficients of Kalker's table E.3\n \n",
        f"{itab:6d}{long.size:6d}{MAP:6d}{0:6d}{0:6d}  itab, naob1, imap\n",
        ",\n".join(",".join(f"{one:12.6f}" for one in long[k : k + 5]) for k in range(0, long.size, 5)),
        f"\n! Fx,Fy,aM computed for aob,xi,eta,psi with G=1,nu={POISSON_RATIO},N=1,c=1{across}\n \n",
    ]
    values = np.where(np.abs(table.values) < FILTERED, 0.0, table.values)
    rows = "".join("  %11.6f %11.6f %11.6f\n" for _ in table.spins)
    for k, ratio in enumerate(table.ratios):
        for i, xi in enumerate(table.creepages):
            for j, eta in enumerate(table.creepages):
                parts.append(f"! aob={_node(ratio, 3)}, xi={_node(xi, 1)}, eta={_node(eta, 1)}\n")
                parts.append(rows % tuple(values[k, i, j].ravel()))
    return [*parts, " End of Table\n"]


def _node(value: float, digits: int) -> str:
    return f"{value:9.6f}" if value < 100.0 else f"{value:9.{digits}f}"


def read_usetab(path: str | os.PathLike[str]) -> Usetab:
    """Read and check a file; every fault is an `InputError` with its line."""
    file = checks.path("path", path)
    try:
        content = read_regular(file, MOST_BYTES)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}.") from error
    return _Lines(file, content).read()


class _Lines:
    """Lines of a file that are neither empty nor comments, with their numbers."""

    def __init__(self, path: Path, content: bytes) -> None:
        self.path = path
        stripped = [line.strip() for line in content.split(b"\n")]
        kept = [k for k, line in enumerate(stripped) if line and not line.startswith(b"!")]
        self.lines, self.numbers = [stripped[k] for k in kept], [k + 1 for k in kept]
        heading = b"\n".join(stripped[: self.numbers[0] + 30]) if kept else b""
        found = _CELLS.search(heading)
        self.cells = int(found[1]) if found else None

    def read(self) -> Usetab:
        """The table."""
        itab, count = self._read_header()
        long, rows = self._read_ratios(1, count)
        ratios, sides = np.concatenate((np.arange(1, itab + 1) / itab, long)), 2 * (itab + 1)
        shape = (ratios.size, sides, sides, 2 * sides, 3)
        values = self._read_rows(rows, int(np.prod(shape[:-1])))
        self._check_moments(rows, values[:, 2], ratios)
        return Usetab(ratios, values.reshape(shape), self.cells)

    def _read_header(self) -> tuple[int, int]:
        words = self.lines[0].split()[:3] if self.lines else []
        if len(words) < 3 or not all(word.isdigit() and len(word) <= 6 for word in words):
            self._refuse(0, "the first line must start with the three whole numbers itab, naob1 and imap")
        itab, count, mapping = (int(word) for word in words)
        if not (1 <= itab <= MOST_DIVISIONS and 1 <= count <= MOST_RATIOS):
            limits = f"must be 1 to {MOST_DIVISIONS} and 1 to {MOST_RATIOS}"
            self._refuse(0, f"itab = {itab} and naob1 = {count} {limits} (7 and 18 in CONTACT's files)")
        if mapping != MAP:
            self._refuse(0, f"imap = {mapping} must be {MAP}, the only scale of creepages that is known")
        return itab, count

    def _read_ratios(self, line: int, count: int) -> tuple[np.ndarray, int]:
        """Ratios of 1 and more, and the line after them."""
        found: list[float] = []
        while len(found) < count:
            if line >= len(self.lines):
                self._refuse(line, f"the file ends after {len(found)} of {count} ratios a/b")
            words = self.lines[line].replace(b",", b" ").split()
            found += self._take_numbers(line, words, "ratios a/b")
            line += 1
        ratios = np.array(found)
        if len(found) > count or ratios[-1] != 1.0 or (np.diff(ratios) >= 0.0).any():
            self._refuse(line - 1, f"the {count} ratios a/b must decrease to 1")
        if ratios[0] > FARTHEST_RATIO:
            self._refuse(line - 1, f"a/b = {ratios[0]:g} must be at most {FARTHEST_RATIO:g}")
        return ratios, line

    def _read_rows(self, first: int, count: int) -> np.ndarray:
        """Forces, (count, 3)."""
        last = first + count
        if last >= len(self.lines) or not self.lines[last].lower().startswith(_END):
            self._refuse_length(first, count)
        rows = [line.split() for line in self.lines[first:last]]
        words = [word for row in rows for word in row]
        if any(len(row) != 3 for row in rows) or not all(map(_NUMBER.fullmatch, words)):
            for k, row in enumerate(rows):
                if len(row) != 3:
                    self._refuse(first + k, f"a row must be the three numbers Fx, Fy, Mz, not {len(row)}")
                self._take_numbers(first + k, row, "forces")
        values = np.array(b" ".join(words).replace(b"D", b"e").replace(b"d", b"e").split(), dtype=float)
        values = values.reshape(count, 3)
        size = np.hypot(values[:, 0], values[:, 1])
        over = ~(np.isfinite(values).all(axis=1) & (size <= LARGEST_FORCE))
        if over.any():
            k = int(np.flatnonzero(over)[0])
            self._refuse(first + k, f"the force is {size[k]:.6g} of mu N, more than friction can carry")
        return values

    def _check_moments(self, first: int, moments: np.ndarray, ratios: np.ndarray) -> None:
        """Friction at the end of the longer semi-axis would carry the largest moment."""
        most = LARGEST_FORCE * np.repeat(
            np.sqrt(np.maximum(ratios, 1.0 / ratios)), moments.size // ratios.size
        )
        over = np.abs(moments) > most
        if over.any():
            k = int(np.flatnonzero(over)[0])
            fault = f"the moment is {moments[k]:.6g} of mu N c, more than friction can carry"
            self._refuse(first + k, fault)

    def _refuse_length(self, first: int, count: int) -> NoReturn:
        ends = [k for k in range(first, len(self.lines)) if self.lines[k].lower().startswith(_END)]
        if not ends:
            self._refuse(
                len(self.lines), f"'End of Table' must follow {count:,} rows; the file is not complete"
            )
        self._refuse(ends[0], f"there are {ends[0] - first:,} rows, expected {count:,} by itab and naob1")

    def _take_numbers(self, line: int, words: list[bytes], what: str) -> list[float]:
        for word in words:
            if not _NUMBER.fullmatch(word):
                shown = checks.shown(word[:40].decode("latin-1"))
                self._refuse(line, f"{shown} is not a number; expected {what}")
        return [float(word.lower().replace(b"d", b"e")) for word in words]

    def _refuse(self, line: int, fault: str) -> NoReturn:
        number = self.numbers[line] if line < len(self.numbers) else "the end"
        raise InputError(f"{self.path}:{number}: {fault}; it has to be a USETAB (TABCON) file.")


def take_nodes(table: Usetab) -> dict[str, Any]:
    """Nodes in box coordinates, in ascending order, each once; as `fit_table` takes them."""
    ratios, at_ratio = np.unique(table.ratios, return_index=True)
    ahead, at_creepage = np.unique(table.creepages, return_index=True)
    spins, at_spin = np.unique(table.spins, return_index=True)
    values = -table.values[np.ix_(at_ratio, at_creepage, at_creepage, at_spin)]
    nodes = box_coordinates(ahead), box_coordinates(ahead), box_coordinates(spins)
    scales = {"creep_coefficients": table.coefficients[at_ratio].T, "poisson_ratio": POISSON_RATIO}
    return {"nodes": nodes, "values": values, "ratios": ratios, **scales}


def tabulate(splines: SplineTable, cells: int | None = None) -> Usetab:
    """Forces of splines at all nodes of a file."""
    ratios, scaled = file_ratios(), scaled_creepages()
    _require_fit(splines, ratios)
    spins = np.concatenate((scaled, -scaled))
    grid = np.stack(np.meshgrid(scaled, scaled, spins, indexing="ij"), axis=-1)
    values = np.empty((ratios.size, *grid.shape))
    limit = splines.shear_modulus  # with c = 1, so that the file's units are those of the splines
    for k, ratio in enumerate(ratios.tolist()):
        creepages = -grid.reshape(-1, 3) * (np.array([3.0, 3.0, 1.0]) / read_printed_coefficients(ratio))
        contacts = np.tile([np.sqrt(ratio), 1.0 / np.sqrt(ratio), limit, 1.0], (len(creepages), 1))
        forces, jacobians = np.empty_like(creepages), np.empty((len(creepages), 3, 3))
        creep_forces_of_many(creepages, contacts, splines.packed, forces, jacobians)
        values[k] = (forces / limit).reshape(grid.shape)
    return Usetab(ratios, values, cells)


def _require_fit(splines: SplineTable, ratios: np.ndarray) -> None:
    low, high = splines.limits
    if low > ratios.min() or high < ratios.max():
        raise InputError(
            f"a/b of the table is {low:.6g} to {high:.6g}; a USETAB file has {ratios.min():.6g} to "
            f"{ratios.max():.6g}: use tr.solve_usetab(), which solves its nodes."
        )
    if abs(splines.poisson_ratio - POISSON_RATIO) > SAME_MATERIAL:
        raise InputError(
            f"Poisson's ratio of the table is {splines.poisson_ratio:.6g}; that of USETAB files is "
            f"{POISSON_RATIO}."
        )
