"""Fields of samples of friction: creepages, forces, quality, and fields over the grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.rolling.creep_forces import friction_numbers
from traction.kinds.friction.schema import FrictionCase
from traction.results.field import Field, field_table

CREEPAGE = field_table("""
    longitudinal | 1 | longitudinal creepage
    lateral | 1 | lateral creepage
    spin | 1/m | spin
""")
#: of transient rolling; before the first step there is none
ROLLING = tuple(replace(field, may_be_nan=True) for field in CREEPAGE)
DISTANCE = Field("distance", "m", "distance rolled", labels_samples=True)
MOVED = field_table("""
    displacement_x | m | displacement along x so far
    displacement_y | m | displacement along y so far
    rotation | rad | rotation so far
""")
FORCES = field_table("""
    normal_force | N | normal force
    force_x | N | force along x on body 1
    force_y | N | force along y on body 1
    moment | N m | spin moment on body 1
""")
LOST = Field("dissipation", "J", "energy dissipated")
LOST_PER_METRE = Field("dissipation", "J/m", "energy dissipated per metre rolled")
STICK = Field("stick_share", "1", "stick area")
WARMTH = Field("highest_temperature", "K", "highest temperature in the contact", may_be_nan=True)
#: where temperatures are those above the bodies
RISE = replace(WARMTH, long_name="highest temperature rise in the contact")
LAG = Field("lag", "m", "distance by which friction lags behind its law")
QUALITY = field_table("""
    elements_across | 1 | elements in the narrower direction of the contact
    iterations | 1 | Newton steps on the finest grid
    residual | 1 | largest error of the friction law over the largest bound
""")
AREAS = field_table("""
    contact_elements | 1 | elements in contact | | int64
    stick_elements | 1 | elements in stick | | int64
    slip_elements | 1 | elements in slip | | int64
""")
MAPS = field_table("""
    pressure | Pa | contact pressure | y x
    traction_x | Pa | traction along x on body 1 | y x
    traction_y | Pa | traction along y on body 1 | y x
    stick | 1 | whether an element sticks | y x | bool
""")
#: a line contact has forces, moments and energies per metre of its length
PER_LENGTH = {"N": "N/m", "N m": "N", "J": "J/m", "J/m": "J/m2"}


def measure_fields(fields: tuple[Field, ...], case: FrictionCase) -> tuple[Field, ...]:
    """The fields in the units that they have for a grid."""
    if not case.grid.line:
        return fields
    return tuple(replace(field, unit=PER_LENGTH.get(field.unit, field.unit)) for field in fields)


def collect_sample(t: TangentialContact) -> dict[str, float | np.ndarray]:
    """The numbers and fields of one step."""
    areas = {field.name for field in AREAS}
    inside = None if t.temperature is None else t.temperature[t.normal.contact]
    warm = {} if inside is None else {WARMTH.name: float(inside.max()) if inside.size else float("nan")}
    return {
        **warm,
        **{name: value for name, value in friction_numbers(t).items() if name not in areas},
        "pressure": t.normal.pressure,
        "traction_x": t.traction[0],
        "traction_y": t.traction[1],
        "stick": t.stick & t.normal.contact,
    }


def name_values(fields: tuple[Field, ...], values: Iterable[float]) -> dict[str, float | np.ndarray]:
    """Numbers by the names of their fields."""
    return {field.name: float(value) for field, value in zip(fields, values, strict=True)}
