"""Nearest points of curves, and the points of the Manchester benchmark's files."""

import json
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

DATA = Path(__file__).parent / "data" / "manchester_profiles.json"


def benchmark_points():
    """Points of wheel and rail, m, y to the flange or gauge side and z upwards."""
    stored = json.loads(DATA.read_text())
    wheel, rail = (1e-3 * np.array(stored[kind]) for kind in ("wheel", "rail"))
    return wheel * [1.0, -1.0], -rail


def distances(curve, points):
    """Distances of points from a curve, m."""
    s = np.linspace(0.0, curve.length, 20_001)
    _, nearest = cKDTree(np.stack(curve.position(s), axis=-1)).query(points)
    s = s[nearest]
    for _ in range(4):
        off = points - np.stack(curve.position(s), axis=-1)
        s = np.clip(s + (off * np.stack(curve.tangent(s), axis=-1)).sum(axis=-1), 0.0, curve.length)
    return np.hypot(*(points - np.stack(curve.position(s), axis=-1)).T)
