"""Tangential displacements of tractions on a grid, seen from the grid shifted along x by any distance."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.fft

from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import PAIRS
from traction.materials import Pair

SIDEWAYS = (("x", "z"), ("y", "z"))


def compute_shifted_displacement(traction: np.ndarray, grid: Grid, pair: Pair, shift: float) -> np.ndarray:
    """u (m), (2, ny, nx), at the element centres moved by `shift` (m) along x, from p (Pa), (2, ny, nx)."""
    ny, nx = grid.shape
    xx, xy, yy = _compute_spectra(grid, pair, shift, PAIRS)
    lengths = (2 * ny, 2 * nx)
    px, py = scipy.fft.rfft2(traction, lengths, axes=(1, 2))
    transform = np.array([xx * px + xy * py, xy * px + yy * py])
    return scipy.fft.irfft2(transform, lengths, axes=(1, 2))[:, :ny, :nx]


def compute_sideways_displacement(pressure: np.ndarray, grid: Grid, pair: Pair, shift: float) -> np.ndarray:
    """The same from the pressure (Pa), (ny, nx), which displaces unlike bodies tangentially."""
    ny, nx = grid.shape
    lengths = (2 * ny, 2 * nx)
    transform = np.array(_compute_spectra(grid, pair, shift, SIDEWAYS)) * scipy.fft.rfft2(pressure, lengths)
    return scipy.fft.irfft2(transform, lengths, axes=(1, 2))[:, :ny, :nx]


@lru_cache(maxsize=16)
def _compute_spectra(
    grid: Grid, pair: Pair, shift: float, pairs: tuple[tuple[str, str], ...]
) -> tuple[np.ndarray, ...]:
    """Spectra of some influences on a torus of twice the grid, at distances shifted."""
    ny, nx = grid.shape
    single = Grid.line(1, grid.dx, length=grid.length) if grid.is_line else Grid(1, 1, grid.dx, grid.dy)
    rows, columns = np.arange(-ny, ny), np.arange(-nx, nx)
    x, y = np.meshgrid(columns * grid.dx + shift, rows * grid.dy)
    half_space, unit = HalfSpace(single, pair), np.ones((1, 1))
    spectra = []
    for i, j in pairs:
        lags = half_space.at_points(i, j, unit, x, y)
        spectra.append(scipy.fft.rfft2(np.roll(lags, (-ny, -nx), axis=(0, 1))))
    return tuple(spectra)
