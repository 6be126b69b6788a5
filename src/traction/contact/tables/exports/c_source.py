"""A creep-force table as C: one header and one source file (C99) with all numbers, and no library but libm.

The code is `templates/creep_forces.c`, the twin of `kernels.table_forces`; numbers are written with the
digits that restore them exactly.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from traction import checks
from traction.contact.tables.kernels.table_forces import POLE
from traction.contact.tables.spline_table import POLAR, SplineTable
from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.version import __version__

NAME = "traction_creep_forces"  #: of the function
SUFFIXES = ("", ".c", ".h")
LONGEST_NAME = 60
PER_LINE = 6  #: numbers

#: words of C and C++, and names that the source or its libraries use: no names of a function
RESERVED = """
alignas alignof asm auto bool break case catch char class const constexpr continue decltype default delete do
double else enum explicit export extern false float for friend goto if inline int long mutable namespace new
noexcept nullptr operator private protected public register restrict return short signed sizeof static struct
switch template this throw true try typedef typeid typename typeof union unsigned using virtual void volatile
while main acos atan atan2 copysign cos exp fabs hypot isfinite log sin sqrt NAN NULL
POLAR RATIOS SIZE_1 SIZE_2 SIZE_3 POLE ORDER ROW shape shear_modulus least_ratio largest_ratio radius
ratio_knots scales knots_1 knots_2 knots_3 coefficients find_interval find_functions find_shape interpolate
reduced_forces fill reduction reduce creepage a b load friction force jacobian derivative
"""

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class CFiles(NamedTuple):
    """What was written."""

    header: Path
    source: Path


def write_c(
    path: str | os.PathLike[str], table: SplineTable, facts: Sequence[str], name: str = NAME
) -> CFiles:
    """Write a header and a source file beside each other; `facts` are lines of their first comment."""
    file = checks.path("path", path)
    if file.suffix.lower() not in SUFFIXES:
        raise InputError(f"path = {str(file)!r} must end in .c or .h, or have no suffix: both are written.")
    if not file.parent.is_dir():
        raise InputError(f"path = {str(file)!r}: the folder {file.parent} does not exist; create it first.")
    if checked_identifier("name", name) in RESERVED.split():
        raise InputError(f"name = {name!r} has a meaning in C or in the source; choose another one.")
    files = CFiles(file.with_suffix(".h"), file.with_suffix(".c"))
    header, source = compose_c(table, facts, files.header.name, name)
    write_atomic(files.header, header.encode())
    write_atomic(files.source, source.encode())
    return files


def checked_identifier(what: str, name: str) -> str:
    """A name that C accepts."""
    if not (isinstance(name, str) and _IDENTIFIER.fullmatch(name) and len(name) <= LONGEST_NAME):
        raise InputError(
            f"{what} = {checks.shown(name)} must be a name in C: letters, digits and _, first a letter, "
            f"at most {LONGEST_NAME}."
        )
    return name


def compose_c(table: SplineTable, facts: Sequence[str], header_name: str, name: str) -> tuple[str, str]:
    """Text of the header and of the source file."""
    if not re.fullmatch(r"[\w.+ -]+", header_name):
        raise InputError(f"path: the name {header_name!r} cannot stand in #include; use letters and digits.")
    low, high = table.limits
    about = (
        f"a/b from {low:.6g} to {high:.6g}, combined shear modulus G = {table.shear_modulus:.6g} Pa,",
        f"combined Poisson's ratio {table.poisson_ratio:.6g}",
    )
    words = {
        "WRITTEN": f", written by Traction {__version__}",
        "FACTS": "".join(f" * {_plain(line)}\n" for line in (*facts, *about)),
        "GUARD": f"{name}_H",
        "NAME": name,
        "HEADER": header_name,
    }
    source = fill_template("creep_forces.c", words)
    return fill_template("creep_forces.h", words), source.replace("@TABLE@", "".join(_write_table(table)), 1)


def fill_template(name: str, words: dict[str, str]) -> str:
    """A template with its words."""
    text = (
        resources.files("traction.contact.tables.exports")
        .joinpath("templates", name)
        .read_text(encoding="utf-8")
    )
    for key, word in words.items():
        text = text.replace(f"@{key}@", word)
    return text


def _plain(line: str) -> str:
    """A line that cannot end a comment, nor stand for a word of a template; files may bring any text."""
    kept = "".join(one if one.isprintable() and one not in "@\\" else " " for one in line)
    return kept.replace("*/", "* /")


def _write_table(table: SplineTable) -> Iterator[str]:
    count, *sizes, _ = table.coefficients.shape
    low, high = np.log(table.limits)
    yield f"#define POLAR {int(table.coordinates == POLAR)} /* coordinates: polar, or box */\n"
    yield f"#define RATIOS {count}\n"
    for k, size in enumerate(sizes, start=1):
        yield f"#define SIZE_{k} {size}\n"
    numbers = {"shear_modulus": table.shear_modulus, "least_ratio": low, "largest_ratio": high}
    if table.coordinates == POLAR:
        numbers["radius"] = table.radius
        yield f"#define POLE {POLE!r} /* cosine of the latitude below which it is spin alone */\n"
    for name, number in numbers.items():
        yield f"static const double {name} = {float(number)!r};\n"
    if count > 1:
        yield from _write_array("ratio_knots", table.ratio_knots)
    yield from _write_array("scales", table.scales)
    for k, knots in enumerate(table.knots, start=1):
        yield from _write_array(f"knots_{k}", knots)
    yield from _write_array("coefficients", table.coefficients)


def _write_array(name: str, values: np.ndarray) -> Iterator[str]:
    numbers = values.ravel().tolist()  # written with the shortest decimals that restore them
    yield f"\nstatic const double {name}[{len(numbers)}] = {{\n"
    for k in range(0, len(numbers), PER_LINE):
        yield "    " + ", ".join(map(repr, numbers[k : k + PER_LINE])) + ",\n"
    yield "};\n"
