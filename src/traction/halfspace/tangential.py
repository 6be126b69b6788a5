"""Tangential displacements from tangential tractions: both directions share their transforms."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.fft

from traction.halfspace.convolution import BLOCK_BYTES, fast_length
from traction.halfspace.convolution_kernels import multiply_symmetric, multiply_tensor
from traction.halfspace.operator import HalfSpace

PAIRS = (("x", "x"), ("x", "y"), ("y", "y"))


class TangentialInfluence:
    """Products of A_xx, A_xy, A_yy with (p_x, p_y) on windows of one size."""

    def __init__(self, half_space: HalfSpace, shape: tuple[int, int], beyond: int = 0) -> None:
        """Tractions on `shape` elements; displacements there and on `beyond` more columns on either side."""
        ny, nx = shape
        self.shape, self.beyond = shape, beyond
        spectra = [half_space.spectrum(*pair, (ny, nx + beyond)) for pair in PAIRS]
        factors = [half_space.factor(*pair) for pair in PAIRS]
        self._lengths = spectra[0].lengths
        self._tables = [f * spectrum.values for f, spectrum in zip(factors, spectra, strict=True)]
        #: A_xx and A_yy at distances >= 0, m/Pa
        self.lags = lags = [factors[k] * spectra[k].lags for k in (0, 2)]
        #: displacement of an element under its own unit traction, and of its neighbour along x; (x, y), m/Pa
        self.own = np.array([table[0, 0] for table in lags])
        self.next = np.array([table[0, 1] if table.shape[1] > 1 else 0.0 for table in lags])

    def product(self, traction: np.ndarray) -> np.ndarray:
        """u (m), (2, ny, nx + 2 beyond), from p (Pa), (2, ny, nx)."""
        (ny, nx), (ly, lx), m = self.shape, self._lengths, self.beyond
        rows = scipy.fft.rfft(traction, lx, axis=2)
        width = max(8, BLOCK_BYTES // (2 * rows.itemsize * ly))
        if width >= rows.shape[2]:
            columns = self._block(rows, 0)
        else:
            columns = np.empty((2, ny, rows.shape[2]), dtype=rows.dtype)
            for start in range(0, rows.shape[2], width):
                stop = start + width
                columns[:, :, start:stop] = self._block(rows[:, :, start:stop], start)
        field = scipy.fft.irfft(columns, lx, axis=2, overwrite_x=True)
        if m == 0:
            return field[:, :, :nx]
        return np.concatenate((field[:, :, lx - m :], field[:, :, : nx + m]), axis=2)


    def _block(self, rows: np.ndarray, start: int) -> np.ndarray:
        """Columns of the transform along x from `start` on, multiplied along y."""
        block = scipy.fft.fft(rows, self._lengths[0], axis=1)
        multiply_tensor(block[0], block[1], start, *self._tables)
        return scipy.fft.ifft(block, axis=1, overwrite_x=True)[:, : self.shape[0]]


class TangentialInverse:
    """About the tractions that give displacements on a window: exact for waves on a periodic half space.

    It only has to point the way, so single precision will do.
    """

    def __init__(self, half_space: HalfSpace, shape: tuple[int, int]) -> None:
        self.shape = shape
        grid, pair = half_space.grid, half_space.pair
        lengths = (fast_length(shape[0]), fast_length(shape[1]))
        self._lengths = lengths
        aspect = 1.0 if grid.is_line else grid.dy / grid.dx
        scale = pair.shear_modulus / (2.0 * grid.dx)
        symbols = wave_stiffness(lengths, aspect, pair.poisson_ratio)
        self._symbols = tuple((scale * symbol).astype(np.float32) for symbol in symbols)

    def __call__(self, displacement: np.ndarray) -> np.ndarray:
        """Tractions (Pa) from displacements (m), (2, ny, nx)."""
        ny, nx = self.shape
        single = displacement.astype(np.float32, copy=False)
        transform = scipy.fft.rfft2(single, self._lengths, axes=(1, 2))
        multiply_symmetric(transform, *self._symbols)
        tractions = scipy.fft.irfft2(transform, self._lengths, axes=(1, 2), overwrite_x=True)
        return np.ascontiguousarray(tractions[:, :ny, :nx])


@lru_cache(maxsize=24)
def wave_stiffness(
    lengths: tuple[int, int], aspect: float, nu: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tractions over displacements of each wave on a torus of elements of width 1, in units of G/2.

    A wave along its own direction is stiffer than one across it by 1/(1 - nu). The mean gets half the
    smallest wave number, as the contact is not periodic, in no direction more than another.
    """
    qy = 2.0 * np.pi * scipy.fft.fftfreq(lengths[0], aspect)
    qx = 2.0 * np.pi * scipy.fft.rfftfreq(lengths[1])
    x, y = np.meshgrid(qx, qy)
    q = np.hypot(x, y)
    q[0, 0] = 0.5 * min((abs(float(value)) for value in (*qy[1:2], *qx[1:2])), default=1.0)
    along = 1.0 / (1.0 - nu)
    cx, cy = x / q, y / q
    cx[0, 0] = cy[0, 0] = np.sqrt(0.5)
    xy = q * (along - 1.0) * cx * cy
    xy[0, 0] = 0.0
    return q * (along * cx**2 + cy**2), xy, q * (along * cy**2 + cx**2)
