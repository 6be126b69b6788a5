"""A problem of one degree of freedom in compiled code: its functions, and steps and marches made of them."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numba
import numpy as np
from numba import float64, types

from traction.errors import UndefinedError
from traction.integrators.compiled_march import function_pointers
from traction.integrators.compiled_march.kernels import family_marches as families
from traction.integrators.compiled_march.kernels import scalar_steps as kernels
from traction.integrators.compiled_march.long_march import LongMarch, long_march, plain
from traction.integrators.core.method import Errors, ImplicitMethod, Method
from traction.integrators.core.motion import NotFiniteError, StepError
from traction.integrators.core.state import BLANK, NOTHING, State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.methods.alpha_family import lagging

OF_STATE = float64(float64, float64, float64)
JACOBIANS = types.UniTuple(float64, 2)(float64, float64, float64)
OF_PLACE = float64(float64, float64)
Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  #: t, q, v, a of one degree of freedom
Grid = tuple[float, float, int, float]  #: origin and length of fixed steps, those behind, and the last time


def compiles(system: SecondOrderSystem) -> bool:
    """Whether every function of a problem of one degree of freedom is compiled by numba."""
    if not system.is_scalar or callable(system.mass) or system.force is None:
        return False
    for function in (system.force, system.jacobian, system.energy, system.gap):
        if function is not None and not isinstance(function, numba.core.dispatcher.Dispatcher):
            return False
    return True


@dataclass(frozen=True, eq=False)
class _Program:
    """One method on one system, ready to be called; it holds nothing of a march."""

    step: Any
    estimated: Any  #: a step with its errors, or None
    march: Any
    functions: tuple[Any, Any, Any]  #: force, jacobian and potential energy, as pointers
    gap: Any
    known: kernels.Numbers
    numbers: np.ndarray  #: the same as an array
    table: np.ndarray
    loop: LongMarch

    @classmethod
    def of(cls, system: SecondOrderSystem, method: Method) -> _Program:
        """Compiled, or fetched from what is kept."""
        kernel, numbers = method.kernel, _numbers(system, method)
        step, march = _entry_points(kernel.family)
        estimated = None if method.embedded_order is None else _estimated_step(kernel.family)
        k = numbers.stiffness
        functions = (
            function_pointers.force(system.force, system.force_arguments),
            function_pointers.jacobian(system.jacobian),
            function_pointers.potential(system.energy, system.energy_arguments, k),
        )
        loop = long_march(
            kernel.family,
            (system.force, system.force_arguments),
            system.jacobian,
            (system.energy, system.energy_arguments),
            k,
            plain(numbers),
        )
        gap, row = function_pointers.gap(system.gap), np.array(numbers)
        return cls(step, estimated, march, functions, gap, numbers, row, kernel.coefficients, loop)


_PROGRAMS: WeakKeyDictionary[SecondOrderSystem, dict[Method, _Program]] = WeakKeyDictionary()


def _program(system: SecondOrderSystem, method: Method) -> _Program:
    """The program of a method on a system, made once."""
    programs = _PROGRAMS.setdefault(system, {})
    if method not in programs:
        programs[method] = _Program.of(system, method)
    return programs[method]


class CompiledMotion:
    """Steps of one method on one system, wholly in compiled code."""

    def __init__(self, system: SecondOrderSystem, method: Method) -> None:
        self.system = system
        self._program = _program(system, method)
        self._counts = np.zeros(3, dtype=np.int64)
        self._has_x = method.kernel.family == "alpha"

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        forces, jacobians, iterations = self._counts.tolist()
        return {
            "force_evaluations": forces,
            "jacobian_evaluations": jacobians,
            "factorizations": 0,
            "iterations": iterations,
        }

    def begin(self, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """The first state."""
        a = self.acceleration(t, q, v)
        if not math.isfinite(a[0]):
            raise self._error(kernels.NOT_FINITE, t, float(q[0]), float(v[0]))
        return BLANK.but(t=t, q=q, v=v, a=a, x=a if self._has_x else NOTHING, origin=t)

    def step(self, state: State, dt: float) -> State:
        """The state after one step."""
        return self._single(self._program.step, state, dt)[0]

    def estimated_step(self, state: State, dt: float) -> tuple[State, Errors]:
        """The state after one step, and the errors of the embedded solution."""
        end, row = self._single(self._program.estimated, state, dt)
        return end, Errors(*row[families.ERRORS].reshape(3, 1))

    def _single(self, step: Any, state: State, dt: float) -> tuple[State, np.ndarray]:
        """The state after one step, and the row that the kernel left."""
        program, row = self._program, np.array([*self._row(state, dt), 0.0, 0.0, 0.0])
        functions, numbers = program.functions, program.numbers
        status = step(*functions, numbers, program.table, state.t, dt, row, self._counts)
        if status != kernels.DONE:
            raise self._error(status, state.t + dt, row[0], row[1])
        return self._state(state, state.t + dt, row, dt, state.largest), row

    def march(self, state: State, columns: Columns, grid: Grid, pieces: int) -> tuple[int, State]:
        """As many steps as go without event or error: how many, and the last state.

        `columns` are times, of which the first is that of the state, and q, v and a, all to be filled in;
        `grid` are the origin of the steps, their length, the number of those that lie behind, and the time
        after the last one; `pieces` into which samples of the gap divide a step, or 0.
        """
        program = self._program
        origin, length, behind, last = grid
        first = (origin + (behind + 1) * length if len(columns[0]) > 2 else last) - state.t
        start = (*self._row(state, first), *grid)
        row = np.array(start)
        taken = None if pieces else self._long_march(columns, row)
        if taken is None:
            row = np.array(start)
            rest = (program.numbers, program.table, columns, row, pieces, self._counts)
            taken, _ = program.march(*program.functions, program.gap, *rest)
        times = columns[0]
        t = float(times[taken])
        largest = tuple(row[families.MOST_Q : families.ORIGIN].tolist())
        return int(taken), self._state(state, t, row, t - float(times[max(0, taken - 1)]), largest)

    def _long_march(self, columns: Columns, row: np.ndarray) -> int | None:
        """Steps taken by a loop that is compiled for this problem alone, or None where there is none."""
        arguments = (self._program.numbers, self._program.table, columns, row, self._counts)
        loop = self._program.loop.ready(len(columns[0]), arguments)
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
        known = self._program.known
        return np.array([(force - known.damping * speed - known.stiffness * place) * known.inverse])

    def _row(self, state: State, dt: float) -> tuple[float, ...]:
        """The state as kernels know it: q, v, a, x, and the largest of them so far."""
        x = float(lagging(state, dt)[0]) if self._has_x else 0.0
        return (float(state.q[0]), float(state.v[0]), float(state.a[0]), x, *state.largest)

    def _state(self, state: State, t: float, row: np.ndarray, dt: float, largest: Any) -> State:
        """The state that kernels made in a step dt."""
        q, v, a, x = row[:4].reshape(4, 1).copy()
        x, made = (x, dt) if self._has_x else (NOTHING, state.made)
        return state.but(t=t, q=q, v=v, a=a, x=x, made=made, largest=largest)

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
    single, many = _signatures()
    with warnings.catch_warnings():  # numba calls function pointers experimental
        warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
        step.compile(single)
        march.compile(many)
    return step.overloads[single].entry_point, march.overloads[many].entry_point


@lru_cache
def _estimated_step(family: str) -> Any:
    """The step of a family that estimates its errors, likewise."""
    step, single = families.ESTIMATED[family], _signatures()[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
        step.compile(single)
    return step.overloads[single].entry_point


def _signatures() -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Types of the arguments of a single step and of a march."""
    functions = tuple(types.FunctionType(of) for of in (OF_STATE, JACOBIANS, OF_PLACE))
    row, counts = types.float64[::1], types.int64[::1]  # all tables are vectors
    single = (*functions, row, row, float64, float64, row, counts)
    many = (*functions, functions[2], row, row, types.UniTuple(row, 4), row, numba.int64, counts)
    return single, many


def _numbers(system: SecondOrderSystem, method: Method) -> kernels.Numbers:
    """What `scalar_steps` calls numbers."""
    single = lambda matrix: 0.0 if matrix is None else float(matrix[0])  # noqa: E731
    mass = single(system.mass_matrix)
    solver = method.equations if isinstance(method, ImplicitMethod) else None
    return kernels.Numbers(
        mass=mass,
        damping=single(system.damping_matrix),
        stiffness=single(system.stiffness_matrix),
        has_jacobian=float(system.jacobian is not None),
        has_energy=float(system.energy is not None),
        moves=float(system.force_arguments == 3),
        picard=float(solver is not None and solver.solver == "picard"),
        tol=0.0 if solver is None else solver.tol,
        most=0.0 if solver is None else float(solver.max_iterations),
        inverse=1.0 / mass,
        scale=0.0,
    )


def total_energies(system: SecondOrderSystem, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Total energy of states of a compiled system."""
    k = 0.0 if system.stiffness_matrix is None else float(system.stiffness_matrix[0])
    energy = function_pointers.total_energy(
        system.energy, system.energy_arguments, float(system.mass_matrix[0]), k
    )
    values = np.empty(len(t))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
        families.energies(energy, t, q, v, values)
    if not np.isfinite(values).all():
        where = int(np.argmin(np.isfinite(values)))
        raise UndefinedError(f"energy is {values[where]} at t = {t[where]:.9g}; it must be a finite number.")
    return values
