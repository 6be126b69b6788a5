"""Frictionless contact from the coarsest grid to the finest.

The pressure minimises the complementary energy under p >= 0 (Kalker 1990, chapter 3). Coarser grids provide
the start, windows around the contact keep the products small, and each solution is completed in full
precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from traction.contact.normal.coarse_grids import refine_pressure
from traction.contact.normal.conjugate_gradients import (
    MAX_ITERATIONS,
    MAX_SUMMED_SMALL,
    PATIENCE,
    SMALL_PRESSURE_TOLERANCE,
    StartPressure,
    WindowSolution,
    solve_on_window,
)
from traction.contact.normal.contact_window import (
    MAX_ASPECT,
    Window,
    WindowedHalfSpace,
    choose_window_around,
    displace_by_waves,
    has_waves,
)
from traction.contact.normal.kernels.pressure_fields import measure_violations
from traction.contact.normal.kernels.pressure_iteration import WindowInfluence, press_small_grid
from traction.contact.normal.normal_problem import NormalProblem
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import STEEL, Pair

MAX_ROUNDS = 20
SMALL_GRID = 1000  #: elements of a grid on which a window would save less than it costs
COARSE_TOLERANCE = 1e-2  #: on grids whose solution is only a start for the next finer one


@dataclass(frozen=True)
class GridSolution:
    """Result of the rounds of iterations."""

    pressure: np.ndarray  #: Pa, over the grid
    displacement: np.ndarray  #: u_z by a separate product, m, over the grid
    approach: float  #: m
    iterations: int  #: on the finest grid
    products: int  #: on the finest grid
    residuals: tuple[float, ...]  #: largest residual over the depth, per iteration on the finest grid
    converged: bool


def solve_on_nested_grids(problem: NormalProblem, *, tol: float, start: StartPressure | None) -> GridSolution:
    """Solve from the coarsest grid to the finest, or on the finest alone from an earlier pressure.

    Each round iterates on a window around the contact and then checks the whole grid in full precision;
    another follows where elements outside the window penetrate or rounding has accumulated.
    """
    start = StartPressure(guess_pressure(problem)) if start is None else start
    occupied = start.pressure > 0.0
    solutions: list[WindowSolution] = []
    for _ in range(MAX_ROUNDS):
        window = choose_window_around(occupied, problem.periodic)
        solution = solve_on_window(problem, window, start, tol)
        solutions.append(solution)
        pressure = np.zeros(problem.grid.shape)
        pressure[window.slices] = solution.pressure
        displacement = displace_grid(problem, pressure, window)
        start = StartPressure(pressure, displacement)
        penetration, residual = measure_violations(problem.gap, displacement, pressure, solution.approach)[:2]
        settled = solution.converged and max(penetration, residual) <= tol * solution.depth
        if settled or not (solution.converged or solution.crowded):
            break
        occupied = (pressure > 0.0) | (problem.gap + displacement < solution.approach)
    return GridSolution(
        pressure=pressure,
        displacement=displacement,
        approach=solution.approach,
        iterations=sum(s.iterations for s in solutions),
        products=sum(s.products for s in solutions),
        residuals=tuple(r for s in solutions for r in s.residuals),
        converged=settled,
    )


def solve_on_whole_grid(problem: NormalProblem, *, tol: float, start: StartPressure) -> GridSolution:
    """Solve on a small grid without windows, as where it is laid around the contact; see `is_small_grid`."""
    gap, half_space, given = problem.gap, problem.half_space, problem.approach
    pressure, known = start.pressure.copy(), start.displacement is not None
    displacement = np.empty_like(gap) if start.displacement is None else start.displacement.copy()
    area, grid = problem.grid.cell_area, problem.grid
    influence = tabulate_grid(grid.shape, grid.dy / grid.dx)._replace(factor=half_space.factor("z", "z"))
    residuals = np.empty(MAX_ITERATIONS + 1)
    approach, iterations, settled = press_small_grid(
        (gap, pressure, displacement, np.empty(gap.shape, dtype=np.bool_)),
        np.empty((5, *gap.shape)),
        tuple(influence),
        (0.0 if problem.force is None else problem.force / area, given is None, False, problem.least_depth),
        (tol, SMALL_PRESSURE_TOLERANCE * tol, PATIENCE, MAX_ITERATIONS, MAX_SUMMED_SMALL),
        (0.0 if given is None else float(given), known),
        residuals,
    )
    history = tuple(residuals[: iterations + 1].tolist())
    return GridSolution(pressure, displacement, approach, iterations, iterations, history, settled)


def is_small_grid(problem: NormalProblem) -> bool:
    """Whether `solve_on_whole_grid` is for it: so small that a window in it would save less than it costs."""
    grid, aspect = problem.grid, problem.grid.dy / problem.grid.dx
    similar = 1.0 / MAX_ASPECT <= aspect <= MAX_ASPECT
    return grid.nx * grid.ny <= SMALL_GRID and has_waves(problem.half_space) and similar


@lru_cache(maxsize=128)
def tabulate_grid(shape: tuple[int, int], aspect: float) -> WindowInfluence:
    """Influence of normal pressure on a small grid of elements of a ratio of dy to dx; its factor varies."""
    half_space = HalfSpace(Grid(shape[1], shape[0], 1.0, aspect), Pair(STEEL, STEEL))
    whole = WindowedHalfSpace(half_space, Window(0, 0, *shape))
    return whole.influence(compiled=True)


def displace_grid(problem: NormalProblem, pressure: np.ndarray, window: Window) -> np.ndarray:
    """Displacement (m) over the whole grid by a pressure on a window."""
    half_space = problem.half_space
    if has_waves(half_space):
        return displace_by_waves(half_space, pressure)
    inside = pressure[window.slices]
    return half_space.shifted("z", "z", inside, (-window.top, -window.left), problem.grid.shape)


def guess_pressure(problem: NormalProblem) -> np.ndarray:
    """Start pressure, interpolated from the coarser grids."""
    coarser = problem.coarser()
    if coarser is None:
        return _press_everywhere(problem)
    below, halved = coarser
    pressure = guess_pressure(below)
    if not pressure.any():  # on the coarser grid the bodies do not touch
        return _press_everywhere(problem)
    window = choose_window_around(pressure > 0.0, below.periodic)
    for _ in range(MAX_ROUNDS):
        solution = solve_on_window(below, window, StartPressure(pressure), COARSE_TOLERANCE)
        pressure = np.zeros(below.grid.shape)
        pressure[window.slices] = solution.pressure
        if not solution.crowded:
            break
        window = choose_window_around(pressure > 0.0, below.periodic)
    fine = refine_pressure(pressure, problem.grid.shape, halved, problem.periodic[::-1])
    return fine if fine.any() else _press_everywhere(problem)


def _press_everywhere(problem: NormalProblem) -> np.ndarray:
    """Pressure wherever contact is possible: everywhere, or where the undeformed bodies overlap."""
    if problem.approach is None:
        return np.ones(problem.grid.shape)
    size = max(problem.grid.nx * problem.grid.dx, problem.grid.ny * problem.grid.dy)
    return problem.pair.effective_modulus / size * np.maximum(0.0, problem.approach - problem.gap)
