"""`Track`: two rails, at their gauge and inclination."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.profiles.profile import Profile
from traction.wheelsets.geometry.curve_nodes import sample_curve, turn_nodes
from traction.wheelsets.geometry.kernels.curve_points import point_above, point_on

MOST_CANT = 0.5  #: rad; rails are inclined by 1/40 to 1/20


@dataclass(frozen=True, eq=False)
class PlacedRail:
    """A right rail in the coordinates of the track, or a roller in its place.

    A roller is the profile turned about a lateral axis below its top, which is at x = 0.
    """

    nodes: np.ndarray  #: arc length, y, z (m) and tangent along the profile, (5, n)
    head: tuple[int, int]  #: first and last node between the sides of the head
    origin: tuple[float, float]  #: y and z of the origin of the profile, m
    angles: np.ndarray  #: of the tangent, rad, (n,)
    curvature: float = 0.0  #: of a roller at its top, along x, 1/m; 0 for a rail

    def find_point(self, y: float) -> tuple[float, float]:
        """Arc position and height of the head at y, m."""
        arc, z = point_above(self.nodes, *self.head, y)
        return arc, z

    def point_at(self, arc: float) -> tuple[float, float]:
        """y and z at an arc position, m."""
        i = min(max(int(np.searchsorted(self.nodes[0], arc)) - 1, 0), self.nodes.shape[1] - 2)
        y, z, _, _ = point_on(self.nodes, i, arc)
        return float(y), float(z)

    def angle_at(self, arc: float) -> float:
        """Angle of the tangent at an arc position, rad."""
        return float(self.angles_at(np.array(arc)))

    def angles_at(self, arcs: np.ndarray) -> np.ndarray:
        """Angles of the tangent at arc positions, rad."""
        return np.interp(arcs, self.nodes[0], self.angles)

    def fall(self, x: float, z: float) -> float:
        """How much lower than at x = 0 the circle through the height z of the profile is at x, m.

        r - sqrt(r^2 - x^2) with the radius r of the circle, without the difference of large numbers.
        """
        up, ahead = 1.0 + self.curvature * z, self.curvature * x
        return ahead * x / (up + math.sqrt(up**2 - ahead**2))

    def tilt(self, x: float, z: float) -> float:
        """Angle about the roller's axis at which the circle through the height z is at x, rad; 0 on rails."""
        return math.asin(self.curvature * x / (1.0 + self.curvature * z))


@dataclass(frozen=True, eq=False)
class Track:
    """Straight track of two rails, or the rollers of a test rig.

    Parameters
    ----------
    rail
        Profile of the rails, `kind="rail"`, as of a right rail.
    gauge
        Distance of the inner sides of the heads, m.
    gauge_height
        Depth below the top down to which the gauge is measured, m; the end of a profile that does not reach
        so far counts as its inner side.
    cant
        Inclination of the rails towards each other, rad: the profile is turned by it. Zero where the profile
        already is inclined, as "UIC60-benchmark". Not a superelevation.
    left
        Profile of the left rail, if it is another one; also as of a right rail.
    roller_radius
        Radius of rollers that turn instead of rails, m: that of their tops, over which the centre of the
        wheelset stays. The profiles, inclined by `cant`, are turned about a common lateral axis so far below
        their tops. Speeds are then circumferential ones at this radius. None for rails.

    Raises
    ------
    InputError
        If a profile is not of a rail, a length is not positive, or a roller is not larger than its profile.

    Examples
    --------
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> track.gauge
    1.435
    """

    rail: Profile
    gauge: float = 1.435
    gauge_height: float = 0.014
    cant: float = 0.0
    left: Profile | None = None
    roller_radius: float | None = None

    def __post_init__(self) -> None:
        for name, profile in (("rail", self.rail), ("left", self.rail if self.left is None else self.left)):
            checks.instance(name, profile, Profile, 'such as tr.Profile.standard("60E1").')
            if profile.kind != "rail":
                raise InputError(f'{name} is a profile of kind "{profile.kind}", but must be of kind "rail".')
        checks.keep_checked(self, checks.positive, gauge="m", gauge_height="m")
        cant = checks.finite("cant", self.cant, "rad")
        if abs(cant) > MOST_CANT:
            raise InputError(
                f"cant = {cant} rad must lie between -{MOST_CANT} and {MOST_CANT}: it is the "
                "inclination of the rails, 0.025 for 1 in 40."
            )
        checks.keep(self, cant=cant)
        if self.roller_radius is not None:
            checks.keep_checked(self, checks.positive, roller_radius="m")
        self._placed  # noqa: B018  # a profile that does not fit is an error here, not at first use

    def __repr__(self) -> str:
        inclined = f", rails inclined by {self.cant:.4g} rad" if self.cant else ""
        rollers = f", rollers of radius {self.roller_radius:.4g} m" if self.roller_radius else ""
        return (
            f"Track: gauge {self.gauge:.4g} m at {self.gauge_height:.3g} m below the top{inclined}{rollers}"
        )

    @property
    def curvature(self) -> float:
        """Of the rollers along x, 1/m; 0 for rails."""
        return 1.0 / self.roller_radius if self.roller_radius else 0.0

    def require_rails(self, purpose: str) -> None:
        """Raise an error if there are rollers, which `purpose` does not know."""
        if self.roller_radius is not None:
            raise InputError(
                f"roller_radius = {self.roller_radius} m: {purpose} is that of a wheelset on rails. Leave "
                "roller_radius away."
            )

    def placed_rail(self, side: str) -> PlacedRail:
        """The rail of a side in the coordinates of the track; the left one mirrored, as if on the right."""
        return self._placed[side]

    @cached_property
    def _placed(self) -> dict[str, PlacedRail]:
        right = place_rail(self.rail, self)
        return {"right": right, "left": right if self.left is None else place_rail(self.left, self)}


def place_rail(profile: Profile, track: Track) -> PlacedRail:
    """Turn a profile by the inclination, and shift its top to z = 0 and its gauge point in place.

    The gauge point is the innermost one of the head down to the gauge height.
    """
    nodes = turn_nodes(sample_curve(profile.curve), -track.cant)
    y, z = nodes[1], nodes[2]
    top = int(np.argmax(z))
    highest = find_extreme(nodes, top, 2)
    inner = z[top:] >= highest - track.gauge_height
    end = top + (int(np.argmin(inner)) if not inner.all() else len(inner))
    innermost = top + int(np.argmax(y[top:end]))
    gauge_point = find_extreme(nodes, innermost, 1)
    if innermost == end - 1 and end < len(z):  # y still grows downwards: the point is at the gauge height
        low, high = z[end], z[end - 1]
        share = (high - (highest - track.gauge_height)) / (high - low) if high > low else 0.0
        gauge_point = float(y[end - 1] + share * (y[end] - y[end - 1]))
    origin = (-0.5 * track.gauge - gauge_point, -highest)
    placed = nodes.copy()
    placed[1] += origin[0]
    placed[2] += origin[1]
    head = find_head(placed, top)
    placed.setflags(write=False)
    _require_roller(track.roller_radius, -float(placed[2].min()))
    angles = np.unwrap(np.arctan2(placed[4], placed[3]))
    return PlacedRail(placed, head, origin, angles, track.curvature)


def _require_roller(radius: float | None, depth: float) -> None:
    """Raise an error if a roller is hardly larger than its profile, which then is in other units."""
    if radius is not None and radius < 2.0 * depth:
        raise InputError(
            f"roller_radius = {radius} m must be at least twice the depth of the rail's profile, "
            f"{depth:.4g} m; check the units of both."
        )


def find_extreme(nodes: np.ndarray, i: int, row: int) -> float:
    """Largest value of y (row 1) or z (row 2) near its largest node i, by the tangents there."""
    if not 0 < i < nodes.shape[1] - 1:
        return float(nodes[row, i])
    best = float(nodes[row, i])
    for k in (i - 1, i):
        h = nodes[0, k + 1] - nodes[0, k]
        a, b = nodes[row + 2, k], nodes[row + 2, k + 1]
        if h > 0.0 and a > 0.0 > b:
            u = a / (a - b)
            rise = h * (a * u * (1.0 - 0.5 * u) + 0.5 * b * u * u)
            best = max(best, float(nodes[row, k] + rise))
    return best


def find_head(nodes: np.ndarray, top: int) -> tuple[int, int]:
    """First and last node around the top between which y grows: the part seen from above."""
    y = nodes[1]
    first, last = top, top
    while first > 0 and y[first - 1] <= y[first]:
        first -= 1
    while last < len(y) - 1 and y[last + 1] >= y[last]:
        last += 1
    return first, last
