"""Tangential displacements from tangential tractions: both directions share their transforms."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.fft

from traction.grid import Grid
from traction.halfspace.convolution import BLOCK_BYTES, InfluenceSpectrum, find_fast_length
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.kernels.tensor_products import (
    multiply_by_tensor_waves,
    multiply_symmetric,
    multiply_tensor,
)
from traction.materials import Pair

Waves = tuple[np.ndarray, ...]  # of `tabulate_influence`
PAIRS = (("x", "x"), ("x", "y"), ("y", "y"))


#: multiplications per element of the torus, and more, up to which sums of waves are faster than transforms
SMALL = 250, 300_000
MARGIN = 8  #: elements between the ends of a window and its periodic images


def _is_small(rows: int, columns: int, waves: tuple[int, int], lengths: tuple[int, int]) -> bool:
    """Whether `multiply_by_tensor_waves` is faster than transforms on a torus.

    `columns` are those of tractions and displacements together, `waves` the torus that they are waves on.
    """
    multiplications = waves[0] * columns * (rows + waves[1])
    return multiplications <= SMALL[0] * lengths[0] * lengths[1] + SMALL[1]


class TangentialInfluence:
    """Products of A_xx, A_xy, A_yy with (p_x, p_y) on windows of one size."""

    def __init__(self, half_space: HalfSpace, shape: tuple[int, int], beyond: int = 0) -> None:
        """Tractions on `shape` elements; displacements there and on `beyond` more columns on either side."""
        ny = shape[0]
        self.shape, self.beyond = shape, beyond
        spectra, factors, self._waves, self.lags = find_tables(half_space, shape, beyond)
        self._lengths = ly, lx = spectra[0].lengths
        self._factor = factors[0]
        if self._waves is None:
            # transforms are written into memory that is asked for once
            self._rows = np.empty((2, ny, lx // 2 + 1), dtype=complex)
            width = max(8, BLOCK_BYTES // (2 * self._rows.itemsize * ly))
            self._block = np.empty((2, ly, min(width, lx // 2 + 1)), dtype=complex)
            self._field = np.empty((2, ny, lx))
            self._tables = [f * spectrum.values for f, spectrum in zip(factors, spectra, strict=True)]
        lags = self.lags  # A_xx and A_yy at distances >= 0 along x, m/Pa
        #: displacement of an element under its own unit traction, and of its neighbour along x; (x, y), m/Pa
        self.own = lags[:, 0]
        self.next = lags[:, 1] if lags.shape[1] > 1 else np.zeros(2)

    @property
    def waves(self) -> tuple[Waves, float] | None:
        """Tables and factor for `multiply_by_tensor_waves`, on a small window."""
        return None if self._waves is None else (self._waves, self._factor)

    def product(self, traction: np.ndarray) -> np.ndarray:
        """u (m), (2, ny, nx + 2 beyond), from p (Pa), (2, ny, nx)."""
        (ny, nx), m = self.shape, self.beyond
        if self._waves is None:
            return self._by_transforms(traction)
        u = np.empty((2, ny, nx + 2 * m))
        multiply_by_tensor_waves(traction, self._waves, self._factor, u)
        return u

    def _by_transforms(self, traction: np.ndarray) -> np.ndarray:
        (ny, nx), (ly, lx), m = self.shape, self._lengths, self.beyond
        rows, field = self._rows, self._field
        np.fft.rfft(traction, lx, axis=2, out=rows)
        total, width = rows.shape[2], self._block.shape[2]
        for start in range(0, total, width):
            columns = rows[:, :, start : start + width]
            block = self._block[:, :, : columns.shape[2]]
            np.fft.fft(columns, ly, axis=1, out=block)
            multiply_tensor(block[0], block[1], start, *self._tables)
            np.fft.ifft(block, axis=1, out=block)
            if width < total:
                columns[:] = block[:, :ny]
        np.fft.irfft(rows if width < total else block[:, :ny], lx, axis=2, out=field)
        if m == 0:
            return field[:, :, :nx].copy()
        return np.concatenate((field[:, :, lx - m :], field[:, :, : nx + m]), axis=2)


Tables = tuple[list[InfluenceSpectrum], list[float], Waves | None, np.ndarray]


def find_tables(half_space: HalfSpace, shape: tuple[int, int], beyond: int) -> Tables:
    """Spectra and factors of A_xx, A_xy, A_yy, their waves on a small window, and A_xx, A_yy along x.

    Those of free bodies do not depend on where the grid lies, nor on how many elements it has.
    """
    grid = half_space.grid
    if grid.is_line or any(half_space.periodic):
        return collect_tables(half_space, shape, beyond)
    return collect_free_tables((grid.dx, grid.dy), half_space.pair, shape, beyond)


@lru_cache(maxsize=64)
def collect_free_tables(
    steps: tuple[float, float], pair: Pair, shape: tuple[int, int], beyond: int
) -> Tables:
    """The same for elements of the size `steps` (m, along x and y) on free bodies."""
    return collect_tables(HalfSpace(Grid(shape[1], shape[0], *steps), pair), shape, beyond)


@lru_cache(maxsize=64)
def collect_tables(half_space: HalfSpace, shape: tuple[int, int], beyond: int) -> Tables:
    """The same, collected from tables of each."""
    ny, nx = shape
    spectra = [half_space.spectrum(*pair, (ny, nx + beyond)) for pair in PAIRS]
    factors, both = [half_space.factor(*pair) for pair in PAIRS], 2 * (nx + beyond)
    small = _is_small(ny, both, (2 * ny, both), spectra[0].lengths)
    waves = tabulate_influence(*spectra, factors[1] / factors[0], nx) if small else None
    lags = np.array([factors[k] * spectra[k].lags[0] for k in (0, 2)])
    return spectra, factors, waves, lags


@lru_cache(maxsize=64)
def tabulate_influence(
    xx: InfluenceSpectrum, xy: InfluenceSpectrum, yy: InfluenceSpectrum, mixed: float, columns: int
) -> Waves:
    """Waves of the influences of a small window, for fields with so many columns.

    mixed: factor of xy over that of the others.
    """
    ny, reach = xx.lags.shape
    along_y = _tabulate_waves(ny, ny, 2 * ny - 1)
    back_x = _tabulate_waves(reach, 2 * reach - columns, 2 * reach - 1)
    along_x = _tabulate_waves(reach, columns, 2 * reach - 1).transpose(0, 2, 1)
    (even_y, odd_y), (even_x, odd_x) = _tabulate_parts(ny), _tabulate_parts(reach)
    influence = [
        even_y @ xx.lags @ even_x.T, odd_y @ (mixed * xy.lags) @ odd_x.T, even_y @ yy.lags @ even_x.T
    ]  # fmt: skip
    tables = along_y, along_y.transpose(0, 2, 1), along_x, back_x, np.array(influence)
    return tuple(np.ascontiguousarray(table) for table in tables)


def _tabulate_waves(waves: int, places: int, period: int) -> np.ndarray:
    """Cosines and sines at the first half of places around a middle, (2, waves, half)."""
    place = np.arange((places + 1) // 2) - 0.5 * (places - 1)
    angle = 2.0 * np.pi / period * np.outer(np.arange(waves), place)
    return np.array([np.cos(angle), np.sin(angle)])


def _tabulate_parts(reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Share of each wave in the values at distances >= 0 of an even influence, and of an odd one."""
    period, number = 2 * reach - 1, np.arange(reach)
    angle = 2.0 * np.pi / period * (np.outer(number, number) % period)
    share = np.where(number > 0, 2.0, 1.0) / period  # of waves, and of distances that there are twice
    twice = np.outer(share, np.where(number > 0, 2.0, 1.0))
    return twice * np.cos(angle), twice * np.sin(angle)


class TangentialInverse:
    """Approximate inverse: tractions for given displacements, exact for waves on a periodic half space.

    It serves as a preconditioner, so single precision suffices. The period is a little longer than the
    window: tractions at one end of the contact must not be neighbours of those at the other.
    """

    def __init__(self, half_space: HalfSpace, shape: tuple[int, int], layer: float = 0.0) -> None:
        """Of a half space, under a `layer` that shears by so much per traction, m/Pa."""
        self.shape = ny, nx = shape
        grid, pair = half_space.grid, half_space.pair
        self._lengths = _choose_torus_around(shape)
        aspect = 1.0 if grid.is_line else grid.dy / grid.dx
        self._scale = pair.shear_modulus / (2.0 * grid.dx)
        self._waves, soft = None, layer * self._scale
        if _is_small(ny, 2 * nx, self._lengths, self._lengths):
            self._waves = tabulate_stiffness(shape, aspect, pair.poisson_ratio, soft)
        else:
            symbols = compute_wave_stiffness(self._lengths, aspect, pair.poisson_ratio, soft)
            self._symbols = tuple((self._scale * symbol).astype(np.float32) for symbol in symbols)

    @property
    def waves(self) -> tuple[Waves, np.float32] | None:
        """Tables and factor for `multiply_by_tensor_waves`, on a small window."""
        return None if self._waves is None else (self._waves, np.float32(self._scale))

    def __call__(self, displacement: np.ndarray) -> np.ndarray:
        """Tractions (Pa) from displacements (m), (2, ny, nx), both in single precision."""
        ny, nx = self.shape
        if self._waves is not None:
            tractions = np.empty((2, ny, nx), dtype=np.float32)
            multiply_by_tensor_waves(displacement, self._waves, np.float32(self._scale), tractions)
            return tractions
        transform = scipy.fft.rfft2(displacement, self._lengths, axes=(1, 2))
        multiply_symmetric(transform, *self._symbols)
        field = scipy.fft.irfft2(transform, self._lengths, axes=(1, 2), overwrite_x=True)
        return np.ascontiguousarray(field[:, :ny, :nx])


def _choose_torus_around(shape: tuple[int, int]) -> tuple[int, int]:
    """Torus around a window."""
    ny, nx = shape
    return (find_fast_length(ny + MARGIN) if ny > 1 else 1), find_fast_length(nx + MARGIN)


@lru_cache(maxsize=64)
def tabulate_stiffness(shape: tuple[int, int], aspect: float, nu: float, layer: float = 0.0) -> Waves:
    """Waves of `compute_wave_stiffness` on a small window, for `multiply_by_tensor_waves`."""
    (ny, nx), lengths = shape, _choose_torus_around(shape)
    waves_y, waves_x = (n // 2 + 1 for n in lengths)
    along_y, along_x = _tabulate_waves(waves_y, ny, lengths[0]), _tabulate_waves(waves_x, nx, lengths[1])
    share = np.outer(*(_share_waves(n) for n in lengths))
    stiffness = compute_wave_stiffness(lengths, aspect, nu, layer)
    xx, xy, yy = (share * symbol[:waves_y] for symbol in stiffness)
    influence = np.array([xx, -xy, yy])  # sines are imaginary, and their product is negative
    tables = along_y, along_y.transpose(0, 2, 1), along_x.transpose(0, 2, 1), along_x, influence
    return tuple(np.ascontiguousarray(table, dtype=np.float32) for table in tables)


def _share_waves(length: int) -> np.ndarray:
    """Weights of waves 0 .. length/2 in the mean over a period: all but first and last count twice."""
    number = np.arange(length // 2 + 1)
    return np.where((number > 0) & (2 * number != length), 2.0, 1.0) / length


@lru_cache(maxsize=24)
def compute_wave_stiffness(
    lengths: tuple[int, int], aspect: float, nu: float, layer: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tractions over displacements of each wave on a torus of elements of width 1, in units of G/2.

    A wave along its own direction is stiffer than one across it by 1/(1 - nu). The mean gets half the
    smallest wave number, equally in all directions, as the contact is not periodic. A layer shears by
    `layer` times the traction in these units, in series.
    """
    qy = 2.0 * np.pi * scipy.fft.fftfreq(lengths[0], aspect)
    qx = 2.0 * np.pi * scipy.fft.rfftfreq(lengths[1])
    x, y = np.meshgrid(qx, qy)
    q = np.hypot(x, y)
    q[0, 0] = 0.5 * min((abs(float(value)) for value in (*qy[1:2], *qx[1:2])), default=1.0)
    along = 1.0 / (1.0 - nu)
    cx, cy = x / q, y / q
    cx[0, 0] = cy[0, 0] = np.sqrt(0.5)
    across = 1.0
    if layer > 0.0:
        along, across = along / (1.0 + layer * q * along), 1.0 / (1.0 + layer * q)
    xy = q * (along - across) * cx * cy
    xy[0, 0] = 0.0
    # the shortest wave of an even number of elements runs both ways
    if lengths[0] % 2 == 0:
        xy[lengths[0] // 2] = 0.0
    if lengths[1] % 2 == 0:
        xy[:, -1] = 0.0
    return q * (along * cx**2 + across * cy**2), xy, q * (along * cy**2 + across * cx**2)
