"""The contract of an integration method.

1. A method is a frozen dataclass; its fields are its options, checked on construction. It keeps no state.
2. `order` is the order of convergence of q and v at a fixed time, for smooth forces, as a test measures it.
3. `stability_limit` is the largest omega*dt at which undamped oscillations stay bounded: 0 if never,
   infinite if always.
4. `damping` describes the effect on the energy of an oscillation; `high_frequency_radius` is
   the spectral radius for omega*dt -> infinity (infinite for an explicit method).
   All four stand in `behaviour`, or are properties where they depend on options.
5. `begin(motion, t, q, v)` returns the first `State`; `step(motion, state, dt)` returns the next one, with
   q, v, a and, where the method has its own, x. It accepts any dt, at any state. `resume(state)` converts a
   state that another method left into a first state.
6. Equal arguments return equal states, bit for bit, whatever was computed before.
7. A step that fails raises a `StepError` that names the time; no invalid state is returned.
8. `make_step` builds the formulas of a step from operations, interpreted or compiled; `coefficients` are
   their parameters. They are written once, in `methods.kernels`.
9. A method whose stages contain a second solution states its order, `embedded_order`. Its `estimated_step`
   returns the state of `step`, bit for bit and with as many forces, and the `Errors` of the second solution,
   which shrink as dt^(embedded_order + 1). For other methods the error is estimated from two half steps.
10. `settled(state)` is a state whose force will not change any more: velocities that the method would still
    derive from its own accelerations are in v.
"""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.integrators.core import motion_operations
from traction.integrators.core.kernels.step_solver import (
    DIVERGED,
    DONE,
    NOT_FINITE,
    Formulas,
    Limits,
    StepSetting,
)
from traction.integrators.core.motion import Motion, NotFiniteError, StepError
from traction.integrators.core.state import NOTHING, State

Vectors = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  #: q, v, a, x
MakeStep = Callable[..., Formulas]  #: makes them from operations


class Errors(NamedTuple):
    """Estimated errors of a step."""

    q: np.ndarray
    v: np.ndarray
    lower_v: np.ndarray = NOTHING  #: of velocities of one order lower, where others may agree by chance


class Behaviour(NamedTuple):
    """What a method does to smooth motion and to oscillations, where no option changes it."""

    order: int  #: of convergence of q and v
    stability_limit: float  #: largest omega*dt at which an undamped oscillation stays bounded
    damping: str  #: its effect on the energy of an oscillation, in words
    high_frequency_radius: float = math.inf  #: spectral radius for omega*dt -> infinity


@lru_cache
def interpreted_step(make_step: MakeStep) -> Formulas:
    """Formulas on the motion of any system."""
    return make_step(motion_operations)


@dataclass(frozen=True)
class Method(ABC):
    """Base class of integration methods; each has its options as fields.

    The contract that a method of your own must satisfy is in the docstring of
    `traction.integrators.core.method`.
    """

    name: ClassVar[str]  #: name in `tr.methods()`
    summary: ClassVar[str]  #: one line, with the reference
    implicit: ClassVar[bool] = False  #: whether a step solves equations
    has_accelerations: ClassVar[bool] = False  #: whether it has accelerations x of its own
    behaviour: ClassVar[Behaviour]
    make_step: ClassVar[MakeStep]
    make_estimated_step: ClassVar[MakeStep | None] = None

    @property
    def order(self) -> int:
        """Order of convergence of q and v."""
        return self._stated.order

    @property
    def stability_limit(self) -> float:
        """Largest omega*dt at which an undamped oscillation stays bounded."""
        return self._stated.stability_limit

    @property
    def damping(self) -> str:
        """Description of the numerical damping."""
        return self._stated.damping

    @property
    def high_frequency_radius(self) -> float:
        """Spectral radius for omega*dt -> infinity; infinite unless a method says otherwise."""
        return self.behaviour.high_frequency_radius if hasattr(self, "behaviour") else math.inf

    @property
    def _stated(self) -> Behaviour:
        """The behaviour, where no property states a part of it."""
        found = getattr(self, "behaviour", None)
        if isinstance(found, Behaviour):
            return found
        raise InputError(
            f"{type(self).__name__} states no behaviour: give `behaviour = tr.Behaviour(order, "
            "stability_limit, damping)`, or properties with these three names."
        )

    @property
    def coefficients(self) -> object:
        """Parameters of the formulas."""
        return 0.0

    @cached_property
    def setting(self) -> StepSetting:
        """Settings common to all steps."""
        return StepSetting(self.coefficients, Limits(False, 0.0, 0))

    def begin(self, motion: Motion, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """Return the first state of `motion` at time `t`, coordinates `q` and velocities `v`."""
        return self.resume(State(t, q, v, motion.acceleration(t, q, v), NOTHING))

    def resume(self, state: State) -> State:
        """Return a `state` of any method as a start of this one."""
        return state.but(x=NOTHING) if state.x.size else state

    def settled(self, state: State) -> State:
        """Return the `state` with velocities completed, before the acceleration becomes constant."""
        return state

    def vectors(self, state: State, dt: float) -> Vectors:
        """Return the vectors of a `state` that the formulas of a step `dt` take."""
        return state.q, state.v, state.a, state.a

    def next_state(self, state: State, dt: float, y: Vectors) -> State:
        """Return the state after a step `dt` from `state`, from the result `y` of the formulas."""
        q, v, a, x = y
        if self.has_accelerations:
            return state.but(t=state.t + dt, q=q, v=v, a=a, x=x, made=dt)
        return state.but(t=state.t + dt, q=q, v=v, a=a)

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """Return the state of `motion` one step `dt` after `state`."""
        return self.next_state(state, dt, self._take(self.make_step, motion, state, dt)[2])

    @property
    def embedded_order(self) -> int | None:
        """Order of the second solution in a step, or None."""
        return None

    def estimated_step(self, motion: Motion, state: State, dt: float) -> tuple[State, Errors]:
        """Return the state of `motion` a step `dt` after `state`, and the errors of the embedded solution."""
        if self.make_estimated_step is None:
            raise InputError(f"method {self.name!r} has no embedded solution; its embedded_order is None.")
        _, _, y, errors = self._take(self.make_estimated_step, motion, state, dt)
        return self.next_state(state, dt, y), Errors(*errors)

    def _take(self, make_step: MakeStep, motion: Motion, state: State, dt: float) -> tuple:
        motion.failure = None
        scale, y = motion.inertia_scale(state), self.vectors(state, dt)
        found = interpreted_step(make_step)(motion, self.setting, scale, state.t, dt, y)
        if found[0] == NOT_FINITE:
            t = state.t + dt
            grows = f"q, v or a is not finite at t = {t:.9g}: the motion grows without bound"
            raise motion.failure or NotFiniteError(grows)
        if found[0] != DONE:
            raise self.step_error(found[0], found[1], state.t + dt)
        return found

    def step_error(self, status: int, missed: float, t: float) -> StepError:
        """Return the error for a `status` of a step to the time `t`, with the residual `missed`."""
        raise InputError(f"method {self.name!r} solves no equations; status {status}, {missed} at t = {t}.")


@dataclass(frozen=True)
class ImplicitMethod(Method):
    """A method whose step solves equations, by Newton's method with line search or by Picard iteration."""

    implicit: ClassVar[bool] = True

    solver: str = "newton"  #: "newton" or "picard"
    tol: float = 1e-12  #: residual force, relative to the forces in the equation
    max_iterations: int = 50

    def __post_init__(self) -> None:
        checks.choice("solver", self.solver, ("newton", "picard"))
        tol = checks.finite("tol", self.tol)
        if not 1e-15 <= tol <= 1e-2:
            raise InputError(f"tol = {tol} must lie between 1e-15 (rounding) and 1e-2; 1e-12 is usual.")
        checks.count("max_iterations", self.max_iterations)

    @cached_property
    def setting(self) -> StepSetting:
        """Settings common to all steps."""
        limits = Limits(self.solver == "picard", float(self.tol), int(self.max_iterations))
        return StepSetting(self.coefficients, limits)

    def step_error(self, status: int, missed: float, t: float) -> StepError:
        """Return the error for a `status` of a step to the time `t`, with the residual `missed`."""
        if status == DIVERGED:
            return StepError(
                f"Picard's iteration diverges at t = {t:.9g}: its residual grows by a factor of "
                f'{missed:.2g} per iteration; take a smaller dt, or solver="newton"'
            )
        if self.solver == "picard":
            return StepError(
                f"Picard's iteration did not converge at t = {t:.9g}: residual {missed:.1e} of the forces "
                f'after {10 * self.max_iterations} iterations; take a smaller dt, or solver="newton"'
            )
        return StepError(
            f"Newton's method did not converge at t = {t:.9g}: residual {missed:.1e} of the forces, asked "
            f"{self.tol:.0e}, after {self.max_iterations} iterations at most; take a smaller dt, or check "
            "that the force is continuous"
        )
