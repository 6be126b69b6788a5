"""Unlike bodies: the pressure follows the tractions, and these follow it; so do their rates.

Tractions push the surfaces of unlike bodies apart or together, and pressure draws them sideways
(`FrictionPatch.displace_by_pressure`). Bodies of like material do not come here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from traction import checks
from traction.contact.friction.solved_step import SolvedStep, SolveStep
from traction.contact.normal.conjugate_gradients import solve_fixed_contact
from traction.contact.normal.press import STIFFNESS_TOLERANCE, NormalContact, press
from traction.contact.stick_slip.flexible_gmres import flexible_gmres
from traction.contact.stick_slip.newton_iteration import MAX_INNER
from traction.contact.stick_slip.traction_rates import RATE_TOLERANCE, WORST_RATE
from traction.errors import ConvergenceError
from traction.halfspace.half_space import HalfSpace

FREE_TURNS = 4  #: of pressure and tractions, after which the elements may be held as they are
GAIN = 0.9  #: of the change of the pressure over that two turns before, above which they are
MAX_TURNS = 120  #: of the normal and the tangential problem
FULL_TURNS = 10  #: after which the steps become smaller


class OscillationGuard:
    """Detects from the pressures of turns that these cycle.

    They do where an edge of the contact passes the end of an element, which comes and goes with it, or where
    an element is taken for sticking or slipping in turn.
    """

    def __init__(self) -> None:
        self._cycles = False
        self._changes: list[float] = []
        self._last: np.ndarray | None = None

    def watch_turn(self, pressure: np.ndarray) -> bool:
        """Whether they cycle, with another turn."""
        changes = self._changes
        if self._last is not None:
            changes.append(float(np.abs(pressure - self._last).max()))
        self._last = pressure
        self._cycles |= len(changes) > FREE_TURNS and changes[-1] > GAIN * changes[-3]
        return self._cycles


def settle_pressure(contact: NormalContact, tol: float, solve: SolveStep) -> SolvedStep:
    """The step that is solved together with the contact, whose gap its tractions change.

    Both problems are solved in turn, at the same normal force, until the pressure does not change any more.
    The coupling is weak, so that each turn gains about a digit; where elements change between stick and slip
    from turn to turn, smaller steps settle most of them, and elements that are held the rest.
    """
    guard, change = OscillationGuard(), 0.0
    solved = solve(contact, None, guard.watch_turn(contact.pressure))
    half_space, current = HalfSpace(contact.grid, contact.pair), contact
    finer = max(0.1 * tol, checks.ROUNDING)
    lift = np.zeros(contact.grid.shape)
    for turn in range(MAX_TURNS):
        if not solved.converged:
            break
        px, py = solved.share_out()
        share = 1.0 if turn < FULL_TURNS else max(0.1, FULL_TURNS / (turn + FULL_TURNS))
        lift += share * (half_space.product("z", "x", px) + half_space.product("z", "y", py) - lift)
        again = press(
            contact.gap + lift, contact.grid, contact.pair, force=contact.force, start=current, tol=finer
        )
        change = float(np.abs(again.pressure - current.pressure).max()) / again.peak_pressure / share
        if change <= tol:
            break
        current = again
        pressed = replace(again, gap=contact.gap)
        solved = solve(pressed, solved, guard.watch_turn(pressed.pressure))
    return replace(solved, unsettled=change)


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
        self._unit = self._solve_fixed(None)
        self._stiffness = float(self._unit.sum()) * contact.grid.cell_area

    def follow(self, traction: np.ndarray, force: float) -> tuple[np.ndarray, float]:
        """Rates of the pressure (Pa) and the approach (m) to those of the tractions (Pa) and the force (N).

        Tractions lift the surfaces of unlike bodies off each other, or draw them together.
        """
        lift = self._half_space.product("z", "x", traction[0])
        lift += self._half_space.product("z", "y", traction[1])
        size = float(np.abs(lift[self.contact.contact]).max())
        pressure = np.zeros_like(lift) if size == 0.0 else -size * self._solve_fixed(lift / size)
        missing = force - float(pressure.sum()) * self.contact.grid.cell_area
        approach = missing / self._stiffness
        return pressure + approach * self._unit, approach

    def settle(self, first: np.ndarray, follows: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The rate of the pressure that is `first` and what `follows` from itself, a linear map."""
        system = PressureFeedback(follows, first.shape)
        answer = flexible_gmres(system, first.ravel(), tol=RATE_TOLERANCE, max_iterations=MAX_INNER)
        if not answer.residual <= WORST_RATE:
            raise ConvergenceError(
                f"the linear solve for the tangent of unlike bodies reached {answer.residual:.1e} only "
                f"(asked {RATE_TOLERANCE}); take differences of two solutions instead."
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
