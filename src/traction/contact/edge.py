"""A contact that reaches the edge of its grid: how large must the grid be?"""

from __future__ import annotations

import math

import numpy as np

from traction.contact import normal_kernels as kernels
from traction.contact.problem import NormalProblem
from traction.errors import InputError
from traction.status import Status
from traction.theory import hertz

ROOM = 1.15  #: grid over contact width; leaves a few free elements on either side


def reached_sides(contact: np.ndarray, periodic: tuple[bool, bool]) -> tuple[bool, bool]:
    """For x and y, whether the contact lies on the first or last element; one element alone has no inside."""
    ny, nx = contact.shape
    inside_x, inside_y = nx > 1 and not periodic[0], ny > 1 and not periodic[1]
    along_x = kernels.touches(contact, (False, False, inside_x, inside_x))
    along_y = kernels.touches(contact, (inside_y, inside_y, False, False))
    return along_x, along_y


def edge_message(problem: NormalProblem, sides: tuple[bool, bool]) -> tuple[Status, str]:
    """Status and sentence for a contact that reaches the marked sides (x, y)."""
    directions = " and ".join(name for name, reached in zip("xy", sides, strict=True) if reached)
    needed = needed_cells(problem)
    if needed is None:
        return Status.UNBOUNDED, Status.UNBOUNDED.format(directions=directions)
    nx, ny = (max(n, now) for n, now in zip(needed, (problem.grid.nx, problem.grid.ny), strict=True))
    return Status.EDGE, Status.EDGE.format(directions=directions, nx=nx, ny=ny)


def needed_cells(problem: NormalProblem) -> tuple[int, int] | None:
    """Elements along x and y for the Hertz contact of the paraboloid nearest to the gap, if it is closed."""
    grid = problem.grid
    curvature_x, curvature_y, (x, y), lowest = _fitted_paraboloid(problem)
    if curvature_x <= 0.0 or (grid.ny > 1 and curvature_y <= 0.0):
        return None
    approach = None if problem.approach is None else problem.approach - lowest
    load = {"force": problem.force} if approach is None else {"approach": max(approach, 1e-300)}
    try:
        if grid.is_line:
            a, b = hertz.line(1.0 / curvature_x, problem.pair, length=grid.length, **load).semi_axes
        elif grid.ny == 1:
            a, b = hertz.sphere(1.0 / curvature_x, problem.pair, **load).semi_axes
        else:
            a, b = hertz.ellipse(1.0 / curvature_x, 1.0 / curvature_y, problem.pair, **load).semi_axes
    except InputError:
        return None
    nx = math.ceil(2.0 * ROOM * (a + abs(x - grid.center[0])) / grid.dx) + 2
    ny = 1 if grid.ny == 1 else math.ceil(2.0 * ROOM * (b + abs(y - grid.center[1])) / grid.dy) + 2
    # The fit knows the gap only inside the grid, where a steeper outside does not show.
    return max(nx, math.ceil(1.1 * grid.nx)), ny if grid.ny == 1 else max(ny, math.ceil(1.1 * grid.ny))


def _fitted_paraboloid(problem: NormalProblem) -> tuple[float, float, tuple[float, float], float]:
    """Curvatures (1/m), place (m) and height (m) of the vertex of the least-squares paraboloid."""
    grid = problem.grid
    x, y = grid.mesh()
    columns = [np.ones(x.size), x.ravel(), 0.5 * x.ravel() ** 2]
    if grid.ny > 1:
        columns += [y.ravel(), 0.5 * y.ravel() ** 2]
    scales = np.array([np.abs(column).max() or 1.0 for column in columns])
    matrix = np.stack(columns, axis=1) / scales
    c = np.linalg.lstsq(matrix, problem.gap.ravel(), rcond=None)[0] / scales
    slope_y, curvature_y = (c[3], c[4]) if grid.ny > 1 else (0.0, 0.0)
    vertex = tuple(-s / k if k > 0.0 else 0.0 for s, k in ((c[1], c[2]), (slope_y, curvature_y)))
    lowest = c[0] + sum(0.5 * s * v for s, v in zip((c[1], slope_y), vertex, strict=True))
    return float(c[2]), float(curvature_y), (float(vertex[0]), float(vertex[1])), float(lowest)
