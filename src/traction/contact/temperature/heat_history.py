"""`HeatHistory`: the heat that particles have taken up on their way, and the temperature it left.

While a particle is in contact heat reaches into the depth by far less than an element is long, and flows
along the surface hardly at all: the particle keeps its own heat. With the flux q that it met before,

    T = 1/e int q/sqrt(pi (t - t')) dt'

where e = sqrt(k rho c) is the effusivity. In the coordinates of the contact the particle at x was at x + o
before, with the offset o of the contact since then; the flux is that of the step in which it was there,
constant in each element. The integral is then a sum of differences of square roots, exact for any steps; for
flux that does not change it is the temperature of steady rolling.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-9  #: of times, relative to the longest one


@dataclass(frozen=True, eq=False)
class HeatHistory:
    """Frictional power of earlier steps, the newest first; n of them."""

    way: np.ndarray  #: of the contact in each, along x, cells, (n,)
    seconds: np.ndarray  #: (n,)
    power: np.ndarray  #: per area, in the coordinates of the contact, W/m2, (n, ny, nx)

    @classmethod
    def cold(cls, shape: tuple[int, int]) -> HeatHistory:
        """Of bodies that met no heat."""
        return cls(np.zeros(0), np.zeros(0), np.zeros((0, *shape)))

    @classmethod
    def steady(cls, power: np.ndarray, cells_per_second: float) -> HeatHistory:
        """Of bodies that have always rolled as now, with a velocity of the contact along x."""
        far = 2.0 * power.shape[1]
        way, seconds = math.copysign(far, cells_per_second), far / abs(cells_per_second)
        return cls(np.array([way]), np.array([seconds]), power[None].copy())

    def add(self, power: np.ndarray, way: float, seconds: float) -> HeatHistory:
        """The history after another step; short ones are joined up to the length of an element.

        What lies further back than the grid is long has left it; of a contact that rolls to and fro nothing
        leaves, and the history grows with every turn.
        """
        ways, times, powers = self.way, self.seconds, self.power
        if ways.size and ways[0] * way >= 0.0 and abs(ways[0] + way) <= 1.0 + 1e-9:
            total = times[0] + seconds
            mean = (times[0] * powers[0] + seconds * power) / total
            way, seconds, power = ways[0] + way, total, mean
            ways, times, powers = ways[1:], times[1:], powers[1:]
        begin = np.abs(np.concatenate(([0.0], np.cumsum(ways))) + way)[:-1]
        seen = begin < power.shape[1]
        last = 1 + int(np.flatnonzero(seen)[-1]) if seen.any() else 0
        return HeatHistory(
            np.concatenate(([way], ways[:last])),
            np.concatenate(([seconds], times[:last])),
            np.concatenate((power[None], powers[:last])),
        )

    @classmethod
    def join(cls, histories: Sequence[HeatHistory]) -> HeatHistory:
        """Of contacts that met side by side: powers are added at the same times.

        Steps are divided at the ends of those of all; the contact moved as the first one did.
        """
        if len(histories) == 1:
            return histories[0]
        ends = [np.cumsum(one.seconds) for one in histories]
        ages = np.unique(np.concatenate(ends))
        ages = ages[np.diff(ages, prepend=0.0) > ROUNDING * ages.max(initial=0.0)]
        seconds = np.diff(ages, prepend=0.0)
        way = np.zeros(ages.size)
        power = np.zeros((ages.size, *histories[0].power.shape[1:]))
        for one, end in reversed(list(zip(histories, ends, strict=True))):
            step = np.searchsorted(end, ages - 0.5 * seconds)
            known = step < end.size
            power[known] += one.power[step[known]]
            way[known] = (one.way / one.seconds)[step[known]] * seconds[known]
        return cls(way, seconds, power)

    def warm(self, offset: float = 0.0, age: float = 0.0) -> np.ndarray:
        """Temperature that the heat left, times the effusivity: int q/sqrt(pi (t - t')) dt', (ny, nx).

        Since then the contact moved on by an `offset` (cells), in the time `age` (s).
        """
        found = np.zeros(self.power.shape[1:])
        for way, seconds, power in zip(self.way.tolist(), self.seconds.tolist(), self.power, strict=True):
            for cell, weight in _pass_cells(offset, way, age, seconds):
                _add_shifted(power, cell, weight, found)
            offset, age = offset + way, age + seconds
        return found


def lag_matrix(nx: int, way: float, seconds: float) -> np.ndarray:
    """What a power makes of a step over a way (cells) as `HeatHistory.warm` does, (nx, nx): of each row."""
    matrix = np.zeros((nx, nx))
    for cell, weight in _pass_cells(0.0, way, 0.0, seconds):
        if abs(cell) < nx:
            matrix += weight * np.eye(nx, k=cell)
    return matrix


def _pass_cells(offset: float, way: float, age: float, seconds: float) -> Iterator[tuple[int, float]]:
    """Cells ahead that particles were in, with the weights 2 (sqrt(t1) - sqrt(t0))/sqrt(pi)."""
    sign, size = math.copysign(1.0, way), abs(way)
    cell = math.floor(offset + 0.5) if sign > 0.0 else math.ceil(offset - 0.5)
    done, before = 0.0, math.sqrt(age)
    while True:
        upto = min(size, sign * (cell - offset) + 0.5)
        if upto > done or size == 0.0:
            now = math.sqrt(age + (seconds if size == 0.0 else upto / size * seconds))
            yield cell, 2.0 / math.sqrt(math.pi) * (now - before)
            done, before = max(done, upto), now
        if done >= size:
            return
        cell += int(sign)


def _add_shifted(field: np.ndarray, cells: int, weight: float, result: np.ndarray) -> None:
    """Add a field, as seen `cells` further along x, times a weight."""
    nx = field.shape[1]
    if abs(cells) >= nx:
        return
    if cells >= 0:
        result[:, : nx - cells] += weight * field[:, cells:]
    else:
        result[:, -cells:] += weight * field[:, :cells]
