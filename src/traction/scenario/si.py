"""Quantities of scenario files: numbers in SI, or text with a unit, within limits.

from traction.scenario import si

class BallTable(Strict):
    radius: si.PositiveLength
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from traction.scenario.units import DIMENSIONS, LONGEST, pattern, si_value

#: limits of pydantic in the words of JSON Schema
LIMITS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def quantity(dimension: str, **limits: Any) -> Any:
    """The type of a number in SI, or a string with a unit of the dimension; limits are gt, ge, lt and le.

    The dimension itself goes along, for `si_unit_at`.
    """
    expected = DIMENSIONS[dimension]

    def to_si(value: object) -> object:
        return si_value(value, expected) if isinstance(value, str) else value

    described = {
        "anyOf": [
            {"type": "number", **{LIMITS[name]: limit for name, limit in limits.items()}},
            {"type": "string", "pattern": pattern(expected), "maxLength": LONGEST},
        ],
        "description": f"{dimension}: SI number, or a string such as {expected.example!r}",
    }
    return Annotated[float, Field(**limits), BeforeValidator(to_si), WithJsonSchema(described), expected]


# Limits far beyond anything physical, so that products of quantities neither overflow nor vanish.
Length = quantity("length", ge=-1e9, le=1e9)
PositiveLength = quantity("length", ge=1e-12, le=1e9)
PositiveForce = quantity("force", ge=1e-15, le=1e15)
PositiveForcePerLength = quantity("force per length", ge=1e-15, le=1e15)
PositivePressure = quantity("pressure", ge=1e-9, le=1e18)
PositiveDensity = quantity("density", ge=1e-9, le=1e9)
NotNegativeLength = quantity("length", ge=0.0, le=1e9)
PositiveMass = quantity("mass", ge=1e-24, le=1e15)
PositiveTime = quantity("time", ge=1e-12, le=1e12)
Speed = quantity("speed", ge=-1e9, le=1e9)
NotNegativeAcceleration = quantity("acceleration", ge=0.0, le=1e6)
PositiveAcceleration = quantity("acceleration", ge=1e-12, le=1e12)
ForcePerLength = quantity("force per length", ge=-1e12, le=1e12)
Number = quantity("number", ge=-1e6, le=1e6)
Slope = quantity("number", ge=-1e3, le=1e3)
Spin = quantity("spin", ge=-1e9, le=1e9)
NotNegativeDamping = quantity("time per length", ge=0.0, le=1e9)
Force = quantity("force", ge=-1e15, le=1e15)
PositiveSpeed = quantity("speed", ge=1e-6, le=1e6)
PositiveFrequency = quantity("frequency", ge=1e-9, le=1e9)
NotNegativeRate = quantity("frequency", ge=0.0, le=1e9)
NotNegativeTime = quantity("time", ge=0.0, le=1e12)
Angle = quantity("angle", ge=-1e6, le=1e6)
PositiveBendingStiffness = quantity("bending stiffness", ge=1e-12, le=1e18)
PositiveMassPerLength = quantity("mass per length", ge=1e-9, le=1e12)
NotNegativeRotaryInertia = quantity("rotary inertia", ge=0.0, le=1e12)
PositiveMomentOfInertia = quantity("moment of inertia", ge=1e-12, le=1e15)
NotNegativeFoundation = quantity("foundation", ge=0.0, le=1e15)
NotNegativeStiffness = quantity("force per length", ge=0.0, le=1e15)
PositiveStiffness = quantity("force per length", ge=1e-9, le=1e15)
NotNegativeRotationalStiffness = quantity("rotational stiffness", ge=0.0, le=1e18)
PositiveRotationalStiffness = quantity("rotational stiffness", ge=1e-9, le=1e18)
NotNegativeRotationalDamping = quantity("rotational damping", ge=0.0, le=1e15)
NotNegativeDashpot = quantity("damping", ge=0.0, le=1e12)
NotNegativeMass = quantity("mass", ge=0.0, le=1e15)
Temperature = quantity("temperature", ge=-1e6, le=1e6)
PositiveSpecificHeat = quantity("specific heat", gt=0.0, le=1e9)
PositiveConductivity = quantity("thermal conductivity", gt=0.0, le=1e9)
