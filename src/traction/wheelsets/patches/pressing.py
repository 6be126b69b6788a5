"""Normal contact of patches: at a given height, or under a given vertical force."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from traction.contact.normal.press import NormalContact, solve_press
from traction.errors import InputError
from traction.materials import Pair
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.wheel_side import MOST_OVERLAP, WheelSide

FIRST_DEPTH = 2e-5  #: overlap with which the search for a height begins, m
GUESSES = 6  #: of the height by Hertz' formula
COARSE = 14  #: elements across the overlap of the grids on which a height is first found
ROUNDS = 12  #: of laying planes and pressing them
STEPS = 25  #: of the height of several patches with their planes held
SETTLED = (
    2e-4  #: change of the overlap in the last round, over the overlap: planes then move by 1e-6 m at most
)


@dataclass(frozen=True, eq=False)
class PressedPatch:
    """A patch and its normal contact."""

    plane: ContactPlane
    normal: NormalContact
    lean: float = 0.0  #: tangential force along the surface over the normal force

    @property
    def upward(self) -> float:
        """Vertical force per normal force."""
        return math.cos(self.plane.angle) + self.lean * math.sin(self.plane.angle)


@dataclass(frozen=True, eq=False)
class PressedSides:
    """All patches of one or two wheels at the height found."""

    height: float  #: m
    patches: tuple[PressedPatch, ...]

    @property
    def vertical_force(self) -> float:
        """Sum of the vertical forces, N."""
        return sum(patch.upward * patch.normal.force for patch in self.patches)


Leans = Sequence[float]


def press_at_height(
    sides: Sequence[WheelSide], height: float, pair: Pair, steps: tuple[float, float]
) -> PressedSides:
    """Press all patches at a height; none where the wheels do not touch."""
    planes = [plane for side in sides for plane in side.planes(height, steps)]
    pressed = [PressedPatch(plane, _press(plane, pair, approach=0.0)) for plane in planes]
    return PressedSides(height, tuple(pressed))


def press_by_force(
    sides: Sequence[WheelSide],
    force: float,
    pair: Pair,
    steps: tuple[float, float],
    height: float,
    leans: Leans = (),
) -> PressedSides:
    """Find the height at which the vertical forces sum up to `force`, N, and press all patches there.

    Planes are laid at a height and pressed to the force; the approach that is found corrects the height, and
    so on until the planes stay. `height` is where it begins; `leans` are the tangential forces along the
    surface over the normal ones, patch by patch.
    """
    touching = max(side.touching_height for side in sides)
    for _ in range(ROUNDS):
        planes = [plane for side in sides for plane in side.planes(height, steps)]
        if not planes:
            height = touching - FIRST_DEPTH
            continue
        found = _press_together(planes, fit_leans(leans, len(planes)), height, force, pair)
        moved, height = abs(found.height - height), found.height
        _require_bearable(touching - height, force)
        if moved <= SETTLED * (touching - height):
            break
    return found


def press_coarsely(
    sides: Sequence[WheelSide], force: float, pair: Pair, steps: tuple[float, float]
) -> PressedSides:
    """`press_by_force` on grids that are no finer than needed to find the height."""
    height = guess_height(sides, force, pair)
    regions = [region for side in sides for region in side.patches(height)]
    length = max(region.x_range[1] - region.x_range[0] for region in regions)
    width = max(abs(region.arc_range[1] - region.arc_range[0]) for region in regions)
    sizes = max(steps[0], length / COARSE), max(steps[1], width / COARSE)
    return press_by_force(sides, force, pair, sizes, height)


def fit_leans(leans: Leans, count: int) -> Leans:
    """One for each patch; what is missing is like the last one."""
    return [*leans[:count], *([leans[-1] if leans else 0.0] * max(0, count - len(leans)))]


def guess_height(sides: Sequence[WheelSide], force: float, pair: Pair) -> float:
    """Height at which the overlaps carry about the force, by Hertz' formula for their extents, m."""
    touching, depth = max(side.touching_height for side in sides), FIRST_DEPTH
    for _ in range(GUESSES):
        carried = 0.0
        for side in sides:
            for region in side.locus.regions(touching - depth):
                length = region.x_range[1] - region.x_range[0]
                width = abs(region.arc_range[1] - region.arc_range[0])
                size = math.sqrt(length * width / 8.0)
                carried += (
                    4.0 / 3.0 * pair.effective_modulus * size * region.depth * math.cos(region.angle) ** 2
                )
        if carried <= 0.0:
            break
        depth *= (force / carried) ** (2.0 / 3.0)
        _require_bearable(depth, force)
    return touching - depth


def _press_together(
    planes: Sequence[ContactPlane], leans: Leans, height: float, force: float, pair: Pair
) -> PressedSides:
    """Press planes that are held to the vertical force; lowering them is an approach along their normals."""
    upward = [math.cos(p.angle) + lean * math.sin(p.angle) for p, lean in zip(planes, leans, strict=True)]
    if not all(up > 0.0 for up in upward):
        raise InputError(
            f"force = {force:.6g} N: the flange would slide up, as friction and contact angle leave no upward "
            "force. Give z instead, or less friction."
        )
    if len(planes) == 1:
        normal = _press(planes[0], pair, force=force / upward[0])
        lowered = normal.approach / math.cos(planes[0].angle)
        return PressedSides(height - lowered, (PressedPatch(planes[0], normal, leans[0]),))
    return _press_several(planes, leans, upward, height, force, pair)


def _press_several(
    planes: Sequence[ContactPlane],
    leans: Leans,
    upward: Sequence[float],
    height: float,
    force: float,
    pair: Pair,
) -> PressedSides:
    """The same for several planes, by a secant iteration on how far they are lowered."""
    normals: list[NormalContact | None] = [None] * len(planes)
    deepest = max(plane.overlap for plane in planes)
    lowered, last, slope = 0.0, None, 0.0
    for _ in range(STEPS):
        normals = [
            _press(plane, pair, approach=lowered * math.cos(plane.angle), start=normal)
            for plane, normal in zip(planes, normals, strict=True)
        ]
        carried = sum(up * normal.force for up, normal in zip(upward, normals, strict=True))
        missing = force - carried
        if abs(missing) <= 1e-7 * force:
            break
        if last is not None and lowered != last[0]:
            slope = (carried - last[1]) / (lowered - last[0])
        if not slope > 0.0:
            slope = 1.5 * max(carried, 0.1 * force) / max(deepest + lowered, 0.1 * deepest)
        last = lowered, carried
        step = missing / slope
        lowered += min(max(step, -0.5 * (deepest + lowered)), 2.0 * deepest)
        _require_bearable(deepest + lowered, force)
    pressed = [
        PressedPatch(plane, normal, lean) for plane, normal, lean in zip(planes, normals, leans, strict=True)
    ]
    return PressedSides(height - lowered, tuple(pressed))


def _press(
    plane: ContactPlane, pair: Pair, *, start: NormalContact | None = None, **load: float
) -> NormalContact:
    return solve_press(plane.gap, plane.grid, pair, start=start, **load, on_failure="return")


def _require_bearable(depth: float, force: float) -> None:
    if not depth <= MOST_OVERLAP:
        raise InputError(
            f"force = {force:.6g} N would press wheel and rail {depth:.3g} m into each other, at most "
            f"{MOST_OVERLAP} m is a contact of elastic bodies: more than the profiles carry in this position. "
            "Reduce the force, or the lateral shift."
        )
