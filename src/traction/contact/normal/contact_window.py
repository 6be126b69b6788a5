"""A window around the contact, and the half space on it: the cost depends on the contact, not on the grid."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy.fft

from traction.contact.normal.kernels.pressure_fields import find_bounding_box
from traction.contact.normal.kernels.pressure_iteration import WindowInfluence
from traction.contact.normal.kernels.window_products import (
    multiply_by_waves,
    multiply_parts_by_waves,
    tabulate_waves,
)
from traction.contact.normal.part_interaction import PartInteraction
from traction.halfspace.convolution import InfluenceSpectrum, convolve, find_fast_length
from traction.halfspace.half_space import HalfSpace

#: rows, or columns, up to which the neighbours precondition about as well as all waves; and those of a square
#: window up to which the compiled iteration is faster than one with transforms
LONGEST, SMALL = 96, 80
MAX_ASPECT = 2.0  #: of elements for which the nearest neighbours precondition well
VECTOR = 8  #: numbers the processor handles at once; rows are padded to whole vectors
MARGIN = 2  #: elements between the contact and the border of its window, at least

Box = tuple[int, int, int, int]  # first and last row, first and last column
Waves = tuple[np.ndarray, np.ndarray]  # of `tabulate_waves`
NO_WAVES = np.empty((0, 0, 0)), np.empty((0, 0))


class Window(NamedTuple):
    """A block of rows and columns."""

    top: int
    left: int
    ny: int
    nx: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """For indexing a field over the grid."""
        return slice(self.top, self.top + self.ny), slice(self.left, self.left + self.nx)

    @property
    def box(self) -> Box:
        """First and last row, first and last column."""
        return self.top, self.top + self.ny - 1, self.left, self.left + self.nx - 1

    def inner_sides(self, shape: tuple[int, int]) -> tuple[bool, bool, bool, bool]:
        """For top, bottom, left and right, whether the window ends inside a grid of this shape."""
        top, bottom, left, right = self.box
        return top > 0, bottom < shape[0] - 1, left > 0, right < shape[1] - 1


def choose_window_around(contact: np.ndarray, periodic: tuple[bool, bool]) -> Window:
    """Window with a margin around the contact, as large as its transform allows; whole along a period."""
    top, bottom, left, right = find_bounding_box(contact)
    (ny, nx) = contact.shape
    rows = (0, ny) if periodic[1] else _extent(top, bottom, ny)
    columns = (0, nx) if periodic[0] else _extent(left, right, nx)
    return Window(rows[0], columns[0], rows[1], columns[1])


def _extent(first: int, last: int, n: int) -> tuple[int, int]:
    """Start and size, in a direction of n elements, of a window around the elements first to last."""
    if last < first:
        return 0, n
    size = last - first + 1
    wanted = size + 2 * max(MARGIN, size // 24)
    wanted = min(n, (find_fast_length(2 * wanted - 1) + 1) // 2)
    start = first - (wanted - size) // 2
    return min(max(start, 0), n - wanted), wanted


class WindowedHalfSpace:
    """Products and preconditioning on one window of the grid."""

    def __init__(self, half_space: HalfSpace, window: Window) -> None:
        grid = half_space.grid
        self.shape = (window.ny, window.nx)
        self._spectrum = half_space.spectrum("z", "z", self.shape)
        self._factor = half_space.factor("z", "z")
        repeats_x, repeats_y = half_space.periodic
        self._lengths = (
            window.ny if repeats_y else find_fast_length(window.ny),
            window.nx if repeats_x else find_fast_length(window.nx),
        )
        self._aspect = grid.dy / grid.dx
        similar = 1.0 / MAX_ASPECT <= self._aspect <= MAX_ASPECT
        self.is_small = is_small_window(self.shape) and similar and not (repeats_x or repeats_y)

    def influence(self, *, compiled: bool) -> WindowInfluence:
        """For the iteration; with products that are `compiled`, or left to transforms."""
        spectrum = self._spectrum
        waves = tabulate_spectrum(spectrum) if compiled else NO_WAVES
        neighbours = compute_neighbour_weights(self._aspect)
        return WindowInfluence(spectrum.lags, spectrum.lengths, waves, neighbours, self._factor)

    def multiply(self, pressure: np.ndarray, displacement: np.ndarray) -> None:
        """Compute the normal displacement (m) over the window."""
        if self.is_small:
            multiply_by_waves(pressure, tabulate_spectrum(self._spectrum), self._factor, displacement)
            return
        np.multiply(self._factor, convolve(pressure, self._spectrum), out=displacement)

    def multiply_quickly(self, pressure: np.ndarray, displacement: np.ndarray) -> None:
        """`multiply` in single precision."""
        field = convolve(pressure.astype(np.float32), self._spectrum.single)
        field *= np.float32(self._factor)
        displacement[:] = field

    def precondition(self, residual: np.ndarray, pressure: np.ndarray) -> None:
        """Compute the pressure that gives the residual on a periodic half space, up to a factor."""
        transform = scipy.fft.rfft2(residual.astype(np.float32), self._lengths)
        transform *= compute_wave_numbers(self._lengths, self._aspect)
        field = scipy.fft.irfft2(transform, self._lengths, overwrite_x=True)
        pressure[:] = field[: self.shape[0], : self.shape[1]]


def is_small_window(shape: tuple[int, int]) -> bool:
    """Whether the compiled iteration, whose products cost ny nx (ny + nx), is the faster one."""
    ny, nx = shape
    return max(shape) <= LONGEST and ny * nx * (ny + nx) <= 2 * SMALL**3


def has_waves(half_space: HalfSpace) -> bool:
    """Whether products over the whole grid are faster by waves: those of a small grid of free bodies."""
    grid = half_space.grid
    return is_small_window(grid.shape) and not (grid.is_line or any(half_space.periodic))


def displace_by_waves(half_space: HalfSpace, pressure: np.ndarray) -> np.ndarray:
    """Normal displacement (m) over a small grid under a pressure on it (Pa)."""
    waves = tabulate_spectrum(half_space.spectrum("z", "z", pressure.shape))
    displacement = np.empty(pressure.shape)
    field = pressure if pressure.flags.writeable else pressure.copy()  # kernels take no read-only ones
    multiply_by_waves(field, waves, half_space.factor("z", "z"), displacement)
    return displacement


def displace_parts_by_waves(
    half_space: HalfSpace, parts: PartInteraction, pressure: np.ndarray
) -> np.ndarray:
    """The same of parts that interact by a share."""
    waves = tabulate_spectrum(half_space.spectrum("z", "z", pressure.shape))
    displacement, part = np.empty(pressure.shape), np.ascontiguousarray(parts.part)
    field = pressure if pressure.flags.writeable else pressure.copy()
    multiply_parts_by_waves(field, waves, half_space.factor("z", "z"), part, parts.share, displacement)
    return displacement


@lru_cache(maxsize=128)
def tabulate_spectrum(spectrum: InfluenceSpectrum) -> Waves:
    """Waves along y of the influence on a small window, for rows padded to whole vectors."""
    width = -(-spectrum.lags.shape[1] // VECTOR) * VECTOR
    return tabulate_waves(spectrum.lags, width)


@lru_cache(maxsize=12)
def compute_wave_numbers(lengths: tuple[int, int], aspect: float) -> np.ndarray:
    """|q| of each wave on a torus; the mean gets half the smallest one, as the contact is not periodic."""
    qy, qx = scipy.fft.fftfreq(lengths[0], aspect), scipy.fft.rfftfreq(lengths[1])
    q = np.hypot(qy[:, None], qx[None, :])
    q[0, 0] = 0.5 * min((value for value in (*qy[1:2], *qx[1:2])), default=1.0)
    return q.astype(np.float32)


@lru_cache(maxsize=64)
def compute_neighbour_weights(aspect: float) -> np.ndarray:
    """Weights of the nearest neighbours in a product with |q|, at distances 0 and 1 along y and x.

    They precondition a small window as well as all waves do.
    """
    torus = (64, 64)
    return scipy.fft.irfft2(compute_wave_numbers(torus, aspect), torus)[:2, :2].astype(np.float64, order="C")
