"""A bridge for the general march: matrices, and shape rows of forces along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from traction.beams.beam import Beam
from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_march import damping_matrix
from traction.beams.discrete.kernels.element_shapes import add_forces
from traction.crossing.bridge_models.kernels.mode_shapes import shape_rows
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.bridge_models.residual_compliance import ResidualCompliance, residual_compliance
from traction.crossing.bridge_models.smooth_track import SmoothTrack


@dataclass(frozen=True, eq=False)
class BridgeModel:
    """M q'' + C q' + K q = sum of F_k N(x_k)."""

    mass: np.ndarray  #: (n, n)
    damping: np.ndarray
    stiffness: np.ndarray
    modal: ModalBridge | None
    discrete: DiscreteBeam | None
    left_out: ResidualCompliance | None = None  #: residual compliance under a wheel
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

    def rows(self, places: np.ndarray) -> np.ndarray:
        """N at positions (m), (positions, n): the deflection there is N q; zero outside the beam."""
        values = np.zeros((places.size, self.size))
        if self.modal is not None:
            shape_rows(self.modal, places, values, np.empty_like(values))
        elif self.smooth is not None:
            on = self._on_beam(places)
            values[on] = self.smooth.rows(places[on])
        elif isinstance(self.discrete, BeamElements):
            for k in range(places.size):
                add_forces(self.discrete.geometry, places[k : k + 1], np.ones(1), values[k])
        else:
            self._sample("deflection", places, values)
        return values

    def slope_rows(self, places: np.ndarray) -> np.ndarray:
        """N' at positions (m), (positions, n): the slope is N' q."""
        slopes = np.zeros((places.size, self.size))
        if self.modal is not None:
            shape_rows(self.modal, places, np.empty_like(slopes), slopes)
        elif self.smooth is not None:
            on = self._on_beam(places)
            slopes[on] = self.smooth.slope_rows(places[on])
        else:
            self._sample("slope", places, slopes)
        return slopes

    def softness(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residual compliance at positions (m), and its slope, m/N and 1/N."""
        if self.left_out is None:
            return np.zeros(places.shape), np.zeros(places.shape)
        return self.left_out.at(places)

    def _sample(self, quantity: str, places: np.ndarray, rows: np.ndarray) -> None:
        """Rows of nodal displacements; between nodes of differences wheels see Hermite cubics."""
        assert self.discrete is not None
        on = self._on_beam(places)
        if on.any():
            rows[on] = self.discrete.sampler(quantity, places[on]).toarray()

    def _on_beam(self, places: np.ndarray) -> np.ndarray:
        return np.asarray((places >= self.ends[0]) & (places <= self.ends[-1]))


def bridge_model(beam: Beam, model: str, size: int, felt: bool = False) -> BridgeModel:
    """Modes, with the residual compliance of the others if `felt`; elements or differences of a beam."""
    if model == "modes":
        bridge = modal_bridge(beam, size)
        left_out = residual_compliance(beam, size) if felt else None
        return BridgeModel(
            np.eye(size), np.diag(bridge.rate), np.diag(bridge.omega**2), bridge, None, left_out
        )
    discrete = discretised(beam, model, size)
    damping = damping_matrix(discrete)
    return BridgeModel(
        _dense(discrete.banded_matrix("mass")),
        np.zeros((discrete.size, discrete.size)) if damping is None else _dense(damping),
        _dense(discrete.banded_matrix("stiffness")),
        None,
        discrete,
        smooth=SmoothTrack.of(discrete) if isinstance(discrete, BeamElements) else None,
    )


def discretised(beam: Beam, model: str, size: int) -> DiscreteBeam:
    """The beam discretised by so many "elements", or cells of "differences"."""
    return beam.elements(size) if model == "elements" else beam.differences(size)


def _dense(matrix: Any) -> np.ndarray:
    if hasattr(matrix, "csr"):
        matrix = matrix.csr()
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=float)
