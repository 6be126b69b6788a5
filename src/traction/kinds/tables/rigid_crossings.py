"""Crossings of forces and rigid wheels, as kinds of crossings march them: as a whole."""

from __future__ import annotations

from typing import Any

from traction.crossing.bridge_models.bridge_model import discretised
from traction.crossing.choices import SIZES
from traction.crossing.default_step import condensed_step, default_step, discrete_step
from traction.errors import InputError
from traction.kinds.tables.crossing_tables import CrossedCase


def rigid_options(case: CrossedCase) -> dict[str, Any]:
    """For `tr.moving_load`, and `tr.cross` in rigid contact; all but the step."""
    model = case.model
    given: dict[str, Any] = {
        "model": model.type, "size": model.number, "t_end": case.time.t_end, "gravity": case.gravity,
        "irregularity": case.rough,
    }  # fmt: skip
    if model.type == "modes":
        return given | {"residual": model.residual}
    return given if case.cars.vehicles else given | {"method": model.marches_by, **model.options}


def rigid_step(case: CrossedCase) -> float:
    """As `tr.moving_load` chooses it, or as given, s."""
    if case.time.dt is not None:
        return case.time.dt
    model, beam, way, end = case.model, case.built, case.way, case.time.t_end
    if case.cars.vehicles:
        modes = model.number if model.type == "modes" else SIZES["modes"]
        return condensed_step(beam, case.cars, modes, way, end)
    if model.type == "modes":
        return default_step(beam, case.cars, model.number, way, end)
    return discrete_step(discretised(beam, model.type, model.number), model.marches_by or "", way, end)


def require_kept(case: CrossedCase, step: float) -> None:
    """Refuse a crossing of steps (s) whose states, all of which are kept, would not fit into memory."""
    words = case.too_many_kept(step)
    if words is not None:
        raise InputError(f"the crossing {words}.")
