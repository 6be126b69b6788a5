"""`PressedBatch` and `TangentialBatch`: forces, motions and certificates of many contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import index

import numpy as np

from traction.contact.friction.tangential_contact import CREEPAGES, PER_LENGTH, SHIFTS, UNITS
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.grid import Grid
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, components, counter, data, figure, number
from traction.quantities import counted
from traction.status import Status


class BatchResult(Result):
    """Result of a batch: quantities of K members."""

    status: np.ndarray
    singles: np.ndarray

    @cached_property
    def ok(self) -> np.ndarray:
        """Whether each member passed its certificate, (K,)."""
        return np.array([status is Status.CONVERGED for status in self.status], dtype=bool)

    @property
    def solved_singly(self) -> np.int64:
        """How many members the single solver solved, since the batch could not."""
        return np.int64(self.singles.size)

    @property
    def size(self) -> int:
        """Number of members K."""
        return int(self.status.size)

    def __len__(self) -> int:
        return self.size

    def _describe(self, what: str) -> str:
        """How many members there are, and how they ended."""
        failed = int(np.count_nonzero(~self.ok))
        ended = "all converged" if not failed else f"{counted(failed, 'member')} not converged"
        singly = f", {counted(int(self.solved_singly), 'member')} solved singly" if self.singles.size else ""
        return f"{counted(self.size, what)}, {ended}{singly}"


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


@dataclass(frozen=True, eq=False, repr=False)
class TangentialBatch(BatchResult):
    """Result of `Batch.roll_steady` and `Batch.shift`: quantities of K members; forces are on body 1."""

    _rows, _drawn = ("member",), "force_x"

    grid: Grid
    force: np.ndarray  #: F_x, F_y, N, (K, 2); per metre for line contact
    moment: np.ndarray  #: M_z about the origin, N m, (K,)
    #: xi, eta (-), phi (rad/m), given or found, (K, 3); of shifts dx, dy (m), rotation (rad)
    creepage: np.ndarray
    dissipation: np.ndarray  #: J per metre rolled, of shifts J, (K,)
    normal_force: np.ndarray  #: N, (K,)
    friction: np.ndarray  #: coefficients mu, (K,)
    stick_share: np.ndarray  #: share of the elements in contact that stick, (K,)
    error: np.ndarray  #: largest error of the law of friction, by a certificate in double precision, (K,)
    iterations: np.ndarray  #: of the splitting, or of Newton's method where solved singly, (K,)
    status: np.ndarray  #: `tr.Status` of each member, (K,)
    singles: np.ndarray  #: numbers of the members that the single solver solved
    traction: np.ndarray | None = None  #: p_x, p_y, Pa, (K, 2, ny, nx), with `fields=True`
    slip: np.ndarray | None = None  #: over distance rolled, of shifts m, (K, 2, ny, nx), with `fields=True`
    stick: np.ndarray | None = None  #: elements that stick, (K, ny, nx), with `fields=True`
    seconds: float = 0.0  #: wall time
    motion: str = "steady rolling"  #: or "shift"; decides the units

    def _headline(self) -> str:
        return f"{self.motion}, {self._describe('contact')}"

    def _variables(self) -> Iterator[Variable]:
        per, (slip, turn, lost, _) = "/m" if self.grid.is_line else "", UNITS[self.motion]
        limit = float((self.friction * self.normal_force).max(initial=0.0))
        most = np.abs(self.force).max(axis=0, initial=0.0)
        for name, value in zip("xy", most, strict=True):
            yield figure(
                f"largest_force_{name}", float(value), f"N{per}", f"largest force along {name}", limit
            )
        yield figure("largest_error", float(self.error.max(initial=0.0)), "1", "largest error of a member")
        yield number("solved_singly", int(self.solved_singly), "1", "members solved by the single solver")
        yield counter("member", self.size, "member of the batch")
        for k, name in enumerate("xy"):
            yield data(
                f"force_{name}", self.force[:, k], f"N{per}", f"force along {name} on body 1", "member"
            )
        yield data("moment", self.moment, "N" if per else "N m", "spin moment on body 1", "member")
        rigid = SHIFTS if self.motion == "shift" else CREEPAGES
        for k, (name, words) in enumerate(rigid.items()):
            yield data(name, self.creepage[:, k], (slip, slip, turn)[k], words, "member")
        unit = PER_LENGTH[lost] if per else lost
        yield data("dissipation", self.dissipation, unit, "energy dissipated", "member")
        yield data("normal_force", self.normal_force, f"N{per}", "normal force", "member")
        yield data("friction", self.friction, "1", "coefficient of friction", "member")
        yield data("stick_share", self.stick_share, "1", "share of the contact that sticks", "member")
        yield data("error", self.error, "1", "largest error of the law of friction", "member")
        yield data("iterations", self.iterations, "1", "iterations", "member")
        yield data("status", np.array([str(s) for s in self.status]), "", "how the solution ended", "member")
        if self.traction is not None and self.slip is not None and self.stick is not None:
            yield axis("x", self.grid.x, "m", "position along x")
            yield axis("y", self.grid.y, "m", "position along y")
            yield components()
            over = ("member", "component", "y", "x")
            yield data("traction", self.traction, "Pa", "tangential traction on body 1", *over)
            yield data("slip", self.slip, slip, "slip of body 1 over body 2", *over)
            yield data("stick", self.stick, "1", "elements that stick", "member", "y", "x")
