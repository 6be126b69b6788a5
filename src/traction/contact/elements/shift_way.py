"""`ShiftWay`: how far a shift goes, and how that changes with the shift and the normal force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.normal.press import NormalContact

NEARBY = 1e-6  #: change of the normal force in the difference of two extents, relative to the force


@dataclass(frozen=True, eq=False)
class ShiftWay:
    """Way L = |(dx, dy)| + |phi| e of a shift (dx, dy, phi) at a speed V, where e is `find_extent`.

    The shift lasts T = L/V, and a law takes slips s at the speed s/T. So its bound g(s, T) also changes with
    the displacement d and the normal force N by the duration,

        dg = g_s ds + g_T dT,   dT/d(dx) = dx/(V |(dx, dy)|),   dT/dphi = sign(phi) e/V,
        dT/dN = |phi| (de/dN)/V.

    At phi = 0 the slopes by phi on either side are opposite: the rate is their mean, 0. A shift of nothing
    lasts as long as one of a thousandth of e.
    """

    contact: NormalContact
    rigid: tuple[float, float, float]  #: dx and dy, m, and phi, rad
    longer: float = 0.0  #: a small change of the way, m

    @cached_property
    def length(self) -> float:
        """L, m."""
        return measure_shift(self.rigid, find_extent(self.contact)) + self.longer

    def change(self, part: int | None, force: float, size: float) -> ShiftWay:
        """The way as a part of the shift grows by `size`, and the normal force by `size` times `force`."""
        rate = 0.0 if part is None else self._rates[part]
        if force != 0.0 and self.rigid[2] != 0.0:
            rate += force * abs(self.rigid[2]) * self._extent_rate
        return self if rate == 0.0 else replace(self, longer=self.longer + size * rate)

    @cached_property
    def _rates(self) -> tuple[float, float, float]:
        """dL/d(dx), dL/d(dy) and dL/dphi."""
        dx, dy, turn = self.rigid
        moved = float(np.hypot(dx, dy)) or 1.0
        return dx / moved, dy / moved, float(np.sign(turn)) * find_extent(self.contact)

    @cached_property
    def _extent_rate(self) -> float:
        """de/dN, m/N."""
        n = self.contact
        step = NEARBY * n.force * n.pressure_rate / n.stiffness
        ahead, back = (
            replace(n, pressure=np.where(n.contact, np.maximum(n.pressure + change, 0.0), 0.0))
            for change in (step, -step)
        )
        return (find_extent(ahead) - find_extent(back)) / (2.0 * NEARBY * n.force)


def measure_shift(rigid: Sequence[float], extent: float) -> float:
    """Way of a shift (dx, dy, rotation) of a contact, m; a thousandth of its extent without a shift."""
    dx, dy, turn = rigid
    moved = float(np.hypot(dx, dy)) + abs(turn) * extent
    return moved or 1e-3 * extent or 1.0  # without a contact nothing depends on it


def find_extent(contact: NormalContact) -> float:
    """Half the length of the contact, m: of a strip, which has no end, half its width."""
    a, b = contact.semi_axes
    return a if np.isinf(b) else max(a, b)
