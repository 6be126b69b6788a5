"""Forces that cross a beam of finite elements or finite differences."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.crossing.bridge_models.discrete_track import march_under_axles
from traction.crossing.default_step import fastest
from traction.crossing.results.crossing import Crossing
from traction.crossing.schedule import schedule
from traction.errors import InputError
from traction.trains.force import force_rates
from traction.trains.train import Train
from traction.trains.travel import Travel

METHODS = {"elements": "newmark", "differences": "verlet"}  #: unless given
PER_CROSSING = 10_000  #: steps of an implicit method while one axle crosses
OF_LIMIT = 0.9  #: of the stability limit, the step of an explicit method


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DiscreteCrossing(Crossing):
    """A crossing in nodal displacements."""

    discrete: Any  #: the model, of `beam.elements` or `beam.differences`
    q: np.ndarray  #: (times, displacements)
    v: np.ndarray
    a: np.ndarray

    @property
    def modal(self) -> np.ndarray:
        """Coordinates over time: the displacements of the nodes that no support holds."""
        return self.q

    def _at(self, quantity: str, x: float, side: str) -> np.ndarray:
        state = {"velocity": self.v, "acceleration": self.a}.get(quantity, self.q)
        place = float(np.nextafter(x, 0.0)) if side == "left" else x
        line = quantity if quantity in ("moment", "shear") else "deflection"
        return np.asarray((self.discrete.row(line, place) @ state.T)[0])


def cross_discrete(
    beam: Beam,
    cars: Train,
    way: Travel,
    *,
    model: str,
    size: int,
    method: str | None,
    dt: float | None,
    t_end: float | None,
    **options: Any,
) -> DiscreteCrossing:
    """See `moving_load`; unless `dt` is given, 10,000 steps per crossing, or 0.9 of the stability limit if
    shorter.
    """
    for name in ("every", "observe"):
        if name in options:
            raise InputError(f"unknown option {name!r}: a crossing keeps all states.")
    began = time.perf_counter()
    discrete = beam.elements(size) if model == "elements" else beam.differences(size)
    name = METHODS[model] if method is None else method
    h = discrete_step(discrete, name, way, t_end) if dt is None else dt
    times = schedule(beam, cars, way, h, t_end)
    forces = np.stack([force_rates(load, times.t, float(times.t[1]))[0] for load, _ in cars.forces], axis=1)
    q, v, a = march_under_axles(discrete, times.t, times.places, forces, name, **options)
    return DiscreteCrossing(
        t=times.t,
        beam=beam,
        places=times.places,
        forces=forces,
        model=model,
        method=name,
        stats={"steps": times.t.size - 1, "seconds": time.perf_counter() - began},
        discrete=discrete,
        q=q,
        v=v,
        a=a,
    )


def discrete_step(discrete: DiscreteBeam, method: str, way: Travel, t_end: float | None) -> float:
    """Unless given, s; see `cross_discrete`."""
    even = discrete.beam.length / fastest(way, t_end) / PER_CROSSING
    limit = discrete.stability_limit(method)
    return min(even, OF_LIMIT * limit) if limit > 0.0 else even
