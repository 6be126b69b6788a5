"""`RollingOperator`: the matrices A, A' and A - A' of rolling by elements that move with the contact.

They are dense, for analysis: the effect of the inverse of A - A' at short steps, the smoothing of tractions
by A^-1 A', and that linear elements change neither (van der Wekken, Vollebregt and Vuik, "Occurrence and
removal of wiggles in transient rolling contact simulation"). `theory.rolling_waves` has the same for an
infinite row of elements, in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.theory.rolling_waves import ELEMENTS

MOST_ELEMENTS = 4096  #: of dense matrices
POINTS = 16  #: of Gauss, on either side of a kink
MAX_ITERATIONS = 400
MOST_AT_ONCE = 30  #: iterations that change all elements which should
ROUNDING = 1e-12

Given = float | None  # one of creepage and force


@dataclass(frozen=True, eq=False)
class Rolled:
    """Tractions of a row of elements after a step, or in steady rolling."""

    traction: np.ndarray  #: p_x on body 1, Pa, (nx,)
    slip: np.ndarray  #: per distance rolled, (nx,)
    stick: np.ndarray  #: mask of the elements that stick, (nx,)
    creepage: float  #: longitudinal creepage xi
    iterations: int  #: iterations on the stick area


@dataclass(frozen=True)
class RollingOperator:
    """Dense matrices of transient rolling by elements that move with the contact, for analysis.

    Parameters
    ----------
    grid
        Elements; at most 4096. Matrices number them row by row.
    pair
        Materials of the two bodies.
    step
        c = dq/dx, rolled distance in elements, along +x.
    elements
        "constant" tractions on boxes, or "linear": hats around the same centres that extend to those of the
        neighbours (in three dimensions products of two).
    direction
        Direction "x" or "y" of tractions and displacements.

    Raises
    ------
    InputError
        If the grid has too many elements, or a choice is unknown.

    Notes
    -----
    A holds displacements at the element centres, A' those at the centres shifted by the step (van der Wekken,
    Vollebregt and Vuik, "Occurrence and removal of wiggles in transient rolling contact simulation").

    Examples
    --------
    >>> grid, pair = tr.Grid.line(20, 1e-3, length=1.0), tr.Pair(tr.STEEL, tr.STEEL)
    >>> for c in (1.0, 0.1):
    ...     print(f"c = {c}: condition {tr.RollingOperator(grid, pair, c).condition:.0f}")
    c = 1.0: condition 3
    c = 0.1: condition 9
    """

    grid: Grid
    pair: Pair
    step: float
    elements: str = "constant"
    direction: str = "x"  #: of tractions and displacements

    def __post_init__(self) -> None:
        checks.instance("grid", self.grid, Grid)
        checks.instance("pair", self.pair, Pair)
        checks.choice("elements", self.elements, tuple(ELEMENTS))
        checks.choice("direction", self.direction, ("x", "y"))
        checks.keep(self, step=checks.positive("step", self.step, "", "it is the step in elements, dq/dx."))
        count = self.grid.nx * self.grid.ny
        if count > MOST_ELEMENTS:
            raise InputError(f"grid has {count} elements, at most {MOST_ELEMENTS}: its matrices are dense.")

    @cached_property
    def influence(self) -> np.ndarray:
        """A, displacements at the element centres per traction, m/Pa, (n, n)."""
        return self._fill_matrix(0.0, "influence matrix")

    @cached_property
    def earlier(self) -> np.ndarray:
        """A', displacements at the centres shifted by the step, m/Pa, (n, n)."""
        return self._fill_matrix(self.step, "influence matrix")

    @cached_property
    def difference(self) -> np.ndarray:
        """A - A', m/Pa, (n, n); it needs no reference length."""
        return self._fill_matrix(0.0) - self._fill_matrix(self.step)

    @cached_property
    def inverse(self) -> np.ndarray:
        """Inverse of A - A', Pa/m, (n, n)."""
        return np.asarray(np.linalg.inv(self.difference))

    @cached_property
    def transport(self) -> np.ndarray:
        """A^-1 A', which transports sticking tractions to the elements of the next step, (n, n)."""
        return np.asarray(np.linalg.solve(self.influence, self.earlier))

    @property
    def condition(self) -> float:
        """Condition number of A - A'."""
        return float(np.linalg.cond(self.difference))

    def interpolated(self, cell: float = 1.0) -> np.ndarray:
        """Return A - A' with A' interpolated between A and that of `cell` elements, m/Pa, (n, n)."""
        far = checks.positive("cell", cell)
        return self.step / far * replace(self, step=far).difference

    def roll_steady(self, bound: ArrayLike, *, creepage: Given = None, force: Given = None) -> Rolled:
        """Solve steady rolling of a line contact.

        Parameters
        ----------
        bound
            mu p of each element, Pa, (nx,).
        creepage
            Longitudinal creepage xi. Exactly one of `creepage` and `force` is given.
        force
            Tangential force on body 1, N/m.

        Notes
        -----
        The shorter the step, the less the equations determine what sticks; the solution at twice the step
        is the start.
        """
        side = None
        if self.step < 1.0:
            longer = replace(self, step=min(1.0, 2.0 * self.step))
            first = longer.roll_steady(bound, creepage=creepage, force=force)
            side = np.where(first.stick, 0, np.sign(first.traction)).astype(int)
        return self._solve_row(self.difference, 0.0, bound, creepage, force, side)

    def roll(
        self, traction: ArrayLike, bound: ArrayLike, *, creepage: Given = None, force: Given = None
    ) -> Rolled:
        """Roll one step of a line contact.

        Parameters
        ----------
        traction
            Tractions at the start of the step, Pa, (nx,).
        bound
            mu p of each element at its end, Pa, (nx,).
        creepage
            Longitudinal creepage xi. Exactly one of `creepage` and `force` is given.
        force
            Tangential force on body 1, N/m.
        """
        before = checks.finite_array("traction", traction, (self.grid.nx,), "Pa")
        return self._solve_row(self.influence, -self.earlier @ before, bound, creepage, force)

    def _solve_row(
        self,
        matrix: np.ndarray,
        known: np.ndarray | float,
        bound: ArrayLike,
        creepage: Given,
        force: Given,
        side: np.ndarray | None = None,
    ) -> Rolled:
        """Check the input of a row, and solve it."""
        if not self.grid.is_line:
            raise InputError("grid is not a line grid; use tr.roll and tr.roll_steady in two dimensions.")
        most = checks.finite_array("bound", bound, (self.grid.nx,), "Pa")
        if most.min() < 0.0:
            raise InputError(f"bound = {most.min()} Pa must not be negative: it is mu times the pressure.")
        way, dx, xi = self.step * self.grid.dx, self.grid.dx, 0.0
        if checks.exactly_one(creepage=creepage, force=force) == "creepage":
            xi = checks.finite("creepage", creepage)
            row = StickSlipRow(matrix, known + way * xi, most, side)
        else:
            pull, limit = checks.finite("force", force, "N/m"), most.sum() * dx
            if abs(pull) >= limit:
                raise InputError(f"force = {pull} N/m must be less than that of friction, {limit:.6g} N/m.")
            row = StickSlipRow(matrix, known, most, side, way, pull / dx)
        traction, slip, stick, found, iterations = row.solve()
        return Rolled(traction, slip / way, stick, xi + found, iterations)

    def _fill_matrix(self, step: float, what: str = "") -> np.ndarray:
        """Influence at the centres shifted by so many elements; `what` needs a reference length."""
        if what and HalfSpace(self.grid, self.pair).needs_length:
            self.grid.reference_length(what)
        ny, nx = self.grid.shape
        lags = self._fill_lags(step)
        row, column = np.divmod(np.arange(ny * nx), nx)
        away = np.subtract.outer
        return np.asarray(lags[away(row, row) + ny - 1, away(column, column) + nx - 1])

    def _fill_lags(self, step: float) -> np.ndarray:
        """Displacement at all distances between elements, shifted by so many, per unit of traction."""
        grid = self.grid
        ny, nx = grid.shape
        x, y = np.meshgrid(np.arange(1.0 - nx, nx) + step, np.arange(1.0 - ny, ny))
        if self.elements == "constant":
            return self._displace_by_box(x, y)
        # a hat is the mean of boxes over one element, whose influence has kinks where their ends pass
        kink = 0.5 - step % 1.0
        along = _place_points(-0.5, kink), _place_points(kink, 0.5)
        across = (np.zeros(1), np.ones(1)) if grid.is_line else _place_points(-0.5, 0.5)
        total = np.zeros_like(x)
        for places, weights in along:
            for s, w in zip(places, weights, strict=True):
                for r, v in zip(*across, strict=True):
                    total += w * v * self._displace_by_box(x + s, y + r)
        return total

    def _displace_by_box(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Displacement (m/Pa) at distances in elements from a box."""
        grid, i, unit = self.grid, self.direction, np.ones((1, 1))
        line = Grid.line(1, grid.dx, length=grid.length or 1.0)  # without a length, only differences are used
        half_space = HalfSpace(line if grid.is_line else Grid(1, 1, grid.dx, grid.dy), self.pair)
        return half_space.at_points(i, i, unit, x * grid.dx, y * grid.dy)


@dataclass(frozen=True, eq=False)
class StickSlipRow:
    """s = K p + known + rigid xi, |p| <= bound, p opposing s; xi is unknown where the sum of p is given."""

    matrix: np.ndarray
    known: np.ndarray | float
    bound: np.ndarray
    side: np.ndarray | None = None  #: initial sign of the bound where elements slip, 0 where they stick
    rigid: float = 0.0
    total: float | None = None

    def solve(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, int]:
        """Tractions, slip, stick area, xi and iterations.

        The stick area is changed until all conditions hold.
        """
        side = np.zeros(self.bound.size, dtype=int) if self.side is None else self.side.copy()
        for iteration in range(1, MAX_ITERATIONS + 1):
            p, xi = self._find_tractions(side)
            slip = self.matrix @ p + self.known + self.rigid * xi
            over = np.where(side == 0, np.abs(p) - self.bound, 0.0) / self.bound.max()
            back = np.where(side * slip > 0.0, np.abs(slip), 0.0) / np.abs(slip).max()
            wrong = np.where(self.bound > 0.0, np.maximum(over, back), 0.0)
            if wrong.max() <= ROUNDING:
                stick = (side == 0) & (self.bound > 0.0)
                return p, np.where(stick | (self.bound == 0.0), 0.0, slip), stick, xi, iteration
            # all at once is fast; where that runs in circles, the worst one after the other
            turn = wrong > ROUNDING if iteration <= MOST_AT_ONCE else np.arange(p.size) == wrong.argmax()
            side[turn] = np.where(side[turn] == 0, np.sign(p[turn]), 0)
            if self.total is not None and not ((side == 0) & (self.bound > 0.0)).any():
                side[np.argmax(self.bound)] = 0
        raise ConvergenceError(
            f"the stick area did not settle in {MAX_ITERATIONS} iterations; use longer steps, or tr.roll."
        )

    def _find_tractions(self, side: np.ndarray) -> tuple[np.ndarray, float]:
        """Tractions with these elements on their bounds, and xi."""
        stick, p = np.flatnonzero((side == 0) & (self.bound > 0.0)), side * self.bound
        rest = -(self.matrix @ p + self.known)[stick]
        block = self.matrix[np.ix_(stick, stick)]
        if self.total is None:
            p[stick] = np.linalg.solve(block, rest)
            return p, 0.0
        scale = float(np.abs(block).max()) / self.rigid  # of xi, so that all columns have one size
        bordered = np.ones((stick.size + 1, stick.size + 1))
        bordered[:-1, :-1], bordered[:-1, -1], bordered[-1, -1] = block, scale * self.rigid, 0.0
        found = np.linalg.solve(bordered, np.r_[rest, self.total - p.sum()])
        p[stick] = found[:-1]
        return p, scale * float(found[-1])


def _place_points(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights between two kinks, with a substitution that smooths r log r."""
    u, w = np.polynomial.legendre.leggauss(POINTS)
    u, w = 0.5 * (u + 1.0), 0.5 * w
    place = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    return low + (high - low) * place, (high - low) * w * 30.0 * (u * (1.0 - u)) ** 2
