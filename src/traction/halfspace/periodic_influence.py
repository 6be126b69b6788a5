"""Normal influence coefficients of a half space that repeats along x, or along x and y.

A row of point loads with the period P along x, seen from (x, y), sums up to (with 1/r for each load)

    2/P ln(l/|y|) + 4/P sum_m cos(2 pi m x/P) K0(2 pi m |y|/P)

where l is the length of the row; the sum over m decays like exp(-2 pi |y|/P). Near the row the nearest
images are integrated individually and the others summed as a Legendre series with Hurwitz zeta values. Rows
repeated with the period Q along y add their K0 sums, and the logarithms add -2/P ln|2 sin(pi y/Q)| and a
constant without meaning: displacements of a doubly periodic half space are relative to their mean.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, eval_legendre, k0, zeta

from traction.halfspace.kernels.surface_influence import INVERSE, compute_line_lags, compute_rectangle_lags

IMAGES = 3  #: nearest images on each side that are integrated exactly
DEGREES = 32  #: of the Legendre series; converges like (0.71/4)^degree
HARMONICS = 12  #: of the Fourier series; exp(-12 pi) is below rounding
ROWS = 6  #: images of a row on each side; K0 at 2 pi (ROWS + 1/2) is below rounding
HERE = np.zeros(1)  #: the position of a single row
WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0  #: of the three-point Gauss rule, for means over an element


def compute_row_lags(ny: int, nx: int, dx: float, dy: float, length: float) -> np.ndarray:
    """Integrals of the row kernel over an element at distances (j dy, i dx), i <= nx/2; period P = nx dx."""
    period = nx * dx
    half = nx // 2 + 1
    x, y = np.arange(half) * dx, np.arange(ny) * dy
    near = y < 0.5 * period
    lags = np.empty((ny, half))
    lags[near] = _sum_near_row(int(near.sum()), half, dx, dy, period)
    lags[near] += dx * dy * (2.0 / period) * np.log(length / period)
    if not near.all():
        logarithm = (2.0 / period) * np.log(length / np.abs(_place_gauss_points(y[~near], dy)))
        lags[~near] = dx * dy * (logarithm @ WEIGHTS)[:, None] + _sum_harmonics(x, y[~near], dx, dy, period)
    return lags


def compute_line_row_lags(nx: int) -> np.ndarray:
    """Integrals of -2 ln|2 sin(pi x/P)|, the periodic line load, over elements of width 1; P = nx."""
    x = np.arange(nx // 2 + 1, dtype=np.float64)
    smooth = 2.0 * np.log(2.0 * np.pi / nx * np.sinc(_place_gauss_points(x, 1.0) / nx))
    return _subtract_mean(compute_line_lags(INVERSE, x.size, 1.0) - (smooth @ WEIGHTS)[None, :], (1, nx))


def compute_lattice_lags(ny: int, nx: int, dx: float, dy: float) -> np.ndarray:
    """Integrals of the doubly periodic kernel at distances (j dy, i dx), j <= ny/2, i <= nx/2."""
    if ny * dy < nx * dx:  # the images of a row must lie at least half a period away from it
        return compute_lattice_lags(nx, ny, dy, dx).T.copy()
    period_x, period_y = nx * dx, ny * dy
    x, y = np.arange(nx // 2 + 1) * dx, np.arange(ny // 2 + 1) * dy
    lags = compute_row_lags(y.size, nx, dx, dy, length=period_y / np.pi)
    rows = period_y * np.array([k for k in range(-ROWS, ROWS + 1) if k != 0])
    lags += _sum_harmonics(x, y, dx, dy, period_x, rows)
    angle = np.pi * _place_gauss_points(y, dy) / period_y
    far_logarithms = -(2.0 / period_x) * np.log(2.0 * np.sinc(angle / np.pi)) @ WEIGHTS
    return _subtract_mean(lags + dx * dy * far_logarithms[:, None], (ny, nx))


def _subtract_mean(lags: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Make the sum over all distances on the torus zero; those inside half a period count twice."""
    rows, columns = (np.bincount(np.minimum(np.arange(n), n - np.arange(n))) for n in shape)
    return lags - (rows @ lags @ columns) / (shape[0] * shape[1])


def _sum_near_row(ny: int, nx: int, dx: float, dy: float, period: float) -> np.ndarray:
    """The row within half a period, for l = P: exact nearest images and the series of the others."""
    cells = round(period / dx)
    exact = compute_rectangle_lags(INVERSE, ny, nx + IMAGES * cells, dx, dy)
    i = np.arange(nx)
    lags = sum(exact[:, np.abs(i + k * cells)] for k in range(-IMAGES, IMAGES + 1))
    x = _place_gauss_points(np.arange(nx) * dx, dx)[None, :, None, :]
    y = _place_gauss_points(np.arange(ny) * dy, dy)[:, None, :, None]
    r = np.hypot(x, y) / period
    cosine = np.divide(x / period, r, out=np.zeros_like(r), where=r > 0.0)
    # Sum over k > IMAGES of 1/k up to half the row's length is ln(l/(2P)) - digamma(IMAGES + 1).
    series = np.full_like(r, -np.log(2.0) - digamma(IMAGES + 1))
    for degree in range(2, DEGREES, 2):
        series += zeta(degree + 1, IMAGES + 1) * r**degree * eval_legendre(degree, cosine)
    return lags + dx * dy * (2.0 / period) * (series @ WEIGHTS @ WEIGHTS)


def _sum_harmonics(
    x: np.ndarray, y: np.ndarray, dx: float, dy: float, period: float, rows: np.ndarray = HERE
) -> np.ndarray:
    """Integral of 4/P sum_m cos(2 pi m x/P) K0(2 pi m |y|/P) over the element; exact along x."""
    total = np.zeros((y.size, x.size))
    points = np.abs(_place_gauss_points(y, dy) - rows[:, None, None])
    for m in range(1, HARMONICS + 1):
        wave = np.cos(2.0 * np.pi * m * x / period) * np.sinc(m * dx / period)
        total += (k0(2.0 * np.pi * m * points / period) @ WEIGHTS).sum(axis=0)[:, None] * wave
    return (4.0 / period) * dx * dy * total


def _place_gauss_points(centres: np.ndarray, width: float) -> np.ndarray:
    """Points of the three-point Gauss rule on each element, shape (..., 3)."""
    return centres[..., None] + 0.5 * width * np.array([-1.0, 0.0, 1.0]) * np.sqrt(0.6)
