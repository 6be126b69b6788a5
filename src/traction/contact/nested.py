"""Grids of half the resolution, and pressures carried from one to the next finer one."""

from __future__ import annotations

import numpy as np

COARSEST = 24  #: a direction with at most this many elements is not coarsened


def halved_directions(shape: tuple[int, int], periodic: tuple[bool, bool]) -> tuple[bool, bool]:
    """For rows and columns, whether the next coarser grid has half as many; a period must stay whole."""
    (ny, nx), (repeats_x, repeats_y) = shape, periodic
    return ny > COARSEST and not (repeats_y and ny % 2), nx > COARSEST and not (repeats_x and nx % 2)


def coarsened(gap: np.ndarray, halved: tuple[bool, bool]) -> np.ndarray:
    """Mean gap of pairs of rows and columns; an odd last one is continued linearly."""
    for axis in (0, 1):
        if halved[axis]:
            gap = _pair_means(gap if axis == 0 else gap.T)
            gap = gap if axis == 0 else gap.T
    return np.ascontiguousarray(gap)


def _pair_means(rows: np.ndarray) -> np.ndarray:
    even = rows[0::2]
    odd = rows[1::2]
    if odd.shape[0] < even.shape[0]:
        odd = np.concatenate((odd, [2.0 * rows[-1] - rows[-2]]))
    return 0.5 * (even + odd)


def refined(pressure: np.ndarray, halved: tuple[bool, bool], shape: tuple[int, int]) -> np.ndarray:
    """Pressure on the finer grid of the given shape.

    The square of the pressure is interpolated: near the edge of a contact it is linear in the distance.
    """
    squared = np.square(pressure)
    covered = pressure > 0.0
    for axis in (0, 1):
        if halved[axis]:
            squared = _between(squared if axis == 0 else squared.T, shape[axis])
            squared = squared if axis == 0 else squared.T
            covered = np.repeat(covered, 2, axis=axis)
    covered = covered[: shape[0], : shape[1]]
    return np.ascontiguousarray(np.where(covered, np.sqrt(squared), 0.0))


def _between(rows: np.ndarray, n: int) -> np.ndarray:
    """Linear interpolation to rows a quarter spacing either side of the given ones."""
    before, after = np.roll(rows, 1, axis=0), np.roll(rows, -1, axis=0)
    before[0], after[-1] = 0.0, 0.0
    fine = np.empty((2 * rows.shape[0], rows.shape[1]))
    fine[0::2] = 0.75 * rows + 0.25 * before
    fine[1::2] = 0.75 * rows + 0.25 * after
    return fine[:n]
