"""The path between two states: coordinates as polynomials of time, for dense output and to locate events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.integrators.core.kernels.path_formulas import quintic_coefficients
from traction.integrators.core.state import State


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
