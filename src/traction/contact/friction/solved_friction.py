"""`SolvedFriction`: a friction step and the tractions that solve it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.friction_step import FrictionStep
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import FrictionCertificate, certify_friction
from traction.contact.stick_slip.slip_equation import StickSlip


@dataclass(frozen=True, eq=False)
class SolvedFriction:
    """A friction step of any discretisation, and its solution; fields are over the step's window."""

    normal: NormalContact  #: the contact at the end of the step
    step: FrictionStep
    answer: StickSlip
    unsettled: float = 0.0  #: remaining change of the pressure by the tractions, over its peak
    #: estimated effect on the forces, over mu Fn, of shares that are not those of the solution
    doubt: float = 0.0
    #: part of a change of the force at the end of all steps that is there at the end of this one; NaN where
    #: the bodies meet during them
    load_share: float = 1.0

    @property
    def converged(self) -> bool:
        """Whether the friction law is satisfied."""
        return self.answer.converged

    @property
    def creepage(self) -> tuple[float, float, float]:
        """Rigid slip, given and found."""
        return self.step.rigid.complete(self.answer.shifts)

    @property
    def is_coupled(self) -> bool:
        """Whether pressure and tractions depend on each other."""
        return self.normal.pair.mismatch != 0.0 and bool(self.step.patch.bound.any())

    @cached_property
    def _measured(self) -> tuple[np.ndarray, np.ndarray | None]:
        return self.step.measure_slip(self.answer)

    @property
    def slip(self) -> np.ndarray:
        """Slip over the step by a separate product, m."""
        return self._measured[0]

    @cached_property
    def memory(self) -> object:
        """The start of a following step."""
        return self.step.remember(self.answer.traction, self._measured[1])

    def share_out(self) -> np.ndarray:
        """Tractions over the grid of the contact, Pa, (2, ny, nx)."""
        return self.step.share_out(self.answer.traction)

    def dissipate(self) -> np.ndarray:
        """Work of friction over the step on the cells of the grid, J/m2, (ny, nx)."""
        return self.step.share_out(self.step.dissipate(self.answer, self.slip)[None])[0]

    def work_on_slip(self) -> float:
        """Work of friction on the slip of the step, J, by the tractions at its end; never below 0."""
        work = float((self.answer.traction * self.slip).sum())
        return max(0.0, -work * self.step.patch.grid.cell_area)

    @cached_property
    def certificate(self) -> FrictionCertificate:
        """Certificate that the tractions and slips obey the law of friction."""
        equation, traction = self.step.equation, self.answer.traction
        error = equation.force_error(traction)
        certificate = certify_friction(
            traction, self.slip, equation.bound, equation.rho, error, self.unsettled
        )
        return replace(certificate, shares=self.doubt)


#: Solves a step for the pressure of a contact. Beside it stand the solution for a pressure nearby, where
#: there is one, and whether its elements are to be held.
SolveFriction = Callable[[NormalContact, SolvedFriction | None, bool], SolvedFriction]
