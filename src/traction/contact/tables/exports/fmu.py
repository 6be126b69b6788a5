"""A creep-force table as a functional mock-up unit (FMI 2.0), compiled by the compiler of this machine.

The unit is a zip file of modelDescription.xml, the sources, which any other machine can compile, and the
library for this one.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from traction import checks
from traction.contact.tables.exports.c_source import checked_identifier, compose_c, fill_template
from traction.contact.tables.spline_table import SplineTable
from traction.errors import InputError, TractionError
from traction.outputs.atomic import write_atomic
from traction.version import __version__

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
    system, suffix = LIBRARIES.get(sys.platform, ("", ""))
    if not system:
        raise InputError(f"FMI 2.0 has no name for the platform {sys.platform}; use to_c instead.")
    parts = {f"sources/{name}": text.encode() for name, text in sources.items()}
    parts["modelDescription.xml"] = describe_unit(table, identifier, guid, facts, compiled)
    parts[f"binaries/{system}{8 * struct.calcsize('P')}/{identifier}{suffix}"] = _compile(
        sources, identifier + suffix
    )
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


@dataclass(frozen=True)
class FmuVariable:
    """An input or output; its number is its value reference."""

    name: str
    unit: str
    words: str
    start: float | None = None  #: of an input


#: exponents of the base units
UNITS: dict[str, dict[str, str]] = {
    "1": {},
    "rad/m": {"rad": "1", "m": "-1"},
    "m": {"m": "1"},
    "N": {"kg": "1", "m": "1", "s": "-2"},
    "N.m": {"kg": "1", "m": "2", "s": "-2"},
}
START_SIZE, START_LOAD, START_FRICTION = 5e-3, 8e4, 0.3  #: c = sqrt(a b), m; N; -


def list_inputs(table: SplineTable) -> list[FmuVariable]:
    """The inputs; at the start the wheel rolls without creepage, a/b is in the middle of the table."""
    low, high = table.limits
    side = math.sqrt(math.sqrt(low * high))
    return [
        FmuVariable("xi", "1", "longitudinal creepage", 0.0),
        FmuVariable("eta", "1", "lateral creepage", 0.0),
        FmuVariable("phi", "rad/m", "spin", 0.0),
        FmuVariable("a", "m", "semi-axis of the contact along the rolling direction", START_SIZE * side),
        FmuVariable("b", "m", "semi-axis across it", START_SIZE / side),
        FmuVariable("load", "N", "normal force", START_LOAD),
        FmuVariable("friction", "1", "coefficient of friction", START_FRICTION),
    ]


OUTPUTS = (
    FmuVariable("fx", "N", "creep force on body 1 along the rolling direction"),
    FmuVariable("fy", "N", "creep force on body 1 across it"),
    FmuVariable("mz", "N.m", "spin moment on body 1"),
)


def describe_unit(
    table: SplineTable, identifier: str, guid: str, facts: Sequence[str], sources: Sequence[str]
) -> bytes:
    """The XML file."""
    root = ElementTree.Element(
        "fmiModelDescription", fmiVersion="2.0", modelName=identifier, guid=guid,
        description="Creep forces of rolling contact. " + " ".join(facts),
        version=__version__, variableNamingConvention="flat", numberOfEventIndicators="0",
        generationTool=f"Traction {__version__}",
    )  # fmt: skip
    able = {
        "modelIdentifier": identifier, "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true",
        "providesDirectionalDerivative": "true",
    }  # fmt: skip
    for kind, more in (
        ("ModelExchange", {}),
        ("CoSimulation", {"canHandleVariableCommunicationStepSize": "true"}),
    ):
        element = ElementTree.SubElement(root, kind, able | more)
        files = ElementTree.SubElement(element, "SourceFiles")
        for name in sources:
            ElementTree.SubElement(files, "File", name=name)
    definitions = ElementTree.SubElement(root, "UnitDefinitions")
    for unit, exponents in UNITS.items():
        ElementTree.SubElement(ElementTree.SubElement(definitions, "Unit", name=unit), "BaseUnit", exponents)
    categories = ElementTree.SubElement(root, "LogCategories")
    for category in ("logStatusDiscard", "logStatusError"):
        ElementTree.SubElement(categories, "Category", name=category)
    _add_variables(root, list_inputs(table))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _add_variables(root: ElementTree.Element, inputs: Sequence[FmuVariable]) -> None:
    variables = ElementTree.SubElement(root, "ModelVariables")
    for number, one in enumerate((*inputs, *OUTPUTS)):
        given = one.start is not None
        element = ElementTree.SubElement(
            variables, "ScalarVariable", name=one.name, valueReference=str(number), description=one.words,
            causality="input" if given else "output", variability="continuous",
        )  # fmt: skip
        if given:
            ElementTree.SubElement(element, "Real", unit=one.unit, start=repr(one.start))
        else:
            element.set("initial", "calculated")
            ElementTree.SubElement(element, "Real", unit=one.unit)
    structure = ElementTree.SubElement(root, "ModelStructure")
    needed = " ".join(str(k + 1) for k in range(len(inputs)))
    for kind in ("Outputs", "InitialUnknowns"):
        group = ElementTree.SubElement(structure, kind)
        for k in range(len(OUTPUTS)):
            number = len(inputs) + k + 1
            ElementTree.SubElement(group, "Unknown", index=str(number), dependencies=needed)
