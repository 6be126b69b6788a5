"""Exact derivatives of friction: how tractions follow the creepages and the approach, states held.

Of unlike bodies the pressure follows the tractions, and these follow it: the tractions' rates are those of
the slip at a pressure, the pressure's those of the gap at tractions, and both are solved for together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.normal.conjugate_gradients import solve_fixed_contact
from traction.contact.normal.press import STIFFNESS_TOLERANCE, NormalContact
from traction.contact.stick_slip.flexible_gmres import flexible_gmres
from traction.contact.stick_slip.newton_iteration import MAX_INNER
from traction.contact.stick_slip.traction_rates import WORST_RATE, solve_traction_rates
from traction.errors import ConvergenceError
from traction.halfspace.half_space import HalfSpace

RATE_TOLERANCE = 1e-9
NEARBY = 1e-6  #: of the peak pressure, by which pressures are changed to see what follows
LEAST_LEFT = 1e-3  #: of the pressure of elements that would lose contact


def tangent(solved: SolvedFriction) -> np.ndarray:
    """Change of (F_x, F_y, M_z) with each creepage, forces along the surface free, (3, 3).

    With different materials the pressure follows, at the same normal force.
    """
    causes = solved.discretisation.fields(solved.patch)
    if not solved.is_coupled:
        found = _undone(solved, causes)
        return np.array([_resultants(solved, rate) for rate in found]).T
    pressed = PressureRates(solved.normal)
    return np.array([_coupled_rates(solved, pressed, cause, 0.0)[0] for cause in causes]).T


def approach_tangent(solved: SolvedFriction) -> np.ndarray:
    """Change of (F_x, F_y, M_z) with the approach, N/m and N, creepages held, from one linear solve.

    The pressure grows at the rate of its linear problem, and with it the friction bound and, of covered
    elements, the edges of the contact. What that makes of the slip at the tractions as they are, slipping
    ones on their bound, is differenced; the tractions that undo it are solved for.
    """
    if solved.is_coupled:
        pressed, nothing = PressureRates(solved.normal), np.zeros_like(solved.answer.traction)
        solved.normal._require_reference("approach_tangent")
        forces, approach = _coupled_rates(solved, pressed, nothing, 1.0)
        return forces / approach
    return _of_pressure(solved, solved.normal.pressure_rate)[0]


class PressureFeedback:
    """The pressure less what follows from it, a `LinearSystem` whose solution needs no second vector."""

    def __init__(self, follows: Callable[[np.ndarray], np.ndarray], shape: tuple[int, ...]) -> None:
        self.sizes = (math.prod(shape), 0)
        self._follows, self._shape = follows, shape

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is left of a pressure without what follows from it."""
        return x - self._follows(x.reshape(self._shape)).ravel(), np.empty(0)

    def precondition(self, r: np.ndarray, result: np.ndarray) -> None:
        """Little follows, so that the pressure itself is about right."""
        result[:] = r


class PressureRates:
    """How the pressure of a contact follows changes of its gap and its force, elements held."""

    def __init__(self, contact: NormalContact) -> None:
        self.contact = contact
        self._half_space = HalfSpace(contact.grid, contact.pair)
        self._unit = self._fixed(None)
        self._stiffness = float(self._unit.sum()) * contact.grid.cell_area

    def of(self, traction: np.ndarray, force: float) -> tuple[np.ndarray, float]:
        """Rates of the pressure (Pa) and the approach (m) to those of the tractions (Pa) and the force (N).

        Tractions lift the surfaces of unlike bodies off each other, or draw them together.
        """
        lift = self._half_space.product("z", "x", traction[0])
        lift += self._half_space.product("z", "y", traction[1])
        size = float(np.abs(lift[self.contact.contact]).max())
        pressure = np.zeros_like(lift) if size == 0.0 else -size * self._fixed(lift / size)
        missing = force - float(pressure.sum()) * self.contact.grid.cell_area
        approach = missing / self._stiffness
        return pressure + approach * self._unit, approach

    def settled(self, first: np.ndarray, follows: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The rate of the pressure that is `first` and what `follows` from itself, a linear map."""
        system = PressureFeedback(follows, first.shape)
        answer = flexible_gmres(system, first.ravel(), tol=RATE_TOLERANCE, max_iterations=MAX_INNER)
        if not answer.residual <= WORST_RATE:
            raise ConvergenceError(
                f"the linear solve for the tangent of unlike bodies reached {answer.residual:.1e} only "
                f"(asked {RATE_TOLERANCE}); take differences of two solutions instead."
            )
        return answer.x.reshape(first.shape)

    def _fixed(self, shape: np.ndarray | None) -> np.ndarray:
        half_space, contact = self._half_space, self.contact.contact
        rate, converged = solve_fixed_contact(half_space, contact, tol=STIFFNESS_TOLERANCE, shape=shape)
        if not converged:
            raise ConvergenceError(
                "the linear solve for the pressure did not converge; solve again with a finer tol."
            )
        return rate


def nearby_pressure(contact: NormalContact, rate: np.ndarray, sign: float) -> tuple[float, np.ndarray]:
    """How far to go along a rate of the pressure, and the pressure there, or back, of the same elements."""
    size = NEARBY * contact.peak_pressure / float(np.abs(rate).max())
    pressure = contact.pressure + sign * size * rate
    return size, np.where(contact.contact, np.maximum(pressure, LEAST_LEFT * contact.pressure), 0.0)


def _coupled_rates(
    solved: SolvedFriction, pressed: PressureRates, cause: np.ndarray, force: float
) -> tuple[np.ndarray, float]:
    """Change of (F_x, F_y, M_z) and of the approach by a slip on the patch and a change of the force."""
    by_slip, grid = _undone(solved, cause[None])[0], solved.normal.grid
    alone = solved.patch.on_grid(by_slip, grid)

    def follows(pressure: np.ndarray) -> np.ndarray:
        if not pressure.any():
            return np.zeros_like(pressure)
        rate = solved.patch.on_grid(_of_pressure(solved, pressure)[1], grid)
        return pressed.of(rate, 0.0)[0]

    pressure = pressed.settled(pressed.of(alone, force)[0], follows)
    forces, by_pressure = np.zeros(3), np.zeros_like(by_slip)
    if pressure.any():
        forces, by_pressure = _of_pressure(solved, pressure)
    both = alone + solved.patch.on_grid(by_pressure, grid)
    return _resultants(solved, by_slip) + forces, pressed.of(both, force)[1]


def _undone(solved: SolvedFriction, causes: np.ndarray) -> np.ndarray:
    """Rates of the tractions to slips on the patch, forces free; (k, 2, ny, nx)."""
    nothing = solved.equation.rigid[:0]
    free = replace(solved.equation, rigid=nothing, resultants=nothing, given=np.zeros(0))
    return solve_traction_rates(free, solved.answer, causes, tol=RATE_TOLERANCE)


def _of_pressure(solved: SolvedFriction, pressure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Change of (F_x, F_y, M_z) and rates of the tractions on the patch to a rate of the pressure."""
    nearby = [_nearby(solved, pressure, sign) for sign in (1.0, -1.0)]
    (moved, slip, traction, arms), (_, back, old, short) = nearby
    cause = (slip - back) / (2.0 * moved)
    rate = _undone(solved, cause[None])[0] + (traction - old) / (2.0 * moved)
    forces = _resultants(solved, rate)
    turned = (arms - short) / (2.0 * moved) * solved.answer.traction[1]
    forces[2] += float(turned.sum()) * solved.patch.grid.cell_area
    return forces, rate


def _nearby(
    solved: SolvedFriction, rate: np.ndarray, sign: float
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """A little more pressure, the slip and tractions there, slipping ones on their bound, and arms."""
    answer, before = solved.answer, solved.patch.bound
    move, pressure = nearby_pressure(solved.normal, rate, sign)
    # elements that were held need not be those in contact
    bound = np.maximum(solved.friction * pressure[solved.patch.window], LEAST_LEFT * before)
    patch = replace(solved.patch, bound=np.where(before > 0.0, bound, 0.0))
    ratio = np.divide(patch.bound, before, out=np.ones_like(before), where=before > 0.0)
    traction = np.where(answer.stick, 1.0, ratio) * answer.traction
    discretisation = solved.discretisation.on(patch)
    equation = discretisation.equation(patch)
    slip = equation.known + np.tensordot(answer.shifts, equation.rigid, axes=1)
    return move, slip + equation.product(traction), traction, discretisation.arms(patch)


def _resultants(solved: SolvedFriction, rate: np.ndarray) -> np.ndarray:
    """(F_x, F_y, M_z) of tractions on the patch."""
    x, y = solved.discretisation.arms(solved.patch), solved.patch.mesh[1]
    rows = (rate[0], rate[1], x * rate[1] - y * rate[0])
    return np.array([row.sum() for row in rows]) * solved.patch.grid.cell_area
