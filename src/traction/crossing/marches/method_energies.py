"""Energies of a march by a method of `tr.methods()`, and the works of all forces in its steps.

Between its states a method takes the cubic through coordinates q and velocities v at both ends. Along it
every work is an integral, by Gauss quadrature. The drive works along the slopes and, as the wheels move,
on the neglected modes, which store F'C F/2 with R(s) on the diagonal of C. The difference of
M q'' + C q' + K q and the forces along the path is a numerical force of the method: its work is the energy
added by the method. So the balance error shows inconsistencies of energies, forces, slopes and deflections.

Where the track has a step in height, at an end of the bridge on springs, the drive lifts the wheel at equal
coordinates: its work is the change of the contact's energy. The energy-conserving method takes the track at
the middle of each step, E(q1) - E(q0) there being the work of the contact: the drive does the rest of the
change of E, at constant coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.crossing.bridge_models.wheels_on_bridge import WheelsOnBridge
from traction.crossing.marches.march_room import forces_in_series
from traction.crossing.packed_train import whole_matrix
from traction.crossing.results.energies import energy_rows
from traction.crossing.row_products import RowwiseMatrix, sum_rows
from traction.integrators.core.state import State
from traction.trains.train import force_rates

GAUSS = np.polynomial.legendre.leggauss(4)
AT_ONCE = 1_000_000  #: numbers of rows of the bridge's model that are made at once
CLOSE = 1e-7  #: of load times approach at rest, by which works of a step may be off before it is examined
CLOSE_SOLVED = 1e-5  #: likewise of contacts which are solved: each look costs a solution
DEEPEST = 30  #: halvings of a step
EDGE = 1e-6  #: of an approach at rest, that no smooth rail rises in such a part of a step
SETTLED = 1e-12  #: of the load, by which forces of wheels that feel each other may change at last
MOST_SWEEPS = 100
MANY = 8  #: parts of a step: where more of them are off it is not a kink, and halving them is no help


class PathRows(NamedTuple):
    """A part of a march by a method."""

    t: np.ndarray  #: ends of all steps, s
    q: np.ndarray
    v: np.ndarray
    on: np.ndarray  #: which axles are on the bridge in the step that begins at each time, (times, axles)


class PathWork(NamedTuple):
    """Works in each step, J."""

    drive: np.ndarray
    axles: np.ndarray  #: of plain forces
    dissipated: np.ndarray
    pressed: np.ndarray  #: of the contact forces on all coordinates, its sign turned
    numerical: np.ndarray  #: of the numerical terms of the method


class PathPoints(NamedTuple):
    """Path of a method at times within its steps, (times, ...)."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray  #: q'', of the path
    sinking: np.ndarray  #: of the bridge under all axles by its coordinates, m/s
    rail: np.ndarray  #: height of rail and tread under the wheels, m
    slope: np.ndarray  #: of the track under the wheels, upwards
    approach: np.ndarray  #: of wheels and track, m
    soft: np.ndarray  #: R under the wheels, m/N
    turn: np.ndarray  #: dR/ds, 1/N
    between: tuple[np.ndarray, np.ndarray] | None  #: C between wheels, and its slope, (times, wheels, wheels)


class ContactStates(NamedTuple):
    """Responses of contacts, in series with the neglected modes, at the starts or ends of steps."""

    force: np.ndarray  #: N, (steps, wheels)
    rate: np.ndarray  #: of the force where contacts are solved, N/s
    stored: np.ndarray  #: J
    soft: np.ndarray  #: R, m/N
    approach: np.ndarray  #: of both, m

    @classmethod
    def of(cls, rows: np.ndarray) -> ContactStates:
        """From rows of these, (times, 5, wheels)."""
        return cls(*np.ascontiguousarray(rows.swapaxes(0, 1)))


@dataclass(frozen=True, eq=False)
class PathWorks:
    """Computes works along the cubics of a part of a march, every step independently."""

    wheels: WheelsOnBridge
    rows: PathRows
    starts: ContactStates
    ends: ContactStates

    def in_steps(self) -> PathWork:
        """Works in all steps.

        Where a contact opens or closes within a step, or meets a kink of rail or tread, one rule for the
        whole step is too coarse. Such a step is halved until the works of its parts agree with the energy
        that contacts gain in them, and the laws are evaluated in it.
        """
        t, step = self.rows.t, np.arange(self.rows.t.size - 1)
        found = self._integrate(t[:-1], t[1:], step, False)
        enough = CLOSE if all_closed(self.wheels) else CLOSE_SOLVED
        enough *= sum(one.load * one.static for one in self.wheels.contacts)
        step = step[np.abs(stored_more(self.starts, self.ends) - found[:, 0] - found[:, 3]) > enough]
        found[step] = 0.0
        times = np.stack((t[step], t[step + 1]))
        energy = np.stack((sum_rows(self.starts.stored[step]), sum_rows(self.ends.stored[step])))
        for _ in range(DEEPEST):
            if step.size == 0:
                break
            middle = times.mean(axis=0)
            between = sum_rows(self._contacts_at(middle, step)[0])
            times = np.concatenate((np.stack((times[0], middle)), np.stack((middle, times[1]))), axis=1)
            energy = np.concatenate((np.stack((energy[0], between)), np.stack((between, energy[1]))), axis=1)
            step = np.tile(step, 2)
            part = self._integrate(times[0], times[1], step, True)
            off = np.abs(energy[1] - energy[0] - part[:, 0] - part[:, 3]) > enough
            off &= np.bincount(step[off], minlength=step.max() + 1)[step] <= MANY
            np.add.at(found, step[~off], part[~off])
            times, energy, step = times[:, off], energy[:, off], step[off]
        np.add.at(found[:, 0], step, self._lifts(times, step))
        return PathWork(*found.T)

    def _lifts(self, times: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Work of the drive at the times (2, times) at which rail or tread have a step in height, J."""
        if step.size == 0:
            return np.zeros(0)
        (before, low), (after, high) = (self._contacts_at(one, step) for one in times)
        return sum_rows(np.where(np.abs(high - low) > EDGE * self.wheels.static, after - before, 0.0))

    def _integrate(self, start: np.ndarray, end: np.ndarray, step: np.ndarray, asked: bool) -> np.ndarray:
        """Works between times within steps, by one Gauss rule, (parts, works)."""
        w, points = self.wheels, GAUSS[0].size
        half = 0.5 * (end - start)
        at = (start[:, None] + half[:, None] * (GAUSS[0] + 1.0)).ravel()
        weights, which = (half[:, None] * GAUSS[1]).ravel(), np.repeat(step, points)
        found = np.empty((at.size, len(PathWork._fields)))
        count = max(1, AT_ONCE // (w.model.size * max(1, w.times.behind.size)))
        for first in range(0, at.size, count):
            some = slice(first, first + count)
            found[some] = weights[some, None] * self._powers(at[some], which[some], asked)
        shares = found.reshape(-1, points, len(PathWork._fields))
        return np.asarray(sum(shares[:, j] for j in range(points)))

    @cached_property
    def _matrices(self) -> tuple[RowwiseMatrix, RowwiseMatrix]:
        """Mass and stiffness of the whole system."""
        return RowwiseMatrix.of(self.wheels.mass), RowwiseMatrix.of(self.wheels.stiffness)

    def _powers(self, t: np.ndarray, step: np.ndarray, asked: bool) -> np.ndarray:
        """Powers at times within steps, in the order of `PathWork`, W, (times, works)."""
        w, path = self.wheels, self._path(t, step)
        mass, stiffness = self._matrices
        plain, own = len(w.cars.forces), w.model.size + w.packed.coordinate
        F = self._forces(t, step, path, asked)
        slope = path.slope - 0.5 * F * path.turn
        if path.between is not None:
            slope -= 0.5 * np.einsum("nkj,nj->nk", path.between[1], F)
        powers = np.zeros((t.size, len(PathWork._fields)))
        powers[:, 0] = w.times.travel.speed(t) * sum_rows(F * slope)
        for k, (load, _) in enumerate(w.cars.forces):
            powers[:, 1] += force_rates(load, t, float(w.times.t[1]))[0] * path.sinking[:, k]
        powers[:, 2] = w.damped_power(path.v)
        powers[:, 3] = sum_rows(F * (path.v[:, own] - path.sinking[:, plain:]))
        inner = sum_rows(path.v * (mass.times(path.a) + stiffness.times(path.q) - w.weight))
        powers[:, 4] = inner - powers[:, 1] + powers[:, 2] + powers[:, 3]
        return powers

    def _contacts_at(self, t: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Energies of contacts (J) at times within steps, and heights of the rail (m), (times, wheels)."""
        path = self._path(t, step)
        energies = [[energy for _, energy in self._ask(path, n)] for n in range(t.size)]
        return np.array(energies), path.rail

    def _ask(self, path: PathPoints, n: int) -> list[tuple[float, float]]:
        """Forces and energies of the contacts from their memories at rest, whatever was evaluated before."""
        memories = [one.memory for one in self.wheels.contacts]
        between = path.between[0][n] if path.between is not None else None
        found, _ = self.wheels.respond(path.soft[n], between, path.approach[n], memories)
        return [(one.force, one.energy) for one in found]

    def _path(self, t: np.ndarray, step: np.ndarray) -> PathPoints:
        """Of a method within its steps."""
        w, n, plain = self.wheels, self.wheels.model.size, len(self.wheels.cars.forces)
        q, v, a = self._on_cubics(t, step)
        places = w.times.travel.place(t)[:, None] - w.times.behind
        on = self.rows.on[step]
        track, (soft, turn) = w.on_path(places, on, q), w.left_out(places, on)
        sinking = w.model.along("deflection", w.under(places, on), v[:, :n])
        sinking[:, plain:] *= track.share
        return PathPoints(
            q, v, a,
            sinking=sinking,
            rail=track.rail,
            slope=track.slope,
            approach=w.static + q[:, n + w.packed.coordinate] + track.level + track.rail,
            soft=soft,
            turn=turn,
            between=w.left_out_between(places, on),
        )  # fmt: skip

    def _on_cubics(self, t: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations within steps."""
        rows = self.rows
        start, h = rows.t[step][:, None], np.diff(rows.t)[step][:, None]
        s = (t[:, None] - start) / h
        q0, moved = rows.q[step], rows.q[step + 1] - rows.q[step]
        v0, v1 = h * rows.v[step], h * rows.v[step + 1]
        two, three = 3.0 * moved - 2.0 * v0 - v1, v0 + v1 - 2.0 * moved
        q = q0 + s * (v0 + s * (two + s * three))
        return q, (v0 + s * (2.0 * two + 3.0 * s * three)) / h, (2.0 * two + 6.0 * s * three) / h**2

    def _forces(self, t: np.ndarray, step: np.ndarray, path: PathPoints, asked: bool) -> np.ndarray:
        """Contact forces within steps, N, (times, wheels).

        Hertz and tabulated contacts by their laws, in turn while they feel each other; solved ones, unless
        `asked`, by cubics through forces and their rates at both ends.
        """
        F = np.zeros(path.approach.shape)
        solved = [k for k, one in enumerate(self.wheels.contacts) if not one.is_compiled]
        if solved and asked:
            return np.array([[force for force, _ in self._ask(path, n)] for n in range(t.size)])
        for k in solved:
            F[:, k] = self._between(t, step, k)
        laws = [(k, one) for k, one in enumerate(self.wheels.contacts) if one.is_compiled]
        enough = SETTLED * np.array([one.load for one in self.wheels.contacts])
        for _ in range(MOST_SWEEPS):
            before = F.copy()
            for k, one in laws:
                whole = path.approach[:, k].copy()
                if path.between is not None:
                    whole -= sum_rows(path.between[0][:, k] * F)
                F[:, k] = forces_in_series(one, path.soft[:, k].copy(), whole)
            if path.between is None or (np.abs(F - before) <= enough).all():
                break
        return F

    def _between(self, t: np.ndarray, step: np.ndarray, wheel: int) -> np.ndarray:
        h = np.diff(self.rows.t)[step]
        s = (t - self.rows.t[step]) / h
        F0, d0 = self.starts.force[step, wheel], h * self.starts.rate[step, wheel]
        F1, d1 = self.ends.force[step, wheel], h * self.ends.rate[step, wheel]
        return np.asarray(
            F0 + s * (d0 + s * (3.0 * (F1 - F0) - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * (F1 - F0))))
        )


def stored_more(starts: ContactStates, ends: ContactStates) -> np.ndarray:
    """Energy that contacts and neglected modes gain in each step, J."""
    return sum_rows(ends.stored - starts.stored[:-1])


def all_closed(wheels: WheelsOnBridge) -> bool:
    """Whether all laws of contact are closed forms."""
    return all(one.hertz_coefficient is not None for one in wheels.contacts)


def rows_of(state: State) -> tuple[np.ndarray, ...]:
    """t, q, v and a of a state, (1, ...)."""
    return np.array([state.t]), state.q[None], state.v[None], state.a[None]


class PassedStates:
    """Times, motion and contacts from a first state on."""

    def __init__(self, motion: State, contacts: np.ndarray) -> None:
        self._rows: list[tuple[np.ndarray, ...]] = [rows_of(motion)]
        self._starts, self._ends = [contacts[None]], [np.empty((0, *contacts.shape))]

    def add(self, motion: tuple[np.ndarray, ...], ends: np.ndarray, starts: np.ndarray) -> None:
        """Add t, q, v and a, with contacts at the ends of the steps to them and at the starts of the next."""
        self._rows.append(motion)
        self._ends.append(ends)
        self._starts.append(starts)

    @property
    def motion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Times t, and q, v and a, (times, ...)."""
        t, q, v, a = (np.concatenate(one) for one in zip(*self._rows, strict=True))
        return t, q, v, a

    @property
    def starts(self) -> ContactStates:
        """Contacts at the starts of all steps, and at the last time."""
        return ContactStates.of(np.concatenate(self._starts))

    @property
    def ends(self) -> ContactStates:
        """Contacts at the ends of all steps."""
        return ContactStates.of(np.concatenate(self._ends))


@dataclass(frozen=True, eq=False)
class MethodEnergies:
    """Data from which the energies of a part of a march by a method follow."""

    wheels: WheelsOnBridge
    method: str
    rows: PathRows
    starts: ContactStates  #: of all steps, and at the last time
    ends: ContactStates  #: of all steps: other than the next one's start where the track has a step in height

    def count(self, start: np.ndarray) -> np.ndarray:
        """Energies at all ends of steps, (times, ENERGIES), from those at the first one."""
        w, q, v, n = self.wheels, self.rows.q, self.rows.v, self.wheels.model.size
        left_out = 0.5 * sum_rows(self.starts.force * sunk_by(w, self.rows, self.starts))
        mass, stiffness = RowwiseMatrix.of(w.model.mass), RowwiseMatrix.of(w.model.stiffness)
        vehicles = RowwiseMatrix.of(whole_matrix(w.packed, w.packed.stiffness))
        stored = {
            "bridge_kinetic": 0.5 * mass.quadratic(v[:, :n]),
            "bridge_elastic": 0.5 * stiffness.quadratic(q[:, :n]) + left_out,
            "vehicles_kinetic": 0.5 * sum_rows(v[:, n:] ** 2 * w.packed.mass),
            "vehicles_elastic": 0.5 * vehicles.quadratic(q[:, n:]),
            "contact": sum_rows(self.starts.stored) - left_out,
            "gravity": -sum_rows(q * w.weight),
        }
        if self.method == "energy-conserving":
            works = self._mean_works()
        else:
            works = PathWorks(w, self.rows, self.starts, self.ends).in_steps()
        lifted = sum_rows(self.starts.stored[1:] - self.ends.stored)
        done = {
            "drive": works.drive + lifted, "axles": works.axles, "dissipated": works.dissipated,
            "numerical": works.numerical,
        }  # fmt: skip
        return energy_rows(start, stored, done)

    def _mean_works(self) -> PathWork:
        """Works of the energy-conserving method."""
        w, t, q = self.wheels, self.rows.t, self.rows.q
        drive, pushed = np.empty((2, t.size - 1))
        h, change = np.diff(t), np.diff(q, axis=0)
        for k, middle in enumerate((t[:-1] + 0.5 * h).tolist()):
            w.enter(self.rows.on[k])
            before, after = (self._stored_at(middle, q[k + end]) for end in (0, 1))
            drive[k] = self.ends.stored[k].sum() - after + before - self.starts.stored[k].sum()
            pushed[k] = float(w.track(middle)[2] @ change[k])
        lost = w.damped_power(change) / h
        return PathWork(drive, pushed, lost, stored_more(self.starts, self.ends) - drive, np.zeros(h.size))

    def _stored_at(self, t: float, q: np.ndarray) -> float:
        """Energy of all contacts from their memories at rest, independent of the order of evaluation, J."""
        w, memories = self.wheels, [one.memory for one in self.wheels.contacts]
        found, _ = w.respond(w.softness(t), w.felt_between(t), w.approaches(t, q), memories)
        return sum(one.energy for one in found)


def sunk_by(wheels: WheelsOnBridge, rows: PathRows, contacts: ContactStates) -> np.ndarray:
    """Deflection of the neglected modes under all wheels at the times of rows, m, (times, wheels)."""
    places = wheels.times.travel.place(rows.t)[:, None] - wheels.times.behind
    between = wheels.left_out_between(places, rows.on)
    own = contacts.soft * contacts.force
    return own if between is None else own + np.einsum("nkj,nj->nk", between[0], contacts.force)


def ask_contacts(wheels: WheelsOnBridge, state: State, on: np.ndarray) -> np.ndarray:
    """Responses at a state with these axles on the bridge, in the order of `ContactStates`, (5, wheels)."""
    w, t, q = wheels, state.t, state.q
    w.enter(on)
    F, stored = np.array([(one.force, one.energy) for one in w.responses(t, q)]).T
    rate = np.zeros(F.size)
    if not all_closed(w):
        k, closing = w.stiffnesses(t, q), _closing_rates(w, t, q, state.v, F)
        rate = k @ closing if k.ndim == 2 else k * closing
    return np.stack((F, rate, stored, w.softness(t), w.approaches(t, q)))


def _closing_rates(w: WheelsOnBridge, t: float, q: np.ndarray, v: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Rate of the approaches, minus the part of the neglected modes due to the moving wheels, m/s."""
    places = w.places(t)[None]
    slope, sinking = w.on_path(places, w.on, q[None]).slope[0], w.left_out(places, w.on)[1][0] * F
    between = w.left_out_between(places, w.on)
    if between is not None:
        sinking = sinking + between[1][0] @ F
    speed = float(w.times.travel.speed(np.array([t]))[0])
    return np.asarray(w.acting(t, q) @ v + speed * (slope - sinking))
