"""Fields of samples of all crossings: fields and coordinates of a `body`, beam or bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction.results.field import Coordinate, Field, field_table

if TYPE_CHECKING:
    from traction.crossing.results.crossing import Crossing

LIFTED = Field("wheels_lifted", "1", "wheels that have lifted off", dtype="int64")
VEHICLE = Field("vehicle", "m or rad", "coordinates of the vehicles, downwards", ("coordinate",))
AT_REST = "deflection_at_rest"
#: at the output position, by the names of what a crossing computes
LOOKED_AT = field_table("""
    deflection | m | deflection at the output position, downwards
    velocity | m/s | velocity at the output position, downwards
    acceleration | m/s2 | acceleration at the output position, downwards
    moment | N m | bending moment at the output position, sagging positive
""")


def list_fields(body: str, at_rest: bool, *more: Field) -> tuple[Field, ...]:
    """When, where the train is, what is found at the output position (and `more`), and all along the body "
    "and of each axle.
    """
    still = Field(AT_REST, "m", "static deflection at the output position under the same forces")
    return (
        Field("time", "s", "time", labels_samples=True),
        Field("first_axle", "m", "place of the first axle"),
        Field(f"axles_on_{body}", "1", f"axles on the {body}", dtype="int64"),
        *LOOKED_AT,
        *more,
        *((still,) if at_rest else ()),
        Field(f"{body}_deflection", "m", f"deflection along the {body}, downwards", ("x",)),
        Field("axle_place", "m", "place of each axle", ("axle",)),
        Field("axle_force", "N", "force of each axle on the track", ("axle",)),
    )


def look_at(
    run: Crossing, body: str, place: float, rows: np.ndarray | slice = slice(None)
) -> dict[str, np.ndarray]:
    """Samples of these fields at some rows of a crossing, but for those along the body and at rest."""
    return {
        "time": run.t[rows],
        "first_axle": run.places[rows].max(axis=1),
        f"axles_on_{body}": run.on_beam[rows].sum(axis=1),
        **{field.name: getattr(run, field.name)(place)[rows] for field in LOOKED_AT},
        "axle_place": run.places[rows],
        "axle_force": run.forces[rows],
    }


def numbered(name: str, count: int, words: str) -> Coordinate:
    """A coordinate that counts from 1."""
    return Coordinate(name, np.arange(1, count + 1), "1", words)
