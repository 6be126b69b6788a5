"""`Record`: times, coordinates, velocities and accelerations that grow during a march."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.integrators.core.state import State

LARGEST_ROOM = 1 << 27  #: bytes of a column kept ready before they are needed; memory is used when filled
SMALLEST_KEPT, LARGEST_KEPT = 1 << 19, 1 << 26  #: bytes of memory that is kept for the next record


class Record:
    """Columns t, q, v and a, of which the first `count` rows are filled; for a scalar all are (rows,)."""

    def __init__(self, size: int, scalar: bool, room: int) -> None:
        self._size, self._shape = size, () if scalar else (size,)
        self.count = 0
        self._columns = self._empty(max(16, min(room, LARGEST_ROOM // (8 * size))))

    def add(self, states: Sequence[State]) -> None:
        """Write states at the end."""
        self._make_room(len(states))
        t, *rest = self._columns
        for state in states:
            t[self.count] = state.t
            for column, values in zip(rest, (state.q, state.v, state.a), strict=True):
                column[self.count] = values if column.ndim > 1 else values[0]
            self.count += 1

    def ahead(self, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The columns from the last filled row on, with storage for so many steps more."""
        self._make_room(steps)
        t, q, v, a = (column[self.count - 1 : self.count + steps] for column in self._columns)
        return t, q, v, a

    def filled(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The filled part of all columns."""
        t, q, v, a = (column[: self.count] for column in self._columns)
        return t, q, v, a

    def _make_room(self, more: int) -> None:
        needed, places = self.count + more, len(self._columns[0])
        if needed <= places:
            return
        old, self._columns = self._columns, self._empty(max(needed, 2 * places))
        for column, earlier in zip(self._columns, old, strict=True):
            column[: self.count] = earlier[: self.count]

    def _empty(self, places: int) -> list[np.ndarray]:
        """Columns that are not filled; large ones one after the other in one piece of memory."""
        shape, count = (places, *self._shape), places * (1 + 3 * self._size)
        if 8 * count < SMALLEST_KEPT:
            return [np.empty(places), np.empty(shape), np.empty(shape), np.empty(shape)]
        memory = numbers(count)
        return [memory[:places], *memory[places:].reshape((3, *shape))]


def numbers(count: int) -> np.ndarray:
    """An uninitialised array of so many numbers; a large one reuses memory of an earlier one.

    The first touch of new memory costs more than a step of a march that fills it.
    """
    if 8 * count > LARGEST_KEPT:
        return np.empty(count)
    try:
        memory = _KEPT.pop()
    except IndexError:
        memory = np.empty(0)
    if memory.size < count:
        memory = np.empty(count)
    return np.asarray(_Lease(memory))[:count]


_KEPT: list[np.ndarray] = []  #: unused memory, one piece at most


class _Lease:
    """Memory in use by arrays; when the last of them is gone it is kept for the next."""

    def __init__(self, memory: np.ndarray) -> None:
        self._memory = memory
        self.__array_interface__: dict[str, object] = memory.__array_interface__

    def __del__(self, kept: list[np.ndarray] = _KEPT) -> None:  # a module's names are gone at exit
        if not kept or kept[0].size < self._memory.size:
            kept[:] = [self._memory]
