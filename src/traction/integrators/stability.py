"""Linear stability: the effect of one step on an oscillation q'' + 2 zeta omega q' + omega^2 q = 0.

The step is linear in (q, v) and, where the method has its own accelerations, x; its matrix is assembled from
unit states (Hughes, The Finite Element Method, 9.1). The complex pair of eigenvalues exp(-z +- i p)
determines the numerical frequency p/dt and the damping ratio z/p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.integrators.core.method import Method
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.method_table import method as method_of
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure

GROWS = 1e-9  #: excess of the spectral radius over 1 that is not rounding
SEARCHED = np.geomspace(1e-2, 1e3, 501)  #: omega*dt in which the limit is searched
BISECTIONS = 50

LEAST, MOST = 1e-6, 1e6  #: omega dt: rounding below, and steps that no method means above


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Result):
    """Spectral radius, period error and damping over omega*dt; `tr.view.stability_plot` draws it."""

    _rows, _drawn = ("omega_dt",), "spectral_radius"

    method: str  #: name of the method
    omega_dt: np.ndarray  #: omega*dt
    spectral_radius: np.ndarray  #: largest |eigenvalue| of a step; above 1 the oscillation grows
    period_error: np.ndarray  #: T_numerical/T - 1; NaN where the motion does not oscillate
    damping_ratio: np.ndarray  #: numerical plus physical damping ratio; NaN where it does not oscillate
    limit: float  #: largest stable omega*dt: 0 if never stable, infinite if always

    def _headline(self) -> str:
        return f"{self.method}, stable at any step" if np.isinf(self.limit) else self.method

    def _variables(self) -> Iterator[Variable]:
        yield axis("omega_dt", self.omega_dt, "1", "omega*dt")
        largest = float(np.nanmax(self.spectral_radius))
        yield figure("largest_radius", largest, "1", "largest spectral radius")
        yield figure("limit", self.limit, "1", "largest stable omega*dt")
        yield data("spectral_radius", self.spectral_radius, "1", "spectral radius", "omega_dt")
        yield data("period_error", self.period_error, "1", "relative error of the period", "omega_dt")
        yield data("damping_ratio", self.damping_ratio, "1", "numerical damping ratio", "omega_dt")


def stability(
    method: str | Method, omega_dt: ArrayLike | None = None, *, damping_ratio: float = 0.0, **options: object
) -> Stability:
    """Return spectral radius, period error and numerical damping of a method over omega*dt.

    Eigenvalues of the matrix of one step for q'' + 2 zeta omega q' + omega^2 q = 0 (Hughes, The Finite
    Element Method, section 9.1).

    Parameters
    ----------
    method
        Name from `tr.methods()`, or a `tr.Method`.
    omega_dt
        Angular frequency times time step; 0.01 to 100 by default.
    damping_ratio
        Physical damping ratio zeta of the oscillation, below 1.
    **options
        Options of the method.

    Returns
    -------
    Stability
        Arrays over omega*dt, and the stability limit.

    Raises
    ------
    InputError
        If omega*dt or the damping ratio is out of range, or the method as in `tr.method`.

    Examples
    --------
    >>> print(f"{tr.stability('verlet').limit:.3f}")
    2.000
    """
    chosen = method_of(method, **options)
    zeta = checks.at_least("damping_ratio", damping_ratio, 0.0)
    if zeta >= 1.0:
        raise InputError(f"damping_ratio = {zeta} must be below 1, where the system oscillates.")
    values = np.geomspace(1e-2, 1e2, 201) if omega_dt is None else omega_dt
    steps = np.atleast_1d(checks.finite_array("omega_dt", values))
    if steps.ndim != 1 or (steps <= 0.0).any():
        raise InputError("omega_dt must be positive numbers.")
    if steps.size and not LEAST <= steps.min() <= steps.max() <= MOST:
        raise InputError(f"omega_dt must lie between {LEAST:g} and {MOST:g}.")
    roots = [eigenvalues(chosen, float(step), zeta) for step in steps]
    main = np.array([_oscillation(pair) for pair in roots])
    angle, decay = np.abs(np.angle(main)), -np.log(np.abs(main))
    radius = np.array([np.abs(pair).max() for pair in roots])
    limit = _first_growth(lambda step: eigenvalues(chosen, step, zeta))
    with np.errstate(divide="ignore", invalid="ignore"):
        longer = steps * np.sqrt(1.0 - zeta**2) / angle - 1.0
        return Stability(chosen.name, steps, radius, longer, decay / np.hypot(angle, decay), limit)


def eigenvalues(method: Method, omega_dt: float, damping_ratio: float = 0.0) -> np.ndarray:
    """Eigenvalues of the matrix of one step."""
    return _eigenvalues(method, 2.0 * damping_ratio * omega_dt, omega_dt**2)


def _eigenvalues(method: Method, damping: float, stiffness: float) -> np.ndarray:
    """Eigenvalues of one step of length 1 of q'' + damping q' + stiffness q = 0."""
    system = SecondOrderSystem(1.0, None, 0.0, 0.0, damping=damping, stiffness=stiffness)
    motion = Motion(system)
    first = method.begin(motion, 0.0, np.zeros(1), np.zeros(1))
    columns = []
    for unit in np.eye(2 + first.x.size):
        q, v, x = unit[:1], unit[1:2], unit[2:]
        end = method.step(motion, State(0.0, q, v, motion.acceleration(0.0, q, v), x), 1.0)
        columns.append(np.concatenate((end.q, end.v, end.x)))
    return np.asarray(np.linalg.eigvals(np.stack(columns, axis=1)))


def _oscillation(roots: np.ndarray) -> complex:
    """The eigenvalue of the oscillation: the largest complex one."""
    complex_ = roots[np.abs(roots.imag) > 1e-9 * np.abs(roots)]
    return complex(complex_[np.argmax(np.abs(complex_))]) if complex_.size else complex(np.nan, np.nan)


def largest_step(method: Method, omega: float, rate: float) -> float:
    """The longest dt (s) at which q'' + rate q' + omega^2 q = 0 (rad/s, 1/s) does not grow."""
    size = float(np.hypot(omega, rate))
    if size == 0.0:
        return float("inf")
    if rate == 0.0:
        return method.stability_limit / omega
    return _first_growth(lambda s: _eigenvalues(method, rate / size * s, (omega / size * s) ** 2)) / size


def _first_growth(roots: Callable[[float], np.ndarray]) -> float:
    """The first argument beyond which a root is larger than 1, by bisection."""

    def grows(step: float) -> bool:
        return bool(np.abs(roots(step)).max() > 1.0 + GROWS)

    low = 0.0
    for step in SEARCHED:
        if grows(float(step)):
            break
        low = float(step)
    else:
        return float("inf")
    if low == 0.0:
        return 0.0
    high = float(step)
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if grows(middle) else (middle, high)
    return low
