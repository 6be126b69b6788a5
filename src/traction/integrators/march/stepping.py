"""Division of a march into steps, and single steps, in compiled code where all functions are compiled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.errors import TractionError
from traction.integrators.compiled_march.compiled_motion import CompiledMarch, CompiledMotion, compiles
from traction.integrators.core.method import Errors, Method
from traction.integrators.core.motion import Motion, NotFiniteError, StepError
from traction.integrators.core.state import NOTHING, State
from traction.integrators.core.system import SecondOrderSystem

SAMPLES = 2048  #: of the gaps over the whole time, at least, where steps are not fixed
UNKNOWN = Errors(NOTHING, NOTHING)


@dataclass(frozen=True)
class Control:
    """Lengths of the steps."""

    t_end: float
    dt: float | None  #: s, or None for steps by the error they make
    t0: float = 0.0
    rtol: float = 1e-8  #: error of a step, relative to the largest coordinate and velocity so far
    locate: bool = True  #: whether contacts are located inside the steps
    gap_resolution: float | None = None  #: longest time between samples of the gaps, s

    @cached_property
    def intervals(self) -> int:
        """Number of whole steps of fixed length; the last one may be shorter."""
        assert self.dt is not None
        return max(1, math.ceil((self.t_end - self.t0) / self.dt * (1.0 - 1e-12) - 1e-9))

    @property
    def flight_resolution(self) -> float:
        """Time between samples of the gaps where no step sets it, s."""
        return self.t_end / SAMPLES if self.gap_resolution is None else self.gap_resolution

    @property
    def step_resolution(self) -> float:
        """The same within steps; those of a fixed length have their own."""
        if self.gap_resolution is None and self.dt is not None:
            return math.inf
        return self.flight_resolution

    def grid(self, interval: int) -> float:
        """Time at which an interval of fixed length begins.

        An end that is a whole number of steps away is reached by counting them, as any later step is, so
        that a resumed run equals an uninterrupted one.
        """
        assert self.dt is not None
        counted = self.t0 + interval * self.dt
        uneven = interval >= self.intervals and abs(counted - self.t_end) > 1e-9 * self.dt
        return self.t_end if uneven else counted


class Stepping:
    """Steps as pure functions of a state and a length. Keeps counters and factors only."""

    def __init__(self, system: SecondOrderSystem, method: Method) -> None:
        self.system, self.method = system, method
        self.march: CompiledMarch | None = None  #: many steps in compiled code
        self.compiled: CompiledMotion | None = None  #: single ones as well
        if compiles(system) and system.is_scalar:
            self.march = self.compiled = CompiledMotion(system, method)
        elif compiles(system):
            self.march = CompiledMarch(system, method)

    @cached_property
    def motion(self) -> Motion:
        """The equation of motion."""
        return Motion(self.system)

    @property
    def counts(self) -> dict[str, int]:
        """Work done so far."""
        if self.march is None:
            return self.motion.counts
        total = self.march.counts
        if "motion" in self.__dict__:
            for name, count in self.motion.counts.items():
                total[name] += count
        return total

    def begin(self, t: float) -> State:
        """The first state."""
        q, v = self.system.start
        if self.compiled is not None:
            return self.compiled.begin(t, q, v)
        state = self.method.begin(self.motion, t, q, v)
        return state.but(origin=t, memory=self.motion.memory)

    def single(self, state: State, dt: float) -> State:
        """The state after one step."""
        return self._step(state, dt, estimated=False)[0]

    def estimated(self, state: State, dt: float) -> tuple[State, Errors]:
        """The state after one step, and the errors that the method estimates."""
        return self._step(state, dt, estimated=True)

    def acceleration(self, state: State, t: float, q: np.ndarray) -> np.ndarray:
        """Acceleration ahead of a state, at its velocity."""
        if self.compiled is not None:
            return self.compiled.acceleration(t, q, state.v)
        self.motion.memory = state.memory
        return self.motion.acceleration(t, q, state.v)

    def _step(self, state: State, dt: float, *, estimated: bool) -> tuple[State, Errors]:
        """One step, with its errors if they are asked for."""
        if self.compiled is not None:
            return self._compiled_step(self.compiled, state, dt, estimated)
        self.motion.memory = state.memory
        try:
            if estimated:
                end, errors = self.method.estimated_step(self.motion, state, dt)
            else:
                end, errors = self.method.step(self.motion, state, dt), UNKNOWN
        except StepError:
            raise
        except TractionError as error:  # of a matrix or of a law: a shorter step may be possible
            raise StepError(f"{str(error).rstrip('.')}, in the step to t = {state.t + dt:.9g}") from error
        return end.but(memory=self.motion.memory), errors

    def _compiled_step(
        self, compiled: CompiledMotion, state: State, dt: float, estimated: bool
    ) -> tuple[State, Errors]:
        """One step in compiled code; a result that is not finite is recomputed to name its origin."""
        try:
            if estimated:
                return compiled.estimated_step(state, dt)
            return compiled.step(state, dt), UNKNOWN
        except NotFiniteError:
            try:
                self.method.step(self.motion, state, dt)
            except NotFiniteError:
                raise
            except Exception:  # of the user's function, or of the equations: the first one says more
                pass
            raise
