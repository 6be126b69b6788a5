"""Wheels on a bridge as one system of second order, for any method of `tr.integrate`.

Coordinates are those of the bridge, then those of the vehicles. The approach of wheel k is linear in them,
delta_k = delta_rest + b_k(t) q + r_k(t), with b_k = (-N(x_k(t)), 1 at the wheel): its force F(delta_k) acts
along -b_k, with the exact Jacobian -F'(delta_k) b_k b_k'. F is the force of the contact in series with the
residual compliance under the wheel; wheels that feel each other's have a stiffness S of all of them and the
Jacobian -b' S b, see `wheel_contact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import eigh

from traction.crossing.bridge_models.bridge_model import BridgeModel
from traction.crossing.packed_train import PackedCars, Schedule, whole_matrix
from traction.crossing.row_products import RowwiseMatrix
from traction.crossing.wheel_contact import (
    NEAR,
    CoupledResponse,
    WheelContact,
    in_series,
    mean_coupled,
    mean_response,
    respond_coupled,
)
from traction.integrators.core.matrices import LowRank, dense
from traction.integrators.core.motion import StepError
from traction.laws.contact_law import Memory, Response
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train, force_rates

LARGE = 30  #: coordinates from which on a sparse matrix is worth it
FILLED = 0.3  #: of a matrix, up to which it is sparse
REMEMBERED = 2  #: states of which the responses of the laws are kept
LOOKED_AT = 9  #: positions of a wheel along the bridge at which frequencies are computed


class WheelPath(NamedTuple):
    """The track under wheels at some times, (times, wheels)."""

    rail: np.ndarray  #: height of rail and tread, m
    level: np.ndarray  #: height of bridge or ground, m
    slope: np.ndarray  #: of the whole, upwards
    share: np.ndarray  #: of the wheel's force that acts on the bridge, if it is on it


class WheelsOnBridge:
    """Force, Jacobian and energy of wheels, weights and plain axles; the last responses are kept."""

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
        self.mass = _joined(model.mass, np.diag(packed.mass))
        self.damping = _joined(model.damping, whole_matrix(packed, packed.damping))
        self.stiffness = _joined(model.stiffness, whole_matrix(packed, packed.stiffness))
        self.on: np.ndarray | None = None  #: which axles are on the bridge; None: by their positions
        self._track: tuple[float, np.ndarray, np.ndarray, np.ndarray] | None = None
        self._soft: tuple[float, np.ndarray] | None = None
        self._between: tuple[float, np.ndarray | None] | None = None
        self._last: list[tuple[float, np.ndarray, list[Response], np.ndarray]] = []
        self.memories: list[Memory] = [one.memory for one in contacts]  #: which the next responses begin from

    def enter(self, on: np.ndarray) -> None:
        """Begin a step in which these axles are on the bridge, both of its ends included."""
        if self.on is None or not np.array_equal(self.on, on):
            self.on, self._track, self._soft, self._between = on, None, None, None
            self.forget()

    def force(self, t: float, q: np.ndarray) -> np.ndarray:
        """Force on all coordinates, N."""
        F = np.array([one.force for one in self.responses(t, q)])
        return np.asarray(self.weight + self.track(t)[2] - F @ self.acting(t, q))

    def jacobian(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray | LowRank:
        """df/dq, of low rank beside many nodes."""
        return self._tangent(self.track(t)[0], -self.stiffnesses(t, q))

    def stiffnesses(self, t: float, q: np.ndarray) -> np.ndarray:
        """Stiffnesses of the contacts of all wheels, N/m: (wheels,), or S of wheels that feel each other."""
        self.responses(t, q)
        return next(S for time_, at, _, S in self._last if time_ == t and np.array_equal(at, q))

    def _tangent(self, b: np.ndarray, weights: np.ndarray) -> np.ndarray | LowRank:
        """b' diag(weights) b, or b' weights b with a matrix of them."""
        if self.model.discrete is None:
            return np.asarray(b.T @ weights @ b if weights.ndim == 2 else (b.T * weights) @ b)
        if weights.ndim == 2:
            weights, turned = np.linalg.eigh(0.5 * (weights + weights.T))
            b = turned.T @ b
        return LowRank(b, weights)

    def mean_force(self, t: float, q: np.ndarray, q1: np.ndarray) -> tuple[np.ndarray, np.ndarray | LowRank]:
        """Mean of the force between q and q1 on the track at t, and its derivative by q1.

        The mean force of each contact is the difference of its energies over that of its approaches.
        """
        b, _, push = self.track(t)
        start, end = self.approaches(t, q), self.approaches(t, q1)
        F, k = self._mean_forces(t, (q, q1), (start, end))
        return self.weight + push - F @ b, self._tangent(b, -k)

    def _mean_forces(
        self, t: float, states: tuple[np.ndarray, np.ndarray], approaches: tuple[np.ndarray, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean forces between two states with their approaches, and derivatives as `stiffnesses` are."""
        before, after = (self.responses(t, one) for one in states)
        (start, end), near = approaches, NEAR * self.static
        if self.felt_between(t) is not None:
            first, last = (self.stiffnesses(t, one) for one in states)
            return mean_coupled(
                CoupledResponse(before, first), start, CoupledResponse(after, last), end, near
            )
        every = zip(before, start, after, end, near, strict=True)
        F, k = np.array([mean_response(*one) for one in every]).T
        return F, k

    def energy(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        """Total energy, with the potential of the weights and of plain axles."""
        _, _, push = self.track(t)
        stored = 0.5 * float(v @ self.mass @ v + q @ self.stiffness @ q)
        return stored + sum(one.energy for one in self.responses(t, q)) - float((self.weight + push) @ q)

    def damped_power(self, v: np.ndarray) -> np.ndarray:
        """Power lost to the damping of bridge and vehicles at velocities v (times, n), W."""
        n = self.model.size
        return self.model.rowwise_damping.quadratic(v[:, :n]) + self._damped_cars.quadratic(v[:, n:])

    @cached_property
    def _damped_cars(self) -> RowwiseMatrix:
        return RowwiseMatrix.of(whole_matrix(self.packed, self.packed.damping))

    def responses(self, t: float, q: np.ndarray) -> list[Response]:
        """Responses of the contacts of all wheels, in series with the neglected modes."""
        for time_, at, known, _ in self._last:
            if time_ == t and np.array_equal(at, q):
                return known
        approaches, reach = self.approaches(t, q), float(self.model.ends[-1])
        if not (np.abs(approaches) <= reach).all():
            off = float(np.abs(approaches).max())
            raise StepError(
                f"at t = {t:.6g} s a wheel and the track are {off:.3g} m off or into each other, more than "
                f"the {reach:.6g} m of the bridge: the march grows, take a smaller dt"
            )
        found, stiffness = self.respond(self.softness(t), self.felt_between(t), approaches, self.memories)
        self.memories = [one.memory for one in found]
        self._last = [(t, q.copy(), found, stiffness), *self._last[: REMEMBERED - 1]]
        return found

    def respond(
        self, soft: np.ndarray, between: np.ndarray | None, approaches: np.ndarray, memories: Sequence[Memory]
    ) -> tuple[list[Response], np.ndarray]:
        """Responses at approaches (m) with the compliance under each wheel and between them, stiffnesses."""
        if between is not None:
            return respond_coupled(self.contacts, np.diag(soft) + between, approaches, memories)
        every = zip(self.contacts, soft.tolist(), approaches.tolist(), memories, strict=True)
        found = [in_series(one, R, d, memory) for one, R, d, memory in every]
        return found, np.array([one.stiffness for one in found])

    @property
    def contacts_now(self) -> tuple[WheelContact, ...]:
        """The contacts with the memories of the last responses."""
        every = zip(self.contacts, self.memories, strict=True)
        return tuple(replace(one, memory=memory) for one, memory in every)

    def softness(self, t: float) -> np.ndarray:
        """Residual compliance under each wheel, m/N."""
        if self._soft is None or self._soft[0] != t:
            self._soft = t, self.left_out(self.places(t), self.on)[0]
        return self._soft[1]

    def felt_between(self, t: float) -> np.ndarray | None:
        """Residual compliance between wheels, m/N, (wheels, wheels); None where none feels another one."""
        if self._between is None or self._between[0] != t:
            found = self.left_out_between(self.places(t)[None], self.on)
            self._between = t, found[0][0] if found is not None and found[0].any() else None
        return self._between[1]

    def left_out_between(
        self, places: np.ndarray, on: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Compliance between wheels of axles at places (m, (times, axles)), and its slope as they move.

        (times, wheels, wheels), 0 for a wheel under itself; None where the model has none.
        """
        return self.model.softness_between(self.under(places, on)[..., len(self.cars.forces) :])

    def left_out(self, places: np.ndarray, on: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Compliance under wheels of axles at places (m, (..., axles)), and its slope; see `softness`."""
        return self.model.softness(self.under(places, on)[..., len(self.cars.forces) :])

    def acting(self, t: float, q: np.ndarray) -> np.ndarray:
        """Rows of the coordinates along which the forces of the wheels act, (wheels, n)."""
        return self.track(t)[0]

    def on_path(self, places: np.ndarray, on: np.ndarray | None, q: np.ndarray) -> WheelPath:
        """The track under wheels of axles at places (m, (times, axles)) with coordinates q (times, n)."""
        plain, n = len(self.cars.forces), self.model.size
        under, rail = self.under(places, on)[:, plain:], self.rail(places[:, plain:])
        sunk, slope = (self.model.along(name, under, q[:, :n]) for name in ("deflection", "slope"))
        return WheelPath(rail[:, :, 0], -sunk, rail[:, :, 1] - slope, np.ones(sunk.shape))

    def forget(self) -> None:
        """Discard the last responses, so that the laws are evaluated again."""
        self._last = []

    def recall(self, stored: Sequence[Memory]) -> None:
        """Restart from the memories of all contacts."""
        self.memories = [one.law.recall(memory) for one, memory in zip(self.contacts, stored, strict=True)]
        self.forget()

    def approaches(self, t: float, q: np.ndarray) -> np.ndarray:
        """Approaches of all wheels to the track of the model, m."""
        b, rail, _ = self.track(t)
        return np.asarray(self.static + b @ q + rail)

    def track(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """b of the wheels, height of the rail under them, and forces of plain axles, at time t."""
        if self._track is None or self._track[0] != t:
            places = self.places(t)
            n, wheels, plain = self.model.size, len(self.contacts), len(self.cars.forces)
            rows = self.model.rows(self.under(places, self.on))
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
        """Positions of all axles, m."""
        return np.asarray(float(self.times.travel.place(np.array([t]))[0]) - self.times.behind)

    def under(self, places: np.ndarray, on: np.ndarray | None) -> np.ndarray:
        """Positions (m, ..., axles) of the bridge under axles that are `on` it; of others outside it.

        Where a step ends at a passage, rounding does not determine on which side of it an axle is.
        """
        if on is None:
            return places
        first, last = self.model.ends[0], self.model.ends[-1]
        return np.where(on, np.clip(places, first, last), first - 1.0)

    def rail(self, x: np.ndarray) -> np.ndarray:
        """Height and slope of rail and tread under each wheel at positions x, (..., wheels, 2)."""
        found = np.zeros((*x.shape, 2))
        if self.irregularity is not None:
            found += np.stack((self.irregularity.height(x), self.irregularity.slope(x)), axis=-1)
        for k, wheel in enumerate(self.cars.wheels):
            if wheel is not None and wheel.irregularity is not None:
                one, at = wheel.irregularity, x[..., k : k + 1]
                found[..., k : k + 1, :] += np.stack((one.height(at), one.slope(at)), axis=-1)
        return found

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Initial state: beam at rest, vehicles in equilibrium, wheels following the track."""
        rail = self.rail(self.places(0.0)[len(self.cars.forces) :])
        q, v = np.zeros((2, self.at_wheel.shape[1]))
        n, packed = self.model.size, self.packed
        for c, (vehicle, _) in enumerate(self.cars.vehicles):
            own = slice(n + packed.first[c], n + packed.first[c + 1])
            q[own] = vehicle.at_rest_on(-rail[packed.owner == c, 0])
        v[n + packed.coordinate] = -float(self.times.travel.speed(np.zeros(1))[0]) * rail[:, 1]
        return q, v

    def largest_frequency(self) -> float:
        """Highest frequency of bridge, vehicles and contacts (static stiffness) at any position, rad/s."""
        k = np.array([one.stiffness for one in self.contacts])
        length, n = float(self.times.travel.place(self.times.t[-1:])[0]), self.model.size
        stiffness, mass = (dense(one, len(self.weight)) for one in (self.stiffness, self.mass))
        largest = 0.0
        plain = len(self.cars.forces)
        for place in np.linspace(0.0, length, LOOKED_AT):
            b, places = self.at_wheel.copy(), place - self.times.behind
            b[:, :n] = -self.model.rows(places)[plain:]
            C = np.diag(self.model.softness(places[plain:])[0])
            between = self.left_out_between(places[None], None)
            if between is not None:
                C += between[0][0]
            K = stiffness + b.T @ np.linalg.solve(np.eye(k.size) + k[:, None] * C, np.diag(k)) @ b
            top = eigh(K, mass, eigvals_only=True, subset_by_index=[len(K) - 1, len(K) - 1])
            largest = max(largest, float(top[0]))
        return float(np.sqrt(largest))


def _joined(bridge: np.ndarray, vehicles: np.ndarray) -> np.ndarray | sparse.csr_array:
    """A matrix of bridge and vehicles; a large one that is mostly zero is sparse."""
    zero = np.zeros((len(bridge), len(vehicles)))
    whole = np.block([[bridge, zero], [zero.T, vehicles]])
    is_sparse = len(whole) >= LARGE and np.count_nonzero(whole) <= FILLED * whole.size
    return sparse.csr_array(whole) if is_sparse else whole
