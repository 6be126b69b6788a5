"""A beam of elements or differences by its own modes, so that rigid wheels march on it as on exact ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.linalg import LinAlgError, eigh

from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.crossing.bridge_models.bridge_model import BridgeModel, bridge_model
from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.errors import InputError

INSIDE = np.array((-0.375, -0.125, 0.125, 0.375))  #: points in a cell that determine its cubic
UNCOUPLED = 1e-6  #: of the largest damping, what may couple two modes


@dataclass(frozen=True, eq=False)
class DiscreteModes:
    """All modes of a discrete beam."""

    discrete: DiscreteBeam  #: the beam, of `beam.elements` or `beam.differences`
    bridge: ModalBridge
    shapes: np.ndarray  #: displacements of the nodes in each mode, (displacements, modes)


@lru_cache(maxsize=8)
def discrete_modes(beam: Beam, model: str, size: int) -> DiscreteModes:
    """Modes of "elements" or "differences", `size` of them."""
    matrices = bridge_model(beam, model, size)
    omega, shapes = _vibrations(matrices)
    damping = shapes.T @ matrices.damping @ shapes
    rate = np.diag(damping).copy()
    if np.abs(damping - np.diag(rate)).max() > UNCOUPLED * max(float(np.abs(rate).max()), 1e-300):
        raise InputError("the damping of the beam couples its modes: use Rayleigh's or ratios of modes.")
    pieces, table = _pieces(matrices, beam.ends, shapes)
    tables = np.repeat(table[None], omega.size, axis=0)
    tables[:, :, 2] += table[-1, 2] * np.arange(omega.size)[:, None]
    assert matrices.discrete is not None
    return DiscreteModes(
        matrices.discrete, ModalBridge(omega, rate, pieces, tables, np.asarray(beam.ends, float)), shapes
    )


def _vibrations(matrices: BridgeModel) -> tuple[np.ndarray, np.ndarray]:
    """Natural frequencies, rad/s, and shapes with unit modal masses.

    From M v = (1/omega^2) K v, whose largest eigenvalues are the lowest frequencies, to all digits;
    where a rigid-body motion is possible, K has no inverse, and from K v = omega^2 M v.
    """
    try:
        inverse, shapes = eigh(matrices.mass, matrices.stiffness)
        omega = 1.0 / np.sqrt(inverse[::-1])
        return omega, np.ascontiguousarray(shapes[:, ::-1] * omega)
    except LinAlgError:
        square, shapes = eigh(matrices.stiffness, matrices.mass)
        return np.sqrt(np.maximum(square, 0.0)), np.ascontiguousarray(shapes)


def _pieces(matrices: BridgeModel, ends: np.ndarray, shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cubics of all cells of all modes about their centres, and the first cell of each segment."""
    assert matrices.discrete is not None
    nodes, table, places, first = matrices.discrete.nodes, [], [], 0
    for start, end in pairwise(ends.tolist()):
        inside = (nodes > start) & (nodes < end) & ~np.isclose(nodes, start) & ~np.isclose(nodes, end)
        cells = int(inside.sum()) + 1
        length = (end - start) / cells
        table.append((start, length, float(first)))
        middles = start + length * (np.arange(cells) + 0.5)
        places.append((middles[:, None] + length * INSIDE).ravel())
        first += cells
    table.append((float(ends[-1]), 0.0, float(first)))
    values = (matrices.rows(np.concatenate(places)) @ shapes).T.reshape(-1, INSIDE.size)
    powers = np.linalg.inv(np.vander(INSIDE, increasing=True))
    return np.ascontiguousarray(values @ powers.T), np.array(table)
