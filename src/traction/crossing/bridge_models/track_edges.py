"""`TrackEdges`: arcs of wheels at soft ends of a bridge, and the share of their force that acts on it.

See `marches.kernels.bridge_edges` for the geometry: the approach of a wheel near an end is e_g + max(0, u), u
that to the bridge minus that to the ground. Methods of `tr.methods()` need a force that is a function of the
state, while the condensed march finds the share in which both carry the wheel: the maximum is rounded, by
(u + c)^2/4c for |u| < c, so that the share, its slope, changes over 2c. It is higher by up to c/4 there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

REACH = 0.5  #: of a radius, the distance from a joint up to which its step is considered
ROUNDED = 5e-4  #: c over the approach at rest
STEEPEST = 0.1  #: cosine beyond which no wheel touches an edge


class EdgeArcs(NamedTuple):
    """Arcs of wheels at some places near the ends of a bridge, (..., wheels)."""

    near: np.ndarray  #: whether a soft end is, or the ground beside it
    inside: np.ndarray  #: 1 over the bridge, 0 over the ground
    ground: np.ndarray  #: height of the circle over the ground's edge, m
    bridge: np.ndarray  #: and over that of the bridge
    ground_slope: np.ndarray  #: their derivatives along the track
    bridge_slope: np.ndarray


@dataclass(frozen=True, eq=False)
class TrackEdges:
    """Soft ends of a bridge for the wheels of a train."""

    ends: np.ndarray  #: of the bridge, m, (2,)
    radii: np.ndarray  #: of the wheels, m, 0 at level ends, (wheels, 2)
    width: np.ndarray  #: c, m, (wheels,)
    highest: float  #: highest step of the track that is considered, m

    @property
    def around(self) -> np.ndarray:
        """Distances from both ends within which wheels may touch both sides, m, (wheels, 2)."""
        return np.minimum(REACH * self.radii, np.sqrt(2.0 * self.radii * self.highest))

    def meets(self, places: np.ndarray) -> np.ndarray:
        """Whether wheels at places (m, (..., wheels)) may touch both sides of a joint."""
        off = np.abs(places[..., None] - self.ends)
        return np.asarray(((off <= self.around) & (self.radii > 0.0)).any(axis=-1))

    def arcs(self, places: np.ndarray) -> EdgeArcs:
        """Arcs of wheels at places (m, (..., wheels))."""
        depth = np.stack((places - self.ends[0], self.ends[1] - places), axis=-1)
        reached = (depth <= self.around) & (self.radii > 0.0)
        near, end = np.asarray(reached.any(axis=-1)), np.argmax(reached, axis=-1)[..., None]
        y = np.where(near, np.take_along_axis(depth, end, axis=-1)[..., 0], 1.0)
        way = np.where(end[..., 0] == 0, 1.0, -1.0)  # of y along the track
        R = np.where(near, np.take_along_axis(np.broadcast_to(self.radii, depth.shape), end, -1)[..., 0], 2.0)
        flat = np.sqrt(np.maximum(R * R - y * y, 0.0))
        rise, slope, inside = y * y / (R + flat), way * y / np.maximum(flat, STEEPEST * R), y > 0.0
        return EdgeArcs(
            near, np.where(near, inside, 1.0), np.where(near & inside, rise, 0.0),
            np.where(near & ~inside, rise, 0.0), np.where(near & inside, slope, 0.0),
            np.where(near & ~inside, slope, 0.0),
        )  # fmt: skip

    def fade(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Parts of the neglected modes that wheels at places (m, (..., wheels)) feel, and their slopes.

        0 over the ground beside a soft end, 1 where wheels cannot touch it any more: a function of the place,
        so that forces keep their potential.
        """
        depth = np.stack((places - self.ends[0], self.ends[1] - places), axis=-1)
        soft, reach = self.radii > 0.0, np.where(self.around > 0.0, self.around, 1.0)
        part = np.clip(depth / reach, 0.0, 1.0)
        felt = np.where(soft, part * part * (3.0 - 2.0 * part), 1.0)
        slope = np.where(soft, 6.0 * part * (1.0 - part) / reach, 0.0)
        (first, last), (rise, fall) = np.moveaxis(felt, -1, 0), np.moveaxis(slope, -1, 0)
        return first * last, rise * last - first * fall

    def higher(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rounded maximum of 0 and u (m, (..., wheels)), its slope and the slope of that."""
        c = self.width
        part = np.clip((u + c) / (2.0 * c), 0.0, 1.0)
        curved = (part > 0.0) & (part < 1.0)
        return np.where(curved, c * part * part, np.maximum(u, 0.0)), part, np.where(curved, 0.5 / c, 0.0)
