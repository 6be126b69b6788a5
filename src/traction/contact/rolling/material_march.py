"""Steps of rolling on the grid of the material, one after the other, and their result."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from traction.contact.friction.friction_solution import SAFETY, OscillationGuard, coupled, finished
from traction.contact.friction.pressure_coupling import Sideways
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_derivatives import approach_tangent, creepage_tangent
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.material_solution import MaterialSolution
from traction.contact.rolling.material_step import MaterialState, advanced
from traction.contact.rolling.moving_grid import moving_step
from traction.contact.stick_slip.friction_certificate import worst_of
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
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
        steps: list[MaterialSolution] = []
        for _ in range(parts):
            if contact.pair.mismatch == 0.0:
                step = advanced(state, loads, way / dx / parts, self.direction, whole=self.whole)
                done = MaterialSolution.of(step, contact, self.rigid, guess, SAFETY * self.tol)
            else:
                done = self._coupled(state, contact, way / dx / parts, guess)
            steps.append(done)
            state, guess, contact = done.state, done.answer.shifts, done.contact
            if not done.converged:
                break
        return self._finished(steps, way, perf_counter() - began, on_failure)

    def _coupled(
        self, state: MaterialState, contact: NormalContact, distance: float, guess: np.ndarray
    ) -> MaterialSolution:
        """A step of unlike bodies over a distance (cells), and the pressure that goes with it."""
        turns, last, loads = OscillationGuard(), None, None

        def solve(pressed: NormalContact) -> MaterialSolution:
            nonlocal last, loads
            patch, restless = FrictionPatch.whole(pressed, self.mu), turns.one_more(pressed.pressure)
            loads = RowLoads.of(patch) if loads is None or not restless else loads.with_bound(patch.bound)
            sideways, cells = Sideways.of(pressed, self.fineness), loads.finer(self.fineness)
            step = advanced(state, cells, distance, self.direction, whole=self.whole, sideways=sideways)
            last = MaterialSolution.of(step, pressed, self.rigid, guess, SAFETY * self.tol, after=last)
            return last

        done, unsettled = coupled(contact, self.mu, self.tol, solve)
        held = loads if turns.restless and self._differs(done) else None
        return replace(done, unsettled=unsettled, held=held)

    def _differs(self, done: MaterialSolution) -> bool:
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
        self, steps: list[MaterialSolution], way: float, seconds: float, on_failure: str
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
