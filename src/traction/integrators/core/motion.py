"""The equation of motion, evaluated: forces, accelerations, tangents and energies, with counters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from traction import checks
from traction.errors import InputError, TractionError, UndefinedError
from traction.integrators.core.kernels.step_solver import FACTORS, FORCES, JACOBIANS, Traits
from traction.integrators.core.matrices import (
    STEP_MATRIX,
    LowRank,
    Matrix,
    Solve,
    Updated,
    combination,
    factor,
    matrix,
    product,
    solve_updated,
)
from traction.integrators.core.state import Memory, State
from traction.integrators.core.system import SecondOrderSystem

DIFFERENCE = 1e-7  #: of finite differences, relative to the size of what is varied
KEPT_FACTORS = 8  #: factored matrices of earlier step lengths
WORK = ("force_evaluations", "jacobian_evaluations", "factorizations", "iterations")  #: as it is counted

Tangents = tuple[Matrix | None, Matrix | None]  #: stiffness and damping
AGREEMENT = 1e-3  #: of the force with the slope of the energy, by differences
SLOPE_STEPS = np.array([1e-3, 1e-5, 1e-7, 1e-9])  #: of these differences, relative to the coordinates
TIMES = 7  #: at which a force is asked whether it depends on time

#: times at which the energies of systems were found to match their forces
_MATCHED: WeakKeyDictionary[SecondOrderSystem, set[tuple[float, float]]] = WeakKeyDictionary()


class StepError(TractionError):
    """Raised when a step fails; a shorter one may succeed."""


class NotFiniteError(StepError):
    """Raised when a result is not finite, with its time and its name."""


class Motion:
    """M a = f(t, q, v) - C v - K q. Keeps counters and factors, nothing that changes a result."""

    def __init__(self, system: SecondOrderSystem) -> None:
        self.system = system
        self.n = system.size
        self.work = [0, 0, 0, 0]  #: counted, in the order of `WORK`
        self.failure: NotFiniteError | None = None  #: of the last residual that was not finite
        self.traits = find_traits(system)
        self.varies_mass = callable(system.mass)
        self.has_mean_force = system.mean_force is not None
        self.tries_linear = system.jacobian is None and self.n > 1
        self.constant: Tangents = system.stiffness_matrix, system.damping_matrix
        self._force = _vector_function("force", system)
        self._factors: OrderedDict[Hashable, Solve] = OrderedDict()
        self._remembers = hasattr(system.force, "memory")

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        return dict(zip(WORK, self.work, strict=True))

    @property
    def memory(self) -> Memory:
        """Memory of the force."""
        return dict(self.system.force.memory) if self._remembers else {}  # type: ignore[union-attr]

    @memory.setter
    def memory(self, memory: Memory) -> None:
        if self._remembers:
            self.system.force.memory = memory  # type: ignore[union-attr]

    def inertia_scale(self, state: State) -> float:
        """Largest inertia force so far: at rest, where forces cancel, rounding is relative to it."""
        heaviest = float(abs(self.mass(state.q)).max()) if self.varies_mass else self._heaviest
        return heaviest * state.largest[2]

    @cached_property
    def _heaviest(self) -> float:
        return float(abs(self.system.mass_matrix).max())

    def force(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """f(t, q, v), a vector of finite numbers."""
        self.work[FORCES] += 1
        if self._force is None:
            return np.zeros(self.n)
        values = self._force(t, q, v)
        if not np.isfinite(values).all():
            raise _not_finite("force", values, t, q, v)
        return values

    def net_force(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """f - C v - K q, which is M a."""
        return self.split_force(t, q, v, v)

    def split_force(self, t: float, q: np.ndarray, v: np.ndarray, damped: np.ndarray) -> np.ndarray:
        """The same with another velocity for the damping."""
        total = self.force(t, q, v)
        stiffness, damping = self.constant
        if stiffness is None and damping is None:
            return total
        if damping is not None:
            total = total - product(damping, damped)
        if stiffness is not None:
            total = total - product(stiffness, q)
        if not np.isfinite(total).all():
            raise _not_finite("f - C v - K q", total, t, q, v)
        return total

    def resistance(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """C v + K q."""
        stiffness, damping = self.constant
        total = np.zeros(self.n)
        if damping is not None:
            total = total + product(damping, v)
        return total if stiffness is None else total + product(stiffness, q)

    def mass(self, q: np.ndarray) -> Matrix:
        """M(q)."""
        system = self.system
        if callable(system.mass):
            return matrix("mass(q)", system.mass(system._public(q)), self.n)
        return system.mass_matrix

    def inertia(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """M(q) a."""
        return product(self.mass(q), a)

    def divide_by_mass(self, q: np.ndarray, force: np.ndarray) -> np.ndarray:
        """M(q)^-1 times a force."""
        if self.varies_mass:
            return self.factored(self.mass(q), "mass(q)")(force)
        return self.kept_factor("mass", lambda: self.system.mass_matrix)(force)

    def divide_damped(self, q: np.ndarray, h: float, force: np.ndarray) -> np.ndarray:
        """(M + h C)^-1 times a force."""
        if self.constant[1] is None:
            return self.divide_by_mass(q, force)
        return self.solve(q, (1.0, h, 0.0), self.constant, force)

    def solve(
        self, q: np.ndarray, weights: tuple[float, float, float], tangents: Tangents, r: np.ndarray
    ) -> np.ndarray:
        """(w0 M + w1 C + w2 K)^-1 r; with cached factors for constant matrices."""
        by_mass, by_damping, by_stiffness = weights
        stiffness, damping = tangents
        if isinstance(stiffness, Updated):
            plain, rows = self.without_update(tangents), stiffness.update.rows
            right = (by_stiffness * stiffness.update.weights)[:, None] * rows
            return solve_updated(lambda b: self.solve(q, weights, plain, b), rows, right, r)

        def assemble() -> Matrix:
            return combination((by_mass, self.mass(q)), (by_damping, damping), (by_stiffness, stiffness))

        if tangents is self.constant and not self.varies_mass:
            return self.kept_factor(weights, assemble)(r)
        return self.factored(assemble())(r)

    def without_update(self, tangents: Tangents) -> Tangents:
        """Tangents without their part of low rank; the constant ones where nothing else differs."""
        stiffness, damping = tangents
        base = stiffness.base if isinstance(stiffness, Updated) else stiffness
        is_constant = base is self.constant[0] and damping is self.constant[1]
        return self.constant if is_constant else (base, damping)

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """a = M^-1 (f - C v - K q)."""
        return self.divide_by_mass(q, self.net_force(t, q, v))

    def tangents(self, t: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, dt: float) -> Tangents:
        """Stiffness K - df/dq + d(M a)/dq and damping C - df/dv at a state; `dt` scales the differences."""
        system = self.system
        if system.is_linear:
            return self.constant
        self.work[JACOBIANS] += 1
        by_q, by_v = self._force_jacobians(t, q, v, a, dt)
        if isinstance(by_q, LowRank) and not callable(system.mass):
            stiffness: Matrix | None = Updated(system.stiffness_matrix, by_q.scaled(-1.0))
        else:
            stiffness = self._stiffness(by_q, q, v, a, dt)
        if by_v is None:
            return stiffness, system.damping_matrix
        return stiffness, combination((1.0, system.damping_matrix), (-1.0, by_v))

    def _stiffness(
        self, by_q: Matrix | None, q: np.ndarray, v: np.ndarray, a: np.ndarray, dt: float
    ) -> Matrix:
        """K - df/dq + d(M a)/dq."""
        system = self.system
        if isinstance(by_q, LowRank):
            by_q = by_q.toarray()
        if callable(system.mass):
            varied = _sizes(q, dt * v, dt * dt * a)
            by_q = combination((1.0, by_q), (-1.0, _differences(lambda at: self.inertia(at, a), q, varied)))
        return combination((1.0, system.stiffness_matrix), (-1.0, by_q))

    def _force_jacobians(self, t: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, dt: float) -> Tangents:
        """df/dq and df/dv, as given or by differences."""
        system = self.system
        if system.jacobian is not None:
            given = system.jacobian(t, system._public(q), system._public(v))
            by_q, by_v = given if isinstance(given, tuple) else (given, None)
            of_q = by_q if isinstance(by_q, LowRank) else matrix("df/dq of the jacobian", by_q, self.n)
            return of_q, None if by_v is None else matrix("df/dv of the jacobian", by_v, self.n)
        if system.force_arguments < 2:
            return None, None
        by_q = _differences(lambda at: self.force(t, at, v), q, _sizes(q, dt * v, dt * dt * a))
        if system.force_arguments < 3:
            return by_q, None
        return by_q, _differences(lambda at: self.force(t, q, at), v, _sizes(v, dt * a))

    def kept_factor(self, key: Hashable, assemble: Callable[[], Matrix]) -> Solve:
        """The factor of a matrix that is constant for its key, computed once."""
        if key not in self._factors:
            self._factors[key] = self.factored(assemble(), "mass" if key == "mass" else STEP_MATRIX)
            if len(self._factors) > KEPT_FACTORS:
                self._factors.popitem(last=False)
        return self._factors[key]

    def factored(self, a: Matrix, name: str = STEP_MATRIX) -> Solve:
        """The factor of a matrix."""
        self.work[FACTORS] += 1
        return factor(np.broadcast_to(a, self.n) if getattr(a, "shape", ()) == (1,) else a, name)


def find_traits(system: SecondOrderSystem) -> Traits:
    """Properties of a system that the formulas use."""
    return Traits(
        n=system.size,
        is_linear=system.is_linear,
        has_jacobian=system.jacobian is not None,
        has_energy=system.energy is not None and system.force is not None,
        moves=system.force_arguments == 3,
        is_damped=system.damping_matrix is not None,
        is_sprung=system.stiffness_matrix is not None,
    )


def _vector_function(
    name: str, system: SecondOrderSystem
) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray] | None:
    """The user's force as one of (t, q, v) on vectors, whatever arguments it takes."""
    function, arguments = system.force, system.force_arguments
    if function is None:
        return None
    n, public = system.size, system._public

    def vector(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        given = (t,) if arguments == 1 else (t, public(q)) if arguments == 2 else (t, public(q), public(v))
        values = numbers(f"{name}(t = {t:.6g})", function(*given))
        if values.shape != (n,):
            if values.size != 1 or (n > 1 and values.ndim > 0):
                raise InputError(
                    f"{name}(t = {t:.6g}) has shape {values.shape}, expected ({n},), the shape of q0."
                )
            values = np.full(n, float(values.reshape(())))
        return values

    return vector


def numbers(name: str, values: object) -> np.ndarray:
    """Result of a user's function as numbers, which need not be finite."""
    try:
        if values is not None:  # which numpy takes as not a number
            return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise InputError(f"{name} is {checks.shown(values)}, expected real numbers.")


def _sizes(x: np.ndarray, *changes: np.ndarray) -> np.ndarray:
    """Increment of each component in differences: by its magnitude, or by its change in a step."""
    sizes = np.abs(x)
    for change in changes:
        sizes = np.maximum(sizes, np.abs(change))
    largest = float(sizes.max())
    return DIFFERENCE * np.maximum(sizes, 1e-3 * largest if largest > 0.0 else 1.0)


def _differences(
    function: Callable[[np.ndarray], np.ndarray], at: np.ndarray, steps: np.ndarray
) -> np.ndarray:
    """Jacobian by central differences."""
    columns = []
    for k, step in enumerate(steps):
        up, down = at.copy(), at.copy()
        up[k] += step
        down[k] -= step
        columns.append((function(up) - function(down)) / (up[k] - down[k]))
    return np.stack(columns, axis=1) if len(columns) > 1 else np.asarray(columns[0])


def _not_finite(quantity: str, values: np.ndarray, t: float, q: np.ndarray, v: np.ndarray) -> NotFiniteError:
    where = int(np.argmin(np.isfinite(values)))
    place = f" in component {where}" if values.size > 1 else ""
    return NotFiniteError(
        f"{quantity} is {values[where]}{place} at t = {t:.9g}, "
        f"where q = {q[where]:.6g} and v = {v[where]:.6g}"
    )


class SystemEnergy:
    """Kinetic, potential and total energy of a system."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.system = motion.system

    @property
    def known(self) -> bool:
        """Whether the potential energy of all forces is known."""
        return self.system.energy is not None or self.system.force is None

    def potential(self, t: float, q: np.ndarray) -> float:
        """Potential energy of the force alone, without 1/2 q K q."""
        system = self.system
        if system.energy is None:
            return 0.0
        if system.energy_arguments == 1:
            return self._number(system.energy(system._public(q)), t)
        return self._total(t, q, np.zeros_like(q)) - self.elastic(q)

    def total(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        """Kinetic energy, 1/2 q K q and the potential of the force."""
        if not self.known:
            raise UndefinedError("the energy is undefined: give the system energy= with its force.")
        if self.system.energy_arguments in (2, 3):
            return self._total(t, q, v)
        return self.kinetic(q, v) + self.elastic(q) + self.potential(t, q)

    def kinetic(self, q: np.ndarray, v: np.ndarray) -> float:
        """1/2 v M v."""
        return 0.5 * float(v @ self.motion.inertia(q, v))

    def elastic(self, q: np.ndarray) -> float:
        """1/2 q K q."""
        K = self.system.stiffness_matrix
        return 0.0 if K is None else 0.5 * float(q @ product(K, q))

    def require_match(self, t0: float, t_end: float) -> None:
        """Refuse an energy whose slope is not the force, at the start and at some times after it."""
        system, motion = self.system, self.motion
        matched = _MATCHED.setdefault(system, set())
        if system.energy is None or system.force is None or (t0, t_end) in matched:
            return
        q = system.start[0]
        memory = motion.memory
        for t in np.linspace(t0, t_end, TIMES):
            slope, expected, varies = self._slope(float(t), q)
            if abs(slope - expected) > AGREEMENT * abs(expected) + varies:
                raise InputError(
                    f"energy does not belong to the force: at t = {t:.6g}, q = q0 and v = 0 its slope along "
                    f"the force is {slope:.6g}, the force {expected:.6g}. Give the potential energy(q) with "
                    "force(t, q, 0) = -d(energy)/dq; of a load over time, energy(t, q, v) with its potential."
                )
        motion.memory = memory
        matched.add((t0, t_end))

    def _slope(self, t: float, q: np.ndarray) -> tuple[float, float, float]:
        """-dV along the force, the force, and its least variation over the difference, at rest.

        Of several differences the one that agrees best: the magnitude of the coordinates may say little
        about the range over which the force is constant. Bodies that just touch push at once when they are
        moved: there no difference is short enough, and the slope may be off by as much as the force varies.
        """
        force = self.motion.force(t, q, np.zeros_like(q))
        direction = force / max(float(np.abs(force).max()), 1e-300)
        expected = float(force @ direction)
        slopes = [expected]  # where rounding leaves no digits, it cannot be refused
        variations = []
        size = float(np.abs(q).max())
        for step in SLOPE_STEPS * (size if size > 0.0 else 1.0):
            up, down = (self.potential(t, q + sign * step * direction) for sign in (1.0, -1.0))
            if 1e-16 * max(abs(up), abs(down)) / step <= 0.1 * AGREEMENT * abs(expected):
                slopes.append(-(up - down) / (2.0 * step))
                beside = [q + sign * step * direction for sign in (1.0, -1.0)]
                forces = [float(self.motion.force(t, at, np.zeros_like(q)) @ direction) for at in beside]
                variations.append(max(abs(force - expected) for force in forces))
        slope = min(slopes[1:] or slopes, key=lambda slope: abs(slope - expected))
        return slope, expected, min(variations, default=0.0)

    def _total(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        system = self.system
        given = (system._public(q), system._public(v))
        assert system.energy is not None
        return self._number(
            system.energy(*given) if system.energy_arguments == 2 else system.energy(t, *given), t
        )

    def _number(self, value: object, t: float) -> float:
        values = np.asarray(value)
        number = float(values.reshape(-1)[0]) if values.size == 1 else np.nan
        if not np.isfinite(number):
            raise UndefinedError(f"energy is {value} at t = {t:.9g}; it must be one finite number.")
        return number
