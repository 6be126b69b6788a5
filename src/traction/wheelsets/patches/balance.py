"""Forces of the patches in balance with what is given: a height, or a vertical force with friction in it.

What searches for it yields the contacts that it needs as tasks (see `tasks`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from traction.contact.friction.tangential_contact import TangentialContact
from traction.wheelsets.geometry.pose import SIGNS, Pose
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.first_guess import bound_slope, guess_height, level_wheels
from traction.wheelsets.patches.patch_pressing import (
    PressedSides,
    find_deepest,
    fitting_starts,
    is_bearable,
    press_at_height,
    press_together,
    refuse_force,
)
from traction.wheelsets.patches.rolling import (
    RolledPatch,
    Rolling,
    find_creeps,
    find_pitch_rate,
    roll_patches,
)
from traction.wheelsets.patches.tasks import Solving
from traction.wheelsets.patches.wheel_side import WheelSide

BALANCED = 3e-5  #: error of the vertical force, over the force
COARSE = 12  #: elements across the overlap of the grids on which a height is first found
COARSE_BALANCE = 2e-3  #: error of the vertical force on them
COARSE_TOLERANCE = 1e-3  #: of the contact on them
DRAFT = 1e-4  #: of contacts in several parts on planes that may have to be laid again
#: largest correction of the overlap with planes held, relative: lowering bodies by so little is an approach
SETTLED = 5e-3
LAG = 2e-6  #: largest distance of a plane from where it would be laid, m
COARSE_SETTLED = 2e-2  #: the same on coarse grids
CONTRACTION = 0.5  #: of the corrections from one round to the next, above which a height is searched for
#: least fall of a correction of the height over the height at which planes are laid, m/m. It is 1 where they
#: do not depend on it. A secant divides the correction by it: below this it would go over ten times as far
LEAST_SLOPE = 0.1
FARTHEST = 2.0  #: reach, or inverse of it, of corrections that a secant is trusted for
ROUNDS = 12  #: of laying planes, pressing and rolling
SEARCHES = 60  #: for a height
SHALLOW = 1e-7  #: least depth with which a search begins, m
STEADY = 1e-6  #: change of the pitch rate of pure rolling, relative
LEAST_TURN = 1e-9  #: of roll angles from which a slope is taken, rad
#: difference of the heights that two wheels need, over the smaller overlap: half of it is an error of the
#: force of each within `BALANCED` by Hertz; and on coarse grids
LEVELLED, COARSE_LEVELLED = 4e-5, 5e-4
TURNS = 15  #: of the roll angle


@dataclass(frozen=True, eq=False)
class Balance:
    """Patches of one or two wheels, with all forces."""

    pose: Pose
    pitch_rate: float  #: rad/s
    patches: tuple[RolledPatch, ...]
    laid: float  #: height at which planes were laid, m; NaN where they are those of another roll angle
    stiffness: float = 0.0  #: vertical, of several patches together, about, N/m; 0 where it is not known
    reach: float = 1.0  #: of a correction of the height, see `RelaidHeights`

    @property
    def is_solved(self) -> bool:
        """Whether friction was solved in all patches; where not, better heights help nothing."""
        return all(
            patch.tangential.ok for patch in self.patches if isinstance(patch.tangential, TangentialContact)
        )

    @property
    def vertical_force(self) -> float:
        """Sum of the vertical forces on the wheels, N."""
        return sum(float(patch.track_force[2]) for patch in self.patches)


def balance_at_height(
    sides: Sequence[WheelSide], height: float, rolling: Rolling, most: int | None = None
) -> Solving[Balance]:
    """Forces of wheels at a height; with `most`, on coarse grids of at most so many elements across."""
    tol = 1e-6 if most is None else COARSE_TOLERANCE
    pressed = yield from press_at_height(sides, height, rolling.pair, rolling.steps, most, tol)
    return (yield from _roll(sides, pressed, rolling, coarse=most is not None))


def balance_force(
    sides: Sequence[WheelSide], force: float, rolling: Rolling, start: Balance | None = None
) -> Solving[Balance]:
    """Height and forces of wheels under a vertical force, N; from a start nearby, if there is one.

    The tangential force along an inclined surface carries a part of it. As its ratio to the normal force
    hardly depends on the height, the patches are pressed to the force with the ratio of a coarse solution,
    and again with their own. Where planes and ratios depend strongly on the height, as between two patches,
    the height is searched for.
    """
    begun = (yield from balance_coarsely(sides, force, rolling)) if start is None else start
    found = yield from press_and_roll(sides, force, rolling, begun.pose.z, begun)
    if found is None:
        found = yield from find_height(sides, force, rolling, begun.pose.z, None)
    return found


def balance_coarsely(
    sides: Sequence[WheelSide], force: float, rolling: Rolling, start: Balance | None = None
) -> Solving[Balance]:
    """About the same on coarse grids, at the height at which these carry the force."""
    height, leans = guess_height(sides, force, rolling) if start is None else (start.pose.z, [])
    found = yield from press_and_roll(sides, force, rolling, height, start, COARSE, leans)
    if found is None:
        found = yield from find_height(sides, force, rolling, height, COARSE)
    if not have_steps([patch.pressed.plane for patch in found.patches], rolling.steps):
        found = replace(found, reach=1.0)  # coarse elements hide how planes depend on the height
    height = found.laid + found.reach * (found.pose.z - found.laid)
    reached = replace(found, pose=found.pose.raised(height))
    return replace(reached, pose=reached.pose.raised(_follow_force(sides, reached, force)))


def press_and_roll(
    sides: Sequence[WheelSide],
    force: float,
    rolling: Rolling,
    height: float,
    start: Balance | None = None,
    most: int | None = None,
    leans: Sequence[tuple[float, float]] = (),
) -> Solving[Balance | None]:
    """Press the patches at about a height to the force, and roll them; None where that does not settle.

    The approach that is found corrects the height, and the planes are laid again until they stay. Then
    friction is settled with the planes held; on coarse grids, with `most`, it is only found. `start` has
    similar patches to begin from, on any grids; without it, `leans` are about those of the patches.
    """
    touching = max(side.touching_height for side in sides)
    relaid = RelaidHeights(start.reach if start else 1.0)
    tol, settled = (1e-6, SETTLED) if most is None else (COARSE_TOLERANCE, COARSE_SETTLED)
    planes = take_planes(sides, start, rolling.steps) if most is None else []
    if planes and start:
        height = start.laid
    starts, stiffness = (start.patches, start.stiffness) if start else ((), 0.0)
    begun = [patch.pressed.normal for patch in starts]
    leans = [patch.lean for patch in starts] or list(leans)
    found: Balance | None = None
    # planes of parts hardly ever stay where a start on coarse grids lets them be laid
    drafted = most is not None or have_steps([patch.pressed.plane for patch in starts], rolling.steps)
    for _ in range(ROUNDS):
        if not planes:
            if not is_bearable(sides, height):
                return None
            planes = [plane for side in sides for plane in side.planes(height, rolling.steps, most)]
        if not planes:  # at the height of a start nearby nothing overlaps
            return None
        drafted = drafted or all(plane.parts is None for plane in planes)
        if found:
            begun = [patch.pressed.normal for patch in found.patches]
            leans = [patch.lean for patch in found.patches]
        slopes = [*leans, *[(0.0, 0.0)] * len(planes)][: len(planes)]
        if not all(plane.upward(lean) > 0.0 for plane, lean in zip(planes, slopes, strict=True)):
            return None
        pressed = yield from press_together(
            planes, slopes, height, force, rolling.pair, tol=tol if drafted else DRAFT,
            starts=fitting_starts(planes, begun), coarse=most is not None, far=settled * (touching - height),
            stiffness=stiffness,
        )  # fmt: skip
        stiffness = pressed.stiffness
        moves = abs(pressed.height - height) > settled * (touching - pressed.height)
        if moves or (most is None and measure_lag(sides, pressed) > LAG):
            following = relaid.follow(height, pressed.height, moves)
            if following is None or touching <= following:
                return None
            height, planes, found = following, [], None
        if not (drafted and planes):
            drafted, begun = True, [patch.normal for patch in pressed.patches]
            continue
        relaid.observe(height, pressed.height)
        before = found.patches if found else starts
        found = yield from _roll(sides, pressed, rolling, before, coarse=most is not None)
        found = replace(found, reach=relaid.reach)
        if most is not None or abs(found.vertical_force - force) <= BALANCED * force or not found.is_solved:
            return found
    return None


def take_planes(
    sides: Sequence[WheelSide], start: Balance | None, steps: tuple[float, float]
) -> list[ContactPlane]:
    """The planes of a start that has the same elements, if laid where it stands.

    None in transient rolling, which lays its own.
    """
    if start is None or math.isnan(start.laid) or any(side.memory is not None for side in sides):
        return []
    depth = max(side.touching_height for side in sides) - start.pose.z
    if abs(start.pose.z - start.laid) > SETTLED * depth:
        return []
    planes = [patch.pressed.plane for patch in start.patches]
    return planes if have_steps(planes, steps) else []


def have_steps(planes: Sequence[ContactPlane], steps: tuple[float, float]) -> bool:
    """Whether the elements of all planes are those asked for."""
    return all((plane.grid.dx, plane.grid.dy) == steps for plane in planes)


class RelaidHeights:
    """Heights at which planes were laid, and at which they then carried the force: where to lay them next.

    At first that is the height found. Where planes depend strongly on the height, as parts do whose
    interaction fades, that may lead away, and the height follows from a secant. How far a correction then
    reaches, over what was found with the planes held, is kept for the next.
    """

    def __init__(self, reach: float = 1.0) -> None:
        self.reach = reach
        self._last: tuple[float, float] | None = None
        self._by_secant = False

    def follow(self, height: float, carried: float, moves: bool) -> float | None:
        """The next height, m; None where the search does not converge."""
        last, slope = self._last, self.observe(height, carried)
        off = carried - height
        if last is None or slope is None or not moves:
            return height + self.reach * off
        if self._by_secant and abs(off) > CONTRACTION * abs(last[1]):
            return None
        self._by_secant = True
        return height - off / slope if slope < -LEAST_SLOPE else None

    def observe(self, height: float, carried: float) -> float | None:
        """Take a height that was found with planes held; returns how its correction falls with the height."""
        off, last = carried - height, self._last
        self._last = height, off
        if last is None or height == last[0]:
            return None
        slope = (off - last[1]) / (height - last[0])
        if FARTHEST * slope < -1.0 < slope / FARTHEST:
            self.reach = -1.0 / slope
        return slope


def measure_lag(sides: Sequence[WheelSide], pressed: PressedSides) -> float:
    """Largest distance of the planes from where they would be laid at the height found, m."""
    plans = [(SIGNS[one.side], plan.region) for one in sides for plan in one.plans(pressed.height)]
    if len(plans) != len(pressed.patches):
        return math.inf
    return max(
        math.hypot(region.x - patch.plane.mean[0], sign * region.y - patch.plane.mean[1])
        for (sign, region), patch in zip(plans, pressed.patches, strict=True)
    )


def _follow_force(sides: Sequence[WheelSide], found: Balance, force: float) -> float:
    """Height at which the force is carried, from one nearby by the power law of Hertz, m."""
    touching, carried = max(side.touching_height for side in sides), found.vertical_force
    if not carried > 0.0:
        return found.pose.z
    return touching - (touching - found.pose.z) * (force / carried) ** (2.0 / 3.0)


def find_height(
    sides: Sequence[WheelSide], force: float, rolling: Rolling, height: float, most: int | None
) -> Solving[Balance]:
    """Search for the height at which the vertical force is that given: by secants, kept between bounds."""
    touching = max(side.touching_height for side in sides)
    low, high = (0.0, -force), (math.inf, math.inf)  # depths, and what the force is too much there
    last, depth = low, max(touching - height, SHALLOW)
    allowed = (BALANCED if most is None else COARSE_BALANCE) * force
    for _ in range(SEARCHES):
        deepest = not is_bearable(sides, touching - depth)
        if deepest:
            depth = touching - find_deepest(sides, touching - depth)
        found = yield from balance_at_height(sides, touching - depth, rolling, most)
        excess = found.vertical_force - force
        if deepest and excess < -allowed:
            raise refuse_force(force, found.vertical_force)
        if abs(excess) <= allowed or not found.is_solved:
            break
        now = depth, excess
        low, high = (low, now) if excess > 0.0 else (now, high)
        slope = (excess - last[1]) / (depth - last[0]) if depth != last[0] else 0.0
        if last[1] == -force and excess > -force:  # the first step follows the power law of Hertz
            depth *= (force / (excess + force)) ** (2.0 / 3.0)
        elif slope > 0.0:
            depth -= excess / slope
        last = now
        if not low[0] < depth < high[0]:
            depth = 2.0 * low[0] if math.isinf(high[0]) else 0.5 * (low[0] + high[0])
        if abs(depth - now[0]) <= 1e-13:
            break
    return found


def balance_in_turn(
    sides: Sequence[WheelSide], forces: Sequence[float], rolling: Rolling, *, coarse: bool = False
) -> Solving[list[Balance]]:
    """Height, roll angle and forces of wheels that carry given vertical forces, N, each balanced alone.

    Each wheel needs a height of the wheelset; the roll angle is found at which both need the same, first on
    coarse grids, and with `coarse` only there. Returns the balance of each wheel.
    """
    roll, held = level_wheels(sides), rolling
    for side in sides:
        side.with_roll(roll).require_rail()
    slope = sides[0].track.gauge
    starts: list[Balance | None] = [None, None]
    stages = [(balance_coarsely, COARSE_LEVELLED), (balance_force, LEVELLED)]
    for balance, level in stages[:1] if coarse else stages:
        last: tuple[float, float] | None = None
        for _ in range(TURNS):
            turned = [side.with_roll(roll) for side in sides]
            found = []
            for side, force, start in zip(turned, forces, starts, strict=True):
                found.append((yield from balance([side], force, held, start)))
            rate = find_common_rate(found, rolling)
            settled = held.pitch_rate is not None and abs(rate - held.pitch_rate) <= STEADY * abs(rate)
            held, off = replace(rolling, pitch_rate=rate), found[0].pose.z - found[1].pose.z
            depth = min(side.touching_height - one.pose.z for side, one in zip(turned, found, strict=True))
            if (settled and abs(off) <= level * depth) or not all(one.is_solved for one in found):
                break
            if last is not None and abs(roll - last[0]) > LEAST_TURN:
                slope = (last[1] - off) / (roll - last[0])
            last, roll = (roll, off), roll + off / bound_slope(slope, sides[0].track.gauge)
            following = [side.with_roll(roll) for side in sides]
            starts = [_follow_roll(*given) for given in zip(found, turned, following, strict=True)]
    return found


def _follow_roll(found: Balance, side: WheelSide, following: WheelSide) -> Balance:
    """A start for the wheel at another roll angle, with the same overlap."""
    risen = following.touching_height - side.touching_height
    return replace(found, pose=found.pose.raised(found.pose.z + risen), laid=math.nan)


def find_common_rate(found: Sequence[Balance], rolling: Rolling) -> float:
    """Pitch rate of both wheels: that given, or that of pure rolling of both together, rad/s."""
    if rolling.pitch_rate is not None:
        return rolling.pitch_rate
    pressed = [patch.pressed for one in found for patch in one.patches]
    return find_pitch_rate(pressed, found[0].pose, rolling.radius, rolling.motion)


def _roll(
    sides: Sequence[WheelSide],
    pressed: PressedSides,
    rolling: Rolling,
    starts: Sequence[RolledPatch] = (),
    *,
    coarse: bool = False,
) -> Solving[Balance]:
    """Tangential contact of pressed patches."""
    pose, radius = sides[0].pose.raised(pressed.height), sides[0].wheelset.radius
    creeps, rate = find_creeps(pressed.patches, pose, radius, rolling.motion, rolling.pitch_rate)
    friction = rolling.guess if coarse else rolling.friction
    rolled = yield from roll_patches(pressed.patches, creeps, friction, starts, coarse=coarse)
    return Balance(pose, rate, tuple(rolled), pressed.laid, pressed.stiffness)
