"""`SolvedFriction`: tractions of one contact, and the equation that they solve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.elements.whole_cells import Discretisation
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip


@dataclass(frozen=True, eq=False)
class SolvedFriction:
    """Tractions that solve an equation of slip, with the contact and the step it belongs to."""

    normal: NormalContact
    friction: float
    patch: FrictionPatch
    rigid: RigidSlip
    discretisation: Discretisation
    equation: SlipEquation
    answer: StickSlip
    distance: float  #: of the step, m; 1 for a shift
    steady: bool
    tol: float

    @property
    def converged(self) -> bool:
        """Whether the friction law is met."""
        return self.answer.converged

    def over_grid(self) -> np.ndarray:
        """Tractions over the whole grid, Pa, (2, ny, nx)."""
        return self.patch.on_grid(self.answer.traction, self.normal.grid)

    @cached_property
    def slip(self) -> np.ndarray:
        """Slip over the step by a product of its own, m, on the patch."""
        equation, answer = self.equation, self.answer
        rigid = np.tensordot(answer.shifts, equation.rigid, axes=1)
        return equation.product(answer.traction) + equation.known + rigid

    @property
    def shifts(self) -> tuple[float, float, float]:
        """Rigid slip, given and found."""
        total = list(self.rigid.shift)
        for k, value in zip(self.rigid.unknown, self.answer.shifts, strict=True):
            total[k] = float(value)
        x, y, turn = (float(value) for value in total)  # type: ignore[arg-type]
        return x, y, turn

    @property
    def force_error(self) -> float:
        """Error of given forces over mu Fn."""
        area = self.patch.grid.cell_area
        found, limit = self.answer.traction.sum(axis=(1, 2)) * area, float(self.patch.bound.sum()) * area
        wanted = self.rigid.force
        return max((abs(found[k] - wanted[k]) / limit for k in self.rigid.unknown), default=0.0)

    @property
    def is_coupled(self) -> bool:
        """Whether pressure and tractions depend on each other."""
        return self.normal.pair.mismatch != 0.0 and bool(self.patch.bound.any())
