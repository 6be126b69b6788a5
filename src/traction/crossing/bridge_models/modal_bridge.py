"""Modes of a beam, packed for kernels."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.beams.beam_description import rates
from traction.beams.exact.dynamic_stiffness import BeamShape
from traction.errors import InputError

NEGLIGIBLE = 1e-17  #: of a deflection
SPLIT = 8  #: pieces of a part: the shorter they are, the fewer powers each needs
MOST_MODES = 1000  #: whose shapes take some GB, for they have as many waves as there are modes


class ModalBridge(NamedTuple):
    """A beam as an argument of kernels; a named tuple, which numba accepts."""

    omega: np.ndarray  #: natural frequencies, rad/s
    rate: np.ndarray  #: c = 2 zeta omega, 1/s
    shapes: np.ndarray  #: deflections of all pieces of all modes, (pieces, powers), an even number of powers
    tables: np.ndarray  #: see `mode_shapes.value_and_slope`
    ends: np.ndarray  #: of the segments, m


def frequencies_of(beam: Beam, size: int) -> np.ndarray:
    """Frequencies of the lowest modes, rad/s; refuses more of them than a run can have."""
    if size > MOST_MODES:
        raise InputError(
            f"{size} modes of a beam are too many for a run, at most {MOST_MODES}: memory and time grow with "
            'the square of their number. Give fewer, or use model="elements".'
        )
    return beam.frequencies(size)


def with_damped_modes(beam: Beam, size: int) -> Beam:
    """The beam for so many modes; those without a ratio in its list are undamped."""
    if not isinstance(beam.damping, tuple):
        return beam
    ratios = (*beam.damping, *[0.0] * (size - len(beam.damping)))
    return Beam.spans([beam], supports=beam.supports, damping=ratios)


@lru_cache(maxsize=16)
def modal_bridge(beam: Beam, size: int) -> ModalBridge:
    """The lowest modes of a beam."""
    omega, modes = frequencies_of(beam, size), beam.modes(size)
    tables, first = [], 0
    for shape in modes.shapes:
        table = shape.table.copy()
        table[:, 1] /= SPLIT
        table[:, 2] = first + SPLIT * table[:, 2]
        tables.append(table)
        first += SPLIT * len(shape.pieces)
    pieces = _trimmed(np.concatenate([_split(shape) for shape in modes.shapes]))
    return ModalBridge(omega.copy(), rates(beam.damping, omega), pieces, np.array(tables), beam.ends)


def _split(shape: BeamShape) -> np.ndarray:
    """Deflections of a shape over shorter pieces, as polynomials about their centres."""
    whole = shape.pieces[:, 0, :]
    powers = whole.shape[1]
    pieces = np.empty((len(whole), SPLIT, powers))
    for j in range(SPLIT):
        middle = (j + 0.5) / SPLIT - 0.5
        turn = np.zeros((powers, powers))  # (middle + s/SPLIT)^i in powers of s
        for i in range(powers):
            for k in range(i + 1):
                turn[i, k] = math.comb(i, k) * middle ** (i - k) / SPLIT**k
        pieces[:, j] = whole @ turn
    return pieces.reshape(-1, powers)


def _trimmed(shapes: np.ndarray) -> np.ndarray:
    """The polynomials without the powers that no piece needs."""
    sizes = np.abs(shapes) * 0.5 ** np.arange(shapes.shape[1])  # at the ends of the pieces
    needed = (sizes > NEGLIGIBLE * sizes.max()).any(axis=0)
    powers = max(4, int(np.flatnonzero(needed)[-1]) + 1)
    return np.ascontiguousarray(shapes[:, : 2 * math.ceil(powers / 2)])
