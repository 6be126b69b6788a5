"""`solve_usetab`: the creep table of a USETAB file, solved at all its nodes.

There are 204,800 contacts in steady rolling, of which a batch solves 122,640. Values that occur twice are
solved once. The contact is its own mirror image in y: (xi, -eta, -psi) leads to (Fx, -Fy, -Mz), so that
without eta one sign of psi suffices. At the creepage that stands for infinity every point slides, and the
forces are integrals.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np

from traction import checks
from traction.contact.batch.batch import DEVICES, PRECISIONS, Batch
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.tables.creep_table import CreepTable, table_of_usetab
from traction.contact.tables.sliding import slide
from traction.contact.tables.usetab_file import (
    DIVISIONS,
    LONG_RATIOS,
    POISSON_RATIO,
    Usetab,
    file_ratios,
    read_printed_coefficients,
    scaled_creepages,
)
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.outputs.progress import Progress, Tell, telling
from traction.surfaces import Paraboloid
from traction.theory import hertz

MOST_CELLS = 100
MARGIN = 4  #: cells more than the ellipse has
SHARE = 0.1  #: power of a/b by which there are more cells along x, and fewer across
LEAST_CELLS = 8  #: along and across
SIDE_BY_SIDE = 4  #: ellipses on a GPU, which is quicker than the set-up of their matrices on one core
SLIDING = 1e4  #: scaled creepage from which all points slide
GRIDS = 4  #: that are tried, each of two cells more


def solve_usetab(
    cells: int = 20,
    *,
    device: str = "cpu",
    precision: str = "mixed",
    progress: Progress | bool | None = None,
) -> CreepTable:
    """Return the creep table of a USETAB file, solved at each of its 204,800 nodes.

    Parameters
    ----------
    cells
        Elements across a circle, 8 to 100; they are covered elements. An ellipse has cells (a/b)^0.1 along
        and cells (b/a)^0.1 across.
    device
        "cpu", or "gpu" with CuPy (``pip install traction[gpu]``).
    precision
        "mixed" or "float64" products, as in `tr.Batch`; results and certificates are in double precision.
    progress
        Function called with the number of ellipses that are solved, and of all 24; True shows a bar in
        terminals and notebooks, False nowhere. By default notebooks show one.

    Returns
    -------
    CreepTable
        Steel on steel, a/b from 1/7 to 200; ``to_usetab`` writes the file. Between its nodes it
        interpolates; `tr.creep_table` returns a table with a stated error.

    Raises
    ------
    InputError
        If a number or a choice is out of range.
    ConvergenceError
        If a case does not converge on any of four grids.

    Notes
    -----
    Takes 3 minutes on one core of a processor with 20 elements across. Ellipses of more than 1100 elements on
    a processor (37 across a circle), or 6000 on a GPU (87), are solved one by one, which takes far longer.

    Examples
    --------
    >>> table = tr.solve_usetab(40, device="gpu")  # doctest: +SKIP
    >>> table.to_usetab("tabcon")  # doctest: +SKIP
    """
    across = checks.count("cells", cells, 8, MOST_CELLS, "the cost grows with its fourth power.")
    checks.choice("device", device, DEVICES)
    checks.choice("precision", precision, PRECISIONS)
    with telling(progress, "ellipses of a USETAB file") as told:
        solved = solve_cases(across, device=device, precision=precision, tell=told)
    table = table_of_usetab(
        solved, None, f"solved at the nodes of a USETAB file, {across} elements across a circle"
    )
    return replace(table, discretisation="covered")


def solve_cases(
    cells: int = 20,
    *,
    device: str = "cpu",
    precision: str = "mixed",
    divisions: int = DIVISIONS,
    long_ratios: tuple[float, ...] = LONG_RATIOS,
    tell: Tell | None = None,
) -> Usetab:
    """Solve all cases of a file, on covered elements, so many across a circle.

    tell: called with the number of ellipses that are solved, and of all.
    """
    ratios, scaled = file_ratios(divisions, long_ratios), scaled_creepages(divisions)
    once, place = np.unique(scaled, return_inverse=True)
    solved, shapes = {}, np.unique(ratios).tolist()
    solve = partial(_solve_ratio, once=once, cells=cells, device=device, precision=precision)
    with ThreadPoolExecutor(SIDE_BY_SIDE if device == "gpu" else 1) as threads:
        try:
            for ratio, found in zip(shapes, threads.map(solve, shapes), strict=True):
                solved[ratio] = found
                if tell is not None:
                    tell(len(solved), len(shapes))
        except BaseException:  # what `tell` raises ends the others too, which have not begun
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    # psi: from the largest negative to the largest positive, zero once
    spin = np.concatenate((once.size - 1 + place, once.size - 1 - place))
    pick = np.ix_(place, place, spin)
    return Usetab(ratios, np.stack([solved[ratio][pick] for ratio in ratios.tolist()]), cells)


def _solve_ratio(ratio: float, once: np.ndarray, cells: int, device: str, precision: str) -> np.ndarray:
    """Forces and moment over xi, eta from zero and psi of both signs, (n, n, 2 n - 1, 3)."""
    spins = np.concatenate((-once[:0:-1], once))
    scaled = np.stack(np.meshgrid(once, once, spins, indexing="ij"), axis=-1)
    mirrored = (scaled[..., 1] == 0.0) & (scaled[..., 2] < 0.0)
    sliding = (np.abs(scaled) >= SLIDING).any(axis=-1)
    creepage = -scaled * (np.array([3.0, 3.0, 1.0]) / read_printed_coefficients(ratio))
    values = np.zeros_like(scaled)
    values[sliding] = slide(ratio, creepage[sliding])
    rolling = ~(sliding | mirrored)
    values[rolling] = _roll(ratio, creepage[rolling], cells, device, precision)
    values[:, 0, : once.size - 1] = values[:, 0, : once.size - 1 : -1] * (1.0, -1.0, -1.0)
    return values


def _roll(ratio: float, creepage: np.ndarray, cells: int, device: str, precision: str) -> np.ndarray:
    """Forces and moments of one ellipse in steady rolling, (members, 3)."""
    values, left = np.empty_like(creepage), np.arange(len(creepage))
    for across in range(cells, cells + 2 * GRIDS, 2):
        n = press_ellipse(ratio, across)
        found = Batch(n.grid, n.pair, device, precision).roll_steady(n, 1.0, creepage[left])
        values[left[found.ok]] = np.column_stack((found.force, found.moment))[found.ok]
        left = left[~found.ok]
        if not left.size:
            return values
    raise ConvergenceError(
        f"{left.size} of {len(creepage)} cases of a/b = {ratio:.6g} did not converge on {cells} elements "
        f"across, nor on up to {2 * GRIDS - 2} more; choose another number of cells.",
        found,
    )


def press_ellipse(ratio: float, cells: int) -> NormalContact:
    """The contact of load 1, shear modulus 1 and c = sqrt(a b) = 1, with about cells^2 cells in its box.

    Slender ellipses have more of them along their longer axis: with cells as slender as the ellipse, those
    that turn about a point inside do not always converge.
    """
    material = Material.from_shear_modulus(1.0, POISSON_RATIO)
    pair = Pair(material, material)
    other = hertz.radius_ratio(1.0 / ratio)
    a, b = hertz.ellipse(1.0, other, pair, force=1.0).semi_axes
    scale = math.sqrt(a * b) ** -3  # semi-axes are proportional to the cube root of the radii
    a, b = math.sqrt(ratio), 1.0 / math.sqrt(ratio)
    along, across = (max(LEAST_CELLS, round(cells * ratio**power)) for power in (SHARE, -SHARE))
    grid = Grid(along + MARGIN, across + MARGIN, 2.0 * a / along, 2.0 * b / across)
    return solve_press(Paraboloid(scale, scale * other), grid, pair, force=1.0, tol=1e-9)
