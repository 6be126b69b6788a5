"""modelDescription.xml of a creep-force table as a unit of FMI 2.0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from traction.contact.tables.spline_table import SplineTable
from traction.version import __version__


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
