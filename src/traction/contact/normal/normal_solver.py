"""Frictionless contact from the coarsest grid to the finest.

The pressure minimises the complementary energy under p >= 0 (Kalker 1990, chapter 3). Coarser grids give the
start, windows around the contact keep the products small, and each answer is settled in full precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.normal.coarse_grids import refined
from traction.contact.normal.conjugate_gradients import MAX_ITERATIONS, March, Start, iterate
from traction.contact.normal.contact_window import WindowedHalfSpace, window_around
from traction.contact.normal.kernels import pressure_fields as kernels
from traction.contact.normal.normal_problem import NormalProblem
from traction.halfspace.half_space import HalfSpace

MAX_ROUNDS = 20
COARSE_TOLERANCE = 1e-2  #: on grids whose solution is only a start for the next finer one


@dataclass(frozen=True)
class Solution:
    """Where the rounds of iterations ended."""

    pressure: np.ndarray  #: Pa, over the grid
    displacement: np.ndarray  #: u_z from a product of its own, m, over the grid
    approach: float  #: m
    iterations: int  #: on the finest grid
    products: int  #: on the finest grid
    residuals: tuple[float, ...]  #: largest residual over the depth, per iteration on the finest grid
    converged: bool


def solve_on_nested_grids(problem: NormalProblem, *, tol: float, start: Start | None) -> Solution:
    """Solve from the coarsest grid to the finest, or on the finest alone from an earlier pressure.

    Each round iterates on a window around the contact and then looks at the whole grid in full precision;
    another follows where elements outside the window penetrate or rounding has added up.
    """
    start = Start(first_guess(problem)) if start is None else start
    occupied = start.pressure > 0.0
    marches: list[March] = []
    for _ in range(MAX_ROUNDS):
        window = window_around(occupied, problem.periodic)
        march = iterate(problem, window, start, tol)
        marches.append(march)
        pressure = np.zeros(problem.grid.shape)
        pressure[window.slices] = march.pressure
        displacement = problem.half_space.shifted(
            "z", "z", march.pressure, (-window.top, -window.left), problem.grid.shape
        )
        start = Start(pressure, displacement)
        penetration, residual = kernels.certify(problem.gap, displacement, pressure, march.approach)[:2]
        settled = march.converged and max(penetration, residual) <= tol * march.depth
        if settled or not (march.converged or march.crowded):
            break
        occupied = (pressure > 0.0) | (problem.gap + displacement < march.approach)
    return Solution(
        pressure=pressure,
        displacement=displacement,
        approach=march.approach,
        iterations=sum(m.iterations for m in marches),
        products=sum(m.products for m in marches),
        residuals=tuple(r for m in marches for r in m.residuals),
        converged=settled,
    )


def first_guess(problem: NormalProblem) -> np.ndarray:
    """Pressure to start from, carried up from the coarser grids."""
    coarser = problem.coarser()
    if coarser is None:
        return _somewhere(problem)
    below, halved = coarser
    pressure = first_guess(below)
    if not pressure.any():  # on the coarser grid the bodies do not touch
        return _somewhere(problem)
    window = window_around(pressure > 0.0, below.periodic)
    for _ in range(MAX_ROUNDS):
        march = iterate(below, window, Start(pressure), COARSE_TOLERANCE)
        pressure = np.zeros(below.grid.shape)
        pressure[window.slices] = march.pressure
        if not march.crowded:
            break
        window = window_around(pressure > 0.0, below.periodic)
    fine = refined(pressure, problem.grid.shape, halved, problem.periodic[::-1])
    return fine if fine.any() else _somewhere(problem)


def _somewhere(problem: NormalProblem) -> np.ndarray:
    """Pressure wherever contact is possible: everywhere, or where the undeformed bodies overlap."""
    if problem.approach is None:
        return np.ones(problem.grid.shape)
    size = max(problem.grid.nx * problem.grid.dx, problem.grid.ny * problem.grid.dy)
    return problem.pair.effective_modulus / size * np.maximum(0.0, problem.approach - problem.gap)


def solve_fixed_contact(
    half_space: HalfSpace, contact: np.ndarray, *, tol: float, shape: np.ndarray | None = None
) -> tuple[np.ndarray, bool]:
    """Pressure (Pa/m) on a contact that does not change, per unit of displacement, and whether it converged.

    The displacement is that of a unit of approach, or of a `shape` of size 1 over the grid.
    """
    window = window_around(contact, half_space.periodic)
    operator = WindowedHalfSpace(half_space, window)
    inside = np.ascontiguousarray(contact[window.slices])
    residual = inside.astype(np.float64)
    if shape is not None:
        residual *= shape[window.slices]
    rate, previous, direction = (np.zeros_like(residual) for _ in range(3))
    energy, converged = 0.0, False
    for _ in range(MAX_ITERATIONS):
        preconditioned = operator.precondition(residual)
        energy = kernels.conjugate(preconditioned, residual, previous, direction, inside, energy, False)
        product = operator.product(direction)
        largest = kernels.descend(rate, direction, product, residual, inside)
        converged = largest <= tol
        if converged or not np.isfinite(largest):
            break
    full = np.zeros(contact.shape)
    full[window.slices] = rate
    return full, converged
