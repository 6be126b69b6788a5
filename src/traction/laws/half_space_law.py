"""`HalfSpaceLaw`: the contact of a surface of any shape, solved on a grid at every call."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.grid_size_advice import advise_grid_size
from traction.contact.normal.normal_problem import NormalProblem, check_problem
from traction.contact.normal.press import NormalContact, build_result, solve_separated
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw, Memory, Response
from traction.laws.continuation import (
    ContactSolution,
    ContactTask,
    HalfSpaceMemory,
    WindowInfluences,
    follow_approach,
)
from traction.materials import Pair
from traction.surfaces import Surface, gap_on

LARGEST_GROWTH = 4  #: elements per side of an enlarged grid over those of the given one, at most
GROWTH = 8  #: a grid that is too small gets one element in so many on either side
FRESH = "take it from a law of the same surface and grid."
LEAST_DEPTH = 1e-6  #: from which the law is tabulated, over the width of its grid


class HalfSpaceLaw(ContactLaw):
    """Contact law of a surface of any shape on the half space, solved on a grid at every call.

    The approach counts from gap zero, as in `tr.press`. Each call begins from a memory: the given one,
    which leaves the law unchanged, or `law.memory`, which then becomes the result of this call. The
    response depends on memory and approach only, to the last bit: a run that stores its memory resumes as
    if it had never stopped. For line contact forces are per metre.

    Parameters
    ----------
    surface
        Gap, as in `tr.press`: a surface, a function of x and y, or an array over the grid.
    grid
        Grid of the contact. Where the contact reaches its edge, it grows by elements of the same size on both
        sides, up to four times as many per side; not for an array.
    pair
        Materials of the two bodies.
    tol
        Largest distance left in the contact, relative to the approach; errors of force, stiffness and
        energy are far smaller.

    Raises
    ------
    InputError
        If an input is out of range; a contact that outgrows its grid raises too.

    Examples
    --------
    >>> law = tr.HalfSpaceLaw(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), tr.Pair(tr.STEEL, tr.STEEL))
    >>> print(f"{law(1e-6):.1f} N, {law.response(1e-6).stiffness / 1e6:.1f} N/um")
    21.5 N, 32.4 N/um
    """

    def __init__(
        self,
        surface: Surface | Callable[..., np.ndarray] | ArrayLike,
        grid: Grid,
        pair: Pair,
        *,
        tol: float = 1e-8,
    ) -> None:
        self.surface, self.pair = surface, pair
        self._tol = checks.tolerance("tol", tol)
        self.evaluations = 0  #: calls of `response`
        self.iterations = 0  #: of pressure and rate, in all these calls
        problem = self._problem_on(grid)
        self._given = problem.grid
        self._problems = {self._given.shape: problem}
        self._influences = WindowInfluences(problem.half_space)
        self._memory = HalfSpaceMemory.empty(self._given.shape)

    @property
    def tol(self) -> float:
        """Largest distance left in the contact over the approach."""
        return self._tol

    @property
    def grid(self) -> Grid:
        """The grid in use: the given one, or a larger one around the same elements."""
        return self.grid_of(self._memory)

    @property
    def first_touch(self) -> float:
        """The lowest gap, m."""
        return self._problem_of(self._memory).lowest

    @property
    def memory(self) -> Memory:
        """The warm start of the next call without a memory.

        approach (m), pressure (Pa), rate (its derivative by the approach, Pa/m), contact, stiffness (N/m);
        the shape of the fields is that of the grid.
        """
        return self._memory

    @memory.setter
    def memory(self, stored: Memory) -> None:
        self._memory = self.recall(stored)

    def begin(self) -> HalfSpaceMemory:
        """Return an empty contact on the given grid."""
        return HalfSpaceMemory.empty(self._given.shape)

    def recall(self, stored: Memory) -> HalfSpaceMemory:
        """Return a `stored` memory, checked."""
        return checked_memory(stored, self._given)

    def grid_of(self, memory: Memory) -> Grid:
        """Return the grid of a contact with this `memory`."""
        return self._problem_of(memory).grid

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Return force, stiffness and energy at an `approach` (m, counted from gap zero).

        `memory` is the start; the `rate` has no effect.
        """
        before = self._memory if memory is None else self.recall(memory)
        _, found = self._solve_from(before, checks.finite("approach", approach, "m"))
        self.evaluations += 1
        self.iterations += found.iterations
        if memory is None:
            self._memory = found.memory
        return Response(found.force, found.memory.stiffness, found.energy, memory=found.memory)

    def contact(self, approach: float, memory: Memory | None = None) -> NormalContact:
        """Return the whole contact at an `approach` (m), with its certificate.

        The `memory` is not changed.
        """
        began = perf_counter()
        before = self._memory if memory is None else self.recall(memory)
        task, found = self._solve_from(before, checks.finite("approach", approach, "m"))
        problem = replace(task.problem, approach=task.depth)
        solution = solve_separated(problem)
        if found.memory.contact.any():
            pressure = found.memory.pressure.copy()
            displacement = problem.half_space.shifted("z", "z", pressure, (0, 0), problem.grid.shape)
            solution = replace(
                solution, pressure=pressure, displacement=displacement, iterations=found.iterations
            )
        return build_result(problem.gap + problem.lowest, problem, solution, self.tol, began)

    def _solve_from(self, memory: HalfSpaceMemory, approach: float) -> tuple[ContactTask, ContactSolution]:
        """The contact at this approach, and the task on a grid that contains it."""
        task = ContactTask(self._problem_of(memory), approach, self._influences, self.tol)
        while True:
            found = follow_approach(task, memory)
            if not any(found.edges):
                return task, found
            problem = self._enlarged(replace(task.problem, approach=task.depth), found.edges)
            task, memory = task._replace(problem=problem), memory.widened_to(problem.grid.shape)

    def _enlarged(self, problem: NormalProblem, edges: tuple[bool, bool]) -> NormalProblem:
        """The problem on a larger grid, where the contact reaches the edges along x or y of this one."""
        shape = problem.grid.shape
        ny, nx = (
            min(n + 2 * math.ceil(n / GROWTH), given + (LARGEST_GROWTH - 1) * given // 2 * 2)
            if reached
            else n
            for n, given, reached in zip(shape, self._given.shape, edges[::-1], strict=True)
        )
        if not (isinstance(self.surface, Surface) or callable(self.surface)):
            raise _too_small(problem, edges, "An array cannot grow; a surface or a function of x and y can.")
        if (ny, nx) == shape:
            raise _too_small(problem, edges, f"It is {LARGEST_GROWTH} times the given one already.")
        try:
            return self._problem_with((ny, nx))
        except InputError as error:
            raise _too_small(problem, edges, f"It could not grow: {error}") from error

    def _problem_of(self, memory: Memory) -> NormalProblem:
        """The problem on the grid of a memory."""
        ny, nx = memory["pressure"].shape
        return self._problem_with((ny, nx))

    def _problem_with(self, shape: tuple[int, int]) -> NormalProblem:
        """The problem on so many elements around the centre of the given grid."""
        if shape not in self._problems:
            self._problems[shape] = self._problem_on(replace(self._given, ny=shape[0], nx=shape[1]))
        return self._problems[shape]

    def _problem_on(self, grid: Grid) -> NormalProblem:
        """Gap, grid and pair, checked."""
        gap = gap_on(self.surface, grid)
        return check_problem(gap, grid, self.pair, force=None, approach=float(gap.min()), periodic=None)

    @property
    def _least_depth(self) -> float:
        grid = self._given
        return LEAST_DEPTH * min(grid.dx * grid.nx, grid.dy * grid.ny)


def _too_small(problem: NormalProblem, edges: tuple[bool, bool], reason: str) -> ConvergenceError:
    """The error for a grid that is too small and cannot grow."""
    message = advise_grid_size(problem, edges)[1]
    return ConvergenceError(f"{message[0].upper()}{message[1:]}. {reason}")


def checked_memory(stored: Memory, given: Grid) -> HalfSpaceMemory:
    """A memory of a contact on this grid or on one that has grown from it."""
    if isinstance(stored, HalfSpaceMemory):
        _require_shape(stored.pressure.shape, given)
        return stored
    names = list(HalfSpaceMemory.empty((0, 0)))
    if not isinstance(stored, Mapping) or set(stored) != set(names):
        raise InputError(f"memory = {checks.shown(stored)} must hold {', '.join(names)}: {FRESH}")
    shape = np.shape(stored["pressure"])
    _require_shape(shape, given)
    contact = np.array(stored["contact"])
    if contact.shape != shape or contact.dtype != np.bool_:
        raise InputError(f"memory['contact'] must be true or false for each of {shape} elements: {FRESH}")
    return HalfSpaceMemory(
        approach=checks.finite("memory['approach']", stored["approach"], "m"),
        pressure=checks.finite_array("memory['pressure']", stored["pressure"], shape, "Pa").copy(),
        rate=checks.finite_array("memory['rate']", stored["rate"], shape, "Pa/m").copy(),
        contact=contact,
        stiffness=checks.finite("memory['stiffness']", stored["stiffness"], "N/m"),
    )


def _require_shape(shape: tuple[int, ...], given: Grid) -> None:
    """Refuse fields of a shape that the given grid cannot have grown to."""
    if len(shape) == len(given.shape) and all(
        n == m or (m < n <= LARGEST_GROWTH * m and (n - m) % 2 == 0)
        for n, m in zip(shape, given.shape, strict=True)
    ):
        return
    raise InputError(f"memory has a grid of {shape} elements, this law one of {given.shape}: {FRESH}")
