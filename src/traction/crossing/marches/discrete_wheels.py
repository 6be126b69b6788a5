"""Rigid wheels and vehicles that cross a beam of finite elements or finite differences."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction.beams.beam import Beam
from traction.crossing.bridge_models.discrete_modes import discrete_modes
from traction.crossing.marches.discrete_load import DiscreteCrossing
from traction.crossing.marches.rigid_wheels import coupled_step, march_rigid
from traction.crossing.results.vehicle_results import VehicleResults
from traction.crossing.schedule import schedule
from traction.errors import InputError
from traction.trains.train import Train
from traction.trains.travel import Travel

RESOLVED = 40  #: modes whose motion the step resolves, unless given


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DiscreteVehicleCrossing(VehicleResults, DiscreteCrossing):
    """A crossing of wheels and vehicles; their coordinates count downwards from rest on an even track.

    Accelerations of the nodes are differences of their velocities.
    """


def cross_rigid_wheels(
    beam: Beam,
    cars: Train,
    way: Travel,
    *,
    model: str,
    size: int,
    method: str | None,
    dt: float | None,
    t_end: float | None,
    irregularity: Any,
    gravity: float,
    **options: Any,
) -> DiscreteVehicleCrossing:
    """See `moving_load`: all modes of the discrete beam, condensed to the wheels."""
    if method not in (None, "condensed") or options:
        raise InputError(
            f"method = {method!r}, options {sorted(options)}: rigid wheels march condensed on every model; "
            'leave them out, or use tr.cross with contact="hertz", which takes any method.'
        )
    began = time.perf_counter()
    own = discrete_modes(beam, model, size)
    h = coupled_step(beam, cars, RESOLVED, way, t_end) if dt is None else dt
    times = schedule(beam, cars, way, h, t_end)
    found = march_rigid(own.bridge, cars, times, irregularity, gravity)
    kept = times.kept
    q, v = (one[kept] @ own.shapes.T for one in (found.state.q, found.state.p))
    return DiscreteVehicleCrossing(
        t=times.t, beam=beam, places=times.places, forces=found.forces, model=model, method="condensed",
        stats={"steps": times.fine.size - 1, "seconds": time.perf_counter() - began},
        discrete=own.discrete, q=q, v=v, a=np.gradient(v, times.t, axis=0, edge_order=2), train=cars,
        vehicle=found.state.z[kept], vehicle_velocity=found.state.v[kept],
        contact_forces=found.contact_forces, in_contact=found.state.touching[kept],
    )  # fmt: skip
