"""`ImpactHistory`: motion of striker, contact and structure during an impact."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError, UndefinedError
from traction.impacts.impact_problem import DensePath
from traction.impacts.kernels import collocation_step as places
from traction.impacts.kernels.many_impacts import find_crest
from traction.impacts.striker import Striker
from traction.impacts.structures.modal_structure import PointResponse
from traction.impacts.structures.plate import Plate
from traction.impacts.structures.struck_structures import Place, Structure, deflection_shapes
from traction.impacts.structures.unbounded import InfiniteBeam
from traction.laws.kernels.law_values import CompiledLaw, contact_energies
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, counter, data, figure, number
from traction.quantities import counted
from traction.status import Status

PER_CONTACT, PER_WINDOW = 2000, 2000  #: samples of each contact, and of the time to the end
PLACES = 4096  #: of a plate, whose modes are summed at once


@dataclass(frozen=True)
class ImpactContact:
    """One contact, from touch to separation."""

    start: float  #: time of touch, s
    end: float  #: time of separation, s; NaN while it lasts
    peak: float  #: largest force, N
    peak_time: float  #: time of the largest force, s
    impulse: float  #: impulse, N s

    @property
    def duration(self) -> float:
        """Duration of the contact, s."""
        return self.end - self.start


@dataclass(frozen=True, eq=False, repr=False)
class ImpactEnergies(Result):
    """Energies at the ends of the steps, J."""

    _rows, _drawn = ("time",), "contact"

    t: np.ndarray  #: times, s
    kinetic: np.ndarray  #: kinetic energy of the striker
    potential: np.ndarray  #: potential of the striker in gravity, zero at the first touch
    structure: np.ndarray  #: energy of the modes, and elastic energy of the neglected ones
    contact: np.ndarray  #: elastic energy, and that dissipated by plastic flow

    @property
    def total(self) -> np.ndarray:
        """Total energy; it decreases by what damping dissipates."""
        return self.kinetic + self.potential + self.structure + self.contact

    @property
    def imbalance(self) -> float:
        """Energy balance error: largest change of the total, relative to the largest energy."""
        largest = float((self.kinetic + self.structure + self.contact).max())
        return float(np.abs(self.total - self.total[0]).max()) / largest

    def _variables(self) -> Iterator[Variable]:
        yield axis("time", self.t, "s", "time")
        yield figure("imbalance", self.imbalance, "1", "energy balance error, relative")
        yield data("kinetic", self.kinetic, "J", "kinetic energy of the striker", "time")
        yield data("potential", self.potential, "J", "energy of the striker in gravity", "time")
        yield data("structure", self.structure, "J", "energy of the structure", "time")
        yield data("contact", self.contact, "J", "energy in the contact", "time")
        yield data("total", self.total, "J", "total energy", "time")


@dataclass(frozen=True, eq=False, repr=False)
class ImpactHistory(Result):
    """Result of `tr.impact`: force and motion; displacements are positive towards the structure."""

    _rows, _drawn = ("time",), "force"

    method: str  #: name of the method
    structure: Structure  #: the struck structure
    at: Place  #: position of the strike
    striker: Striker  #: the striker
    response: PointResponse  #: dynamic response of the struck point
    gravity: float  #: acceleration of the striker, m/s^2
    status: Status  #: CONVERGED, or what went wrong
    message: str  #: the status with its numbers
    stats: dict[str, object]  #: steps, seconds, and details of the method
    track: DensePath = field(repr=False)  #: dense solution
    law: CompiledLaw = field(repr=False)  #: compiled contact law

    def _headline(self) -> str:
        return f"{self.method}, {counted(len(self.contacts), 'contact')}, {self.message}"

    def _variables(self) -> Iterator[Variable]:
        peak = max((contact.peak for contact in self.contacts), default=0.0)
        yield figure("peak_force", peak, "N", "largest force")
        if self.contacts:
            yield figure("duration", self.contacts[0].duration, "s", "duration of the first contact")
        yield figure("rebound_speed", self.rebound_speed, "m/s", "rebound speed")
        yield figure("restitution", self.restitution, "1", "coefficient of restitution")
        yield number("striker_mass", self.striker.mass, "kg", "mass of the striker")
        yield number("striker_speed", self.striker.speed, "m/s", "speed of the strike")
        yield axis("time", self.t, "s", "time")
        yield data("force", lambda: self.force, "N", "contact force", "time")
        for name, unit in (("displacement", "m"), ("velocity", "m/s")):
            values = getattr(self, f"striker_{name}")
            yield data(f"striker_{name}", values, unit, f"{name} of the striker", "time")
        struck = self.structure_displacement
        yield data("structure_displacement", struck, "m", "displacement of the struck point", "time")
        yield data("approach", self.approach, "m", "approach", "time")
        units = {"start": "s", "end": "s", "peak": "N", "peak_time": "s", "impulse": "N s"}
        yield counter("contact", len(self.contacts), "number of the contact")
        for name, unit in units.items():
            values = np.array([getattr(one, name) for one in self.contacts])
            yield data(f"contact_{name}", values, unit, f"{name.replace('_', ' ')} of the contact", "contact")

    @property
    def ok(self) -> bool:
        """Whether the end was reached."""
        return self.status is Status.CONVERGED

    @cached_property
    def t(self) -> np.ndarray:
        """Times (s) of the samples, dense enough for linear interpolation."""
        ends = self.track.times
        spacing = np.full(ends.size - 1, (ends[-1] - ends[0]) / PER_WINDOW)
        for first, last in self._intervals:
            spacing[first:last] = (ends[last] - ends[first]) / PER_CONTACT
        counts = np.maximum(1, np.ceil(np.diff(ends) / np.maximum(spacing, 1e-300))).astype(int)
        pieces = [a + (b - a) * np.arange(n) / n for a, b, n in zip(ends[:-1], ends[1:], counts, strict=True)]
        return np.unique(np.concatenate((*pieces, ends[-1:])))

    @cached_property
    def force(self) -> np.ndarray:
        """Contact force (N) at `t`."""
        return self.track.force(self.t)

    def force_at(self, t: ArrayLike) -> np.ndarray:
        """Return the contact force (N) at times `t` (s)."""
        return self.track.force(self._times(t).ravel()).reshape(np.shape(t))

    @cached_property
    def _samples(self) -> np.ndarray:
        return self.track.sample(self.t)

    @property
    def striker_displacement(self) -> np.ndarray:
        """Displacement z (m) of the striker at `t`, from the first touch towards the structure."""
        return self._samples[:, 0]

    @property
    def striker_velocity(self) -> np.ndarray:
        """Velocity z' (m/s) of the striker at `t`."""
        return self._samples[:, 1]

    @property
    def structure_displacement(self) -> np.ndarray:
        """Deflection w (m) of the struck point at `t`."""
        return self._samples[:, 2]

    @property
    def approach(self) -> np.ndarray:
        """Approach z - w (m) at `t`; negative where the bodies are separated."""
        return self.striker_displacement - self.structure_displacement

    def motion_at(self, t: ArrayLike) -> np.ndarray:
        """Return rows of z, z', w, w' at times `t` (s)."""
        return self.track.sample(self._times(t).ravel())[:, :4]

    @cached_property
    def _intervals(self) -> list[tuple[int, int]]:
        """First and last end of the steps of each contact that has an impulse."""
        turns = np.diff(np.r_[0, self.track.touching.astype(int), 0])
        pairs = zip(np.flatnonzero(turns == 1), np.flatnonzero(turns == -1), strict=True)
        impulse = self.track.states[:, places.P]
        return [(int(a), int(b)) for a, b in pairs if impulse[b] > impulse[a]]

    @cached_property
    def contacts(self) -> tuple[ImpactContact, ...]:
        """All contacts, in order."""
        return tuple(self._contact(first, last) for first, last in self._intervals)

    def _contact(self, first: int, last: int) -> ImpactContact:
        ends, states = self.track.times, self.track.states
        end = math.nan if states[last, places.TOUCHING] > 0.0 else float(ends[last])
        time, peak = self._find_peak(first, last)
        impulse = float(states[last, places.P] - states[first, places.P])
        return ImpactContact(float(ends[first]), end, peak, time, impulse)

    def _find_peak(self, first: int, last: int) -> tuple[float, float]:
        """Time and value of the largest force in some steps: of the cubic that rises highest."""
        ends, best = self.track.times, (float(self.track.times[first]), 0.0)
        for k in range(first, last):
            when, value = find_crest(self.track.cubics[k], float(ends[k + 1] - ends[k]))
            if value > best[1]:
                best = (float(ends[k] + when), float(value))
        return best

    @property
    def rebound_speed(self) -> float:
        """Speed of the striker away from the structure after the last contact, m/s.

        Negative if it continues towards the structure, NaN while a contact lasts.
        """
        if not self.contacts or math.isnan(self.contacts[-1].end):
            return math.nan
        return -float(self.track.states[self._intervals[-1][1], places.V])

    @property
    def restitution(self) -> float:
        """Coefficient of restitution: rebound speed over the speed of the strike."""
        return self.rebound_speed / self.striker.speed

    @cached_property
    def energies(self) -> ImpactEnergies:
        """Energies at the ends of the steps."""
        if isinstance(self.structure, InfiniteBeam) or self.response.mobility > 0.0:
            raise UndefinedError(
                "the energy of an unbounded structure radiates to infinity; compare restitution instead."
            )
        states, q, v = self.track.states, self.track.q, self.track.v
        mass, omega = self.striker.mass, self.response.frequencies
        modal = 0.5 * (v**2 + (omega * q) ** 2).sum(axis=1)
        force = states[:, places.F]
        z = states[:, places.Z]
        left_out = self.response.residual_flexibility * force
        approach = z - q @ self.response.shapes - left_out
        contact = contact_energies(self.law, self.track.memories, approach)
        return ImpactEnergies(
            t=self.track.times,
            kinetic=0.5 * mass * states[:, places.V] ** 2,
            potential=-mass * self.gravity * z,
            structure=modal + 0.5 * left_out * force,
            contact=contact,
        )

    def modal_energy(self, t: float | None = None) -> np.ndarray:
        """Return the energy (J) of each mode at time `t` (s), by default after the last contact."""
        if isinstance(self.structure, InfiniteBeam):
            raise UndefinedError("an infinite beam has no modes; its energy radiates to infinity.")
        if t is None:
            end = self.contacts[-1].end if self.contacts else 0.0
            t = float(self.track.times[-1]) if math.isnan(end) else end
        q, v = self.modal_state(t)
        return 0.5 * (v**2 + (self.response.frequencies * q) ** 2)

    def modal_state(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the modal coordinates q (m sqrt(kg)) and their rates at time `t` (s)."""
        return self.track.modes(float(self._times(t)))

    def deflection(self, x: ArrayLike, t: ArrayLike) -> np.ndarray:
        """Return the deflection w (m) of a beam at positions `x` (m) and times `t` (s), (times, x)."""
        where = np.atleast_1d(np.asarray(x, dtype=float))
        residual = self.response.residual_flexibility > 0.0
        shapes, line = deflection_shapes(self.structure, self.at, self.response, where, residual)
        found = self._combined(shapes, line, t)
        return found.reshape(np.shape(t) + np.shape(x))

    def surface(self, x: ArrayLike, y: ArrayLike, t: ArrayLike) -> np.ndarray:
        """Return the deflection w (m) of a plate at positions (`x`, `y`) and times `t` (s), by its modes."""
        if not isinstance(self.structure, Plate):
            raise UndefinedError("surface is for plates; use deflection(x, t) for a beam.")
        x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        found = np.empty((np.size(t), x.size))
        for first in range(0, x.size, PLACES):
            part = slice(first, first + PLACES)
            shapes = self.structure.shapes(len(self.response), x.ravel()[part], y.ravel()[part])
            found[:, part] = self._combined(shapes, np.zeros(shapes.shape[1]), t)
        return found.reshape(np.shape(t) + x.shape)

    def _combined(self, shapes: np.ndarray, line: np.ndarray, t: ArrayLike) -> np.ndarray:
        times = self._times(t).ravel()
        rows = [self.track.modes(float(time))[0] @ shapes for time in times]
        return np.array(rows) + self.track.force(times)[:, None] * line

    def _times(self, t: ArrayLike) -> np.ndarray:
        times = checks.finite_array("t", t, unit="s").reshape(np.shape(t))
        low, high = self.track.times[0], self.track.times[-1]
        if times.size and not (low <= times.min() and times.max() <= high):
            raise InputError(f"t must lie between {low:g} and {high:g} s, the time of the history.")
        return times
