"""`Crossing`: motion of a beam, and of wheels and vehicles on it, while axles cross."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.beams.beam_description import BendingFields, place_on
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.exact.modes import Modes
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.beams.exact.statics import influence_line
from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.packed_train import PackedCars
from traction.crossing.results.crossing_certificate import (
    CrossingCertificate,
    away_from,
    force_roughness,
    samples_per_mode,
)
from traction.crossing.results.crossing_motion import (
    BeamMotion,
    ModalBasis,
    NodalBasis,
    RigidLanding,
    VehicleMotion,
)
from traction.crossing.results.energies import Energies
from traction.errors import InputError
from traction.outputs.beam_result import BeamResult, places_axis, times_axis
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, counter, data, figure
from traction.quantities import counted
from traction.signals.peaks import Peak, largest_between, largest_of_smooth, largest_on_cubics
from traction.signals.spectra import Spectrum, low_pass, spectrum
from traction.status import Status
from traction.trains.train import Train

UNITS = {"deflection": "m", "velocity": "m/s", "acceleration": "m/s2", "moment": "N m", "shear": "N"}
QUANTITIES = tuple(UNITS)
PLACES = 101  #: along the beam, in envelopes
LEAVING = 1e-6  #: of the length of the beam, within which the last axle is at its end


@dataclass(frozen=True, eq=False, repr=False)
class Envelope(Result):
    """Smallest and largest value over time at positions along the beam."""

    _rows, _drawn = ("x",), "largest"

    x: np.ndarray  #: positions, m
    least: np.ndarray  #: smallest value over time
    largest: np.ndarray  #: largest value over time
    quantity: str = "deflection"  #: of which it is

    def _headline(self) -> str:
        return f"{self.quantity} at {counted(self.x.size, 'place')}"

    def _variables(self) -> Iterator[Variable]:
        unit = UNITS[self.quantity]
        yield figure("most", float(self.largest.max()), unit, f"largest {self.quantity}")
        yield figure("least_of_all", float(self.least.min()), unit, f"least {self.quantity}")
        yield places_axis(self.x)
        yield data("least", self.least, unit, f"least {self.quantity} over time", "x")
        yield data("largest", self.largest, unit, f"largest {self.quantity} over time", "x")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Crossing(BeamResult, BendingFields):
    """Result of `tr.moving_load` and `tr.cross`: a beam under moving axles over time.

    Deflections are positive downwards, moments in sagging; over time they have the shape (times,) at one
    position x (m), else (times, positions). It is composed of the motion of the beam
    (`bending`) and, where axles are wheels, that of the vehicles (`vehicles`). Attributes of modes belong
    to model="modes", those of nodes to the other models.

    The neglected modes contribute to deflections, moments and shear forces; in velocities and accelerations
    they follow the wheels along the beam under forces assumed constant. Rigid wheels do not feel them.
    Accelerations of nodes under rigid wheels are differences of their velocities.
    """

    _rows, _drawn = ("time",), "deflection"

    t: np.ndarray  #: times, s
    beam: Beam  #: the beam
    model: str  #: "modes", "elements" or "differences"
    method: str  #: integration method
    bending: BeamMotion = field(repr=False)  #: motion of the beam
    vehicles: VehicleMotion | None = field(default=None, repr=False)  #: None where all axles are forces
    ledger: Callable[[], Energies] | None = field(default=None, repr=False)  #: computes the energies
    stats: dict[str, float] = field(default_factory=dict)  #: steps, iterations, seconds
    status: Status = Status.CONVERGED  #: CONVERGED, or what went wrong
    message: str = "converged"  #: the status with its numbers
    change: float | None = None  #: of forces and deflections from step 2 dt to dt; None without dt="auto"

    @property
    def ok(self) -> bool:
        """Whether the end was reached in steps that resolve the crossing."""
        return self.status is Status.CONVERGED

    @cached_property
    def certificate(self) -> CrossingCertificate:
        """Measures of whether the time step is short enough, with limits; computes energies of wheels."""
        if self.ledger is None:
            return self.step_measures
        counted = self.energies
        return replace(self.step_measures, energy_error=counted.closure, drift=counted.drift)

    @cached_property
    def step_measures(self) -> CrossingCertificate:
        """The certificate without the energies, which cost as much as the march."""
        return self._measure_step()

    def _measure_step(self) -> CrossingCertificate:
        fastest = float(np.abs(self.motion[:, 0]).max())
        span = float(np.diff(self.beam.ends).min())
        if isinstance(self.bending.basis, ModalBasis):
            resolved = samples_per_mode(self.bridge.omega, self.modal, self.modal_velocity, self.dt)
        else:
            omega = self.beam.frequencies(3)
            resolved = 2.0 * np.pi / (float(omega[omega > 0.0][0]) * self.dt)
        return CrossingCertificate(
            self.dt, samples_per_mode=resolved, steps_per_span=span / (fastest * self.dt), change=self.change
        )

    @property
    def dt(self) -> float:
        """Time step, s."""
        return float(self.t[1] - self.t[0])

    @property
    def places(self) -> np.ndarray:
        """Positions of the axles from the start of the beam, m, (times, axles)."""
        return self.bending.axles.places

    @property
    def forces(self) -> np.ndarray:
        """Forces of the axles on the beam or the track, N, (times, axles)."""
        return self.bending.axles.forces

    @property
    def on_beam(self) -> np.ndarray:
        """Mask of the axles on the beam, (times, axles)."""
        return self.bending.axles.on_beam

    def velocity(self, x: ArrayLike) -> np.ndarray:
        """Return the velocity of the deflection (m/s) at positions `x` (m)."""
        return self._sample("velocity", x)

    def acceleration(self, x: ArrayLike) -> np.ndarray:
        """Return the acceleration of the deflection (m/s2) at positions `x` (m)."""
        return self._sample("acceleration", x)

    def reactions(self) -> np.ndarray:
        """Return the upward forces of the supports on the beam, N, (times, supports)."""
        columns = []
        last = len(self.beam.supports) - 1
        for k, (x, held) in enumerate(zip(self.beam.ends, self.beam.supports, strict=True)):
            if np.isfinite(held.deflection):
                columns.append(held.deflection * self.deflection(float(x)))
                continue
            right = self.bending.evaluate("shear", float(x)) if k < last else np.zeros(self.t.size)
            left = self.bending.evaluate("shear", float(x), "left") if k > 0 else np.zeros(self.t.size)
            columns.append(right - left)
        return np.stack(columns, axis=1)

    def largest(self, quantity: str, x: float | None = None) -> Peak:
        """Return the largest magnitude of a `quantity` over time at `x` (m), or along the whole beam.

        The time lies between the samples: deflections follow a quintic through w, w' and w'', accelerations
        of modes under plain forces cubics through w'' and its rate, other quantities a parabola through
        three samples.
        """
        checks.choice("quantity", quantity, QUANTITIES)
        if x is None:
            return self._largest_anywhere(quantity)
        place = place_on("x", x, self.beam.length)
        values = self.bending.evaluate(quantity, place)
        if quantity == "deflection":
            found = largest_of_smooth(self.t, values, self.velocity(place), self.acceleration(place))
        elif quantity == "acceleration" and self.vehicles is None and self.model == "modes":
            passed = np.diff(self.places[:, :, None] >= self.beam.ends, axis=0).any(axis=(1, 2))
            smooth = np.asarray(~passed)
            found = largest_on_cubics(self.t, values, self.bending.jerk(place, self.t), smooth)
        else:
            found = largest_between(self.t, values)
        return Peak(*found, place)

    def envelope(self, quantity: str, x: ArrayLike | None = None) -> Envelope:
        """Return the smallest and largest `quantity` over time at positions `x` (m), 101 by default."""
        checks.choice("quantity", quantity, QUANTITIES)
        places = np.linspace(0.0, self.beam.length, PLACES) if x is None else np.atleast_1d(x)
        columns = [self._sample(quantity, float(one)) for one in places]
        least = np.array([column.min() for column in columns])
        largest = np.array([column.max() for column in columns])
        return Envelope(np.asarray(places, dtype=float), least, largest, quantity)

    def at_rest(self, quantity: str, x: float) -> np.ndarray:
        """Return the static `quantity` at `x` (m) under the axles at each time.

        For "deflection", "moment" and "shear".
        """
        return self.bending.axles.act_at_rest(influence_line(self.beam, quantity, x))

    def amplification(self, quantity: str, x: float) -> float:
        """Return the dynamic amplification of a `quantity` at `x` (m): peak over static peak."""
        largest, _ = largest_between(self.t, self.at_rest(quantity, x))
        if largest == 0.0:
            raise InputError(f"the {quantity} at x = {x} m is zero at rest: it has no amplification.")
        return abs(self.largest(quantity, x).value / largest)

    def spectrum(self, quantity: str, x: float) -> Spectrum:
        """Return the amplitude spectrum of a `quantity` at `x` (m)."""
        checks.choice("quantity", quantity, QUANTITIES)
        return replace(spectrum(self.t, self._sample(quantity, x)), unit=UNITS[quantity])

    def filtered(self, quantity: str, x: float, cutoff: float = 30.0) -> np.ndarray:
        """Return a `quantity` at `x` (m), low-pass filtered at `cutoff` (Hz), as bridge codes require."""
        checks.choice("quantity", quantity, QUANTITIES)
        return low_pass(self.t, self._sample(quantity, x), cutoff)

    # -- of the beam -----------------------------------------------------------------------------------------

    @property
    def modal(self) -> np.ndarray:
        """Coordinates over time: modal (m sqrt(kg)), or displacements of the nodes, (times, n)."""
        return self.bending.coordinates

    @property
    def modal_velocity(self) -> np.ndarray:
        """Modal velocities q'."""
        return self._motion_in(ModalBasis).velocities

    @property
    def modal_acceleration(self) -> np.ndarray:
        """Modal accelerations q'' = f - c q' - omega^2 q."""
        return self._motion_in(ModalBasis).accelerations

    @property
    def modal_forces(self) -> np.ndarray:
        """Modal forces f, f' and f'', (3, times, modes)."""
        return self.bending.modal_forces

    @property
    def modes(self) -> Modes:
        """The modes of the beam."""
        return self.bending.modal_basis.modes

    @property
    def bridge(self) -> ModalBridge:
        """The modes, packed for kernels."""
        return self.bending.modal_basis.bridge

    @property
    def flexibility(self) -> ResidualFlexibility | None:
        """Residual flexibility of the neglected modes; None if it is not included."""
        return self._motion_in(ModalBasis).flexibility

    @property
    def force_rates(self) -> np.ndarray:
        """Rates F' and F'' of the axle forces, (2, times, axles)."""
        return self.bending.axles.rates

    @property
    def motion(self) -> np.ndarray:
        """Speed and acceleration of the train, (times, 2)."""
        return self.bending.axles.motion

    @property
    def discrete(self) -> DiscreteBeam:
        """The discrete model, of `beam.elements` or `beam.differences`."""
        basis = self._motion_in(NodalBasis).basis
        assert isinstance(basis, NodalBasis)
        return basis.discrete

    @property
    def q(self) -> np.ndarray:
        """Displacements of the nodes that no support prevents, (times, displacements)."""
        return self._motion_in(NodalBasis).coordinates

    @property
    def v(self) -> np.ndarray:
        """Velocities of the nodes."""
        return self._motion_in(NodalBasis).velocities

    @property
    def a(self) -> np.ndarray:
        """Accelerations of the nodes."""
        return self._motion_in(NodalBasis).accelerations

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy of the modes, J."""
        return 0.5 * (self.modal_velocity**2 + (self.bridge.omega * self.modal) ** 2).sum(axis=1)

    @cached_property
    def power(self) -> np.ndarray:
        """Power of the axles on the modes, W."""
        return (self.modal_forces[0] * self.modal_velocity).sum(axis=1)

    @cached_property
    def dissipation(self) -> np.ndarray:
        """Power dissipated by damping, W."""
        return (self.bridge.rate * self.modal_velocity**2).sum(axis=1)

    # -- of wheels and vehicles ------------------------------------------------------------------------------

    @property
    def train(self) -> Train:
        """The train of wheels and vehicles."""
        return self._wheels.train

    @property
    def cars(self) -> PackedCars:
        """The vehicles of the train, packed for kernels."""
        return self._wheels.cars

    @property
    def vehicle(self) -> np.ndarray:
        """Coordinates z of the vehicles, downwards from rest on a level track, (times, coordinates)."""
        return self._wheels.coordinates

    @property
    def vehicle_velocity(self) -> np.ndarray:
        """Velocities of the vehicles."""
        return self._wheels.velocities

    @property
    def vehicle_acceleration(self) -> np.ndarray:
        """Accelerations z'' by the equations of motion; for wheels by differences of their velocity."""
        return self._wheels.accelerations

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the vehicles' coordinates."""
        return self._wheels.names

    @property
    def contact_forces(self) -> np.ndarray:
        """Forces of the wheels on the track, N, (times, wheels)."""
        return self._wheels.contact_forces

    @property
    def in_contact(self) -> np.ndarray:
        """Mask of the wheels in contact, (times, wheels)."""
        return self._wheels.in_contact

    @cached_property
    def energies(self) -> Energies:
        """Energies of bridge, vehicles, contact and gravity, work of the drive and dissipation.

        In rigid contact the contact stores none, landings dissipate, and `numerical` is what putting the
        wheels on the track adds in each step: of the second order in it, of the first where wheels land.
        """
        if self.ledger is None:
            raise InputError("energies need wheels, but all axles are plain forces; give tr.Wheel.")
        return self.ledger()

    @property
    def landings(self) -> tuple[RigidLanding, ...]:
        """Impulses of rigid wheels that land again, which `contact_forces` leave out: time, wheel, N s.

        A wheel that strikes the edge of the ground behind a bridge with a soft end lands on it too. The force
        of rigid contact at a landing has no limit; elastic contact ("hertz") has a peak instead.
        """
        return () if self.vehicles is None else self.vehicles.landings

    @property
    def lost_contact(self) -> bool:
        """Whether a wheel lifted off."""
        return not bool(self.in_contact.all())

    # -- inside ----------------------------------------------------------------------------------------------

    def _motion_in(self, basis: type[ModalBasis | NodalBasis]) -> BeamMotion:
        """The motion of the beam, if its coordinates are of that kind."""
        if not isinstance(self.bending.basis, basis):
            raise AttributeError(f"the beam is one of {self.model}, which do not have it")
        return self.bending

    @property
    def _wheels(self) -> VehicleMotion:
        if self.vehicles is None:
            raise AttributeError("all axles of the crossing are forces: there are no wheels")
        return self.vehicles

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        at = [place_on("x", float(one), self.beam.length) for one in np.atleast_1d(places)]
        columns = [self.bending.evaluate(quantity, one) for one in at]
        if places.ndim == 0:
            return columns[0]
        return np.stack(columns, axis=1) if columns else np.zeros((self.t.size, 0))

    def _largest_anywhere(self, quantity: str) -> Peak:
        from scipy.optimize import minimize_scalar

        x = np.linspace(0.0, self.beam.length, PLACES)
        sizes = [np.abs(self.bending.evaluate(quantity, float(one))).max() for one in x]
        k = int(np.argmax(sizes))
        low, high = x[max(k - 1, 0)], x[min(k + 1, PLACES - 1)]
        found = minimize_scalar(
            lambda one: -abs(self.largest(quantity, float(one)).value),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-7 * self.beam.length},
        )
        best = self.largest(quantity, float(found.x))
        coarse = self.largest(quantity, float(x[k]))
        return best if abs(best.value) >= abs(coarse.value) else coarse

    def __len__(self) -> int:
        return len(self.t)

    def _headline(self) -> str:
        words = f"{counted(self.places.shape[1], 'axle')}, {self.model}, {self.method}"
        left = abs(float(self.places[-1].min()) - self.beam.length) <= LEAVING * self.beam.length
        ends = ", where the last axle leaves" if left else ""
        return f"{words}, {len(self.t) - 1} steps, t = 0 to {self.t[-1]:.6g} s{ends}"

    def _default_places(self) -> np.ndarray:
        return self.beam.midspans

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        middle = float(self.beam.midspans[(self.beam.midspans.size - 1) // 2])
        where = f"at x = {middle:.4g} m"
        for name in ("deflection", "acceleration"):
            yield figure(f"peak_{name}", self._peak_at(name, middle), UNITS[name], f"peak {name} {where}")
        yield times_axis(self.t)
        yield places_axis(x)
        for name, unit in UNITS.items():
            yield data(name, partial(self._sample, name, x), unit, f"{name} of the beam", "time", "x")
        yield counter("axle", self.places.shape[1], "number of the axle")
        yield data("axle_place", self.places, "m", "place of the axle along the beam", "time", "axle")
        yield data("axle_force", self.forces, "N", "force of the axle", "time", "axle")
        yield data("on_beam", self.on_beam, "1", "axles on the beam", "time", "axle")
        if self.vehicles is not None:
            yield from self._wheel_variables()

    def _wheel_variables(self) -> Iterator[Variable]:
        forces = self.contact_forces
        yield figure("largest_contact_force", float(forces.max()), "N", "largest contact force")
        yield figure("least_contact_force", float(forces.min()), "N", "least contact force")
        yield counter("wheel", forces.shape[1], "number of the wheel")
        yield data("contact_force", forces, "N", "contact force of the wheel", "time", "wheel")
        yield data("in_contact", self.in_contact, "1", "wheels in contact", "time", "wheel")
        yield axis("vehicle_coordinate", np.array(self.names), "", "coordinate of the vehicles")
        words = "displacement (m) or rotation (rad) of the vehicles"
        yield data("vehicle", self.vehicle, "m or rad", words, "time", "vehicle_coordinate")

    def _peak_at(self, quantity: str, x: float) -> Callable[[], float]:
        return lambda: abs(self.largest(quantity, x).value)


def wheel_roughness(run: Crossing) -> float | None:
    """Largest distance of a wheel force from the cubic through its neighbours in time, over its peak."""
    forces = run.contact_forces
    places = run.places[:, run.places.shape[1] - forces.shape[1] :]
    return force_roughness(forces, away_from(run.beam.ends, places))
