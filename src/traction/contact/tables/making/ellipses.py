"""Reduced creep forces of ellipses at any reduced creepages, solved in batches, each once.

Forces over mu N depend on reduced creepages alone, so all is solved for G = N = mu = 1. Slip turns around the
pole of rotation, where the traction of whole elements jumps; elements of elongated ellipses are therefore
less elongated than these, those far towards full sliding are finer, and full sliding itself is integrated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import numpy as np

from traction.contact.batch.batch import Batch
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.simplified.kalker import KalkerCoefficients, kalker_coefficients
from traction.contact.tables.reduced_creepages import polar_creepages
from traction.contact.tables.sliding import slide
from traction.contact.tables.spline_table import MIRROR
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.processors import available_cores
from traction.surfaces import Paraboloid
from traction.theory import hertz

MARGIN = 4  #: elements more than the ellipse has along each axis
#: power of the longer axis over the shorter by which there are more elements along it than across, where a is
#: the longer one and where b is: under spin the forces of wide contacts rise in steps with the pole's row
LONG, WIDE = 0.15, 0.3
FAR = 0.83  #: s above which elements are finer
FINER, FINEST = 1.4, 36  #: how much, up to so many elements across
TOLERANCE = 1e-5  #: of the solutions
LARGEST_ERROR = 2e-4  #: of the friction law, over the largest bound, that a node may have
RADIUS = 1.0  #: r at which s = 1/2
QUARTER = 0.5 * math.pi
POLE = 1e-9  #: of a latitude at a pole, and of the azimuth 0
NAME_BITS = 20  #: of a coordinate in the name of a place
SIDE_BY_SIDE = 4  #: ellipses at most, whose matrices are in memory together


class EllipseSolutions:
    """Reduced forces of steady rolling of an ellipse a/b, with about `cells` elements across each axis.

    share: power of a/b by which there are more along the longer axis; `LONG` or `WIDE` unless given.
    """

    def __init__(
        self, ratio: float, poisson_ratio: float, cells: int, device: str, share: float | None = None
    ) -> None:
        self.ratio, self.cells, self.device = ratio, cells, device
        self.share = share if share is not None else LONG if ratio > 1.0 else WIDE
        self.coefficients: KalkerCoefficients = kalker_coefficients(ratio, poisson_ratio)
        material = Material.from_shear_modulus(1.0, poisson_ratio)
        self.pair = Pair(material, material)
        self.solved = 0  # contacts so far

    @cached_property
    def normal(self) -> NormalContact:
        """The contact under the load 1."""
        radii = 1.0, hertz.radius_ratio(1.0 / self.ratio)
        a, b = hertz.ellipse(*radii, self.pair, force=1.0).semi_axes
        nx, ny = (max(8, round(self.cells * self.ratio**power)) for power in (self.share, -self.share))
        grid = Grid(nx + MARGIN, ny + MARGIN, 2.0 * a / nx, 2.0 * b / ny)
        return solve_press(Paraboloid(*radii), grid, self.pair, force=1.0, tol=1e-8)

    @cached_property
    def batch(self) -> Batch:
        """What solves many at once."""
        return Batch(self.normal.grid, self.pair, self.device, "mixed")

    @property
    def count(self) -> int:
        """Contacts that were solved, with all elements."""
        return self.solved + (self.finer.solved if "finer" in self.__dict__ and self.finer is not self else 0)

    def release(self) -> None:
        """Give the memory of the matrices back; they are filled again where more is solved."""
        self.__dict__.pop("batch", None)
        if "finer" in self.__dict__ and self.finer is not self:
            self.finer.release()

    @cached_property
    def size(self) -> float:
        """c = sqrt(a b) of Hertz's ellipse."""
        radii = 1.0, hertz.radius_ratio(1.0 / self.ratio)
        return math.sqrt(math.prod(hertz.ellipse(*radii, self.pair, force=1.0).semi_axes))

    @cached_property
    def reducing(self) -> np.ndarray:
        """Coefficients (C11, C22, Cs) that reduce the creepages.

        Cs = sqrt(b/a C11^2 + a/b C22^2)/3 makes w the reduced slip that spin alone causes at the ends of the
        axes, so that ellipses of any a/b slide from about the same reduced creepages on.
        """
        k, ratio = self.coefficients, self.ratio
        return np.array([k.C11, k.C22, math.hypot(k.C11 / math.sqrt(ratio), k.C22 * math.sqrt(ratio)) / 3.0])

    @cached_property
    def unit_scales(self) -> np.ndarray:
        """Creepages (xi, eta, phi) of x = 1, y = 1 and w = 1 where G = N = mu = c = 1."""
        return np.array([3.0, 3.0, 1.0]) / self.reducing

    @cached_property
    def scales(self) -> np.ndarray:
        """Creepages (xi, eta, phi) of x = 1, y = 1 and w = 1."""
        return self.unit_scales / np.array([self.size**2, self.size**2, self.size**3])

    @cached_property
    def finer(self) -> EllipseSolutions:
        """The same with the elements that are used far towards full sliding."""
        cells = max(self.cells, min(round(FINER * self.cells), FINEST))
        return self if cells == self.cells else self.with_cells(cells)

    def with_cells(self, cells: int, share: float | None = None) -> EllipseSolutions:
        """The same ellipse with another number of elements."""
        return EllipseSolutions(self.ratio, self.coefficients.poisson_ratio, cells, self.device, share)

    @cached_property
    def linear(self) -> np.ndarray:
        """Derivatives of the reduced forces by (x, y, w) at rest, on the same elements, (3, 3)."""
        rest = roll_steady(self.normal, 1.0, creepage=(0.0, 0.0, 0.0))
        return np.asarray(rest.tangent) * self.scales / np.array([[1.0], [1.0], [self.size]])

    def forces(self, reduced: np.ndarray) -> np.ndarray:
        """(F_x, F_y, M_z) at reduced creepages (m, 3), (m, 3)."""
        found = self.batch.roll_steady(self.normal, 1.0, reduced * self.scales, tol=TOLERANCE)
        self.solved += len(reduced)
        wrong = ~(found.error <= LARGEST_ERROR)
        if wrong.any():
            place = ", ".join(f"{part:.4g}" for part in reduced[wrong][0])
            raise ConvergenceError(
                f"{int(wrong.sum())} nodes of a/b = {self.ratio:.4g} did not converge, one at reduced "
                f"creepages ({place}); ask for another error, which changes the elements."
            )
        return np.column_stack((found.force, found.moment / self.size))

    def polar_values(self, places: np.ndarray, radius: float) -> np.ndarray:
        """Forces over s at polar coordinates (s, azimuth, latitude), (m, 3); limits at s = 0 and 1."""
        s, azimuth, latitude = places.T
        found = np.empty_like(places)
        rest, sliding = s <= 0.0, s >= 1.0
        units = polar_creepages(np.full(s.size, 0.5), azimuth, latitude, 1.0)
        found[rest] = radius * units[rest] @ self.linear.T
        found[sliding] = slide(self.ratio, units[sliding] * self.unit_scales)
        far = (s > FAR) & ~sliding & (self.finer is not self)
        for solutions, part in ((self, ~(rest | far | sliding)), (self.finer, far)):
            if part.any():
                creepages = polar_creepages(s[part], azimuth[part], latitude[part], radius)
                found[part] = solutions.forces(creepages) / s[part, None]
        return found


class NodeValues:
    """Values over s of one ellipse at polar coordinates, each solved once."""

    def __init__(self, solutions: EllipseSolutions) -> None:
        self.solutions = solutions
        self._names, self._values = np.empty(0, dtype=np.int64), np.empty((0, 3))  # by ascending names

    def at(self, places: np.ndarray) -> np.ndarray:
        """Values at (m, 3); what is not known is solved in one batch."""
        places, mirrored = _join_places(places)
        names = _name_places(places)
        asked, row = np.unique(names, return_index=True)
        missing = ~np.isin(asked, self._names, assume_unique=True)
        if missing.any():
            found = self.solutions.polar_values(places[row[missing]], RADIUS)
            self._names = np.concatenate((self._names, asked[missing]))
            order = np.argsort(self._names)
            self._names, self._values = self._names[order], np.concatenate((self._values, found))[order]
        found = self._values[np.searchsorted(self._names, names)]
        return np.where(mirrored[:, None], MIRROR * found, found)


def _join_places(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One place for all of the same creepage, and whether its values are to be mirrored.

    At a pole all azimuths are one creepage, that of azimuth 0; there y = 0, and a latitude below 0 is the
    mirror image of one above.
    """
    s, azimuth, latitude = places.T
    turned = np.where(np.abs(latitude) > QUARTER - POLE, 0.0, azimuth)
    mirrored = (turned < POLE) & (latitude < 0.0)
    return np.column_stack((s, turned, np.where(mirrored, -latitude, latitude))), mirrored


def _name_places(places: np.ndarray) -> np.ndarray:
    """A number for each place, of `NAME_BITS` of each coordinate."""
    s, azimuth, latitude = places.T
    shares = np.stack((s, azimuth / QUARTER, 0.5 + 0.5 * latitude / QUARTER))
    first, second, third = np.round(shares * (2**NAME_BITS - 1)).astype(np.int64)
    return np.asarray((first << 2 * NAME_BITS) | (second << NAME_BITS) | third)


class Ellipses:
    """All ellipses of which something was solved, by their a/b."""

    def __init__(self, make: Callable[[float], EllipseSolutions]) -> None:
        self._make, self._known = make, dict[float, NodeValues]()

    def find(self, ratio: float) -> EllipseSolutions:
        """Solutions of an ellipse, which is set up once."""
        return self._find(ratio).solutions

    def _find(self, ratio: float) -> NodeValues:
        if ratio not in self._known:
            self._known[ratio] = NodeValues(self._make(ratio))
        return self._known[ratio]

    @property
    def solved(self) -> int:
        """Contacts that were solved."""
        return sum(one.solutions.count for one in self._known.values())

    def at(self, places: np.ndarray) -> np.ndarray:
        """Values over s at (a/b, s, azimuth, latitude), (m, 4): one batch for each ellipse, side by side."""
        ratios, group = np.unique(places[:, 0], return_inverse=True)
        held, found = [self._find(ratio) for ratio in ratios.tolist()], np.empty((len(places), 3))

        def solve(k: int) -> None:
            rows = group == k
            found[rows] = held[k].at(places[rows, 1:])
            if len(held) > 1 and held[k].solutions.device == "cpu":
                held[k].solutions.release()  # quicker filled again than the memory of all is worth

        if len(held) < 2:
            for k in range(len(held)):
                solve(k)
            return found
        with ThreadPoolExecutor(min(SIDE_BY_SIDE, available_cores())) as threads:
            list(threads.map(solve, range(len(held))))
        return found

    def unit_scales(self, ratios: np.ndarray) -> np.ndarray:
        """Creepages of x = 1, y = 1 and w = 1 of each a/b where G = N = mu = c = 1, (m, 3)."""
        once, group = np.unique(ratios, return_inverse=True)
        return np.stack([self.find(ratio).unit_scales for ratio in once.tolist()])[group]
