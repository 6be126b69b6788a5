"""Creep-force tables whose nodes are placed and solved until a stated error is reached.

The stated error is the root of the sum of two squares, as the two are independent. Splines: what they miss
in the middle of cells, the largest of a cell and its neighbours, raised where random creepages of random
ellipses show more. Elements: what these miss against `REFERENCE` of them across the shorter axis, the largest
of random samples. The samples were not used for the splines; where the table misses one of them by more than
it states, all that it states is raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from traction.contact.batch.batch import find_device
from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.making.ellipses import RADIUS, Ellipses, EllipseSolutions
from traction.contact.tables.making.refinement import (
    FEWEST,
    NodeGrid,
    first_grid,
    missed_by,
    refine,
    spline_forces,
)
from traction.contact.tables.reduced_creepages import (
    find_cells,
    polar_coordinates,
    polar_creepages,
    random_creepages,
    stored_side,
)
from traction.contact.tables.spline_table import SplineTable
from traction.errors import CoarseGridWarning, warn_user

REFERENCE = 60  #: elements across the shorter axis against which errors are stated
REFERENCE_SHARE = 0.3  #: of theirs, along the longer axis: (longer/shorter)^(2 share) times as many
USUAL_CELLS, USUAL_ERROR = 24, 5e-3  #: elements across a circle, and the error for which they are chosen
ONE_ERROR = 0.75  #: of the error, for which elements of a table of one ellipse are chosen: they cost little
FEWEST_CELLS, MOST_CELLS = 12, 54
GPU_CELLS = 40  #: the fewest on a GPU
ELONGATED = 0.05  #: power of a/b > 1 by which there are more elements
#: first nodes of s, azimuth and latitude; more on a GPU, whose time is that of the rounds
FIRST_NODES = {"cpu": (9, 5, 13), "gpu": (13, 7, 25)}
RATIO_STEP = 0.5 * math.log(2.0)  #: of log(a/b) between the first nodes
SAMPLES, SAMPLES_OF_EACH = 96, 40  #: against `REFERENCE` elements: of one ellipse, or of each of `SAMPLED`
FEWEST_SAMPLES = 24  #: of each ellipse, for larger errors
GPU_SAMPLES = 400  #: of each ellipse whose finer elements a GPU solves together
SAMPLED = 10  #: ellipses of a range
CHECKS = 600  #: random creepages of one ellipse at which splines are measured
CHECKED, CHECKS_OF_EACH = 12, 150  #: random ellipses of a range, and their creepages
SAFETY, FEW_SAFETY = 1.3, 1.5  #: of the largest error of samples, of which there are `GPU_SAMPLES` or fewer
#: of errors in the middle of cells: of the largest of a range, of one ellipse, which has fewer cells, and of
#: those nearby
MARGIN, ONE_MARGIN, NEAR_MARGIN = 1.15, 1.22, 1.7
LEAST_SHARE = 0.45  #: of the error that splines may have, whatever that of the elements
ASKED = 0.85  #: of what splines may miss: some cells stay above, where elements jump
ATTEMPTS = 3  #: to reach the error


def make_table(
    ratios: tuple[float, ...],
    poisson_ratio: float,
    shear_modulus: float,
    error: float,
    device: str,
    told: Callable[[float], None],
) -> CreepTable:
    """Table of one ratio a/b or between two, with about the error that is asked for."""
    low, high = ratios[0], ratios[-1]
    shapes = np.array([low])  # one a/b, or the first nodes between two
    if high > low:
        count = 1 + math.ceil(math.log(high / low) / RATIO_STEP - 1e-9)
        shapes = np.geomspace(low, high, max(FEWEST, count))
    aim = error if shapes.size > 1 else ONE_ERROR * error
    cells = choose_cells(1.0, aim, device)
    ellipses = Ellipses(
        lambda ratio: EllipseSolutions(ratio, poisson_ratio, choose_cells(ratio, aim, device), device)
    )
    sampled = np.geomspace(shapes[0], shapes[-1], SAMPLED) if shapes.size > 1 else shapes
    usual = (SAMPLES_OF_EACH if shapes.size > 1 else SAMPLES) * min(1.0, USUAL_ERROR / error)
    with ThreadPoolExecutor(1) as beside:
        count = max(FEWEST_SAMPLES, round(usual))
        finer = [beside.submit(solve_finer, ellipses.find(one), count) for one in sampled.tolist()]
        grid = first_grid(shapes, FIRST_NODES[device], ellipses)
        places, exact = map(np.concatenate, zip(*(one.result() for one in finer), strict=True))
    apart = float(
        np.abs(ellipses.at(places) * places[:, 1:2] - exact).max()
    )  # of the elements, with a margin
    apart *= SAFETY if len(places) >= GPU_SAMPLES else FEW_SAFETY
    margin = MARGIN if shapes.size > 1 else ONE_MARGIN
    tolerance = ASKED * math.sqrt(max(error**2 - apart**2, (LEAST_SHARE * error) ** 2)) / margin
    for attempt in range(ATTEMPTS):
        before = grid
        grid, splines = refine(grid, ellipses, tolerance, told)
        middle = float(grid.errors.max())
        raise_at_random(grid, splines, ellipses, seed=22 + attempt)
        missed = np.abs(spline_forces(splines, ellipses, places) - exact).max(axis=1)
        errors = state_errors(grid, places, missed, margin * middle, apart)
        if errors.max() <= error or (attempt and grid is before):
            break  # it is reached, or steps have come to their limits
        if grid.errors.max() <= tolerance / ASKED:
            tolerance *= 0.75 * error / float(errors.max())
    if (reached := float(errors.max())) > error:
        warn_user(
            f"the table states an error of {reached:.2g} of mu N where {error:.2g} was asked for, "
            f"{apart:.1g} of it that of its elements ({cells} across); give a smaller range of a/b.",
            CoarseGridWarning,
        )
    return CreepTable(
        replace(splines, shear_modulus=shear_modulus),
        grid.nodes,
        grid.values,
        reached,
        errors,
        cells=cells,
        discretisation="covered",
        origin=f"{ellipses.solved} contacts, measured in the middle of cells, and at {len(places)} random "
        f"creepages against {REFERENCE} elements across",
    )


def choose_cells(ratio: float, error: float, device: str) -> int:
    """Elements across a circle of the area of the ellipse: their error falls with their number squared."""
    wanted = USUAL_CELLS * math.sqrt(USUAL_ERROR / error) * max(ratio, 1.0) ** ELONGATED
    fewest = GPU_CELLS if device == "gpu" else FEWEST_CELLS
    return 2 * round(0.5 * min(max(wanted, fewest), MOST_CELLS))


def random_places(ratio: float, count: int, seed: int) -> np.ndarray:
    """(a/b, s, azimuth, latitude) of random creepages of one ellipse, (count, 4)."""
    places = polar_coordinates(stored_side(random_creepages(count, seed)), RADIUS)
    return np.column_stack((np.full(count, ratio), places))


def solve_finer(coarse: EllipseSolutions, fewest: int) -> tuple[np.ndarray, np.ndarray]:
    """Random places (a/b, s, azimuth, latitude), (m, 4), and forces there over mu N, (m, 3).

    They are solved with `REFERENCE` elements across the shorter axis.
    """
    cells = round(REFERENCE * max(coarse.ratio, 1.0 / coarse.ratio) ** REFERENCE_SHARE)
    fine = coarse.with_cells(cells, REFERENCE_SHARE)
    together = coarse.device == "gpu" and 0.25 * math.pi * cells**2 < find_device(coarse.device).most_rolled
    places = random_places(coarse.ratio, GPU_SAMPLES if together else fewest, seed=20)
    _, s, azimuth, latitude = places.T
    return places, fine.forces(polar_creepages(s, azimuth, latitude, RADIUS))


def state_errors(
    grid: NodeGrid, places: np.ndarray, missed: np.ndarray, middle: float, apart: float
) -> np.ndarray:
    """Error that holds in each cell at all a/b, over mu N, (n1 - 1, n2 - 1, n3 - 1).

    missed: what splines miss at random places; middle: the largest that they miss in the middle of cells,
    with a margin; apart: what elements miss.
    """
    from scipy.ndimage import maximum_filter

    errors = grid.errors.max(axis=0)
    near = maximum_filter(errors, size=3, mode="nearest")
    stated = np.hypot(np.minimum(NEAR_MARGIN * near, max(middle, errors.max())), apart)
    return max(1.0, float((missed / stated[find_cells(grid.nodes, places[:, 1:])]).max())) * stated


def raise_at_random(grid: NodeGrid, splines: SplineTable, ellipses: Ellipses, seed: int) -> None:
    """Raise the errors of cells to those at random creepages, of a range at random ratios."""
    ratios, count = grid.axes[0], CHECKS
    checked = ratios
    if ratios.size > 1:
        low, high = np.log(ratios[[0, -1]]).tolist()
        count, checked = CHECKS_OF_EACH, np.exp(np.random.default_rng(seed).uniform(low, high, CHECKED))
    places = np.concatenate([random_places(one, count, seed + k) for k, one in enumerate(checked.tolist())])
    between = np.clip(np.searchsorted(ratios, places[:, 0], side="right") - 1, 0, max(ratios.size - 2, 0))
    cells, missed = (between, *find_cells(grid.nodes, places[:, 1:])), missed_by(splines, ellipses, places)
    higher = tuple(one[missed > grid.errors[cells]] for one in cells)
    np.maximum.at(grid.errors, cells, missed)
    grid.before[higher] = math.inf  # divisions that did not see it count no more
