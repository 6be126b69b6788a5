"""The user's compiled functions, as kernels see them: f(t, q, v), its slopes, V(t, q) and gap(t, q).

Of one degree of freedom also as function pointers: of one type for all problems, so that no kernel is
compiled anew for each. Loops that are compiled for one problem have the functions themselves, of vectors too.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from functools import lru_cache

import numba
import numpy as np
from numba import float64, types

from traction.errors import InputError
from traction.integrators.compiled_march.kernels.compiled_operations import Functions

KEPT = 64  #: functions of earlier problems
OF_STATE = float64(float64, float64, float64)
OF_PLACE = float64(float64, float64)
SLOPES = types.UniTuple(float64, 2)(float64, float64, float64)
POINTERS = types.NamedTuple(tuple(map(types.FunctionType, (OF_STATE, SLOPES, OF_PLACE, OF_PLACE))), Functions)
VECTOR = float64[::1]


@numba.njit
def as_array(values):
    """Result of a function of vectors, as a row of numbers."""
    return 1.0 * np.ascontiguousarray(values)


@lru_cache(maxsize=KEPT)
def make_scalar_functions(system_functions, arguments, stiffness):
    """Functions of numbers from the user's force, jacobian, energy and gap.

    `arguments` are how many of them force and energy take.
    """
    force, jacobian, energy, gap = system_functions
    half = 0.5 * stiffness
    return Functions(
        make_force(force, arguments[0], float),
        make_slopes(jacobian, float, (float64, float64, float64)),
        make_potential(energy, arguments[1], numba.njit(lambda q: half * q * q)),
        make_gap(gap),
    )


@lru_cache(maxsize=KEPT)
def make_pointers(system_functions, arguments, stiffness):
    """The same as function pointers; a failure there is NaN, which stops a march."""
    force, jacobian, potential, gap = make_scalar_functions(system_functions, arguments, stiffness)
    return Functions(
        make_pointer("force", OF_STATE, guard_state(force, np.nan)),
        make_pointer("jacobian", SLOPES, guard_state(jacobian, (np.nan, np.nan))),
        make_pointer("energy", OF_PLACE, guard_place(potential)),
        make_pointer("gap", OF_PLACE, guard_place(gap)),
    )


def make_vector_functions(
    system_functions: tuple, arguments: tuple[int, int], stiffness: np.ndarray
) -> Functions:
    """Functions of vectors, likewise."""
    force, jacobian, energy, gap = system_functions
    return Functions(
        make_force(force, arguments[0], as_array),
        make_slopes(jacobian, as_array, (float64, VECTOR, VECTOR)),
        make_potential(energy, arguments[1], numba.njit(lambda q: 0.5 * np.sum(q * np.dot(stiffness, q)))),
        make_gap(gap),
    )


def make_force(function, arguments, convert):
    """A force of (t), (t, q) or (t, q, v) as one of (t, q, v)."""
    if arguments == 1:
        return numba.njit(lambda t, q, v: convert(function(t)))
    if arguments == 2:
        return numba.njit(lambda t, q, v: convert(function(t, q)))
    return numba.njit(lambda t, q, v: convert(function(t, q, v)))


def make_slopes(function, convert, signature):
    """A jacobian that returns (df/dq, df/dv), or df/dq alone, as one that returns both."""
    if function is None:
        return no_slopes if convert is float else no_slope_matrices

    def pair(t, q, v):
        by_q, by_v = function(t, q, v)
        return (convert(by_q), convert(by_v))

    def single(t, q, v):
        by_q = convert(function(t, q, v))
        return (by_q, 0.0 * by_q)

    for shape in (numba.njit(pair), numba.njit(single)):
        try:
            shape.compile(signature)
            return shape
        except numba.core.errors.NumbaError:
            continue
    raise InputError("jacobian cannot be compiled: it must return df/dq, or (df/dq, df/dv), as numbers.")


@numba.njit
def no_slopes(t, q, v):
    """What stands for a jacobian that is not given."""
    return np.nan, np.nan


@numba.njit
def no_slope_matrices(t, q, v):
    """The same of vectors."""
    return np.outer(q, q), np.outer(q, q)


def make_potential(energy, arguments, elastic):
    """Potential energy of the force, V(t, q), without that of the stiffness; zero where none is given."""
    if energy is None:
        return numba.njit(lambda t, q: 0.0)
    full = make_energy(energy, arguments)
    if arguments == 1:
        return numba.njit(lambda t, q: full(t, q, 0.0 * q))
    return numba.njit(lambda t, q: full(t, q, 0.0 * q) - elastic(q))


def make_energy(function, arguments):
    """An energy of (q), (q, v) or (t, q, v) as one of (t, q, v)."""
    if arguments == 1:
        return numba.njit(lambda t, q, v: float(function(q)))
    if arguments == 2:
        return numba.njit(lambda t, q, v: float(function(q, v)))
    return numba.njit(lambda t, q, v: float(function(t, q, v)))


@lru_cache(maxsize=KEPT)
def make_total_energy(energy, arguments, m, k):
    """A function pointer of the total energy at (t, q, v)."""
    full = make_energy(energy, arguments)
    if arguments == 1:
        potential = full
        full = numba.njit(lambda t, q, v: potential(t, q, v) + 0.5 * m * v * v + 0.5 * k * q * q)
    return make_pointer("energy", OF_STATE, guard_state(full, np.nan))


def make_gap(function):
    """The gap at (t, q); open where there is none."""
    if function is None:
        return numba.njit(lambda t, q: 1.0)
    return numba.njit(lambda t, q: float(function(t, q)))


def guard_state(function, nothing):
    """An exception cannot leave a function pointer; NaN stops the march."""

    def guarded(t, q, v):
        try:
            return function(t, q, v)
        except Exception:  # whatever the user's function raises
            return nothing

    return guarded


def guard_place(function):
    """The same for functions of (t, q)."""

    def guarded(t, q):
        try:
            return function(t, q)
        except Exception:  # whatever the user's function raises
            return np.nan

    return guarded


def make_pointer(name, signature, function):
    """A function pointer, or an error that calls the function by its name."""
    try:
        return numba.cfunc(signature)(function)
    except (numba.core.errors.NumbaError, TypeError, ValueError) as error:
        words = str(error).strip().splitlines()[-1]
        raise InputError(f"{name} cannot be compiled for numbers (float64): {words}") from error
