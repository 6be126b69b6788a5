"""Points along a profile, dense enough that cubic pieces between them are the profile itself."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from traction.profiles.profile_curve import ProfileCurve

SPACING = 0.1e-3  #: along the arc, m: pieces with the true tangents miss an arc of 10 mm by 3e-13 m


def sample_curve(curve: ProfileCurve) -> np.ndarray:
    """Rows of arc length s, y, z (m) and the tangent (y, z) at nodes along a curve, (5, n).

    A kink has two nodes at the same place, one with the tangent of either side.
    """
    bounds = [0.0, *curve.kinks, curve.length]
    pieces = []
    for start, end in pairwise(bounds):
        count = max(2, math.ceil((end - start) / SPACING) + 1)
        s = np.linspace(start, end, count)
        inside = s.copy()  # at a kink the curve has the tangent behind it, so each side is asked from within
        room = 1e-9 * (end - start)
        inside[0] += room
        inside[-1] -= room
        pieces.append(np.stack([s, *curve.position(s), *curve.tangent(inside)]))
    return np.ascontiguousarray(np.concatenate(pieces, axis=1))


def turn_nodes(nodes: np.ndarray, angle: float) -> np.ndarray:
    """The nodes turned about the x axis by `angle`, rad."""
    c, s = math.cos(angle), math.sin(angle)
    arc, y, z, ty, tz = nodes
    return np.stack([arc, c * y - s * z, s * y + c * z, c * ty - s * tz, s * ty + c * tz])
