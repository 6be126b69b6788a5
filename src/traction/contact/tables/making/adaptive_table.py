"""Creep-force tables whose nodes are placed and solved until a stated error is reached.

The stated error is the sum of two. Splines: what they miss in the middle of cells, the largest of a cell and
its neighbours. Elements: what these miss against `REFERENCE` of them across the shorter axis, the largest of
random samples. The samples were not used for the splines; where the table misses one of them by more than
it states, all that it states is raised.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from traction.contact.batch.batch import find_device
from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.making.node_solutions import SHARE, EllipseSolutions
from traction.contact.tables.making.refinement import (
    RADIUS,
    NodeValues,
    first_nodes,
    fit_values,
    measure_cells,
    reduced_forces,
    refine_nodes,
    surplus,
)
from traction.contact.tables.reduced_creepages import (
    find_cells,
    random_creepages,
    stored_side,
    table_coordinates,
)
from traction.contact.tables.spline_fit import FEWEST, Triple
from traction.contact.tables.spline_table import POLAR, SplineTable
from traction.errors import CoarseGridWarning

REFERENCE = 60  #: elements across the shorter axis against which errors are stated
USUAL_CELLS, USUAL_ERROR = 28, 5e-3  #: elements across a circle, and the error for which they are chosen
FEWEST_CELLS, MOST_CELLS = 12, 54
GPU_CELLS = 40  #: the fewest on a GPU
ELONGATED = 0.15  #: power of the ratio of the axes by which there are more elements
SAMPLES = 96  #: against `REFERENCE` elements, of all ellipses together; fewer for larger errors
FEWEST_SAMPLES = 24  #: of each ellipse
GPU_SAMPLES = 400  #: of each ellipse whose finer elements a GPU solves together
BETWEEN = 300  #: cells at which splines between two ratios are measured
CHECKS = 600  #: random creepages of each ellipse at which splines are measured, beside the middle of cells
SAFETY, FEW_SAFETY = 1.3, 1.5  #: of the largest error of samples, of which there are `GPU_SAMPLES` or fewer
MARGIN, NEAR_MARGIN = 1.15, 1.4  #: of errors in the middle of cells: of the largest, and of those nearby
LEAST_SHARE = 0.35  #: of the error that splines may have, whatever that of the elements
ATTEMPTS = 3  #: with smaller tolerances of the splines
GAIN = (
    0.5  #: part of the error of an interval of a/b below which its halves are worth dividing; 1/16 is usual
)
RATIO_STEP, LEAST_RATIO_STEP = math.log(2.0), math.log(1.1)  #: of log(a/b) between nodes


@dataclass(frozen=True, eq=False)
class Samples:
    """Solutions of one ellipse with `REFERENCE` elements, at random reduced creepages."""

    ratio: float
    creepages: np.ndarray  #: (m, 3)
    forces: np.ndarray  #: (m, 3)
    discretisation: float  #: largest difference of those with the elements of the table, with a margin


def make_table(
    ratios: tuple[float, ...],
    poisson_ratio: float,
    shear_modulus: float,
    error: float,
    device: str,
    told: Callable[[float], None],
) -> CreepTable:
    """Table of one ratio a/b or between two, with about the error that is asked for."""
    cells = choose_cells(ratios, error, device)

    def solve(ratio: float) -> NodeValues:
        return NodeValues(EllipseSolutions(ratio, poisson_ratio, cells, device))

    shapes = first_shapes(ratios)
    ellipses = Ellipses(shapes, solve)
    judged = [ellipses.find(one) for one in dict.fromkeys((shapes[0], shapes[len(shapes) // 2], shapes[-1]))]
    fewest = max(FEWEST_SAMPLES, round(SAMPLES * min(1.0, USUAL_ERROR / error) / len(judged)))
    with ThreadPoolExecutor(1) as beside:
        finer = [beside.submit(solve_finer, one, fewest) for one in judged]
        # what the splines may miss at most, until it is known what the elements miss
        nodes, _ = refine_nodes(judged, first_nodes(cells), error / MARGIN, told)
        samples = [take_samples(one, *future.result()) for one, future in zip(judged, finer, strict=True)]
    apart = max(one.discretisation for one in samples)
    tolerance = max(error - apart, LEAST_SHARE * error) / MARGIN
    for _ in range(ATTEMPTS):
        nodes, missed = refine_nodes(judged, nodes, tolerance, told)
        between = ellipses.divide(nodes, max(tolerance, missed), told)
        splines = fit_values(ellipses.held, nodes)
        errors = state_errors(splines, judged, samples, nodes, apart + between)
        if errors.max() <= error or missed > tolerance:
            break
        tolerance *= 0.75 * error / float(errors.max())
    reached = float(errors.max())
    if reached > error:
        warnings.warn(
            f"the table states an error of {reached:.2g} of mu N where {error:.2g} was asked for, "
            f"{apart:.1g} of it that of its elements ({cells} across); give a smaller range of a/b.",
            CoarseGridWarning,
            stacklevel=4,
        )
    solved = sum(one.solutions.solved for one in ellipses.solved.values())
    return CreepTable(
        replace(splines, shear_modulus=shear_modulus),
        nodes,
        np.stack([one.on(nodes) for one in ellipses.held]),
        reached,
        errors,
        cells=cells,
        discretisation="covered",
        origin=f"{solved} contacts, measured in the middle of cells, and at "
        f"{sum(len(one.forces) for one in samples)} random creepages against {REFERENCE} elements across",
    )


def first_shapes(ratios: tuple[float, ...]) -> list[float]:
    """One a/b, or the first nodes between two: at least as many as cubic splines need."""
    low, high = ratios[0], ratios[-1]
    if not high > low:
        return [low]
    count = max(FEWEST, 1 + math.ceil(math.log(high / low) / RATIO_STEP - 1e-9))
    return [float(one) for one in np.geomspace(low, high, count)]


def choose_cells(ratios: tuple[float, ...], error: float, device: str) -> int:
    """Elements across a circle of the same area: their error falls with the square of their number."""
    longest = max(max(ratio, 1.0 / ratio) for ratio in ratios)
    wanted = USUAL_CELLS * math.sqrt(USUAL_ERROR / error) * longest**ELONGATED
    fewest = GPU_CELLS if device == "gpu" else FEWEST_CELLS
    return 2 * round(0.5 * min(max(wanted, fewest), MOST_CELLS))


def solve_finer(values: NodeValues, fewest: int) -> tuple[np.ndarray, np.ndarray]:
    """Random creepages, and their forces with `REFERENCE` elements across the shorter axis."""
    coarse = values.solutions
    longer = max(coarse.ratio, 1.0 / coarse.ratio)
    cells = round(REFERENCE * longer**SHARE)
    fine = EllipseSolutions(coarse.ratio, coarse.coefficients.poisson_ratio, cells, coarse.device)
    together = coarse.device == "gpu" and 0.25 * math.pi * cells**2 < find_device(coarse.device).most_rolled
    creepages = random_creepages(GPU_SAMPLES if together else fewest, seed=20)
    return creepages, fine.forces(creepages)


def take_samples(values: NodeValues, creepages: np.ndarray, forces: np.ndarray) -> Samples:
    """Samples of finer elements, beside those of the table."""
    apart = float(np.abs(values.solutions.forces(creepages) - forces).max())
    apart *= SAFETY if len(creepages) >= GPU_SAMPLES else FEW_SAFETY
    return Samples(values.solutions.ratio, creepages, forces, apart)


class Ellipses:
    """Ellipses of a table, and those between them that say what splines over a/b miss."""

    def __init__(self, shapes: list[float], solve: Callable[[float], NodeValues]) -> None:
        self.shapes, self.solved, self._solve = list(shapes), dict[float, NodeValues](), solve
        #: of each interval, the error of the one that it is a half of
        self._before = dict.fromkeys(pairwise(self.shapes), math.inf)

    def find(self, shape: float) -> NodeValues:
        """Values of an ellipse of a/b, which is set up once."""
        if shape not in self.solved:
            self.solved[shape] = self._solve(shape)
        return self.solved[shape]

    @property
    def held(self) -> list[NodeValues]:
        """Values of the ellipses of the table, by ascending a/b."""
        return [self.find(shape) for shape in self.shapes]

    def divide(self, nodes: Triple, tolerance: float, told: Callable[[float], None]) -> float:
        """Add ellipses in the middle of intervals of log(a/b) over which splines miss too much.

        What whole elements miss jumps as their number changes with a/b, and does not fall where intervals
        are halved: those that gained little from the last time are left as they are. Returns the largest
        error in the middle of what is left.
        """
        left, open_ones = 0.0, list(self._before)
        while open_ones:
            splines = fit_values(self.held, nodes)
            halves: list[tuple[float, float]] = []
            for low, high in open_ones:
                shape, before = math.sqrt(low * high), self._before[low, high]
                middle = self.find(shape)
                apart = measure_between(splines, middle, nodes)
                told(apart)
                if tolerance < apart < GAIN * before and math.log(high / low) > LEAST_RATIO_STEP:
                    self.shapes = sorted((*self.shapes, shape))
                    del self._before[low, high]
                    self._before[low, shape] = self._before[shape, high] = apart
                    halves += [(low, shape), (shape, high)]
                else:
                    middle.solutions.release()
                    left = max(left, apart)
            open_ones = halves
        return left


def measure_between(splines: SplineTable, middle: NodeValues, nodes: Triple) -> float:
    """Largest error of splines at random nodes, of an ellipse between those of the splines."""
    rng = np.random.default_rng(21)
    inner = (nodes[0][1:-1], nodes[1], nodes[2])
    places = np.stack([rng.choice(one, BETWEEN) for one in inner], axis=1)
    return float(surplus(splines, middle, places).max())


def state_errors(
    splines: SplineTable, judged: list[NodeValues], samples: list[Samples], nodes: Triple, apart: float
) -> np.ndarray:
    """Error that holds in each cell, over mu N, (n1 - 1, n2 - 1, n3 - 1)."""
    from scipy.ndimage import maximum_filter

    missed = measure_cells(splines, judged, nodes)
    largest = MARGIN * missed.max()
    raise_at_random(missed, splines, judged, nodes)
    near = maximum_filter(missed, size=3, mode="nearest")
    stated = np.minimum(NEAR_MARGIN * near, max(largest, missed.max())) + apart
    table = CreepTable(splines, nodes, np.zeros(0), 0.0, stated)
    worst = 1.0
    for one in samples:
        a, b = math.sqrt(one.ratio), 1.0 / math.sqrt(one.ratio)
        off = np.abs(reduced_forces(splines, one.ratio, one.creepages) - one.forces).max(axis=1)
        creepages = one.creepages * splines.creepage_scales(a, b, 1.0, 1.0)
        worst = max(worst, float((off / table.error_at(creepages, a, b, 1.0, 1.0)).max()))
    return worst * stated


def raise_at_random(
    missed: np.ndarray, splines: SplineTable, judged: list[NodeValues], nodes: Triple
) -> None:
    """Raise the errors of cells to those at random creepages in them, up to the last nodes before sliding."""
    reduced = stored_side(random_creepages(CHECKS, seed=22))
    places = table_coordinates(POLAR, reduced, RADIUS)
    places = places[places[:, 0] <= nodes[0][-2]]
    for one in judged:
        np.maximum.at(missed, find_cells(nodes, places), surplus(splines, one, places))
