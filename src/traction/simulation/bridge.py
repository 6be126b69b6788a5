"""Modes of a beam, packed for kernels."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.beams.damping import rates

NEGLIGIBLE = 1e-17  #: of a deflection


class ModalBridge(NamedTuple):
    """What kernels know of a beam; a named tuple, which numba takes."""

    omega: np.ndarray  #: natural frequencies, rad/s
    rate: np.ndarray  #: c = 2 zeta omega, 1/s
    shapes: np.ndarray  #: deflections of all parts of all modes, (parts, degree)
    tables: np.ndarray  #: see `modal_kernels.value_and_slope`
    ends: np.ndarray  #: of the segments, m


@lru_cache(maxsize=16)
def modal_bridge(beam: Beam, size: int) -> ModalBridge:
    """The lowest modes of a beam."""
    modes = beam.modes(size)
    tables, first = [], 0
    for shape in modes.shapes:
        table = shape.table.copy()
        table[:, 2] += first
        tables.append(table)
        first += len(shape.pieces)
    shapes = np.concatenate([shape.pieces[:, 0, :] for shape in modes.shapes])
    sizes = np.abs(shapes) * 0.5 ** np.arange(shapes.shape[1])  # at the ends of the parts
    degree = int(np.flatnonzero((sizes > NEGLIGIBLE * sizes.max(axis=1, keepdims=True)).any(axis=0))[-1]) + 1
    return ModalBridge(
        modes.frequencies.copy(),
        rates(beam.damping, modes.frequencies),
        np.ascontiguousarray(shapes[:, : max(degree, 3)]),
        np.array(tables),
        beam.ends,
    )
