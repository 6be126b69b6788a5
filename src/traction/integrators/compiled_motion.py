"""A problem of one degree of freedom in compiled code: its functions, and steps and marches made of them."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import float64, types

from traction.errors import UndefinedError
from traction.integrators import family_kernels as families
from traction.integrators import pointers
from traction.integrators import scalar_kernels as kernels
from traction.integrators.alpha import lagging
from traction.integrators.long_march import long_march
from traction.integrators.method import ImplicitMethod, Method
from traction.integrators.motion import NotFiniteError, StepError
from traction.integrators.state import NOTHING, State
from traction.integrators.system import SecondOrderSystem

OF_STATE = float64(float64, float64, float64)
JACOBIANS = types.UniTuple(float64, 2)(float64, float64, float64)
OF_PLACE = float64(float64, float64)
Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  #: t, q, v, a of one degree of freedom
KEPT_FUNCTIONS = 64  #: function pointers of earlier problems


def compiles(system: SecondOrderSystem) -> bool:
    """Whether every function of a problem of one degree of freedom is compiled by numba."""
    if not system.is_scalar or callable(system.mass) or system.force is None:
        return False
    given = (system.force, system.jacobian, system.energy, system.gap)
    return all(
        function is None or isinstance(function, numba.core.dispatcher.Dispatcher) for function in given
    )


class CompiledMotion:
    """Steps of one method on one system, wholly in compiled code."""

    def __init__(self, system: SecondOrderSystem, method: Method) -> None:
        self.system = system
        kernel = method.kernel
        self._step, self._march = _entry_points(kernel.family)
        self._table = kernel.coefficients
        k = 0.0 if system.stiffness_matrix is None else float(system.stiffness_matrix[0])
        self._functions = (
            pointers.force(system.force, system.force_arguments),
            pointers.jacobian(system.jacobian),
            pointers.potential(system.energy, system.energy_arguments, k),
        )
        self._gap = pointers.gap(system.gap)
        self._long = long_march(
            kernel.family,
            (system.force, system.force_arguments),
            system.jacobian,
            (system.energy, system.energy_arguments),
            k,
        )
        self._numbers = _numbers(system, method)
        self._inverse = 1.0 / float(self._numbers[0])
        self._counts = np.zeros(3, dtype=np.int64)
        self._has_x = method.kernel.family == "alpha"

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        forces, jacobians, iterations = (int(count) for count in self._counts)
        return {
            "force_evaluations": forces,
            "jacobian_evaluations": jacobians,
            "factorizations": 0,
            "iterations": iterations,
        }

    def begin(self, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """The first state."""
        a = self.acceleration(t, q, v)
        if not np.isfinite(a[0]):
            raise self._error(kernels.NOT_FINITE, t, float(q[0]), float(v[0]))
        return State(t, q, v, a, a if self._has_x else NOTHING)

    def step(self, state: State, dt: float) -> State:
        """The state after one step."""
        row = self._row(state, dt)
        status = self._step(*self._functions, self._numbers, self._table, state.t, dt, row, self._counts)
        if status != kernels.DONE:
            raise self._error(status, state.t + dt, row[0], row[1])
        return self._state(state, state.t + dt, row, dt)

    def march(self, state: State, columns: Columns, pieces: int) -> tuple[int, State]:
        """As many of the steps to the times as go without event or error: how many, and the last state.

        `columns` are the times, of which the first is that of the state, and q, v and a to be filled in;
        `pieces` into which samples of the gap divide a step, or 0.
        """
        first = float(columns[0][1] - columns[0][0])
        row = np.concatenate((self._row(state, first), state.largest))
        taken = None if pieces else self._long_march(columns, row)
        if taken is None:
            row = np.concatenate((self._row(state, first), state.largest))
            rest = (self._numbers, self._table, columns, row, pieces, self._counts)
            taken, _ = self._march(*self._functions, self._gap, *rest)
        before, t = columns[0][max(0, taken - 1)], columns[0][taken]
        end = self._state(state, float(t), row, float(t - before))
        largest = (float(row[4]), float(row[5]), float(row[6]))
        return int(taken), end.but(largest=largest)

    def _long_march(self, columns: Columns, row: np.ndarray) -> int | None:
        """Steps taken by a loop that is compiled for this problem alone, or None where there is none."""
        arguments = (self._numbers, self._table, columns, row, self._counts)
        loop = self._long.ready(len(columns[0]), arguments)
        try:
            return None if loop is None else int(loop(*arguments)[0])
        except Exception:  # of the user's force; the plain march finds the step
            return None

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """a = (f - c v - k q)/m; not a number where the force fails."""
        place, speed, system = float(q[0]), float(v[0]), self.system
        self._counts[0] += 1
        try:
            force = float(system.force(*(t, place, speed)[: system.force_arguments]))  # type: ignore[misc]
        except Exception:  # whatever the user's function raises
            force = np.nan
        _, c, k = self._numbers[:3].tolist()
        return np.array([(force - c * speed - k * place) * self._inverse])

    def _row(self, state: State, dt: float) -> np.ndarray:
        """The state as kernels know it."""
        self._numbers[kernels.SCALE] = self._numbers[0] * state.largest[2]  # the mass is the first
        x = lagging(state, dt)[0] if self._has_x else 0.0
        return np.array([state.q[0], state.v[0], state.a[0], x])

    def _state(self, state: State, t: float, row: np.ndarray, dt: float) -> State:
        """The state that kernels made in a step dt."""
        end = state.but(t=t, q=row[0:1].copy(), v=row[1:2].copy(), a=row[2:3].copy())
        return end.but(x=row[3:4].copy(), made=dt) if self._has_x else end.but(x=NOTHING)

    def _error(self, status: int, t: float, q: float, v: float) -> StepError:
        """What a status of a kernel means."""
        if status == kernels.NOT_FINITE:
            return NotFiniteError(f"force is not finite near t = {t:.9g}, where q = {q:.6g} and v = {v:.6g}")
        if status == kernels.DIVERGED:
            return StepError(
                f'Picard\'s iteration diverges at t = {t:.9g}; take a smaller dt, or solver="newton"'
            )
        return StepError(
            f"the equations of the step did not converge at t = {t:.9g}; take a smaller dt, or check that "
            "the force is continuous"
        )


@lru_cache
def _entry_points(family: str) -> tuple[Any, Any]:
    """Single step and march of a family, compiled or fetched from the cache.

    Called past the dispatchers, which would look up the types of the functions in every call; all problems
    have the same ones.
    """
    step, march = families.FAMILIES[family]
    functions = tuple(types.FunctionType(of) for of in (OF_STATE, JACOBIANS, OF_PLACE))
    row, counts = types.float64[::1], types.int64[::1]  # all tables are vectors
    single = (*functions, row, row, float64, float64, row, counts)
    many = (*functions, functions[2], row, row, types.UniTuple(row, 4), row, numba.int64, counts)
    with warnings.catch_warnings():  # numba calls function pointers experimental
        warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
        step.compile(single)
        march.compile(many)
    return step.overloads[single].entry_point, march.overloads[many].entry_point


def _numbers(system: SecondOrderSystem, method: Method) -> np.ndarray:
    """What `scalar_kernels` calls numbers."""
    single = lambda matrix: 0.0 if matrix is None else float(matrix[0])  # noqa: E731
    mass = single(system.mass_matrix)
    solver = method.equations if isinstance(method, ImplicitMethod) else None
    return np.array(
        kernels.Numbers(
            mass=mass,
            damping=single(system.damping_matrix),
            stiffness=single(system.stiffness_matrix),
            has_jacobian=system.jacobian is not None,
            has_energy=system.energy is not None,
            moves=system.force_arguments == 3,
            picard=solver is not None and solver.solver == "picard",
            tol=0.0 if solver is None else solver.tol,
            most=0 if solver is None else solver.max_iterations,
            inverse=1.0 / mass,
            scale=0.0,
        ),
        dtype=np.float64,
    )


def total_energies(system: SecondOrderSystem, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Total energy of states of a compiled system."""
    k = 0.0 if system.stiffness_matrix is None else float(system.stiffness_matrix[0])
    energy = pointers.total_energy(system.energy, system.energy_arguments, float(system.mass_matrix[0]), k)
    values = np.empty(len(t))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
        families.energies(energy, t, q, v, values)
    if not np.isfinite(values).all():
        where = int(np.argmin(np.isfinite(values)))
        raise UndefinedError(f"energy is {values[where]} at t = {t[where]:.9g}; it must be a finite number.")
    return values
