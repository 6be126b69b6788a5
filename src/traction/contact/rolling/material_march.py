"""Consecutive steps of rolling on the grid of the material."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.friction.friction_solution import FrictionDemand, solve_step
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.material_state import MaterialState
from traction.contact.rolling.material_step import MaterialStep, take_step
from traction.contact.rolling.moving_grid import solve_moving_step
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import InputError

MOST_PARTS = 1000  #: of a step, of one element at most each


@dataclass(frozen=True, eq=False)
class MaterialMarch:
    """Steps on the grid of the material."""

    before: TangentialContact
    demand: FrictionDemand
    direction: int
    whole: bool

    def roll_over(self, way: float) -> tuple[list[SolvedFriction], float, MaterialState]:
        """Roll over a distance (m), in parts of one element at most.

        Returns them, the work of friction (J) and the state at the end. Friction never returns energy: a
        negative balance is carried to the steps that follow.
        """
        contact, mu, unknown = self.demand.contact, self.demand.friction, self.demand.rigid.unknown
        dx = contact.grid.dx / self.fineness
        parts = max(1, math.ceil(way / dx - 1e-9))
        if parts > MOST_PARTS:
            raise InputError(
                f"distance = {way} m is {way / dx:.3g} elements, at most {MOST_PARTS}; after some "
                "contact lengths rolling is steady: use tr.roll_steady."
            )
        state = self._begin()
        if not (mu * contact.pressure).any():
            return self._roll_apart(state, way)
        like, steps = contact.pair.mismatch == 0.0, list[SolvedFriction]()
        same = like and contact is self.before.normal and mu == self.before.friction
        owed, losses = state.owed, list[float]()
        guess = np.array([self.before.creepage[k] for k in unknown])
        for _ in range(parts):
            loads = state.loads if same else None
            done = self._solve_part(state, contact, way / dx / parts, guess, loads)
            steps.append(done)
            after = done.memory
            assert isinstance(after, MaterialState)
            losses.append(_find_loss(state, after, done.creepage))
            state, guess, contact, same = after, done.answer.shifts, done.normal, like
            if not done.converged:
                break
        lost = owed + sum(losses)
        return steps, lost, replace(state, owed=min(0.0, lost))

    def _solve_part(
        self,
        state: MaterialState,
        contact: NormalContact,
        distance: float,
        guess: np.ndarray,
        known: RowLoads | None,
    ) -> SolvedFriction:
        """Solve a part over a distance (cells); `known` are the loads of the contact, if known."""

        def take(pressed: NormalContact, loads: RowLoads) -> MaterialStep:
            drawn = PressedDisplacement.of(pressed, self.fineness)
            return take_step(state, loads, self.demand.rigid, distance, self.direction, self.whole, drawn)

        def solve(pressed: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
            patch = FrictionPatch.over(pressed, self.demand.friction)
            step = take(pressed, known or RowLoads.of(patch, self.fineness))
            like, shifts = state, guess
            if last is not None and isinstance(last.step, MaterialStep):
                like, shifts = last.step.remember(last.answer.traction), last.answer.shifts
                if hold:
                    free, step = step, take(pressed, last.step.loads.hold_edges(patch.bound))
                    differs = not np.array_equal(free.elements.cell, step.elements.cell)
                    step = replace(step, held=differs)
            start = step.estimate_traction(like), shifts
            answer = solve_stick_slip(step.equation, tol=self.demand.inner_tol, start=start)
            return SolvedFriction(pressed, step, answer)

        return solve_step(contact, self.demand, solve)

    def _roll_apart(
        self, state: MaterialState, way: float
    ) -> tuple[list[SolvedFriction], float, MaterialState]:
        """Roll without contact or friction: the tractions vanish before the next contact."""
        ahead, contact = self.direction * way, self.demand.contact
        patch = FrictionPatch.over(contact, self.demand.friction)
        solved = solve_moving_step(self.before, contact, self.demand, ahead)
        travelled = state.travelled + ahead * self.fineness / patch.grid.dx
        return [solved], 0.0, replace(self._empty_state(contact, patch, travelled), owed=state.owed)

    @property
    def fineness(self) -> int:
        """Cells of the material per element along x.

        When an element begins to slip, the creepage jumps by its share of the slip area. In three dimensions
        the rows do so one after the other; the single row of a line contact uses shorter elements instead.
        """
        return 2 if self.before.normal.grid.is_line and not self.whole else 1

    def _begin(self) -> MaterialState:
        """State at the end of the preceding step.

        A shift, or steady rolling by whole cells, leaves whole cells.
        """
        state, normal = self.before.state, self.before.normal
        if not isinstance(state, MaterialState) or state.fineness > self.fineness:
            patch = FrictionPatch.over(normal, self.before.friction)
            if not patch.bound.any():
                return self._empty_state(normal, patch, 0.0)
            covered = CoveredElements(patch, self.direction)
            elements = MaterialElements.left_by(covered, covered.load_whole(), patch)
            traction = self.before.traction[:, elements.row, elements.cell]
            pressed = PressedDisplacement.of(normal, 1)
            state = MaterialState(elements, traction, 0.0, patch, pressed=pressed)
        state = state if state.fineness == self.fineness else state.halve()
        return state if self.whole or state.tips is not None else state.bend(self.direction)

    def _empty_state(self, contact: NormalContact, patch: FrictionPatch, travelled: float) -> MaterialState:
        """A state without tractions."""
        elements, pressed = MaterialElements.none(patch), PressedDisplacement.of(contact, self.fineness)
        return MaterialState(elements, np.zeros((2, 0)), travelled, patch, self.fineness, pressed=pressed)


def _find_loss(before: MaterialState, after: MaterialState, creepage: tuple[float, float, float]) -> float:
    """Work of friction in a step, J: the work of the rigid slip minus the increase of the elastic energy.

    Each particle moves against the mean of its tractions at both ends of the step. Between unlike bodies
    some of that work is done along the normal, by the pressure that displaces them tangentially. Where
    nearly all sticks, the energy stored by elements at the edges as they appear and disappear may exceed
    the loss.
    """
    middle, distance = 0.5 * (before.travelled + after.travelled), abs(after.travelled - before.travelled)
    work = 0.5 * (before.work_on_rigid_slip(creepage, middle) + after.work_on_rigid_slip(creepage, middle))
    drawn = 0.5 * (before.work_on_pressed(before, after) + after.work_on_pressed(before, after))
    return before.energy - after.energy - drawn - work * distance * after.patch.grid.dx
