"""Nodes of a creep-force table over a/b, s, azimuth and latitude, placed where its error asks for them.

Each round solves the middle of every cell that is not measured. What the splines miss there is the error of
the cell. Cells that miss too much are divided along the coordinate over which fourth differences of the
values are largest; new nodes and the middles of new cells are solved in one batch for each ellipse.

Values at nodes are solved where the table needs them. Elsewhere they are those of the splines through
coarser nodes, whose error was measured there and is small: so a line of nodes that is needed in one place
costs nothing in others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from traction.contact.tables.kernels.table_forces import creep_forces_of_many
from traction.contact.tables.making.ellipses import QUARTER, RADIUS, Ellipses
from traction.contact.tables.reduced_creepages import polar_creepages
from traction.contact.tables.spline_table import (
    POLAR,
    SplineTable,
    Triple,
    fit_ellipses,
    join_ellipses,
    symmetrised,
)

Axes = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
MOST_ROUNDS, MOST_NODES = 8, 500_000  #: beyond which nothing is divided
CLOSE_SECOND = 0.7  #: of the largest difference along a coordinate, above which another one is divided too
SETTLED = 0.6  #: of the tolerance: in cells that miss less, splines make the values of new nodes
#: of the error before two divisions, above which a cell is not divided again: its elements jump there
GAIN = 0.5
FEWEST = 5  #: nodes along a coordinate, for fourth differences
LEAST_STEPS = (math.log(1.1), 1.0 / 128.0, QUARTER / 64.0, QUARTER / 64.0)  #: below which nothing is divided
#: and of s before full sliding, which is exact: there elements jump more than splines miss
LAST_STEP = 1.0 / 32.0


@dataclass(frozen=True, eq=False)
class NodeGrid:
    """Nodes, and the cells between them; of one a/b a cell has no extent along it."""

    axes: Axes  #: a/b, s, azimuth, latitude
    values: np.ndarray  #: forces over mu N s at the nodes, (n0, n1, n2, n3, 3)
    solved: np.ndarray  #: whether they were solved, (n0, n1, n2, n3)
    errors: np.ndarray  #: of splines in cells, over mu N; infinite where not measured
    #: of the cells they were part of before one and two divisions, infinite where there were none, (..., 2)
    before: np.ndarray

    @property
    def nodes(self) -> Triple:
        """Nodes of s, azimuth and latitude."""
        return self.axes[1:]

    def fit(self, ellipses: Ellipses) -> SplineTable:
        """Splines through the values, with G = 1."""
        # one by one: whole circles of angles take sixteen times the memory of the nodes
        fits = [fit_ellipses(POLAR, self.nodes, one[None]) for one in self.values]
        found = [ellipses.find(ratio) for ratio in self.axes[0].tolist()]
        return join_ellipses(
            POLAR,
            fits[0][0],
            np.concatenate([coefficients for _, coefficients in fits]),
            np.array(self.axes[0]),
            np.log(np.array([one.reducing for one in found]).T),
            shear_modulus=1.0,
            poisson_ratio=found[0].coefficients.poisson_ratio,
            radius=RADIUS,
        )

    def open_middles(self) -> tuple[np.ndarray, np.ndarray]:
        """Cells that are not measured, (m, 4), and their middles, (m, 4)."""
        cells = np.argwhere(np.isinf(self.errors))
        centres = middles(self.axes)
        return cells, np.stack([one[k] for one, k in zip(centres, cells.T, strict=True)], axis=1)


def middles(axes: Axes) -> Axes:
    """The middle of each interval, of a/b the geometric mean."""
    ratios, *others = axes
    between = np.sqrt(ratios[1:] * ratios[:-1]) if ratios.size > 1 else ratios
    first, second, third = (0.5 * (one[1:] + one[:-1]) for one in others)
    return between, first, second, third


def all_places(axes: Axes) -> np.ndarray:
    """(a/b, s, azimuth, latitude) of all nodes, (n0, n1, n2, n3, 4)."""
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def spline_forces(splines: SplineTable, ellipses: Ellipses, places: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of splines with G = 1 at (a/b, s, azimuth, latitude), (m, 4), over mu N, (m, 3).

    Creepages are those of the ellipses: what the splines of their scales miss between ratios counts too.
    """
    ratio, s, azimuth, latitude = places.T
    reduced = polar_creepages(s, azimuth, latitude, RADIUS)
    creepages = np.ascontiguousarray(reduced * ellipses.unit_scales(ratio))
    one = np.ones_like(ratio)
    contacts = np.column_stack((np.sqrt(ratio), 1.0 / np.sqrt(ratio), one, one))
    forces, slopes = np.empty((len(places), 3)), np.empty((len(places), 3, 3))
    creep_forces_of_many(creepages, contacts, splines.packed, forces, slopes)
    return forces


def missed_by(splines: SplineTable, ellipses: Ellipses, places: np.ndarray) -> np.ndarray:
    """Largest difference of splines from solutions at (a/b, s, azimuth, latitude), over mu N, (m,)."""
    found = spline_forces(splines, ellipses, places)
    return np.asarray(np.abs(found - ellipses.at(places) * places[:, 1:2]).max(axis=1))


def first_grid(ratios: np.ndarray, nodes: tuple[int, int, int], ellipses: Ellipses) -> NodeGrid:
    """The grid from which refinement begins, solved at all nodes: so many of each coordinate."""
    axes = (
        ratios,
        np.linspace(0.0, 1.0, nodes[0]),
        np.linspace(0.0, QUARTER, nodes[1]),
        np.linspace(-QUARTER, QUARTER, nodes[2]),
    )
    places = all_places(axes)
    shape, cells = places.shape[:-1], tuple(one.size for one in middles(axes))
    errors, before = np.full(cells, math.inf), np.full((*cells, 2), math.inf)
    grid = NodeGrid(axes, np.zeros((*shape, 3)), np.ones(shape, dtype=bool), errors, before)
    rows = places.reshape(-1, 4)
    found = ellipses.at(np.concatenate((rows, grid.open_middles()[1])))
    grid.values[...] = symmetrised(POLAR, found[: len(rows)].reshape(grid.values.shape))
    return grid


def refine(
    grid: NodeGrid, ellipses: Ellipses, tolerance: float, told: Callable[[float], None]
) -> tuple[NodeGrid, SplineTable]:
    """A grid whose splines miss the middle of no cell by more than the tolerance, and these splines.

    More is missed where steps or nodes come to their limits.
    """
    for left in reversed(range(MOST_ROUNDS)):
        splines = grid.fit(ellipses)
        measure(grid, splines, ellipses)
        told(float(grid.errors.max()))
        marks = mark(grid, tolerance)
        if not (left and any(len(one) for one in marks)) or grid.solved.size > MOST_NODES:
            break  # what is divided has to be fitted and measured again
        grid = divide(grid, splines, ellipses, marks, tolerance)
    return grid, splines


def measure(grid: NodeGrid, splines: SplineTable, ellipses: Ellipses) -> None:
    """Fill the errors of cells that are not measured: in their middle, of the last ones also at s = 1."""
    cells, places = grid.open_middles()
    if not len(cells):
        return
    errors = missed_by(splines, ellipses, places)
    last = cells[:, 1] == grid.axes[1].size - 2
    if last.any():
        ends = places[last]
        ends[:, 1] = 1.0
        errors[last] = np.maximum(errors[last], missed_by(splines, ellipses, ends))
    grid.errors[tuple(cells.T)] = errors


def mark(grid: NodeGrid, tolerance: float) -> list[np.ndarray]:
    """Numbers of the intervals of each coordinate to divide."""
    cells = np.argwhere((grid.errors > tolerance) & (grid.errors < GAIN * grid.before[..., 1]))
    rows = np.stack([one[tuple(cells.T)] for one in differences(grid)], axis=1)
    for axis, least in enumerate(LEAST_STEPS):
        steps = np.diff(_scaled(grid.axes, axis)) if grid.axes[axis].size > 1 else np.zeros(1)
        limits = np.full(steps.size, least)
        if axis == 1:
            limits[-1] = LAST_STEP
        rows[(steps < 2.0 * limits)[cells[:, axis]], axis] = 0.0
    chosen = (rows >= CLOSE_SECOND * rows.max(axis=1, initial=0.0)[:, None]) & (rows > 0.0)
    marks = [np.unique(cells[chosen[:, axis], axis]) for axis in range(4)]
    marks[3] = np.unique(np.concatenate((marks[3], grid.axes[3].size - 2 - marks[3])))  # symmetric
    return marks


def _scaled(axes: Axes, axis: int) -> np.ndarray:
    """Nodes in the coordinate of the splines: of a/b its logarithm."""
    return np.log(axes[0]) if axis == 0 else axes[axis]


def differences(grid: NodeGrid) -> list[np.ndarray]:
    """About what cubic polynomials miss in the cells along each coordinate, from the values at nodes."""
    found = []
    forces = grid.values * grid.axes[1][:, None, None, None]
    for axis in range(4):
        nodes = _scaled(grid.axes, axis)
        if nodes.size < FEWEST:
            found.append(np.zeros(grid.errors.shape))
            continue
        rows = _fourth_differences(nodes) @ np.moveaxis(forces, axis, 0).reshape(nodes.size, -1)
        shape = (nodes.size - 1, *np.delete(forces.shape, axis))
        largest = np.moveaxis(_of_intervals(nodes, np.abs(rows)).reshape(shape).max(axis=-1), 0, axis)
        for other in range(4):
            if other != axis and grid.axes[other].size > 1:  # the largest of the edges of a cell
                ends = np.moveaxis(largest, other, 0)
                largest = np.moveaxis(np.maximum(ends[1:], ends[:-1]), 0, other)
        found.append(largest)
    return found


def _fourth_differences(nodes: np.ndarray) -> np.ndarray:
    """Matrix of the divided differences of five nodes that follow each other, (n - 4, n)."""
    matrix = np.zeros((nodes.size - 4, nodes.size))
    for k in range(nodes.size - 4):
        five = nodes[k : k + 5]
        apart = five[:, None] - five
        np.fill_diagonal(apart, 1.0)
        matrix[k, k : k + 5] = 1.0 / apart.prod(axis=1)
    return matrix


def _of_intervals(nodes: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Errors of cubic polynomials in the middle of intervals, (n - 1, m), by fourth differences."""
    found = np.empty((nodes.size - 1, slopes.shape[1]))
    for k in range(nodes.size - 1):
        middle = 0.5 * (nodes[k] + nodes[k + 1])
        near = np.clip(k - 1, 0, nodes.size - 4)
        weight = abs(float(np.prod(middle - nodes[near : near + 4])))
        first, last = np.clip((k - 3, k), 0, len(slopes) - 1)
        found[k] = weight * slopes[first : last + 1].max(axis=0)
    return found


def divide(
    grid: NodeGrid, splines: SplineTable, ellipses: Ellipses, marks: list[np.ndarray], tolerance: float
) -> NodeGrid:
    """The grid with marked intervals divided in their middle."""
    ratios, first, second, third = (
        np.insert(one, marked + 1, centre[marked]) if len(marked) else one
        for one, centre, marked in zip(grid.axes, middles(grid.axes), marks, strict=True)
    )
    axes = ratios, first, second, third
    beside = _largest_beside(grid, axes)
    kept = np.ix_(*(np.isin(one, old) for one, old in zip(axes, grid.axes, strict=True)))
    shape = beside.shape
    solved, values, known = np.zeros(shape, dtype=bool), np.zeros((*shape, 3)), np.zeros(shape, dtype=bool)
    known[kept], solved[kept], values[kept] = True, grid.solved, grid.values
    exact = ((axes[1] <= 0.0) | (axes[1] >= 1.0))[:, None, None]
    wanted = ~solved & join_same_creepages(solved | exact | (beside > SETTLED * tolerance))
    places = all_places(axes)
    guessed = ~(known | wanted)
    if guessed.any():
        rows = places[guessed]
        values[guessed] = spline_forces(splines, ellipses, rows) / rows[:, 1:2]
    finer = NodeGrid(axes, values, solved | wanted, *_inherit(grid, axes, tolerance))
    rows = places[wanted]
    found = ellipses.at(np.concatenate((rows, finer.open_middles()[1])))
    values[wanted] = found[: len(rows)]
    values[...] = symmetrised(POLAR, values)  # guesses of one creepage differ by round-off
    return finer


def join_same_creepages(wanted: np.ndarray) -> np.ndarray:
    """Where a node or another one of the same creepage is wanted, (n0, n1, n2, n3).

    At a pole, where there is only spin, all azimuths are one creepage, and the other pole is its mirror
    image; so are latitudes of both signs at the azimuth 0, where y = 0. If one of them were solved and
    another one guessed by splines, the forces would have two values there and slopes without bounds.
    """
    joined = wanted.copy()
    joined[:, :, 0] |= wanted[:, :, 0, ::-1]
    joined[..., (0, -1)] = wanted[..., (0, -1)].any(axis=(2, 3), keepdims=True)
    return joined


def _largest_beside(grid: NodeGrid, axes: Axes) -> np.ndarray:
    """Largest error of the cells of a grid that touch each of other nodes."""

    def spread(errors: np.ndarray, axis: int) -> np.ndarray:
        nodes, last = grid.axes[axis], errors.shape[axis] - 1
        below = np.clip(np.searchsorted(nodes, axes[axis], side="left") - 1, 0, last)
        above = np.clip(np.searchsorted(nodes, axes[axis], side="right") - 1, 0, last)
        return np.maximum(errors.take(below, axis), errors.take(above, axis))

    return reduce(spread, range(4), grid.errors)


def _inherit(grid: NodeGrid, axes: Axes, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Errors of cells of other nodes, now and before.

    They are those of the cells they are part of, if these are small enough, and else not measured.
    """
    parents = np.ix_(
        *(
            np.clip(np.searchsorted(old, one, side="right") - 1, 0, max(old.size - 2, 0))
            for old, one in zip(grid.axes, middles(axes), strict=True)
        )
    )
    errors, before = grid.errors[parents], grid.before[parents]
    coarse = errors > tolerance
    before[coarse] = np.stack((errors[coarse], before[coarse][:, 0]), axis=-1)
    errors[coarse] = math.inf
    return errors, before
