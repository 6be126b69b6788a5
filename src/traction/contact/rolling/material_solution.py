"""`MaterialSolution`: a step on the grid of the material and the tractions that solve it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import RowLoads
from traction.contact.rolling.material_step import MaterialState, MaterialStep
from traction.contact.stick_slip.friction_certificate import FrictionCertificate, certify_friction
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip


@dataclass(frozen=True, eq=False)
class MaterialSolution:
    """A step on the material and its solution, element by element."""

    step: MaterialStep
    contact: NormalContact  #: at the end of the step
    state: MaterialState
    slip: np.ndarray  #: m, (2, n)
    stick: np.ndarray  #: (n,)
    rigid: RigidSlip
    equation: SlipEquation
    answer: StickSlip
    unsettled: float = 0.0  #: change of the pressure that the tractions still bring about, over its peak
    held: RowLoads | None = None  #: with the edges that were held, where its own make other elements

    @property
    def friction(self) -> float:
        """The coefficient, mu."""
        return self.step.patch.friction

    @classmethod
    def of(
        cls,
        step: MaterialStep,
        contact: NormalContact,
        rigid: RigidSlip,
        shifts: np.ndarray,
        tol: float,
        *,
        after: MaterialSolution | None = None,
    ) -> MaterialSolution:
        """Solve a step, from shifts that are about right, or from a solution `after` the same step."""
        equation = step.equation(rigid)
        elements = step.elements
        if after is not None:
            shifts = after.answer.shifts
        start = step.start(None if after is None else after.state)
        answer = solve_stick_slip(equation, tol=tol, start=(step.field(start), shifts))
        row, column = elements.place
        traction = answer.traction[:, row, column]
        # by a product of its own, which tells the elastic energy too
        u = step.influence.at_points(traction)
        slip = step.influence.sum_points(u) + equation.known[:, row, column]
        slip += np.tensordot(answer.shifts, equation.rigid[:, :, row, column], axes=1)
        state = step.reached(traction, u[:, : elements.row.size])
        return cls(step, contact, state, slip, answer.stick[row, column], rigid, equation, answer)

    @property
    def converged(self) -> bool:
        """Whether the friction law is met."""
        return self.answer.converged

    def over_grid(self) -> np.ndarray:
        """Tractions over the grid of the contact, Pa, (2, ny, nx)."""
        return self.step.over_contact(self.state.traction / self.state.elements.bound)

    def lost(self) -> float:
        """Work of friction in the step, J: what the rigid slip brings in, less what is stored.

        Each particle moves against the mean of its tractions at both ends of the step. Between unlike bodies
        some of that work is done along the normal, by the pressure that draws them sideways. Where nearly all
        sticks, what elements at the edges store as they come and go may exceed what is lost.
        """
        creepage = [0.0 if part is None else part for part in self.rigid.shift]
        for k, value in zip(self.rigid.unknown, self.answer.shifts, strict=True):
            creepage[k] = float(value)
        before, after, step = self.step.before, self.state, self.step
        middle = 0.5 * (before.travelled + after.travelled)
        work = 0.5 * (before.work(creepage, middle) + after.work(creepage, middle))
        drawn = 0.5 * (before.drawn_apart(before, after) + after.drawn_apart(before, after))
        return before.energy - after.energy - drawn - work * step.distance * step.patch.grid.dx

    def certificate(self) -> FrictionCertificate:
        """Proof, element by element."""
        rigid, bound = self.rigid, self.step.elements.bound
        area = self.step.patch.grid.cell_area
        found, limit = self.state.traction.sum(axis=1) * area, float(bound.sum()) * area
        error = max((abs(found[k] - rigid.force[k]) / limit for k in rigid.unknown), default=0.0)
        rho = self.equation.rho[self.step.elements.place]
        return certify_friction(self.state.traction, self.slip, bound, rho, error, self.unsettled)
