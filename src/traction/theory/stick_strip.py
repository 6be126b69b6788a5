"""What closed forms of line contacts with friction have in common: a strip that sticks, tractions along x."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from traction.outputs.result import Result
from traction.outputs.variable import Variable, figure, number
from traction.theory.hertz_contacts import PROFILE, along_strip


class StickStrip(Result):
    """A line contact of which a strip sticks; lengths in m, the bound mu p0 in Pa."""

    _drawn = "traction"

    half_width: float
    stick_half_width: float
    bound: float

    @abstractmethod
    def traction(self, x: ArrayLike) -> np.ndarray:
        """Return the traction at `x` (m) from the centre, Pa."""

    def _stick_variables(self) -> Iterator[Variable]:
        yield figure("half_width", self.half_width, "m", "half width")
        yield figure("stick_half_width", self.stick_half_width, "m", "half width that sticks")
        yield number("bound", self.bound, "Pa", "traction bound at the middle")
        x = self.half_width * PROFILE
        yield from along_strip(x, self.traction, "traction", "Pa", "tangential traction")
