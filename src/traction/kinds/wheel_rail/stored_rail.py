"""Storing and restoring what a wheelset leaves on the rails in transient rolling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.contact.normal.pressure_certificate import Certificate
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.grid import Grid
from traction.kinds.friction.stored_friction import StoredTractions
from traction.kinds.stored_state import require_shapes
from traction.materials import Pair
from traction.status import Status
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.rail_memory import PatchTrace, RailMemory

FARTHEST = 10**6  #: columns and rows of the lattice
MOST_ELEMENTS = 4_000_000  #: of a patch
#: law of friction, where it is not constant, speed of rolling (m/s) and layer
Between = tuple[float | FrictionLaw | ThermalFriction | None, float | None, Layer | None]


@dataclass(frozen=True)
class StoredTrace:
    """A patch and its tractions."""

    left: bool
    first: tuple[int, int]
    center: tuple[float, float]  #: of its grid, m
    pressure: np.ndarray
    tractions: StoredTractions

    @classmethod
    def of(cls, trace: PatchTrace) -> StoredTrace:
        """Of a patch at the end of a step."""
        contact = trace.contact
        grid, pressure = contact.normal.grid, contact.normal.pressure
        x, s = grid.center
        left = trace.side == "left"
        return cls(left, trace.first, (float(x), float(s)), pressure, StoredTractions.of(contact, None))

    def grid(self, steps: tuple[float, float]) -> Grid:
        """The grid of the patch."""
        ny, nx = self.pressure.shape
        return Grid(nx, ny, *steps, center=self.center)

    def check(self, steps: tuple[float, float]) -> None:
        """Refuse what is not a patch, by an `InputError`."""
        if self.pressure.ndim != 2 or not 0 < self.pressure.size <= MOST_ELEMENTS:
            raise InputError(f"a patch has pressures of shape {self.pressure.shape}")
        numbers = self.pressure.dtype == np.float64 and np.isfinite(self.pressure).all()
        if not numbers or not (self.pressure >= 0.0).all() or not np.isfinite(self.center).all():
            raise InputError("a patch has pressures that are not finite numbers of at least 0")
        if max(map(abs, self.first)) > FARTHEST:
            raise InputError(f"a patch begins at {self.first}, far from its rail")
        require_shapes({"pressure": (self.pressure, self.grid(steps).shape)})
        self.tractions.check(self.grid(steps))

    def restore(self, steps: tuple[float, float], pair: Pair, between: Between) -> PatchTrace:
        """The patch as it was, without what the next step does not need."""
        grid = self.grid(steps)
        normal = NormalContact(
            grid=grid,
            gap=np.zeros(grid.shape),
            pair=pair,
            pressure=self.pressure,
            force=float(self.pressure.sum()) * grid.cell_area,
            status=Status.CONVERGED,
            message=str(Status.CONVERGED),
            certificate=Certificate(0.0, 0.0, 0.0, 0.0, 0.0),
            iterations=0,
        )
        law, speed, layer = between
        known = self.tractions.friction if law is None else law
        contact = self.tractions.restore(normal, known, speed, layer)
        return PatchTrace("left" if self.left else "right", self.first, contact)


@dataclass(frozen=True)
class StoredRail:
    """State before the next position."""

    step: int
    pose: tuple[float, float, float, float]  #: y, z (m), yaw, roll (rad)
    rolled: float  #: m
    traces: tuple[StoredTrace, ...]

    @classmethod
    def of(cls, step: int, memory: RailMemory) -> StoredRail:
        """After a position."""
        pose = memory.pose
        traces = tuple(StoredTrace.of(trace) for trace in memory.traces)
        return cls(step, (pose.y, pose.z, pose.yaw, pose.roll), float(memory.rolled), traces)

    def check(self, steps: tuple[float, float]) -> None:
        """Refuse what is not the state of a march, by an `InputError`."""
        if not np.isfinite([*self.pose, self.rolled]).all():
            raise InputError("position and distance are not finite numbers")
        for trace in self.traces:
            trace.check(steps)

    def restore(self, steps: tuple[float, float], pair: Pair, between: Between) -> RailMemory:
        """What the next position begins from."""
        traces = tuple(trace.restore(steps, pair, between) for trace in self.traces)
        return RailMemory(Pose(*self.pose), steps, traces, self.rolled)
