"""Stick and slip by a semismooth Newton method with a preconditioned Krylov solver inside.

The equation of stick and slip is p = P(p - rho s) with the projection P on the disc of radius g (any
rho > 0), whose derivative is known where P is smooth: sticking elements get s = 0, slipping ones stay on
their bound and turn. Each step solves that linear problem (Alart, Curnier 1991; Hintermueller, Ito, Kunisch
2003); B, which couples all elements, is used in products only.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from traction.contact.stick_slip.flexible_gmres import KrylovSpace
from traction.contact.stick_slip.kernels import rolling_newton
from traction.contact.stick_slip.kernels import stick_slip_states as kernels
from traction.contact.stick_slip.kernels.rolling_newton import LOOSEST, LOST, TIGHTEST
from traction.contact.stick_slip.linear_step import ElementStates, LinearStep
from traction.contact.stick_slip.sliding_step import SlidingStates, SlidingStep
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip

ROUNDING = 1e-9  #: tolerance below which rounding of slips accumulated over steps may matter
MAX_STEPS = 60
MAX_INNER = 120
PATIENCE = 8  #: steps without gain after which the iteration has stalled
DAMPED_PATIENCE = 20  #: the same of damped steps
STEP_PARTS = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01)  #: of a step that is damped
OTHER_RHO = (0.2, 0.04, 5.0, 0.008)  #: times that of the equation, where that one does not converge
MAX_RESCUES = 6  #: projections after which the iteration gives up

Start = tuple[np.ndarray, np.ndarray]  #: tractions and rigid shifts


def iterate_newton(
    equation: SlipEquation,
    *,
    tol: float,
    start: Start | None,
    slip: np.ndarray | None = None,
    damped: bool = False,
    patience: int | None = None,
) -> StickSlip:
    """Newton's method, until the tolerance is met or progress stalls; `slip` is the start's, if known.

    Where it is `damped`, a step is shortened until the error becomes smaller. `patience` are the steps
    without gain after which it has stalled.
    """
    patient = patience or (DAMPED_PATIENCE if damped else PATIENCE)
    iteration = NewtonIteration(equation, start, slip)
    if not damped and tol >= ROUNDING and (quick := iteration.run_compiled(tol)) is not None:
        return quick
    residuals: list[float] = []
    largest = float(equation.bound.max())
    converged, fresh, rescues = False, True, 0
    while len(residuals) < MAX_STEPS:
        worst = iteration.states.classify(equation, iteration.traction, iteration.slip)
        error = max(worst / largest, equation.force_error(iteration.traction))
        if error <= tol and tol < ROUNDING and not fresh:  # the slip was added up from steps
            iteration.renew_slip()
            fresh = True
            continue
        residuals.append(error)
        converged = error <= tol
        iteration.keep_best(error)
        if converged or not error < np.inf or _has_stalled(residuals, patient):
            break
        if error > LOST:  # tractions are projected on their bounds
            if rescues == MAX_RESCUES:
                break
            iteration.project_on_bounds()
            rescues, fresh = rescues + 1, True
            continue
        iteration.advance(min(LOOSEST, max(TIGHTEST, 0.3 * error, 0.6 * tol / error)))
        if damped:
            iteration.shorten_step(error, largest)
        fresh = False
    if not converged:
        iteration.return_to_best()
    return iteration.finish(residuals, converged)


def iterate_any_rho(
    equation: SlipEquation,
    *,
    tol: float,
    start: Start | None,
    slip: np.ndarray | None = None,
    damped: bool = False,
) -> StickSlip:
    """Newton's method with the rho of the equation, and with others where that one does not converge.

    Any rho has the same solution, but from afar each one takes other elements for sticking.
    """
    answer = iterate_newton(equation, tol=tol, start=start, slip=slip, damped=damped)
    products = answer.products
    for factor in OTHER_RHO:
        if answer.converged:
            break
        other = replace(equation, rho=factor * equation.rho)
        answer = iterate_newton(other, tol=min(1.0, factor) * tol, start=start, damped=damped)
        products += answer.products
    return replace(answer, products=products)


class NewtonIteration:
    """Current tractions, slips and shifts of the iteration."""

    def __init__(self, equation: SlipEquation, start: Start | None, slip: np.ndarray | None = None) -> None:
        self.equation, self.products = equation, 0
        shape = equation.bound.shape
        self.states = make_states(equation)
        self.traction, self.shifts = np.zeros((2, *shape)), np.zeros(len(equation.rigid))
        if start is not None:
            # kernels take fields in the usual order only, which those of a narrow patch need not have
            inside = np.where(equation.bound > 0.0, start[0], 0.0)
            self.traction, self.shifts = np.ascontiguousarray(inside), start[1].copy()
        self._last_shifts = self.shifts
        self._best: tuple[float, np.ndarray, np.ndarray] = (np.inf, self.traction.copy(), self.shifts)
        if slip is None:
            self.renew_slip()
        else:
            self.slip = slip.copy()

    @cached_property
    def _space(self) -> KrylovSpace:
        """Memory that all steps share."""
        return KrylovSpace((self.traction.size + self.shifts.size, self.traction.size), MAX_INNER)

    def run_compiled(self, tol: float) -> StickSlip | None:
        """The solution by a compiled iteration, which a small window allows; None where it has none."""
        equation, states = self.equation, self.states
        traction, slip, shifts = fields = self.traction.copy(), self.slip.copy(), self.shifts.copy()
        given = equation.bound, equation.rho, equation.own
        seen = states.state, states.normal, states.weight
        if equation.newton is not None and equation.rule is None:
            history, products = equation.newton(fields, given, seen, equation.border, tol)
        elif (waves := equation.waves) is not None and not len(equation.given):
            errors = np.empty(rolling_newton.MOST_STEPS)
            steps, products = rolling_newton.iterate_rolling(
                fields[:2], given, seen, waves.influence, waves.inverse, equation.upstream, tol, errors
            )
            history = errors[:steps].tolist()
        else:
            return None
        self.products += products
        if not history:
            return None
        self.traction, self.slip, self.shifts = traction, slip, shifts
        return self.finish(history, converged=True)

    def renew_slip(self) -> None:
        """Recompute the slip by a separate product."""
        self.products += bool(self.traction.any())
        self.slip = self.equation.compute_slip(self.traction, self.shifts)

    def advance(self, tol: float) -> None:
        """Move slipping elements to their bound, and solve for all free components and shifts, to `tol`."""
        equation, states = self.equation, self.states
        self._before = self.traction.copy(), self.slip.copy(), self.shifts
        step, field = np.empty_like(self.traction), np.empty_like(self.traction)
        change = np.zeros_like(step)
        if kernels.step_to_bound(self.traction, states.bound, states.state, states.normal, step) > 0.0:
            self.products += 1
            change = equation.product(step)
        kernels.fill_right_side(
            self.traction,
            self.slip,
            change,
            equation.rho,
            states.state,
            states.normal,
            states.weight,
            field,
        )
        self.traction += step
        self.slip += change
        linear = make_step(equation, states)
        if isinstance(linear, SlidingStep):
            linear.add_bounds(change, field, 1.0)
        b = linear.right_side(field, self.traction)
        answer = linear.solve(b, tol=tol, most=MAX_INNER, space=self._space)
        self.products += answer.iterations
        self.traction += answer.x[: field.size].reshape(field.shape)
        self.slip += answer.extra.reshape(field.shape)
        self._last_shifts, self.shifts = self.shifts, self.shifts + answer.x[field.size :]

    def shorten_step(self, error: float, largest: float) -> None:
        """Go back along the last step until the error is smaller, or to the place of the smallest."""
        traction, slip, shifts = self._before
        moved = self.traction - traction, self.slip - slip, self.shifts - shifts
        found = (np.inf, 1.0)
        for part in STEP_PARTS:
            trial = traction + part * moved[0]
            worst = self.states.classify(self.equation, trial, slip + part * moved[1])
            now = max(worst / largest, self.equation.force_error(trial))
            found = min(found, (now, part))
            if now < (1.0 - 0.1 * part) * error:
                break
        part = found[1]
        self.traction, self.slip = traction + part * moved[0], slip + part * moved[1]
        self.shifts = shifts + part * moved[2]

    def project_on_bounds(self) -> None:
        """Return from a step that was singular: tractions at most at their bounds, shifts as before it.

        It is singular where elements that should slip are taken for sticking: alone among slipping ones
        such an element does not influence its own slip.
        """
        self.shifts = self._last_shifts
        self._cut_tractions()

    def keep_best(self, error: float) -> None:
        """Remember this iterate if none before it had a smaller error."""
        if error < self._best[0]:
            self._best = error, self.traction.copy(), self.shifts

    def return_to_best(self) -> None:
        """Go back to the iterate of the smallest error, so that a failure carries sensible numbers."""
        _, self.traction, self.shifts = self._best
        self._cut_tractions()
        self.states.classify(self.equation, self.traction, self.slip)

    def _cut_tractions(self) -> None:
        size = np.hypot(*self.traction)
        share = np.divide(self.states.bound, size, out=np.ones_like(size), where=size > 0.0)
        self.traction = self.traction * share.clip(max=1.0)
        self.renew_slip()

    def finish(self, residuals: list[float], converged: bool) -> StickSlip:
        """The solution that was reached."""
        stick, history = self.states.state == kernels.STICK, tuple(residuals)
        sliding = self.states.sliding if isinstance(self.states, SlidingStates) else None
        return StickSlip(
            self.traction, self.slip, self.shifts, stick, history, self.products, converged, sliding
        )


def make_states(equation: SlipEquation) -> ElementStates:
    """States of the elements, with memories where the bound depends on the slip."""
    shape = equation.bound.shape
    return ElementStates(shape) if equation.rule is None else SlidingStates(shape)


def make_step(equation: SlipEquation, states: ElementStates) -> LinearStep:
    """The linear problem of a step at given states."""
    if isinstance(states, SlidingStates):
        return SlidingStep(equation, states)
    return LinearStep(equation, states)


def _has_stalled(residuals: list[float], patience: int) -> bool:
    """Whether the last steps made no progress."""
    return len(residuals) > patience and min(residuals[-patience:]) > 0.7 * min(residuals[:-patience])
