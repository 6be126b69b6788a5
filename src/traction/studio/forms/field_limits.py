"""Limits and units of a field, from the annotations of its type."""

from __future__ import annotations

from collections.abc import Iterable

from annotated_types import Ge, Gt, Interval, Le, Lt, MaxLen, MinLen
from pydantic.fields import FieldInfo

from traction.scenario.units import Dimension

Facts = dict[str, object]
#: how people write quantities, by their dimension; SI first
UNITS = {
    "angle": ("rad", "deg", "mrad"),
    "length": ("m", "mm", "um", "km"),
    "area": ("m2", "mm2"),
    "mass": ("kg", "t", "g"),
    "time": ("s", "ms", "us", "min"),
    "speed": ("m/s", "km/h", "mm/s"),
    "force": ("N", "kN", "MN"),
    "force per length": ("N/m", "kN/m", "MN/m"),
    "pressure": ("Pa", "MPa", "GPa"),
    "density": ("kg/m3", "t/m3"),
    "energy": ("J", "kJ"),
    "torque": ("N m", "kN m"),
    "frequency": ("1/s", "Hz", "kHz"),
    "spin": ("1/m", "rad/m"),
    "bending stiffness": ("N m2", "kN m2", "MN m2", "GN m2"),
    "mass per length": ("kg/m", "t/m"),
    "moment of inertia": ("kg m2", "t m2"),
    "foundation": ("N/m2", "MN/m2"),
    "rotational stiffness": ("N m/rad", "MN m/rad"),
    "damping": ("N s/m", "kN s/m"),
}


def unpack_marks(marks: Iterable[object]) -> list[object]:
    """Annotations of a type, those inside pydantic's fields included."""
    found: list[object] = []
    for mark in marks:
        found += unpack_marks(mark.metadata) if isinstance(mark, FieldInfo) else [mark]
    return found


def describe_limits(marks: list[object]) -> Facts:
    """Least and largest number."""
    facts: Facts = {}
    for mark in marks:
        match mark:
            case Ge(ge=limit):
                facts |= {"minimum": limit, "exclusive_minimum": False}
            case Gt(gt=limit):
                facts |= {"minimum": limit, "exclusive_minimum": True}
            case Le(le=limit):
                facts |= {"maximum": limit, "exclusive_maximum": False}
            case Lt(lt=limit):
                facts |= {"maximum": limit, "exclusive_maximum": True}
            case Interval():
                facts |= describe_limits(list(mark))
    return facts


def describe_lengths(marks: list[object], least: str, most: str) -> Facts:
    """Fewest and most entries of a list, or letters of a text."""
    facts: Facts = {}
    for mark in marks:
        if isinstance(mark, MinLen):
            facts[least] = mark.min_length
        elif isinstance(mark, MaxLen):
            facts[most] = mark.max_length
    return facts


def describe_quantity(dimension: Dimension, marks: list[object]) -> Facts:
    """A number with a unit; one without is a plain number that may be written as text."""
    facts: Facts = {
        "type": "quantity",
        "unit": "" if dimension.si == "1" else dimension.si,
        "dimension": dimension.name,
        "example": dimension.example,
        "units": list(UNITS.get(dimension.name, () if dimension.si == "1" else (dimension.si,))),
    }
    return facts | describe_limits(marks)
