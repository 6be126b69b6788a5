"""Motion of a beam over time, by modal or nodal coordinates, and of the wheels and vehicles that cross it.

`ModalBasis` and `NodalBasis` are the meaning of the coordinates: they combine coordinates (times, n) to
quantities at positions along the beam. `AxleLoads` are positions and forces of the axles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.exact.modes import Modes
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.beams.exact.statics import InfluenceLine
from traction.crossing.bridge_models.kernels.mode_shapes import modal_forces
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.packed_train import PackedCars, Schedule
from traction.crossing.row_products import sum_rows
from traction.trains.train import Train, force_rates

AT_ONCE = 1_000_000  #: numbers of coordinates for which modal forces are computed at once
RATES = {"velocity": 1, "acceleration": 2}  #: of the deflection, by their order


@dataclass(frozen=True, eq=False)
class ModalBasis:
    """The lowest modes of a beam."""

    modes: Modes
    bridge: ModalBridge

    @classmethod
    def of(cls, beam: Beam, size: int) -> ModalBasis:
        """Basis of the lowest `size` modes."""
        return cls(beam.modes(size), modal_bridge(beam, size))

    def combine(self, q: np.ndarray, quantity: str, x: float) -> np.ndarray:
        """Deflection, moment or shear force at x (m) over time."""
        return sum_rows(q * _shapes_at(self.modes, quantity, x))

    def slopes(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Slopes at positions x (m), (times, positions)."""
        return np.asarray(q @ self.modes.slope(x))

    def moments_under(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Bending moments at moving positions x (m, times)."""
        return np.asarray((q.T * self.modes.moment(x)).sum(axis=0))


@dataclass(frozen=True, eq=False)
class NodalBasis:
    """Displacements of the nodes of elements or differences that no support prevents."""

    discrete: DiscreteBeam

    def combine(self, q: np.ndarray, quantity: str, x: float) -> np.ndarray:
        """Deflection, moment or shear force at x (m) over time."""
        return np.asarray((self.discrete.row(quantity, x) @ q.T)[0])

    def slopes(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Slopes at positions x (m), (times, positions)."""
        return np.asarray(self.discrete.slope(q, x))

    def moments_under(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Bending moments at moving positions x (m, times)."""
        return np.asarray((self.discrete.sampler("moment", x).toarray() * q).sum(axis=1))


@lru_cache(maxsize=1024)
def _shapes_at(modes: Modes, quantity: str, x: float) -> np.ndarray:
    """Shapes of all modes at a position, cached: runs of single samples need the same ones repeatedly."""
    shapes = np.array(getattr(modes, quantity)(x))
    shapes.flags.writeable = False
    return shapes


@dataclass(frozen=True, eq=False)
class AxleLoads:
    """Forces first, then wheels, at the times of a crossing."""

    length: float  #: of the beam, m
    places: np.ndarray  #: from the start of the beam, m, (times, axles)
    forces: np.ndarray  #: on the beam or the track, N, (times, axles)
    rates: np.ndarray  #: F' and F'', (2, times, axles); those of wheels count as zero
    motion: np.ndarray  #: speed and acceleration of the train, (times, 2)

    @classmethod
    def of(
        cls, length: float, train: Train, times: Schedule, wheels: np.ndarray | None = None, step: float = 0.0
    ) -> AxleLoads:
        """Loads of a train at the stored times, under the forces of its `wheels` (N), (times, wheels).

        Rates of forces are differences over a quarter of the `step` (s), the first one unless given.
        """
        plain = plain_forces(train, times.t, step or float(times.t[1]))
        contact_forces = np.zeros((times.t.size, 0)) if wheels is None else wheels
        forces = np.concatenate([plain[0], contact_forces], axis=1)
        rates = np.concatenate([plain[1:], np.zeros((2, *contact_forces.shape))], axis=2)
        return cls(length, times.places, forces, rates, times.motion)

    @cached_property
    def on_beam(self) -> np.ndarray:
        """Mask of the axles on the beam, (times, axles)."""
        return (self.places >= 0.0) & (self.places <= self.length)

    def at_rows(self, rows: np.ndarray | slice) -> AxleLoads:
        """The same at some of the times."""
        return AxleLoads(
            self.length, self.places[rows], self.forces[rows], self.rates[:, rows], self.motion[rows]
        )

    def act_at_rest(self, line: InfluenceLine, order: int = 0) -> np.ndarray:
        """Static response to the axles at their positions, or its first or second rate, (times,)."""
        on = self.on_beam
        s, F = self.places[on], self.forces[on]
        values = np.zeros(on.shape)
        if order == 0:
            values[on] = F * line.at(s)
            return values.sum(axis=1)
        v, a = (np.broadcast_to(column[:, None], on.shape)[on] for column in self.motion.T)
        if order == 1:
            values[on] = self.rates[0][on] * line.at(s) + F * v * line.slope(s)
        else:
            dF, ddF = self.rates[0][on], self.rates[1][on]
            turned = F * (v * v * line.curvature(s) + a * line.slope(s))
            values[on] = ddF * line.at(s) + 2.0 * dF * v * line.slope(s) + turned
        return values.sum(axis=1)


def plain_forces(train: Train, t: np.ndarray, step: float) -> np.ndarray:
    """F, F' and F'' of the axles that are plain forces at times t (s), (3, times, axles)."""
    found = [force_rates(load, t, step) for load, _ in train.forces]
    return np.stack(found, axis=2) if found else np.zeros((3, t.size, 0))


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


class RigidLanding(NamedTuple):
    """Impulse of the track on a wheel when it, or another one on the same bridge, lands in rigid contact."""

    t: float  #: time, s
    wheel: int  #: its number, from 0
    impulse: float  #: N s


@dataclass(frozen=True, eq=False)
class VehicleMotion:
    """Coordinates of all vehicles, downwards from rest on a level track, and the wheel forces."""

    t: np.ndarray  #: s
    train: Train
    cars: PackedCars
    coordinates: np.ndarray  #: z, (times, coordinates)
    velocities: np.ndarray
    contact_forces: np.ndarray  #: of the wheels on the track, N, (times, wheels)
    in_contact: np.ndarray  #: (times, wheels)
    landings: tuple[RigidLanding, ...] = ()  #: of rigid wheels: what the contact forces leave out

    @cached_property
    def accelerations(self) -> np.ndarray:
        """Accelerations z'' by the equations of motion; for wheels by differences of their velocity."""
        a = np.gradient(self.velocities, self.t, axis=0, edge_order=2)
        start = 0
        for vehicle, _ in self.train.vehicles:
            own = slice(start, start + len(vehicle.mass))
            z, v = self.coordinates[:, own], self.velocities[:, own]
            pull = -z @ vehicle.stiffness - v @ vehicle.damping
            free = [i for i in range(len(vehicle.mass)) if i not in vehicle.wheels]
            a[:, own][:, free] = pull[:, free] / vehicle.mass[free]
            start = own.stop
        return a

    def at_rows(self, rows: np.ndarray) -> VehicleMotion:
        """The motion at some of its times."""
        own = ("t", "coordinates", "velocities", "contact_forces", "in_contact")
        return replace(self, **{name: getattr(self, name)[rows] for name in own})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        several = len(self.train.vehicles) > 1
        return tuple(
            f"vehicle {k + 1} {name}" if several else name
            for k, (vehicle, _) in enumerate(self.train.vehicles)
            for name in vehicle.names
        )
