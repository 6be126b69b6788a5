"""Tangential contact of pressed patches: creepages, tractions and the forces on the wheel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np

from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.simplified.cubic_saturation import saturate_creep
from traction.contact.simplified.fastsim import FastsimContact, fastsim
from traction.contact.stick_slip.friction_patch import FrictionPatch, TractionShares
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.contact.tables.creep_table import CreepTable
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.materials import Pair
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.contact_plane import ReferencePoint
from traction.wheelsets.patches.patch_pressing import PressedPatch
from traction.wheelsets.patches.rail_friction import RailFriction
from traction.wheelsets.patches.tasks import Solving, Task
from traction.wheelsets.patches.wheelset_motion import PatchCreep, WheelsetMotion

SLENDER = 0.1  #: least ratio of semi-axes in the table of Kalker's coefficients
COARSE_TOLERANCE = 1e-3  #: of friction on coarse grids, over the largest bound


@dataclass(frozen=True)
class TableForces:
    """Tangential forces of a patch without its tractions, as from a table of creep forces."""

    force: tuple[float, float]  #: on the wheel, along x and along the surface, N
    moment: float  #: about the normal through the reference point, N m
    friction: float  #: coefficient of friction mu
    creepage: tuple[float, float, float]  #: xi, eta (-), phi (rad/m)


@dataclass(frozen=True)
class CoarseForces(TableForces):
    """The same of a solution on a coarse grid, from which a finer one can begin."""

    shares: TractionShares


@dataclass(frozen=True)
class CertifiedForces(TableForces):
    """Forces of a solution whose tractions were not kept, as of a batch."""

    error: float  #: largest one of the law of friction, over the largest bound


#: what computes the tangential forces of a patch decides what is known of them
Tangential = TangentialContact | FastsimContact | TableForces


class Friction(Protocol):
    """Computes the tangential contact of a patch."""

    def __call__(self, patch: PressedPatch, creep: PatchCreep, start: Tangential | None = None) -> Tangential:
        """Tractions of a pressed patch with given creepages, begun from those of a similar contact."""


@dataclass(frozen=True, eq=False)
class RolledPatch:
    """A patch with its normal and tangential contact."""

    pressed: PressedPatch
    creep: PatchCreep
    tangential: Tangential

    @cached_property
    def force(self) -> np.ndarray:
        """Force on the wheel in the axes of the patch: along x, along the surface, normal; N, (3,)."""
        return np.array([*self.tangential.force, self.pressed.normal.force])

    @property
    def moment(self) -> np.ndarray:
        """Moment on the wheel about the reference point in the axes of the patch, N m, (3,)."""
        normal = self.pressed.normal
        x, s = normal.center
        turned = self.tangential.moment
        if isinstance(self.tangential, FastsimContact):  # about the centre of its ellipse
            fx, fs = self.tangential.force
            turned += x * fs - s * fx
        return np.array([s * normal.force, -x * normal.force, turned])

    @property
    def lean(self) -> tuple[float, float]:
        """Tangential forces along x and along the surface over the normal force."""
        force, (fx, fs) = self.pressed.normal.force, self.tangential.force
        return (fx / force, fs / force) if force else (0.0, 0.0)

    @cached_property
    def track_force(self) -> np.ndarray:
        """Force on the wheel in the axes of the track, N, (3,)."""
        return self.pressed.plane.axes.T @ self.force

    def track_moment(self, about: np.ndarray) -> np.ndarray:
        """Moment on the wheel about a point, in the axes of the track, N m, (3,)."""
        plane = self.pressed.plane
        (x, y, z), (fx, fy, fz) = (plane.origin - about).tolist(), self.track_force.tolist()
        return plane.axes.T @ self.moment + np.array([y * fz - z * fy, z * fx - x * fz, x * fy - y * fx])


def find_pitch_rate(
    patches: Sequence[PressedPatch], pose: Pose, radius: float, motion: WheelsetMotion
) -> float:
    """Pitch rate of pure rolling, rad/s: without longitudinal slip, as the mean weighted by pressure."""
    standing, turning = 0.0, 0.0
    for patch in patches:
        aside = patch.normal.center[1]
        slides = (motion.slide(patch.plane, pose, radius, rate) for rate in (0.0, 1.0))
        still, turned = (along - aside * spin for along, _, spin, _ in slides)
        standing += patch.normal.force * still
        turning += patch.normal.force * (turned - still)
    return -standing / turning if turning else motion.speed / radius


def find_creeps(
    patches: Sequence[PressedPatch],
    pose: Pose,
    radius: float,
    motion: WheelsetMotion,
    pitch_rate: float | None,
) -> tuple[list[PatchCreep], float]:
    """Creepages of all patches, and the pitch rate; that of pure rolling if it is not given."""
    rate = find_pitch_rate(patches, pose, radius, motion) if pitch_rate is None else pitch_rate
    return [motion.creep(patch.plane, pose, radius, rate) for patch in patches], rate


@dataclass(frozen=True, eq=False)
class Rolling:
    """How the wheelset moves and what computes its tangential contact."""

    motion: WheelsetMotion
    pitch_rate: float | None  #: that of pure rolling if None, rad/s
    friction: Friction
    guess: Friction  #: the same by coarse means, to find the height
    coefficient: Callable[[ReferencePoint, float], float]  #: about, at a point and a slip speed
    pair: Pair
    steps: tuple[float, float]  #: of the elements, m
    radius: float  #: nominal one of the wheels, m
    by_whole_cells: bool = False  #: steady rolling by the half space, as in CONTACT


@dataclass(eq=False)
class RollTask(Task):
    """A pressed patch to be rolled with given creepages."""

    order: ClassVar[int] = 1
    patch: PressedPatch
    creep: PatchCreep
    friction: Friction
    start: Tangential | None = None  #: a similar contact to begin from
    tangential: Tangential = field(init=False)  #: the solution

    def compute(self) -> None:
        """Roll it."""
        self.tangential = self.friction(self.patch, self.creep, self.start)


def roll_patches(
    patches: Sequence[PressedPatch],
    creeps: Sequence[PatchCreep],
    friction: Friction,
    starts: Sequence[RolledPatch] = (),
    *,
    coarse: bool = False,
) -> Solving[list[RolledPatch]]:
    """Tangential contact of all patches, begun from `starts` where there are as many."""
    begun = [one.tangential for one in starts] if len(starts) == len(patches) else [None] * len(patches)
    tasks = [
        RollTask(patch, creep, friction, start, coarse=coarse)
        for patch, creep, start in zip(patches, creeps, begun, strict=True)
    ]
    yield tasks
    return [RolledPatch(task.patch, task.creep, task.tangential) for task in tasks]


def steady_friction(given: RailFriction, discretisation: str, direction: int) -> Friction:
    """Steady rolling by the half space; as in CONTACT, whole cells have one friction for the whole patch."""
    spread = given.at_angle if discretisation == "classical" else given.over

    def solve(patch: PressedPatch, creep: PatchCreep, start: Tangential | None = None) -> Tangential:
        return roll_steady(
            patch.normal,
            spread(patch.plane),
            creepage=creep.creepage,
            direction=direction,
            discretisation=discretisation,
            speed=creep.speed if given.needs_speed else None,
            layer=given.layer,
            position=given.place(patch.plane),
            start=find_start(start, patch),
            on_failure="return",
        )

    return solve


def find_start(start: Tangential | None, patch: PressedPatch) -> TangentialContact | TractionShares | None:
    """What of a similar contact tractions can begin from."""
    if isinstance(start, CoarseForces):
        return start.shares
    if not isinstance(start, TangentialContact):
        return None
    if start.normal.grid == patch.normal.grid:
        return start
    return TractionShares.of(start.traction, start.bound, start.normal.grid)


def coarse_friction(given: RailFriction, direction: int) -> Friction:
    """Steady rolling by whole cells to a loose tolerance, of which the forces alone are wanted.

    Of a law, the coefficient at the slip of the rigid bodies: large elements might not resist its fall.
    """

    def solve(patch: PressedPatch, creep: PatchCreep, start: Tangential | None = None) -> Tangential:
        friction, normal = given.estimate(patch.plane, creep.slip_speed), patch.normal
        around = FrictionPatch.around(normal, friction)
        step = WholeCells(around, RigidSlip(creep.creepage, (None, None)), direction)
        axes = patch.plane.guessed_axes
        if saturate_creep(axes, normal.force, friction, creep.creepage, normal.pair).slides:
            sliding = slide_all(around, creep.creepage), np.zeros(0)
            traction = solve_stick_slip(step.equation, tol=COARSE_TOLERANCE, start=sliding).traction
        else:
            traction = solve_nested(step, tol=COARSE_TOLERANCE).traction
        (px, py), (x, s) = traction * around.grid.cell_area, around.mesh
        force = float(px.sum()), float(py.sum())
        if given.needs_speed:
            return TableForces(force, float((x * py - s * px).sum()), friction, creep.creepage)
        shares = TractionShares.of(traction, around.bound, around.grid)
        return CoarseForces(force, float((x * py - s * px).sum()), friction, creep.creepage, shares)

    return solve


def slide_all(patch: FrictionPatch, creepage: tuple[float, float, float]) -> np.ndarray:
    """Tractions where all elements slide as the rigid bodies do, Pa, (2, ny, nx)."""
    (x, s), (xi, eta, phi) = patch.mesh, creepage
    slip = np.array((xi - phi * s, eta + phi * x))
    speed = np.hypot(*slip)
    return -slip * np.divide(patch.bound, speed, out=np.zeros_like(speed), where=speed > 0.0)


def quick_friction(given: RailFriction, direction: int) -> Friction:
    """FASTSIM on the ellipse that is equivalent to the pressure, with the creepages at its centre."""

    def solve(patch: PressedPatch, creep: PatchCreep, start: Tangential | None = None) -> Tangential:
        a, b = patch.normal.semi_axes
        if not SLENDER <= a / b <= 1.0 / SLENDER:
            raise InputError(
                f"a patch on the {patch.plane.side} rail has a/b = {a / b:.3g}; FASTSIM takes {SLENDER} to "
                f'{1.0 / SLENDER:g}. Use tangential="half-space".'
            )
        return fastsim(
            patch.normal,
            given.at_reference(patch.plane),
            creepage=_creep_at_center(patch.normal, creep),
            direction=direction,
            speed=creep.speed if given.needs_speed else None,
        )

    return solve


def table_friction(table: CreepTable, given: RailFriction, direction: int) -> Friction:
    """A table of creep forces on the same ellipse, by a coefficient that does not depend on the slip."""

    def solve(patch: PressedPatch, creep: PatchCreep, start: Tangential | None = None) -> Tangential:
        normal, friction = patch.normal, given.at_reference(patch.plane)
        assert not isinstance(friction, FrictionLaw)
        xi, eta, phi = _creep_at_center(normal, creep)
        # rolling backwards is rolling forwards seen from the other side, turned about the normal by pi
        turned = (direction * xi, direction * eta, phi)
        (a, b), (x, s) = normal.semi_axes, normal.center
        fx, fs, mn = (float(one) for one in table.forces(turned, a, b, normal.force, friction))
        fx, fs = direction * fx, direction * fs
        return TableForces((fx, fs), mn + x * fs - s * fx, friction, creep.creepage)

    return solve


def _creep_at_center(normal: NormalContact, creep: PatchCreep) -> tuple[float, float, float]:
    """Creepages at the centre of pressure."""
    (xi, eta, phi), (x, s) = creep.creepage, normal.center
    return xi - phi * s, eta + phi * x, phi


def find_error(tangential: Tangential) -> float:
    """Largest error of the law of friction, over the largest bound; 0 where it is met by construction."""
    if isinstance(tangential, CertifiedForces):
        return tangential.error
    return tangential.certificate.largest if isinstance(tangential, TangentialContact) else 0.0
