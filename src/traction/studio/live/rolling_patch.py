"""A rolling patch whose creepage, spin, load, ellipse and friction are dragged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import traction as tr
from traction.studio.live.drags import (
    DragHandle,
    Given,
    describe_handles,
    read_count,
    read_switch,
    read_vector,
)
from traction.studio.messages import Facts, RefusedError
from traction.studio.patch_scenes import describe_patch, share_sticking

CREEPAGE = (
    DragHandle("creepage_x", "longitudinal creepage", "", 1e-3, -0.05, 0.05),
    DragHandle("creepage_y", "lateral creepage", "", 0.0, -0.05, 0.05),
)
SPIN = DragHandle("spin", "spin", "1/m", 0.0, -5.0, 5.0)
LOAD = DragHandle("load", "load", "N", 80e3, 1e3, 500e3)
AXES = (
    DragHandle("semi_axis_x", "semi-axis along x", "m", 6e-3, 1e-3, 20e-3),
    DragHandle("semi_axis_y", "semi-axis along y", "m", 4.5e-3, 1e-3, 20e-3),
)
FRICTION = DragHandle("friction", "coefficient of friction", "", 0.3, 0.01, 1.0)
LARGEST_RATIO = 10.0
MARGIN = 4  #: elements more than the ellipse has in each direction
STEEL = tr.Pair(tr.STEEL, tr.STEEL)


@dataclass(frozen=True)
class PressedEllipse:
    """Load, semi-axes and friction of a patch."""

    load: float
    semi_axes: tuple[float, float]
    friction: float

    @classmethod
    def read(cls, given: Given) -> PressedEllipse:
        """Of a request."""
        a, b = read_vector(given, "semi_axes", AXES)
        if not 1.0 / LARGEST_RATIO <= a / b <= LARGEST_RATIO:
            raise RefusedError(
                400, f"semi_axes must have a ratio from 1/{LARGEST_RATIO:g} to {LARGEST_RATIO:g}."
            )
        return cls(LOAD.read(given), (a, b), FRICTION.read(given))

    @property
    def radii(self) -> tuple[float, float]:
        """Radii of curvature of bodies whose Hertzian contact has these semi-axes, m.

        At a given ratio of semi-axes and load, a^3 is proportional to the radii.
        """
        a, b = self.semi_axes
        ratio = tr.hertz.radius_ratio(b / a)
        unit = tr.hertz.ellipse(1.0, ratio, STEEL, force=self.load).semi_axes[0]
        scale = (a / unit) ** 3
        return scale, scale * ratio


@lru_cache(maxsize=16)
def press_ellipse(ellipse: PressedEllipse, elements: int) -> tr.NormalContact:
    """The contact on so many elements in each direction around the ellipse."""
    (a, b), wide = ellipse.semi_axes, elements / (elements - MARGIN)
    grid = tr.Grid.around(wide * a, wide * b, elements, elements)
    return tr.press(tr.Paraboloid(*ellipse.radii), grid, STEEL, force=ellipse.load)


def describe() -> Facts:
    """The handles."""
    return {"parameters": describe_handles((*CREEPAGE, SPIN, LOAD, *AXES, FRICTION))}


def solve(given: Given) -> Facts:
    """Forces, and where the patch sticks and slips."""
    xi, eta = read_vector(given, "creepage", CREEPAGE)
    spin, ellipse = SPIN.read(given), PressedEllipse.read(given)
    elements, maps = read_count(given, "elements", 40, 8, 64), read_switch(given, "maps")
    normal = press_ellipse(ellipse, elements)
    found = tr.roll_steady(normal, ellipse.friction, creepage=(xi, eta, spin))
    simple = tr.fastsim(normal, ellipse.friction, creepage=(xi, eta, spin))
    bound = ellipse.friction * ellipse.load
    facts: Facts = {
        "force": [float(one) for one in found.force],
        "moment": float(found.moment),
        "normal_force": float(normal.force),
        "bound": bound,
        "utilisation": math.hypot(*found.force) / bound,
        "stick_share": share_sticking(found),
        "peak_pressure": float(normal.peak_pressure),
        "dissipation": float(found.dissipation),
        "fastsim": {"force": [float(one) for one in simple.force]},
        "status": str(found.status),
    }
    return facts | (describe_patch(found) if maps else {})
