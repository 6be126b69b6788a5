"""Normal contact as a law: force, stiffness and energy over the approach, for time integration.

`PowerLaw` is a closed form; `HalfSpaceLaw` solves the contact on a grid at every call, from where the last
call ended. The approach is that of `tr.press`: it counts from gap zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.normal.grid_size_advice import edge_message
from traction.contact.normal.normal_problem import NormalProblem, checked_problem
from traction.contact.normal.press import NormalContact, finish, separated
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.laws.continuation import Found, Tables, Task, Trace, follow
from traction.materials import Pair
from traction.surfaces import Surface, gap_on
from traction.theory import hertz

LARGEST_GROWTH = 4  #: elements per side of an enlarged grid over those of the given one, at most
GROWTH = 8  #: a grid that is too small gets one element in so many on either side
FRESH = "take it from a law of the same surface and grid."


@dataclass(frozen=True)
class Response:
    """What a contact answers to an approach; for line contact per metre."""

    force: float  #: F, N
    stiffness: float  #: dF/d(approach), N/m: exact for the contact as it is
    energy: float  #: elastic energy of both bodies, the integral of F over the approach, J


SEPARATED = Response(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class PowerLaw:
    """F = k max(0, delta)^n with the approach delta (m)."""

    coefficient: float  #: k, N/m^n
    exponent: float  #: n

    def __post_init__(self) -> None:
        checks.keep(
            self,
            coefficient=checks.positive("coefficient", self.coefficient, "N/m^n"),
            exponent=checks.positive("exponent", self.exponent),
        )

    @classmethod
    def hertz(cls, radius: float, pair: Pair | float) -> PowerLaw:
        """Sphere of relative radius R (m): k = 4/3 E* sqrt(R), n = 3/2."""
        return cls(hertz.sphere(radius, pair, approach=1.0).force, 1.5)

    @classmethod
    def hertz_ellipse(cls, radius_x: float, radius_y: float, pair: Pair | float) -> PowerLaw:
        """Bodies with the gap x^2/(2 Rx) + y^2/(2 Ry), radii in m; n = 3/2."""
        return cls(hertz.ellipse(radius_x, radius_y, pair, approach=1.0).force, 1.5)

    def response(self, approach: float) -> Response:
        """Force, stiffness n F/delta and energy F delta/(n + 1) at this approach (m)."""
        delta = checks.finite("approach", approach, "m")
        if delta <= 0.0:
            return SEPARATED
        force = self.coefficient * delta**self.exponent
        return Response(force, self.exponent * force / delta, force * delta / (self.exponent + 1.0))


class HalfSpaceLaw:
    """Force of a surface of any shape pressed on the half space, on a grid; for line contact per metre.

    `surface` is what `tr.press` takes as a gap: a surface, a function of x and y, or an array over the grid.
    As there, the approach (m) counts from gap zero, not from first touch: the bodies touch when it exceeds
    the lowest gap. `tol` bounds the distance left in the contact, relative to the approach. The errors of
    force, stiffness and energy are far below it, since they are products of two residuals; only an element
    that is just about to enter or leave the contact makes one of the order of `tol`.

    A contact that reaches the edge of the grid makes the grid larger on both sides, by elements of the same
    size around those there are, up to four times as many per side. An array cannot grow.

    Each call begins from `memory`, which is what the last one left. The answer depends on that memory and on
    the approach alone, to the last bit: a run that stores its memory and sets it again goes on as if it had
    never stopped.
    """

    def __init__(self, surface: Any, grid: Grid, pair: Pair, *, tol: float = 1e-8) -> None:
        self.surface, self.pair = surface, pair
        self.tol = checks.tolerance("tol", tol)
        self.evaluations = 0  #: calls of `response`
        self.iterations = 0  #: of pressure and rate, in all these calls
        self._problem = self._problem_on(grid)
        self._given = self._problem.grid
        self._tables = Tables(self._problem.half_space)
        self._trace = Trace.empty(self._given.shape)

    @property
    def grid(self) -> Grid:
        """The grid in use: the given one, or a larger one around the same elements."""
        return self._problem.grid

    @property
    def memory(self) -> dict[str, np.ndarray]:
        """The warm start: what the next call begins from.

        approach (m), pressure (Pa), rate (its derivative by the approach, Pa/m), contact, stiffness (N/m);
        the shape of the fields tells the size of the grid.
        """
        return {name: _read_only(value) for name, value in vars(self._trace).items()}

    @memory.setter
    def memory(self, stored: Mapping[str, Any]) -> None:
        trace = checked_trace(stored, self._given)
        ny, nx = trace.pressure.shape
        grid = replace(self._given, ny=ny, nx=nx)
        self._problem = self._problem if grid == self.grid else self._problem_on(grid)
        self._trace = trace

    def response(self, approach: float) -> Response:
        """Force, stiffness and energy at this approach (m, counted from gap zero)."""
        task, found = self._solved(checks.finite("approach", approach, "m"))
        self._problem, self._trace = task.problem, found.trace
        self.evaluations += 1
        self.iterations += found.iterations
        return Response(found.force, found.trace.stiffness, found.energy)

    def contact(self, approach: float) -> NormalContact:
        """The whole contact at this approach (m), with its certificate; the memory stays as it is."""
        began = perf_counter()
        task, found = self._solved(checks.finite("approach", approach, "m"))
        problem = replace(task.problem, approach=task.depth)
        solution = separated(problem)
        if found.trace.contact.any():
            pressure = found.trace.pressure.copy()
            displacement = problem.half_space.shifted("z", "z", pressure, (0, 0), problem.grid.shape)
            solution = replace(
                solution, pressure=pressure, displacement=displacement, iterations=found.iterations
            )
        return finish(problem.gap + problem.lowest, problem, solution, self.tol, began)

    def _solved(self, approach: float) -> tuple[Task, Found]:
        """The contact at this approach, and the task on a grid that holds it."""
        task, trace = Task(self._problem, approach, self._tables, self.tol), self._trace
        while True:
            found = follow(task, trace)
            if not any(found.edges):
                return task, found
            problem = self._enlarged(replace(task.problem, approach=task.depth), found.edges)
            task, trace = replace(task, problem=problem), trace.widened_to(problem.grid.shape)

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
            return self._problem_on(replace(problem.grid, ny=ny, nx=nx))
        except InputError as error:
            raise _too_small(problem, edges, f"It could not grow: {error}") from error

    def _problem_on(self, grid: Grid) -> NormalProblem:
        """Gap, grid and pair, checked."""
        gap = gap_on(self.surface, grid)
        return checked_problem(gap, grid, self.pair, force=None, approach=float(gap.min()), periodic=None)


def _too_small(problem: NormalProblem, edges: tuple[bool, bool], reason: str) -> ConvergenceError:
    """The error for a grid that is too small and cannot grow."""
    message = edge_message(problem, edges)[1]
    return ConvergenceError(f"{message[0].upper()}{message[1:]}. {reason}")


def checked_trace(stored: Mapping[str, Any], given: Grid) -> Trace:
    """A stored memory as a trace, or an error that names what is wrong with it."""
    names = [field.name for field in fields(Trace)]
    if not isinstance(stored, Mapping) or set(stored) != set(names):
        raise InputError(f"memory = {checks.shown(stored)} must hold {', '.join(names)}: {FRESH}")
    shape = np.shape(stored["pressure"])
    if not _can_grow_to(shape, given.shape):
        raise InputError(
            f"memory is of a grid of {shape} elements, that of this law has {given.shape}: {FRESH}"
        )
    contact = np.array(stored["contact"])
    if contact.shape != shape or contact.dtype != np.bool_:
        raise InputError(f"memory['contact'] must be true or false for each of {shape} elements: {FRESH}")
    return Trace(
        approach=checks.finite("memory['approach']", stored["approach"], "m"),
        pressure=checks.finite_array("memory['pressure']", stored["pressure"], shape, "Pa").copy(),
        rate=checks.finite_array("memory['rate']", stored["rate"], shape, "Pa/m").copy(),
        contact=contact,
        stiffness=checks.finite("memory['stiffness']", stored["stiffness"], "N/m"),
    )


def _can_grow_to(shape: tuple[int, ...], given: tuple[int, ...]) -> bool:
    """Whether a grid of the given shape can have been enlarged to another one, by as much on either side."""
    return len(shape) == len(given) and all(
        n == m or (m < n <= LARGEST_GROWTH * m and (n - m) % 2 == 0)
        for n, m in zip(shape, given, strict=True)
    )


def _read_only(value: Any) -> np.ndarray:
    array = np.asarray(value).view()
    array.setflags(write=False)
    return array
