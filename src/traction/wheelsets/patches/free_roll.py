"""Height and roll angle of a wheelset each of whose wheels carries its own vertical force.

Both wheels are pressed together: with planes held, a change of height and roll angle is an approach of each,
so that two forces determine both. Planes are laid again where the wheelset then stands, until they stay. The
pitch rate is that of both wheels, and known before friction is solved: mostly every wheel is solved once.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.materials import Pair
from traction.wheelsets.geometry.pose import SIGNS
from traction.wheelsets.patches.balance import (
    BALANCED,
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
from traction.wheelsets.patches.first_guess import (
    ForceSteps,
    Lean,
    Stand,
    Trial,
    find_levers,
    guess_stand,
    solve_pair,
)
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

COARSE_ACROSS = 24  #: elements across the overlap of coarse grids
COARSE_ERROR = 0.02  #: of vertical forces with the friction of coarse grids, relative
ROUNDS_HELD = 4  #: of pressing and rolling wheels whose planes are held
CONTRACTION = 0.5  #: of their steps, above which planes are not held
FAR_OFF = 1e-3  #: error of vertical forces with friction, above which planes are not held, relative
SEARCHES = 12  #: for a position in which wheels carry their forces
LOWERINGS = 12  #: of planes that are held
MOST_LOWERED, MOST_RAISED = 2.0, 0.5  #: by one of them, over the overlap
THINNEST = 0.1  #: overlap from which that counts, over that of the planes laid


def balance_both(
    sides: Sequence[WheelSide], forces: Sequence[float], rolling: Rolling
) -> Solving[list[Balance]]:
    """Height, roll angle and forces of a wheelset whose wheels carry given vertical forces, N.

    First on coarse grids. Where that does not settle, as where friction pulls a flange down, each wheel is
    balanced alone at one roll angle after the other. Returns the balance of each wheel.
    """
    begun, coarse = guess_stand(sides, forces, rolling), None
    if begun is not None:
        stand, leans, rates = begun
        wheels = FreeWheels(sides, forces, rolling, COARSE_ACROSS)
        coarse = yield from wheels.balance(WheelsetState(stand, leans, rates))
    if coarse is None:
        alone = yield from balance_in_turn(sides, forces, rolling, coarse=True)
        coarse = WheelsetState.of(alone)
    found = yield from FreeWheels(sides, forces, rolling).balance(coarse)
    return (yield from balance_in_turn(sides, forces, rolling)) if found is None else found.balances


@dataclass(frozen=True, eq=False)
class WheelsetState:
    """Two wheels near the position in which they carry their forces, on any grids."""

    stand: Stand
    leans: Sequence[Sequence[Lean]]  #: of the patches of each
    rates: np.ndarray | None = None  #: of the forces, see `ForceSteps`; those of planes held if None
    balances: list[Balance] = field(default_factory=list)
    held: HeldPlanes | None = None  #: their planes
    was_searched: bool = False  #: whether planes that are held did not lead there

    @classmethod
    def of(cls, alone: list[Balance]) -> WheelsetState:
        """That of wheels which were balanced alone, at the mean of their heights."""
        height = 0.5 * sum(one.pose.z for one in alone)
        leans = [[patch.lean for patch in one.patches] for one in alone]
        return cls(Stand(height, alone[0].pose.roll), leans, balances=alone, was_searched=True)

    @property
    def patches(self) -> list[RolledPatch]:
        """Those of both wheels, first those of the left one."""
        return [patch for one in self.balances for patch in one.patches]

    @property
    def carried(self) -> np.ndarray:
        """Vertical forces of both, N, (2,)."""
        return np.array([one.vertical_force for one in self.balances])

    @property
    def slopes(self) -> np.ndarray:
        """How these change with height and roll angle by Hertz, with planes held, (2, 2)."""
        assert self.held is not None
        normal = np.array([patch.pressed.normal.force for patch in self.patches])
        upward = np.array([patch.pressed.plane.upward(patch.lean) for patch in self.patches])
        stiffness = find_stiffness(normal, np.array([plane.overlap for plane in self.held.planes]))
        return -self.held.sum_up((upward * stiffness)[:, None] * self.held.levers)


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

    def balance(self, begun: WheelsetState) -> Solving[WheelsetState | None]:
        """Both wheels with their forces, from about where they stand; None where these are not found.

        On coarse grids they then stand where the rates of the forces let what is missing be carried.
        """
        found = None if begun.was_searched else (yield from self.settle(begun))
        if found is None:
            found = yield from self.evaluate(begun.stand, begun)
        return None if found is None else (yield from self.search(found))

    def is_balanced(self, found: WheelsetState) -> bool:
        """Whether wheels carry their forces, or friction did not converge, so that no further step helps."""
        error = float(np.max(np.abs(found.carried / self.forces - 1.0)))
        allowed = COARSE_ERROR if self.is_coarse else BALANCED
        return error <= allowed or not all(one.is_solved for one in found.balances)

    def settle(self, begun: WheelsetState) -> Solving[WheelsetState | None]:
        """Press planes that are held to the forces, and roll them; None where they do not stay."""
        tol, settled = (COARSE_TOLERANCE, COARSE_SETTLED) if self.is_coarse else (1e-6, SETTLED)
        stand, leans, before, found = begun.stand, begun.leans, begun.patches, None
        normals = [patch.pressed.normal for patch in before]
        # planes of parts hardly ever stay where a start on coarse grids lets them be laid
        drafted = self.is_coarse or have_steps([one.pressed.plane for one in before], self.rolling.steps)
        held, last = None, math.inf
        for _ in range(ROUNDS_HELD):
            held = self.hold(stand) if held is None else held
            if held is None:
                break
            drafted = drafted or not held.have_parts
            pressed = yield from held.press(
                self.forces, leans, normals, tol if drafted else DRAFT, settled, coarse=self.is_coarse
            )
            if pressed is None:
                break
            normals, there = [patch.normal for patch in pressed.patches], stand.moved(pressed.step)
            if pressed.moves or self.lags(there, held, pressed):
                moved = float(np.abs(held.levers @ pressed.step).max())
                if moved > CONTRACTION * last:
                    break
                stand, held, last = there, None, moved
            if held is None or not drafted:
                drafted = True
                continue
            found = yield from self.roll(there, held, pressed.patches, before)
            before, leans = found.patches, found.leans
            if self.is_balanced(found) or np.any(np.abs(found.carried / self.forces - 1.0) > FAR_OFF):
                break
        return found

    def search(self, found: WheelsetState) -> Solving[WheelsetState | None]:
        """Find where wheels carry their forces by steps from a position in which these are known."""
        steps = ForceSteps(self.forces, 0.5 * self.sides[0].track.gauge, found.rates)
        trial = Trial(found.stand, self.sides)
        for k in range(SEARCHES):
            balanced = self.is_balanced(found)
            if balanced and not self.is_coarse:
                return found
            following = steps.follow(trial, found.carried, found.slopes)
            if balanced:
                stand = found.stand if following is None else following.stand
                return replace(found, stand=stand, rates=steps.rates, was_searched=k > 0)
            stood = None if following is None else (yield from self.evaluate(following.stand, found))
            if following is None or stood is None:
                return None
            trial, found = following, stood
        return None

    def evaluate(self, stand: Stand, begun: WheelsetState) -> Solving[WheelsetState | None]:
        """Forces of wheels where they stand, with planes laid there; None where planes cannot be laid."""
        held = self.hold(stand)
        if held is None:
            return None
        before, tol = begun.patches, COARSE_TOLERANCE if self.is_coarse else 1e-6
        pressed = yield from held.press_there(before, tol, coarse=self.is_coarse)
        found = yield from self.roll(stand, held, pressed, before)
        return replace(found, rates=begun.rates)

    def hold(self, stand: Stand) -> HeldPlanes | None:
        """Planes of both wheels where they stand; None where one is off its rail, or too deep in it."""
        turned = [side.with_roll(stand.roll) for side in self.sides]
        if not all(0.0 < side.find_overlap(stand.height) <= MOST_OVERLAP for side in turned):
            return None
        wheels = [side.planes(stand.height, self.rolling.steps, self.most) for side in turned]
        pose = turned[0].pose.raised(stand.height)
        levers = [find_levers(plane, pose, self.rolling.radius) for planes in wheels for plane in planes]
        return HeldPlanes(wheels, np.array(levers), _find_angles(turned, stand), self.rolling.pair)

    def lags(self, there: Stand, held: HeldPlanes, pressed: PressedPlanes) -> bool:
        """Whether fine planes are not where they would be laid, or turned so far that forces would change."""
        if self.is_coarse:
            return False
        turned = [side.with_roll(there.roll) for side in self.sides]
        if measure_lag(turned, PressedSides(there.height, pressed.patches, there.height)) > LAG:
            return True
        sideward = np.array([patch.sideward * patch.normal.force for patch in pressed.patches])
        change = held.sum_up(np.abs((_find_angles(turned, there) - held.angles) * sideward))
        return bool(np.any(change > BALANCED * np.array(self.forces)))

    def roll(
        self,
        there: Stand,
        held: HeldPlanes,
        pressed: Sequence[PressedPatch],
        before: Sequence[RolledPatch],
    ) -> Solving[WheelsetState]:
        """Tangential contact of all patches at the pitch rate that both wheels share."""
        pose = replace(self.sides[0].pose, z=there.height, roll=there.roll)
        rolling = self.rolling
        creeps, rate = find_creeps(pressed, pose, rolling.radius, rolling.motion, rolling.pitch_rate)
        friction = rolling.guess if self.is_coarse else rolling.friction
        rolled = yield from roll_patches(pressed, creeps, friction, before, coarse=self.is_coarse)
        count = len(held.wheels[0])
        balances = [Balance(pose, rate, tuple(part), math.nan) for part in (rolled[:count], rolled[count:])]
        leans = [[patch.lean for patch in one.patches] for one in balances]
        return WheelsetState(there, leans, None, balances, held)


@dataclass(frozen=True, eq=False)
class PressedPlanes:
    """Patches of two wheels that carry their forces with planes held, first those of the left one."""

    patches: tuple[PressedPatch, ...]
    step: np.ndarray  #: of height (m) and roll angle (rad) from where planes were laid, (2,)
    moves: bool  #: so far that these have to be laid again


@dataclass(frozen=True, eq=False)
class HeldPlanes:
    """Planes of two wheels, which a small change of height and roll angle only lowers along their normals."""

    wheels: Sequence[Sequence[ContactPlane]]
    levers: np.ndarray  #: motion along the normals by height and roll angle, (n, 2)
    angles: np.ndarray  #: that were planned, about x, rad, (n,)
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
        """Press both wheels to their vertical forces; None where that is not possible with planes held.

        Where height and roll angle change the vertical overlap by more than the share `settled`, forces are
        only about those given, as planes are laid again.
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
        tasks = self._make_tasks(starts, tol, coarse=coarse)
        far = settled * self.depths * self.levers[:, 0]
        if len(planes) == 2:
            step = yield from self._press_singles(tasks, np.array(forces) / upward)
        else:
            step = yield from self._lower(tasks, upward, np.array(forces), far)
        if step is None:
            return None
        moves = bool(np.any(np.abs(self.levers @ step) > far))
        patches = (
            PressedPatch(task.plane, task.normal, lean) for task, lean in zip(tasks, slopes, strict=True)
        )
        return PressedPlanes(tuple(patches), step, moves)

    def _press_singles(
        self, tasks: Sequence[PressTask], forces: np.ndarray
    ) -> Generator[Sequence[PressTask], None, np.ndarray | None]:
        """One plane of each wheel, under its normal force."""
        for task, force in zip(tasks, forces.tolist(), strict=True):
            task.force = force
        yield tasks
        return solve_pair(self.levers, np.array([-task.normal.approach for task in tasks]))

    def _lower(
        self, tasks: Sequence[PressTask], upward: np.ndarray, forces: np.ndarray, far: np.ndarray
    ) -> Generator[Sequence[PressTask], None, np.ndarray | None]:
        """Lower several planes until the wheels carry their forces, by secants; the first by Hertz."""
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
            missing = forces - self.sum_up(upward * normal)
            if np.all(np.abs(missing) <= allowed * forces):
                return step
            stiffness = find_stiffness(normal, overlaps + approach)
            if last is not None:
                change, moved = normal - last[1], approach - last[0]
                known = change * moved > 0.0
                stiffness[known] = change[known] / moved[known]
            last = approach, normal
            change = solve_pair(-self.sum_up((upward * stiffness)[:, None] * self.levers), missing)
            if change is None:
                return None
            share = -(self.levers @ change) / np.maximum(overlaps + approach, THINNEST * overlaps)
            step = step + change / max(1.0, share.max() / MOST_LOWERED, -share.min() / MOST_RAISED)
            if np.any(overlaps - self.levers @ step > MOST_OVERLAP):
                return None
            if np.any(np.abs(self.levers @ step) > far):
                return step
        return None

    def press_there(
        self, starts: Sequence[RolledPatch], tol: float, *, coarse: bool
    ) -> Generator[Sequence[PressTask], None, list[PressedPatch]]:
        """Press both wheels where their planes were laid."""
        tasks = self._make_tasks([one.pressed.normal for one in starts], tol, coarse=coarse)
        for task in tasks:
            task.approach = 0.0
        yield tasks
        return [PressedPatch(task.plane, task.normal) for task in tasks]

    def _make_tasks(self, starts: Sequence[NormalContact], tol: float, *, coarse: bool) -> list[PressTask]:
        """All planes to be pressed, begun from `starts` where there are as many."""
        planes = self.planes
        begun: Sequence[NormalContact | None] = fitting_starts(planes, starts) or [None] * len(planes)
        return [
            PressTask(plane, self.pair, tol, start=start, coarse=coarse)
            for plane, start in zip(planes, begun, strict=True)
        ]


def _find_angles(turned: Sequence[WheelSide], stand: Stand) -> np.ndarray:
    """Angles about x of planes that would be laid where wheels stand, rad, (n,)."""
    plans = [(SIGNS[side.side], plan) for side in turned for plan in side.plans(stand.height)]
    return np.array([sign * plan.region.angle for sign, plan in plans])


def find_stiffness(normal: np.ndarray, overlap: np.ndarray) -> np.ndarray:
    """Change of normal forces (N) with the overlap (m) by the power law of Hertz, N/m."""
    return np.divide(1.5 * normal, overlap, out=np.zeros_like(normal), where=overlap > 0.0)
