"""Unlike bodies: the pressure follows the tractions, and these follow it.

Tractions push the surfaces of unlike bodies apart or together, and pressure draws them sideways
(`FrictionPatch.displace_by_pressure`). Bodies of like material do not come here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction import checks
from traction.contact.friction.solved_step import SolvedStep, SolveStep
from traction.contact.normal.press import NormalContact, press
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
