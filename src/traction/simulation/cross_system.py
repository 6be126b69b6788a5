"""Wheels on a bridge as one system of second order, for any method of `tr.integrate`.

Coordinates are those of the bridge, then those of the vehicles. The approach of wheel k is linear in them,
delta_k = delta_rest + b_k(t) q + r_k(t), with b_k = (-N(x_k(t)), 1 at the wheel): its force F(delta_k) acts
along -b_k, with the exact Jacobian -F'(delta_k) b_k b_k'.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh

from traction.beams.beam import Beam
from traction.contact.law import HalfSpaceLaw, Response
from traction.errors import InputError
from traction.integrators.history import History
from traction.integrators.integrate import integrate
from traction.integrators.method import Method
from traction.integrators.methods import method as method_of
from traction.integrators.system import SecondOrderSystem
from traction.simulation.condensed import whole
from traction.simulation.contact_crossing import ContactCrossing, DiscreteContactCrossing
from traction.simulation.coupled import PackedCars, plain_forces
from traction.simulation.cross_model import BridgeModel, bridge_model
from traction.simulation.energies import Energies, accumulated, vehicle_energies
from traction.simulation.flexibility import flexibility
from traction.simulation.schedule import Schedule
from traction.simulation.wheel_contact import WheelContact, answers_at
from traction.trains.force import force_rates
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train

LOOKED_AT = 9  #: places of a wheel along the bridge, where frequencies are looked for


class WheelsOnBridge:
    """Force, Jacobian and energy of wheels, weights and plain axles; the last answers are kept."""

    def __init__(
        self,
        model: BridgeModel,
        cars: Train,
        packed: PackedCars,
        contacts: tuple[WheelContact, ...],
        times: Schedule,
        irregularity: Irregularity | None,
    ) -> None:
        self.model, self.cars, self.packed, self.contacts = model, cars, packed, contacts
        self.times, self.irregularity = times, irregularity
        self.static = np.array([one.static for one in contacts])
        n, extra = model.size, packed.mass.size
        self.at_wheel = np.zeros((len(contacts), n + extra))
        self.at_wheel[np.arange(len(contacts)), n + packed.coordinate] = 1.0
        self.weight = packed.load @ self.at_wheel
        zero = np.zeros((n, extra))
        self.mass = np.block([[model.mass, zero], [zero.T, np.diag(packed.mass)]])
        self.damping = np.block([[model.damping, zero], [zero.T, whole(packed, packed.damping)]])
        self.stiffness = np.block([[model.stiffness, zero], [zero.T, whole(packed, packed.stiffness)]])
        self._track: tuple[float, np.ndarray, np.ndarray, np.ndarray] | None = None
        self._last: tuple[float, np.ndarray, list[Response]] | None = None

    def force(self, t: float, q: np.ndarray) -> np.ndarray:
        """On all coordinates, N."""
        b, _, push = self.track(t)
        F = np.array([one.force for one in self.answers(t, q)])
        return np.asarray(self.weight + push - F @ b)

    def jacobian(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """df/dq."""
        b = self.track(t)[0]
        k = np.array([one.stiffness for one in self.answers(t, q)])
        return np.asarray(-(b.T * k) @ b)

    def energy(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        """Of all, with the potential of the weights and of plain axles."""
        _, _, push = self.track(t)
        stored = 0.5 * float(v @ self.mass @ v + q @ self.stiffness @ q)
        return stored + sum(one.energy for one in self.answers(t, q)) - float((self.weight + push) @ q)

    def answers(self, t: float, q: np.ndarray) -> list[Response]:
        """Of the laws of all wheels."""
        if self._last is None or self._last[0] != t or not np.array_equal(self._last[1], q):
            self._last = t, q.copy(), answers_at(self.contacts, self.approaches(t, q))
        return self._last[2]

    def forget(self) -> None:
        """The last answers: the laws are asked anew."""
        self._last = None

    def approaches(self, t: float, q: np.ndarray) -> np.ndarray:
        """Of all wheels, m."""
        b, rail, _ = self.track(t)
        return np.asarray(self.static + b @ q + rail)

    def track(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """b of the wheels, height of the rail under them, and forces of plain axles, at time t."""
        if self._track is None or self._track[0] != t:
            places = self.places(t)
            n, wheels, plain = self.model.size, len(self.contacts), len(self.cars.forces)
            rows = self.model.rows(places)
            b = self.at_wheel.copy()
            b[:, :n] = -rows[plain:]
            push = np.zeros(b.shape[1])
            if plain:
                step, now = float(self.times.t[1]), np.array([t])
                loads = [force_rates(load, now, step)[0, 0] for load, _ in self.cars.forces]
                push[:n] = np.array(loads) @ rows[:plain]
            self._track = t, b, self.rail(places[plain:])[:wheels, 0], push
        return self._track[1:]

    def places(self, t: float) -> np.ndarray:
        """Of all axles, m."""
        return np.asarray(float(self.times.travel.place(np.array([t]))[0]) - self.times.behind)

    def rail(self, x: np.ndarray) -> np.ndarray:
        """Height and slope of rail and tread under each wheel, (wheels, 2)."""
        found = np.zeros((x.size, 2))
        if self.irregularity is not None:
            found += np.stack((self.irregularity.height(x), self.irregularity.slope(x)), axis=1)
        for k, wheel in enumerate(self.cars.wheels):
            if wheel is not None and wheel.irregularity is not None:
                at = x[k : k + 1]
                found[k] += wheel.irregularity.height(at)[0], wheel.irregularity.slope(at)[0]
        return found

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Beam at rest, vehicles in equilibrium where they stand, wheels following the track."""
        rail = self.rail(self.places(0.0)[len(self.cars.forces) :])
        q, v = np.zeros((2, self.at_wheel.shape[1]))
        n, packed = self.model.size, self.packed
        for c, (vehicle, _) in enumerate(self.cars.vehicles):
            own = slice(n + packed.first[c], n + packed.first[c + 1])
            q[own] = vehicle.at_rest_on(-rail[packed.owner == c, 0])
        v[n + packed.coordinate] = -float(self.times.travel.speed(np.zeros(1))[0]) * rail[:, 1]
        return q, v

    def largest_frequency(self) -> float:
        """Of bridge, vehicles and contacts as stiff as at rest, wherever on the bridge they are, rad/s."""
        k = np.array([one.stiffness for one in self.contacts])
        length, n = float(self.times.travel.place(self.times.t[-1:])[0]), self.model.size
        largest = 0.0
        for place in np.linspace(0.0, length, LOOKED_AT):
            b = self.at_wheel.copy()
            b[:, :n] = -self.model.rows(place - self.times.behind)[len(self.cars.forces) :]
            K = self.stiffness + (b.T * k) @ b
            top = eigh(K, self.mass, eigvals_only=True, subset_by_index=[len(K) - 1, len(K) - 1])
            largest = max(largest, float(top[0]))
        return float(np.sqrt(largest))


class Rows(NamedTuple):
    """A part of a march."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray


@dataclass(frozen=True, eq=False)
class SystemLedger:
    """What energies of a general march follow from."""

    wheels: WheelsOnBridge
    history: History | Rows
    forces: np.ndarray  #: of the wheels, N, (times, wheels)
    stored: np.ndarray  #: in the contacts, J, (times,)

    def energies(self) -> Energies:
        """Work and dissipation by the trapezoidal rule over the stored times."""
        w, q, v, t = self.wheels, self.history.q, self.history.v, self.history.t
        n, packed = w.model.size, w.packed
        z, zv, own, ownv = q[:, n:], v[:, n:], q[:, :n], v[:, :n]
        driven, pushed = self._powers()
        lost = np.einsum("ti,ij,tj->t", v, w.damping, v)
        moving, strained = vehicle_energies(packed.mass, w.stiffness[n:, n:], z, zv)
        return Energies(
            bridge_kinetic=0.5 * np.einsum("ti,ij,tj->t", ownv, w.model.mass, ownv),
            bridge_elastic=0.5 * np.einsum("ti,ij,tj->t", own, w.model.stiffness, own),
            vehicles_kinetic=moving,
            vehicles_elastic=strained,
            contact=self.stored,
            gravity=-(z[:, packed.coordinate] @ packed.load),
            drive=_integral(t, driven),
            axles=_integral(t, pushed),
            dissipated=_integral(t, lost),
        )

    def _powers(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the drive and of plain axles at all times, W."""
        w, plain, n = self.wheels, len(self.wheels.cars.forces), self.wheels.model.size
        speed = w.times.travel.speed(self.history.t)
        driven, pushed = np.empty((2, self.history.t.size))
        for k, (t, q, v) in enumerate(zip(self.history.t, self.history.q, self.history.v, strict=True)):
            places = w.places(float(t))
            slopes = w.model.slope_rows(places[plain:]) @ q[:n]
            driven[k] = speed[k] * float(self.forces[k] @ (w.rail(places[plain:])[:, 1] - slopes))
            pushed[k] = float(w.track(float(t))[2] @ v)
        return driven, pushed


def cross_by_method(
    beam: Beam,
    cars: Train,
    packed: PackedCars,
    contacts: tuple[WheelContact, ...],
    times: Schedule,
    *,
    model: str,
    size: int,
    method: str,
    irregularity: Irregularity | None,
    residual: bool,
    **options: Any,
) -> ContactCrossing | DiscreteContactCrossing:
    """March by a method of `tr.methods()`; see `tr.cross`."""
    began = time.perf_counter()
    wheels = WheelsOnBridge(bridge_model(beam, model, size), cars, packed, contacts, times, irregularity)
    dt = float(times.t[1])
    chosen = method_of(method, **solvable(method, contacts, options))
    require_stable(wheels, chosen, dt)
    q0, v0 = wheels.start()
    system = SecondOrderSystem(
        wheels.mass, wheels.force, q0, v0, damping=wheels.damping, stiffness=wheels.stiffness,
        jacobian=wheels.jacobian, energy=wheels.energy,
    )  # fmt: skip
    history = integrate(system, chosen, dt, float(times.t[-1]))
    found = [
        (wheels.approaches(float(t), q), wheels.answers(float(t), q))
        for t, q in zip(history.t, history.q, strict=True)
    ]
    forces = np.array([[one.force for one in answers] for _, answers in found])
    stored = np.array([sum(one.energy for one in answers) for _, answers in found])
    plain, n = plain_forces(cars, times), wheels.model.size
    common: dict[str, Any] = {
        "t": times.t, "beam": beam, "places": times.places, "model": model, "method": history.method,
        "forces": np.concatenate([plain[0], forces], axis=1),
        "stats": {**history.stats, "seconds": time.perf_counter() - began},
        "train": cars, "vehicle": history.q[:, n:], "vehicle_velocity": history.v[:, n:],
        "contact_forces": forces, "in_contact": forces > 0.0,
        "approach": np.array([approach for approach, _ in found]), "contacts": contacts,
        "ledger": SystemLedger(wheels, history, forces, stored),
    }  # fmt: skip
    if wheels.model.modal is None:
        return DiscreteContactCrossing(
            **common, discrete=wheels.model.discrete,
            q=history.q[:, :n], v=history.v[:, :n], a=history.a[:, :n],
        )  # fmt: skip
    return ContactCrossing(
        **common, modes=beam.modes(size), modal=history.q[:, :n], modal_velocity=history.v[:, :n],
        force_rates=np.concatenate([plain[1:], np.zeros((2, *forces.shape))], axis=2),
        motion=times.motion, bridge=wheels.model.modal, cars=packed,
        flexibility=flexibility(beam, wheels.model.modal.omega) if residual else None,
    )  # fmt: skip


def solvable(method: str, contacts: tuple[WheelContact, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Options with a tolerance of the equations that a contact solved to its own can meet."""
    solved = [one.law for one in contacts if isinstance(one.law, HalfSpaceLaw)]
    if solved and method_of(method).implicit and "tol" not in options:
        return {**options, "tol": solved[0].tol}
    return options


def require_stable(wheels: WheelsOnBridge, chosen: Method, dt: float) -> None:
    """Refuse a step over the limit of an explicit method."""
    if np.isinf(chosen.stability_limit):
        return
    if chosen.stability_limit == 0.0:
        raise InputError(f"method = {chosen.name!r} is unstable for every step of what swings; use another.")
    omega = wheels.largest_frequency()
    limit = chosen.stability_limit / omega
    if dt > limit:
        raise InputError(
            f"dt = {dt:.6g} s is over the stability limit {limit:.6g} s of method {chosen.name!r}: bridge, "
            f"vehicles and contact swing with up to {omega:.6g} rad/s. Take a smaller dt, or "
            'method="newmark".'
        )


def _integral(t: np.ndarray, rate: np.ndarray) -> np.ndarray:
    return accumulated(0.5 * np.diff(t) * (rate[1:] + rate[:-1]))
