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
8. `kernel` names the compiled march of one degree of freedom and its coefficients; it gives the same
   numbers as `step` to rounding.
9. A method whose stages hold a second solution says its order, `embedded_order`. Its `estimated_step` makes
   the state that `step` makes, bit for bit and with as many forces, and the `Errors` of the second solution,
   which shrink as dt^(embedded_order + 1). Of other methods the march finds the error from two half steps.
10. `settled(state)` is a state whose force will not change any more: velocities that the method would still
    bring out of its own accelerations are in v.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from traction.errors import InputError
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import NOTHING, State
from traction.integrators.core.step_equations import Solver


class Errors(NamedTuple):
    """Estimated errors of a step."""

    q: np.ndarray
    v: np.ndarray
    lower_v: np.ndarray = NOTHING  #: of velocities of one order less, where others may agree by chance


@dataclass(frozen=True)
class Kernel:
    """The compiled form of a method: the name of its family and the coefficients the family takes."""

    family: str
    coefficients: np.ndarray


@dataclass(frozen=True)
class Method(ABC):
    """An integration method; the contract is in the docstring of this module."""

    name: ClassVar[str]
    summary: ClassVar[str]  #: one line, with the reference
    implicit: ClassVar[bool] = False

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
    @abstractmethod
    def kernel(self) -> Kernel:
        """The compiled march of one degree of freedom."""

    def begin(self, motion: Motion, t: float, q: np.ndarray, v: np.ndarray) -> State:
        """The first state."""
        return State(t, q, v, motion.acceleration(t, q, v), NOTHING)

    def resume(self, state: State) -> State:
        """A state of any method as a start of this one."""
        return state.but(x=NOTHING) if state.x.size else state

    def settled(self, state: State) -> State:
        """A state from which on the acceleration is constant."""
        return state

    @abstractmethod
    def step(self, motion: Motion, state: State, dt: float) -> State:
        """The state after one step."""

    @property
    def embedded_order(self) -> int | None:
        """Order of a second solution that a step holds, or None."""
        return None

    def estimated_step(self, motion: Motion, state: State, dt: float) -> tuple[State, Errors]:
        """The state after one step, and the errors of the embedded solution."""
        raise InputError(f"method {self.name!r} holds no second solution; its embedded_order is None.")


@dataclass(frozen=True)
class ImplicitMethod(Method):
    """A method whose step solves equations, by Newton's method with line search or by Picard's iteration."""

    implicit: ClassVar[bool] = True

    solver: str = "newton"  #: "newton" or "picard"
    tol: float = 1e-12  #: residual force, relative to the forces in the equation
    max_iterations: int = 50

    def __post_init__(self) -> None:
        self.equations  # noqa: B018  checks the options

    @property
    def equations(self) -> Solver:
        """How the equations are solved."""
        return Solver(self.solver, self.tol, self.max_iterations)
