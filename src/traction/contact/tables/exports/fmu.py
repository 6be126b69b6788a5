"""A creep-force table as a functional mock-up unit (FMI 2.0), compiled by the compiler of this machine.

The unit is a zip file of modelDescription.xml, the sources, which any other machine can compile, and the
library for this one.
"""

from __future__ import annotations

import hashlib
import io
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from traction import checks
from traction.contact.tables.exports.c_source import checked_identifier, compose_c, fill_template
from traction.contact.tables.exports.fmu_description import describe_unit, list_inputs
from traction.contact.tables.spline_table import SplineTable
from traction.errors import InputError, TractionError
from traction.outputs.atomic import write_atomic

COMPILERS = ("cc", "gcc", "clang")
OPTIONS = ("-std=c99", "-O2", "-shared", "-fvisibility=hidden")
SECONDS = 300  #: a compiler may take
LIBRARIES = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("win", ".dll")}
HEADER, SOURCE, INTERFACE = "creep_forces.h", "creep_forces.c", "fmu.c"
_DATE = (1980, 1, 1, 0, 0, 0)  #: of the parts, so that the same table makes the same file


def write_fmu(path: str | os.PathLike[str], table: SplineTable, facts: Sequence[str]) -> Path:
    """Write the unit, whose name is that of the file; `facts` are sentences of its description."""
    file = checks.path("path", path)
    if file.suffix.lower() != ".fmu":
        raise InputError(f"path = {str(file)!r} must end in .fmu.")
    if not file.parent.is_dir():
        raise InputError(f"path = {str(file)!r}: the folder {file.parent} does not exist; create it first.")
    identifier = checked_identifier("path: the name of the unit", file.stem)
    sources = _compose_sources(table, facts, f"{identifier}_creep_forces")
    guid = hashlib.sha256("".join(sources.values()).encode()).hexdigest()[:32]
    sources = {name: text.replace("@GUID@", guid) for name, text in sources.items()}
    compiled = [name for name in sources if name.endswith(".c")]
    folder, suffix = _find_platform()
    parts = {f"sources/{name}": text.encode() for name, text in sources.items()}
    parts["modelDescription.xml"] = describe_unit(table, identifier, guid, facts, compiled)
    parts[f"binaries/{folder}/{identifier}{suffix}"] = _compile(sources, identifier + suffix)
    write_atomic(file, _pack(parts))
    return file


def _compose_sources(table: SplineTable, facts: Sequence[str], name: str) -> dict[str, str]:
    """The source files; the GUID is still to be filled in. The function has a name of the unit's own."""
    header, source = compose_c(table, facts, HEADER, name)
    low, high = table.limits
    words = {
        "HEADER": HEADER,
        "NAME": name,
        "START": ", ".join(repr(one.start) for one in list_inputs(table)),
        "LOW": f"{low:.6g}",
        "HIGH": f"{high:.6g}",
    }
    return {INTERFACE: fill_template(INTERFACE, words), SOURCE: source, HEADER: header}


def _find_platform() -> tuple[str, str]:
    """Folder of the library of this machine in a unit, and its suffix."""
    system, suffix = LIBRARIES.get(sys.platform, ("", ""))
    if not system:
        raise InputError(f"FMI 2.0 has no name for the platform {sys.platform}; use to_c instead.")
    return f"{system}{8 * struct.calcsize('P')}", suffix


def find_compiler() -> list[str]:
    """The command of the C compiler: that of the environment variable CC, or one that is found."""
    given = os.environ.get("CC", "")
    try:
        command = shlex.split(given)
    except ValueError as error:
        raise InputError(f"the environment variable CC = {given!r} is not a command: {error}.") from error
    if command:
        if shutil.which(command[0]) is None:
            raise InputError(f"the C compiler {command[0]!r} of the environment variable CC is not found.")
        return command
    for name in COMPILERS:
        if shutil.which(name):
            return [name]
    raise InputError(
        f"no C compiler is found ({', '.join(COMPILERS)}), which an FMU needs; install gcc, or set the "
        "environment variable CC. Without one, to_c writes the source."
    )


def _compile(sources: dict[str, str], library: str) -> bytes:
    """The library."""
    command = find_compiler()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        files = [file for file in sources if file.endswith(".c")]
        position = [] if sys.platform == "win32" else ["-fPIC"]
        command += [*OPTIONS, *position, "-o", library, *files, "-lm"]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise TractionError(f"the C compiler failed ({' '.join(command[:1])}): {error}.") from error
        if done.returncode != 0:
            raise TractionError(f"the C compiler failed: {' '.join(command)}\n{done.stderr[-2000:]}")
        return (folder / library).read_bytes()


def _pack(parts: dict[str, bytes]) -> bytes:
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(parts):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, parts[name])
    return store.getvalue()
