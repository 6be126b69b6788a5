"""Preconditioned conjugate gradients on the contact inside one window.

The iteration follows Polonsky and Keer (Wear 231, 1999): conjugate gradients on the elements in contact;
elements whose pressure turns negative leave the contact, elements that penetrate enter it. The half space
acts on a wave of wave number q like 2/(E* q), so q is the preconditioner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.normal.contact_window import Window, WindowedHalfSpace
from traction.contact.normal.kernels import pressure_fields as kernels
from traction.contact.normal.kernels.small_windows import march as small_march
from traction.contact.normal.normal_problem import NormalProblem

MAX_ITERATIONS = 1000
PRESSURE_TOLERANCE = 10.0  #: expected next change of pressure over the largest one, in tolerances
PATIENCE = 12  #: iterations without half the residual, after which steps are plain: cutting those off is safe
MAX_SUMMED = 64  #: elements leaving in one step whose influence is summed instead of taking a product


@dataclass(frozen=True)
class Start:
    """Where an iteration begins."""

    pressure: np.ndarray  #: Pa, over the grid
    displacement: np.ndarray | None = None  #: its u_z where known, m, over the grid


@dataclass(frozen=True)
class March:
    """Where the iteration on one window ended."""

    pressure: np.ndarray  #: Pa, over the window
    approach: float  #: m
    depth: float  #: largest |approach - gap| in the contact, m: the scale of residuals
    iterations: int
    products: int
    residuals: tuple[float, ...]  #: largest residual over the depth, per iteration
    converged: bool
    crowded: bool  #: the contact reached the border of the window inside the grid


def iterate(problem: NormalProblem, window: Window, start: Start, tol: float) -> March:
    """Iterate from `start` until the residual is below `tol` of the depth or the window is too small."""
    operator = WindowedHalfSpace(problem.half_space, window)
    gap = np.ascontiguousarray(problem.gap[window.slices])
    pressure = start.pressure[window.slices].copy()
    if start.displacement is None:
        displacement = operator.product(pressure)
    else:
        displacement = start.displacement[window.slices].copy()
    force_given = problem.approach is None
    approach = 0.0 if problem.approach is None else float(problem.approach)
    target = 0.0 if problem.force is None else problem.force / problem.grid.cell_area
    factor = _first_factor(gap, pressure, displacement, problem.approach, target)
    pressure *= factor
    displacement *= factor
    march = _march_small if operator.is_small else _march
    fields = (gap, pressure, displacement, pressure > 0.0)
    load = (approach, target, force_given, problem.least_depth)
    return march(operator, fields, load, window.inner_sides(problem.grid.shape), tol)


Fields = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # gap, pressure, displacement, contact
Load = tuple[float, float, bool, float]  # approach, sum of pressure wanted, is the force given, least depth
Sides = tuple[bool, bool, bool, bool]  # top, bottom, left, right


def _march_small(operator: WindowedHalfSpace, fields: Fields, load: Load, sides: Sides, tol: float) -> March:
    """In compiled code."""
    residuals = np.empty(MAX_ITERATIONS + 1)
    limits = (tol, PRESSURE_TOLERANCE * tol, PATIENCE, MAX_ITERATIONS)
    approach, depth, iterations, converged, crowded = small_march(
        fields, operator.influence, operator.neighbours, load, sides, limits, residuals
    )
    history = tuple(residuals[: iterations + 1].tolist())
    return March(fields[1], approach, depth, iterations, iterations, history, converged, crowded)


def _march(operator: WindowedHalfSpace, fields: Fields, load: Load, sides: Sides, tol: float) -> March:
    """With products and preconditioning by transforms."""
    gap, pressure, displacement, contact = fields
    approach, target, force_given, least_depth = load
    residual, previous, direction = (np.zeros_like(gap) for _ in range(3))
    residuals: list[float] = []
    excess, change = np.empty((MAX_SUMMED, 3)), np.inf
    products, energy, plain = 0, 0.0, False
    while True:
        approach, error, depth = kernels.assess(gap, displacement, contact, approach, force_given, residual)
        depth = max(depth, least_depth)
        rate = min(1.0, error / (depth * residuals[-1])) if residuals and residuals[-1] > 0.0 else 1.0
        residuals.append(error / depth)
        converged = error <= tol * depth and rate * change <= PRESSURE_TOLERANCE * tol
        crowded = kernels.touches(contact, sides)
        if converged or crowded or len(residuals) > MAX_ITERATIONS:
            break
        plain = plain or (len(residuals) > PATIENCE and residuals[-1] > 0.5 * residuals[-1 - PATIENCE])
        preconditioned = residual if plain else operator.precondition(residual)
        energy = kernels.conjugate(
            preconditioned, residual, previous, direction, contact, energy, force_given
        )
        product = operator.quick_product(direction)
        products += 1
        left, change = kernels.advance(pressure, displacement, direction, product, residual, contact, excess)
        if left < 0:  # the residual is zero to rounding, or not a number
            converged = error <= tol * depth
            break
        if left > MAX_SUMMED:
            displacement = operator.product(pressure)
            products += 1
        elif left:
            operator.add_influence(displacement, excess, left)
        if left and force_given:
            factor = target / kernels.total_of(pressure)
            pressure *= factor
            displacement *= factor
    history = tuple(residuals)
    return March(pressure, approach, depth, len(history) - 1, products, history, converged, crowded)


def _first_factor(
    gap: np.ndarray, pressure: np.ndarray, displacement: np.ndarray, approach: float | None, target: float
) -> float:
    """Factor on the start that meets the force, or makes the energy least."""
    if approach is None:
        return target / kernels.total_of(pressure)
    work = np.vdot(pressure, displacement)
    return max(0.0, float(np.vdot(pressure, approach - gap) / work)) if work > 0.0 else 1.0
