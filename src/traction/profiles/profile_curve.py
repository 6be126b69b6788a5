"""Smooth plane curves along their arc: cubic splines between the points, cut where the direction jumps.

With s the arc length, theta the direction of the tangent (cos theta, sin theta) against y, the curvature is
kappa = d theta/d s: positive where the curve turns from y towards z. A rail's head has kappa = -1/R.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError

#: nodes and weights of Gauss-Legendre on (0, 1), for lengths of arc
NODES, WEIGHTS = (
    0.5 * (np.array(v) + shift) for v, shift in zip(np.polynomial.legendre.leggauss(6), (1, 0), strict=True)
)
ARC_PASSES = 4  #: of setting the parameter to the arc length; each gains some three digits
LONGEST_ARC = 1.6  #: over its chord: that of half a circle
SLACK = 1e-9  #: of the length, by which a position may lie beyond an end through rounding


@dataclass(frozen=True, eq=False)
class ProfileCurve:
    """Curve of a profile by its arc length s, from the field side to the flange or gauge side.

    In piece i, y and z = sum over k of c[k] (s - knots[i])^k for knots[i] <= s < knots[i + 1].

    Parameters
    ----------
    knots
        Arc lengths of the n + 1 points where pieces meet, m, from 0 to the length.
    coefficients
        Coefficients c[i, axis, k] of y (axis 0) and z (axis 1) in piece i, shape (n, 2, 4).
    kinks
        Arc lengths where the direction jumps, m.

    Examples
    --------
    >>> rail = tr.Profile.standard("60E1").curve
    >>> middle = 0.5 * rail.length
    >>> print(f"radius {-1e3 / rail.curvature(middle):.0f} mm")
    radius 300 mm
    """

    knots: np.ndarray
    coefficients: np.ndarray
    kinks: tuple[float, ...] = ()

    @property
    def length(self) -> float:
        """Length of the curve, m."""
        return float(self.knots[-1])

    @property
    def points(self) -> np.ndarray:
        """Points (y, z) at the knots, m, shape (n + 1, 2)."""
        end = _polynomial(self.coefficients[-1:], np.diff(self.knots[-2:]), 0)
        return np.concatenate([self.coefficients[:, :, 0], end])

    def position(self, s: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return y and z (m) at the arc lengths `s` (m)."""
        return self._derivative(s, 0)

    def tangent(self, s: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the unit vector along the curve (y, z) at the arc lengths `s` (m); at a kink, behind it."""
        y, z = self._derivative(s, 1)
        size = np.hypot(y, z)
        return y / size, z / size

    def curvature(self, s: ArrayLike) -> np.ndarray:
        """Return kappa = d theta/d s (1/m) at the arc lengths `s` (m); -1/R on the head of a rail."""
        (y1, z1), (y2, z2) = self._derivative(s, 1), self._derivative(s, 2)
        return (y1 * z2 - z1 * y2) / np.hypot(y1, z1) ** 3

    def mapped(self, matrix: np.ndarray, offset: np.ndarray) -> ProfileCurve:
        """Return the curve of the points `matrix` r + `offset`, a similarity; a mirror reverses it."""
        scale = math.sqrt(abs(float(np.linalg.det(matrix))))
        powers = scale ** -np.arange(4.0)
        coefficients = np.einsum("ab,ibk->iak", matrix, self.coefficients) * powers
        coefficients[:, :, 0] += offset
        knots = self.knots * scale
        kinks = tuple(scale * kink for kink in self.kinks)
        curve = ProfileCurve(knots, coefficients, kinks)
        return curve if float(np.linalg.det(matrix)) > 0.0 else curve._reversed()

    def _reversed(self) -> ProfileCurve:
        """The same curve from its other end."""
        sizes = np.diff(self.knots)[:, None]
        turned = np.empty_like(self.coefficients)
        for k, factor in enumerate((1.0, -1.0, 0.5, -1.0 / 6.0)):
            turned[:, :, k] = factor * _polynomial(self.coefficients, sizes[:, 0], k)
        knots = self.length - self.knots[::-1]
        return ProfileCurve(
            knots, turned[::-1].copy(), tuple(self.length - kink for kink in self.kinks[::-1])
        )

    def _derivative(self, s: ArrayLike, order: int) -> tuple[np.ndarray, np.ndarray]:
        at = checks.finite_points("s", s)
        slack = SLACK * self.length
        if at.size and not (-slack <= at.min() and at.max() <= self.length + slack):
            raise InputError(
                f"s = {at.min():.6g} to {at.max():.6g} m must lie on the profile, between 0 and its length, "
                f"{self.length:.6g} m."
            )
        piece = np.clip(np.searchsorted(self.knots, at, side="right") - 1, 0, len(self.coefficients) - 1)
        found = _polynomial(self.coefficients[piece], at - self.knots[piece], order)
        return found[..., 0], found[..., 1]


def curve_through(points: np.ndarray, corners: Sequence[int] = ()) -> ProfileCurve:
    """Return the interpolating spline through `points` (n, 2), with kinks at the points `corners`."""
    bounds = [0, *corners, len(points) - 1]
    pieces = [_natural_piece(points[a : b + 1]) for a, b in pairwise(bounds)]
    return joined(pieces, kinks=[True] * len(corners))


def clamped_piece(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> ProfileCurve:
    """Return the spline through `points` (n, 2) with the directions `start` and `end` at its ends."""
    return _arc_spline(points, ((1, start / np.hypot(*start)), (1, end / np.hypot(*end))))


def joined(pieces: Sequence[ProfileCurve], kinks: Sequence[bool]) -> ProfileCurve:
    """Return pieces put end to end; where `kinks` is true, the direction jumps between two of them."""
    starts = np.concatenate([[0.0], np.cumsum([piece.length for piece in pieces])])
    knots = [np.zeros(1)] + [start + piece.knots[1:] for start, piece in zip(starts, pieces, strict=False)]
    corners = tuple(float(s) for s, kink in zip(starts[1:-1], kinks, strict=True) if kink)
    return ProfileCurve(
        np.concatenate(knots), np.concatenate([piece.coefficients for piece in pieces]), corners
    )


def _natural_piece(points: np.ndarray) -> ProfileCurve:
    """A smooth piece through points: the third derivative is continuous near its ends."""
    if len(points) == 2:
        return clamped_piece(points, points[1] - points[0], points[1] - points[0])
    return _arc_spline(points, "not-a-knot" if len(points) > 3 else "natural")


def _arc_spline(points: np.ndarray, ends: object) -> ProfileCurve:
    """Spline whose parameter at the points is its own arc length."""
    from scipy.interpolate import CubicSpline

    chords = np.hypot(*np.diff(points, axis=0).T)
    s = np.concatenate([[0.0], np.cumsum(chords)])
    for _ in range(ARC_PASSES):
        spline = CubicSpline(s, points, bc_type=ends)
        # between points in disorder a spline overshoots; no arc that a step describes is longer than this
        s = np.concatenate([[0.0], np.cumsum(np.clip(_lengths(spline.c, s), chords, LONGEST_ARC * chords))])
    spline = CubicSpline(s, points, bc_type=ends)
    return ProfileCurve(s, np.ascontiguousarray(spline.c.transpose(1, 2, 0)[:, :, ::-1]))


def _lengths(c: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Lengths of the pieces of a spline with scipy's coefficients c (4, n, 2)."""
    ascending = c.transpose(1, 2, 0)[:, :, ::-1]
    sizes = np.diff(s)
    speeds = [np.hypot(*_polynomial(ascending, node * sizes, 1).T) for node in NODES]
    return sizes * (WEIGHTS @ np.array(speeds))


def _polynomial(c: np.ndarray, u: np.ndarray, order: int) -> np.ndarray:
    """Derivative of the given order of sum c[..., k] u^k."""
    v = np.asarray(u)[..., None]
    if order == 0:
        return ((c[..., 3] * v + c[..., 2]) * v + c[..., 1]) * v + c[..., 0]
    if order == 1:
        return (3.0 * c[..., 3] * v + 2.0 * c[..., 2]) * v + c[..., 1]
    if order == 2:
        return 6.0 * c[..., 3] * v + 2.0 * c[..., 2]
    return 6.0 * c[..., 3] + 0.0 * v
