"""Steps of rolling on the grid of the material, one after the other, and their result."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from traction.contact.friction_certificate import certify_friction
from traction.contact.friction_patch import FrictionPatch
from traction.contact.friction_solution import SAFETY, finished
from traction.contact.material import MaterialElements, RowLoads
from traction.contact.material_rates import approach_rates, creepage_rates
from traction.contact.moving import moving_step
from traction.contact.normal import NormalContact
from traction.contact.rigid_slip import RigidSlip
from traction.contact.stick_slip import SlipEquation, StickSlip, solve_stick_slip
from traction.contact.tangential import TangentialContact
from traction.contact.transient import MaterialState, MaterialStep, advanced
from traction.errors import ConvergenceError, InputError
from traction.status import Status

MOST_PARTS = 1000  #: of a step, of one element at most each


@dataclass(frozen=True, eq=False)
class MaterialMarch:
    """Steps on the grid of the material."""

    before: TangentialContact
    contact: NormalContact
    mu: float
    rigid: RigidSlip
    direction: int
    whole: bool
    tol: float

    def rolled(self, way: float, began: float, on_failure: str) -> TangentialContact:
        """Roll over the way (m), by parts of one element at most."""
        dx = self.contact.grid.dx / self.fineness
        parts = max(1, math.ceil(way / dx - 1e-9))
        if parts > MOST_PARTS:
            raise InputError(
                f"distance = {way} m is {way / dx:.3g} elements, at most {MOST_PARTS}; after some "
                "contact lengths rolling is steady: use tr.roll_steady."
            )
        state, patch = self._state(), FrictionPatch.whole(self.contact, self.mu)
        if not patch.bound.any():
            return self._apart(state, patch, way, began, on_failure)
        loads = self._loads(state, patch)
        guess = np.array([self.before.creepage[k] for k in self.rigid.unknown])
        steps: list[DoneStep] = []
        for _ in range(parts):
            step = advanced(state, loads, way / dx / parts, self.direction, whole=self.whole)
            done = DoneStep.of(step, self.rigid, guess, SAFETY * self.tol)
            steps.append(done)
            state, guess = done.state, done.answer.shifts
            if not done.answer.converged:
                break
        return self._finished(steps, way, perf_counter() - began, on_failure)

    def _apart(
        self, state: MaterialState, patch: FrictionPatch, way: float, began: float, on_failure: str
    ) -> TangentialContact:
        """Roll without contact or friction: nothing is left of the tractions when there is some again."""
        solved = moving_step(
            self.before, self.contact, self.mu, self.rigid, self.direction * way, None, self.tol
        )
        travelled = state.travelled + self.direction * way * self.fineness / patch.grid.dx
        nothing = MaterialState(
            MaterialElements.none(patch), np.zeros((2, 0)), travelled, patch, self.fineness
        )
        return replace(finished(solved, 0.0, perf_counter() - began, on_failure), state=nothing)

    @property
    def fineness(self) -> int:
        """Cells of the material per element along x.

        When an element begins to slip, the creepage jumps by its share of the slip area. In three dimensions
        the rows do that one after the other; the one row of a line contact takes shorter elements instead.
        """
        return 2 if self.contact.grid.is_line and not self.whole else 1

    def _state(self) -> MaterialState:
        """Where the step before ended; a shift or steady rolling leaves whole cells behind."""
        kept = self.before.state
        if isinstance(kept, MaterialState) and kept.fineness == self.fineness:
            return kept
        patch = FrictionPatch.whole(self.before.normal, self.before.friction)
        if not patch.bound.any():
            return MaterialState(MaterialElements.none(patch), np.zeros((2, 0)), 0.0, patch, self.fineness)
        loads = RowLoads.of(patch).finer(self.fineness)
        elements = MaterialElements.whole_cells(patch, loads.patch, self.direction)
        traction = self.before.traction[:, elements.row, elements.cell // self.fineness]
        return MaterialState(elements, traction, 0.0, loads.patch, self.fineness, loads)

    def _loads(self, state: MaterialState, patch: FrictionPatch) -> RowLoads:
        """Of the contact at the end of the step, which is often that of the step before."""
        if state.loads is not None and self.contact is self.before.normal and self.mu == self.before.friction:
            return state.loads
        return RowLoads.of(patch).finer(self.fineness)

    def _finished(
        self, steps: list[DoneStep], way: float, seconds: float, on_failure: str
    ) -> TangentialContact:
        last = steps[-1]
        shift = list(self.rigid.shift)
        for k, values in zip(
            self.rigid.unknown, np.mean([done.answer.shifts for done in steps], axis=0), strict=True
        ):
            shift[k] = float(values)
        certificate = last.certificate()
        status, message = Status.CONVERGED, str(Status.CONVERGED)
        if not last.answer.converged or not certificate.holds(self.tol):
            status = Status.STALLED
            message = status.format(
                iterations=len(last.answer.residuals), residual=certificate.largest, tol=self.tol
            )
        inside = self.contact.contact
        shares = last.state.traction / last.state.elements.bound
        fields = last.step.over_contact(np.array((*shares, *last.slip, last.stick)))
        traction, means = fields[:2].copy(), fields[2:]
        means[:, inside] /= (self.mu * self.contact.pressure)[inside]
        result = TangentialContact(
            normal=self.contact,
            friction=self.mu,
            traction=traction,
            slip=means[:2] / (way / len(steps)),
            stick=means[2] > 0.5,
            creepage=(shift[0], shift[1], shift[2]),  # type: ignore[arg-type]
            dissipation=sum(done.dissipation() for done in steps),
            status=status,
            message=message,
            certificate=certificate,
            iterations=sum(len(done.answer.residuals) - 1 for done in steps),
            products=sum(done.answer.products for done in steps),
            residuals=last.answer.residuals,
            seconds=seconds,
            state=last.state,
            _rates=lambda: creepage_rates(steps),
            _approach_rates=lambda: approach_rates(steps, self.contact, self.mu),
        )
        if on_failure == "raise" and not result.ok:
            raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
        return result


@dataclass(frozen=True, eq=False)
class DoneStep:
    """A step on the material and its solution, element by element."""

    step: MaterialStep
    state: MaterialState
    slip: np.ndarray  #: m, (2, n)
    stick: np.ndarray  #: (n,)
    rigid: RigidSlip
    equation: SlipEquation
    answer: StickSlip

    @classmethod
    def of(cls, step: MaterialStep, rigid: RigidSlip, shifts: np.ndarray, tol: float) -> DoneStep:
        """Solve a step."""
        equation = step.equation(rigid)
        elements = step.elements
        answer = solve_stick_slip(equation, tol=tol, start=(step.field(step.start()), shifts))
        row, column = elements.place
        traction = answer.traction[:, row, column]
        # by a product of its own, which tells the elastic energy too
        u = step.influence.at_points(traction)
        slip = step.influence.summed(u) + equation.known[:, row, column]
        slip += np.tensordot(answer.shifts, equation.rigid[:, :, row, column], axes=1)
        state = step.reached(traction, u[:, : elements.row.size])
        return cls(step, state, slip, answer.stick[row, column], rigid, equation, answer)

    def dissipation(self) -> float:
        """Work of friction in the step, J: what the rigid slip brings in, less what is stored.

        Each particle moves against the mean of its tractions at both ends of the step. Where all sticks,
        the edges may leave a little less than nothing: that is none.
        """
        creepage = [0.0 if part is None else part for part in self.rigid.shift]
        for k, value in zip(self.rigid.unknown, self.answer.shifts, strict=True):
            creepage[k] = float(value)
        before, after, step = self.step.before, self.state, self.step
        middle = 0.5 * (before.travelled + after.travelled)
        work = 0.5 * (before.work(creepage, middle) + after.work(creepage, middle))
        return max(0.0, before.energy - after.energy - work * step.distance * step.patch.grid.dx)

    def certificate(self) -> Any:
        """Proof, element by element."""
        rigid, bound = self.rigid, self.step.elements.bound
        area = self.step.patch.grid.cell_area
        found, limit = self.state.traction.sum(axis=1) * area, float(bound.sum()) * area
        error = max((abs(found[k] - rigid.force[k]) / limit for k in rigid.unknown), default=0.0)
        rho = self.equation.rho[self.step.elements.place]
        return certify_friction(self.state.traction, self.slip, bound, rho, error)
