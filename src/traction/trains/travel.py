"""`Travel`: position of the first axle over time; it enters the beam at t = 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks, plausibility
from traction.errors import InputError

NODES = 4096  #: at which a speed that varies is sampled
HALVINGS = 60  #: bisections in time for a position
NEAR = 1e-12  #: relative rounding error of a position
GAUSS = np.polynomial.legendre.leggauss(4)


@dataclass(frozen=True, eq=False)
class Travel:
    """Position (m), speed (m/s) and acceleration (m/s2) of the first axle over time."""

    place: Callable[[np.ndarray], np.ndarray]
    speed: Callable[[np.ndarray], np.ndarray]
    acceleration: Callable[[np.ndarray], np.ndarray]
    t_end: float  #: end of the travel, s
    steady: bool = False  #: whether the speed is constant

    def time_at(self, places: np.ndarray) -> np.ndarray:
        """When the first axle is at these positions (m); infinite where it does not get there."""
        places = np.asarray(places, dtype=float)
        if self.steady:
            return places / float(self.speed(np.zeros(1))[0])
        low, high = np.zeros(places.shape), np.full(places.shape, self.t_end)
        reached = self.place(high) >= places - NEAR * np.abs(places)
        for _ in range(HALVINGS):  # bisection: a speed may touch zero
            middle = 0.5 * (low + high)
            beyond = self.place(middle) >= places
            low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
        return np.where(reached, high, np.inf)


LARGEST_SPEED = 1e6  #: m/s; sound travels through steel at 6e3
SpeedInput = float | Callable[..., ArrayLike] | Sequence[ArrayLike] | Travel  #: as given by a user


def read_travel(speed: SpeedInput, t_end: float | None) -> Travel:
    """The travel given by a user: a speed (m/s), a function of time, or (times, positions) of the first axle.

    A function is sampled at 4,096 intervals up to `t_end`, which it needs; positions are joined by a cubic
    spline.
    """
    if isinstance(speed, Travel):
        return speed
    if callable(speed):
        return _integrate_speed(speed, t_end)
    if isinstance(speed, tuple | list):
        return _pass_through(speed)
    v = checks.positive("speed", speed, "m/s", "a stationary load does not cross; use tr.Beam.bend.")
    if v > LARGEST_SPEED:
        raise InputError(f"speed = {v} m/s must be at most {LARGEST_SPEED:g}; check the unit.")
    plausibility.check_train_speed(v)
    return Travel(
        lambda t: v * np.asarray(t),
        lambda t: np.full(np.shape(t), v),
        lambda t: np.zeros(np.shape(t)),
        np.inf,
        steady=True,
    )


def sample_function(name: str, function: Callable[..., ArrayLike], t: np.ndarray) -> np.ndarray:
    """Values of a user's function of one number, which may accept arrays."""
    try:
        values = np.asarray(function(t), dtype=float)
        if values.shape != t.shape:
            values = np.broadcast_to(values, t.shape)
    except (TypeError, ValueError):
        values = np.array([float(np.asarray(function(float(one)))) for one in t.ravel()]).reshape(t.shape)
    return checks.finite_array(f"{name}(t)", values)


def _integrate_speed(speed: Callable[..., ArrayLike], t_end: float | None) -> Travel:
    if t_end is None:
        raise InputError("t_end = None: a speed that is a function of time needs the time at which to end.")
    end = checks.positive("t_end", t_end, "s")
    t = np.linspace(0.0, end, NODES + 1)
    h = t[1]
    points, weights = 0.5 * h * (GAUSS[0] + 1.0), 0.5 * h * GAUSS[1]
    between = sample_function("speed", speed, (t[:-1, None] + points).ravel()).reshape(NODES, -1)
    v = sample_function("speed", speed, t)
    _require_forwards(v, t)
    _require_forwards(between.ravel(), (t[:-1, None] + points).ravel())
    return _make_spline(t, np.r_[0.0, np.cumsum(between @ weights)], v)


def _pass_through(given: Sequence[ArrayLike]) -> Travel:
    if len(given) != 2:
        raise InputError(f"speed has {len(given)} parts; give (times, positions of the first axle).")
    t = checks.finite_array("speed[0]", given[0], unit="s").ravel()
    s = checks.finite_array("speed[1]", given[1], t.shape, "m", "one position for each time.").ravel()
    if t.size < 4 or t[0] != 0.0 or s[0] != 0.0 or not (np.diff(t) > 0.0).all():
        raise InputError("speed = (times, places) must be at least 4 increasing times from 0 at position 0.")
    from scipy.interpolate import CubicSpline

    v = CubicSpline(t, s)(t, 1)
    _require_forwards(v, t)
    return _make_spline(t, s, v)


def _make_spline(t: np.ndarray, s: np.ndarray, v: np.ndarray) -> Travel:
    from scipy.interpolate import CubicHermiteSpline, CubicSpline

    place = CubicHermiteSpline(t, s, v)
    rate = CubicSpline(t, v)
    return Travel(place, place.derivative(), lambda at: rate(at, 1), float(t[-1]))


def _require_forwards(v: np.ndarray, t: np.ndarray) -> None:
    if (v < 0.0).any():
        k = int(np.argmax(v < 0.0))
        raise InputError(f"speed = {v[k]} m/s at t = {t[k]:.6g} s must not be negative: trains run forwards.")
    if not (v > 0.0).any():
        raise InputError("speed is 0 m/s at all times: a stationary load does not cross.")
