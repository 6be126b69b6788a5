"""Conjugate gradients on one window, for an unknown contact area and for a fixed one.

The iteration is that of `kernels.pressure_iteration`. On a small window it runs to its end; on a larger one
it returns for each product and each preconditioning, which are done by transforms here. The half space
acts on a wave of wave number q like 2/(E* q), so q is the preconditioner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.contact.normal.contact_window import Window, WindowedHalfSpace, choose_window_around
from traction.contact.normal.kernels import pressure_iteration as kernels
from traction.contact.normal.kernels.pressure_iteration import (
    ContactFields,
    ContactLoad,
    IterationLimits,
    IterationState,
    WindowInfluence,
)
from traction.contact.normal.normal_problem import NormalProblem
from traction.halfspace.half_space import HalfSpace

MAX_ITERATIONS = 1000
PRESSURE_TOLERANCE = 10.0  #: expected next change of pressure over the largest one, in tolerances
#: the same on a small window, where an iteration costs little; neighbours alone leave more of short waves
SMALL_PRESSURE_TOLERANCE = 3.0
PATIENCE = 12  #: iterations without halving the residual, after which steps are steepest descent: safe to cut
MAX_SUMMED = 64  #: elements leaving in one step whose influence is summed instead of taking a product
MAX_SUMMED_SMALL = 16  #: the same on a small window
ALL_SIDES_FREE = (False, False, False, False)

Sides = tuple[bool, bool, bool, bool]  # top, bottom, left, right


@dataclass(frozen=True)
class StartPressure:
    """Start of an iteration."""

    pressure: np.ndarray  #: Pa, over the grid
    displacement: np.ndarray | None = None  #: its u_z, m, over the grid, if known


@dataclass(frozen=True)
class WindowSolution:
    """Result of the iteration on one window."""

    pressure: np.ndarray  #: Pa, over the window
    approach: float  #: m
    depth: float  #: largest |approach - gap| in the contact, m: the scale of residuals
    iterations: int
    products: int
    residuals: tuple[float, ...]  #: largest residual over the depth, per iteration
    converged: bool
    crowded: bool  #: the contact reached the border of the window inside the grid


class Transforms(NamedTuple):
    """Products and preconditioning outside of the compiled iteration; each fills its target."""

    precondition: Callable[[np.ndarray, np.ndarray], None]
    multiply_direction: Callable[[np.ndarray, np.ndarray], None]
    multiply: Callable[[np.ndarray, np.ndarray], None]


class IterationResult(NamedTuple):
    """Result of an iteration; the solution is in its fields."""

    state: IterationState
    residual: np.ndarray  #: of each element, m
    residuals: np.ndarray  #: largest residual over the depth, per iteration

    @property
    def converged(self) -> bool:
        """Whether the limits are met."""
        return self.state.stage == kernels.CONVERGED


def solve_on_window(
    problem: NormalProblem, window: Window, start: StartPressure, tol: float
) -> WindowSolution:
    """Iterate from `start` until the residual is below `tol` of the depth or the window is too small."""
    operator = WindowedHalfSpace(problem.half_space, window)
    gap = np.ascontiguousarray(problem.gap[window.slices])
    pressure = start.pressure[window.slices].copy()
    displacement = np.empty_like(gap)
    if start.displacement is None:
        operator.multiply(pressure, displacement)
    else:
        displacement[:] = start.displacement[window.slices]
    force_given = problem.approach is None
    approach = 0.0 if problem.approach is None else float(problem.approach)
    total = 0.0 if problem.force is None else problem.force / problem.grid.cell_area
    if not force_given and (work := np.vdot(pressure, displacement)) > 0.0:  # to the least energy
        factor = max(0.0, float(np.vdot(pressure, approach - gap) / work))
        pressure *= factor
        displacement *= factor
    most_summed, changed = MAX_SUMMED, PRESSURE_TOLERANCE
    if operator.is_small:
        most_summed, changed = MAX_SUMMED_SMALL, SMALL_PRESSURE_TOLERANCE
    # Directions shrink during the iteration, and the errors of single precision with them.
    result = run_iteration(
        ContactFields(gap, pressure, displacement, pressure > 0.0),
        operator.influence(compiled=operator.is_small),
        ContactLoad(total, force_given, False, problem.least_depth),
        IterationLimits(tol, changed * tol, PATIENCE, MAX_ITERATIONS, most_summed),
        IterationState(kernels.RESCALE, approach),
        window.inner_sides(problem.grid.shape),
        Transforms(operator.precondition, operator.multiply_quickly, operator.multiply),
    )
    state = result.state
    return WindowSolution(
        pressure=pressure,
        approach=state.approach,
        depth=state.depth,
        iterations=state.iterations,
        products=state.iterations if operator.is_small else state.products,
        residuals=tuple(result.residuals[: state.iterations + 1].tolist()),
        converged=result.converged,
        crowded=state.crowded,
    )


def solve_fixed_contact(
    half_space: HalfSpace, contact: np.ndarray, *, tol: float, shape: np.ndarray | None = None
) -> tuple[np.ndarray, bool]:
    """Pressure (Pa/m) on a fixed contact area per unit of displacement, and whether it converged.

    The displacement is that of a unit of approach, or of a `shape` of size 1 over the grid.
    """
    window = choose_window_around(contact, half_space.periodic)
    operator = WindowedHalfSpace(half_space, window)
    gap = np.full(operator.shape, -1.0)
    if shape is not None:
        gap *= shape[window.slices]
    rate, displacement = np.zeros_like(gap), np.zeros_like(gap)
    result = run_iteration(
        ContactFields(gap, rate, displacement, contact[window.slices].copy()),
        operator.influence(compiled=False),
        ContactLoad(0.0, False, True, 1.0),
        IterationLimits(tol, np.inf, MAX_ITERATIONS, MAX_ITERATIONS, 0),
        IterationState(kernels.ASSESS, 0.0),
        transforms=Transforms(operator.precondition, operator.multiply, operator.multiply),
    )
    full = np.zeros(contact.shape)
    full[window.slices] = rate
    return full, result.converged


def run_iteration(
    fields: ContactFields,
    influence: WindowInfluence,
    load: ContactLoad,
    limits: IterationLimits,
    state: IterationState,
    sides: Sides = ALL_SIDES_FREE,
    transforms: Transforms | None = None,
) -> IterationResult:
    """Iterate to the end, changing the fields; with `transforms` where products are not compiled."""
    work, residuals = np.empty((5, *fields.gap.shape)), np.empty(limits.most + 1)
    given = (tuple(fields), work, tuple(influence), tuple(load), sides, tuple(limits))
    while True:
        state = IterationState._make(kernels.iterate_pressure(*given, tuple(state), residuals))
        if transforms is None or state.stage >= kernels.CONVERGED:
            return IterationResult(state, work[0], residuals)
        residual, preconditioned, _, direction, product = work
        if state.stage == kernels.TURN:
            transforms.precondition(residual, preconditioned)
        elif state.stage == kernels.STEP:
            transforms.multiply_direction(direction, product)
        else:
            transforms.multiply(fields.pressure, fields.displacement)
