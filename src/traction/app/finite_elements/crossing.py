"""A cylinder rolls over a beam in plane strain: elastodynamics of the whole mesh; `tr.cross` on the same.

The pressure under the cylinder is Hertz's, p0 sqrt(1 - s^2/a^2) with a^2 = 4 F R (1 - nu^2)/(pi E), and moves
with it over the elements of the top; a is that of the force which the last two steps lead to. (That of the
last force lags by a step: the contact would add energy, and forces on an undamped bridge grow.) The force F
is the unknown of a step: where the top stays on the cylinder, u = z - s^2/(2 R), the mean of u under that
pressure is z - a^2/(8 R), and a^2/(8 R) = F (1 - nu^2)/(2 pi E). Between its nodes an element of the top is
softer than at them; that difference at rest is taken off in series. Time goes by the method of Hilber, Hughes
and Taylor, with one matrix factored once. The beam reaches beyond its supports by its height, so that the
cylinder does not begin on a corner; these ends are massless, so that the beam vibrates as if it ended at its
supports.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csc_array

from traction import checks
from traction.app.finite_elements.elasticity import Factored, Solid, graded
from traction.app.finite_elements.thick_beam import BeamUnderCylinder, neutral_length
from traction.crossing.cross import cross
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.errors import InputError, UnitsWarning
from traction.grid import Grid
from traction.trains.bridge import Bridge
from traction.trains.vehicle import Suspension, Wheel

GRAVITY = 9.81  #: m/s2
ALPHA = 0.05  #: of the method: damps what the mesh cannot resolve
STIFF = 1e6  #: of the supports, over Young's modulus
POINTS = 12  #: at which the pressure is sampled
PLACES = np.linspace(0.0, 1.0, 17)  #: in an element, at which its compliance is computed
ROWS = 2  #: of elements below the neutral axis
GROWTH = 1.7
LEAST = 1e-3  #: of the weight, for the size of a patch that is about to lift off
ELEMENTS = 64  #: of the contact of `tr.cross`
ROOM = 1.6


@dataclass(frozen=True, eq=False)
class MeshedCrossing:
    """What finite elements find."""

    t: np.ndarray  #: s
    deflection: np.ndarray  #: of the neutral axis at midspan, m
    force: np.ndarray  #: of the contact, N/m
    drop: np.ndarray  #: of the cylinder, m
    unknowns: int


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

    def split(self, steps: int) -> ContactCrossing:
        """Modes of Timoshenko's beam under the half space of the patch."""
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
        )
        assert isinstance(found, ContactCrossing)
        return found

    def meshed(self, steps: int, *, fine: float = 1.0) -> MeshedCrossing:
        """Full finite elements whose length along the top is `fine` half widths of the patch at rest."""
        return _Meshed(self, fine * self.bridge.hertz(self.weight).half_width).marched(steps)


class _Meshed:
    """Mesh, supports and contact of a crossing."""

    def __init__(self, case: RollingCylinder, fine: float) -> None:
        self.case, on = case, case.bridge
        L, h = on.length, on.height
        self.spacing = L / (2 * math.ceil(0.5 * L / fine))
        self.beyond = math.ceil(h / self.spacing)  # elements on either side of the supports
        elements = round(L / self.spacing)
        x = self.spacing * np.arange(-self.beyond, elements + self.beyond + 1)
        half = graded(fine, fine, 0.5 * h, GROWTH)
        self.solid = solid = Solid((x, np.append(half, np.linspace(0.5 * h, h, ROWS + 1)[1:])), on.material)
        axis = solid.on(1, 0.5 * h)
        self.middle = int(solid.along(1, axis & solid.on(0, 0.5 * L))[0])
        self.held = solid.along(0, axis & solid.on(0, 0.0))
        self.top = solid.size // 2 + solid.lattice[:, 0]  # ends and middles of elements in turn
        self.stiffness = csc_array(solid.stiffness + self._supports())
        self.at_rest = Factored(self.stiffness, self.held)
        self.give = (1.0 - on.material.poisson_ratio**2) / (2.0 * math.pi * on.material.youngs_modulus)
        self.between = self._between_nodes()

    def _supports(self) -> csc_array:
        """Springs on the mean displacement of a section, weighted like the shear stress over it."""
        on, total = self.case.bridge, csc_array((self.solid.size, self.solid.size))
        h = on.height
        for place in (0.0, on.length):
            mean = self.solid.traction((0, place), 1, lambda _, z: 6.0 * z * (h - z) / h**3)
            total += STIFF * on.material.youngs_modulus * (csc_array(mean[:, None]) @ csc_array(mean[None]))
        return total

    def under(self, place: float, force: float) -> np.ndarray:
        """Forces of 1 N/m in all, as the pressure under the cylinder distributes them, by Gauss' points."""
        a = self.case.bridge.hertz(max(force, LEAST * self.case.weight)).half_width
        angle = math.pi * np.arange(1, POINTS + 1) / (POINTS + 1)
        x = (place + a * np.cos(angle)) / self.spacing + self.beyond
        e = x.astype(int)
        s = x - e
        weights = 2.0 / (POINTS + 1) * np.sin(angle) ** 2
        shapes = np.array([(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)])
        forces = np.zeros(self.solid.size)
        np.add.at(forces, self.top[2 * e + np.arange(3)[:, None]], weights * shapes)
        return forces

    def _between_nodes(self) -> np.ndarray:
        """Compliance at `PLACES` of an element at midspan beyond the line between its ends, m2/N."""
        start = self.spacing * round(0.5 * self.case.bridge.length / self.spacing)
        loads = [self.under(start + s * self.spacing, self.case.weight) for s in PLACES.tolist()]
        found = np.array([float(f @ self.at_rest(f)) for f in loads])
        return np.asarray(found - (1.0 - PLACES) * found[0] - PLACES * found[-1])

    def give_at(self, place: float) -> float:
        """Compliance in series with the mesh: of the cylinder's shape, without that between nodes, m2/N."""
        return self.give - float(np.interp(place / self.spacing % 1.0, PLACES, self.between))

    def rolling(self, rest: np.ndarray) -> np.ndarray:
        """Velocities -V du/dx: the deformation over the first support, local alone, rolls on with the wheel.

        Were the mesh at rest, the contact force would ring as the deformation is set in motion at once.
        """
        lattice = self.solid.lattice
        moved = rest.reshape(2, -1)
        velocities = np.empty_like(moved)
        velocities[:, lattice] = -self.case.speed * np.gradient(moved[:, lattice], 0.5 * self.spacing, axis=1)
        velocities = velocities.ravel()
        velocities[self.held] = 0.0
        return velocities

    def marched(self, steps: int) -> MeshedCrossing:
        """From rest under the cylinder at the first support to the second."""
        case, weight = self.case, self.case.weight
        checks.count("steps", steps)
        dt = case.bridge.length / case.speed / steps
        t, f = dt * np.arange(steps + 1), self.under(0.0, weight)
        rest = self.at_rest(f * weight)
        damping = case.bridge.damping * self.stiffness
        mass = self.solid.mass((0.0, case.bridge.length))
        beam = _Part(mass, damping, self.stiffness, (rest, self.rolling(rest)), self.held, dt)
        car = case.wheel.vehicle
        matrices = (csc_array(np.diag(car.mass)), csc_array(car.damping), csc_array(car.stiffness))
        still = np.zeros(car.mass.size)
        train = _Part(*matrices, (still, still), np.zeros(0, dtype=int), dt)
        wheel = np.zeros(car.mass.size)
        wheel[list(car.wheels)] = 1.0
        high = float(f @ rest) + self.give * weight  # of the wheel, whose coordinates count from rest
        F, before, rows = weight, weight, [(rest[self.middle], weight, high)]
        for now in t[1:]:
            place = case.speed * now
            old, f = ALPHA * F * f, self.under(place, 2.0 * F - before)
            beam.prepare(old, (1.0 - ALPHA) * f)
            train.prepare(
                ALPHA * (weight - F) * wheel + (1.0 - ALPHA) * weight * wheel, (ALPHA - 1.0) * wheel
            )
            (u0, u1), (z0, z1) = beam.at(f), train.at(wheel)
            before, F = F, max(0.0, (high + z0 - u0) / (u1 - z1 + self.give_at(place)))
            beam.accept(F)
            train.accept(F)
            rows.append((beam.u[self.middle], F, high + float(wheel @ train.u)))
        deflection, force, drop = np.array(rows).T
        return MeshedCrossing(t, deflection, force, drop, self.solid.size)


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

    def at(self, row: np.ndarray) -> tuple[float, float]:
        """row u at the end of the step: without force, and per force."""
        square = self.beta * self.dt**2
        return float(row @ (self._u + square * self._a0)), float(row @ (square * self._a1))

    def accept(self, force: float) -> None:
        """The end of the step."""
        self.a = self._a0 + force * self._a1
        self.u = self._u + self.beta * self.dt**2 * self.a
        self.v = self._v + self.gamma * self.dt * self.a
