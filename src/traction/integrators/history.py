"""`History`: the result of a time integration, with dense output between its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.integrators.compiled_march.compiled_motion import compiles, total_energies
from traction.integrators.core.kernels.step_solver import quintic_coefficients
from traction.integrators.core.motion import Motion, SystemEnergy
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.march.events import Event
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, counter, data, figure, number
from traction.quantities import counted
from traction.status import Status


@dataclass(frozen=True)
class ContactInterval:
    """One contact, from touch to release; times in s."""

    start: float  #: time of touch; before the first time of the history if in contact there
    end: float  #: time of release; NaN while it lasts
    peak_time: float  #: time of largest penetration; NaN if it is not reached
    depth: float  #: largest penetration, the negative gap, m
    gap: int = 0  #: index of the gap

    @property
    def duration(self) -> float:
        """Duration of the contact, s."""
        return self.end - self.start


@dataclass(frozen=True, eq=False, repr=False)
class History(Result):
    """Result of `tr.integrate`: coordinates over time.

    For one degree of freedom q, v and a have the shape (steps,), otherwise (steps, n).
    """

    _rows, _drawn = ("time",), "q"
    _coordinate = ("unit of q", "coordinate")  #: unit and name of q
    _names = ("q", "v", "a")  #: of coordinate, velocity and acceleration in files

    t: np.ndarray  #: times, s, (steps,)
    q: np.ndarray  #: coordinates
    v: np.ndarray  #: velocities
    a: np.ndarray  #: accelerations by the equation of motion
    system: SecondOrderSystem = field(repr=False)  #: the system that was integrated
    method: str  #: name of the integration method
    status: Status  #: CONVERGED, or what went wrong
    message: str  #: the status with its numbers
    stats: dict[str, float]  #: steps, evaluations, iterations, seconds
    state: State = field(repr=False)  #: from which tr.integrate(..., start=history) resumes
    events: tuple[Event, ...] = ()  #: touches, releases and turning points of gaps
    #: touches, now or earlier, of the contacts that last at the first time
    open_at_start: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.t, self.q, self.v, self.a):
            array.setflags(write=False)

    @property
    def ok(self) -> bool:
        """Whether the end was reached."""
        return self.status is Status.CONVERGED

    @cached_property
    def energy(self) -> np.ndarray:
        """Total energy at each time: kinetic, 1/2 q K q, and the potential of the force."""
        if self.system.energy is not None and self.system.is_scalar and compiles(self.system):
            return total_energies(self.system, self.t, self.q, self.v)
        energy = SystemEnergy(Motion(self.system))
        return np.array([energy.total(*state) for state in self._states()])

    @cached_property
    def kinetic_energy(self) -> np.ndarray:
        """Kinetic energy 1/2 v M v at each time."""
        energy = SystemEnergy(Motion(self.system))
        return np.array([energy.kinetic(q, v) for _, q, v in self._states()])

    @cached_property
    def contacts(self) -> tuple[ContactInterval, ...]:
        """All contacts in the order of their start, which may lie before the history.

        Needs a gap and located events. The depth is the largest one in the history.
        """
        found: list[ContactInterval] = []
        open_: dict[int, dict[str, float]] = {}
        for event in self.open_at_start:
            depth = max(0.0, -float(self._gaps(0)[event.gap]))
            open_[event.gap] = {"start": event.t, "peak_time": float(self.t[0]), "depth": depth}
        for event in self.events:
            if event.kind == "touch":
                open_[event.gap] = {"start": event.t, "peak_time": np.nan, "depth": 0.0}
            elif event.gap in open_ and event.kind == "deepest":
                depth = -float(self._gaps(event.index)[event.gap])
                if depth > open_[event.gap]["depth"]:
                    open_[event.gap] |= {"peak_time": event.t, "depth": depth}
            elif event.gap in open_ and event.kind == "release":
                found.append(ContactInterval(end=event.t, gap=event.gap, **open_.pop(event.gap)))
        found += [ContactInterval(end=np.nan, gap=gap, **begun) for gap, begun in open_.items()]
        return tuple(sorted(found, key=lambda contact: contact.start))

    def at(self, t: ArrayLike) -> np.ndarray:
        """Return the coordinates at times `t` (s), by quintic interpolation of q, v and a."""
        return self._interpolated(t, 0)

    def velocity_at(self, t: ArrayLike) -> np.ndarray:
        """Return the velocities at times `t` (s)."""
        return self._interpolated(t, 1)

    def acceleration_at(self, t: ArrayLike) -> np.ndarray:
        """Return the accelerations at times `t` (s)."""
        return self._interpolated(t, 2)

    def __len__(self) -> int:
        return len(self.t)

    def _headline(self) -> str:
        span = f"t = {self.t[0]:.6g} to {self.t[-1]:.6g} s"
        rejected = int(self.stats.get("rejected", 0))
        again = f" ({rejected} rejected)" if rejected else ""
        return f"{self.method}, {counted(len(self.t) - 1, 'step')}{again}, {span}, {self.message}"

    def _variables(self) -> Iterator[Variable]:
        (unit, name), dims = self._coordinate, ("time", "coordinate")[: self.q.ndim]
        yield axis("time", self.t, "s", "time")
        if self.q.ndim == 2:
            yield counter("coordinate", self.q.shape[1], "number of the coordinate")
        q, v, a = self._names
        yield data(q, self.q, unit, name, *dims)
        yield data(v, self.v, f"{unit}/s", f"velocity of the {name}", *dims)
        yield data(a, self.a, f"{unit}/s2", f"acceleration of the {name}", *dims)
        if self._knows_energy:
            yield data("energy", lambda: self.energy, "J", "total energy", "time")
        yield from self._contact_variables()

    @property
    def _knows_energy(self) -> bool:
        return SystemEnergy(Motion(self.system)).known

    def _contact_variables(self) -> Iterable[Variable]:
        """Begin, end and depth of the contacts."""
        found = self.contacts
        yield figure("contacts", len(found), "1", "contacts")
        if found:
            yield figure("depth", max(one.depth for one in found), "m", "largest penetration")
            yield number("first_contact", found[0].start, "s", "begin of the first contact")
            yield counter("contact", len(found), "number of the contact")
            for name in ("start", "end", "peak_time"):
                times = [getattr(one, name) for one in found]
                yield data(
                    f"contact_{name}", times, "s", f"{name.replace('_', ' ')} of the contact", "contact"
                )
            yield data("contact_depth", [one.depth for one in found], "m", "largest penetration", "contact")

    def _gaps(self, index: int) -> np.ndarray:
        """All gaps at a time of the history."""
        assert self.system.gap is not None
        q = float(self.q[index]) if self.system.is_scalar else self.q[index]
        return np.atleast_1d(self.system.gap(float(self.t[index]), q))

    def _states(self) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
        n = self.system.size
        return zip(self.t.tolist(), self.q.reshape(-1, n), self.v.reshape(-1, n), strict=True)

    def _interpolated(self, t: ArrayLike, derivative: int) -> np.ndarray:
        """Quintic Hermite interpolation, or a derivative of it, at times of any shape."""
        times = checks.finite_array("t", t, unit="s").reshape(np.shape(t))
        low, high = float(self.t[0]), float(self.t[-1])
        if times.size and not low <= float(times.min()) <= float(times.max()) <= high:
            raise InputError(
                f"t = {checks.shown(t)} must lie between {low:.9g} and {high:.9g} s, the history."
            )
        if len(self.t) == 1:
            only = (self.q, self.v, self.a)[derivative][0]
            return np.broadcast_to(only, times.shape + np.shape(only)).copy()
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 2)
        dt = self.t[k + 1] - self.t[k]
        s = (times - self.t[k]) / dt
        shape = times.shape + (1,) * (self.q.ndim - 1)
        s, dt = s.reshape(shape), dt.reshape(shape)
        ends = (one[n] for n in (k, k + 1) for one in (self.q, self.v, self.a))
        q0, v0, c2, c3, c4, c5 = quintic_coefficients(dt, *ends)
        if derivative == 0:
            return np.asarray(q0 + s * (v0 + s * (c2 + s * (c3 + s * (c4 + s * c5)))))
        if derivative == 1:
            return np.asarray((v0 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / dt)
        return np.asarray((2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / dt**2)
