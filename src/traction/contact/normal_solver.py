"""Frictionless contact by preconditioned conjugate gradients on the contact, with windows and nested grids.

The pressure minimises the complementary energy under p >= 0 (Kalker 1990, chapter 3). The iteration follows
Polonsky and Keer (Wear 231, 1999): conjugate gradients on the elements in contact; elements whose pressure
turns negative leave the contact, elements that penetrate enter it. The half space acts on a wave of wave
number q like 2/(E* q), so q is the preconditioner. Products are taken on a window around the contact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy.fft

from traction.contact import normal_kernels as kernels
from traction.contact.nested import coarsened, halved_directions, refined
from traction.grid import Grid
from traction.halfspace.convolution import convolve, fast_length
from traction.halfspace.convolution_kernels import multiply
from traction.halfspace.operator import HalfSpace
from traction.materials import Pair

MAX_ITERATIONS = 400
MAX_ROUNDS = 20
COARSE_TOLERANCE = 1e-2  #: on grids whose solution is only a start for the next finer one
PRESSURE_TOLERANCE = 10.0  #: expected next change of pressure over the largest one, in tolerances
MAX_SUMMED = 64  #: elements leaving in one step whose influence is summed instead of taking a product
SMALL = 32  #: on smaller windows the nearest neighbours precondition as well as the whole transform
MARGIN = 2  #: elements between the contact and the border of its window, at least


@dataclass(frozen=True)
class NormalProblem:
    """Find p >= 0 with gap + u - approach >= 0, zero where that is open; force or approach given."""

    gap: np.ndarray  #: m
    grid: Grid
    pair: Pair
    force: float | None  #: N
    approach: float | None  #: m
    periodic: tuple[bool, bool]  #: along x, along y

    @property
    def half_space(self) -> HalfSpace:
        """Influence of pressure on normal displacement."""
        return HalfSpace(self.grid, self.pair, self.periodic)

    def coarser(self) -> tuple[NormalProblem, tuple[bool, bool]] | None:
        """The same problem on a grid of half the resolution, or None on the coarsest one."""
        halved = halved_directions(self.grid.shape, self.periodic)
        if not any(halved):
            return None
        gap = coarsened(self.gap, halved)
        grid = replace(
            self.grid,
            ny=gap.shape[0],
            nx=gap.shape[1],
            dy=self.grid.dy * (2 if halved[0] else 1),
            dx=self.grid.dx * (2 if halved[1] else 1),
        )
        return replace(self, gap=gap, grid=grid), halved


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


@dataclass(frozen=True)
class Start:
    """Where an iteration begins."""

    pressure: np.ndarray  #: Pa, over the grid
    displacement: np.ndarray | None = None  #: its u_z where known, m, over the grid


@dataclass(frozen=True)
class Window:
    """A block of rows and columns."""

    top: int
    left: int
    ny: int
    nx: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """For indexing a field over the grid."""
        return slice(self.top, self.top + self.ny), slice(self.left, self.left + self.nx)


class WindowedHalfSpace:
    """Products and preconditioning on one window of the grid."""

    def __init__(self, half_space: HalfSpace, window: Window) -> None:
        grid = half_space.grid
        self.shape = (window.ny, window.nx)
        self._spectrum = half_space.spectrum("z", "z", self.shape)
        self._factor = half_space.factor("z", "z")
        lengths = tuple(
            n if repeats else fast_length(n)
            for n, repeats in zip(self.shape, half_space.periodic[::-1], strict=True)
        )
        self._lengths = lengths
        aspect = grid.dy / grid.dx
        self._small = max(self.shape) <= SMALL and 0.5 <= aspect <= 2.0 and not any(half_space.periodic)
        self._symbol = nearest_weights(aspect) if self._small else wave_numbers(lengths, aspect)

    def product(self, pressure: np.ndarray) -> np.ndarray:
        """Normal displacement over the window, m."""
        return self._factor * convolve(pressure, self._spectrum)

    def quick_product(self, direction: np.ndarray) -> np.ndarray:
        """`product` in single precision: directions shrink as the iteration goes on, and their errors too."""
        field = convolve(direction.astype(np.float32), self._spectrum.single)
        field *= np.float32(self._factor)
        return field

    def add_influence(self, displacement: np.ndarray, excess: np.ndarray, n: int) -> None:
        """Add the displacement of n single elements: rows of (row, column, pressure)."""
        spectrum = self._spectrum
        kernels.add_influence(displacement, excess, n, spectrum.lags, spectrum.lengths, self._factor)

    def precondition(self, residual: np.ndarray) -> np.ndarray:
        """Pressure that would give the residual on a periodic half space, up to a factor."""
        if self._small:
            return kernels.nearest_neighbours(residual, self._symbol)
        field = residual.astype(np.float32)
        transform = scipy.fft.rfft2(field, self._lengths)
        multiply(transform, self._symbol)
        return scipy.fft.irfft2(transform, self._lengths)


@lru_cache(maxsize=64)
def wave_numbers(lengths: tuple[int, int], aspect: float) -> np.ndarray:
    """|q| of each wave on a torus; the mean gets half the smallest one, as the contact is not periodic."""
    qy, qx = scipy.fft.fftfreq(lengths[0], aspect), scipy.fft.rfftfreq(lengths[1])
    q = np.hypot(qy[:, None], qx[None, :])
    q[0, 0] = 0.5 * min((value for value in (*qy[1:2], *qx[1:2])), default=1.0)
    return q.astype(np.float32)


@lru_cache(maxsize=64)
def nearest_weights(aspect: float) -> np.ndarray:
    """Share of the nearest neighbours in the multiplication by |q|, at distances 0 and 1 along y and x."""
    torus = (64, 64)
    return np.ascontiguousarray(scipy.fft.irfft2(wave_numbers(torus, aspect), torus)[:2, :2])


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
    fine = refined(pressure, halved, problem.grid.shape)
    return fine if fine.any() else _somewhere(problem)


def _somewhere(problem: NormalProblem) -> np.ndarray:
    """Pressure wherever contact is possible: everywhere, or where the undeformed bodies overlap."""
    if problem.approach is None:
        return np.ones(problem.grid.shape)
    return np.where(problem.gap < problem.approach, 1.0, 0.0)


def window_around(contact: np.ndarray, periodic: tuple[bool, bool]) -> Window:
    """Window with a margin around the contact, as large as its transform allows; whole along a period."""
    top, bottom, left, right = kernels.bounding_box(contact)
    (ny, nx) = contact.shape
    rows = (0, ny) if periodic[1] else _extent(top, bottom, ny)
    columns = (0, nx) if periodic[0] else _extent(left, right, nx)
    return Window(rows[0], columns[0], rows[1], columns[1])


def _extent(first: int, last: int, n: int) -> tuple[int, int]:
    """Start and size, in a direction of n elements, of a window around the elements first to last."""
    if last < first:
        return 0, n
    size = last - first + 1
    wanted = size + 2 * max(MARGIN, size // 24)
    wanted = min(n, (fast_length(2 * wanted - 1) + 1) // 2)
    start = first - (wanted - size) // 2
    return min(max(start, 0), n - wanted), wanted


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
    """Preconditioned conjugate gradients on the contact inside the window."""
    operator = WindowedHalfSpace(problem.half_space, window)
    gap = np.ascontiguousarray(problem.gap[window.slices])
    pressure = start.pressure[window.slices].copy()
    contact = pressure > 0.0
    if start.displacement is None:
        displacement = operator.product(pressure)
    else:
        displacement = start.displacement[window.slices].copy()
    force_given = problem.approach is None
    target = 0.0 if problem.force is None else problem.force / problem.grid.cell_area
    factor = _first_factor(gap, pressure, displacement, problem.approach, target)
    pressure *= factor
    displacement *= factor
    products, energy = int(start.displacement is None), 0.0
    residual, previous, direction = (np.zeros_like(gap) for _ in range(3))
    approach = 0.0 if problem.approach is None else problem.approach
    sides = _inner_sides(window, problem)
    residuals: list[float] = []
    excess, change = np.empty((MAX_SUMMED, 3)), np.inf
    while True:
        approach, error, depth = kernels.assess(gap, displacement, contact, approach, force_given, residual)
        scale = max(depth, np.finfo(float).tiny)
        rate = min(1.0, error / (scale * residuals[-1])) if residuals else 1.0
        residuals.append(error / scale)
        converged = error <= tol * scale and rate * change <= PRESSURE_TOLERANCE * tol
        crowded = kernels.touches(contact, sides)
        if converged or crowded or len(residuals) > MAX_ITERATIONS:
            break
        preconditioned = operator.precondition(residual)
        energy = kernels.conjugate(
            preconditioned, residual, previous, direction, contact, energy, force_given
        )
        product = operator.quick_product(direction)
        products += 1
        left, change = kernels.advance(pressure, displacement, direction, product, residual, contact, excess)
        if left < 0:  # the residual is zero to rounding, or not a number
            converged = error <= tol * scale
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
    return March(
        pressure, approach, depth, len(residuals) - 1, products, tuple(residuals), converged, crowded
    )


def _first_factor(
    gap: np.ndarray, pressure: np.ndarray, displacement: np.ndarray, approach: float | None, target: float
) -> float:
    """Factor on the start that meets the force, or makes the energy least."""
    if approach is None:
        return target / kernels.total_of(pressure)
    return max(0.0, np.vdot(pressure, approach - gap) / np.vdot(pressure, displacement))


def _inner_sides(window: Window, problem: NormalProblem) -> tuple[bool, bool, bool, bool]:
    """For top, bottom, left and right, whether the window ends inside the grid."""
    ny, nx = problem.grid.shape
    top, left = window.top > 0, window.left > 0
    return top, window.top + window.ny < ny, left, window.left + window.nx < nx


def solve_fixed_contact(half_space: HalfSpace, contact: np.ndarray, *, tol: float) -> tuple[np.ndarray, bool]:
    """Pressure (Pa/m) per unit approach on a contact that does not change, and whether it converged."""
    window = window_around(contact, half_space.periodic)
    operator = WindowedHalfSpace(half_space, window)
    inside = np.ascontiguousarray(contact[window.slices])
    residual = inside.astype(np.float64)
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
