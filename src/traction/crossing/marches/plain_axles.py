"""Axles that are plain forces cross a beam: by exact modes, or by a method on elements or differences."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_march import march_beam
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.axle_loads import AxleLoads
from traction.crossing.bridge_models.beam_bases import ModalBasis, NodalBasis
from traction.crossing.marches.kernels.modal_steps import march_axles
from traction.crossing.packed_train import pack_way
from traction.crossing.results.beam_motion import BeamMotion
from traction.crossing.results.crossing import Crossing
from traction.crossing.schedule import Schedule
from traction.errors import InputError
from traction.outputs.progress import Tell, in_parts
from traction.trains.train import Train


def cross_modes(
    beam: Beam, train: Train, times: Schedule, size: int, residual: bool, told: Tell | None = None
) -> Crossing:
    """By the lowest modes, which are propagated exactly."""
    began = time.perf_counter()
    basis, fine, kept = ModalBasis.of(beam, size), times.fine, times.kept
    q, p = np.zeros((fine.size, size)), np.zeros((fine.size, size))
    way, weights, made_for = pack_way(None, train, times), np.empty((size, 12)), np.array([-1.0])
    for steps in in_parts(0, fine.size - 1, told):
        march_axles(basis.bridge, way, steps, weights, made_for, q, p)
    if kept.size != fine.size:
        q, p = q[kept], p[kept]
    axles = _axle_loads(beam, train, times)
    flexibility = ResidualFlexibility.of(beam, size) if residual else None
    return Crossing(
        t=times.t, beam=beam, model="modes", method="exact",
        bending=BeamMotion(basis, axles, q, p, flexibility=flexibility),
        stats={"steps": fine.size - 1, "seconds": time.perf_counter() - began},
    )  # fmt: skip


def cross_nodes(
    beam: Beam,
    discrete: DiscreteBeam,
    train: Train,
    times: Schedule,
    *,
    options: dict[str, Any],
    model: str,
    method: str,
    told: Tell | None = None,
) -> Crossing:
    """By a method of `tr.methods()` on the nodes of elements or differences."""
    for name in ("every", "observe"):
        if name in options:
            raise InputError(f"unknown option {name!r}: a crossing keeps all states.")
    began = time.perf_counter()
    axles = _axle_loads(beam, train, times)
    q, v, a = march_beam(discrete, times.t, axles.places, axles.forces, method, **options)
    if told is not None:
        told(times.t.size - 1, times.t.size - 1)
    return Crossing(
        t=times.t, beam=beam, model=model, method=method,
        bending=BeamMotion(NodalBasis(discrete), axles, q, v, a),
        stats={"steps": times.t.size - 1, "seconds": time.perf_counter() - began},
    )  # fmt: skip


def _axle_loads(beam: Beam, train: Train, times: Schedule) -> AxleLoads:
    return AxleLoads.of(beam.length, train, times, np.zeros((times.t.size, 0)), float(times.t[1]))
