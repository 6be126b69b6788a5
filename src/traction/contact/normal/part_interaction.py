"""`PartInteraction`: parts of a contact that displace each other only by a share.

Patches of a wheel on a rail that part pass from one half space to two: in between, their parts are solved on
one grid, and what each displaces the others by fades.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Displace = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class PartInteraction:
    """Rows of the parts of a contact, and how much they interact."""

    part: np.ndarray  #: number of the part of each row of the grid, (ny,)
    share: np.ndarray  #: of the influence of the second part on the first, from 0 to 1, (n, n); 1 on itself

    def on_rows(self, top: int, count: int) -> PartInteraction:
        """The same on a window of rows."""
        return PartInteraction(self.part[top : top + count], self.share)

    def on_every_second(self, count: int) -> PartInteraction:
        """The same on `count` rows of twice the width."""
        return PartInteraction(self.part[::2][:count], self.share)

    def displace_rows(self, displace: Displace, load: np.ndarray) -> np.ndarray:
        """Displacements of the rows of a field, (..., ny, nx), by a load on them."""
        rows = self.part[:, None]
        return self.displace(displace, load, rows, rows)

    @property
    def lack(self) -> PartInteraction:
        """What they interact less than fully, as a negative share: a part lacks nothing of itself."""
        return PartInteraction(self.part, self.share - 1.0)

    def displace(
        self, displace: Displace, load: np.ndarray, loaded: np.ndarray, displaced: np.ndarray
    ) -> np.ndarray:
        """Displacements by a load, with the share of each part; both have the numbers of their parts."""
        total: np.ndarray | None = None
        for part in range(len(self.share)):
            alone = np.where(loaded == part, load, 0.0)
            if alone.any():
                u = self.share[displaced, part] * displace(alone)
                total = u if total is None else total + u
        return displace(load) if total is None else total
