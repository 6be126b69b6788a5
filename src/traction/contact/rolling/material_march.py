"""Steps of rolling on the grid of the material, one after the other, and their result."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from traction.contact.friction.friction_solution import SAFETY, Turns, coupled, finished
from traction.contact.friction.pressure_coupling import Sideways
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_derivatives import approach_tangent, creepage_tangent
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.material_step import MaterialState, MaterialStep, advanced
from traction.contact.rolling.moving_grid import moving_step
from traction.contact.stick_slip.friction_certificate import FrictionCertificate, certify_friction, worst_of
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
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
        guess = np.array([self.before.creepage[k] for k in self.rigid.unknown])
        loads, contact = self._loads(state, patch), self.contact
        steps: list[DoneStep] = []
        for _ in range(parts):
            if contact.pair.mismatch == 0.0:
                step = advanced(state, loads, way / dx / parts, self.direction, whole=self.whole)
                done = DoneStep.of(step, contact, self.rigid, guess, SAFETY * self.tol)
            else:
                done = self._coupled(state, contact, way / dx / parts, guess)
            steps.append(done)
            state, guess, contact = done.state, done.answer.shifts, done.contact
            if not done.converged:
                break
        return self._finished(steps, way, perf_counter() - began, on_failure)

    def _coupled(
        self, state: MaterialState, contact: NormalContact, distance: float, guess: np.ndarray
    ) -> DoneStep:
        """A step of unlike bodies over a distance (cells), and the pressure that goes with it."""
        turns, last, loads = Turns(), None, None

        def solve(pressed: NormalContact) -> DoneStep:
            nonlocal last, loads
            patch, restless = FrictionPatch.whole(pressed, self.mu), turns.one_more(pressed.pressure)
            loads = RowLoads.of(patch) if loads is None or not restless else loads.with_bound(patch.bound)
            sideways, cells = Sideways.of(pressed, self.fineness), loads.finer(self.fineness)
            step = advanced(state, cells, distance, self.direction, whole=self.whole, sideways=sideways)
            last = DoneStep.of(step, pressed, self.rigid, guess, SAFETY * self.tol, after=last)
            return last

        done, unsettled = coupled(contact, self.mu, self.tol, solve)
        held = loads if turns.restless and self._differs(done) else None
        return replace(done, unsettled=unsettled, held=held)

    def _differs(self, done: DoneStep) -> bool:
        """Whether the edges that belong to the pressure make other elements than those that were held."""
        free = RowLoads.of(FrictionPatch.whole(done.contact, self.mu)).finer(self.fineness)
        elements = MaterialElements.under(free, done.step.travelled, self.direction, whole=self.whole)
        return not np.array_equal(elements.cell, done.step.elements.cell)

    def _apart(
        self, state: MaterialState, patch: FrictionPatch, way: float, began: float, on_failure: str
    ) -> TangentialContact:
        """Roll without contact or friction: nothing is left of the tractions when there is some again."""
        solved = moving_step(
            self.before, self.contact, self.mu, self.rigid, self.direction * way, None, self.tol
        )
        travelled = state.travelled + self.direction * way * self.fineness / patch.grid.dx
        sideways = Sideways.of(self.contact, self.fineness)
        nothing = replace(self._nothing(patch, travelled, sideways), owed=state.owed)
        return replace(finished(solved, 0.0, perf_counter() - began, on_failure), state=nothing)

    @property
    def fineness(self) -> int:
        """Cells of the material per element along x.

        When an element begins to slip, the creepage jumps by its share of the slip area. In three dimensions
        the rows do that one after the other; the one row of a line contact takes shorter elements instead.
        """
        return 2 if self.contact.grid.is_line and not self.whole else 1

    def _state(self) -> MaterialState:
        """Where the step before ended; a shift, or steady rolling by whole cells, leaves such behind."""
        kept = self.before.state
        if isinstance(kept, MaterialState) and kept.fineness == self.fineness:
            return kept
        if isinstance(kept, MaterialState) and 2 * kept.fineness == self.fineness:
            return kept.halved()
        patch = FrictionPatch.whole(self.before.normal, self.before.friction)
        sideways = Sideways.of(self.before.normal, self.fineness)
        if not patch.bound.any():
            return self._nothing(patch, 0.0, sideways)
        loads = RowLoads.of(patch).finer(self.fineness)
        elements = MaterialElements.whole_cells(patch, loads.patch, self.direction)
        traction = self.before.traction[:, elements.row, elements.cell // self.fineness]
        known = self.fineness, loads, None, sideways
        return MaterialState(elements, traction, 0.0, loads.patch, *known)

    def _nothing(self, patch: FrictionPatch, travelled: float, sideways: Sideways | None) -> MaterialState:
        """No tractions."""
        elements, fineness = MaterialElements.none(patch), self.fineness
        return MaterialState(elements, np.zeros((2, 0)), travelled, patch, fineness, sideways=sideways)

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
        certificate = worst_of([done.certificate() for done in steps])
        status, message = Status.CONVERGED, str(Status.CONVERGED)
        if not last.converged or not certificate.holds(self.tol):
            status = Status.STALLED
            message = status.format(
                iterations=len(last.answer.residuals), residual=certificate.largest, tol=self.tol
            )
        # friction never gives back: what the balance shows of that is taken from the steps that follow
        lost = steps[0].step.before.owed + sum(done.lost() for done in steps)
        contact = last.contact
        inside, means = contact.contact, last.step.over_contact(np.array((*last.slip, last.stick)))
        means[:, inside] /= (self.mu * contact.pressure)[inside]
        result = TangentialContact(
            normal=contact,
            friction=self.mu,
            traction=last.over_grid(),
            slip=means[:2] / (way / len(steps)),
            stick=means[2] > 0.5,
            creepage=(shift[0], shift[1], shift[2]),  # type: ignore[arg-type]
            dissipation=max(0.0, lost),
            status=status,
            message=message,
            certificate=certificate,
            iterations=sum(len(done.answer.residuals) - 1 for done in steps),
            products=sum(done.answer.products for done in steps),
            residuals=last.answer.residuals,
            seconds=seconds,
            state=replace(last.state, owed=min(0.0, lost)),
            _tangent=lambda: creepage_tangent(steps),
            _approach_tangent=lambda: approach_tangent(steps),
        )
        if on_failure == "raise" and not result.ok:
            raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
        return result


@dataclass(frozen=True, eq=False)
class DoneStep:
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
        after: DoneStep | None = None,
    ) -> DoneStep:
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
