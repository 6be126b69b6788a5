"""Steps and marches of a system in compiled code, from the same formulas as the interpreted ones.

Long marches have the user's functions and plain numbers built into their loop. Compiling a loop for one
problem takes a moment and is not stored on disk, so this is for problems that march long enough to be worth
it. For one degree of freedom the state is kept in registers, and the formulas return the same bits as in the
other compiled marches; for several it is arrays.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numba
import numpy as np
from numba import float64
from scipy import sparse

from traction.compiled import kernel
from traction.compiled.kernel import compile_function
from traction.errors import TractionError, UndefinedError
from traction.integrators.compiled_march.kernels.compiled_operations import (
    CompiledProblem,
    Functions,
    Matrices,
)
from traction.integrators.compiled_march.kernels.march_loops import (
    SCALAR,
    VECTOR,
    TimeGrid,
    energies,
    is_unwatched,
    make_built_in_march,
    make_march,
    make_single_step,
    meets_gap,
)
from traction.integrators.compiled_march.kernels.user_functions import (
    POINTERS,
    make_pointers,
    make_scalar_functions,
    make_total_energy,
    make_vector_functions,
)
from traction.integrators.core.kernels.step_solver import (
    DONE,
    FORCES,
    NOT_FINITE,
    Formulas,
    StepSetting,
    Traits,
)
from traction.integrators.core.matrices import dense
from traction.integrators.core.method import Errors, MakeStep, Method, Vectors
from traction.integrators.core.motion import WORK, NotFiniteError, find_traits
from traction.integrators.core.state import BLANK, NOTHING, State
from traction.integrators.core.system import SecondOrderSystem

#: steps that a problem has marched when a loop of its own is worth compiling, which takes about a second, a
#: few where equations are solved, and more of vectors
LEAST_STEPS, LEAST_IMPLICIT_STEPS, LEAST_VECTOR_STEPS = 20_000, 100_000, 200_000
KEPT_LOOPS = 32
#: of a system that marches in compiled code; larger ones are better served by libraries
MOST_COORDINATES = 16
Given = tuple[tuple, tuple[int, int]]  #: the user's functions; how many arguments force and energy take
Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  #: t, q, v, a

#: types of a problem of one degree of freedom, of a state, and of what a march takes beside them
PROBLEM = numba.types.NamedTuple(
    (
        POINTERS,
        numba.typeof(Traits(1, *[False] * 6)),
        numba.typeof(Matrices(*[1.0] * 5)),
        numba.int64[::1],
    ),
    CompiledProblem,
)
STATE = numba.types.UniTuple(float64, 4)
MARCH = (
    numba.types.UniTuple(float64[::1], 4),
    STATE,
    numba.types.UniTuple(float64, 3),
    numba.typeof(TimeGrid(0.0, 0.0, 0, 0.0, 0)),
)


class LongMarch:
    """The loop of one problem, compiled when it has marched long enough."""

    def __init__(
        self, make_step: MakeStep, is_implicit: bool, find_functions: Callable[[], Functions], traits: Traits
    ) -> None:
        self._make_step, self._find_functions, self._traits = make_step, find_functions, traits
        self._steps, self._least = 0, LEAST_IMPLICIT_STEPS if is_implicit else LEAST_STEPS
        if traits.n > 1:
            self._least = LEAST_VECTOR_STEPS
        self._loop: Formulas | None = None
        self._fails = False

    def count(self, steps: int) -> None:
        """Steps that the problem is about to march."""
        self._steps += steps

    def is_worth(self, steps: int) -> bool:
        """Whether there is a loop, or compiling one is worthwhile for so many steps."""
        return not self._fails and (self._loop is not None or self._steps + steps >= self._least)

    def compiled(self, arguments: tuple) -> Formulas | None:
        """march(matrices, setting, columns, y, largest, grid, work), or None where it cannot be compiled."""
        if self._loop is None and not self._fails:
            try:
                self._loop = self._compile(arguments)
            except (numba.core.errors.NumbaError, TractionError, TypeError, ValueError):
                self._fails = True  # of vectors that are no arrays of numbers: they stay interpreted
        return self._loop

    def _compile(self, arguments: tuple) -> Formulas:
        """The loop for arguments of these types, past the dispatcher, which would look at them every time."""
        is_scalar, mass = self._traits.n == 1, arguments[0].mass
        operations, is_met = (SCALAR, is_unwatched) if is_scalar else (VECTOR, meets_gap)
        loop = make_march(self._make_step(operations), operations.norm, is_met)
        is_unit = is_scalar and mass == 1.0
        march = compile_function(make_built_in_march(loop, self._find_functions(), self._traits, is_unit))
        signature = tuple(numba.typeof(argument) for argument in arguments)
        with warnings.catch_warnings():  # numba calls tuples of functions experimental
            warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
            march.compile(signature)
        entry_point: Formulas = march.overloads[signature].entry_point
        return entry_point


@lru_cache(maxsize=KEPT_LOOPS)
def share_long_march(
    make_step: MakeStep, is_implicit: bool, given: tuple, stiffness: float, traits: Traits, is_unit: bool
) -> LongMarch:
    """The loop of problems of one degree of freedom with these functions, and a mass that is 1 or is not."""
    return LongMarch(make_step, is_implicit, lambda: make_scalar_functions(*given, stiffness), traits)


def compiles(system: SecondOrderSystem) -> bool:
    """Whether every function of a problem is compiled by numba, and its matrices are small and constant."""
    if callable(system.mass) or system.force is None or system.mean_force is not None:
        return False
    matrices = (system.mass_matrix, system.damping_matrix, system.stiffness_matrix)
    if system.size > MOST_COORDINATES or any(sparse.issparse(matrix) for matrix in matrices):
        return False
    functions = (system.force, system.jacobian, system.energy, system.gap)
    return all(isinstance(f, numba.core.dispatcher.Dispatcher) for f in functions if f is not None)


class _SharedKernels(NamedTuple):
    """Kernels shared by all problems of one degree of freedom, which take their functions as pointers."""

    pointers: Functions
    step: Formulas
    march: Formulas


class _Program(NamedTuple):
    """One method on one system, ready to be called; without the state of a march."""

    traits: Traits
    matrices: Matrices
    loop: LongMarch
    shared: _SharedKernels | None = None  #: None of several degrees of freedom


_PROGRAMS: WeakKeyDictionary[SecondOrderSystem, dict[Method, _Program]] = WeakKeyDictionary()


def find_program(system: SecondOrderSystem, method: Method) -> _Program:
    """The program of a method on a system, made once."""
    programs = _PROGRAMS.setdefault(system, {})
    if method not in programs:
        functions = (system.force, system.jacobian, system.energy, system.gap)
        given: Given = functions, (system.force_arguments, system.energy_arguments)
        programs[method] = (_scalar_program if system.is_scalar else _vector_program)(system, method, given)
    return programs[method]


def _scalar_program(system: SecondOrderSystem, method: Method, given: Given) -> _Program:
    """Function pointers, and kernels that are the same for all problems."""
    traits, matrices, make_step = find_traits(system), _scalar_matrices(system), method.make_step
    k, is_unit = matrices.stiffness, matrices.mass == 1.0
    return _Program(
        traits,
        matrices,
        share_long_march(make_step, method.implicit, given, k, traits, is_unit),
        _SharedKernels(
            make_pointers(*given, k),
            _compile_step(make_step, method.setting),
            _compile_step(make_step, method.setting, marches=True),
        ),
    )


def _vector_program(system: SecondOrderSystem, method: Method, given: Given) -> _Program:
    """A loop for this system alone."""
    n, traits = system.size, find_traits(system)
    C, K = (np.zeros(n) if a is None else a for a in (system.damping_matrix, system.stiffness_matrix))
    M, C, K = (np.ascontiguousarray(dense(a, n)) for a in (system.mass_matrix, C, K))
    matrices = Matrices(M, np.linalg.inv(M), float(abs(M).max()), C, K)
    find_functions = lambda: make_vector_functions(*given, K)  # noqa: E731
    return _Program(traits, matrices, LongMarch(method.make_step, method.implicit, find_functions, traits))


def _scalar_matrices(system: SecondOrderSystem) -> Matrices:
    c, k = (0.0 if a is None else float(a[0]) for a in (system.damping_matrix, system.stiffness_matrix))
    mass = float(system.mass_matrix[0])
    return Matrices(mass, 1.0 / mass, mass, c, k)


_ENTRY_POINTS: dict[tuple[MakeStep, bool], Formulas] = {}


def _compile_step(make_step: MakeStep, setting: StepSetting, marches: bool = False) -> Formulas:
    """A step, or a march, of one degree of freedom, compiled or fetched from the cache.

    It is the machine code of the kernel, past the dispatcher, which would look up the types in every call.
    """
    if (make_step, marches) not in _ENTRY_POINTS:
        step = make_step(SCALAR)
        function = make_march(step, SCALAR.norm, meets_gap) if marches else make_single_step(step)
        more = MARCH if marches else (float64, float64, float64, STATE)
        compiled, signature = kernel(function), (PROBLEM, numba.typeof(setting), *more)
        with warnings.catch_warnings():  # numba calls function pointers experimental
            warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
            compiled.compile(signature)
        _ENTRY_POINTS[make_step, marches] = compiled.overloads[signature].entry_point
    return _ENTRY_POINTS[make_step, marches]


class CompiledMarch:
    """Long marches of one method on one system of several degrees of freedom."""

    def __init__(self, system: SecondOrderSystem, method: Method) -> None:
        self.system, self.method = system, method
        self.work = np.zeros(len(WORK), dtype=np.int64)
        self._program = find_program(system, method)

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        return dict(zip(WORK, self.work.tolist(), strict=True))

    def is_ready(self, steps: int) -> bool:
        """Whether compiled code takes the first steps of a march of so many."""
        return self._program.loop.is_worth(steps)

    def march(self, state: State, columns: Columns, grid: TimeGrid) -> tuple[int, State]:
        """Take as many steps as possible without event or error; returns their number and the last state.

        `columns` are times, of which the first is that of the state, and q, v and a, all to be filled in.
        """
        times = columns[0]
        first = grid.origin + (grid.behind + 1) * grid.length if len(times) > 2 else grid.last
        y = self._plain(self.method.vectors(state, first - state.t))
        taken, y, largest = self._run(columns, y, state.largest, grid)
        if not taken:
            return 0, state
        t = float(times[taken])
        end = self.method.next_state(state, t - float(times[taken - 1]), self._vectors(y))
        return taken, end.but(t=t, largest=largest)

    def _plain(self, y: Vectors) -> tuple:
        """The state as the formulas take it."""
        q, v, a, x = map(np.ascontiguousarray, y)
        return q, v, a, x

    def _vectors(self, y: tuple) -> Vectors:
        """The state that the formulas made."""
        return y

    def _run(self, columns: Columns, y: tuple, largest: tuple, grid: TimeGrid) -> tuple:
        """Steps taken, the last y and the largest sizes, by a loop compiled for this problem alone."""
        arguments = (self._program.matrices, self.method.setting, columns, y, largest, grid, self.work)
        loop = self._program.loop.compiled(arguments)
        try:
            return (0, y, largest) if loop is None else loop(*arguments)
        except Exception:  # of the user's force, or a singular matrix; the plain march finds the step
            return 0, y, largest


class CompiledMotion(CompiledMarch):
    """Steps and marches of one degree of freedom, wholly in compiled code."""

    def __init__(self, system: SecondOrderSystem, method: Method) -> None:
        super().__init__(system, method)
        program = self._program
        assert program.shared is not None
        self._kernels = program.shared
        self._problem = CompiledProblem(self._kernels.pointers, program.traits, program.matrices, self.work)

    def is_ready(self, steps: int) -> bool:
        """Always."""
        return True

    def begin(self, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """The first state."""
        a = self.acceleration(t, q, v)
        if not math.isfinite(a[0]):
            raise _not_finite(t, (float(q[0]), float(v[0])))
        return self.method.resume(BLANK.but(t=t, q=q, v=v, a=a, x=NOTHING, origin=t))

    def step(self, state: State, dt: float) -> State:
        """The state after one step."""
        _, _, y = self._take(self._kernels.step, state, dt)
        return self.method.next_state(state, dt, self._vectors(y))

    def estimated_step(self, state: State, dt: float) -> tuple[State, Errors]:
        """The state after one step, and the errors of the embedded solution."""
        assert self.method.make_estimated_step is not None
        step = _compile_step(self.method.make_estimated_step, self.method.setting)
        _, _, y, errors = self._take(step, state, dt)
        return self.method.next_state(state, dt, self._vectors(y)), Errors(*np.array(errors).reshape(3, 1))

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """a = (f - c v - k q)/m; NaN where the force fails."""
        place, speed, system, known = float(q[0]), float(v[0]), self.system, self._program.matrices
        self.work[FORCES] += 1
        try:
            force = float(system.force(*(t, place, speed)[: system.force_arguments]))  # type: ignore[misc, arg-type]
        except Exception:  # whatever the user's function raises
            force = np.nan
        return np.array([(force - known.damping * speed - known.stiffness * place) * known.inverse])  # type: ignore[operator]

    def _take(self, step: Formulas, state: State, dt: float) -> tuple:
        """Result of the formulas of a step."""
        method, scale = self.method, self._program.matrices.heaviest * state.largest[2]
        found = step(
            self._problem, method.setting, scale, state.t, dt, self._plain(method.vectors(state, dt))
        )
        status, missed = found[:2]
        if status == NOT_FINITE:
            raise _not_finite(state.t + dt, found[2])
        if status != DONE:
            raise method.step_error(status, missed, state.t + dt)
        return found

    def _plain(self, y: Vectors) -> tuple:
        q, v, a, x = y
        return float(q[0]), float(v[0]), float(a[0]), float(x[0])

    def _vectors(self, y: tuple) -> Vectors:
        q, v, a, x = np.array(y).reshape(4, 1)
        return q, v, a, x

    def _run(self, columns: Columns, y: tuple, largest: tuple, grid: TimeGrid) -> tuple:
        program = self._program
        program.loop.count(len(columns[0]))
        if not grid.pieces and program.loop.is_worth(0):
            found = super()._run(columns, y, largest, grid)
            if found[0]:
                return found
        return self._kernels.march(self._problem, self.method.setting, columns, y, largest, grid)


def _not_finite(t: float, y: tuple) -> NotFiniteError:
    return NotFiniteError(f"force is not finite near t = {t:.9g}, where q = {y[0]:.6g} and v = {y[1]:.6g}")


def total_energies(system: SecondOrderSystem, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Total energy of states of a compiled system of one degree of freedom."""
    known, values = _scalar_matrices(system), np.empty(len(t))
    energy = make_total_energy(system.energy, system.energy_arguments, known.mass, known.stiffness)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
        energies(energy, t, q, v, values)
    if not np.isfinite(values).all():
        where = int(np.argmin(np.isfinite(values)))
        raise UndefinedError(f"energy is {values[where]} at t = {t[where]:.9g}; it must be a finite number.")
    return values
