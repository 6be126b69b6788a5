"""Points of a profile made fit for a curve: order, duplicates, zig-zags, kinks, gaps, loops, noise.

Points run from the field side to the flange or gauge side, y increasing on the whole. What is done is
returned as sentences; what cannot be mended raises an `InputError`. So do profiles that lie upside down, or
wheels with their flange on the field side.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.profiles.smoothing import estimate_noise, longest_wavelengths, smooth

FEWEST, MOST = 4, 100_000  #: points of a profile
NARROWEST, WIDEST = 1e-3, 1.0  #: of the width of a profile, m
NEAR = 20e-6  #: points closer than this count as one, m: nearer ones carry rounding, no shape
CORNER = 0.35  #: turn of the direction at one point that makes it a kink, rad
OUTSTANDING = 4.0  #: a kink turns this many times as much as the points next to it
ZIGZAG = 1.0  #: turn to one side and back at the next point that is an error of measurement, rad
BACK = 2.0  #: turn to either side at both ends of a step that goes back, rad: its sign says nothing near pi
SHORT = 0.5e-3  #: longest step of a zig-zag, m; longer ones are shape
GAP, GAP_SHARE = 5e-3, 10.0  #: a gap is longer than this, m, and than so many times the median spacing
WANDERING = 6.0  #: longest path, over width and height together; longer ones are in no order
NOISE = 0.1e-6  #: standard deviation from which a profile counts as measured, m
MEASURED = 30  #: fewest points of a measured profile
ROUND = 5.5  #: turn of the direction along a profile that makes it a loop, rad
CROWDED = 200  #: neighbours of a piece, on the mean, beyond which points are in no order
FLANGE = 15e-3  #: what stands out of a wheel by more than this is its flange, m
BENT = 0.05  #: turn of a rail's surface from side to side that says which side is up, rad


@dataclass(frozen=True, eq=False)
class CuratedPoints:
    """Points in order, the indices of true kinks, and what was done."""

    points: np.ndarray
    corners: tuple[int, ...]
    notes: tuple[str, ...]


def curate(y: object, z: object, smoothing: float | None = None) -> CuratedPoints:
    """Return the points of a profile in order, clean and smooth; lengths in m.

    `smoothing` is the wavelength of which half the amplitude stays; 0 keeps all points, None lets the noise
    decide.
    """
    notes: list[str] = []
    points = _ordered(_checked(y, z), notes)
    points = _without_duplicates(points, notes)
    points = _without_zigzags(points, notes)
    _refuse_gaps(points)
    _refuse_loops(points)
    corners = find_corners(points)
    if corners:
        places = ", ".join(f"{1e3 * points[i, 0]:.2f}" for i in corners[:8])
        notes.append(f"{len(corners)} kinks kept, at y = {places}{' ...' * (len(corners) > 8)} mm")
    return CuratedPoints(_smooth(points, corners, smoothing, notes), corners, tuple(notes))


def find_corners(points: np.ndarray) -> tuple[int, ...]:
    """Return the indices of points where the direction jumps."""
    turns = np.abs(turning(points))
    around = np.maximum(np.r_[turns[1:], 0.0], np.r_[0.0, turns[:-1]])
    return tuple(int(i) + 1 for i in np.flatnonzero((turns > CORNER) & (turns > OUTSTANDING * around)))


def turning(points: np.ndarray) -> np.ndarray:
    """Return the angle by which the direction turns at each inner point, rad."""
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
    path = np.hypot(*np.diff(points, axis=0).T).sum()
    if path > WANDERING * np.ptp(points, axis=0).sum():
        raise InputError(
            f"the points make a path of {path:.4g} m on a profile {np.ptp(points[:, 0]):.4g} m wide: they "
            "are in no order; list them one after the other along the profile."
        )
    if points[-1, 0] >= points[0, 0]:
        return points
    notes.append("the order of the points was reversed: they run from the field side inwards")
    return points[::-1].copy()


def _without_duplicates(points: np.ndarray, notes: list[str]) -> np.ndarray:
    kept = [0]
    for i, point in enumerate(points.tolist()):
        last = points[kept[-1]]
        if (point[0] - last[0]) ** 2 + (point[1] - last[1]) ** 2 > NEAR**2:
            kept.append(i)
    if len(kept) < len(points):
        kept[-1] = len(points) - 1  # the end of the profile stays in its place
        notes.append(
            f"{len(points) - len(kept)} points nearer than {1e6 * NEAR:g} um to another were dropped"
        )
    if len(kept) < FEWEST:
        raise InputError(f"the profile has {len(kept)} different points and must have at least {FEWEST}.")
    return points[kept]


def _without_zigzags(points: np.ndarray, notes: list[str]) -> np.ndarray:
    number = 0
    for _ in range(len(points)):
        turns = turning(points)
        short = np.hypot(*np.diff(points[1:-1], axis=0).T) < SHORT
        least = np.minimum(np.abs(turns[:-1]), np.abs(turns[1:]))
        aside = (turns[:-1] * turns[1:] < 0.0) & (least > ZIGZAG)
        found = np.flatnonzero((aside | (least > BACK)) & short) + 1
        found = found[np.concatenate([[True], np.diff(found) > 1])] if found.size else found
        if not found.size or len(points) - found.size < FEWEST:
            break
        points = points.copy()
        points[found] = 0.5 * (points[found] + points[found + 1])
        points = np.delete(points, found + 1, axis=0)
        number += found.size
    if number:
        notes.append(f"{number} zig-zags were replaced by the mean of their two points")
    return points


def _refuse_gaps(points: np.ndarray) -> None:
    steps = np.hypot(*np.diff(points, axis=0).T)
    widest = int(steps.argmax())
    if steps[widest] > max(GAP, GAP_SHARE * float(np.median(steps))):
        (y0, _), (y1, _) = 1e3 * points[widest : widest + 2]
        raise InputError(
            f"the profile has a gap of {1e3 * steps[widest]:.2f} mm between its points at y = {y0:.2f} and "
            f"{y1:.2f} mm, where {1e3 * float(np.median(steps)):.2f} mm are usual; give the points between."
        )


def _refuse_loops(points: np.ndarray) -> None:
    """Refuse curves that turn in a circle or cross themselves: pieces near each other are compared."""
    from scipy.spatial import cKDTree

    winding = np.cumsum(turning(points))
    if (whole := float(np.ptp(winding))) > ROUND:
        y, z = 1e3 * points[1 + int(np.abs(np.diff(winding)).argmax())]
        raise InputError(
            f"the direction of the profile turns by {whole:.1f} rad, most near y = {y:.2f} mm, z = {z:.2f} "
            "mm: remove the loop from its points."
        )
    steps = np.hypot(*np.diff(points, axis=0).T)
    parts = np.ceil(steps / (2.0 * float(np.mean(steps)))).astype(int)  # long pieces are cut: pairs are few
    at = np.concatenate([i + np.arange(n) / n for i, n in enumerate(parts)] + [[len(steps)]])
    fine = np.stack([np.interp(at, np.arange(len(points)), column) for column in points.T], axis=-1)
    a, b = fine[:-1], fine[1:]
    tree = cKDTree(0.5 * (a + b))
    reach = float(np.hypot(*(b - a).T).max())
    if tree.count_neighbors(tree, reach) > CROWDED * len(a):
        raise InputError("the points of the profile crowd in one place: they are in no order along it.")
    i, j = tree.query_pairs(reach, output_type="ndarray").T
    i, j = np.minimum(i, j), np.maximum(i, j)
    crossing = (j > i + 1) & _cross(a[i], b[i], a[j], b[j])
    if crossing.any():
        y, z = 1e3 * a[i[np.argmax(crossing)]]
        raise InputError(
            f"the profile crosses itself near y = {y:.2f} mm, z = {z:.2f} mm: remove the loop from its "
            "points."
        )


def _cross(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Whether the pieces a-b and c-d meet in a point inside both."""

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        return (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])

    return (side(a, b, c) * side(a, b, d) < 0.0) & (side(c, d, a) * side(c, d, b) < 0.0)


def _smooth(
    points: np.ndarray, corners: tuple[int, ...], smoothing: float | None, notes: list[str]
) -> np.ndarray:
    """The points smoothed between the kinks."""
    noise = _noise(points) if smoothing is None else np.zeros(len(points))
    if smoothing == 0.0 or (smoothing is None and noise.max() <= NOISE):
        return points
    bounds = [0, *corners, len(points) - 1]
    pieces, used = [], []
    for first, last in pairwise(bounds):
        piece = points[first : last + 1]
        if len(piece) > FEWEST:
            lengths = np.full(len(piece), smoothing or 0.0)
            if smoothing is None:
                lengths = longest_wavelengths(piece, noise[first : last + 1])
            used += [lengths.min(), lengths.max()]
            piece = smooth(piece, lengths)
        pieces.append(piece)
    if smoothing is None and used:
        notes.append(
            f"noise of {1e6 * np.quantile(noise, 0.75):.2g} um was found and smoothed by wavelengths of "
            f"{1e3 * min(used):.1f} to {1e3 * max(used):.1f} mm, the longest that agree with it; smoothing=0 "
            "keeps the points"
        )
    elif used:
        notes.append(f"smoothed by a wavelength of {1e3 * max(used):.3g} mm")
    for before, behind in pairwise(pieces):
        behind[0] = before[-1] = 0.5 * (before[-1] + behind[0])
    return np.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])


def _noise(points: np.ndarray) -> np.ndarray:
    """The noise of a measurement at each point, m; 0 where points deviate as on a curve with wide spacing."""
    if len(points) < MEASURED:
        return np.zeros(len(points))
    noise = estimate_noise(points)
    thinned = np.interp(np.arange(len(points)), np.arange(0, len(points), 2), estimate_noise(points[::2]))
    return noise if np.median(thinned / np.maximum(noise, 1e-12)) < 4.0 else 0.0 * noise  # on a curve, 16


def is_upside_down(points: np.ndarray, kind: str) -> bool:
    """Whether z of the points (n, 2) points downwards; y increases along them on the whole."""
    if kind == "rail":
        return _bend(points) > BENT
    below, above = _reach(points)
    return above > max(FLANGE, below)


def has_flange_outside(points: np.ndarray) -> bool:
    """Whether a wheel, with z upwards, has its flange at the smaller y."""
    y, z = points.T
    return _reach(points)[0] > FLANGE and float(y[z.argmin()]) < 0.5 * float(y.min() + y.max())


def require_orientation(points: np.ndarray, kind: str) -> None:
    """Refuse profiles that are upside down, and wheels with their flange on the field side."""
    if is_upside_down(points, kind):
        if kind == "rail":
            found = f"the rail bends upwards, by {_bend(points):.2f} rad from side to side"
        else:
            below, above = 1e3 * _reach(points)
            found = f"the wheel reaches {above:.1f} mm above its tread and {below:.1f} mm below"
        raise InputError(f"{found}: it is upside down; z must point upwards. Give -z.")
    if kind == "wheel" and has_flange_outside(points):
        at = 1e3 * float(points[points[:, 1].argmin(), 0])
        raise InputError(
            f"the flange of the wheel, at y = {at:.1f} mm, lies on its field side: y must point to the "
            "flange, as for a right wheel with y to the left. Give -y."
        )


def _bend(points: np.ndarray) -> float:
    """Turn of the direction from the first tenth of the points to the last, rad."""
    dy, dz = np.diff(points, axis=0).T
    directions = np.unwrap(np.arctan2(dz, dy))
    tenth = 1 + len(directions) // 10
    return float(directions[-tenth:].mean() - directions[:tenth].mean())


def _reach(points: np.ndarray) -> np.ndarray:
    """How far a wheel reaches below and above its tread, m."""
    z = points[:, 1]
    tread = np.median(z)
    return np.array([tread - z.min(), z.max() - tread])
