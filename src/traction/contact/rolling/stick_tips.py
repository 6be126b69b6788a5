"""`StickTips`: where the stick zone of each row begins, between the faces of elements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.rolling.kernels import stick_tips as kernels


@dataclass(frozen=True, eq=False)
class StickTips:
    """Ends of the trailing slip zones, one per run of elements; NaN where a run has none."""

    row: np.ndarray  #: of each run
    place: np.ndarray  #: seen from the contact, cells
    drift: np.ndarray  #: cells per cell rolled, along the direction of rolling
    direction: int
    grown: float = 0.0  #: from 0 to 1, how far tractions have come to bend

    @classmethod
    def follow(
        cls,
        old: StickTips | None,
        runs: tuple[np.ndarray, np.ndarray, np.ndarray],
        parts: tuple[np.ndarray, ...],
        direction: int,
        distance: float,
    ) -> StickTips:
        """Tips for a step over a distance (cells), from solved elements that were bent at `old` tips.

        runs: row, first element (and their number) and leading edge of each. parts: low, high, friction
        bound and size of the traction of each element. Places are seen from the contact.
        """
        (row, first, lead), (low, high, bound, size) = runs, parts
        known, grown = np.full((2, row.size), np.nan), 0.0
        if old is not None and old.direction == direction:
            grown, known = old.grown, old._of_rows(row, np.array([direction * old.place, old.drift]))
        if direction < 0:  # the same seen in a mirror
            first, low, high = first[-1] - first[::-1], high, low
        turn, found = slice(None, None, direction), np.empty((2, row.size))
        places = (direction * place[turn] for place in (low, high))
        seen = tuple(np.ascontiguousarray(part) for part in (*places, bound[turn], size[turn]))
        leads, known = direction * lead[turn], np.ascontiguousarray(known[:, turn])
        kernels.track_tips(np.ascontiguousarray(first), seen, leads, known, grown, float(distance), found)
        place, drift = found[:, turn]
        grown = 0.0 if old is None else min(1.0, old.grown + distance / kernels.PERIOD)
        return cls(row, direction * place, drift, direction, grown)

    def at(self, row: np.ndarray, travelled: float) -> tuple[np.ndarray, np.ndarray]:
        """Place and drift for runs in the same rows, under a contact that moved; else NaN."""
        place, drift = self._of_rows(row, np.array([self.place, self.drift]))
        return place + travelled, drift

    def _of_rows(self, row: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Values of the runs, (k, runs), for other runs: those of the only one in the same row, or NaN."""
        if np.array_equal(row, self.row):
            return values
        found = np.full((len(values), row.size), np.nan)
        old, new = (np.flatnonzero(np.bincount(rows) == 1) for rows in (self.row, row))
        same = np.intersect1d(old, new)
        found[:, np.searchsorted(row, same)] = values[:, np.searchsorted(self.row, same)]
        return found
