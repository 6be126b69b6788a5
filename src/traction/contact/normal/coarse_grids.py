"""Grids of half the resolution, and transfer of pressures from one to the next finer one."""

from __future__ import annotations

import numpy as np

from traction.contact.normal.kernels.pressure_fields import resample
from traction.grid import Grid

COARSEST = 24  #: a direction with at most this many elements is not coarsened

Directions = tuple[bool, bool]  # rows, columns


def resample_field(field: np.ndarray, source: Grid, target: Grid) -> np.ndarray:
    """A field over the grid `source` on the grid `target`, by bilinear interpolation, zero outside."""
    result = np.empty(target.shape)
    places = [(float(grid.x[0]), float(grid.y[0]), grid.dx, grid.dy) for grid in (source, target)]
    resample(field, *places, result)
    return result


def resample_pressure(pressure: np.ndarray, source: Grid, target: Grid) -> np.ndarray:
    """A pressure on another grid: its square is interpolated, as in `refine_pressure`."""
    return np.sqrt(resample_field(np.square(pressure), source, target))


def find_halved_directions(shape: tuple[int, int]) -> Directions:
    """For rows and columns, whether the next coarser grid has half as many."""
    return shape[0] > COARSEST, shape[1] > COARSEST


def coarsen_gap(gap: np.ndarray, halved: Directions, repeats: Directions) -> np.ndarray:
    """Gap on half as many rows and columns: means of pairs, interpolated where a period has an odd number."""
    for axis in (0, 1):
        if halved[axis]:
            rows = gap if axis == 0 else gap.T
            odd_period = repeats[axis] and rows.shape[0] % 2
            rows = _interpolate_period(rows, (rows.shape[0] + 1) // 2) if odd_period else _average_pairs(rows)
            gap = rows if axis == 0 else rows.T
    return np.ascontiguousarray(gap)


def refine_pressure(
    pressure: np.ndarray, shape: tuple[int, int], halved: Directions, repeats: Directions
) -> np.ndarray:
    """Pressure on the finer grid of the given shape.

    The square of the pressure is interpolated: near the edge of a contact it is linear in the distance.
    """
    squared, covered = np.square(pressure), (pressure > 0.0).astype(np.float64)
    for axis in (0, 1):
        if halved[axis]:
            n = shape[axis]
            rows = [field if axis == 0 else field.T for field in (squared, covered)]
            if repeats[axis] and n % 2:
                rows = [_interpolate_period(field, n) for field in rows]
            else:
                rows = [_interpolate_between(rows[0], n), np.repeat(rows[1], 2, axis=0)[:n]]
            squared, covered = rows if axis == 0 else (field.T for field in rows)
    return np.ascontiguousarray(np.where(covered > 0.5, np.sqrt(squared), 0.0))


def _average_pairs(rows: np.ndarray) -> np.ndarray:
    """Means of two rows each; an odd last one is continued linearly."""
    even, odd = rows[0::2], rows[1::2]
    if odd.shape[0] < even.shape[0]:
        odd = np.concatenate((odd, [2.0 * rows[-1] - rows[-2]]))
    return 0.5 * (even + odd)


def _interpolate_between(rows: np.ndarray, n: int) -> np.ndarray:
    """Linear interpolation to rows a quarter spacing either side of the given ones."""
    before, after = np.roll(rows, 1, axis=0), np.roll(rows, -1, axis=0)
    before[0], after[-1] = 0.0, 0.0
    fine = np.empty((2 * rows.shape[0], rows.shape[1]))
    fine[0::2] = 0.75 * rows + 0.25 * before
    fine[1::2] = 0.75 * rows + 0.25 * after
    return fine[:n]


def _interpolate_period(rows: np.ndarray, n: int) -> np.ndarray:
    """Linear interpolation to n rows over the same period."""
    count = rows.shape[0]
    position = (np.arange(n) + 0.5) * count / n - 0.5
    first = np.floor(position).astype(np.int64)
    weight = (position - first)[:, None]
    return (1.0 - weight) * rows[first % count] + weight * rows[(first + 1) % count]
