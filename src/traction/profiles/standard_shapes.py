"""Profiles of the standards, computed from their formulas; lengths of the drawings in mm, of curves in m.

S1002 (EN 13715) is printed with s to the field side and z downwards; heads of rails (EN 13674-1) are arcs
tangent to each other, and sides of slope 1:20. Here y points to the flange or gauge side and z upwards.

Drawings are made of lines, circular arcs and polynomials. Each segment returns sample points close enough for
the spline of its curve, and its directions at both ends. Segments run from the field side to the inner side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.polynomial.polynomial import polyder, polyval

from traction.profiles.profile_curve import ProfileCurve, clamped_piece, joined

SPACING = 0.2e-3  #: of sample points, m; a spline then misses an arc of 8 mm by 3e-12 m
LINE_SPACING = 1e-3  #: of sample points on lines, m
BRIDGE = 0.06e-3  #: distance of the first sample from a joint, m: there formulas that differ are bridged
STRAIGHT = 1e-3  #: curvature below which a segment counts as straight, 1/m
SAME_DIRECTION = 5e-3  #: directions that differ by less meet smoothly, rad
MM = 1e-3

# S1002: coefficients of sections B and C from the lowest power, as printed by H. Netter, DLR
TREAD = (
    0.0, -3.358537058e-2, 1.565681624e-3, -2.810427944e-5, 5.844240864e-8,
    -1.562379023e-8, 5.309217349e-15, -5.957839843e-12, 2.646656573e-13,
)  # fmt: skip
ROOT = (
    -4.320221063e3, -1.038384026e3, -1.065501873e2, -6.051367875, -2.054332446e-1,
    -4.169739389e-3, -4.687195829e-5, -2.252755540e-7,
)  # fmt: skip
#: centres (s, z) and radii of the arcs D (flange root), F, G and H (flange)
FLANGE_ARCS = (
    (-26.210665, 16.446, 13.0),
    (-58.558326413, 8.834924130, 20.0),
    (-55.0, 16.0, 12.0),
    (-49.5, 9.519259302, 20.5),
)
#: s where its sections meet, from the flange back to the field side: H, G, F, E, D, C, B, A
S1002_BREAKS = (
    -70.0,
    -62.764705882,
    -49.662510381,
    -39.764473993,
    -38.426669071,
    -35.0,
    -26.0,
    32.15796,
    60.0,
)

SIDE_SLOPE = 1.0 / 20.0
HEAD_DEPTH = 37.5  #: to which the sides of a head are followed below its top, mm
#: radii of a head from its top outwards and half widths where they meet, mm
HEADS = {
    "60E1": ((300.0, 80.0, 13.0), (10.228, 26.0265)),
    "60E2": ((200.0, 70.0, 16.0, 8.0), (11.889, 24.4565, 35.387)),
}
# The rail of the Manchester benchmark: arcs as those of 60E1, by the centres of the points of its file, which
# lie within 1e-6 mm of them. The file holds it inclined by 1:40, about this origin (mm).
BENCHMARK_CENTERS = ((0.0, -300.0), (7.7, -80.134791), (23.01622, -14.908972))
BENCHMARK_RADII = (300.0, 80.0, 13.0)
BENCHMARK_ORIGIN = (7.4917, -0.093706)
BENCHMARK_INCLINATION = math.atan(1.0 / 40.0)


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


def s1002() -> ProfileCurve:
    """Return the wheel profile S1002 from the field side (y = -60 mm) to the flange back (70 mm)."""
    h, g, f, e, d, c, b, a, field = S1002_BREAKS
    root_arc, *flange = FLANGE_ARCS
    conical = ((-field, -(1.364323640 - 0.066666667 * field)), (-a, -(1.364323640 - 0.066666667 * a)))
    steep = tuple((-s, 93.576667419 + 2.747477419 * s) for s in (d, e))
    segments: list[CurveSegment] = [
        _line(*conical),
        _graph(TREAD, (b, a)),
        _graph(ROOT, (c, b)),
        _printed_arc(root_arc, (c, d), lower=False),
        _line(*steep),
    ]
    for arc, between in zip(flange, ((e, f), (f, g), (g, h)), strict=True):
        segments.append(_printed_arc(arc, between, lower=True))
    return curve_of(segments)


def rail_head(
    radii: Sequence[float],
    widths: Sequence[float],
    side_slope: float = SIDE_SLOPE,
    depth: float = HEAD_DEPTH * MM,
) -> ProfileCurve:
    """Return a symmetric head of tangent arcs with inclined sides; lengths in m.

    `radii` count from the top outwards; `widths` are the half widths where they meet, one fewer.
    """
    centers = [(0.0, -radii[0])]
    angles = [0.0]
    for (outer, inner), width in zip(pairwise(radii), widths, strict=True):
        (y, z) = centers[-1]
        sine = (width - y) / outer
        angles.append(math.asin(sine))
        centers.append((y + (outer - inner) * sine, z + (outer - inner) * math.sqrt(1.0 - sine**2)))
    return _head(centers, radii, angles, side_slope, depth)


def conical(taper: float, between: tuple[float, float]) -> ProfileCurve:
    """Return a cone z = -taper y."""
    low, high = between
    return curve_of([Line((low, -taper * low), (high, -taper * high))])


def hollow(radius: float, slope: float, between: tuple[float, float]) -> ProfileCurve:
    """Return an arc through the origin with the given slope there; its centre lies below for radius > 0."""
    tilt = math.atan(slope)
    center = (radius * math.sin(tilt), -radius * math.cos(tilt))
    first, last = (-math.asin((y - center[0]) / radius) for y in between)
    return curve_of([Arc(center, abs(radius), (first, last))])


def standard_head(name: str) -> ProfileCurve:
    """Return the head of a standard rail, upright, with its top at the origin."""
    radii, widths = HEADS[name]
    return rail_head([MM * r for r in radii], [MM * w for w in widths])


def benchmark_head() -> ProfileCurve:
    """Return the rail of the Manchester benchmark, inclined by 1:40 as in its file."""
    angles = [0.0]
    for (y0, z0), (y1, z1) in pairwise(BENCHMARK_CENTERS):
        angles.append(math.atan2(y1 - y0, z1 - z0))
    centers = [(MM * y, MM * z) for y, z in BENCHMARK_CENTERS]
    upright = _head(centers, [MM * r for r in BENCHMARK_RADII], angles, SIDE_SLOPE, HEAD_DEPTH * MM)
    c, s = math.cos(BENCHMARK_INCLINATION), -math.sin(BENCHMARK_INCLINATION)
    return upright.mapped(np.array([[c, -s], [s, c]]), MM * np.array(BENCHMARK_ORIGIN))


SHAPES: dict[str, tuple[str, Callable[[], ProfileCurve]]] = {
    "S1002": ("wheel", s1002),
    "60E1": ("rail", lambda: standard_head("60E1")),
    "60E2": ("rail", lambda: standard_head("60E2")),
    "UIC60-benchmark": ("rail", benchmark_head),
}


def _head(
    centers: Sequence[tuple[float, float]],
    radii: Sequence[float],
    angles: Sequence[float],
    side_slope: float,
    depth: float,
) -> ProfileCurve:
    """A symmetric head; each arc begins at its angle (rad) from the vertical and ends at that of the next."""
    ends = [*angles[1:], 0.5 * math.pi - math.atan(side_slope)]
    inner: list[CurveSegment] = []
    for center, radius, first, last in zip(centers, radii, angles, ends, strict=True):
        inner.append(Arc(center, radius, (-first, -last)))
    (y, z), radius, last = centers[-1], radii[-1], ends[-1]
    foot = (y + radius * math.sin(last), z + radius * math.cos(last))
    inner.append(Line(foot, (foot[0] + side_slope * (foot[1] + depth), -depth)))
    top = inner[0]
    outer = [_mirrored(segment) for segment in inner[:0:-1]]
    whole = Arc(top.center, top.radius, (-top.angles[1], top.angles[1]))  # type: ignore[attr-defined]
    return curve_of([*outer, whole, *inner[1:]])


def _mirrored(segment: CurveSegment) -> CurveSegment:
    """The segment on the other side of a symmetric head, run through in the opposite direction."""
    if isinstance(segment, Line):
        return Line((-segment.end[0], segment.end[1]), (-segment.start[0], segment.start[1]))
    assert isinstance(segment, Arc)
    first, last = segment.angles
    return Arc((-segment.center[0], segment.center[1]), segment.radius, (-last, -first))


def _line(start: tuple[float, float], end: tuple[float, float]) -> Line:
    """A line between points in mm."""
    return Line((MM * start[0], MM * start[1]), (MM * end[0], MM * end[1]))


def _graph(printed: Sequence[float], between: tuple[float, float]) -> Graph:
    """A polynomial z(s) in mm, downwards, for s between two limits."""
    slope = polyder(np.array(printed))
    return Graph(
        lambda y: -MM * polyval(-y / MM, printed),
        lambda y: polyval(-y / MM, slope),
        (-MM * between[1], -MM * between[0]),
    )


def _printed_arc(arc: tuple[float, float, float], between: tuple[float, float], lower: bool) -> Arc:
    """An arc by its centre and radius in mm, s and z downwards, from one s to a smaller one."""
    s, z, radius = arc
    sines = [(s - at) / radius for at in between]  # of the angle of the tangent, for arcs that open upwards
    angles = [math.asin(max(-1.0, min(1.0, sine))) for sine in sines]
    if not lower:
        angles = [-angle for angle in angles]
    return Arc((-MM * s, -MM * z), MM * radius, (angles[0], angles[1]))
