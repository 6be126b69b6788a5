"""Normal contact of patches: at a given height, or under a given vertical force."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import numpy as np

from traction.contact.normal.coarse_grids import resample_pressure
from traction.contact.normal.contact_window import displace_parts_by_waves, has_waves
from traction.contact.normal.press import NormalContact, solve_press
from traction.errors import InputError
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.tasks import Solving, Task
from traction.wheelsets.patches.wheel_side import MOST_OVERLAP, WheelSide

STEPS = 25  #: of the height of several patches with their planes held
NEARLY, COARSELY = 10.0, 1e-3  #: error of their force, in tolerances of the contact; and at most
PASSES = 30  #: of parts of a patch whose interaction fades
BISECTIONS = 30  #: for the lowest height of elastic bodies
FADED = 3.0  #: change of their distance by the last pass, over the overlap and the tolerance


@dataclass(frozen=True, eq=False)
class PressedPatch:
    """A patch and its normal contact."""

    plane: ContactPlane
    normal: NormalContact
    lean: tuple[float, float] = (0.0, 0.0)  #: tangential forces along x and s over the normal force

    @property
    def upward(self) -> float:
        """Vertical force per normal force."""
        return self.plane.upward(self.lean)

    @property
    def sideward(self) -> float:
        """Lateral force per normal force, by which the vertical one changes as the plane turns about x."""
        return float(self.plane.axes[:, 1] @ (*self.lean, 1.0))


@dataclass(frozen=True, eq=False)
class PressedSides:
    """All patches of one or two wheels at the height found."""

    height: float  #: m; about it where planes were lowered far
    patches: tuple[PressedPatch, ...]
    laid: float  #: height at which their planes were laid, m
    stiffness: float = 0.0  #: vertical, of several patches together, N/m; 0 where it is not known


@dataclass(eq=False)
class PressTask(Task):
    """A patch to be pressed under a force (N), or by an approach (m)."""

    order: ClassVar[int] = 0
    plane: ContactPlane
    pair: Pair
    tol: float
    force: float | None = None
    approach: float | None = None
    start: NormalContact | None = None  #: a similar contact to begin from
    normal: NormalContact = field(init=False)  #: the solution

    def compute(self) -> None:
        """Press it."""
        self.normal = press_plane(
            self.plane, self.pair, force=self.force, approach=self.approach, tol=self.tol, start=self.start
        )


def press_at_height(
    sides: Sequence[WheelSide],
    height: float,
    pair: Pair,
    steps: tuple[float, float],
    most: int | None = None,
    tol: float = 1e-6,
) -> Solving[PressedSides]:
    """Press all patches at a height; none where the wheels do not touch."""
    planes = [plane for side in sides for plane in side.planes(height, steps, most)]
    tasks = [PressTask(plane, pair, tol, approach=0.0, coarse=most is not None) for plane in planes]
    yield tasks
    return PressedSides(height, tuple(PressedPatch(task.plane, task.normal) for task in tasks), height)


def press_together(
    planes: Sequence[ContactPlane],
    leans: Sequence[tuple[float, float]],
    height: float,
    force: float,
    pair: Pair,
    *,
    tol: float = 1e-6,
    starts: Sequence[NormalContact] = (),
    coarse: bool = False,
    far: float = math.inf,
    stiffness: float = 0.0,
) -> Solving[PressedSides]:
    """Press planes that are held to the vertical force; lowering them is an approach along their normals.

    Several planes are lowered step by step, and no more than to about the height where that is `far` (m) from
    where they were laid, as they are to be laid anew. `stiffness` is about that of all, N/m, if known.
    """
    upward = [plane.upward(lean) for plane, lean in zip(planes, leans, strict=True)]
    begun = list(starts) if starts else [None] * len(planes)
    if len(planes) == 1:
        task = PressTask(planes[0], pair, tol, force=force / upward[0], start=begun[0], coarse=coarse)
        yield [task]
        lowered = task.normal.approach / planes[0].upward()
        return PressedSides(height - lowered, (PressedPatch(planes[0], task.normal, leans[0]),), height)
    tasks = [
        PressTask(plane, pair, tol, start=start, coarse=coarse)
        for plane, start in zip(planes, begun, strict=True)
    ]
    lowered, stiffness = yield from _lower_planes(tasks, upward, force, far, stiffness)
    patches = [PressedPatch(task.plane, task.normal, lean) for task, lean in zip(tasks, leans, strict=True)]
    return PressedSides(height - lowered, tuple(patches), height, stiffness)


def fitting_starts(
    planes: Sequence[ContactPlane], earlier: Sequence[NormalContact]
) -> Sequence[NormalContact]:
    """Earlier contacts to begin from: those of other planes and grids too, if there are as many."""
    return earlier if len(planes) == len(earlier) else ()


def _lower_planes(
    tasks: Sequence[PressTask], upward: Sequence[float], force: float, far: float, slope: float
) -> Generator[Sequence[PressTask], None, tuple[float, float]]:
    """How far several planes are lowered to carry a force, m, and their stiffness; tasks are solved.

    By a secant iteration, whose first slope is that given, or Hertz'.
    """
    deepest = max(task.plane.overlap for task in tasks)
    lowered, allowed = 0.0, min(NEARLY * tasks[0].tol, COARSELY)
    last: tuple[float, float] | None = None
    for _ in range(STEPS):
        for task in tasks:
            task.approach = lowered * task.plane.upward()
        yield tasks
        for task in tasks:
            task.start = task.normal
        carried = sum(up * task.normal.force for up, task in zip(upward, tasks, strict=True))
        if abs(force - carried) <= allowed * force:
            break
        if last is not None and lowered != last[0]:
            slope = (carried - last[1]) / (lowered - last[0])
        if not slope > 0.0:
            slope = _guess_stiffness(tasks, upward, lowered)
        if not slope > 0.0:
            slope = 1.5 * max(carried, 0.1 * force) / max(deepest + lowered, 0.1 * deepest)
        last = lowered, carried
        step = (force - carried) / slope
        lowered += min(max(step, -0.5 * (deepest + lowered)), 2.0 * deepest)
        overlap = max(task.plane.overlap + lowered * task.plane.upward() for task in tasks)
        if abs(lowered) > far or not overlap <= MOST_OVERLAP:
            break
    return lowered, slope


def _guess_stiffness(tasks: Sequence[PressTask], upward: Sequence[float], lowered: float) -> float:
    """Vertical force per metre of lowering, N/m, where each patch follows the power law of Hertz."""
    total = 0.0
    for task, up in zip(tasks, upward, strict=True):
        down = task.plane.upward()
        depth = task.plane.overlap + lowered * down
        if depth > 0.0:
            total += 1.5 * up * down * task.normal.force / depth
    return total


def press_plane(
    plane: ContactPlane,
    pair: Pair,
    *,
    force: float | None = None,
    approach: float | None = None,
    tol: float = 1e-6,
    start: NormalContact | None = None,
) -> NormalContact:
    """Press a patch; of parts whose interaction fades, until each stands on what the others displace.

    The half space lets parts interact fully. Where only a share of it is wanted, the rest is taken from the
    gap of each part.
    """

    def press(gap: np.ndarray, begin: NormalContact | None) -> NormalContact:
        return solve_press(
            gap, plane.grid, pair, force=force, approach=approach, tol=tol, start=begin, on_failure="return",
            guess=plane.guess_pressure(approach or 0.0) if begin is None else None, laid_around=True,
        )  # fmt: skip

    parts = plane.parts
    if parts is None:
        return press(plane.gap, start)
    half_space, lack = HalfSpace(plane.grid, pair), parts.lack
    take_back = partial(lack.displace_rows, partial(half_space.product, "z", "z"))
    if has_waves(half_space):
        take_back = partial(displace_parts_by_waves, half_space, lack)
    if start is not None:
        pressure = _move_pressure(start, plane.grid)
    elif force is not None and plane.overlap > 0.0:
        guess = plane.guess_pressure()
        pressure = guess * (force / (float(guess.sum()) * plane.grid.cell_area))
    else:
        pressure = press(plane.gap, None).pressure
    gap, normal = plane.gap + take_back(pressure), start
    for _ in range(PASSES):
        normal = press(gap, normal)
        changed = plane.gap + take_back(normal.pressure)
        if float(np.abs(changed - gap).max()) <= FADED * tol * max(plane.overlap, 1e-9):
            break
        gap = changed
    assert normal is not None
    return replace(normal, parts=parts)


def _move_pressure(start: NormalContact, grid: Grid) -> np.ndarray:
    """Pressure of a similar contact on a grid, Pa; one of the same shape has only moved."""
    if start.grid.shape == grid.shape:
        return start.pressure
    return resample_pressure(start.pressure, start.grid, grid)


def is_bearable(sides: Sequence[WheelSide], height: float) -> bool:
    """Whether wheels at a height overlap their rails by no more than elastic bodies can."""
    if max(side.touching_height for side in sides) - height <= MOST_OVERLAP:
        return True
    return max(side.find_overlap(height) for side in sides) <= MOST_OVERLAP


def find_deepest(sides: Sequence[WheelSide], height: float) -> float:
    """Lowest height of an overlap that elastic bodies can have, above one at which it is too large, m."""
    high = max(side.touching_height for side in sides)
    for _ in range(BISECTIONS):
        middle = 0.5 * (height + high)
        height, high = (height, middle) if is_bearable(sides, middle) else (middle, high)
    return high


def refuse_force(force: float, carried: float) -> InputError:
    """The error of a force (N) above what is `carried` at the largest overlap of elastic bodies."""
    if not carried > 0.0:
        return InputError(
            f"force = {force:.6g} N: the flange would slide up its rail, as friction and contact angle leave "
            "no upward force. Give z instead, or less friction."
        )
    overlap = MOST_OVERLAP * (force / carried) ** (2.0 / 3.0)
    return InputError(
        f"force = {force:.6g} N would press wheel and rail {overlap:.3g} m into each other, at most "
        f"{MOST_OVERLAP} m is a contact of elastic bodies: more than the profiles carry in this "
        "position. Reduce the force, or the lateral shift."
    )
