"""Stress at points that lie on the lattice of the grid, depth by depth, as products by FFT.

The stress of element e at a point depends on their distance alone, so in a plane at one depth a lattice of
points with the spacing of the grid needs each influence coefficient once: the sum over n elements at n points
costs n log n instead of n^2. The lattice may be shifted by any part of a cell and may have gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.fft

from traction.halfspace.convolution import find_fast_length
from traction.halfspace.kernels import subsurface_fields as kernels

FARTHEST = 2.0**52  #: cells from the grid, of a lattice position that is a whole number
SAME_PHASE = 1e-9  #: parts of a cell: points this near to a lattice lie on it
#: cost of a layer by FFT per cell of its torus, over that of one point and corner in the plain sum (measured)
LAYER_COST = 16.0
COMPONENT_AXES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  #: of the stresses xx, yy, zz, xy, xz, yz


@dataclass(frozen=True, eq=False)
class PointLayer:
    """Points at one depth on one lattice: where they are in the list of all, and in the lattice."""

    members: np.ndarray  #: indices into the list of points
    columns: np.ndarray  #: lattice position along x of each, in cells from the first element
    rows: np.ndarray  #: the same along y
    phase: tuple[float, float]  #: of the lattice against the lower left corners of elements, cells, [0, 1)
    depth: float  #: in units of length of the kernels

    def torus(self, elements: tuple[int, int]) -> tuple[int, int]:
        """Lengths (Ly, Lx) on which no element meets a point around the torus."""
        ny, nx = elements
        return (
            find_fast_length(ny + int(np.ptp(self.rows))),
            find_fast_length(nx + int(np.ptp(self.columns))),
        )


def split_layers(points: np.ndarray) -> Iterator[PointLayer]:
    """Group `points` (n, 3), x and y in cells from the corner of the grid, by depth and phase."""
    lattice = np.clip(np.floor(points[:, :2] + SAME_PHASE), -FARTHEST, FARTHEST)
    phase = np.round((points[:, :2] - lattice) / SAME_PHASE)
    key = np.column_stack([phase, points[:, 2]])
    # points of a block come layer by layer: only the first of those alike in a row are compared with others
    runs = np.flatnonzero(np.r_[True, (key[1:] != key[:-1]).any(axis=1)]) if len(key) else np.arange(0)
    _, of_run, alike = np.unique(key[runs], axis=0, return_index=True, return_inverse=True)
    first, group = runs[of_run], np.repeat(alike.ravel(), np.diff(np.r_[runs, len(key)]))
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=first.size))
    for start, members in zip(first, np.split(order, ends)[: first.size], strict=True):
        columns, rows = lattice[members].astype(int).T
        x, y = points[start, :2] - lattice[start]
        yield PointLayer(members, columns, rows, (float(x), float(y)), float(points[start, 2]))


def pays(layer: PointLayer, elements: tuple[int, int], corners: int) -> bool:
    """Whether the FFT costs less than the plain sum over the `corners` where the load varies."""
    ly, lx = layer.torus(elements)
    return LAYER_COST * ly * lx < float(len(layer.members)) * corners


def layer_stress(layer: PointLayer, load: np.ndarray, cell: tuple[float, float], nu: float) -> np.ndarray:
    """Stress (n, 6) at the points of `layer` under `load` (3, ny, nx); `cell` are the sides of an element."""
    ny, nx = load.shape[1:]
    lengths = layer.torus((ny, nx))
    first_row, first_column = int(layer.rows.min()), int(layer.columns.min())
    along_x = _Ladder.on_torus(first_column, nx, lengths[1], layer.phase[0], cell[0])
    along_y = _Ladder.on_torus(first_row, ny, lengths[0], layer.phase[1], cell[1])
    total = np.zeros((6, lengths[0], lengths[1] // 2 + 1), dtype=complex)
    for direction in np.flatnonzero(load.any(axis=(1, 2))):
        influence = _torus_influence(along_x, along_y, layer.depth, nu, int(direction))
        total += scipy.fft.rfft2(influence, overwrite_x=True) * scipy.fft.rfft2(load[direction], s=lengths)
    field = scipy.fft.irfft2(total, s=lengths, overwrite_x=True)
    return field[:, layer.rows - first_row, layer.columns - first_column].T


@dataclass(frozen=True, eq=False)
class _Ladder:
    """Distances of points from elements along one axis, and which of them stands where on the torus."""

    corners: np.ndarray  #: distances from corners of elements, one cell apart
    rungs: np.ndarray  #: for each place on the torus the pair of corners, `rungs` and `rungs` + 1
    beyond: np.ndarray  #: 1, or -1 where the mirror image of the distance is tabulated

    @classmethod
    def on_torus(cls, first: int, n: int, length: int, phase: float, side: float) -> _Ladder:
        """For points from column `first` on and n elements; half of it where distances come in pairs."""
        lags = first - np.arange(n - 1, n - 1 - length, -1)
        distance = lags + (phase - 0.5)  # from the centre of the element, in cells
        beyond = np.ones(length)
        if min(phase, abs(phase - 0.5)) < SAME_PHASE:
            beyond[distance < -0.25] = -1.0
            distance = np.abs(distance)
        nearest = float(distance.min())
        rungs = np.rint(distance - nearest).astype(int)
        corners = (nearest - 0.5 + np.arange(rungs.max() + 2)) * side
        place = np.argsort((lags - first) % length)
        return cls(corners, rungs[place], beyond[place])


def _torus_influence(
    along_x: _Ladder, along_y: _Ladder, depth: float, nu: float, direction: int
) -> np.ndarray:
    """Stress (6, Ly, Lx) of an element under a unit load along x, y or z (0, 1, 2), by distance."""
    table = kernels.element_stress_table(along_x.corners, along_y.corners, depth, nu, direction)
    influence = table.take(along_x.rungs, axis=2).take(along_y.rungs, axis=1)
    for component, axes in enumerate(COMPONENT_AXES):
        # mirroring x reverses what carries the index x an odd number of times, load included
        if (axes.count(0) + (direction == 0)) % 2:
            influence[component] *= along_x.beyond
        if (axes.count(1) + (direction == 1)) % 2:
            influence[component] *= along_y.beyond[:, None]
    return influence
