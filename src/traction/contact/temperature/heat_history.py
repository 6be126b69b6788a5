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
from dataclasses import dataclass, replace

import numpy as np

ENTRIES = 12  #: of a history, for each column of the grid, beyond which old ones are joined
PLACES = (8, 1)  #: parts of a cell to which places agree that are joined
ROUNDING = 1e-9  #: to which steps of several contacts are the same
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class HeatHistory:
    """Frictional power of earlier steps, the newest first; n of them."""

    way: np.ndarray  #: of the contact in each, along x, cells, (n,)
    seconds: np.ndarray  #: (n,)
    power: np.ndarray  #: per area, in the coordinates of the contact, W/m2, (n, ny, nx)
    offset: np.ndarray  #: of the contact since the end of each, along x, cells, (n,)
    age: np.ndarray  #: since then, s, (n,)

    @classmethod
    def of_steps(cls, way: np.ndarray, seconds: np.ndarray, power: np.ndarray) -> HeatHistory:
        """Of consecutive steps, the newest first."""
        offset, age = (np.cumsum(one) - one for one in (way, seconds))
        return cls(way, seconds, power, offset, age)

    @classmethod
    def cold(cls, shape: tuple[int, int]) -> HeatHistory:
        """Of bodies that met no heat."""
        return cls.of_steps(np.zeros(0), np.zeros(0), np.zeros((0, *shape)))

    @classmethod
    def steady(cls, power: np.ndarray, cells_per_second: float) -> HeatHistory:
        """Of bodies that have always rolled as now, with a velocity of the contact along x."""
        far = 2.0 * power.shape[1]
        way, seconds = math.copysign(far, cells_per_second), far / abs(cells_per_second)
        return cls.of_steps(np.array([way]), np.array([seconds]), power[None].copy())

    @classmethod
    def join(cls, histories: Sequence[HeatHistory]) -> HeatHistory:
        """Of contacts that met side by side: the steps of all, each at its place and time.

        Contacts that rolled together, and those that were one before, have steps in common: their powers are
        added.
        """
        if len(histories) == 1:
            return histories[0]
        steps = _append(histories)
        steps = steps._take(np.flatnonzero(steps.power.any(axis=(1, 2))))
        times = np.stack((steps.age, steps.offset, steps.way, steps.seconds), axis=1)
        scales = np.abs(times).max(axis=0, initial=TINY)
        _, first, same = np.unique(
            np.rint(times / (ROUNDING * scales)), axis=0, return_index=True, return_inverse=True
        )
        power = np.zeros((first.size, *steps.power.shape[1:]))
        np.add.at(power, same.reshape(-1), steps.power)
        return replace(steps._take(first), power=power)

    def add(self, power: np.ndarray, way: float, seconds: float) -> HeatHistory:
        """The history after another step; short ones are joined up to the length of an element.

        What lies further from the contact than the grid is long is forgotten. Of a contact that rolls to and
        fro nothing is: what it met long ago at the same place is joined. Only where steps over too many
        different places remain, the oldest are dropped.
        """
        old = self._move_on(way, seconds)
        if self.way.size and self.way[0] * way >= 0.0 and abs(self.way[0] + way) <= 1.0 + 1e-9:
            total = float(self.seconds[0]) + seconds
            power = (self.seconds[0] * self.power[0] + seconds * power) / total
            way, seconds, old = float(self.way[0]) + way, total, old._take(slice(1, None))
        newest = HeatHistory.of_steps(np.array([way]), np.array([seconds]), power[None])
        return _append([newest, old._forget()])._join_old()

    def _move_on(self, way: float, seconds: float) -> HeatHistory:
        """The same seen from a contact that moved on."""
        return replace(self, offset=self.offset + way, age=self.age + seconds)

    def _take(self, which: slice | np.ndarray) -> HeatHistory:
        """Some of the steps."""
        return HeatHistory(*(one[which] for one in self._fields))

    @property
    def _fields(self) -> tuple[np.ndarray, ...]:
        return self.way, self.seconds, self.power, self.offset, self.age

    def _forget(self) -> HeatHistory:
        """Without the steps of which nothing is below the grid any more."""
        ends = np.array((self.offset, self.offset + self.way))
        nearest = np.where(ends[0] * ends[1] <= 0.0, 0.0, np.abs(ends).min(axis=0))
        return self._take(np.flatnonzero(nearest < self.power.shape[2]))

    def _join_old(self) -> HeatHistory:
        """With steps joined, two by two, that were at the same place, until there are few enough."""
        most, steps = ENTRIES * (self.power.shape[2] + 1), self
        for fineness in PLACES:
            while steps.way.size > most:
                pairs = steps._pair_up(fineness, steps.way.size // 4)
                if not pairs:
                    break
                alone = np.setdiff1d(np.arange(steps.way.size), np.array(pairs).reshape(-1))
                joined = _append([steps._take(alone), *(steps._take(pair)._join() for pair in pairs)])
                steps = joined._take(np.argsort(joined.age, kind="stable"))
        return steps._take(slice(most))

    def _pair_up(self, fineness: int, number: int) -> list[np.ndarray]:
        """Numbers of steps over the same cells, to a part of one, two by two; those of like ages first."""
        long, place = np.rint(np.abs(self.way)), np.rint(fineness * (self.offset + 0.5 * self.way))
        order, age = np.lexsort((self.age, place, long)), self.age + 0.5 * self.seconds
        first, second = order[:-1], order[1:]
        alike = np.flatnonzero((long[first] == long[second]) & (place[first] == place[second]))
        apart = 1.0 - age[first[alike]] / age[second[alike]]
        pairs, free = list[np.ndarray](), np.ones(self.way.size, dtype=bool)
        for k in alike[np.argsort(apart, kind="stable")]:
            pair = order[k : k + 2]
            if free[pair].all() and len(pairs) < number:
                free[pair] = False
                pairs.append(pair)
        return pairs

    def _join(self) -> HeatHistory:
        """These two steps as one with their energy, around the middle of their times and places.

        What was heated long ago does not depend on the direction in which it was.
        """
        together = max(0.0, float((self.age + self.seconds).min() - self.age.max()))
        total, share = float(self.seconds.sum()) - together, self.seconds / self.seconds.sum()
        ends = np.array((self.offset, self.offset + self.way))
        low, high = (float(share @ end) for end in (ends.min(axis=0), ends.max(axis=0)))
        age = max(0.0, float(share @ (self.age + 0.5 * self.seconds) ** -0.5) ** -2.0 - 0.5 * total)
        ways, seconds, offsets, ages = np.array([high - low, total, low, age])[:, None]
        power = np.tensordot(self.seconds / total, self.power, 1)
        return HeatHistory(ways, seconds, power[None], offsets, ages)

    def warm(self, offset: float = 0.0, age: float = 0.0) -> np.ndarray:
        """Temperature that the heat left, times the effusivity: int q/sqrt(pi (t - t')) dt', (ny, nx).

        Since then the contact moved on by an `offset` (cells), in the time `age` (s).
        """
        found, nx = np.zeros(self.power.shape[1:]), self.power.shape[2]
        starts = zip((self.offset + offset).tolist(), (self.age + age).tolist(), strict=True)
        steps = zip(self.way.tolist(), self.seconds.tolist(), self.power, strict=True)
        for (place, since), (way, seconds, power) in zip(starts, steps, strict=True):
            for cell, weight in _pass_cells(place, way, since, seconds):  # the power as seen so much further
                here, there = slice(max(0, -cell), max(0, nx - cell)), slice(max(0, cell), max(0, nx + cell))
                found[:, here] += weight * power[:, there]
        return found


def _append(parts: Sequence[HeatHistory]) -> HeatHistory:
    """Histories one after the other."""
    return HeatHistory(*map(np.concatenate, zip(*(part._fields for part in parts), strict=True)))


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
