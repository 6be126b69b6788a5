"""Sentences on crossings, for reports of forces and of trains."""

from __future__ import annotations

from traction.kinds.tables.crossing_tables import CrossedCase
from traction.quantities import counted, quantity, significant
from traction.view.bridges import CrossingMap


def tell_train(case: CrossedCase) -> str:
    """What crosses, and its verb."""
    cars, name = case.cars, case.train
    axles = counted(len(cars), "axle")
    if name:
        return f"The train {name} ({axles}) crosses"
    if not cars.vehicles:
        return f"{counted(len(cars), 'axle load').capitalize()} {'crosses' if len(cars) == 1 else 'cross'}"
    return f"A train of {axles} crosses" if len(cars) > 1 else "A sprung wheel crosses"


def tell_speed(case: CrossedCase) -> str:
    """As in " at 108 km/h"."""
    return f" at {significant(3.6 * case.speed, 3)} km/h" if case.speed is not None else ""


def tell_peak(body: str, x: float, value: float, t: float) -> str:
    """The peak deflection of a body at x (m), without a full stop."""
    way = "deflects by up to" if value >= 0.0 else "rises by up to"
    return f"At x = {x:g} m the {body} {way} {quantity(abs(value), 'm')} at t = {quantity(t, 's', 3)}"


def tell_passage(map_: CrossingMap, body: str) -> str:
    """When axles are on the beam."""
    on, off = map_.passage
    if off >= float(map_.t[-1]):
        return f" Axles are on the {body} from t = {quantity(on, 's', 3)} until the end of the run."
    return f" Axles are on the {body} from t = {quantity(on, 's', 3)} to {quantity(off, 's', 3)}."


def name_beam(case: CrossedCase) -> str:
    """A beam, with its spans where there are several."""
    spans = len(case.beam.spans)
    return "beam" if spans == 1 else f"beam of {spans} spans with a length"
