"""Height and roll angle of a wheelset each of whose wheels carries its own vertical force.

Both wheels are pressed together: with planes held, a change of height and roll angle is an approach of each,
so that two forces determine both. Planes are laid again where the wheelset then stands, until they stay. The
pitch rate is that of both wheels, and known before friction is solved: mostly every wheel is solved once.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.materials import Pair
from traction.wheelsets.patches.balance import (
    BALANCED,
    COARSE,
    COARSE_SETTLED,
    COARSE_TOLERANCE,
    DRAFT,
    LAG,
    SETTLED,
    Balance,
    balance_in_turn,
    have_steps,
    measure_lag,
)
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.first_guess import Lean, Stand, find_levers, guess_stand
from traction.wheelsets.patches.patch_pressing import (
    COARSELY,
    NEARLY,
    PressedPatch,
    PressedSides,
    PressTask,
    fitting_starts,
)
from traction.wheelsets.patches.rolling import RolledPatch, Rolling, find_creeps, roll_patches
from traction.wheelsets.patches.tasks import Solving
from traction.wheelsets.patches.wheel_side import MOST_OVERLAP, WheelSide

STAND_ROUNDS = 12  #: of laying planes, pressing and rolling both wheels
COARSE_ERROR = 0.02  #: of vertical forces with the friction of coarse grids, relative
LOWERINGS = 12  #: of planes that are held
MOST_LOWERED, MOST_RAISED = 2.0, 0.5  #: by one of them, over the overlap
FARTHEST = 10.0  #: step of Broyden's method over the last correction
LEAST_DETERMINANT = 1e-6  #: of two equations, over the sum of its products


def balance_both(
    sides: Sequence[WheelSide], forces: Sequence[float], rolling: Rolling
) -> Solving[list[Balance]]:
    """Height, roll angle and forces of a wheelset whose wheels carry given vertical forces, N.

    First on coarse grids. Where that does not settle, each wheel is balanced alone at one roll angle after
    the other. Returns the balance of each wheel.
    """
    begun = guess_stand(sides, forces, rolling)
    if begun is not None:
        stand, leans = begun
        coarse = yield from FreeWheels(sides, forces, rolling, COARSE).settle(stand, leans)
        if coarse is not None:
            stand, found = coarse
            fine = yield from FreeWheels(sides, forces, rolling).settle(stand, [], found)
            if fine is not None:
                return fine[1]
    return (yield from balance_in_turn(sides, forces, rolling))


@dataclass(frozen=True, eq=False)
class FreeWheels:
    """Two wheels that are to carry their vertical forces (N), on grids as asked for or on coarse ones."""

    sides: Sequence[WheelSide]
    forces: Sequence[float]
    rolling: Rolling
    most: int | None = None  #: elements across, on coarse grids

    @property
    def is_coarse(self) -> bool:
        """Whether elements are larger than those asked for."""
        return self.most is not None

    def settle(
        self, stand: Stand, leans: Sequence[Sequence[Lean]], starts: Sequence[Balance] = ()
    ) -> Solving[tuple[Stand, list[Balance]] | None]:
        """Press and roll both wheels from about where they stand; None where that does not settle.

        `starts` are similar balances to begin from; without them, `leans` are about those of the patches.
        On coarse grids, where they stand is corrected by Hertz for what friction changes.
        """
        tol, settled = (COARSE_TOLERANCE, COARSE_SETTLED) if self.is_coarse else (1e-6, SETTLED)
        before = [patch for one in starts for patch in one.patches]
        normals = [patch.pressed.normal for patch in before]
        leans = [[patch.lean for patch in one.patches] for one in starts] or leans
        # planes of parts hardly ever stay where a start on coarse grids lets them be laid
        drafted = self.is_coarse or have_steps([one.pressed.plane for one in before], self.rolling.steps)
        relaid, held = RelaidStands(0.5 * self.sides[0].track.gauge), None
        for _ in range(STAND_ROUNDS):
            if held is None:
                held = self.hold(stand)
            if held is None:
                return None
            drafted = drafted or not held.have_parts
            pressed = yield from held.press(
                self.forces, leans, normals, tol if drafted else DRAFT, settled, coarse=self.is_coarse
            )
            if pressed is None:
                return None
            normals, there = [patch.normal for patch in pressed.patches], stand.moved(pressed.step)
            if pressed.moves or self.lags(there, pressed):
                stand, held = relaid.follow(stand, there), None
            if held is None or not drafted:
                drafted = True
                continue
            found = yield from self.roll(there, pressed, before)
            before = [patch for one in found for patch in one.patches]
            leans = [[patch.lean for patch in one.patches] for one in found]
            carried = np.array([one.vertical_force for one in found])
            error = float(np.max(np.abs(carried / self.forces - 1.0)))
            if error <= (COARSE_ERROR if self.is_coarse else BALANCED) or not all(one.is_solved for one in found):
                return (there.moved(held.correct(before, self.forces)) if self.is_coarse else there), found
        return None

    def hold(self, stand: Stand) -> HeldPlanes | None:
        """Planes of both wheels where they stand; None where one is off its rail, or too deep in it."""
        turned = [side.with_roll(stand.roll) for side in self.sides]
        if not all(0.0 < side.find_overlap(stand.height) <= MOST_OVERLAP for side in turned):
            return None
        wheels = [side.planes(stand.height, self.rolling.steps, self.most) for side in turned]
        pose = turned[0].pose.raised(stand.height)
        levers = [
            find_levers(plane, pose, self.rolling.radius) for planes in wheels for plane in planes
        ]
        return HeldPlanes(wheels, np.array(levers), self.rolling.pair)

    def lags(self, there: Stand, pressed: PressedPlanes) -> bool:
        """Whether fine planes are not where they would be laid."""
        if self.is_coarse:
            return False
        turned = [side.with_roll(there.roll) for side in self.sides]
        return measure_lag(turned, PressedSides(there.height, pressed.patches, there.height)) > LAG

    def roll(
        self, there: Stand, pressed: PressedPlanes, before: Sequence[RolledPatch]
    ) -> Solving[list[Balance]]:
        """Tangential contact of all patches at the pitch rate that both wheels share."""
        pose = replace(self.sides[0].pose, z=there.height, roll=there.roll)
        rolling = self.rolling
        creeps, rate = find_creeps(pressed.patches, pose, rolling.radius, rolling.motion, rolling.pitch_rate)
        friction = rolling.guess if self.is_coarse else rolling.friction
        rolled = yield from roll_patches(pressed.patches, creeps, friction, before, coarse=self.is_coarse)
        count = pressed.counts[0]
        return [Balance(pose, rate, tuple(part), math.nan) for part in (rolled[:count], rolled[count:])]


@dataclass(frozen=True, eq=False)
class PressedPlanes:
    """Patches of two wheels that carry their forces with planes held, first those of the left one."""

    patches: tuple[PressedPatch, ...]
    counts: tuple[int, int]  #: of the wheels
    step: np.ndarray  #: of height (m) and roll angle (rad) from where planes were laid, (2,)
    moves: bool  #: so far that these have to be laid again


@dataclass(frozen=True, eq=False)
class HeldPlanes:
    """Planes of two wheels, which a small change of height and roll angle only lowers along their normals."""

    wheels: Sequence[Sequence[ContactPlane]]
    levers: np.ndarray  #: motion along the normals by height and roll angle, (n, 2)
    pair: Pair

    @property
    def planes(self) -> list[ContactPlane]:
        """Those of both wheels, first those of the left one."""
        return [plane for wheel in self.wheels for plane in wheel]

    @property
    def have_parts(self) -> bool:
        """Whether some have parts that interact by a share only."""
        return any(plane.parts is not None for plane in self.planes)

    @property
    def depths(self) -> np.ndarray:
        """Largest vertical overlap of the wheel of each plane, m, (n,)."""
        found = [max(plane.overlap / plane.upward() for plane in wheel) for wheel in self.wheels]
        return np.repeat(found, [len(wheel) for wheel in self.wheels])

    def sum_up(self, values: np.ndarray) -> np.ndarray:
        """Sums over the planes of each wheel."""
        count = len(self.wheels[0])
        return np.array([values[:count].sum(axis=0), values[count:].sum(axis=0)])

    def press(
        self,
        forces: Sequence[float],
        leans: Sequence[Sequence[Lean]],
        starts: Sequence[NormalContact],
        tol: float,
        settled: float,
        *,
        coarse: bool,
    ) -> Generator[Sequence[PressTask], None, PressedPlanes | None]:
        """Press both wheels to their vertical forces; None where friction leaves no upward force.

        No more than to about these where height or roll angle change the vertical overlap by more than the
        share `settled`.
        """
        slopes = [
            lean
            for wheel, own in zip(self.wheels, leans, strict=True)
            for lean in [*own, *[(0.0, 0.0)] * len(wheel)][: len(wheel)]
        ]
        planes = self.planes
        upward = np.array([plane.upward(lean) for plane, lean in zip(planes, slopes, strict=True)])
        if not min(upward) > 0.0:
            return None
        begun = list(fitting_starts(planes, starts)) or [None] * len(planes)
        tasks = [
            PressTask(plane, self.pair, tol, start=start, coarse=coarse)
            for plane, start in zip(planes, begun, strict=True)
        ]
        far = settled * self.depths * self.levers[:, 0]
        if len(planes) == 2:
            step = yield from self._press_singles(tasks, np.array(forces) / upward)
        else:
            step = yield from self._lower(tasks, upward, np.array(forces), far)
        if step is None:
            return None
        patches = [PressedPatch(task.plane, task.normal, lean) for task, lean in zip(tasks, slopes, strict=True)]
        moves = bool(np.any(np.abs(self.levers @ step) > far))
        return PressedPlanes(tuple(patches), (len(self.wheels[0]), len(self.wheels[1])), step, moves)

    def _press_singles(
        self, tasks: Sequence[PressTask], forces: np.ndarray
    ) -> Generator[Sequence[PressTask], None, np.ndarray | None]:
        """One plane of each wheel, under its normal force."""
        for task, force in zip(tasks, forces.tolist(), strict=True):
            task.force = force
        yield tasks
        return _solve_pair(self.levers, np.array([-task.normal.approach for task in tasks]))

    def _lower(
        self, tasks: Sequence[PressTask], upward: np.ndarray, forces: np.ndarray, far: np.ndarray
    ) -> Generator[Sequence[PressTask], None, np.ndarray | None]:
        """Several planes, lowered until the wheels carry their forces: by secants, of which Hertz' is the first."""
        overlaps = np.array([plane.overlap for plane in self.planes])
        step, allowed = np.zeros(2), min(NEARLY * tasks[0].tol, COARSELY)
        last: tuple[np.ndarray, np.ndarray] | None = None
        for _ in range(LOWERINGS):
            approach = -self.levers @ step
            for task, lowered in zip(tasks, approach.tolist(), strict=True):
                task.approach = lowered
            yield tasks
            for task in tasks:
                task.start = task.normal
            normal = np.array([task.normal.force for task in tasks])
            lack = forces - self.sum_up(upward * normal)
            if np.all(np.abs(lack) <= allowed * forces):
                return step
            stiffness = find_stiffness(normal, overlaps + approach)
            if last is not None:
                change, moved = normal - last[1], approach - last[0]
                known = change * moved > 0.0
                stiffness[known] = change[known] / moved[known]
            last = approach, normal
            change = _solve_pair(-self.sum_up((upward * stiffness)[:, None] * self.levers), lack)
            if change is None:
                return None
            lowering, left = -self.levers @ change, np.maximum(overlaps + approach, 0.1 * overlaps)
            excess = max((lowering / (MOST_LOWERED * left)).max(), (-lowering / (MOST_RAISED * left)).max(), 1.0)
            step = step + change / excess
            if np.any(overlaps - self.levers @ step > MOST_OVERLAP):
                return None
            if np.any(np.abs(self.levers @ step) > far):
                return step
        return step

    def correct(self, patches: Sequence[RolledPatch], forces: Sequence[float]) -> np.ndarray:
        """Step of height and roll angle to the forces of wheels from rolled patches nearby, by Hertz."""
        normal = np.array([patch.pressed.normal.force for patch in patches])
        upward = np.array([patch.pressed.plane.upward(patch.lean) for patch in patches])
        overlaps = np.array([plane.overlap for plane in self.planes])
        slopes = -self.sum_up((upward * find_stiffness(normal, overlaps))[:, None] * self.levers)
        step = _solve_pair(slopes, np.array(forces) - self.sum_up(upward * normal))
        return np.zeros(2) if step is None else step


def find_stiffness(normal: np.ndarray, overlap: np.ndarray) -> np.ndarray:
    """Change of normal forces (N) with the overlap (m) by the power law of Hertz, N/m."""
    return np.divide(1.5 * normal, overlap, out=np.zeros_like(normal), where=overlap > 0.0)


def _solve_pair(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """Solution of two equations; None where they are not independent."""
    (a, b), (c, d) = matrix.tolist()
    (p, q), determinant = right.tolist(), a * d - b * c
    if not abs(determinant) > LEAST_DETERMINANT * (abs(a * d) + abs(b * c)):
        return None
    return np.array([p * d - b * q, a * q - p * c]) / determinant


class RelaidStands:
    """Where planes were laid, and where the wheelset then stood: where to lay them next.

    At first that is where it stood. Then it follows by Broyden's method, as planes may depend strongly on
    where they are laid, for instance those of parts whose interaction fades.
    """

    def __init__(self, lever: float) -> None:
        self._scale = np.array([1.0, lever])  # m, m/rad
        self._slopes = -np.eye(2)
        self._last: tuple[np.ndarray, np.ndarray] | None = None

    def follow(self, stand: Stand, there: Stand) -> Stand:
        """The next position."""
        laid = self._scale * np.array(stand)
        off = self._scale * np.array(there) - laid
        if self._last is not None:
            moved = laid - self._last[0]
            missed = off - self._last[1] - self._slopes @ moved
            self._slopes = self._slopes + np.outer(missed, moved) / float(moved @ moved)
        self._last = laid, off
        step = _solve_pair(self._slopes, -off)
        if step is None or not float(step @ step) <= FARTHEST**2 * float(off @ off):
            return there
        return stand.moved(step / self._scale)
