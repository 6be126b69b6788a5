"""From a contact and a discretisation to a certified `TangentialContact`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np

from traction import checks
from traction.contact.friction.friction_derivatives import approach_tangent, tangent
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, press
from traction.contact.stick_slip.friction_certificate import certify_friction
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.errors import ConvergenceError, InputError
from traction.halfspace.half_space import HalfSpace
from traction.status import Status

SAFETY = 0.2  #: of the tolerance that the iteration is asked for, so that the certificate holds
FREE_TURNS = 4  #: of pressure and tractions, after which the elements may be held as they are
GAIN = 0.9  #: of the change of the pressure over that two turns before, above which they are
MAX_TURNS = 120  #: of the normal and the tangential problem, where they depend on each other
FULL_TURNS = 10  #: after which the steps become smaller


def checked_normal(normal: Any, friction: Any) -> tuple[NormalContact, float]:
    """A converged contact and its coefficient of friction."""
    contact = checks.instance("n", normal, NormalContact, "give the result of tr.press.")
    mu = checks.at_least("friction", friction, 0.0, "", "it is the coefficient mu, 0.3 for dry steel.")
    if not contact.ok:
        raise InputError(f"n did not converge ({contact.message}); friction needs a contact that did.")
    if any(contact.periodic):
        raise InputError("friction is for a free half space; n is periodic.")
    return contact, mu


class Frictional(Protocol):
    """Tractions of a contact whose pressure is known."""

    @property
    def converged(self) -> bool: ...  # noqa: D102
    def over_grid(self) -> np.ndarray: ...  # noqa: D102


T = TypeVar("T", bound=Frictional)


class OscillationGuard:
    """Tells from the pressures of turns whether these go round in circles.

    They do where an edge of the contact passes the end of an element, which comes and goes with it, or where
    an element is taken for sticking or slipping in turn.
    """

    def __init__(self) -> None:
        self.restless = False
        self._changes: list[float] = []
        self._last: np.ndarray | None = None

    def one_more(self, pressure: np.ndarray) -> bool:
        """Whether they do, with another turn."""
        changes = self._changes
        if self._last is not None:
            changes.append(float(np.abs(pressure - self._last).max()))
        self._last = pressure
        self.restless |= len(changes) > FREE_TURNS and changes[-1] > GAIN * changes[-3]
        return self.restless


def coupled(
    contact: NormalContact, friction: float, tol: float, solve: Callable[[NormalContact], T]
) -> tuple[T, float]:
    """Friction on a contact; with different materials also the contact, whose gap the tractions change.

    Tractions push the surfaces of unlike bodies apart or together, and pressure draws them sideways
    (`FrictionPatch.pressed`). Both problems are solved in turn, at the same normal force, until the pressure
    does not change any more. The coupling is weak, so that each turn gains about a digit; where elements
    change between stick and slip from turn to turn, smaller steps settle most of them.
    Returns also the change of the pressure that the tractions still bring about, over its peak.
    """
    solved, change = solve(contact), 0.0
    if contact.pair.mismatch == 0.0 or friction == 0.0 or not contact.contact.any():
        return solved, change
    half_space, current = HalfSpace(contact.grid, contact.pair), contact
    finer = max(0.1 * tol, checks.ROUNDING)
    lift = np.zeros(contact.grid.shape)
    for turn in range(MAX_TURNS):
        if not solved.converged:
            break
        px, py = solved.over_grid()
        share = 1.0 if turn < FULL_TURNS else max(0.1, FULL_TURNS / (turn + FULL_TURNS))
        lift += share * (half_space.product("z", "x", px) + half_space.product("z", "y", py) - lift)
        again = press(
            contact.gap + lift, contact.grid, contact.pair, force=contact.force, start=current, tol=finer
        )
        change = float(np.abs(again.pressure - current.pressure).max()) / again.peak_pressure / share
        if change <= tol:
            break
        current = again
        solved = solve(replace(again, gap=contact.gap))
    return solved, change


def finished(
    solved: SolvedFriction, dissipation: float, seconds: float, on_failure: str, unsettled: float = 0.0
) -> TangentialContact:
    """The answer over the whole grid, with its proof; `dissipation` is that of the step, J.

    `unsettled` is the change of the pressure that the tractions of unlike bodies still bring about.
    """
    patch, answer, whole = solved.patch, solved.answer, solved.normal.grid
    slip, bound, touches = solved.slip, patch.bound, solved.normal.contact[patch.window]
    errors = solved.force_error, unsettled
    certificate = certify_friction(answer.traction, slip, bound, solved.equation.rho, *errors)
    status, message = Status.CONVERGED, str(Status.CONVERGED)
    if not answer.converged or not certificate.holds(solved.tol):
        status, steps = Status.STALLED, len(answer.residuals)
        message = status.format(iterations=steps, residual=certificate.largest, tol=solved.tol)
    arms = whole.mesh()[0].copy()
    arms[patch.window] = solved.discretisation.arms(patch)
    result = TangentialContact(
        normal=solved.normal,
        friction=solved.friction,
        traction=solved.over_grid(),
        slip=patch.on_grid(np.where(touches, slip / solved.distance, 0.0), whole),
        stick=patch.on_grid(answer.stick, whole),
        creepage=solved.shifts,
        dissipation=dissipation / solved.distance if solved.steady else dissipation,
        status=status,
        message=message,
        certificate=certificate,
        iterations=len(answer.residuals) - 1,
        products=answer.products,
        residuals=answer.residuals,
        seconds=seconds,
        _tangent=lambda: tangent(solved),
        _approach_tangent=lambda: approach_tangent(solved),
        _arms=arms,
    )
    if on_failure == "raise" and not result.ok:
        raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
    return result


def frictionless(equation: SlipEquation) -> StickSlip:
    """Nothing holds: no tractions, and the rigid slip everywhere."""
    stick = np.zeros(equation.bound.shape, dtype=bool)
    shifts = np.zeros(len(equation.rigid))
    return StickSlip(np.zeros_like(equation.known), equation.known, shifts, stick, (0.0,), 0, converged=True)


def work_against(traction: np.ndarray, slip: np.ndarray, area: float) -> float:
    """Work of friction on the slip of a step, J, by the tractions at its end; never below 0."""
    return max(0.0, -float((traction * slip).sum()) * area)
