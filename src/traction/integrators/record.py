"""`Record`: times, coordinates, velocities and accelerations that grow as a march goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.integrators.state import State

LARGEST_ROOM = 1 << 27  #: bytes of a column kept ready before they are needed; memory is used when filled


class Record:
    """Columns t, q, v and a, of which the first `count` places are filled; of a scalar all are (places,)."""

    def __init__(self, size: int, scalar: bool, room: int) -> None:
        shape = () if scalar else (size,)
        places = max(16, min(room, LARGEST_ROOM // (8 * size)))
        self.count = 0
        self._columns = [np.empty(places), *(np.empty((places, *shape)) for _ in range(3))]

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
        """The columns from the last filled place on, with room for so many steps more."""
        self._make_room(steps)
        t, q, v, a = (column[self.count - 1 : self.count + steps] for column in self._columns)
        return t, q, v, a

    def filled(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """All columns as far as they are filled."""
        t, q, v, a = (column[: self.count] for column in self._columns)
        return t, q, v, a

    def _make_room(self, more: int) -> None:
        needed, places = self.count + more, len(self._columns[0])
        if needed <= places:
            return
        for k, old in enumerate(self._columns):
            self._columns[k] = np.empty((max(needed, 2 * places), *old.shape[1:]))
            self._columns[k][: self.count] = old[: self.count]
