"""The contract of an integration method.

1. A method is a frozen dataclass; its fields are its options, checked when it is made. It keeps no state.
2. `order` is the order of convergence of q and v at a fixed time, for smooth forces, as a test measures it.
3. `stability_limit` is the largest omega*dt at which undamped oscillations stay bounded: 0 if never,
   infinite if always.
4. `damping` says in words what the method does to the energy of an oscillation; `high_frequency_radius` is
   its spectral radius for omega*dt -> infinity (of an explicit method: infinite).
5. `begin(motion, t, q, v)` makes the first `State`; `step(motion, state, dt)` makes the next one, with q, v,
   the acceleration a and, where the method has its own, x. It takes any dt, at any state. `resume(state)`
   makes a first state of one that another method left.
6. Equal arguments give equal states, bit for bit, whatever was computed before.
7. A step that cannot be taken raises a `StepError` that names the time; nothing is returned quietly.
8. `make_step` makes the formulas of a step from operations, interpreted or compiled; `coefficients` are what
   they take. They stand once, in `methods.kernels`.
9. A method whose stages hold a second solution says its order, `embedded_order`. Its `estimated_step` makes
   the state that `step` makes, bit for bit and with as many forces, and the `Errors` of the second solution,
   which shrink as dt^(embedded_order + 1). Of other methods the march finds the error from two half steps.
10. `settled(state)` is a state whose force will not change any more: velocities that the method would still
    bring out of its own accelerations are in v.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
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
    lower_v: np.ndarray = NOTHING  #: of velocities of one order less, where others may agree by chance


@lru_cache
def interpreted_step(make_step: MakeStep) -> Formulas:
    """Formulas on the motion of any system."""
    return make_step(motion_operations)


@dataclass(frozen=True)
class Method(ABC):
    """An integration method; the contract is in the docstring of this module."""

    name: ClassVar[str]
    summary: ClassVar[str]  #: one line, with the reference
    implicit: ClassVar[bool] = False
    has_accelerations: ClassVar[bool] = False  #: of its own, x
    make_step: ClassVar[MakeStep]
    make_estimated_step: ClassVar[MakeStep | None] = None

    @property
    @abstractmethod
    def order(self) -> int:
        """Order of convergence."""

    @property
    @abstractmethod
    def stability_limit(self) -> float:
        """Largest omega*dt of an undamped oscillation that stays bounded."""

    @property
    @abstractmethod
    def damping(self) -> str:
        """Numerical damping, in words."""

    @property
    def high_frequency_radius(self) -> float:
        """Spectral radius for omega*dt -> infinity."""
        return math.inf

    @property
    def coefficients(self) -> object:
        """What the formulas take."""
        return 0.0

    @cached_property
    def setting(self) -> StepSetting:
        """What all steps have in common."""
        return StepSetting(self.coefficients, Limits(False, 0.0, 0))

    def begin(self, motion: Motion, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """The first state."""
        return self.resume(State(t, q, v, motion.acceleration(t, q, v), NOTHING))

    def resume(self, state: State) -> State:
        """A state of any method as a start of this one."""
        return state.but(x=NOTHING) if state.x.size else state

    def settled(self, state: State) -> State:
        """A state from which on the acceleration is constant."""
        return state

    def vectors(self, state: State, dt: float) -> Vectors:
        """What the formulas of a step dt know of a state."""
        return state.q, state.v, state.a, state.a

    def next_state(self, state: State, dt: float, y: Vectors) -> State:
        """The state that the formulas of a step made."""
        q, v, a, x = y
        if self.has_accelerations:
            return state.but(t=state.t + dt, q=q, v=v, a=a, x=x, made=dt)
        return state.but(t=state.t + dt, q=q, v=v, a=a)

    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""
        return self.next_state(state, dt, self._take(self.make_step, motion, state, dt)[2])

    @property
    def embedded_order(self) -> int | None:
        """Order of a second solution that a step holds, or None."""
        return None

    def estimated_step(self, motion: Motion, state: State, dt: float) -> tuple[State, Errors]:
        """The state after one step, and the errors of the embedded solution."""
        if self.make_estimated_step is None:
            raise InputError(f"method {self.name!r} holds no second solution; its embedded_order is None.")
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
        """What a status of a step to the time t means."""
        raise InputError(f"method {self.name!r} solves no equations; status {status}, {missed} at t = {t}.")


@dataclass(frozen=True)
class ImplicitMethod(Method):
    """A method whose step solves equations, by Newton's method with line search or by Picard's iteration."""

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
        """What all steps have in common."""
        limits = Limits(self.solver == "picard", float(self.tol), int(self.max_iterations))
        return StepSetting(self.coefficients, limits)

    def step_error(self, status: int, missed: float, t: float) -> StepError:
        """What a status of a step to the time t means."""
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
