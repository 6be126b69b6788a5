"""Unlike bodies: pressure and tractions depend on each other, and so do their rates.

Tractions displace the surfaces of unlike bodies along the normal, and pressure displaces them tangentially
(`FrictionPatch.displace_by_pressure`). Bodies of like materials are not coupled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from traction import checks
from traction.contact.friction.solved_friction import SolvedFriction, SolveFriction
from traction.contact.normal.conjugate_gradients import solve_fixed_contact
from traction.contact.normal.press import STIFFNESS_TOLERANCE, NormalContact, solve_press
from traction.contact.stick_slip.flexible_gmres import flexible_gmres
from traction.contact.stick_slip.newton_iteration import MAX_INNER
from traction.contact.stick_slip.traction_rates import RATE_TOLERANCE, WORST_RATE
from traction.errors import ConvergenceError
from traction.halfspace.half_space import HalfSpace

FREE_TURNS = 4  #: iterations between pressure and tractions after which the elements may be frozen
GAIN = 0.9  #: change of the pressure relative to two iterations before, above which they are
MAX_TURNS = 120  #: largest number of iterations between the normal and the tangential problem
FULL_TURNS = 10  #: iterations after which the steps are reduced


def settle_pressure(contact: NormalContact, tol: float, solve: SolveFriction) -> SolvedFriction:
    """Solve the step together with the contact, whose gap depends on the tractions.

    Both problems are solved alternately, at the same normal force, until the pressure is stationary. The
    coupling is weak, so that each iteration gains about a digit; where elements alternate between stick
    and slip, smaller steps settle most of them. Iterations also cycle where an edge of the contact passes
    the end of an element, which appears and disappears with it: the elements are then frozen.
    """
    solved, change, changes, hold = solve(contact, None, False), 0.0, list[float](), False
    half_space, current = HalfSpace(contact.grid, contact.pair), contact
    finer = max(0.1 * tol, checks.ROUNDING)
    lift = np.zeros(contact.grid.shape)
    for turn in range(MAX_TURNS):
        if not solved.converged:
            break
        px, py = solved.share_out()
        share = 1.0 if turn < FULL_TURNS else max(0.1, FULL_TURNS / (turn + FULL_TURNS))
        lift += share * (half_space.product("z", "x", px) + half_space.product("z", "y", py) - lift)
        again = solve_press(
            contact.gap + lift, contact.grid, contact.pair, force=contact.force, start=current, tol=finer
        )
        changes.append(float(np.abs(again.pressure - current.pressure).max()))
        change = changes[-1] / again.peak_pressure / share
        if change <= tol:
            break
        current = again
        hold |= turn >= FREE_TURNS and changes[-1] > GAIN * changes[-3]
        solved = solve(replace(again, gap=contact.gap), solved, hold)
    return replace(solved, unsettled=change)


class PressureFeedback:
    """The pressure minus its feedback through the tractions, as a `LinearSystem` without a second vector."""

    def __init__(self, follows: Callable[[np.ndarray], np.ndarray], shape: tuple[int, ...]) -> None:
        self.sizes = (math.prod(shape), 0)
        self._follows, self._shape = follows, shape

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pressure minus its feedback."""
        return x - self._follows(x.reshape(self._shape)).ravel(), np.empty(0)

    def precondition(self, r: np.ndarray, result: np.ndarray) -> None:
        """The identity, since the feedback is small."""
        result[:] = r


class PressureRates:
    """Rates of the pressure of a contact for changes of its gap and its force, elements held."""

    def __init__(self, contact: NormalContact) -> None:
        self.contact = contact
        self._half_space = HalfSpace(contact.grid, contact.pair)
        self._unit = self._solve_fixed(None)
        self._stiffness = float(self._unit.sum()) * contact.grid.cell_area

    def follow(self, traction: np.ndarray, force: float) -> tuple[np.ndarray, float]:
        """Rates of the pressure (Pa) and the approach (m) for those of the tractions (Pa) and the force (N).

        Tractions displace the surfaces of unlike bodies along the normal.
        """
        lift = self._half_space.product("z", "x", traction[0])
        lift += self._half_space.product("z", "y", traction[1])
        size = float(np.abs(lift[self.contact.contact]).max())
        pressure = np.zeros_like(lift) if size == 0.0 else -size * self._solve_fixed(lift / size)
        missing = force - float(pressure.sum()) * self.contact.grid.cell_area
        approach = missing / self._stiffness
        return pressure + approach * self._unit, approach

    def settle(self, first: np.ndarray, follows: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The rate of the pressure that equals `first` plus its own feedback `follows`, a linear map."""
        system = PressureFeedback(follows, first.shape)
        answer = flexible_gmres(system, first.ravel(), tol=RATE_TOLERANCE, max_iterations=MAX_INNER)
        if not answer.residual <= WORST_RATE:
            raise ConvergenceError(
                f"the linear solve for the tangent of unlike bodies reached {answer.residual:.1e} only "
                f"(asked {RATE_TOLERANCE}); use differences of two solutions instead."
            )
        return answer.x.reshape(first.shape)

    def _solve_fixed(self, shape: np.ndarray | None) -> np.ndarray:
        half_space, contact = self._half_space, self.contact.contact
        rate, converged = solve_fixed_contact(half_space, contact, tol=STIFFNESS_TOLERANCE, shape=shape)
        if not converged:
            raise ConvergenceError(
                "the linear solve for the pressure did not converge; solve again with a finer tol."
            )
        return rate
