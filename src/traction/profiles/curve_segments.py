"""Lines, circular arcs and polynomials, of which drawings of profiles are made; lengths in m.

Each segment returns sample points close enough for the spline of its curve, and its directions at both ends.
Segments run from the field side to the inner side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from traction.profiles.profile_curve import ProfileCurve, clamped_piece, joined

SPACING = 0.2e-3  #: of sample points, m; a spline then misses an arc of 8 mm by 3e-12 m
LINE_SPACING = 1e-3  #: of sample points on lines, m
BRIDGE = 0.06e-3  #: distance of the first sample from a joint, m: there formulas that differ are bridged
STRAIGHT = 1e-3  #: curvature below which a segment counts as straight, 1/m
SAME_DIRECTION = 5e-3  #: directions that differ by less meet smoothly, rad


class CurveSegment(Protocol):
    """What a drawing is made of: sample points and the directions at both ends."""

    def points(self) -> np.ndarray:
        """Return sample points (n, 2), m."""

    def directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the directions (y, z) at the start and at the end."""

    def sharpness(self) -> tuple[float, float]:
        """Return the size of the curvature at the start and at the end, 1/m."""


@dataclass(frozen=True)
class Line:
    """Straight line from `start` to `end`."""

    start: tuple[float, float]
    end: tuple[float, float]

    def points(self) -> np.ndarray:
        """Return points of equal spacing."""
        reach = math.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])
        number = 1 + math.ceil(reach / LINE_SPACING)
        at = _sample(0.0, 1.0, number, BRIDGE / reach)[:, None]
        return (1.0 - at) * self.start + at * np.array(self.end)

    def directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the direction of the line, twice."""
        along = np.subtract(self.end, self.start)
        return along, along

    def sharpness(self) -> tuple[float, float]:
        """Return the curvature below which a line counts as straight."""
        return STRAIGHT, STRAIGHT


@dataclass(frozen=True)
class Arc:
    """Circular arc; `angles` (rad) are those of the tangents at its ends, which fall on a rail's head."""

    center: tuple[float, float]
    radius: float
    angles: tuple[float, float]

    def points(self) -> np.ndarray:
        """Return points of equal spacing."""
        first, last = self.angles
        number = max(5, 1 + math.ceil(self.radius * abs(last - first) / SPACING))
        angle = _sample(first, last, number, BRIDGE / self.radius)
        side = math.copysign(self.radius, last - first)  # the centre lies on this side of the tangent
        return np.array(self.center) + side * np.stack([np.sin(angle), -np.cos(angle)], axis=-1)

    def directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the tangents at both ends."""
        first, last = (np.array([math.cos(angle), math.sin(angle)]) for angle in self.angles)
        return first, last

    def sharpness(self) -> tuple[float, float]:
        """Return the curvature of the circle, twice."""
        return 1.0 / self.radius, 1.0 / self.radius


@dataclass(frozen=True)
class Graph:
    """Graph of a function z(y) with its derivative, over a range of y."""

    height: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]
    between: tuple[float, float]

    def points(self) -> np.ndarray:
        """Return points of equal spacing in y."""
        number = max(5, 1 + math.ceil((self.between[1] - self.between[0]) / SPACING))
        y = _sample(*self.between, number, BRIDGE)
        return np.stack([y, self.height(y)], axis=-1)

    def directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the tangents at both ends."""
        first, last = (np.array([1.0, float(self.slope(np.array(y)))]) for y in self.between)
        return first, last

    def sharpness(self) -> tuple[float, float]:
        """Return the curvature at both ends."""
        low, high = self.between
        slopes = self.slope(np.array([low, low + BRIDGE, high - BRIDGE, high]))
        bends = np.abs(np.diff(slopes)[[0, 2]]) / BRIDGE / (1.0 + slopes[[0, 3]] ** 2) ** 1.5
        return max(STRAIGHT, float(bends[0])), max(STRAIGHT, float(bends[1]))


def curve_of(segments: Sequence[CurveSegment]) -> ProfileCurve:
    """Return the curve of segments put end to end.

    Printed formulas may miss each other by 0.1 um. They meet at the mean, weighted by curvature since a short
    sharp arc bears a change of its place the least; from there the splines pass to the formulas within the
    distance `BRIDGE`, without a step.
    """
    points = [segment.points() for segment in segments]
    for k, (before, behind) in enumerate(pairwise(segments)):
        a, b = before.sharpness()[1], behind.sharpness()[0]
        points[k][-1] = points[k + 1][0] = (a * points[k][-1] + b * points[k + 1][0]) / (a + b)
    kinks = []
    for before, behind in pairwise(segments):
        last, first = before.directions()[1], behind.directions()[0]
        turn = math.atan2(last[0] * first[1] - last[1] * first[0], float(last @ first))
        kinks.append(abs(turn) > SAME_DIRECTION)
    pieces = [clamped_piece(p, *segment.directions()) for p, segment in zip(points, segments, strict=True)]
    return joined(pieces, kinks)


def _sample(first: float, last: float, number: int, margin: float) -> np.ndarray:
    """Numbers of equal spacing from first to last, and those at the margin from either."""
    even = np.linspace(first, last, number)
    step = math.copysign(margin, last - first)
    if number > 2 and abs(even[1] - even[0]) <= 1.5 * margin:
        return even
    return np.concatenate([[first, first + step], even[1:-1], [last - step, last]])
