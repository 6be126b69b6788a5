"""Smoothing splines by wavelength, for measured profiles.

A smooth piece r(s) = (y, z) minimises the integral of |r - points|^2 + lambda |r'''|^2 over its arc. A wave
of wave number k keeps the share 1/(1 + lambda k^6) of its amplitude: with lambda = (L/2 pi)^6 a wave of
length L is halved. The third derivative vanishes on arcs of constant curvature, so these keep their radius at
any L.

Where noise is found, L varies along the profile: at each place it is the longest that agrees with all shorter
ones within the noise (Lepski 1991). Long arcs are smoothed much, and joints of arcs keep their place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import sparray

KNOTS_PER_WAVE = 16  #: knots of the spline in the wavelength that is halved
LADDER = tuple(1e-3 * 1.4**k for k in range(1, 9))  #: wavelengths that are tried, m: 1.4 to 14.8 mm
AGREEMENT = 2.5  #: standard deviations by which fits of two wavelengths may differ
SLOPE = 1.0  #: change of the wavelength per length along the arc
SMALLEST = 1e-9  #: length that may divide, m
FEWEST = 9  #: points whose noise can be estimated
STRETCH = 61  #: points over which the noise is taken as equal
PASSES = 2  #: the arc length is taken from the points, and then from the smooth curve
#: variance of a fit = this times noise^2 spacing/L, of a spline with 1/(1 + (k L/2 pi)^6):
#: (2/L) times the integral of (1 + x^6)^-2 over x = (5/6) pi/3
FIT_VARIANCE = 2.0 * (5.0 / 18.0) * math.pi


def estimate_noise(points: np.ndarray) -> np.ndarray:
    """Return the standard deviation of points across the curve of their neighbours, m, at each point.

    Each point is compared with the cubic through two neighbours on either side; medians over a stretch of the
    profile are robust against joints, and show that noise in z alone does not matter where the profile is
    steep.
    """
    if len(points) < FEWEST:
        return np.zeros(len(points))
    s = chord_lengths(points)
    index = np.arange(2, len(points) - 2)
    around = np.stack([index - 2, index - 1, index + 1, index + 2])
    weights = np.ones((4, index.size))
    for a in range(4):
        for b in range(4):
            if a != b:
                weights[a] *= (s[index] - s[around[b]]) / (s[around[a]] - s[around[b]])
    off = points[index] - np.einsum("ai,aic->ic", weights, points[around])
    along = points[index + 1] - points[index - 1]
    size = np.maximum(np.hypot(*along.T), SMALLEST)  # of a step forth and back it is zero
    normal = (along[:, 0] * off[:, 1] - along[:, 1] * off[:, 0]) / size
    deviation = np.abs(normal) / np.sqrt(1.0 + (weights**2).sum(axis=0)) / 0.6745
    width = min(STRETCH, deviation.size)
    medians = np.median(np.lib.stride_tricks.sliding_window_view(deviation, width), axis=1)
    middle = np.arange(medians.size) + 2 + width // 2
    return np.interp(np.arange(len(points)), middle, medians)


def smooth(points: np.ndarray, wavelength: float | np.ndarray) -> np.ndarray:
    """Return the points of the smoothing spline of wavelength L (m), one for all or one per point."""
    s = chord_lengths(points)
    for _ in range(PASSES):
        smoothed = _fit(s, points, wavelength)
        s = chord_lengths(smoothed)
    return smoothed


def longest_wavelengths(points: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return for each point the longest wavelength (m) that agrees with shorter ones within the noise (m)."""
    s = chord_lengths(points)
    spacing = np.gradient(s)
    ladder = [length for length in LADDER if length > 4.0 * np.median(spacing)] or [LADDER[-1]]
    fits = [_fit(s, points, length) for length in ladder]
    spread = [noise * np.sqrt(FIT_VARIANCE * spacing / length) for length in ladder]
    along = np.gradient(fits[0], axis=0)
    size = np.maximum(np.hypot(*along.T), SMALLEST)[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=-1) / size
    chosen = np.zeros(len(points), dtype=int)
    agrees = np.ones(len(points), dtype=bool)
    for i in range(1, len(ladder)):
        for j in range(i):
            agrees &= np.abs(((fits[i] - fits[j]) * normal).sum(axis=1)) <= AGREEMENT * spread[j]
        chosen[agrees] = i
    longest = np.array(ladder)[chosen]  # at most, and changing by no more than `SLOPE` per length
    up = np.minimum.accumulate(longest - SLOPE * s) + SLOPE * s
    down = np.minimum.accumulate((longest + SLOPE * s)[::-1])[::-1] - SLOPE * s
    return np.minimum(up, down)


def chord_lengths(points: np.ndarray) -> np.ndarray:
    """Return the lengths along the polygon, m, from 0."""
    steps = np.maximum(np.hypot(*np.diff(points, axis=0).T), SMALLEST)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _fit(s: np.ndarray, points: np.ndarray, wavelength: float | np.ndarray) -> np.ndarray:
    """The smoothing spline over the parameter s, at the points."""
    from scipy.interpolate import BSpline
    from scipy.linalg import solveh_banded
    from scipy.sparse import diags_array

    lengths = np.broadcast_to(np.asarray(wavelength, dtype=float), s.shape)
    knots = _knots(s, lengths)
    basis = BSpline.design_matrix(s, knots, 3)
    shares = np.gradient(s)  # the length of arc that belongs to each point
    shares[[0, -1]] *= 0.5
    weights = diags_array(shares)
    third = _third_derivative(knots)
    sizes = np.diff(knots[3:-3])
    middles = 0.5 * (knots[3:-4] + knots[4:-3])
    penalty = (np.interp(middles, s, lengths) / (2.0 * math.pi)) ** 6 * sizes
    matrix = basis.T @ weights @ basis + third.T @ diags_array(penalty) @ third
    bands = np.zeros((4, matrix.shape[0]))
    for k in range(4):
        bands[k, : matrix.shape[0] - k] = matrix.diagonal(-k)
    bands[0] += 1e-14 * bands[0].max()  # splines without points of their own follow from the penalty alone
    found = solveh_banded(bands, basis.T @ (weights @ points), lower=True)
    return basis @ found


def _knots(s: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Knots of a cubic spline, no closer than the points nor than needed for the wavelengths."""
    step = np.maximum(0.5 * (lengths[1:] + lengths[:-1]) / KNOTS_PER_WAVE, np.diff(s))
    count = np.concatenate([[0.0], np.cumsum(np.diff(s) / step)])
    inner = np.interp(np.linspace(0.0, count[-1], max(5, 1 + math.ceil(count[-1]))), count, s)
    return np.concatenate([[s[0]] * 3, inner, [s[-1]] * 3])


def _third_derivative(knots: np.ndarray) -> sparray:
    """Matrix from the coefficients of a cubic spline to its third derivative between the knots."""
    from scipy.sparse import diags_array, eye_array

    count = len(knots) - 4
    matrix = eye_array(count, format="csr")
    for degree in (3, 2, 1):
        widths = knots[degree + 1 : degree + count] - knots[1:count]
        steps = diags_array([-degree / widths, degree / widths], offsets=[0, 1], shape=(count - 1, count))
        matrix = steps @ matrix
        knots, count = knots[1:-1], count - 1
    return matrix
