"""`BeamMotion`: coordinates of a beam over time, modal or nodal, and fields along it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.axle_loads import AxleLoads
from traction.crossing.bridge_models.beam_bases import ModalBasis, NodalBasis
from traction.crossing.bridge_models.kernels.mode_shapes import modal_forces

AT_ONCE = 1_000_000  #: numbers of coordinates for which modal forces are computed at once
RATES = {"velocity": 1, "acceleration": 2}  #: of the deflection, by their order


@dataclass(frozen=True, eq=False)
class BeamMotion:
    """Motion of a beam under axles."""

    basis: ModalBasis | NodalBasis
    axles: AxleLoads
    coordinates: np.ndarray  #: q, (times, n)
    velocities: np.ndarray  #: q'
    nodal_accelerations: np.ndarray | None = None  #: q'' of nodes; that of modes follows from the forces
    #: of the neglected modes, which follow the forces at once; None: they are not included
    flexibility: ResidualFlexibility | None = field(default=None, repr=False)

    @cached_property
    def modal_forces(self) -> np.ndarray:
        """f, f' and f'' of the modes, (3, times, modes)."""
        found = np.empty((3, *self.coordinates.shape))
        loads = np.concatenate((self.axles.forces[None], self.axles.rates))
        modal_forces(self.modal_basis.bridge, self.axles.places, self.axles.motion, loads, found)
        return found

    @cached_property
    def accelerations(self) -> np.ndarray:
        """q''; of modes it is f - c q' - omega^2 q."""
        if self.nodal_accelerations is not None:
            return self.nodal_accelerations
        bridge, found = self.modal_basis.bridge, np.empty(self.coordinates.shape)
        for rows, part in self._in_blocks():
            slow = bridge.rate * part.velocities + bridge.omega**2 * part.coordinates
            found[rows] = part.modal_forces[0] - slow
        return found

    @cached_property
    def _beyond_rest(self) -> dict[int, np.ndarray]:
        """(q - f/omega^2) and its rates, by their order, where they were needed."""
        return {}

    def _departures(self, order: int) -> np.ndarray:
        """q - f/omega^2 or a rate of it: what the modes have beyond the axles at rest."""
        assert self.flexibility is not None
        if order not in self._beyond_rest:
            found = np.empty(self.coordinates.shape)
            for rows, part in self._in_blocks():
                found[rows] = part.rate(order) - part.modal_forces[order] * self.flexibility.of_modes
            self._beyond_rest[order] = found
        return self._beyond_rest[order]

    def _in_blocks(self) -> Iterator[tuple[slice, BeamMotion]]:
        """Parts of the motion so short that the modal forces of each need little memory."""
        every = max(1, AT_ONCE // self.coordinates.shape[1])
        for start in range(0, len(self.coordinates), every):
            rows = slice(start, start + every)
            yield rows, self.at_rows(rows)

    @property
    def modal_basis(self) -> ModalBasis:
        """The modes; not available for nodal models."""
        if not isinstance(self.basis, ModalBasis):
            raise AttributeError("a beam of elements or differences has no modes")
        return self.basis

    @property
    def nodal_basis(self) -> NodalBasis:
        """The nodes; not available for modes."""
        if not isinstance(self.basis, NodalBasis):
            raise AttributeError("a beam of modes has no nodes")
        return self.basis

    def evaluate(self, quantity: str, x: float, side: str = "right") -> np.ndarray:
        """A quantity at one position x (m) over time; `side` of it for the shear force.

        With q_k the k-th rate of the coordinates, f_k that of the modal forces and G the influence line of
        the whole beam, it is sum_i phi_i(x) (q_k - f_k/omega^2)_i + sum_j (F_j G(x, s_j))_k.
        """
        order = RATES.get(quantity, 0)
        line = quantity if quantity in ("moment", "shear") else "deflection"
        place = float(np.nextafter(x, 0.0)) if side == "left" else x
        if self.flexibility is None:
            return self.basis.combine(self.rate(order), line, place)
        values = self.basis.combine(self._departures(order), line, place)
        for factor, influence in self.flexibility.lines(line, x, side):
            values += factor * self.axles.act_at_rest(influence, order)
        return values

    def jerk(self, x: float, t: np.ndarray) -> np.ndarray:
        """Rate of the acceleration at one position x (m) at the times t (s), from the equations of the modes.

        That of the neglected modes, which follow the axles at rest, is taken from differences.
        """
        bridge = self.modal_basis.bridge
        q = self.modal_forces[1] - bridge.rate * self.accelerations - bridge.omega**2 * self.velocities
        values = self.basis.combine(q, "deflection", x)
        if self.flexibility is None:
            return values
        kept = self.basis.combine(self.accelerations, "deflection", x)
        return np.asarray(values + np.gradient(self.evaluate("acceleration", x) - kept, t))

    def at_rows(self, rows: np.ndarray | slice) -> BeamMotion:
        """The motion at some of its times."""
        a = self.nodal_accelerations
        return replace(
            self, axles=self.axles.at_rows(rows), coordinates=self.coordinates[rows],
            velocities=self.velocities[rows], nodal_accelerations=None if a is None else a[rows],
        )  # fmt: skip

    def rate(self, order: int) -> np.ndarray:
        """Coordinates, velocities or accelerations."""
        if order == 2:
            return self.accelerations
        return self.velocities if order else self.coordinates
