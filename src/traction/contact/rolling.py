"""`roll`: transient rolling, a step of any length from an earlier contact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.contact.classical import Step
from traction.contact.friction_certificate import certify_friction
from traction.contact.friction_patch import FrictionPatch
from traction.contact.friction_solution import Solved, checked_normal, finished, frictionless, work_against
from traction.contact.material import MaterialElements, RowLoads
from traction.contact.normal import NormalContact
from traction.contact.rigid_slip import RigidSlip, checked_rigid_slip
from traction.contact.stick_slip import solve_stick_slip
from traction.contact.tangential import TangentialContact
from traction.contact.transient import MaterialState, MaterialStep, advanced, carried_over
from traction.errors import ConvergenceError, InputError
from traction.halfspace.shifted import shifted_displacement
from traction.status import Status

SCHEMES = ("covered", "world-fixed", "moving", "moving-interpolated")
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
        dissipation = work_against(solved.answer.traction, solved.slip, contact.grid.cell_area)
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
        loads = RowLoads.of(FrictionPatch.whole(self.contact, self.mu)).finer(self.fineness)
        state = self._state()
        guess = np.array([self.before.creepage[k] for k in self.rigid.unknown])
        steps: list[_Done] = []
        for _ in range(parts):
            step = advanced(state, loads, way / dx / parts, self.direction, whole=self.whole)
            done = _Done.of(step, self.rigid, carried_over(state, step.elements), guess, SAFETY * self.tol)
            steps.append(done)
            state, guess = done.state, done.shifts
            if not done.converged:
                break
        return self._finished(steps, way, perf_counter() - began, on_failure)

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
        elements = MaterialElements.whole_cells(patch, self.direction, self.fineness)
        traction = self.before.traction[:, elements.row, elements.cell // self.fineness]
        return MaterialState(elements, traction, 0.0, patch, self.fineness)

    def _finished(self, steps: list[_Done], way: float, seconds: float, on_failure: str) -> TangentialContact:
        last = steps[-1]
        shift = list(self.rigid.shift)
        for k, values in zip(
            self.rigid.unknown, np.mean([done.shifts for done in steps], axis=0), strict=True
        ):
            shift[k] = float(values)
        certificate = last.certificate(self.rigid)
        status, message = Status.CONVERGED, str(Status.CONVERGED)
        if not last.converged or not certificate.holds(self.tol):
            status = Status.STALLED
            message = status.format(
                iterations=len(last.residuals), residual=certificate.largest, tol=self.tol
            )
        traction = last.in_contact_coordinates(last.state.traction)
        stick = last.in_contact_coordinates(last.stick[None].astype(float))[0] > 0.5
        inside = self.contact.contact
        result = TangentialContact(
            normal=self.contact,
            friction=self.mu,
            traction=traction,
            slip=last.in_contact_coordinates(last.slip / (way / len(steps))) * inside,
            stick=stick & inside,
            creepage=(shift[0], shift[1], shift[2]),  # type: ignore[arg-type]
            dissipation=sum(done.dissipation for done in steps),
            status=status,
            message=message,
            certificate=certificate,
            iterations=sum(len(done.residuals) - 1 for done in steps),
            products=sum(done.products for done in steps),
            residuals=last.residuals,
            seconds=seconds,
            state=last.state,
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
    rho: np.ndarray  #: (n,)
    shifts: np.ndarray
    residuals: tuple[float, ...]
    products: int
    converged: bool

    @classmethod
    def of(
        cls, step: MaterialStep, rigid: RigidSlip, start: np.ndarray, shifts: np.ndarray, tol: float
    ) -> _Done:
        """Solve a step."""
        equation = step.equation(rigid)
        elements = step.elements
        row, column = elements.place
        field = np.zeros((2, *equation.bound.shape))
        field[:, row, column] = start
        answer = solve_stick_slip(equation, tol=tol, start=(field, shifts))
        traction = answer.traction[:, row, column]
        state = MaterialState(elements, traction, step.travelled, step.patch, step.before.fineness)
        return cls(
            step,
            state,
            answer.slip[:, row, column],
            answer.stick[row, column],
            equation.rho[row, column],
            answer.shifts,
            answer.residuals,
            answer.products,
            answer.converged,
        )

    @property
    def dissipation(self) -> float:
        """Work of friction in the step, J, by the tractions at its end."""
        part = self.step.entered()[1]
        return -float((self.state.traction * self.slip * part).sum()) * self.step.patch.grid.cell_area

    def certificate(self, rigid: RigidSlip) -> Any:
        """Proof, element by element."""
        area, bound = self.step.patch.grid.cell_area, self.step.elements.bound
        found, limit = self.state.traction.sum(axis=1) * area, float(bound.sum()) * area
        error = max((abs(found[k] - rigid.force[k]) / limit for k in rigid.unknown), default=0.0)
        return certify_friction(self.state.traction, self.slip, bound, self.rho, error)

    def in_contact_coordinates(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements on the cells of the contact's own grid, shared out by overlap."""
        step, elements = self.step, self.step.elements
        ny, nx = step.patch.grid.shape
        field = np.zeros((len(values), ny, nx + 2))
        place = elements.cell - step.travelled
        left = np.floor(place).astype(np.int64)
        share = place - left
        for column, weight in ((left, 1.0 - share), (left + 1, share)):
            inside = (column >= -1) & (column <= nx)
            # elements of one row lie on different cells, so that no place is met twice
            field[:, elements.row[inside], column[inside] + 1] += (values * weight)[:, inside]
        field[:, :, 1] += field[:, :, 0]
        field[:, :, -2] += field[:, :, -1]
        parts = self.state.fineness
        return field[:, :, 1:-1].reshape(len(values), ny, nx // parts, parts).mean(axis=3)
