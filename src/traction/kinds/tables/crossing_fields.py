"""What samples of all crossings hold: fields and coordinates of a `body`, beam or bridge."""

from __future__ import annotations

import numpy as np

from traction.results.field import Coordinate, Field

LIFTED = Field("wheels_lifted", "1", "wheels that have lifted off", dtype="int64")
VEHICLE = Field("vehicle", "m or rad", "coordinates of the vehicles, downwards", ("coordinate",))
#: at the place that is looked at, by the names of what a crossing tells
LOOKED_AT = (
    Field("deflection", "m", "deflection at the place, downwards"),
    Field("velocity", "m/s", "velocity at the place, downwards"),
    Field("acceleration", "m/s2", "acceleration at the place, downwards"),
    Field("moment", "N m", "bending moment at the place, sagging positive"),
)


def passing(body: str) -> tuple[Field, ...]:
    """When, and where the train is."""
    return (
        Field("time", "s", "time", labels_samples=True),
        Field("first_axle", "m", "place of the first axle"),
        Field(f"axles_on_{body}", "1", f"axles on the {body}", dtype="int64"),
    )


def at_rest(body: str) -> Field:
    """Of a body that can be at rest under the axles."""
    return Field("deflection_at_rest", "m", f"deflection at the place if the {body} were at rest")


def along(body: str) -> tuple[Field, ...]:
    """Over the length of the body, and of each axle."""
    return (
        Field(f"{body}_deflection", "m", f"deflection along the {body}, downwards", ("x",)),
        Field("axle_place", "m", "place of each axle", ("axle",)),
        Field("axle_force", "N", "force of each axle on the track", ("axle",)),
    )


def numbered(name: str, count: int, words: str) -> Coordinate:
    """A coordinate that counts from 1."""
    return Coordinate(name, np.arange(1, count + 1), "1", words)
