"""`press`: frictionless contact of two elastic bodies on a grid, and its result."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.checks import Either
from traction.contact.normal.coarse_grids import resample_pressure
from traction.contact.normal.conjugate_gradients import StartPressure, solve_fixed_contact
from traction.contact.normal.grid_size_advice import advise_grid_size, count_across, find_reached_sides
from traction.contact.normal.normal_problem import NormalProblem, check_problem
from traction.contact.normal.normal_solver import (
    GridSolution,
    is_small_grid,
    solve_on_nested_grids,
    solve_on_whole_grid,
)
from traction.contact.normal.part_interaction import PartInteraction
from traction.contact.normal.pressure_certificate import Certificate, certify_pressure
from traction.errors import CoarseGridWarning, ConvergenceError, InputError, warn_user
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.quantities import counted
from traction.status import Status
from traction.surfaces import GapInput, gap_on

if TYPE_CHECKING:
    from traction.halfspace.subsurface import Stress

STIFFNESS_TOLERANCE = 1e-9
COARSE = 8  #: elements across a contact; fewer say little about the pressure


@dataclass(frozen=True, eq=False, repr=False)
class NormalContact(Result):
    """Result of `tr.press`: contact pressure, quantities derived from it, and its certificate."""

    _rows, _drawn = ("y", "x"), "pressure"

    grid: Grid  #: grid of all fields
    gap: np.ndarray  #: undeformed distance h, m, (ny, nx)
    pair: Pair  #: materials of the two bodies
    pressure: np.ndarray  #: contact pressure p, positive in compression, Pa, (ny, nx)
    force: float  #: normal force F, N; per metre for line contact
    status: Status  #: CONVERGED, or what went wrong
    message: str  #: the status with its numbers
    certificate: Certificate  #: errors of the contact conditions, computed from the solution
    iterations: int  #: iterations on the finest grid
    residuals: tuple[float, ...] = ()  #: largest distance in the contact over the approach, per iteration
    products: int = 0  #: half-space products on the finest grid
    seconds: float = 0.0  #: wall time
    periodic: tuple[bool, bool] = (False, False)  #: whether the grid repeats along x and y
    parts: PartInteraction | None = field(default=None, repr=False)  #: where these interact by a share only
    _displacement: np.ndarray | None = field(default=None, repr=False)  #: u_z behind the certificate, m
    _approach: float = field(default=0.0, repr=False)  #: for a reference length of 1 m where none is given

    def __post_init__(self) -> None:
        for array in (self.gap, self.pressure, self._displacement):
            if array is not None:
                array.setflags(write=False)  # what is certified must not change

    @property
    def state(self) -> dict[str, np.ndarray]:
        """Pressure (Pa) and displacement (m), from which `recover_contact` restores this result."""
        displacement = np.zeros(self.grid.shape) if self._displacement is None else self._displacement
        return {"pressure": self.pressure, "displacement": displacement}

    @property
    def ok(self) -> bool:
        """Whether the solution passed its certificate."""
        return self.status is Status.CONVERGED

    @property
    def approach(self) -> float:
        """Approach delta of distant points of the bodies, counted from gap zero, m."""
        self._require_reference("approach")
        return self._approach

    @cached_property
    def contact(self) -> np.ndarray:
        """Mask of the elements in contact (p > 0), (ny, nx)."""
        return self.pressure > 0.0

    @property
    def contact_area(self) -> float:
        """Area of the elements in contact, m2; width (m2 per metre) for line contact."""
        return float(self.contact.sum()) * self.grid.cell_area

    @cached_property
    def elements_across(self) -> int:
        """Elements across the narrower direction of the contact; below `COARSE` the grid is coarse.

        Of several patches, the least of those that carry a tenth of the force or more.
        """
        return count_across(self.pressure)

    @property
    def peak_pressure(self) -> float:
        """Largest pressure p0, Pa."""
        return float(self.pressure.max())

    @cached_property
    def center(self) -> tuple[float, float]:
        """Centre of pressure (x, y), m."""
        x, y, _ = self._moments
        return x, y

    @property
    def semi_axes(self) -> tuple[float, float]:
        """Semi-axes (a, b), m, along x and y, of the Hertz ellipse with the same second moments of pressure.

        For an inclined ellipse the first is the one closer to x; see `orientation`. A line contact has
        (half width, infinity).
        """
        return self._ellipse[:2]

    @property
    def orientation(self) -> float:
        """Angle between the first semi-axis and x, rad."""
        return self._ellipse[2]

    @cached_property
    def stiffness(self) -> float:
        """Contact stiffness dF/d(approach), N/m: exact for the converged contact, by one linear solve."""
        self._require_reference("stiffness")
        if all(self.periodic) and self.contact.all():
            return math.inf
        return float(self.pressure_rate.sum()) * self.grid.cell_area

    @cached_property
    def pressure_rate(self) -> np.ndarray:
        """Derivative dp/d(approach), Pa/m, (ny, nx): exact for the converged contact, by one linear solve."""
        self._require_reference("pressure_rate")
        if not self.contact.any():
            return np.zeros(self.grid.shape)
        rate, converged = solve_fixed_contact(self._half_space, self.contact, tol=STIFFNESS_TOLERANCE)
        if not converged:
            raise ConvergenceError(
                "the linear solve for the stiffness did not converge; solve again with a finer tol."
            )
        return rate

    def displacement(
        self, grid: Grid | None = None, body: int | None = None, *, component: str = "z"
    ) -> np.ndarray:
        """Return the surface displacement, m, (ny, nx); z points up.

        Parameters
        ----------
        grid
            Where to evaluate; the grid of the contact by default.
        body
            1 or 2 for the displacement of one body; by default the difference u1 - u2.
        component
            "x", "y" or "z".

        Raises
        ------
        InputError
            For a periodic contact, unless u1 - u2 on its own grid is asked for.

        Examples
        --------
        >>> grid, pair = tr.Grid(24, 24, 20e-6, 20e-6), tr.Pair(tr.STEEL, tr.STEEL)
        >>> n = tr.press(tr.Sphere(0.02), grid, pair, force=50.0)
        >>> bool(abs((n.gap + n.displacement() - n.approach)[n.contact]).max() < 1e-5 * n.approach)
        True
        """
        target = self.grid if grid is None else checks.instance("grid", grid, Grid)
        self._require_reference("displacement")
        if any(self.periodic) and (target != self.grid or body is not None):
            raise InputError(
                "the displacement of a periodic contact is available as u1 - u2 on its own grid only."
            )
        if body is None:
            return self._half_space.on_grid(component, "z", self.pressure, target)
        if self.pair.body(body).rigid:
            return np.zeros(target.shape)
        alone = HalfSpace.of_body(self.grid, self.pair, body).on_grid(component, "z", self.pressure, target)
        return alone if body == 1 else -alone

    def stress(self, points: ArrayLike, body: int = 2) -> Stress:
        """Return the stress under the contact pressure inside one of the bodies.

        Parameters
        ----------
        points, body
            As in `tr.subsurface_stress`.

        Raises
        ------
        InputError
            For a periodic contact, or points outside the body.

        Examples
        --------
        >>> grid, pair = tr.Grid(24, 24, 20e-6, 20e-6), tr.Pair(tr.STEEL, tr.STEEL)
        >>> n = tr.press(tr.Sphere(0.02), grid, pair, force=50.0)
        >>> below = n.stress([(0.0, 0.0, -0.5 * n.semi_axes[0])])
        >>> print(f"{below.von_mises[0] / n.peak_pressure:.2f} p0")
        0.63 p0
        """
        from traction.halfspace.subsurface import subsurface_stress

        if any(self.periodic):
            raise InputError("subsurface stress is for a free half space, not a periodic one.")
        traction = np.zeros((3, *self.grid.shape))
        traction[2] = self.pressure
        return subsurface_stress(points, self.grid, traction, self.pair, body=body)

    def _headline(self) -> str:
        few = 0 < self.elements_across < COARSE
        coarse = f"; coarse: at least {COARSE} elements across the contact are needed" if few else ""
        return f"{self.grid.nx} x {self.grid.ny} elements, {self.message}{coarse}"

    def _variables(self) -> Iterator[Variable]:
        (a, b), per_length = self.semi_axes, self.grid.is_line
        yield figure("force", self.force, "N/m" if per_length else "N", "normal force")
        if not (self._half_space.needs_length and self.grid.length is None):
            yield figure("approach", self.approach, "m", "approach")
        yield figure("peak_pressure", self.peak_pressure, "Pa", "peak pressure")
        yield figure("semi_axis_x", a, "m", "semi-axis along x")
        yield figure("semi_axis_y", b, "m", "semi-axis along y")
        yield figure("elements_across", self.elements_across, "1", "elements across the contact")
        yield number("contact_area", self.contact_area, "m" if per_length else "m2", "area in contact")
        yield number("orientation", self.orientation, "rad", "angle of the first semi-axis with x")
        yield number("iterations", self.iterations, "1", "iterations on the finest grid")
        yield axis("x", self.grid.x, "m", "position along x")
        yield axis("y", self.grid.y, "m", "position along y")
        yield data("gap", self.gap, "m", "undeformed distance", "y", "x")
        yield data("pressure", self.pressure, "Pa", "contact pressure", "y", "x")
        yield data("contact", self.contact, "1", "elements in contact", "y", "x")

    @property
    def _half_space(self) -> HalfSpace:
        return HalfSpace(self.grid, self.pair, self.periodic)

    def _require_reference(self, quantity: str) -> None:
        if (self.grid.is_line or any(self.periodic)) and self._half_space.needs_length:
            self.grid.reference_length(quantity)

    @cached_property
    def _moments(self) -> tuple[float, float, np.ndarray]:
        """Centre of pressure and central second moments per force, with the spread inside an element."""
        total = self.pressure.sum()
        if total == 0.0:
            return (*self.grid.center, np.zeros((2, 2)))
        weights = self.pressure / total
        along_x, along_y = weights.sum(axis=0), weights.sum(axis=1)
        x, y = float(along_x @ self.grid.x), float(along_y @ self.grid.y)
        dx, dy = self.grid.x - x, self.grid.y - y
        mixed = float(dy @ weights @ dx)
        xx = float(along_x @ dx**2) + self.grid.dx**2 / 12.0
        yy = float(along_y @ dy**2) + (0.0 if self.grid.is_line else self.grid.dy**2 / 12.0)
        return x, y, np.array([[xx, mixed], [mixed, yy]])

    @cached_property
    def _ellipse(self) -> tuple[float, float, float]:
        """Semi-axes and angle: an ellipse with Hertz pressure has the moments a^2/5, a strip a^2/4."""
        moments = self._moments[2]
        if self.grid.is_line:
            return 2.0 * math.sqrt(moments[0, 0]), math.inf, 0.0
        values, vectors = np.linalg.eigh(moments)
        first = int(np.argmax(np.abs(vectors[0])))
        direction = vectors[:, first] * np.sign(vectors[0, first])
        a, b = (math.sqrt(5.0 * max(values[k], 0.0)) for k in (first, 1 - first))
        return a, b, math.atan2(direction[1], direction[0])


def press(
    gap: GapInput,
    grid: Grid,
    pair: Pair,
    *,
    force: Either = None,
    approach: Either = None,
    tol: float = 1e-6,
    start: NormalContact | None = None,
    periodic: str | None = None,
    on_failure: str = "raise",
) -> NormalContact:
    """Solve frictionless contact of two elastic bodies (Boussinesq half spaces) on a grid.

    The pressure is p >= 0, the distance e = h + u(p) - delta >= 0, and p e = 0: none acts across a gap.

    Parameters
    ----------
    gap
        Undeformed distance h of the bodies, m: a surface such as `tr.Sphere(0.02)`, an array (ny, nx) over
        the grid, or a function h(x, y).
    grid
        Where the pressure is computed; it must contain the contact with some room.
    pair
        Materials of the two bodies.
    force
        Normal force F, N; N/m for line contact. Exactly one of `force` and `approach` is given.
    approach
        Approach delta of distant points, m, counted from gap zero: the bodies first touch when it equals the
        smallest gap, and below that the force is zero.
    tol
        Largest distance left in the contact, relative to the approach.
    start
        Earlier result to start the iteration from.
    periodic
        "x", "y" or "xy" repeats the grid in these directions. Displacements are then relative to their mean
        ("xy") or to a strip of length `grid.length` ("x", "y").
    on_failure
        "raise", or "return" to get a result that did not converge, with its status.

    Returns
    -------
    NormalContact
        Pressure, force, approach, contact area, stiffness and certificate.

    Raises
    ------
    InputError
        If an input is out of range, or not exactly one of force and approach is given.
    ConvergenceError
        If the iteration does not converge, or the contact reaches the edge of the grid; the error carries
        the result.

    Warns
    -----
    CoarseGridWarning
        If the contact has fewer than 8 elements across.

    Notes
    -----
    The solution minimises the complementary energy (Kalker 1990, chapter 3). It is found by preconditioned
    conjugate gradients (Polonsky and Keer 1999) on nested grids, with the influence of a uniformly loaded
    rectangle (Love 1929). The certificate is computed from the solution
    and proves the discrete problem; `elements_across` shows whether the grid is fine enough: with n elements
    across a smooth patch the peak pressure is off by up to about 1/n^2, 1.5 % for 8.

    Examples
    --------
    Ball on a plate, compared with Hertz:

    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> grid = tr.Grid(48, 48, dx=10e-6, dy=10e-6)
    >>> n = tr.press(tr.Sphere(0.02), grid, pair, force=50.0)
    >>> exact = tr.hertz.sphere(0.02, pair, force=50.0)
    >>> print(f"{n.approach * 1e6:.2f} um, {exact.approach * 1e6:.2f} um")
    1.76 um, 1.76 um
    """
    result = solve_press(
        gap, grid, pair, force=force, approach=approach, tol=tol, start=start, periodic=periodic,
        on_failure=on_failure,
    )  # fmt: skip
    warn_of_coarse_grid(result)
    return result


def warn_of_coarse_grid(result: NormalContact) -> None:
    """Warn the user of a contact with few elements across."""
    n = result.elements_across
    if not (result.ok and 0 < n < COARSE):
        return
    off = f"about {100.0 / n**2:.0f} %" if n > 2 else "tens of per cent"
    times = math.ceil(COARSE / n)
    warn_user(
        f"the contact has {counted(n, 'element')} across its narrower direction, at least {COARSE} are "
        f"needed: expect errors of the peak pressure of {off}. Divide the grid {times} times finer there, to "
        f"{result.grid.dx / times:.3g} m x {result.grid.dy / times:.3g} m.",
        CoarseGridWarning,
    )


def solve_press(
    gap: GapInput,
    grid: Grid,
    pair: Pair,
    *,
    force: Either = None,
    approach: Either = None,
    tol: float = 1e-6,
    start: NormalContact | None = None,
    periodic: str | None = None,
    on_failure: str = "raise",
    guess: np.ndarray | None = None,
    laid_around: bool = False,
) -> NormalContact:
    """`press` without the warning of coarse grids; `guess` is a pressure to begin from where no start is.

    A grid that is `laid_around` the contact needs no window in it, if it is small.
    """
    began = perf_counter()
    field = gap_on(gap, grid)
    problem = check_problem(field, grid, pair, force=force, approach=approach, periodic=periodic)
    checks.tolerance("tol", tol)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    if problem.approach is not None and problem.approach <= 0.0:
        solution = solve_separated(problem)
    else:
        begun = _check_start(start, problem)
        if begun is None and guess is not None and guess.any():
            begun = StartPressure(guess)
        if laid_around and begun is not None and is_small_grid(problem):
            solution = solve_on_whole_grid(problem, tol=tol, start=begun)
        else:
            solution = solve_on_nested_grids(problem, tol=tol, start=begun)
    result = build_result(field, problem, solution, tol, began)
    if on_failure == "raise" and not result.ok:
        raise ConvergenceError(result.message[0].upper() + result.message[1:] + ".", result)
    return result


def recover_contact(
    pressure: np.ndarray,
    gap: GapInput,
    grid: Grid,
    pair: Pair,
    *,
    displacement: np.ndarray | None = None,
    periodic: str | None = None,
    tol: float = 1e-6,
) -> NormalContact:
    """Restore a result from its stored pressure (Pa) and, if known, displacement (m); certify it again."""
    began = perf_counter()
    field = gap_on(gap, grid)
    stored = checks.finite_array("pressure", pressure, grid.shape, "Pa").copy()
    force = float(stored.sum()) * grid.cell_area
    load = (force, None) if force > 0.0 else (None, float(field.min()))
    problem = check_problem(field, grid, pair, force=load[0], approach=load[1], periodic=periodic)
    if displacement is None:
        displacement = problem.half_space.shifted("z", "z", stored, (0, 0), grid.shape)
    carried = stored > 0.0
    approach = float(np.mean((problem.gap + displacement)[carried])) if carried.any() else 0.0
    solution = GridSolution(stored, np.array(displacement), approach, 0, 0, (), converged=True)
    return build_result(field, problem, solution, tol, began)


def solve_separated(problem: NormalProblem) -> GridSolution:
    """Return the solution for bodies that do not touch."""
    nothing = np.zeros(problem.grid.shape)
    approach = 0.0 if problem.approach is None else problem.approach
    return GridSolution(nothing, nothing, approach, 0, 0, (), converged=True)


def build_result(
    gap: np.ndarray, problem: NormalProblem, solution: GridSolution, tol: float, began: float
) -> NormalContact:
    """Certify the solution and build the result."""
    area = problem.grid.cell_area
    asked = None if problem.force is None else problem.force / area
    fields = (problem.gap, solution.displacement, solution.pressure)
    certificate = certify_pressure(fields, solution.approach, asked=asked, least_depth=problem.least_depth)
    status, message = Status.CONVERGED, str(Status.CONVERGED)
    sides = find_reached_sides(solution.pressure > 0.0, problem.periodic)
    if not solution.converged or not certificate.holds(tol):
        status = Status.STALLED
        message = status.describe(iterations=solution.iterations, residual=certificate.largest, tol=tol)
    elif any(sides):
        status, message = advise_grid_size(problem, sides)
    return NormalContact(
        grid=problem.grid,
        gap=gap,
        pair=problem.pair,
        pressure=solution.pressure,
        force=float(solution.pressure.sum()) * area,
        status=status,
        message=message,
        certificate=certificate,
        iterations=solution.iterations,
        residuals=solution.residuals,
        products=solution.products,
        seconds=perf_counter() - began,
        periodic=problem.periodic,
        _displacement=solution.displacement,
        _approach=solution.approach + problem.lowest,
    )


def _check_start(start: NormalContact | None, problem: NormalProblem) -> StartPressure | None:
    """Pressure of an earlier result on this grid, with its displacement where the half space is the same."""
    if start is None:
        return None
    if not isinstance(start, NormalContact):
        raise InputError(f"start is a {type(start).__name__}, but must be an earlier result of tr.press.")
    if not start.pressure.any():
        return None
    if (start.grid, start.pair, start.periodic) == (problem.grid, problem.pair, problem.periodic):
        return StartPressure(start.pressure, start._displacement)
    pressure = start.pressure
    if start.grid.shape != problem.grid.shape:
        pressure = resample_pressure(pressure, start.grid, problem.grid)
    return StartPressure(pressure) if pressure.any() else None
