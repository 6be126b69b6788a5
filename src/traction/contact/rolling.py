"""`roll`: transient rolling, a step of any length from an earlier contact."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact import material_kernels as kernels
from traction.contact.classical import Step
from traction.contact.friction_certificate import certify_friction
from traction.contact.friction_patch import FrictionPatch
from traction.contact.friction_solution import (
    RATE_TOLERANCE,
    Solved,
    checked_normal,
    finished,
    frictionless,
    work_against,
)
from traction.contact.material import MaterialElements, RowLoads
from traction.contact.normal import NormalContact
from traction.contact.rigid_slip import RigidSlip, checked_rigid_slip
from traction.contact.stick_slip import SlipEquation, StickSlip, rates, solve_stick_slip
from traction.contact.tangential import TangentialContact
from traction.contact.transient import MaterialState, MaterialStep, advanced
from traction.errors import ConvergenceError, InputError
from traction.halfspace.shifted import shifted_displacement
from traction.status import Status

SCHEMES = ("covered", "world-fixed", "moving", "moving-interpolated")
MOST_PARTS = 1000  #: of a step, of one element at most each
SAFETY = 0.2  #: of the tolerance that the iteration is asked for, so that the certificate holds


def roll(
    previous: TangentialContact,
    friction: float,
    *,
    distance: float,
    creepage: Any = None,
    force: Any = (None, None),
    normal: NormalContact | None = None,
    direction: int = 1,
    scheme: str | None = None,
    discretisation: str = "covered",
    interpolation_cell: float = 1.0,
    tol: float = 1e-6,
    on_failure: str = "raise",
) -> TangentialContact:
    """One step of transient rolling over `distance` (m), from `previous`: a shift, or the step before.

    `creepage` is (xi, eta, phi), per direction either that or the force (N, on body 1) is given; `normal` is
    the contact at the end of the step, on the same grid, and that of `previous` unless given.
    Schemes: "covered" (any distance) keeps the elements in the material, ends them at the true edge of the
    contact, and counts the way of particles since they entered; "world-fixed" takes whole cells of the
    material; "moving" moves the elements with the contact, as the reference program does (its digits at
    one element per step; wiggles at short steps); "moving-interpolated" takes the old displacements between
    those here and `interpolation_cell` elements ahead (no wiggles, but it smooths).
    The first two split a step of more than one element. discretisation="classical" is that of the reference
    program, the scheme "moving" unless one is named.
    """
    began = perf_counter()
    before = checks.instance(
        "previous", previous, TangentialContact, "begin with tr.shift or tr.roll_steady."
    )
    contact, mu = checked_normal(before.normal if normal is None else normal, friction)
    if contact.grid != before.normal.grid or contact.pair != before.normal.pair:
        raise InputError("normal lies on another grid than previous, or is of other materials.")
    checks.choice("direction", direction, (1, -1))
    scheme = _scheme(scheme, discretisation)
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    way = checks.positive("distance", distance, "m", "it is the distance rolled in the step.")
    cell = checks.positive("interpolation_cell", interpolation_cell)
    rigid = checked_rigid_slip("creepage", creepage, force, mu * contact.force)
    if scheme.startswith("moving"):
        solved = _moving(
            before, contact, mu, rigid, direction * way, cell if "inter" in scheme else None, tol
        )
        dissipation = max(0.0, work_against(solved.answer.traction, solved.slip, contact.grid.cell_area))
        return finished(solved, dissipation, perf_counter() - began, on_failure)
    march = _Material(before, contact, mu, rigid, direction, scheme == "world-fixed", tol)
    return march.rolled(way, began, on_failure)


def _scheme(scheme: str | None, discretisation: str) -> str:
    """The scheme that is meant."""
    checks.choice("discretisation", discretisation, ("covered", "classical"))
    if scheme is None:
        return "covered" if discretisation == "covered" else "moving"
    checks.choice("scheme", scheme, SCHEMES)
    if scheme == "covered" and discretisation == "classical":
        raise InputError('scheme = "covered" has no classical elements; leave one of the two out.')
    return scheme


def _moving(
    before: TangentialContact,
    contact: NormalContact,
    mu: float,
    rigid: RigidSlip,
    way: float,
    cell: float | None,
    tol: float,
) -> Solved:
    """Elements that move with the contact; `way` (m) has the sign of the direction."""
    grid, pair = contact.grid, contact.pair
    patch = FrictionPatch.of(contact, mu)
    if cell is None:
        old = shifted_displacement(before.traction, grid, pair, way)
    else:
        far = math.copysign(cell * grid.dx, way)
        share = way / far
        here = shifted_displacement(before.traction, grid, pair, 0.0)
        old = (1.0 - share) * here + share * shifted_displacement(before.traction, grid, pair, far)
    step = Step(rigid, old[(slice(None), *patch.window)], abs(way), int(math.copysign(1, way)))
    equation = step.equation(patch)
    start = (
        before.traction[(slice(None), *patch.window)],
        np.array([before.creepage[k] for k in rigid.unknown]),
    )
    answer = (
        solve_stick_slip(equation, tol=SAFETY * tol, start=start)
        if patch.bound.any()
        else frictionless(equation)
    )
    return Solved(contact, mu, patch, rigid, step, equation, answer, abs(way), False, tol)


@dataclass(frozen=True, eq=False)
class _Material:
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
        steps: list[_Done] = []
        for _ in range(parts):
            step = advanced(state, loads, way / dx / parts, self.direction, whole=self.whole)
            done = _Done.of(step, self.rigid, guess, SAFETY * self.tol)
            steps.append(done)
            state, guess = done.state, done.answer.shifts
            if not done.answer.converged:
                break
        return self._finished(steps, way, perf_counter() - began, on_failure)

    def _apart(
        self, state: MaterialState, patch: FrictionPatch, way: float, began: float, on_failure: str
    ) -> TangentialContact:
        """Roll without contact or friction: nothing is left of the tractions when there is some again."""
        solved = _moving(self.before, self.contact, self.mu, self.rigid, self.direction * way, None, self.tol)
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

    def _finished(self, steps: list[_Done], way: float, seconds: float, on_failure: str) -> TangentialContact:
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
        fields = last.over_contact(np.array((*shares, *last.slip, last.stick)))
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
            _rates=lambda: _rates(steps),
        )
        if on_failure == "raise" and not result.ok:
            raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
        return result


@dataclass(frozen=True, eq=False)
class _Done:
    """A step on the material and its solution, element by element."""

    step: MaterialStep
    state: MaterialState
    slip: np.ndarray  #: m, (2, n)
    stick: np.ndarray  #: (n,)
    rigid: RigidSlip
    equation: SlipEquation
    answer: StickSlip

    @classmethod
    def of(cls, step: MaterialStep, rigid: RigidSlip, shifts: np.ndarray, tol: float) -> _Done:
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

    def over_contact(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements, (k, n), times their bounds on the cells of the contact's own grid.

        Along each row places are counted by the friction bound up to them, from edge to edge, and numbers
        shared out by overlap. Parts of the bound that elements carry thus become tractions with the same
        force, of which no cell gets more than its own bound, or any outside the contact.
        """
        patch, (low, high) = self.step.patch, self.step.elements.up_to
        inside = patch.bound > 0.0
        up_to = np.r_[0.0, np.cumsum(patch.bound[inside])]
        shares = np.empty((len(values), up_to.size - 1))
        kernels.shared_out(up_to, low, high, np.ascontiguousarray(values), shares)
        fields = np.zeros((len(values), *patch.grid.shape))
        fields[:, inside] = shares
        ny, nx = patch.grid.shape
        parts = self.state.fineness
        coarse: np.ndarray = fields.reshape(len(values), ny, nx // parts, parts).mean(axis=3)
        return coarse

    def rates(self, before: np.ndarray | None) -> np.ndarray:
        """Change of the tractions with each creepage, forces free, (3, 2, n); `before` is that of the old."""
        nothing = self.equation.rigid[:0]
        free = replace(self.equation, rigid=nothing, resultants=nothing, given=np.zeros(0))
        causes = self.step.rigid_fields()
        if before is not None:
            causes = causes - np.array([self.step.displaced(rate) for rate in before])
        row, column = self.step.elements.place
        found = rates(free, self.answer, causes, tol=RATE_TOLERANCE)
        return found[:, :, row, column]


def _rates(steps: list[_Done]) -> np.ndarray:
    """Change of the tractions after all parts of a step with each creepage; (3, 2, ny, nx)."""
    found = None
    for done in steps:
        found = done.rates(found)
    bound = done.state.elements.bound
    return np.array([done.over_contact(rate / bound) for rate in found])  # type: ignore[union-attr]
