"""Long marches: the user's functions and plain numbers built into the loop.

Compiling a loop for one problem takes a moment and is not stored on disk, so this is for problems that march
long enough to be worth it. For one degree of freedom the state is kept in registers, and the formulas return
the same bits as in the other compiled marches; for several it is arrays.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache

import numba

from traction.compiled.kernel import compile_function
from traction.errors import TractionError
from traction.integrators.compiled_march.kernels.compiled_operations import Functions
from traction.integrators.compiled_march.kernels.march_loops import (
    SCALAR,
    VECTOR,
    is_unwatched,
    make_built_in_march,
    make_march,
    meets_gap,
)
from traction.integrators.compiled_march.kernels.user_functions import make_scalar_functions
from traction.integrators.core.kernels.step_solver import Formulas, Traits
from traction.integrators.core.method import MakeStep

#: steps that a problem has marched when a loop of its own is worth compiling, which takes about a second, a
#: few where equations are solved, and more of vectors
LEAST_STEPS, LEAST_IMPLICIT_STEPS, LEAST_VECTOR_STEPS = 20_000, 100_000, 200_000
KEPT_LOOPS = 32


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
