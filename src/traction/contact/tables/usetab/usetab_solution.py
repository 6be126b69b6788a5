"""All cases of a USETAB file, solved: 204,800 contacts in steady rolling, of which a batch solves 122,640.

Values that occur twice are solved once. The contact is its own mirror image in y: (xi, -eta, -psi) leads to
(Fx, -Fy, -Mz), so that without eta one sign of psi suffices. At the creepage that stands for infinity every
point slides, and the forces are integrals.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from traction.contact.batch.batch import Batch
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.tables.sliding import slide
from traction.contact.tables.usetab.usetab_coefficients import POISSON_RATIO, read_printed_coefficients
from traction.contact.tables.usetab.usetab_file import (
    DIVISIONS,
    LONG_RATIOS,
    Usetab,
    file_ratios,
    scaled_creepages,
)
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.outputs.progress import Tell
from traction.surfaces import Paraboloid
from traction.theory import hertz

MARGIN = 4  #: cells more than the ellipse has
SHARE = 0.1  #: power of a/b by which there are more cells along x, and fewer across
LEAST_CELLS = 8  #: along and across
SIDE_BY_SIDE = 4  #: ellipses on a GPU, which is quicker than the set-up of their matrices on one core
SLIDING = 1e4  #: scaled creepage from which all points slide
GRIDS = 4  #: that are tried, each of two cells more


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
