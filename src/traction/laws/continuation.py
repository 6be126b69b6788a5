"""A contact that follows its approach: from one solution to the next one nearby.

While the contact area is constant, the pressure is linear in the approach. An earlier pressure and its rate
predict the next one, and the iteration only treats elements that enter or leave. Force,
stiffness and energy are evaluated such that their errors are products of two residuals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.contact.normal.conjugate_gradients import (
    MAX_ITERATIONS,
    MAX_SUMMED_SMALL,
    PATIENCE,
    run_iteration,
)
from traction.contact.normal.contact_window import Box, Window, WindowedHalfSpace
from traction.contact.normal.grid_size_advice import find_reached_sides
from traction.contact.normal.kernels.pressure_fields import find_bounding_box
from traction.contact.normal.kernels.pressure_iteration import (
    DISPLACE,
    ContactFields,
    ContactLoad,
    IterationLimits,
    IterationState,
    WindowInfluence,
)
from traction.contact.normal.normal_problem import NormalProblem
from traction.contact.normal.normal_solver import MAX_ROUNDS
from traction.errors import ConvergenceError
from traction.halfspace.half_space import HalfSpace
from traction.laws.kernels import continuation_steps as kernels
from traction.status import Status

MARGIN = 2  #: elements between the contact and the border of its window, at least
STEP = 4  #: windows come in multiples of it: few tables are needed, and their blocks are full
LARGEST_FALL = 100.0  #: decrease of the approach over the remaining depth, up to which a start is useful
LEAST_DEPTH = 1e-100  #: overlap that counts as contact, m
#: of the rate, over the root of the tolerance of the pressure, as its error enters squared
RATE_TOLERANCE = 0.1
GIVEN_APPROACH = ContactLoad(0.0, force_given=False, fixed=False, least_depth=0.0)
FIXED_CONTACT = GIVEN_APPROACH._replace(fixed=True)
NO_STEPS = IterationLimits(0.0, 0.0, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class HalfSpaceMemory(Mapping[str, np.ndarray]):
    """Result of a solution for the next one; fields over the grid, immutable.

    As a mapping it presents its parts as read-only arrays.
    """

    approach: float  #: counted from gap zero, m
    pressure: np.ndarray  #: Pa
    rate: np.ndarray  #: d(pressure)/d(approach), Pa/m, zero outside the contact
    contact: np.ndarray  #: mask of the elements in contact
    stiffness: float  #: d(force)/d(approach), N/m

    def __getitem__(self, name: str) -> np.ndarray:
        array = np.asarray(vars(self)[name]).view()
        array.setflags(write=False)
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self))

    def __len__(self) -> int:
        return len(vars(self))

    @classmethod
    def empty(cls, shape: tuple[int, ...]) -> HalfSpaceMemory:
        """No contact."""
        nothing = np.zeros(shape)
        return cls(0.0, nothing, nothing, np.zeros(shape, dtype=np.bool_), 0.0)

    def widened_to(self, shape: tuple[int, int]) -> HalfSpaceMemory:
        """The same on a grid with more rows and columns, as many on either side."""
        margin = [((n - m) // 2,) * 2 for n, m in zip(shape, self.pressure.shape, strict=True)]
        pressure, rate, contact = (np.pad(f, margin) for f in (self.pressure, self.rate, self.contact))
        return HalfSpaceMemory(self.approach, pressure, rate, contact, self.stiffness)


class ContactSolution(NamedTuple):
    """Requested quantities, and the memory for the next solution."""

    memory: HalfSpaceMemory
    force: float = 0.0  #: N
    energy: float = 0.0  #: J
    iterations: int = 0  #: of pressure and rate
    edges: tuple[bool, bool] = (False, False)  #: along x and y, whether the contact reaches the edge


class WindowInfluences:
    """Influence of compiled products on windows of each shape.

    Built once, the same on grids of any extent.
    """

    def __init__(self, half_space: HalfSpace) -> None:
        self._half_space = half_space
        self._influences: dict[tuple[int, int], WindowInfluence] = {}

    def on(self, window: Window) -> WindowInfluence:
        """Influence on this window."""
        shape = (window.ny, window.nx)
        if shape not in self._influences:
            operator = WindowedHalfSpace(self._half_space, window)
            self._influences[shape] = operator.influence(compiled=True)
        return self._influences[shape]


class ContactTask(NamedTuple):
    """A contact to be solved."""

    problem: NormalProblem  #: gap and grid; its load is not used
    approach: float  #: counted from gap zero, m
    influences: WindowInfluences
    tol: float  #: distance left in the contact over the deepest overlap

    @property
    def depth(self) -> float:
        """Approach counted from the lowest gap, m; zero where its square would underflow."""
        depth = self.approach - self.problem.lowest
        return depth if depth > LEAST_DEPTH else min(depth, 0.0)

    @property
    def overlap(self) -> np.ndarray:
        """Where the undeformed bodies overlap: pressure parts them, so there is no contact elsewhere."""
        return self.problem.gap < self.depth


class SettledWindow(NamedTuple):
    """The settled pressure on a window."""

    window: Window
    fields: ContactFields
    iterations: int


def follow_approach(task: ContactTask, before: HalfSpaceMemory) -> ContactSolution:
    """The contact at the approach of the task, beginning from an earlier one."""
    shape, area = task.problem.grid.shape, task.problem.grid.cell_area
    if task.depth <= 0.0:
        return ContactSolution(HalfSpaceMemory.empty(shape))
    change = task.approach - before.approach
    pressure, any_left = kernels.predict_pressure(before.pressure, before.rate, change)
    if change < -LARGEST_FALL * task.depth:  # what is left of the pressure is its rounding
        any_left = False
    patch = _settle_from(task, pressure if any_left else None)
    contact = spread_on_grid(patch.fields.contact, patch.window, shape)
    if (contact == before.contact).all():
        rate, stiffness, steps = before.rate, before.stiffness, 0
    else:
        rate, total, steps = settle_rate(task, patch, before.rate)
        stiffness = total * area
    local = rate[patch.window.slices].copy()
    force, energy = kernels.sum_contact(tuple(patch.fields), local, task.depth)
    after = HalfSpaceMemory(
        task.approach, spread_on_grid(patch.fields.pressure, patch.window, shape), rate, contact, stiffness
    )
    edges = find_reached_sides(contact, (False, False))
    return ContactSolution(after, force * area, energy * area, patch.iterations + steps, edges)


def _settle_from(task: ContactTask, pressure: np.ndarray | None) -> SettledWindow:
    """Pressure that satisfies the contact conditions, from a predicted one, or from the whole overlap.

    A prediction from a far smaller contact may not lead there.
    """
    if pressure is not None:
        try:
            return settle_window(task, pressure, pressure > 0.0)
        except ConvergenceError:
            pass
    return settle_window(task, np.zeros(task.problem.grid.shape), task.overlap)


def settle_window(task: ContactTask, pressure: np.ndarray, occupied: np.ndarray) -> SettledWindow:
    """Pressure that satisfies the contact conditions on the whole grid, from a start and a first window."""
    shape, iterations, residual = task.problem.grid.shape, 0, math.nan
    # The change of the last step says nothing here: a prediction may need no step at all.
    limits = IterationLimits(task.tol, math.inf, PATIENCE, MAX_ITERATIONS, MAX_SUMMED_SMALL)
    for _ in range(MAX_ROUNDS):
        window = choose_window(find_bounding_box(occupied), shape, MARGIN)
        inside = window.slices
        fields = start_fields(task.problem.gap[inside], pressure[inside])
        influence, start = task.influences.on(window), IterationState(DISPLACE, task.depth)
        result = run_iteration(fields, influence, GIVEN_APPROACH, limits, start, window.inner_sides(shape))
        iterations += result.state.iterations
        residual = result.residuals[result.state.iterations]
        converged, crowded = result.converged, result.state.crowded
        if not (converged or crowded):
            break
        further = None if crowded else find_penetrating_outside(task, window, fields.pressure)
        if converged and not crowded and further is None:
            return SettledWindow(window, fields, iterations)
        pressure, occupied = (spread_on_grid(f, window, shape) for f in (fields.pressure, fields.contact))
        if further is not None:
            occupied |= further
    stalled = Status.STALLED.describe(iterations=iterations, residual=residual, tol=task.tol)
    raise ConvergenceError(f"Contact at approach = {task.approach:.9g} m: {stalled}.")


def start_fields(gap: np.ndarray, pressure: np.ndarray) -> ContactFields:
    """Copies of a gap and a pressure, its contact, and storage for its displacement."""
    return ContactFields(gap.copy(), pressure.copy(), np.empty(gap.shape), pressure > 0.0)


def find_penetrating_outside(task: ContactTask, window: Window, pressure: np.ndarray) -> np.ndarray | None:
    """Elements outside the window that penetrate, over the grid; None where there are none."""
    shape = task.problem.grid.shape
    (top, bottom, left, right), own = find_bounding_box(task.overlap), window.box
    box = min(top, own[0]), max(bottom, own[1]), min(left, own[2]), max(right, own[3])
    if box == window.box:
        return None
    whole = choose_window(box, shape, 0)
    inside = whole.slices
    fields = start_fields(task.problem.gap[inside], spread_on_grid(pressure, window, shape)[inside])
    start, margin = IterationState(DISPLACE, task.depth), task.tol * task.depth
    residual = run_iteration(fields, task.influences.on(whole), GIVEN_APPROACH, NO_STEPS, start).residual
    if residual.max() <= margin:
        return None
    return spread_on_grid(~(residual <= margin), whole, shape)  # NaN counts as deep


def settle_rate(task: ContactTask, patch: SettledWindow, before: np.ndarray) -> tuple[np.ndarray, float, int]:
    """Rate on the contact of the patch (Pa/m, over the grid), its sum, and iterations.

    With the residual s = 1 - A r the sum 1.r + r.s is that of the exact rate up to an error of second order,
    s.A^-1.s.
    """
    contact, shape = patch.fields.contact, patch.fields.gap.shape
    rate = np.where(contact, before[patch.window.slices], 0.0)
    tol = RATE_TOLERANCE * math.sqrt(task.tol)
    result = run_iteration(
        ContactFields(np.zeros(shape), rate, np.empty(shape), contact),
        task.influences.on(patch.window),
        FIXED_CONTACT,
        IterationLimits(tol, math.inf, MAX_ITERATIONS, MAX_ITERATIONS, 0),
        IterationState(DISPLACE, 1.0),
    )
    if not result.converged:
        raise ConvergenceError(
            f"The stiffness at approach = {task.approach:.9g} m did not converge in "
            f"{result.state.iterations} iterations; relax tol = {task.tol}."
        )
    total = float(np.cumsum(rate * (1.0 + result.residual))[-1])  # in a fixed order
    return spread_on_grid(rate, patch.window, task.problem.grid.shape), total, result.state.iterations


def choose_window(box: Box, shape: tuple[int, int], margin: int) -> Window:
    """Window in the grid that contains the box and a margin, in whole steps."""
    top, ny = _extent(box[0], box[1], shape[0], margin)
    left, nx = _extent(box[2], box[3], shape[1], margin)
    return Window(top, left, ny, nx)


def _extent(first: int, last: int, n: int, margin: int) -> tuple[int, int]:
    """Start and size, in a direction of n elements, of a window around the elements first to last."""
    size = last - first + 1
    wanted = -(-(size + 2 * margin) // STEP) * STEP
    if wanted >= n:
        return 0, n
    return min(max(first - (wanted - size) // 2, 0), n - wanted), wanted


def spread_on_grid(field: np.ndarray, window: Window, shape: tuple[int, int]) -> np.ndarray:
    """The field over the grid, zero outside the window."""
    full = np.zeros(shape, dtype=field.dtype)
    full[window.slices] = field
    return full
