"""Points of a profile made fit for a curve: order, duplicates, zig-zags, kinks, loops; each step is reported.

Points run from the field side to the flange or gauge side, y increasing on the whole. What is done is
returned as sentences; what cannot be mended raises an `InputError`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError

FEWEST, MOST = 4, 100_000  #: points of a profile
NARROWEST, WIDEST = 1e-3, 1.0  #: of the width of a profile, m
NEAR = 1e-6  #: points that are closer than this count as one, m
CORNER = 0.35  #: turn of the direction at one point that makes it a kink, rad
OUTSTANDING = 4.0  #: a kink turns this many times as much as the points around it


@dataclass(frozen=True, eq=False)
class CuratedPoints:
    """Points in order, the indices of true kinks, and what was done."""

    points: np.ndarray
    corners: tuple[int, ...]
    notes: tuple[str, ...]


def curate(y: object, z: object) -> CuratedPoints:
    """Return the points of a profile in order, without duplicates; y and z in m."""
    points = _checked(y, z)
    notes: list[str] = []
    points = _ordered(points, notes)
    points = _without_duplicates(points, notes)
    corners = find_corners(points)
    if corners:
        places = ", ".join(f"{1e3 * points[i, 0]:.2f}" for i in corners)
        notes.append(f"{len(corners)} kinks kept, at y = {places} mm")
    return CuratedPoints(points, corners, tuple(notes))


def find_corners(points: np.ndarray) -> tuple[int, ...]:
    """Return the indices of points where the direction jumps."""
    turns = np.abs(turning(points))
    if turns.size < 3:
        return tuple(int(i) + 1 for i in np.flatnonzero(turns > CORNER))
    around = np.maximum(np.r_[turns[1:], 0.0], np.r_[0.0, turns[:-1]])
    return tuple(int(i) + 1 for i in np.flatnonzero((turns > CORNER) & (turns > OUTSTANDING * around)))


def turning(points: np.ndarray) -> np.ndarray:
    """Angle by which the direction turns at each inner point, rad."""
    dy, dz = np.diff(points, axis=0).T
    return np.arctan2(dy[:-1] * dz[1:] - dz[:-1] * dy[1:], dy[:-1] * dy[1:] + dz[:-1] * dz[1:])


def _checked(y: object, z: object) -> np.ndarray:
    across = checks.finite_array("y", y, unit="m")
    if across.ndim != 1:
        raise InputError(f"y has shape {across.shape}; the points of a profile are one row of numbers.")
    height = checks.finite_array("z", z, across.shape, "m", "z[i] belongs to y[i].")
    if not FEWEST <= across.size <= MOST:
        raise InputError(f"a profile of {across.size} points must have between {FEWEST} and {MOST}.")
    for name, values in (("y", across), ("z", height)):
        if (size := float(np.ptp(values))) > WIDEST or np.abs(values).max() > 100.0 * WIDEST:
            raise InputError(
                f"{name} of the profile spans {size:.4g} m and must span at most {WIDEST} m: profiles are in "
                "metres; multiply those in mm by 1e-3."
            )
    if (width := float(np.ptp(across))) < NARROWEST:
        raise InputError(f"y of the profile spans {width:.4g} m and must span at least {NARROWEST} m.")
    return np.stack([across, height], axis=-1)


def _ordered(points: np.ndarray, notes: list[str]) -> np.ndarray:
    if points[-1, 0] >= points[0, 0]:
        return points
    notes.append("the order of the points was reversed: they run from the field side inwards")
    return points[::-1].copy()


def _without_duplicates(points: np.ndarray, notes: list[str]) -> np.ndarray:
    kept = [0]
    for i in range(1, len(points)):
        if np.hypot(*(points[i] - points[kept[-1]])) > NEAR:
            kept.append(i)
    if len(kept) < len(points):
        notes.append(
            f"{len(points) - len(kept)} points nearer than {1e6 * NEAR:g} um to another were dropped"
        )
    if len(kept) < FEWEST:
        raise InputError(f"the profile has {len(kept)} different points and must have at least {FEWEST}.")
    return points[kept]
