"""Whether a grid suits a contact: elements across its patches, and the size that a contact needs.

Where the contact reaches the edge, the gap is extrapolated by parabolas, and the contact is solved on coarse
grids of growing size until it ends inside.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy import ndimage

from traction.contact.normal.kernels.pressure_fields import find_bounding_box
from traction.contact.normal.normal_problem import NormalProblem
from traction.contact.normal.normal_solver import solve_on_nested_grids
from traction.status import Status

ROOM = 1.1  #: grid over contact width; leaves a few free elements on either side
COARSE = 24  #: elements per direction, about, of the grid on which the advice is found
GROWTHS = (1.5, 2.2, 3.3, 5.0, 7.5, 11.0, 17.0, 25.0)
LEAST_GROWTH = 1.3  #: in a direction that is too short, whatever the coarse grid suggests
TOLERANCE = 1e-3
FLAT = 1e-9  #: of all differences in a gap, below which its rise from one element to the next is rounding
CARRYING = 0.1  #: share of the force, from which a patch of several counts
TOUCHING = np.ones((3, 3), dtype=bool)  #: elements that share a corner belong to one patch


def find_reached_sides(contact: np.ndarray, periodic: tuple[bool, bool]) -> tuple[bool, bool]:
    """For x and y, whether the contact lies on the first or last element; a single element has no inside."""
    (ny, nx), (along_x, along_y) = contact.shape, find_bounded_directions(contact.shape, periodic)
    top, bottom, left, right = find_bounding_box(contact)
    return along_x and (left == 0 or right == nx - 1), along_y and (top == 0 or bottom == ny - 1)


def find_bounded_directions(shape: tuple[int, ...], periodic: tuple[bool, bool]) -> tuple[bool, bool]:
    """For x and y, whether the grid has ends that the contact must not reach."""
    ny, nx = shape
    return nx > 1 and not periodic[0], ny > 1 and not periodic[1]


def advise_grid_size(problem: NormalProblem, sides: tuple[bool, bool]) -> tuple[Status, str]:
    """Status and message for a contact that reaches the marked sides (x, y)."""
    directions = " and ".join(name for name, reached in zip("xy", sides, strict=True) if reached)
    needed = find_needed_cells(problem, sides)
    if needed is None and opens(problem.gap, sides):
        return Status.TINY_GRID, Status.TINY_GRID.describe(directions=directions, growth=GROWTHS[-1])
    if needed is None:
        return Status.UNBOUNDED, Status.UNBOUNDED.describe(directions=directions)
    nx, ny = needed
    width = f"{nx * problem.grid.dx:.3g} m along x"
    if not problem.grid.is_line:
        width += f", {ny * problem.grid.dy:.3g} m along y"
    return Status.EDGE, Status.EDGE.describe(directions=directions, nx=nx, ny=ny, width=width)


def opens(gap: np.ndarray, sides: tuple[bool, bool]) -> bool:
    """Whether the gap grows outwards, on the mean along each edge, at all marked sides (x, y)."""
    least = FLAT * float(np.ptp(gap))
    for reached, field in zip(sides, (gap.T, gap), strict=True):
        wider = _extend_gap(field, 1)
        if reached and not min(np.mean(wider[0] - wider[1]), np.mean(wider[-1] - wider[-2])) > least:
            return False
    return True


def find_needed_cells(problem: NormalProblem, sides: tuple[bool, bool]) -> tuple[int, int] | None:
    """Elements along x and y, around the same centre, that contain the contact; None if none do.

    In a direction whose side the contact reaches, that is more than there are.
    """
    grid, coarse = problem.grid, problem
    while max(coarse.grid.shape) > COARSE:
        coarser = coarse.coarser()
        if coarser is None:
            break
        coarse = coarser[0]
    along_x, along_y = find_bounded_directions(grid.shape, problem.periodic)
    for growth in GROWTHS:
        extra = [
            math.ceil(0.5 * (growth - 1.0) * n) if ends else 0
            for n, ends in zip(coarse.grid.shape, (along_y, along_x), strict=True)
        ]
        gap = np.ascontiguousarray(_extend_gap(_extend_gap(coarse.gap, extra[0]).T, extra[1]).T)
        wider = replace(coarse, gap=gap, grid=replace(coarse.grid, ny=gap.shape[0], nx=gap.shape[1]))
        contact = solve_on_nested_grids(wider, tol=TOLERANCE, start=None).pressure > 0.0
        if any(find_reached_sides(contact, problem.periodic)):
            continue
        top, bottom, left, right = find_bounding_box(contact)
        ratio_x, ratio_y = coarse.grid.dx / grid.dx, coarse.grid.dy / grid.dy
        nx = _count_cells(grid.nx, left - extra[1], right - extra[1] + 1, ratio_x, more=sides[0])
        ny = _count_cells(grid.ny, top - extra[0], bottom - extra[0] + 1, ratio_y, more=sides[1])
        return nx if along_x else grid.nx, ny if along_y else grid.ny
    return None


def _count_cells(n: int, first: int, last: int, ratio: float, *, more: bool) -> int:
    """Elements of a grid with the same centre that contains the coarse elements first to last - 1."""
    half = max(0.5 * n - ratio * first, ratio * last - 0.5 * n)
    return max(math.ceil(LEAST_GROWTH * n) if more else n, math.ceil(2.0 * ROOM * half) + 2)


def _extend_gap(gap: np.ndarray, extra: int) -> np.ndarray:
    """Rows added before and after, on the parabola through end, quarter and middle of each column."""
    n = gap.shape[0]
    if extra == 0 or n < 3:
        return gap if extra == 0 else np.pad(gap, ((extra, extra), (0, 0)), mode="edge")
    step = max(1, (n - 1) // 4)
    beyond = np.arange(1, extra + 1)[:, None] / step
    before, after = (
        _extrapolate_parabola(ends, beyond) for ends in (gap[: 2 * step + 1 : step], gap[::-step][:3])
    )
    return np.concatenate((before[::-1], gap, after))


def _extrapolate_parabola(ends: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Values at distances t outside the first of three equally spaced rows; never curved downwards."""
    first, second, third = ends
    slope, bend = first - second, np.maximum(0.0, first - 2.0 * second + third)
    return first + t * slope + 0.5 * t * (t + 1.0) * bend


def count_across(pressure: np.ndarray) -> int:
    """Elements across the narrower direction of the patches that carry much, where they are widest.

    The width at an element is the shorter of the runs of elements in contact through it along x and y; a
    strip that lies across the grid has many rows and columns, but short runs. A line contact has one row.
    """
    contact = pressure > 0.0
    if not contact.any():
        return 0
    along = _runs(contact)
    width = along if pressure.shape[0] == 1 else np.minimum(along, _runs(contact.T).T)
    patches, count = ndimage.label(contact, TOUCHING)
    if count == 1:
        return int(width.max())
    share = np.bincount(patches.ravel(), pressure.ravel())[1:] / pressure.sum()
    widest = np.zeros(count + 1, dtype=np.int64)
    np.maximum.at(widest, patches, width)
    much = share >= min(CARRYING, float(share.max()))
    return int(widest[1:][much].min())


def _runs(contact: np.ndarray) -> np.ndarray:
    """Length of the run along the last axis that each element belongs to, 0 outside of the contact."""
    rows, columns = contact.shape
    padded = np.zeros((rows, columns + 2), dtype=np.int8)
    padded[:, 1:-1] = contact
    edges = padded[:, 1:] - padded[:, :-1]
    row, start = np.nonzero(edges == 1)
    end = np.nonzero(edges == -1)[1]
    lengths = np.zeros((rows, columns + 1), dtype=np.int64)
    lengths[row, start] = end - start  # where runs end is outside of them, so no place is met twice
    lengths[row, end] = start - end
    return np.cumsum(lengths, axis=1)[:, :columns]
