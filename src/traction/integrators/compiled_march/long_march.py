"""Long marches: the user's functions and plain numbers built into the loop, the state in registers.

Compiling a loop for one problem takes a moment and is not kept on disk, so this is for problems that march
long enough to be worth it. The kernels are those of the other marches, compiled once more; they give the same
bits.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

import numba

from traction.integrators.compiled_march import function_pointers
from traction.integrators.compiled_march.kernels.family_marches import STEPS, loop_of, unwatched
from traction.integrators.compiled_march.kernels.scalar_steps import Numbers, numbers_with

#: steps that a problem has marched when a loop of its own is worth compiling, which takes about a second, and
#: a few where equations are solved
LEAST_STEPS, LEAST_IMPLICIT_STEPS = 20_000, 100_000
EXPLICIT = ("euler-forward", "symplectic-euler", "verlet", "rk4")
KEPT_LOOPS = 32


class LongMarch:
    """The loop of one problem, compiled when it has marched long enough."""

    def __init__(self, family: str, functions: tuple[Any, ...], known: Numbers) -> None:
        self._family, self._functions, self._known = family, functions, known
        self._steps, self._least = 0, LEAST_STEPS if family in EXPLICIT else LEAST_IMPLICIT_STEPS
        self._loop: Any = None

    def ready(self, steps: int, arguments: tuple[Any, ...]) -> Any:
        """march(numbers, table, columns, row, counts), or None while it is not worth it."""
        self._steps += steps
        if self._loop is None and self._steps >= self._least:
            self._loop = self._compiled(arguments)
        return self._loop

    def _compiled(self, arguments: tuple[Any, ...]) -> Any:
        """The loop for arguments of these types, past the dispatcher, which would look at them every time."""
        step, numbers_from = STEPS[self._family], numbers_with(self._known)  # type: ignore[no-untyped-call]
        loop: Any = numba.njit(loop_of(step, unwatched, numbers_from))  # type: ignore[no-untyped-call]
        force, jacobian, potential = self._functions

        @numba.njit
        def march(numbers, table, columns, row, counts):  # type: ignore[no-untyped-def]
            return loop(force, jacobian, potential, None, numbers, table, columns, row, 0, counts)

        signature = tuple(numba.typeof(argument) for argument in arguments)
        with warnings.catch_warnings():  # numba calls tuples of functions experimental
            warnings.simplefilter("ignore", numba.core.errors.NumbaExperimentalFeatureWarning)
            march.compile(signature)
        return march.overloads[signature].entry_point


def plain(numbers: Numbers) -> Numbers:
    """What is built into a loop: all that is 0 or 1. Other masses and springs share a loop."""
    return Numbers(*(value if value in (0.0, 1.0) else None for value in numbers))


@lru_cache(maxsize=KEPT_LOOPS)
def long_march(
    family: str, force: tuple[Any, int], jacobian: Any, energy: tuple[Any, int], k: float, known: Numbers
) -> LongMarch:
    """The loop of a problem with these functions, each with the number of its arguments where it may vary,
    and of these numbers.
    """
    return LongMarch(
        family,
        (
            function_pointers.of_state(*force),
            function_pointers.slopes(jacobian),
            function_pointers.potential_of(*energy, k),
        ),
        known,
    )
