"""`SolvedFriction`: a friction step and the tractions that solve it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.friction_step import FrictionStep
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import FrictionCertificate, certify_friction
from traction.contact.stick_slip.interface import Carried
from traction.contact.stick_slip.kernels.sliding_states import Sliding
from traction.contact.stick_slip.sliding_step import SlidingStates
from traction.contact.stick_slip.slip_equation import StickSlip

STEEP = 0.8  #: fall of friction over the resistance of an element from which solutions may not be unique


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
    way: float = 1.0  #: of the step, m, beside others of the same motion
    #: whether it is a part of one whose coefficient would be too far off; it was seen that parts do not jump
    divided: bool = False
    undivided: float = 0.0  #: the same error where it had to stay whole, over the coefficient at rest
    others: bool | None = False  #: whether another solution is known to exist; None where undecided
    failure: str = ""  #: why there is no solution, where more is known than its error
    heated: float = 0.0  #: error of its coefficients against those of its temperature, over the largest

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
    def _measured(self) -> tuple[np.ndarray, object]:
        return self.step.measure_slip(self.answer)

    @property
    def slip(self) -> np.ndarray:
        """Slip over the step by a separate product, m."""
        return self._measured[0]

    @cached_property
    def memory(self) -> object:
        """The start of a following step."""
        return self.step.remember(self.answer.traction, self._measured[1])

    @cached_property
    def sliding(self) -> Sliding | None:
        """Bounds and memories that the law makes of the separate slip; None where friction is constant."""
        equation = self.step.equation
        if equation.rule is None:
            return None
        states = SlidingStates(equation.bound.shape)
        states.classify(equation, self.answer.traction, self.slip)
        return states.sliding

    @cached_property
    def remembered(self) -> Carried | None:
        """Memory of the particles at the end of the step, on the window; None where friction is constant."""
        rule, found = self.step.equation.rule, self.sliding
        if rule is None or found is None:
            return None
        return Carried.left_by(found, self.slip, rule.time)

    @property
    def slip_speed(self) -> np.ndarray:
        """Mean slip speed over the step, m/s, (ny, nx); 0 where friction is constant."""
        known = self.remembered
        return np.zeros(self.slip.shape[1:]) if known is None or known.speed is None else known.speed

    @property
    def lag_distance(self) -> float:
        """Distance of rolling by which friction lags behind its law, m; 0 where it does not."""
        rule, between = self.step.equation.rule, self.step.patch.interface
        if rule is None or rule.lag == 0.0 or between is None:
            return 0.0
        return rule.time * between.speed * rule.lag / (1.0 - rule.lag)

    @cached_property
    def plastic_share(self) -> np.ndarray | None:
        """Part of the slip that is plastic flow of a layer, (ny, nx); None where nothing yields."""
        if self.sliding is None or not self.sliding.plastic.any():
            return None
        motion = np.hypot(*self.slip)
        return np.divide(self.sliding.plastic, motion, out=np.zeros_like(motion), where=motion > 0.0)

    @property
    def flow_work(self) -> float:
        """Work of the tractions on the plastic flow of a layer over the step, J."""
        if self.plastic_share is None:
            return 0.0
        work = -(self.answer.traction * self.slip).sum(axis=0) * self.plastic_share
        return max(0.0, float(work.sum())) * self.step.patch.grid.cell_area

    def share_out(self) -> np.ndarray:
        """Tractions over the grid of the contact, Pa, (2, ny, nx)."""
        return self.step.share_out(self.answer.traction)

    def dissipate(self) -> np.ndarray:
        """Work of friction over the step on the cells of the grid, J/m2, (ny, nx)."""
        return self.step.place_work(self.step.dissipate(self.answer, self.slip))

    def work_on_slip(self) -> float:
        """Work of friction on the slip of the step, J, by the tractions at its end; never below 0."""
        work = float((self.answer.traction * self.slip).sum())
        return max(0.0, -work * self.step.patch.grid.cell_area)

    @cached_property
    def certificate(self) -> FrictionCertificate:
        """Certificate that the tractions and slips obey the law of friction."""
        equation, traction = self.step.equation, self.answer.traction
        error = equation.force_error(traction)
        bound = equation.bound if self.sliding is None else self.sliding.bound
        certificate = certify_friction(traction, self.slip, bound, equation.rho, error, self.unsettled)
        return replace(certificate, shares=self.doubt, temperature=self.heated)


def find_steepness(solved: SolvedFriction) -> float:
    """Largest fall of the bound of an element with its slip, over what the element resists by.

    Below 1 more slip needs more force at each element, and the solution is unique; 0 where friction is
    constant.
    """
    if solved.sliding is None:
        return 0.0
    rates, own = solved.sliding.rates, solved.step.equation.own.mean(axis=0)
    fall = -(rates[6] * rates[2] + rates[7] * rates[5])
    return max(0.0, float((fall * own).max()))


#: Solves a step for the pressure of a contact. Beside it stand the solution for a pressure nearby, where
#: there is one, and whether its elements are to be held.
SolveFriction = Callable[[NormalContact, SolvedFriction | None, bool], SolvedFriction]
