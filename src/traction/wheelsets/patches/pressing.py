"""Normal contact of patches: at a given height, or under a given vertical force."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from traction.contact.normal.contact_window import displace_by_waves, has_waves
from traction.contact.normal.press import NormalContact, solve_press
from traction.errors import InputError
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.wheel_side import MOST_OVERLAP, WheelSide

FIRST_DEPTH = 2e-5  #: overlap with which the search for a height begins, m
GUESSES = 4  #: of the height by Hertz' formula
STEPS = 25  #: of the height of several patches with their planes held
NEARLY, COARSELY = 10.0, 1e-3  #: error of their force, in tolerances of the contact; and at most
PASSES = 30  #: of parts of a patch whose interaction fades
FADED = 3.0  #: change of their distance in the last pass, over the overlap and the tolerance


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


@dataclass(frozen=True, eq=False)
class PressedSides:
    """All patches of one or two wheels at the height found."""

    height: float  #: m
    patches: tuple[PressedPatch, ...]


def press_at_height(
    sides: Sequence[WheelSide],
    height: float,
    pair: Pair,
    steps: tuple[float, float],
    most: int | None = None,
    tol: float = 1e-6,
) -> PressedSides:
    """Press all patches at a height; none where the wheels do not touch."""
    planes = [plane for side in sides for plane in side.planes(height, steps, most)]
    pressed = [PressedPatch(plane, press_plane(plane, pair, approach=0.0, tol=tol)) for plane in planes]
    return PressedSides(height, tuple(pressed))


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
                upward = region.depth * math.cos(region.angle) ** 2
                carried += 4.0 / 3.0 * pair.effective_modulus * size * upward
        if carried <= 0.0:
            break
        depth *= (force / carried) ** (2.0 / 3.0)
        require_bearable(depth, force)
    return touching - depth


def press_together(
    planes: Sequence[ContactPlane],
    leans: Sequence[tuple[float, float]],
    height: float,
    force: float,
    pair: Pair,
    *,
    tol: float = 1e-6,
    starts: Sequence[NormalContact] = (),
) -> PressedSides:
    """Press planes that are held to the vertical force; lowering them is an approach along their normals."""
    upward = [plane.upward(lean) for plane, lean in zip(planes, leans, strict=True)]
    if not all(up > 0.0 for up in upward):
        raise InputError(
            f"force = {force:.6g} N: the flange would slide up its rail, as friction and contact angle leave "
            "no upward force. Give z instead, or less friction."
        )
    begun = list(starts) if starts else [None] * len(planes)
    if len(planes) == 1:
        normal = press_plane(planes[0], pair, force=force / upward[0], tol=tol, start=begun[0])
        lowered = normal.approach / planes[0].upward()
        return PressedSides(height - lowered, (PressedPatch(planes[0], normal, leans[0]),))
    lowered, normals = _lower_planes(planes, upward, force, pair, tol, begun)
    patches = [
        PressedPatch(plane, normal, lean) for plane, normal, lean in zip(planes, normals, leans, strict=True)
    ]
    return PressedSides(height - lowered, tuple(patches))


def fitting_starts(
    planes: Sequence[ContactPlane], earlier: Sequence[NormalContact]
) -> Sequence[NormalContact]:
    """Earlier contacts to begin from: those of other planes and grids too, if there are as many."""
    return earlier if len(planes) == len(earlier) else ()


def _lower_planes(
    planes: Sequence[ContactPlane],
    upward: Sequence[float],
    force: float,
    pair: Pair,
    tol: float,
    starts: Sequence[NormalContact | None],
) -> tuple[float, list[NormalContact]]:
    """How far several planes are lowered to carry a force, m, by a secant iteration; and their contacts."""
    deepest = max(plane.overlap for plane in planes)
    lowered, slope, allowed = 0.0, 0.0, min(NEARLY * tol, COARSELY)
    last: tuple[float, float] | None = None
    normals: Sequence[NormalContact | None] = starts
    for _ in range(STEPS):
        normals = [
            press_plane(plane, pair, approach=lowered * plane.upward(), tol=tol, start=normal)
            for plane, normal in zip(planes, normals, strict=True)
        ]
        carried = sum(up * normal.force for up, normal in zip(upward, normals, strict=True) if normal)
        if abs(force - carried) <= allowed * force:
            break
        if last is not None and lowered != last[0]:
            slope = (carried - last[1]) / (lowered - last[0])
        if not slope > 0.0:
            slope = _guess_stiffness(planes, normals, upward, lowered)
        if not slope > 0.0:
            slope = 1.5 * max(carried, 0.1 * force) / max(deepest + lowered, 0.1 * deepest)
        last = lowered, carried
        step = (force - carried) / slope
        lowered += min(max(step, -0.5 * (deepest + lowered)), 2.0 * deepest)
        require_bearable(deepest + lowered, force)
    return lowered, [normal for normal in normals if normal is not None]


def _guess_stiffness(
    planes: Sequence[ContactPlane],
    normals: Sequence[NormalContact | None],
    upward: Sequence[float],
    lowered: float,
) -> float:
    """Vertical force per metre of lowering, N/m, where each patch follows the power law of Hertz."""
    total = 0.0
    for plane, normal, up in zip(planes, normals, upward, strict=True):
        down = plane.upward()
        depth = plane.overlap + lowered * down
        if normal is not None and depth > 0.0:
            total += 1.5 * up * down * normal.force / depth
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
            guess=plane.guess_pressure(approach or 0.0) if begin is None else None,
        )  # fmt: skip

    parts, gap = plane.parts, plane.gap
    if parts is None:
        return press(gap, start)
    half_space = HalfSpace(plane.grid, pair)
    waves = has_waves(half_space)
    displace = partial(displace_by_waves, half_space) if waves else partial(half_space.product, "z", "z")
    normal = start if start is not None and start.grid == plane.grid else press(gap, start)
    for _ in range(PASSES):
        changed = plane.gap + parts.displace_rows(displace, normal.pressure) - displace(normal.pressure)
        moved = float(np.abs(changed - gap).max())
        gap = changed
        normal = press(gap, normal)
        if moved <= FADED * tol * max(plane.overlap, 1e-9):
            break
    return replace(normal, parts=parts)


def require_bearable(depth: float, force: float) -> None:
    """Raise an error where a force presses bodies deeper into each other than elastic ones can be."""
    if not depth <= MOST_OVERLAP:
        raise InputError(
            f"force = {force:.6g} N would press wheel and rail {depth:.3g} m into each other, at most "
            f"{MOST_OVERLAP} m is a contact of elastic bodies: more than the profiles carry in this "
            "position. Reduce the force, or the lateral shift."
        )
