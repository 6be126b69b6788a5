"""A cylinder rolls over a beam in plane strain: elastodynamics of the whole mesh; `tr.cross` on the same.

`RollingCylinder.meshed` marches all displacements. The force F is the unknown of a step (`bridge_mesh`); the
width of the patch begins with the force which the last two steps lead to and is corrected to that of the end
of the step. (A width that lags adds energy, and forces on an undamped bridge grow.) Time goes by the method
of Hilber, Hughes and Taylor, with one matrix factored once. Its frequencies are too low by about
(omega dt)^2/12: what vibrates for many periods needs very short steps. `vibrations` marches the modes of the
same mesh exactly.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csc_array

from traction import checks
from traction.app.finite_elements.bridge_mesh import BridgeMesh, MeshModes, NodeContact
from traction.app.finite_elements.elasticity import Factored
from traction.app.finite_elements.modal_crossing import (
    ModalCrossing,
    PressedBody,
    PressureContact,
    Ride,
    RollingContact,
    roll_over,
)
from traction.app.finite_elements.thick_beam import BeamUnderCylinder, neutral_length
from traction.crossing.cross import cross
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.errors import InputError, UnitsWarning
from traction.grid import Grid
from traction.trains.bridge import Bridge
from traction.trains.vehicle import Suspension, Wheel

GRAVITY = 9.81  #: m/s2
ALPHA = 0.05  #: of the method: damps what the mesh cannot resolve
ELEMENTS = 64  #: of the contact of `tr.cross`
ROOM = 1.6
CORRECTIONS = 2  #: of the width of the patch in a step
CONTACTS = ("pressure", "nodes")


@dataclass(frozen=True, eq=False)
class MeshedCrossing:
    """What finite elements find."""

    t: np.ndarray  #: s
    deflection: np.ndarray  #: of the neutral axis at midspan, m
    force: np.ndarray  #: of the contact, N/m
    drop: np.ndarray  #: of the cylinder, m


@dataclass(frozen=True)
class RollingCylinder:
    """A rigid cylinder with what it carries crosses a beam on two supports, per metre of width."""

    bridge: BeamUnderCylinder
    mass: float  #: of the cylinder, kg/m
    suspension: Suspension | None
    speed: float  #: m/s

    def __post_init__(self) -> None:
        if self.bridge.material.density is None:
            raise InputError("the material of the bridge has no density; a motion needs one.")
        checks.positive("speed", self.speed, "m/s")

    @property
    def wheel(self) -> Wheel:
        """The cylinder."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnitsWarning)  # its radius is meant
            return replace(self.bridge.wheel, mass=self.mass, suspension=self.suspension)

    @property
    def weight(self) -> float:
        """N/m."""
        return GRAVITY * float(self.wheel.vehicle.mass.sum())

    def split(self, steps: int, *, residual: bool = False) -> ContactCrossing:
        """Modes of Timoshenko's beam under the half space of the patch; `residual` as in `tr.cross`."""
        on, a = self.bridge, self.bridge.hertz(self.weight).half_width
        length, end = neutral_length(on.height, on.material), on.length / self.speed
        found = cross(
            Bridge(on.beam, on.material),
            [(self.wheel, 0.0)],
            self.speed,
            contact="half-space",
            grid=Grid.line(ELEMENTS, 2.0 * ROOM * a / ELEMENTS, length=length),
            dt=end / steps,
            t_end=end,
            gravity=GRAVITY,
            residual=residual,
        )
        assert isinstance(found, ContactCrossing)
        return found

    def mesh(self, fine: float = 1.0, ends: str = "mean") -> BridgeMesh:
        """The mesh; elements along the top are `fine` half widths of the patch at rest."""
        return BridgeMesh(self.bridge, self.weight, fine, ends)

    def meshed(self, steps: int, *, fine: float = 1.0) -> MeshedCrossing:
        """Full finite elements, all displacements in time."""
        return _marched(self, self.mesh(fine), steps)

    def vibrations(
        self, modes: PressedBody, steps: int, *, start: float = 0.0, contact: str = "pressure"
    ) -> ModalCrossing:
        """Modes of a body (`MeshModes`, `StripModes`, `SplitModes`), marched exactly.

        From `start` (m) to the place as far from the other end. Under Hertz's "pressure"; or, modes of a
        mesh, under forces of the "nodes" that touch.
        """
        if checks.choice("contact", contact, CONTACTS) == "pressure":
            meeting: RollingContact = PressureContact(modes)
        else:
            meeting = NodeContact(checks.instance("modes", modes, MeshModes))
        on, start = self.bridge, checks.not_negative("start", start, "m")
        if start >= 0.5 * on.length:
            raise InputError(f"start = {start:g} m must be before midspan, at {0.5 * on.length:g} m.")
        ride = Ride(self.wheel.vehicle, self.weight, self.speed, (start, on.length - start), on.damping)
        return roll_over(meeting, ride, steps)


def _marched(case: RollingCylinder, mesh: BridgeMesh, steps: int) -> MeshedCrossing:
    """From rest under the cylinder at the first support to the second."""
    weight = case.weight
    dt = case.bridge.length / case.speed / checks.count("steps", steps)
    t, f = dt * np.arange(steps + 1), mesh.under(0.0, weight)
    rest = mesh.at_rest(f * weight)
    damping = case.bridge.damping * mesh.stiffness
    start = rest, mesh.rolling(rest, case.speed)
    beam = _Part(mesh.mass, damping, mesh.stiffness, start, mesh.held, dt)
    car = case.wheel.vehicle
    matrices = (csc_array(np.diag(car.mass)), csc_array(car.damping), csc_array(car.stiffness))
    still = np.zeros(car.mass.size)
    train = _Part(*matrices, (still, still), np.zeros(0, dtype=int), dt)
    wheel = np.zeros(car.mass.size)
    wheel[list(car.wheels)] = 1.0
    high = float(f @ rest) + mesh.give_at(0.0) * weight  # of the wheel, whose coordinates count from rest
    F, before, rows = weight, weight, [(rest[mesh.middle], weight, high)]
    for now in t[1:]:
        place = case.speed * now
        old, f = ALPHA * F * f, mesh.under(place, 2.0 * F - before)
        beam.prepare(old, (1.0 - ALPHA) * f)
        train.prepare(ALPHA * (weight - F) * wheel + (1.0 - ALPHA) * weight * wheel, (ALPHA - 1.0) * wheel)
        z0, z1 = train.at(wheel)
        before = F
        for correction in range(CORRECTIONS + 1):
            if correction > 0:
                f = mesh.under(place, F)
                beam.push((1.0 - ALPHA) * f)
            u0, u1 = beam.at(f)
            F = max(0.0, (high + z0 - u0) / (u1 - z1 + mesh.give_at(place)))
        beam.accept(F)
        train.accept(F)
        rows.append((beam.u[mesh.middle], F, high + float(wheel @ train.u)))
    deflection, force, drop = np.array(rows).T
    return MeshedCrossing(t, deflection, force, drop)


class _Part:
    """M u'' + C u' + K u = load, a step of Hilber, Hughes and Taylor at a time.

    M a' + (1 - alpha)(C v' + K u' - load') + alpha (C v + K u - load) = 0 with Newmark's u' and v'. The end
    of a step is linear in the force F that is still to be found.
    """

    def __init__(
        self,
        M: csc_array,
        C: csc_array,
        K: csc_array,
        start: tuple[np.ndarray, np.ndarray],
        held: np.ndarray,
        dt: float,
    ) -> None:
        self.C, self.K, self.dt = C, K, dt
        self.beta, self.gamma, self.fresh = 0.25 * (1.0 + ALPHA) ** 2, 0.5 + ALPHA, 1.0 - ALPHA
        self.solve = Factored(csc_array(M + self.fresh * dt * (self.gamma * C + self.beta * dt * K)), held)
        (self.u, self.v), self.a = start, np.zeros_like(start[0])

    def prepare(self, load: np.ndarray, per_force: np.ndarray) -> None:
        """The step under `load` (N) and F times `per_force`, both weighted with alpha."""
        dt = self.dt
        self._u = self.u + dt * self.v + (0.5 - self.beta) * dt**2 * self.a
        self._v = self.v + (1.0 - self.gamma) * dt * self.a
        pull = self.C @ (self.fresh * self._v + ALPHA * self.v) + self.K @ (
            self.fresh * self._u + ALPHA * self.u
        )
        self._a0, self._a1 = self.solve(np.stack((load - pull, per_force), axis=1)).T

    def push(self, per_force: np.ndarray) -> None:
        """The same step under F times another `per_force`."""
        self._a1 = self.solve(per_force)

    def at(self, row: np.ndarray) -> tuple[float, float]:
        """row u at the end of the step: without force, and per force."""
        square = self.beta * self.dt**2
        return float(row @ (self._u + square * self._a0)), float(row @ (square * self._a1))

    def accept(self, force: float) -> None:
        """The end of the step."""
        self.a = self._a0 + force * self._a1
        self.u = self._u + self.beta * self.dt**2 * self.a
        self.v = self._v + self.gamma * self.dt * self.a
