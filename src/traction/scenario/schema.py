"""Building blocks of scenario schemas: strict models, and numbers that may carry units."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from traction.scenario.units import DIMENSIONS, si_value


class Strict(BaseModel):
    """Base of all schemas: no unknown keys, no conversions, finite numbers only, never changed."""

    model_config = ConfigDict(
        strict=True, extra="forbid", allow_inf_nan=False, frozen=True, use_attribute_docstrings=True
    )


def quantity(dimension: str, **limits: Any) -> Any:
    """The type of a number in SI, or a string with a unit of the dimension; limits are gt, ge, lt and le."""
    expected = DIMENSIONS[dimension]

    def to_si(value: Any) -> Any:
        return si_value(value, expected) if isinstance(value, str) else value

    described = {
        "anyOf": [{"type": "number"}, {"type": "string"}],
        "description": f"{dimension}: SI number, or a string such as {expected.example!r}",
    }
    return Annotated[float, Field(**limits), BeforeValidator(to_si), WithJsonSchema(described)]


# Limits far beyond anything physical, so that products of quantities neither overflow nor vanish.
Length = quantity("length", ge=-1e9, le=1e9)
PositiveLength = quantity("length", ge=1e-12, le=1e9)
PositiveForce = quantity("force", ge=1e-15, le=1e15)
PositiveForcePerLength = quantity("force per length", ge=1e-15, le=1e15)
PositivePressure = quantity("pressure", ge=1e-9, le=1e18)
PositiveDensity = quantity("density", ge=1e-9, le=1e9)
