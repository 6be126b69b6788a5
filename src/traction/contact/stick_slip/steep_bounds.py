"""Stick and slip where bounds fall with the slip more steeply than Newton's method can follow.

With its bounds held the equation has one solution, which Newton's method finds. As bounds depend on slips
continuously, there are bounds that are those of their own slips (Brouwer); but an element may hold its
particle as well as let it slide, and which of them do is found by relaxation only: bounds follow the slips
that they lead to. In steady rolling they do so from where particles enter, column by column, as what a
particle meets depends on what it met upstream more than on what it will meet. Newton's method ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from traction.contact.stick_slip.newton_iteration import (
    Start,
    iterate_any_rho,
    iterate_newton,
    make_states,
)
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip

HELD = 1e-3  #: tolerance of solutions with bounds that are still to follow, and change to be followed
COLUMN_TURNS = 8  #: in which the bounds of a column follow their slips, before the next one
MORE_TURNS, PART = 90, 0.5  #: in which all bounds do, and the part of a change that they then follow
NEWTON_TURNS = 3  #: of these, after which Newton's method is tried
SOON = 4  #: steps in which it gains from where it converges
NEARER = 0.7  #: change of the bounds, over the least before, from which damped steps have patience
PATIENT_WORK = 1e7  #: products times elements up to which all attempts have it, about a second
MOST_WORK, MOST_PRODUCTS = 1e8, 40_000  #: after both of which bounds are not followed further
GIVEN = 0.1  #: of these, where forces are given, which are followed from zero if they are not found
SHORTER, LONGER = (1.0, 0.5), 1.2  #: part that an element follows after its bound turned back, and if not
MOVING = 1e6  #: times rho, by which all that moves counts as slipping
LEAST_BOUND = 1e-6  #: of the largest bound of an element that is left
NEAR = 1e-4  #: change of the bounds, over the largest, from which Newton's method converges
FIRST_STEEP, MOST_STEEP, LEAST_STEEP = 0.05, 0.2, 2e-3  #: parts of a load: at first, the most, and the least


def solve_steep(equation: SlipEquation, tol: float, start: Start | None) -> StickSlip:
    """By relaxation of the bounds, then by damped steps of Newton's method, then along a load that grows."""
    products, most = 0, _find_most_products(equation)
    for shorter in SHORTER:
        answer = follow_bounds(equation, tol, start, shorter)
        products += answer.products
        if answer.converged or products > most:
            break
    if not answer.converged:
        answer = iterate_any_rho(equation, tol=tol, start=start, damped=True)
        products += answer.products
    if not answer.converged:
        answer = _load_by_parts(equation, tol, most if equation.given.size else np.inf)
        products += answer.products
    return replace(answer, products=products)


def follow_bounds(equation: SlipEquation, tol: float, start: Start | None, shorter: float) -> StickSlip:
    """Bounds that follow their slips, column by column where particles pass them, then all together.

    With a short memory they may rise with the slip, and turn back: then a part is followed that becomes
    `shorter`.
    """
    relaxed = RelaxedBounds(equation, start if equation.upstream == 0 else None, shorter)
    for columns in _reach_downstream(equation):
        for _ in range(COLUMN_TURNS):
            if relaxed.turn(columns, 1.0) <= HELD:
                break
        if not relaxed.holds:  # these bounds have no solution to follow
            break
    every = np.ones(equation.bound.shape[1], dtype=bool)
    for turn in range(MORE_TURNS + 1):
        if turn % NEWTON_TURNS == 0 or relaxed.change <= NEAR:
            answer = relaxed.try_newton(tol)
            if answer.converged or not relaxed.holds or relaxed.change <= NEAR:
                break
            if relaxed.products > _find_most_products(equation):
                break
        relaxed.turn(every, PART)
    return replace(answer, products=relaxed.products)


def _find_most_products(equation: SlipEquation) -> float:
    """Products after which bounds are not followed further: by work, as those of few elements cost little."""
    most = max(MOST_PRODUCTS, MOST_WORK / np.count_nonzero(equation.bound))
    return GIVEN * most if equation.given.size else most


def _reach_downstream(equation: SlipEquation) -> Iterator[np.ndarray]:
    """Columns up to each one, from where particles enter; none where particles pass no others."""
    upstream, touched = equation.upstream, np.flatnonzero(equation.bound.any(axis=0))
    if upstream == 0:
        return
    columns = np.arange(equation.bound.shape[1])
    for last in touched[::-upstream]:
        yield columns >= last if upstream > 0 else columns <= last


class RelaxedBounds:
    """Bounds on their way to those of their own slips."""

    def __init__(self, equation: SlipEquation, start: Start | None, shorter: float) -> None:
        self.equation = equation
        self.bound = equation.bound
        self.products = 0
        self.change = np.inf  #: of the bounds, over the largest
        self._nearest = np.inf  # of these changes, from which it was tried
        self.holds = True  #: whether a solution with the bounds held was found
        self._states = make_states(equation)
        self._largest = float(equation.bound.max())
        self._least = LEAST_BOUND * equation.bound
        self._start = start
        self._shorter = shorter
        self._part = np.ones_like(equation.bound)  # of a change, that an element follows
        self._last = np.zeros_like(equation.bound)  # change of each bound
        self._moving = replace(equation, rho=MOVING * equation.rho)
        if start is not None:  # a step begins from the friction of its start
            self._states.classify(equation, start[0], equation.compute_slip(*start))
            self.bound = np.maximum(np.where(self.bound > 0.0, self._states.bound, 0.0), self._least)

    def turn(self, columns: np.ndarray, part: float) -> float:
        """Solve with these bounds and let those of some columns follow a part; returns their change."""
        held = replace(self.equation, rule=None, bound=self.bound)
        answer = iterate_any_rho(held, tol=max(NEAR, min(HELD, 0.1 * self.change)), start=self._start)
        self.products += answer.products
        self.holds = self.holds and answer.converged
        if not self.holds:
            return 0.0
        self._start = answer.traction, answer.shifts
        self._states.classify(self._moving, answer.traction, answer.slip)
        inside = (self.bound > 0.0) & columns
        change = np.where(inside, self._states.bound - self.bound, 0.0)
        self.change = float(np.abs(change).max()) / self._largest
        turned = change * self._last < 0.0
        self._part = np.where(turned, self._shorter * self._part, np.minimum(1.0, LONGER * self._part))
        self._last = np.where(change != 0.0, change, self._last)
        self.bound = np.maximum(self.bound + part * self._part * change, self._least)
        return self.change

    def try_newton(self, tol: float) -> StickSlip:
        """Newton's method from here, by whole steps or by damped ones.

        It has patience while little work was done, and damped steps from the nearest bounds so far.
        """
        nearer = self.change <= NEARER * self._nearest
        for damped in (False, True):
            early = self.products * np.count_nonzero(self.bound) <= PATIENT_WORK
            patience = None if early or (damped and nearer) else SOON
            answer = iterate_newton(
                self.equation, tol=tol, start=self._start, damped=damped, patience=patience
            )
            self.products += answer.products
            if answer.converged:
                break
        self._nearest = min(self._nearest, self.change)
        return answer


def _load_by_parts(equation: SlipEquation, tol: float, most: float) -> StickSlip:
    """Newton's method along a load that grows, by damped steps, and shorter parts where these fail.

    It ends after `most` products.
    """
    start, products, load, step = None, 0, 0.0, FIRST_STEEP
    while load < 1.0 and step >= LEAST_STEEP and products <= most:
        goal = min(1.0, load + step)
        part = replace(equation, known=goal * equation.known, given=goal * equation.given)
        loose = tol if goal == 1.0 else NEAR
        answer = iterate_newton(part, tol=loose, start=start)
        products += answer.products
        if not answer.converged:
            answer = iterate_newton(part, tol=loose, start=start, damped=True)
            products += answer.products
        if answer.converged:
            start, load, step = (answer.traction, answer.shifts), goal, min(1.5 * step, MOST_STEEP)
        else:
            step *= 0.5
    # a part is not the whole: its solution is only where the iteration came to
    return replace(answer, products=products, converged=answer.converged and load == 1.0)
