"""Values at nodes of a table, for ellipses of several a/b, each solved once."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from traction.contact.tables.making.node_solutions import EllipseSolutions
from traction.contact.tables.spline_fit import MIRROR
from traction.processors import available_cores

RADIUS = 1.0  #: r at which s = 1/2
QUARTER = 0.5 * math.pi
POLE = 1e-9  #: of a latitude at a pole, and of the azimuth 0
NAME_BITS = 20  #: of a coordinate in the name of a place
SIDE_BY_SIDE = 4  #: ellipses at most, whose matrices are in memory together


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
