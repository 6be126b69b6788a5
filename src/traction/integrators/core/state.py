"""`State`: all that a march needs to resume, as plain arrays; and the path between two states.

On a path coordinates are polynomials of time, for dense output and to locate events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from traction.integrators.core.kernels.step_solver import quintic_coefficients
from traction.state_arrays import flatten_state, unflatten_state

Memory = dict[str, np.ndarray]
NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class State:
    """State of a march. Equal states continue equally, bit for bit; arrays are never changed in place."""

    t: float  #: time, s
    q: np.ndarray  #: coordinates, (n,)
    v: np.ndarray  #: velocities, (n,)
    a: np.ndarray  #: accelerations by the equation of motion, (n,)
    x: np.ndarray = field(default_factory=lambda: NOTHING)  #: accelerations of the method, where they differ
    origin: float = 0.0  #: time from which steps of a fixed dt are counted, s
    interval: int = 0  #: whole steps of a fixed dt that lie behind
    made: float = 0.0  #: length of the step that made x, s
    dt: float = 0.0  #: step to try next, s, where it is not fixed
    largest: tuple[float, float, float] = (0.0, 0.0, 0.0)  #: largest |q|, |v| and |a| so far, for errors
    touching: np.ndarray = field(default_factory=lambda: NOTHING)  #: of each gap, 1.0 when closed
    #: of each gap, begin of its contact, s; infinite when open
    since: np.ndarray = field(default_factory=lambda: NOTHING)
    just_switched: bool = False  #: whether a contact began or ended here
    memory: Memory = field(default_factory=dict)  #: of the force

    def but(self, **changes: object) -> State:
        """The same state with some parts replaced."""
        other = object.__new__(State)  # a march makes several of these in every step: `replace` would check
        other.__dict__.update(self.__dict__, **changes)
        return other

    def sized(self, before: State) -> State:
        """The same state with the largest magnitudes of its march up to `before` and of its own."""
        q, v, a = _size(self.q), _size(self.v), _size(self.a)
        old = before.largest
        return self.but(largest=(max(old[0], q), max(old[1], v), max(old[2], a)))

    def accepted_after(self, before: State) -> State:
        """The same state as the one that follows `before` in a march, with the updated magnitudes."""
        return self.sized(before).but(just_switched=False)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The state as arrays, for a file."""
        return flatten_state(self)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> State:
        """The state from the result of `to_arrays`."""
        return unflatten_state(cls, arrays)


BLANK = State(0.0, NOTHING, NOTHING, NOTHING)  #: to make states of, in less time than anew


def _size(x: np.ndarray) -> float:
    """Largest component; of one degree of freedom without the cost of a reduction."""
    return abs(float(x[0])) if x.size == 1 else float(np.abs(x).max())


@dataclass(frozen=True)
class Path:
    """q = sum of coefficients c_k s^k with s from 0 to 1 over the time dt."""

    t: float
    dt: float
    coefficients: np.ndarray  #: (degree + 1, n)

    def q(self, s: float | np.ndarray) -> np.ndarray:
        """Coordinates; at several fractions s, (points, 1), as (points, n)."""
        return _horner(self.coefficients, s)

    def v(self, s: float) -> np.ndarray:
        """Velocities."""
        return _horner(_derivative(self.coefficients), s) / self.dt

    def a(self, s: float) -> np.ndarray:
        """Accelerations."""
        return _horner(_derivative(_derivative(self.coefficients)), s) / self.dt**2


def ballistic(state: State, dt: float) -> Path:
    """The path that the acceleration of the state would give."""
    return Path(state.t, dt, np.stack([state.q, dt * state.v, 0.5 * dt * dt * state.a]))


def cubic(start: State, end: State) -> Path:
    """Through coordinates and velocities at both ends."""
    dt = end.t - start.t
    p, v0, v1 = end.q - start.q, dt * start.v, dt * end.v
    return Path(start.t, dt, np.stack([start.q, v0, 3.0 * p - 2.0 * v0 - v1, v0 + v1 - 2.0 * p]))


def quintic(start: State, end: State) -> Path:
    """Through coordinates, velocities and accelerations at both ends."""
    dt = end.t - start.t
    ends = start.q, start.v, start.a, end.q, end.v, end.a
    return Path(start.t, dt, np.stack(quintic_coefficients(dt, *ends)))


def _horner(coefficients: np.ndarray, s: float | np.ndarray) -> np.ndarray:
    value = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * s + coefficient
    return np.asarray(value)


def _derivative(coefficients: np.ndarray) -> np.ndarray:
    if len(coefficients) == 1:
        return np.zeros_like(coefficients)
    return np.asarray(np.arange(1, len(coefficients))[:, None] * coefficients[1:])
