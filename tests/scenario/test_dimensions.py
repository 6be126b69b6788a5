"""The dimension that a schema expects at a key, and the SI unit of it."""

import pytest

from traction.kinds.registry import kind_of
from traction.scenario import si
from traction.scenario.dimensions import si_unit_at
from traction.scenario.schema import Strict
from traction.scenario.units import DIMENSIONS, NONE, unit

KEYS = {
    ("press", ("load", "force")): "force",  # a number or a list
    ("press", ("load", "force", 2)): "force",
    ("press", ("surface", 0, "radius")): "length",  # in a union that a tag tells apart
    ("press", ("grid", "nx")): None,
    ("press", ("upper", "youngs_modulus")): "pressure",
    ("press", ("upper",)): None,
    ("cross", ("speed",)): "speed",
    ("cross", ("axle", 0, "suspension", 0, "stiffness")): "force per length",
    ("cross", ("beam", "damping")): None,
    ("cross", ("beam", "damping", "alpha")): "frequency",
    ("moving-load", ("axle", 1, "phase")): "angle",
    ("bounce", ("time", "dt")): "time",
    ("bounce", ("time", "method")): None,
    ("bounce", ("no", "such", 3, "key")): None,
}


@pytest.mark.parametrize(("kind", "path"), KEYS)
def test_the_dimension_of_a_key(kind, path):
    dimension = KEYS[kind, path]
    assert si_unit_at(kind_of(kind).schema, path) == (DIMENSIONS[dimension].si if dimension else "1")


class Near(Strict):
    at: si.Length
    size: si.Length


class Fast(Strict):
    at: si.Speed
    size: si.Length
    count: int


class Either(Strict):
    part: Near | Fast


def test_the_unit_of_a_number_is_left_open_where_there_may_be_several():
    units = {key: si_unit_at(Either, ("part", key)) for key in ("at", "size", "count")}
    assert units == {"at": "", "size": "m", "count": "1"}


@pytest.mark.parametrize("dimension", DIMENSIONS.values(), ids=lambda dimension: dimension.name)
def test_the_si_unit_has_the_dimension_and_is_not_scaled(dimension):
    if dimension.exponents == NONE:
        assert dimension.si in ("1", "rad")
    else:
        assert unit(dimension.si) == (1.0, dimension.exponents)
