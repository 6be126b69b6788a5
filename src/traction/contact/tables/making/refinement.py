"""Nodes of a creep-force table, placed where its error asks for them.

Each round solves the middle of every cell between nodes. What the splines miss there is their error, and that
of the last round is the map of errors that the table states. Where it is too large, the edges of the cell say
along which coordinate the next node lies. Near full sliding whole elements jump with the pole of the slip;
there are no nodes between s = `LAST` (with many elements `FINE_LAST`) and full sliding, whose integral has no
elements, and the last cells are measured on that side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product

import numpy as np

from traction.contact.tables.kernels.table_forces import creep_forces_of_many
from traction.contact.tables.making.node_solutions import EllipseSolutions
from traction.contact.tables.reduced_creepages import polar_creepages
from traction.contact.tables.spline_fit import Triple, fit_ellipses, join_ellipses
from traction.contact.tables.spline_table import POLAR, SplineTable

QUARTER = 0.5 * math.pi
LAST, FINE_LAST = 0.9, 0.95  #: s of the last nodes before full sliding, with few elements and with many
FINE_CELLS = 36  #: elements across a circle that are many: their forces jump by less than 0.1 % of mu N there
RADIUS = 1.0  #: r at which s = 1/2
MOST_ROUNDS, MOST_NODES = 12, 40_000  #: beyond which nothing is divided
CLOSE_SECOND = 0.7  #: of the largest error along a coordinate, above which another one is divided too
POLE = 1e-9  #: of a latitude
NAME_BITS = 20  #: of a coordinate, halved `MOST_ROUNDS` times at most, in the name of a place


def first_nodes(cells: int) -> Triple:
    """Nodes from which refinement begins, for so many elements across a circle."""
    last = LAST if cells < FINE_CELLS else FINE_LAST
    return (
        np.append(np.linspace(0.0, last, 7), 1.0),
        np.linspace(0.0, QUARTER, 5),
        np.linspace(-QUARTER, QUARTER, 13),
    )


class NodeValues:
    """Values over s of one ellipse at polar coordinates, each solved once."""

    def __init__(self, solutions: EllipseSolutions) -> None:
        self.solutions = solutions
        self._names, self._values = np.empty(0, dtype=np.int64), np.empty((0, 3))  # by ascending names
        self._fitted: tuple[Triple, tuple[Triple, np.ndarray]] | None = None  # nodes, knots and coefficients

    def at(self, places: np.ndarray) -> np.ndarray:
        """Values at (m, 3); what is not known is solved in one batch."""
        names = _name_places(places)
        asked, row = np.unique(names, return_index=True)
        missing = ~np.isin(asked, self._names, assume_unique=True)
        if missing.any():
            found = self.solutions.polar_values(places[row[missing]], RADIUS)
            self._names = np.concatenate((self._names, asked[missing]))
            order = np.argsort(self._names)
            self._names, self._values = self._names[order], np.concatenate((self._values, found))[order]
        return np.asarray(self._values[np.searchsorted(self._names, names)])

    def on(self, nodes: Triple) -> np.ndarray:
        """Values at all nodes, (n1, n2, n3, 3)."""
        grid = np.stack(np.meshgrid(*nodes, indexing="ij"), axis=-1)
        return self.at(grid.reshape(-1, 3)).reshape(grid.shape)

    def fit(self, nodes: Triple) -> tuple[Triple, np.ndarray]:
        """Knots, and coefficients (1, m1, m2, m3, 3), of the values at all nodes; the last ones are kept."""
        if self._fitted is None or self._fitted[0] is not nodes:
            self._fitted = nodes, fit_ellipses(POLAR, nodes, self.on(nodes)[None])
        return self._fitted[1]


def _name_places(places: np.ndarray) -> np.ndarray:
    """A number for each place, of `NAME_BITS` of each coordinate; at a pole all azimuths are one."""
    s, azimuth, latitude = places.T
    turned = np.where(np.abs(latitude) > QUARTER - POLE, 0.0, azimuth)
    shares = np.stack((s, turned / QUARTER, 0.5 + 0.5 * latitude / QUARTER))
    first, second, third = np.round(shares * (2**NAME_BITS - 1)).astype(np.int64)
    return np.asarray((first << 2 * NAME_BITS) | (second << NAME_BITS) | third)


def fit_values(held: list[NodeValues], nodes: Triple) -> SplineTable:
    """Splines through the values of ellipses of ascending a/b, with G = 1."""
    coefficients = [one.solutions.coefficients for one in held]
    fits = [one.fit(nodes) for one in held]
    return join_ellipses(
        POLAR,
        fits[0][0],
        np.concatenate([coefficient for _, coefficient in fits]),
        np.array([one.ratio for one in coefficients]),
        np.log(np.array([(k.C11, k.C22, k.C23) for k in coefficients]).T),
        shear_modulus=1.0,
        poisson_ratio=coefficients[0].poisson_ratio,
        radius=RADIUS,
    )


def reduced_forces(splines: SplineTable, ratio: float, reduced: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of splines with G = 1 at reduced creepages (m, 3), (m, 3)."""
    a, b = math.sqrt(ratio), 1.0 / math.sqrt(ratio)
    scales = splines.creepage_scales(a, b, 1.0, 1.0)
    contacts = np.broadcast_to(np.array([a, b, 1.0, 1.0]), (len(reduced), 4))
    forces, slopes = np.empty((len(reduced), 3)), np.empty((len(reduced), 3, 3))
    creepages = np.ascontiguousarray(reduced * scales)
    creep_forces_of_many(creepages, np.ascontiguousarray(contacts), splines.packed, forces, slopes)
    return forces


def surplus(splines: SplineTable, held: NodeValues, places: np.ndarray) -> np.ndarray:
    """Largest difference of splines from solutions at polar coordinates (m, 3), over mu N, (m,)."""
    s, azimuth, latitude = places.T
    creepages = polar_creepages(s, azimuth, latitude, RADIUS)
    found = reduced_forces(splines, held.solutions.ratio, creepages)
    return np.abs(found - held.at(places) * places[:, :1]).max(axis=1)


def middles(nodes: Triple) -> Triple:
    """The middle of each interval; of the last one along s its far end."""
    first, second, third = (0.5 * (one[1:] + one[:-1]) for one in nodes)
    first[-1] = nodes[0][-1]
    return first, second, third


def measure_cells(splines: SplineTable, checks: Iterable[NodeValues], nodes: Triple) -> np.ndarray:
    """Largest surplus in the middle of the cells, (n1 - 1, n2 - 1, n3 - 1)."""
    grid = np.stack(np.meshgrid(*middles(nodes), indexing="ij"), axis=-1)
    found = [surplus(splines, one, grid.reshape(-1, 3)) for one in checks]
    return np.max(found, axis=0).reshape(grid.shape[:-1])


def refine_nodes(
    ellipses: list[NodeValues], nodes: Triple, tolerance: float, told: Callable[[float], None]
) -> tuple[Triple, float]:
    """Nodes with which no ellipse misses the middle of a cell by more than the tolerance, and what it misses.

    More than the tolerance is missed where so much as `MOST_NODES` nodes do not suffice.
    """
    largest = math.inf
    for _ in range(MOST_ROUNDS):
        divided: list[set[int]] = [set(), set(), set()]
        largest = 0.0
        for one in ellipses:
            splines = fit_values([one], nodes)
            errors = measure_cells(splines, [one], nodes)
            largest = max(largest, float(errors.max()))
            _mark(divided, splines, one, nodes, np.argwhere(errors > tolerance))
        told(largest)
        if not any(divided) or math.prod(one.size for one in nodes) > MOST_NODES:
            break
        divided[2] |= {nodes[2].size - 2 - k for k in divided[2]}  # latitudes are symmetric
        first, second, third = (
            np.insert(
                one, [k + 1 for k in sorted(marks)], [0.5 * (one[k] + one[k + 1]) for k in sorted(marks)]
            )
            for one, marks in zip(nodes, divided, strict=True)
        )
        nodes = first, second, third
    return nodes, largest


def _mark(
    divided: list[set[int]], splines: SplineTable, held: NodeValues, nodes: Triple, cells: np.ndarray
) -> None:
    """Note the intervals to divide: of each cell along the coordinate whose edges miss most."""
    if not len(cells):
        return
    centres, edges = middles(nodes), []
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        for ends in product((0, 1), repeat=2):
            places = np.empty((len(cells), 3))
            places[:, axis] = centres[axis][cells[:, axis]]
            for k, end in zip(others, ends, strict=True):
                places[:, k] = nodes[k][cells[:, k] + end]
            edges.append(places)
    # in one batch: a GPU solves thousands in about the time of one
    missed = surplus(splines, held, np.concatenate(edges))
    errors = missed.reshape(3, -1, len(cells)).max(axis=1).T
    errors[cells[:, 0] == nodes[0].size - 2, 0] = 0.0  # the last interval of s is not divided
    worst = errors.max(axis=1)
    for cell, row, most in zip(cells, errors, worst, strict=True):
        if most > 0.0:
            for along in np.flatnonzero(row >= CLOSE_SECOND * most).tolist():
                divided[along].add(int(cell[along]))
