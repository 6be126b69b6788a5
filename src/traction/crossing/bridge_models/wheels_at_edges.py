"""`WheelsAtEdges`: wheels on a bridge with soft ends, as one system of second order.

See `marches.kernels.bridge_edges` for the geometry: the approach of a wheel near an end is e_g + max(0, u), u
that to the bridge minus that to the ground. Methods of `tr.methods()` need a force that is a function of the
state, while the condensed march finds the share in which both carry the wheel: the maximum is rounded to
m(u), by (u + c)^2/4c for |u| < c, so that the share, its slope, changes over 2c. It is higher by up to c/4
there.

So near a soft end the approach a = e_g + m(u) of a wheel is not linear in the coordinates: with N the row of
the bridge where the wheel acts on it, m' its share and F the force, that on the bridge is m' F N and the
Jacobian has the row N with the weight F m'' besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag

from traction.crossing.bridge_models.wheels_on_bridge import WheelPath, WheelsOnBridge
from traction.crossing.choices import REACH
from traction.crossing.wheel_contact import NEAR
from traction.integrators.core.matrices import LowRank

ROUNDED = 5e-4  #: c over the approach at rest
STEEPEST = 0.1  #: cosine beyond which no wheel touches an edge
BEYOND = 2.0  #: least u/c of wheels that carry nothing to the ground


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


class WheelLevels(NamedTuple):
    """Wheels at a state, (wheels,)."""

    step: np.ndarray  #: u, m
    approach: np.ndarray  #: m
    share: np.ndarray  #: of the force that acts on the bridge
    bend: np.ndarray  #: its derivative by u, 1/m


class WheelsAtEdges(WheelsOnBridge):
    """Force, Jacobian and energy where an end of the bridge is soft."""

    edges: TrackEdges
    _last_arcs: tuple[float, EdgeArcs] | None = None  #: with their time: a step asks for the same ones often

    def approaches(self, t: float, q: np.ndarray) -> np.ndarray:
        """Approaches of all wheels to the track of the model, m."""
        return self._levels(t, q).approach

    def jacobian(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray | LowRank:
        """df/dq, of low rank beside many nodes."""
        F, k = np.array([one.force for one in self.responses(t, q)]), self.stiffnesses(t, q)
        return self._tangent_with_shares(t, self.acting(t, q), -k, -F * self._levels(t, q).bend)

    def mean_force(self, t: float, q: np.ndarray, q1: np.ndarray) -> tuple[np.ndarray, np.ndarray | LowRank]:
        """Mean of the force between q and q1 on the track at t, and its derivative by q1.

        The mean share of a step is the mean slope of the rounded maximum, as in `WheelsOnBridge.mean_force`.
        """
        start, end = self._levels(t, q), self._levels(t, q1)
        F, k = self._mean_forces(t, (q, q1), (start.approach, end.approach))
        change = end.step - start.step
        wide = np.abs(change) > NEAR * self.edges.width
        gained = self.edges.higher(end.step)[0] - self.edges.higher(start.step)[0]
        divided = gained / np.where(wide, change, 1.0)
        share = np.where(self._arcs(t).near, np.where(wide, divided, 0.5 * (start.share + end.share)), 1.0)
        bend = np.where(wide, (end.share - share) / np.where(wide, change, 1.0), 0.5 * end.bend)
        b = self._by_shares(t, share)
        tangent = self._tangent_with_shares(t, b, -k, -F * np.where(self._arcs(t).near, bend, 0.0))
        return self.weight + self.track(t)[2] - F @ b, tangent

    def acting(self, t: float, q: np.ndarray) -> np.ndarray:
        """Rows of the coordinates along which the forces of the wheels act, (wheels, n)."""
        return self._by_shares(t, self._levels(t, q).share)

    def left_out(self, places: np.ndarray, on: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Compliance under wheels of axles at places (m, (..., axles)), and its slope; 0 over the ground."""
        (felt, rate), (soft, turn) = self._felt(places), super().left_out(places, on)
        return soft * felt, turn * felt + soft * rate

    def left_out_between(
        self, places: np.ndarray, on: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Compliance between wheels of axles at places (m, (times, axles)), and its slope; likewise."""
        found = super().left_out_between(places, on)
        if found is None:
            return None
        (soft, turn), (felt, rate) = found, self._felt(places)
        both, changed = felt[..., None] * felt[..., None, :], rate[..., None] * felt[..., None, :]
        return soft * both, turn * both + soft * (changed + changed.swapaxes(-1, -2))

    def _felt(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Part of the compliance that is left out which wheels of axles at places (m) feel, and its slope.

        That of elements is zero at the ends of the beam, of neglected modes it is not.
        """
        wheels = places[..., len(self.cars.forces) :]
        if self.model.discrete is None:
            return self.edges.fade(wheels)
        inside = self.edges.arcs(wheels).inside
        return inside, np.zeros(inside.shape)

    def on_path(self, places: np.ndarray, on: np.ndarray | None, q: np.ndarray) -> WheelPath:
        """The track under wheels of axles at places (m, (times, axles)) with coordinates q (times, n)."""
        wheels = places[:, len(self.cars.forces) :]
        path, arcs, rail = super().on_path(places, on, q), self.edges.arcs(wheels), self.rail(wheels)[:, :, 1]
        raised, part, _ = self.edges.higher(arcs.ground - arcs.bridge + path.level)
        level, share = np.where(arcs.near, raised - arcs.ground, path.level), np.where(arcs.near, part, 1.0)
        bridge = (path.slope - rail) * arcs.inside - arcs.bridge_slope
        slope = rail + share * bridge - (1.0 - share) * arcs.ground_slope
        return WheelPath(path.rail, level, np.where(arcs.near, slope, path.slope), share)

    def transitions(self, t: float, q: np.ndarray) -> np.ndarray:
        """u/c of all wheels, (wheels,): shares change between -1 and 1.

        Wheels that are near no soft end have left its arc as far as the highest step is above it.
        """
        beyond = np.maximum(self.edges.highest / self.edges.width, BEYOND)
        return np.where(self._arcs(t).near, self._levels(t, q).step / self.edges.width, beyond)

    def _levels(self, t: float, q: np.ndarray) -> WheelLevels:
        b, rail, _ = self.track(t)
        arcs, n = self._arcs(t), self.model.size
        sunk = -(b[:, :n] @ q[:n])
        step = arcs.ground - arcs.bridge - sunk
        raised, part, curved = self.edges.higher(step)
        level, share = np.where(arcs.near, raised - arcs.ground, -sunk), np.where(arcs.near, part, 1.0)
        bend = np.where(arcs.near, curved, 0.0)
        return WheelLevels(step, self.static + q[n + self.packed.coordinate] + level + rail, share, bend)

    def _arcs(self, t: float) -> EdgeArcs:
        if self._last_arcs is None or self._last_arcs[0] != t:
            self._last_arcs = t, self.edges.arcs(self.places(t)[len(self.cars.forces) :])
        return self._last_arcs[1]

    def _by_shares(self, t: float, share: np.ndarray) -> np.ndarray:
        b = self.track(t)[0].copy()
        b[:, : self.model.size] *= share[:, None]
        return b

    def _tangent_with_shares(
        self, t: float, b: np.ndarray, weights: np.ndarray, own: np.ndarray
    ) -> np.ndarray | LowRank:
        """b' diag(weights) b, and the same with rows of the bridge alone and the weights `own`."""
        curved = np.flatnonzero(own)
        rows = self.track(t)[0][curved].copy()
        rows[:, self.model.size :] = 0.0
        if weights.ndim == 2:  # of wheels that feel each other
            return self._tangent(np.concatenate([b, rows]), block_diag(weights, np.diag(own[curved])))
        return self._tangent(np.concatenate([b, rows]), np.concatenate([weights, own[curved]]))
