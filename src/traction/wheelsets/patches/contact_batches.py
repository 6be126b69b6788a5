"""`ContactBatches`: patches of many positions brought onto grids of a few shapes and solved together.

Grids of patches have elements of one size, but each its own number of them. They are filled up to the next
of some sizes, with the bodies far apart there, so that patches of about the same size share a `Batch`.
Rolling of like bodies needs the elements in contact only: these are cut out and laid into the middle of a
grid, and the creepages referred to that middle. Where bodies are unlike, friction changes the pressure and
with it the contact, which must be free to grow: those are rolled singly.
"""

from __future__ import annotations

import warnings
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from traction.contact.batch.batch import Batch, find_device
from traction.contact.normal.contact_window import displace_by_waves, has_waves
from traction.contact.normal.kernels.pressure_fields import find_bounding_box
from traction.contact.normal.press import NormalContact, recover_contact
from traction.errors import CoarseGridWarning, TractionError
from traction.friction_laws.friction_law import FrictionLaw
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.status import Status
from traction.wheelsets.patches.patch_pressing import PressTask
from traction.wheelsets.patches.rail_friction import RailFriction
from traction.wheelsets.patches.rolling import CertifiedForces, RollTask
from traction.wheelsets.patches.tasks import Task

SIZES = (8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128)  #: elements of a grid along x, or along the surface
LEAST_MEMBERS = 8  #: for which a batch is worth its set-up
GROWTH = 2.0  #: of the elements of a grid that few others join, at most
FILLED = 1.3  #: elements of a rectangle around the ellipse of a contact, over those in contact
APART = 1e-3  #: distance of the bodies, beyond the largest one of a patch, where its grid is filled up, m
ROUNDING = 2.0  #: of the tolerance of a pressure, by which its certificate on another grid may differ

Shape = tuple[int, int]
Member = TypeVar("Member")


@dataclass(frozen=True, eq=False)
class BatchedRolling:
    """Steady rolling by whole cells, which a batch can solve."""

    surface: RailFriction
    direction: int  #: 1 or -1


class ContactBatches:
    """Solves contacts that many positions wait for; `rolling` is None where a batch does not know it."""

    def __init__(
        self, pair: Pair, steps: tuple[float, float], rolling: BatchedRolling | None, device: str
    ) -> None:
        self.pair, self.steps, self.rolling, self.name = pair, steps, rolling, device
        self.device = find_device(device)
        self._batches: dict[Shape, Batch] = {}
        self._pressed: set[Shape] = set()  #: shapes whose matrices for pressures are filled

    def solve(self, tasks: Sequence[Task]) -> None:
        """Solve those that fit into batches; what is left is to be solved singly."""
        presses: dict[tuple[float, bool], dict[Shape, list[PressTask]]] = {}
        rolls: dict[Shape, list[RollTask]] = {}
        for task in tasks:
            if isinstance(task, PressTask) and task.plane.parts is None:
                alike = presses.setdefault((task.tol, task.force is None), {})
                alike.setdefault(round_up(task.plane.grid.shape), []).append(task)
            elif isinstance(task, RollTask) and self._is_known(task):
                rolls.setdefault(round_up(find_box(task.patch.normal).shape), []).append(task)
        for (tol, _), alike in presses.items():
            for shape, pressed in gather_shapes(alike, self.device.most_pressed, tuple(self._pressed)):
                self._pressed.add(shape)
                self._press(self._find(shape), pressed, tol)
        for shape, rolled in gather_shapes(rolls, FILLED * self.device.most_rolled):
            self._roll(self._find(shape), rolled)

    def _is_known(self, task: RollTask) -> bool:
        """Whether a batch knows the friction of a patch, and that leaves its contact as it is."""
        normal = task.patch.normal
        if self.rolling is None or self.pair.mismatch != 0.0:
            return False
        if normal.parts is not None or not (normal.ok and normal.contact.any()):
            return False
        return isinstance(self.rolling.surface.at_angle(task.patch.plane), float | FrictionLaw)

    def _find(self, shape: Shape) -> Batch:
        if shape not in self._batches:
            (ny, nx), (dx, dy) = shape, self.steps
            self._batches[shape] = Batch(Grid(nx, ny, dx, dy), self.pair, self.name)
        return self._batches[shape]

    def _press(self, batch: Batch, tasks: Sequence[PressTask], tol: float) -> None:
        """Press patches under forces, or by approaches."""
        shape = batch.grid.shape
        boxes = [Box(0, 0, *task.plane.grid.shape) for task in tasks]
        gaps = np.array(
            [
                box.lay(task.plane.gap, shape, float(task.plane.gap.max()) + APART)
                for box, task in zip(boxes, tasks, strict=True)
            ]
        )
        loads = np.array([task.approach if task.force is None else task.force for task in tasks])
        given = {"approaches" if tasks[0].force is None else "forces": loads}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CoarseGridWarning)  # of patches users are warned
            try:
                found = batch.press(gaps, tol=tol, fields=True, **given)
            except TractionError:  # the single solver says of which patch
                return
        assert found.pressure is not None
        alone = set(found.singles.tolist())
        for k, (box, task) in enumerate(zip(boxes, tasks, strict=True)):
            if k in alone or found.status[k] is not Status.CONVERGED:
                continue
            normal = self._restore(box.cut(found.pressure[k], shape), task, tol)
            if normal.ok:
                task.normal, task.singly = normal, False

    def _restore(self, pressure: np.ndarray, task: PressTask, tol: float) -> NormalContact:
        """A contact on the grid of its patch, certified there."""
        grid, half_space = task.plane.grid, HalfSpace(task.plane.grid, self.pair)
        displacement = displace_by_waves(half_space, pressure) if has_waves(half_space) else None
        return recover_contact(
            pressure, task.plane.gap, grid, self.pair, displacement=displacement, tol=ROUNDING * tol
        )

    def _roll(self, batch: Batch, tasks: Sequence[RollTask]) -> None:
        """Roll patches with their creepages."""
        assert self.rolling is not None
        surface, shape = self.rolling.surface, batch.grid.shape
        boxes = [find_box(task.patch.normal) for task in tasks]
        normals = [
            box.lay_contact(task.patch.normal, batch.grid) for box, task in zip(boxes, tasks, strict=True)
        ]
        if np.count_nonzero(np.any([n.contact for n in normals], axis=0)) > self.device.most_rolled:
            return
        middles = [
            box.find_middle(task.patch.normal.grid, shape) for box, task in zip(boxes, tasks, strict=True)
        ]
        creepages = [
            (xi - phi * y, eta + phi * x, phi)
            for (x, y), (xi, eta, phi) in zip(middles, (task.creep.creepage for task in tasks), strict=True)
        ]
        friction = [surface.at_angle(task.patch.plane) for task in tasks]
        try:
            found = batch.roll_steady(
                normals,
                friction,
                creepages,
                speed=[task.creep.speed for task in tasks] if surface.needs_speed else None,
                layer=surface.layer,
                direction=self.rolling.direction,
                discretisation="classical",
            )
        except TractionError:  # the single solver says of which patch
            return
        alone = set(found.singles.tolist())
        for k, (task, (x, y)) in enumerate(zip(tasks, middles, strict=True)):
            if k in alone or found.status[k] is not Status.CONVERGED:
                continue
            fx, fs = found.force[k].tolist()
            task.tangential = CertifiedForces(
                (fx, fs),
                float(found.moment[k]) + x * fs - y * fx,
                float(found.friction[k]),
                task.creep.creepage,
                error=float(found.error[k]),
            )
            task.singly = False


@dataclass(frozen=True)
class Box:
    """Rows and columns of a grid that are laid into the middle of another one."""

    top: int
    left: int
    rows: int
    columns: int

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def own(self) -> tuple[slice, slice]:
        """Where it is on its own grid."""
        return slice(self.top, self.top + self.rows), slice(self.left, self.left + self.columns)

    def place(self, shape: Shape) -> tuple[slice, slice]:
        """Where it is laid on a grid of that shape."""
        top, left = (shape[0] - self.rows) // 2, (shape[1] - self.columns) // 2
        return slice(top, top + self.rows), slice(left, left + self.columns)

    def lay(self, field: np.ndarray, shape: Shape, around: float) -> np.ndarray:
        """A field of its own grid on the other one, with a value around it."""
        laid = np.full(shape, around)
        laid[self.place(shape)] = field[self.own]
        return laid

    def cut(self, field: np.ndarray, shape: Shape) -> np.ndarray:
        """A field of the other grid on the box."""
        return np.ascontiguousarray(field[self.place(shape)])

    def lay_contact(self, normal: NormalContact, grid: Grid) -> NormalContact:
        """A contact on the other grid."""
        gap = self.lay(normal.gap, grid.shape, float(normal.gap.max()) + APART)
        pressure = self.lay(normal.pressure, grid.shape, 0.0)
        return replace(normal, grid=grid, gap=gap, pressure=pressure, _displacement=None)

    def find_middle(self, grid: Grid, shape: Shape) -> tuple[float, float]:
        """x and y, on its own grid, of the middle of the other one, m."""
        rows, columns = self.place(shape)
        x = float(grid.x[self.left]) + (0.5 * (shape[1] - 1) - columns.start) * grid.dx
        y = float(grid.y[self.top]) + (0.5 * (shape[0] - 1) - rows.start) * grid.dy
        return x, y


def find_box(normal: NormalContact) -> Box:
    """The box around the elements in contact."""
    top, bottom, left, right = find_bounding_box(normal.contact)
    return Box(top, left, bottom - top + 1, right - left + 1)


def round_up(shape: tuple[int, ...]) -> Shape:
    """The next shape of grids that batches have; larger than `SIZES` the same."""
    ny, nx = (SIZES[bisect_left(SIZES, n)] if n <= SIZES[-1] else n for n in shape)
    return ny, nx


def gather_shapes(
    groups: Mapping[Shape, Sequence[Member]], most: float, ready: Sequence[Shape] = ()
) -> Iterator[tuple[Shape, list[Member]]]:
    """Members by the shapes of their grids; few ones join the others whose grid grows least.

    Those of grids of more than `most` elements, or that remain few, are left out. Grids that are `ready` need
    no set-up, and take few.
    """
    left = {shape: [*members] for shape, members in groups.items() if count_elements(shape) <= most}
    left |= {shape: [] for shape in ready if shape not in left}
    while few := [
        shape for shape, members in left.items() if len(members) < LEAST_MEMBERS and shape not in ready
    ]:
        small = min(few, key=count_elements)
        members = left.pop(small)
        joined = {other: (max(small[0], other[0]), max(small[1], other[1])) for other in left}
        fitting = [
            other
            for other, shape in joined.items()
            if count_elements(shape) <= min(most, GROWTH * count_elements(other))
        ]
        if fitting:
            other = min(fitting, key=lambda other: count_elements(joined[other]))
            members += left.pop(other)
            left[joined[other]] = left.get(joined[other], []) + members
    yield from ((shape, members) for shape, members in left.items() if members)


def count_elements(shape: Shape) -> int:
    """Elements of a grid."""
    return shape[0] * shape[1]
