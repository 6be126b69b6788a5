"""Which way up a profile lies, and on which side a wheel has its flange."""

from __future__ import annotations

import numpy as np

from traction.errors import InputError

FLANGE = 15e-3  #: what stands out of a wheel by more than this is its flange, m
BENT = 0.05  #: turn of a rail's surface from side to side that says which side is up, rad


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
            "flange, "
            "as for a right wheel with y to the left. Give -y."
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
