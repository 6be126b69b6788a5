"""Products of a field with a translation-invariant kernel by FFT, without transforming padded zeros.

A kernel that is even or odd in x and in y has a real or imaginary spectrum with the same symmetry, so a
quarter of it is stored. Of the doubled grid only the rows that hold data are transformed along x, and the
columns are processed in blocks that fit the processor's cache.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

import numpy as np
import scipy.fft

BLOCK_BYTES = 1 << 19  #: of one block of columns; about half a second-level cache
CACHE_BYTES = 96 << 20  #: of all remembered spectra


@dataclass(frozen=True, eq=False)
class InfluenceSpectrum:
    """Fourier transform of a kernel on a torus of `lengths` (Ly, Lx) cells, first quarter only."""

    values: np.ndarray
    lags: np.ndarray  #: the kernel itself at distances >= 0
    lengths: tuple[int, int]
    odd_x: bool = False
    odd_y: bool = False

    @cached_property
    def single(self) -> InfluenceSpectrum:
        """The same in single precision, for preconditioning and search directions."""
        return replace(self, values=self.values.astype(np.float32))


def find_fast_length(n: int) -> int:
    """Smallest length of at least n with factors 2, 3 and 5 only."""
    return scipy.fft.next_fast_len(n, real=True)


def build_spectrum(
    lags: np.ndarray, lengths: tuple[int, int], *, odd_x: bool = False, odd_y: bool = False
) -> InfluenceSpectrum:
    """InfluenceSpectrum of the kernel with the values `lags` at distances >= 0, mirrored by its symmetry."""
    torus = np.zeros(lengths)
    (ny, nx), (ly, lx) = lags.shape, lengths
    torus[:ny, :nx] = lags
    # the last of the distances that have a mirror image other than themselves on the other side of the torus
    down, right = min(ny - 1, (ly - 1) // 2), min(nx - 1, (lx - 1) // 2)
    torus[:ny, lx - right :] = (-1.0 if odd_x else 1.0) * lags[:, right:0:-1]
    torus[ly - down :] = (-1.0 if odd_y else 1.0) * torus[down:0:-1]
    transform = scipy.fft.rfft2(torus)[: ly // 2 + 1]
    # An odd direction contributes a factor -i; what remains is real.
    part = (transform.real, -transform.imag, -transform.real)[int(odd_x) + int(odd_y)]
    return InfluenceSpectrum(np.ascontiguousarray(part), lags, lengths, odd_x, odd_y)


def convolve(
    source: np.ndarray,
    spectrum: InfluenceSpectrum,
    *,
    offset: tuple[int, int] = (0, 0),
    shape: tuple[int, int] | None = None,
) -> np.ndarray:
    """Kernel times `source` on `shape` cells whose first lies at `offset` from the first source cell.

    The torus must be long enough that no pair of source and target meets around it.
    """
    ny, nx = source.shape if shape is None else shape
    ly, lx = spectrum.lengths
    rows = scipy.fft.rfft(source, lx, axis=1)
    if ly == 1:
        _multiply_mirrored(rows, spectrum, 0)
        columns = _take_cyclic(rows, 0, ny, axis=0)
    else:
        columns = _convolve_columns(rows, spectrum, offset[0] % ly, ny)
    field = scipy.fft.irfft(columns, lx, axis=1, overwrite_x=True)
    return _take_cyclic(field, offset[1] % lx, nx, axis=1)


def _convolve_columns(rows: np.ndarray, spectrum: InfluenceSpectrum, first: int, ny: int) -> np.ndarray:
    ly = spectrum.lengths[0]
    total = rows.shape[1]
    width = max(8, BLOCK_BYTES // (rows.itemsize * ly))
    if width >= total:
        return _convolve_block(rows, spectrum, 0, first, ny)
    result = np.empty((ny, total), dtype=rows.dtype)
    for start in range(0, total, width):
        stop = min(start + width, total)
        result[:, start:stop] = _convolve_block(rows[:, start:stop], spectrum, start, first, ny)
    return result


def _convolve_block(
    rows: np.ndarray, spectrum: InfluenceSpectrum, start: int, first: int, ny: int
) -> np.ndarray:
    block = scipy.fft.fft(rows, spectrum.lengths[0], axis=0)
    _multiply_mirrored(block, spectrum, start)
    return _take_cyclic(scipy.fft.ifft(block, axis=0, overwrite_x=True), first, ny, axis=0)


def _multiply_mirrored(block: np.ndarray, spectrum: InfluenceSpectrum, first: int) -> None:
    """Multiply the columns first, first + 1, ... of a transform by the mirrored spectrum, in place."""
    ly, width = block.shape
    upper = ly // 2 + 1
    quarter = spectrum.values[:, first : first + width]
    if spectrum.odd_x or spectrum.odd_y:  # each odd direction is a factor -i
        quarter = (-1.0 if spectrum.odd_x and spectrum.odd_y else -1j) * quarter
    block[:upper] *= quarter
    mirrored = quarter[ly - upper : 0 : -1]
    block[upper:] *= -mirrored if spectrum.odd_y else mirrored


def _take_cyclic(field: np.ndarray, first: int, n: int, axis: int) -> np.ndarray:
    """N entries along `axis` from `first` on, continued around the torus."""
    length = field.shape[axis]
    if first + n <= length:
        return field[first : first + n] if axis == 0 else field[:, first : first + n]
    return np.take(field, (first + np.arange(n)) % length, axis=axis)


class SpectrumCache:
    """The most recently used spectra, up to a total size; thread-safe."""

    def __init__(self, max_bytes: int = CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._spectra: OrderedDict[Hashable, InfluenceSpectrum] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, build: Callable[[], InfluenceSpectrum]) -> InfluenceSpectrum:
        """The spectrum under `key`, built if it is missing."""
        with self._lock:
            if key in self._spectra:
                self._spectra.move_to_end(key)
                return self._spectra[key]
        spectrum = build()
        with self._lock:
            if key not in self._spectra:  # else another thread has built it meanwhile
                self._spectra[key] = spectrum
                self._bytes += _count_bytes(spectrum)
            while self._bytes > self._max_bytes and len(self._spectra) > 1:
                self._bytes -= _count_bytes(self._spectra.popitem(last=False)[1])
        return spectrum


def _count_bytes(spectrum: InfluenceSpectrum) -> int:
    """Bytes of a spectrum with its copy in single precision."""
    return 3 * spectrum.values.nbytes // 2 + spectrum.lags.nbytes
