"""`PressedBatch`: forces, approaches and certificates of many pressed contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import index

import numpy as np

from traction.contact.batch.member_parts import BatchResult
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.grid import Grid
from traction.outputs.variable import Variable, axis, counter, data, figure, number


@dataclass(frozen=True, eq=False, repr=False)
class PressedBatch(BatchResult):
    """Result of `Batch.press`: quantities of K members, as in `tr.press`."""

    _rows, _drawn = ("member",), "peak_pressure"

    grid: Grid
    force: np.ndarray  #: normal force, N, (K,); per metre for line contact
    approach: np.ndarray  #: m, (K,)
    peak_pressure: np.ndarray  #: Pa, (K,)
    contact_area: np.ndarray  #: m2, (K,)
    error: np.ndarray  #: largest error of the conditions of contact, by a certificate, (K,)
    iterations: np.ndarray  #: (K,)
    status: np.ndarray  #: `tr.Status` of each member, (K,)
    singles: np.ndarray  #: numbers of the members that the single solver solved
    pressure: np.ndarray | None = None  #: Pa, (K, ny, nx), with `fields=True`
    seconds: float = 0.0  #: wall time
    _restore: Callable[[int], NormalContact] | None = field(default=None, repr=False)

    def __getitem__(self, member: int) -> NormalContact:
        """The contact of a member, as `tr.press` returns it; needs `fields=True`."""
        if self._restore is None:
            raise InputError("the pressures of the members were not kept; call press with fields=True.")
        number = index(member)
        if not -len(self) <= number < len(self):
            raise IndexError(f"member {number} of {len(self)}")
        return self._restore(number % len(self))

    def _headline(self) -> str:
        return self._describe("pressed contact")

    def _variables(self) -> Iterator[Variable]:
        per = "/m" if self.grid.is_line else ""
        yield figure("largest_force", float(self.force.max(initial=0.0)), f"N{per}", "largest force")
        yield figure("largest_pressure", float(self.peak_pressure.max(initial=0.0)), "Pa", "largest pressure")
        yield figure("largest_error", float(self.error.max(initial=0.0)), "1", "largest error of a member")
        yield number("solved_singly", int(self.solved_singly), "1", "members solved by the single solver")
        yield counter("member", len(self), "member of the batch")
        yield data("force", self.force, f"N{per}", "normal force", "member")
        yield data("approach", self.approach, "m", "approach", "member")
        yield data("peak_pressure", self.peak_pressure, "Pa", "largest pressure", "member")
        yield data("contact_area", self.contact_area, "m2", "contact area", "member")
        yield data("error", self.error, "1", "largest error of the conditions of contact", "member")
        yield data("iterations", self.iterations, "1", "iterations", "member")
        yield data("status", np.array([str(s) for s in self.status]), "", "how the solution ended", "member")
        if self.pressure is not None:
            yield axis("x", self.grid.x, "m", "position along x")
            yield axis("y", self.grid.y, "m", "position along y")
            yield data("pressure", self.pressure, "Pa", "contact pressure", "member", "y", "x")
