"""A beam of elements or differences under axles whose places and forces over time are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from traction import checks
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_march import march_beam
from traction.errors import InputError


def march_under_axles(
    model: DiscreteBeam,
    t: np.ndarray,
    places: np.ndarray,
    forces: np.ndarray,
    method: str,
    *,
    q0: Any = None,
    v0: Any = None,
    allow_unstable: bool = False,
    **options: Any,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates q, velocities v and accelerations a of `model` at times t, (times, size).

    `t` are uniform times (s), `places` (m along the beam; off it there is no force) and `forces` (N)
    (times, axles). `q0` and `v0` are the start, at rest unless given. `method` is one of `tr.methods()`;
    newmark, hht, generalized-alpha, verlet and rk4 march in compiled code, at a cost linear in the number of
    elements. `every=k` keeps each k-th time only, `observe=model.sampler(quantity, x)` keeps that quantity
    instead of the whole state; other `options` are those of the method. A step over the stability limit is an
    error unless `allow_unstable`.
    """
    if not isinstance(model, DiscreteBeam):
        raise InputError(
            f"model = {checks.shown(model)} must be a discrete beam: beam.elements(n) or beam.differences(n)."
        )
    options |= {"q0": q0, "v0": v0, "allow_unstable": allow_unstable}
    return march_beam(model, t, places, forces, method, **options)
