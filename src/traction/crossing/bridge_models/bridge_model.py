"""A bridge of any model: matrices, shape rows of forces along it, and modes of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, eigh

from traction.beams.beam import Beam
from traction.beams.discrete.beam_elements import BeamElements, count_elements
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_frequencies import multiply_band
from traction.beams.discrete.discrete_march import damping_matrix
from traction.beams.discrete.kernels.element_shapes import add_forces
from traction.crossing.bridge_models.element_compliance import ElementCompliance, SmoothTrack
from traction.crossing.bridge_models.kernels.mode_shapes import shape_rows
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.bridge_models.residual_compliance import ResidualCompliance, residual_compliance
from traction.crossing.row_products import PaddedRows, RowwiseMatrix, RowwiseModes, sum_rows
from traction.errors import InputError

MOST_DISPLACEMENTS = 8000  #: of a bridge under wheels, whose matrices are stored whole
DAMPED = 60  #: modes of nodes under wheels that one damping ratio applies to: more than contacts excite
INSIDE = np.array((-0.375, -0.125, 0.125, 0.375))  #: points in a cell that determine its cubic
UNCOUPLED = 1e-6  #: of the largest damping, what may couple two modes


@dataclass(frozen=True, eq=False)
class BridgeModel:
    """M q'' + C q' + K q = sum of F_k N(x_k)."""

    mass: np.ndarray  #: (n, n)
    damping: np.ndarray
    stiffness: np.ndarray
    modal: ModalBridge | None
    discrete: DiscreteBeam | None
    #: compliance under a wheel that the coordinates leave out: of neglected modes, or of the loaded element
    left_out: ResidualCompliance | ElementCompliance | None = None
    smooth: SmoothTrack | None = None  #: of elements that meet in kinks

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.mass)

    @property
    def ends(self) -> np.ndarray:
        """Ends of the segments, m."""
        if self.modal is not None:
            return self.modal.ends
        assert self.discrete is not None
        return np.asarray(self.discrete.beam.ends)

    def rows(self, places: np.ndarray, quantity: str = "deflection") -> np.ndarray:
        """N at positions (m), (positions, n): the deflection there is N q, or "slope"; zero outside the beam.

        Between nodes of differences wheels see Hermite cubics.
        """
        values = np.zeros((places.size, self.size))
        if self.modal is not None:
            other, deflects = np.empty_like(values), quantity == "deflection"
            shape_rows(self.modal, places, *((values, other) if deflects else (other, values)))
        elif quantity == "deflection" and self.smooth is None and isinstance(self.discrete, BeamElements):
            for k in range(places.size):
                add_forces(self.discrete.geometry, places[k : k + 1], np.ones(1), values[k])
        else:
            on = self._on_beam(places)
            values[on] = self._nodal_rows(quantity, places[on]).toarray()
        return values

    def _nodal_rows(self, quantity: str, places: np.ndarray) -> sparse.csr_array:
        """Rows of nodal displacements in "deflection" or "slope" at positions on the beam, m."""
        if self.smooth is not None:
            return self.smooth.rows(places, slope=quantity == "slope")
        assert self.discrete is not None
        return self.discrete.sampler(quantity, places)

    def padded_rows(self, quantity: str, places: np.ndarray) -> PaddedRows:
        """These rows at any positions (m); zero outside the beam."""
        inside = np.clip(places, self.ends[0], self.ends[-1])
        found = PaddedRows.of(self._nodal_rows(quantity, inside))
        return found._replace(values=found.values * self._on_beam(places)[:, None])

    def along(self, quantity: str, places: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Either of these at positions (m, (times, positions)) by the coordinates q of each time."""
        if self.discrete is None:
            rows = self.rows(places.ravel(), quantity).reshape(*places.shape, self.size)
            return sum_rows(rows * q[:, None])
        own = np.repeat(np.arange(len(q)), places.shape[1])
        return self.padded_rows(quantity, places.ravel()).times(q, own).reshape(places.shape)

    @cached_property
    def rowwise_damping(self) -> RowwiseMatrix | RowwiseModes:
        """C for products with many velocities; that of damped modes has few ranks beside many nodes."""
        if self.discrete is None or not self.discrete.modal_damping[1].size:
            return RowwiseMatrix.of(self.damping)
        shapes, rates = self.discrete.modal_damping
        lines = [multiply_band(self.discrete.mass, np.ascontiguousarray(shape)) for shape in shapes.T]
        return RowwiseModes(np.array(lines), rates)

    def softness(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compliance that is left out at positions (m), and its slope, m/N and 1/N."""
        if self.left_out is None:
            return np.zeros(places.shape), np.zeros(places.shape)
        return self.left_out.at(places)

    def softness_between(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Compliance between wheels that is left out, m/N, and its slope, both (times, wheels, wheels).

        For wheels at positions (m, (times, wheels)); None where the model leaves none out.
        """
        if self.left_out is None or places.shape[1] < 2:
            return None
        k, j = np.triu_indices(places.shape[1], 1)
        felt = self.left_out.between_wheels(places, np.stack((k, j), axis=1))
        if felt is None:
            return None
        found = np.zeros((2, *places.shape, places.shape[1]))
        found[:, :, k, j] = found[:, :, j, k] = felt
        return found[0], found[1]

    def _on_beam(self, places: np.ndarray) -> np.ndarray:
        return np.asarray((places >= self.ends[0]) & (places <= self.ends[-1]))


def bridge_model(beam: Beam, model: str, size: int, felt: bool = False) -> BridgeModel:
    """Modes, elements or differences of a beam; if `felt`, with the compliance that the first two lack.

    That of elements is at rest. A wheel carries the kink of the axis under it, F/kGA, along with it, and what
    moves in the loaded element has inertia: elements with shear have a node in their middle for it.
    """
    if model == "modes":
        bridge = modal_bridge(beam, size)
        residual = residual_compliance(beam, size) if felt else None
        return BridgeModel(
            np.eye(size), np.diag(bridge.rate), np.diag(bridge.omega**2), bridge, None, residual
        )
    has_middles = felt and model == "elements" and beam.shears
    if has_middles:
        halves = (2 * count_elements(beam, size)).tolist()
        discrete: DiscreteBeam = beam.elements(halves, damped_modes=_damped_modes(beam, sum(halves), DAMPED))
    else:
        discrete = discretised(beam, model, size, DAMPED)
    if discrete.size > MOST_DISPLACEMENTS:
        raise InputError(
            f"size = {size} {model} have {discrete.size} displacements, at most {MOST_DISPLACEMENTS} of them "
            "march together with wheels; take fewer, or modes."
        )
    damping = damping_matrix(discrete)
    matrices = (
        _dense(discrete.banded_matrix("mass")),
        np.zeros((discrete.size, discrete.size)) if damping is None else _dense(damping),
        _dense(discrete.banded_matrix("stiffness")),
    )
    if not isinstance(discrete, BeamElements):
        return BridgeModel(*matrices, None, discrete)
    smooth = SmoothTrack.of(discrete)
    left_out = ElementCompliance(discrete, smooth) if felt else None
    return BridgeModel(*matrices, None, discrete, left_out, smooth)


def discretised(beam: Beam, model: str, size: int, damped: int | None = None) -> DiscreteBeam:
    """The beam discretised by so many "elements", or cells of "differences".

    One damping ratio for all modes applies to `damped` of them at most, the beam's own number by default.
    """
    make = beam.elements if model == "elements" else beam.differences
    return make(size, damped_modes=_damped_modes(beam, size, damped))


def _damped_modes(beam: Beam, size: int, damped: int | None) -> int | None:
    """Number of modes that one damping ratio applies to; None for the beam's own."""
    return None if damped is None or not isinstance(beam.damping, float) else min(damped, size)


def _dense(matrix: Any) -> np.ndarray:
    if hasattr(matrix, "csr"):
        matrix = matrix.csr()
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=float)


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
