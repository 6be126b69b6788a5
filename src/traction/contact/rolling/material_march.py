"""Consecutive steps of rolling on the grid of the material."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from traction import checks
from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.friction.friction_solution import FrictionDemand, solve_step
from traction.contact.friction.interface_memory import keep_lasting
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.changing_speed import MOST_OFF, FrictionError, estimate_friction_error
from traction.contact.rolling.load_path import LoadPath
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.material_state import LaggingFriction, MaterialState
from traction.contact.rolling.material_step import MaterialStep, take_step
from traction.contact.rolling.moving_grid import solve_moving_step
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.given_forces import solve_given_forces
from traction.contact.stick_slip.interface import Carried, Interface
from traction.contact.stick_slip.newton_iteration import Start
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.temperature.warm_step import Warmth
from traction.errors import InputError

HELD = 1e-4  #: tolerance of a solution with the friction before the step
MOST_PARTS = 1000  #: of a step, of one element at most each
EDGE_MOTION = 0.25  #: of an edge of the contact in a part, in elements
SHORTEST = 0.1  #: part of a step in which the load changes, in elements
#: of a cell, by which a part may differ from it: after whole cells the tips of the stick zone lie at the same
#: places in their elements, and no error varies from step to step
WHOLE = 1e-9


class Route(NamedTuple):
    """What is rolled over."""

    path: LoadPath  #: of the load
    way: float  #: m


class Reached(NamedTuple):
    """Where a part ends and the next one begins."""

    share: float  #: of the way on which the bodies touch
    state: MaterialState
    contact: NormalContact
    guess: np.ndarray  #: creepages along directions of given forces
    warmth: Warmth | None  #: of the surfaces, where friction depends on it
    same: bool  #: whether the loads of the next part are those of this one

    @property
    def loads(self) -> RowLoads | None:
        """Of the contact of the next part, if known."""
        return self.state.loads if self.same else None


class MarchedPart(NamedTuple):
    """A part rolled, in one or several steps."""

    steps: list[SolvedFriction]
    losses: list[float]  #: work of friction of each, J
    end: Reached
    error: FrictionError  #: estimated; the largest of several steps


class RolledWay(NamedTuple):
    """A distance rolled."""

    steps: list[SolvedFriction]  #: its parts
    length: float  #: of the last one, m
    lost: float  #: work of friction, J; negative where it is carried to the steps that follow
    state: MaterialState  #: at the end
    warmth: Warmth | None = None  #: of the surfaces at the end, where friction depends on it


@dataclass(frozen=True, eq=False)
class MaterialMarch:
    """Steps on the grid of the material."""

    before: TangentialContact
    demand: FrictionDemand
    direction: int
    whole: bool

    def roll_over(self, way: float) -> RolledWay:
        """Roll over a distance (m), in equal parts of one element at most while the bodies touch.

        Friction never returns energy: a negative balance is carried to the steps that follow.
        """
        contact, mu, unknown = self.demand.contact, self.demand.friction, self.demand.rigid.unknown
        warmth = Warmth.before(self.before, self.demand)
        tol = max(self.demand.inner_tol, checks.ROUNDING)
        path = LoadPath(self.before.normal, contact, tol, self.demand.guided)
        begin, end = path.touching
        parts = self._count_parts(path, way)
        length = (end - begin) * way / parts
        cells = length * self.fineness / path.after.grid.dx
        state = self._begin(tips=path.is_still and abs(cells - 1.0) > WHOLE)
        if not (mu * contact.pressure).any():
            return self._roll_apart(state, way, end * way, warmth)
        if begin > 0.0:
            state = replace(state, travelled=self._move_on(state, begin * way))
            warmth = warmth and warmth.roll_freely(self.direction * begin * way, self.demand)
        same = contact.pair.mismatch == 0.0 and contact is self.before.normal and mu == self.before.friction
        same = same and (state.loads is None or state.loads.direction == self.direction)
        between = self.demand.interface
        same = same and (between is None or between.factor is None)
        same = same and (state.loads is None or state.loads.covered.patch.factor is None)
        owed, steps, losses = state.owed, list[SolvedFriction](), list[float]()
        guess = np.array([self.before.creepage[k] for k in unknown])
        reached = Reached(0.0, state, contact if path.is_still else path.start, guess, warmth, same)
        for part in range(1, parts + 1):
            rolled = self._roll_to(Route(path, way), reached, part / parts)
            steps += rolled.steps
            losses += rolled.losses
            reached = rolled.end
            if not steps[-1].converged:
                break
        lost = owed + sum(losses)
        state = replace(reached.state, owed=min(0.0, lost))
        return RolledWay(steps, steps[-1].way, lost, state, reached.warmth)

    def _roll_to(self, route: Route, begin: Reached, share: float) -> MarchedPart:
        """Roll on to a share of the way, in halves if friction changes too much with the slip speed."""
        whole = self._take_part(route, begin, share)
        (done,) = whole.steps
        cells = done.way * self.fineness / self.demand.contact.grid.dx
        if self.whole or not done.converged or not whole.error.divides(cells):
            return whole
        worst = whole.error.largest if whole.end.state.lagging is None else math.inf
        halves = self._roll_in_halves(route, begin, share, worst)
        if halves is not None or whole.error.largest <= MOST_OFF:
            return halves or whole
        return whole._replace(steps=[replace(done, undivided=whole.error.largest)])

    def _roll_in_halves(self, route: Route, begin: Reached, share: float, most: float) -> MarchedPart | None:
        """The same in halves; None where one of them does not converge or its error exceeds `most`.

        So it does where friction with a memory falls so steeply that the contact jumps in halves, but passes
        over it as a whole. Friction that lags does so by what makes halves stable.
        """
        steps, losses, error = list[SolvedFriction](), list[float](), FrictionError()
        for goal in (0.5 * (begin.share + share), share):
            try:
                half = self._roll_to(route, begin, goal)
            except InputError:  # a given force that half the way does not carry
                return None
            if not half.error.largest <= most or not half.steps[-1].converged:
                return None
            steps += [replace(done, divided=True) for done in half.steps]
            losses += half.losses
            begin, error = half.end, FrictionError(*map(max, error, half.error))
        return MarchedPart(steps, losses, begin, error)

    def _take_part(self, route: Route, begin: Reached, share: float) -> MarchedPart:
        """Roll on to a share of the way in one step."""
        path, state, contact = route.path, begin.state, begin.contact
        touch, leave = path.touching
        if not path.is_still:
            contact = path.press_at(share, contact)
        ahead = self.direction * (touch + (leave - touch) * share - 1.0) * route.way
        here = self.demand.place_friction(self.demand.position + ahead)
        here = replace(here, rigid=self._ramp(path, share))
        length = (share - begin.share) * (leave - touch) * route.way
        done, warmth = self._settle_part(begin, contact, length, here)
        done = replace(done, load_share=share if touch == 0.0 else math.nan, way=length)
        after = done.step.keep_memory(done.memory, done.remembered)
        assert isinstance(after, MaterialState)
        same = contact.pair.mismatch == 0.0 and path.is_still and self.demand.varying is None
        reached = done.normal if path.is_still else contact
        end = Reached(share, after, reached, done.answer.shifts, warmth, same)
        lost = _find_loss(state, after, done.creepage)
        return MarchedPart([done], [lost], end, estimate_friction_error(done))

    def _count_parts(self, path: LoadPath, way: float) -> int:
        """Parts of a distance (m): of one element at most, and shorter where edges of the contact move."""
        begin, end = path.touching
        cells = way * self.fineness / path.after.grid.dx
        if math.ceil(cells - 1e-9) > MOST_PARTS:
            raise InputError(
                f"distance = {way} m is {cells:.3g} elements, at most {MOST_PARTS}; after some "
                "contact lengths rolling is steady: use tr.roll_steady."
            )
        cells *= end - begin
        parts = max(1, math.ceil(cells - 1e-9))
        shortest = math.ceil(cells / SHORTEST - 1e-9)
        if path.is_still or self.whole or shortest <= parts:
            return parts
        moved = path.edge_motion * self.fineness
        return max(parts, min(math.ceil(moved / EDGE_MOTION - 1e-9), shortest))

    def _ramp(self, path: LoadPath, share: float) -> RigidSlip:
        """The rigid slip of a part: given forces change evenly, as the load does."""
        rigid, mu, old = self.demand.rigid, self.demand.friction, self.before.friction
        if path.is_still or share >= 1.0:
            return rigid
        held = min(1.0, mu / old) if old > 0.0 else 0.0  # what friction can hold of the force before
        force = (
            None if given is None else share * given + (1.0 - share) * held * before
            for given, before in zip(rigid.force, self.before.force, strict=True)
        )
        fx, fy = force
        return replace(rigid, force=(fx, fy))

    def _settle_part(
        self, begin: Reached, contact: NormalContact, distance: float, demand: FrictionDemand
    ) -> tuple[SolvedFriction, Warmth | None]:
        """Solve a part over a distance (m), together with its temperature where friction depends on it."""
        if begin.warmth is None:
            return self._solve_part(begin, contact, distance, demand), None
        changing = begin._replace(same=False)  # the loads follow the temperature

        def solve(warm: FrictionDemand) -> SolvedFriction:
            return self._solve_part(changing, contact, distance, warm)

        here = replace(demand, contact=contact)
        return begin.warmth.settle(here, self.direction * distance, begin.guess, solve)

    def _solve_part(
        self, begin: Reached, contact: NormalContact, distance: float, demand: FrictionDemand
    ) -> SolvedFriction:
        """Solve a part over a distance (m)."""
        state, known = begin.state, begin.loads
        cells = distance * self.fineness / contact.grid.dx

        def take(pressed: NormalContact, loads: RowLoads) -> MaterialStep:
            drawn = PressedDisplacement.of(pressed, self.fineness)
            way = cells, self.direction, self.whole
            return take_step(state, loads, demand.rigid, *way, drawn, demand.interface)

        def solve(pressed: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
            bound = FrictionPatch.over(pressed, demand.friction, demand.interface)
            loads = known or RowLoads.of(bound, self.direction, self.fineness)
            step = take(pressed, loads)
            like, shifts = state, begin.guess
            if last is not None and isinstance(last.step, MaterialStep):
                like, shifts = last.step.remember(last.answer.traction), last.answer.shifts
                if hold:
                    held = last.step.loads.hold_edges(bound.bound)
                    free, step = step, take(pressed, held)
                    differs = not np.array_equal(free.elements.cell, step.elements.cell)
                    step = replace(step, held=differs)
            start = self._begin_near(step, (step.estimate_traction(like), shifts))
            answer = solve_given_forces(step.equation, tol=demand.inner_tol, start=start)
            return SolvedFriction(pressed, step, answer)

        return solve_step(contact, demand, solve)

    def _begin_near(self, step: MaterialStep, start: Start) -> Start:
        """Tractions and shifts to start from: with the friction that the particles had before the step.

        In a short time a slip that is not yet a solution is fast: friction falls with it, and the iteration
        may end on another branch, where all slides.
        """
        held = step.hold_friction()
        if held is None:
            return start
        answer = solve_given_forces(held, tol=HELD, start=start)
        return (answer.traction, answer.shifts) if answer.converged else start

    def _roll_apart(
        self, state: MaterialState, way: float, touching: float, warmth: Warmth | None
    ) -> RolledWay:
        """Roll to where there is no contact or friction: the tractions vanish before the next contact.

        Bodies that separate touch over a part of the way (m), and friction takes what they had stored.
        """
        contact = self.demand.contact
        solved = solve_moving_step(self.before, contact, self.demand, self.direction * way)
        lost, after = state.owed, self._without_traction(contact, self._move_on(state, way))
        if touching > 0.0 and not contact.contact.any():
            parted = replace(after, travelled=self._move_on(state, touching))
            lost += _find_loss(state, parted, solved.creepage)
        cooled = warmth and warmth.roll_freely(self.direction * way, self.demand)
        return RolledWay([solved], way, lost, replace(after, owed=min(0.0, lost)), cooled)

    def _move_on(self, state: MaterialState, way: float) -> float:
        """Place of the contact after another distance (m), cells."""
        return state.travelled + self.direction * way * self.fineness / self.before.normal.grid.dx

    @property
    def fineness(self) -> int:
        """Cells of the material per element along x.

        When a tip of the stick zone passes into another element, the creepage of a short step feels it. In
        three dimensions rows do so one after the other; the one of a line contact has shorter elements.
        """
        return 2 if self.before.normal.grid.is_line and not self.whole else 1

    def _begin(self, *, tips: bool) -> MaterialState:
        """State at the end of the preceding step.

        A shift, or steady rolling by whole cells, leaves whole cells. Tractions bend at the `tips` of the
        stick zone while a force is held; where that changes, their means stay as they are.
        """
        state, normal = self.before.state, self.before.normal
        if not isinstance(state, MaterialState) or state.fineness > self.fineness:
            patch = FrictionPatch.over(normal, self.before.friction)
            if not patch.bound.any():
                return self._without_traction(normal, 0.0)
            covered = CoveredElements(patch, self.direction)
            elements = MaterialElements.left_by(covered, covered.load_whole(), patch)
            traction = self.before.traction[:, elements.row, elements.cell]
            pressed = PressedDisplacement.of(normal, 1)
            state = MaterialState(
                elements,
                traction,
                0.0,
                patch,
                pressed=pressed,
                carried=_take_memory(self.before, elements, self.demand.interface),
                lagging=_take_friction(self.before, elements),
            )
        state = self._forget(state)
        state = state if state.fineness == self.fineness else state.halve()
        if self.whole:
            return state
        bends, steady = tips and bool(self.demand.rigid.unknown), self.before.motion == "steady rolling"
        return state.bend(self.direction, at_tips=bends, steady=steady)

    def _forget(self, state: MaterialState) -> MaterialState:
        """The state without what particles do not remember under another law or layer."""
        known, interface = self.before.interface, self.demand.interface
        if known is None or interface is None or state.carried is None:
            return state
        lagging = None if known.interface.law.is_constant else state.lagging
        return replace(state, carried=keep_lasting(self.before, interface, state.carried), lagging=lagging)

    def _without_traction(self, contact: NormalContact, travelled: float) -> MaterialState:
        """State of bodies that do not touch, or touch without friction."""
        patch, pressed = FrictionPatch.over(contact, 1.0), PressedDisplacement.of(contact, self.fineness)
        elements = MaterialElements.none(patch)
        if contact.contact.any():
            elements = MaterialElements.under(RowLoads.of(patch, self.direction, self.fineness), travelled)
        fine, nothing = patch.divide_cells(self.fineness), np.zeros((2, elements.row.size))
        return MaterialState(elements, nothing, travelled, fine, self.fineness, pressed=pressed)


def _take_memory(
    before: TangentialContact, elements: MaterialElements, interface: Interface | None
) -> Carried | None:
    """Memory of the particles under a contact solved by whole cells; a shift leaves them at rest."""
    known, rests = before.interface, before.motion == "shift"
    shape, place = before.normal.grid.shape, (elements.row, elements.cell)
    if known is None:
        return interface.rest_on(shape).at(place) if rests and interface is not None else None
    speed = np.zeros(shape) if rests else None
    if before.motion == "steady rolling":
        speed = known.interface.speed * np.hypot(*before.slip)
    return Carried(known.memory, known.yielding, speed).at(place)


def _take_friction(before: TangentialContact, elements: MaterialElements) -> LaggingFriction | None:
    """Coefficients under a contact solved by whole cells; None where friction was constant."""
    if before.interface is None:
        return None
    return LaggingFriction.on(elements, 0.0, before.interface.coefficient[elements.row, elements.cell])


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
