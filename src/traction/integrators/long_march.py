"""Long marches: the user's functions built into the loop, the state in registers.

Compiling a loop for one problem takes a moment and is not kept on disk, so this is for problems that march long
enough to be worth it. The kernels are those of the other marches, compiled once more, and give the same bits.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

import numba

from traction.integrators import pointers
from traction.integrators.family_kernels import FAMILIES

LEAST_STEPS = 20_000  #: that a problem has marched when a loop of its own is worth compiling
KEPT_LOOPS = 32


class LongMarch:
    """The loop of one problem, compiled when it has marched long enough."""

    def __init__(self, family: str, functions: tuple[Any, ...]) -> None:
        self._family, self._functions = family, functions
        self._steps = 0
        self._loop: Any = None

    def ready(self, steps: int, arguments: tuple[Any, ...]) -> Any:
        """march(numbers, table, columns, row, pieces, counts), or None while it is not worth it."""
        self._steps += steps
        if self._loop is None and self._steps >= LEAST_STEPS:
            self._loop = self._compiled(arguments)
        return self._loop

    def _compiled(self, arguments: tuple[Any, ...]) -> Any:
        """The loop for arguments of these types, past the dispatcher, which would look at them in every call."""
        loop = numba.njit(FAMILIES[self._family][1].py_func)
        force, jacobian, potential, gap = self._functions

        @numba.njit
        def march(numbers, table, columns, row, pieces, counts):  # type: ignore[no-untyped-def]
            return loop(force, jacobian, potential, gap, numbers, table, columns, row, pieces, counts)

        signature = tuple(numba.typeof(argument) for argument in arguments)
        with warnings.catch_warnings():  # numba calls tuples of functions experimental
            warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
            march.compile(signature)
        return march.overloads[signature].entry_point


@lru_cache(maxsize=KEPT_LOOPS)
def long_march(family: str, force: Any, jacobian: Any, energy: Any, gap: Any, k: float) -> LongMarch:
    """The loop of a problem with these functions, each with the number of its arguments where it may vary."""
    return LongMarch(
        family,
        (
            pointers.of_state(*force),
            pointers.slopes(jacobian),
            pointers.potential_of(*energy, k),
            pointers.gap_of(gap),
        ),
    )
