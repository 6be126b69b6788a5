"""Figures of beams on obstacles: quantities along the beam, the elements, and a beam that lands.

Each takes results and optional axes, and returns the axes. matplotlib is loaded where a figure is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.beams.obstacle.infinite_beam import ScaledObstacle
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.quantities import Unit, unit_for
from traction.resting.landing import Landing
from traction.view.figures import (
    BLUE,
    DARK,
    FONT,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    draw_legend,
    new_axes,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 2000  #: drawn along a beam, besides both sides of each node
SHAPES = 9  #: of a landing beam that are drawn
GROUND = "#f6e3d3"
#: quantity -> unit, label, title
QUANTITIES = {
    "deflection": ("m", "deflection", "Deflection"),
    "rotation": ("1", "rotation", "Rotation of the sections"),
    "moment": ("N m", "moment", "Bending moment"),
    "shear": ("N", "shear force", "Shear force"),
    "contact_force": ("N/m", "contact force", "Contact force per length"),
}


def obstacle_plot(
    contact: ObstacleContact,
    quantity: str = "deflection",
    ax: Axes | None = None,
    *,
    theory: ScaledObstacle | None = None,
    nodes: bool = False,
    title: str | None = None,
) -> Axes:
    """A quantity along a beam on an obstacle: deflection, rotation, moment, shear or contact_force.

    `theory` adds a closed solution (`contact.benchmark`), `nodes` marks the ends of the elements. Point
    forces are arrows, as long as their share of the largest one.
    """
    checks.choice("quantity", quantity, tuple(QUANTITIES))
    ax = new_axes(ax)
    picture = ObstaclePicture.of(contact, (quantity,))
    length, unit = picture.units(quantity)
    if theory is not None:
        closed = unit.of(getattr(theory, quantity)(picture.x))
        ax.plot(length.of(picture.x), closed, "--", color=ORANGE, lw=1.6, label="closed form", zorder=3.5)
    if nodes:
        at = contact.nodes
        ax.plot(length.of(at), unit.of(getattr(contact, quantity)(at)), "o", color=BLUE, ms=3.5, zorder=4)
    return draw_obstacle(picture, quantity, ax, title=title)


@dataclass(frozen=True, eq=False)
class ObstaclePicture:
    """What `obstacle_plot` draws: quantities along the beam, the obstacles, and point forces."""

    x: np.ndarray  #: m
    values: dict[str, np.ndarray]  #: of each quantity at x
    below: np.ndarray  #: the obstacle at x, m downwards
    above: np.ndarray | None  #: that above the beam
    point_forces: np.ndarray  #: force (N) and place (m) of each, (n, 2)

    @classmethod
    def of(cls, contact: ObstacleContact, quantities: Iterable[str] = tuple(QUANTITIES)) -> ObstaclePicture:
        """Of a result."""
        x, problem = _places(contact), contact.problem
        points = [point for zone in contact.zones for point in zone.point_forces]
        return cls(
            x,
            {name: getattr(contact, name)(x) for name in quantities},
            problem.below(x),
            None if problem.above is None else -problem.above(x),
            np.array(points, dtype=float).reshape(-1, 2),
        )

    def units(self, quantity: str) -> tuple[Unit, Unit]:
        """In which places and a quantity are drawn."""
        base = QUANTITIES[quantity][0]
        unit = Unit("1", 1.0) if base == "1" else unit_for(self.values[quantity], base)
        return unit_for(float(self.x[-1]), "m"), unit


def draw_obstacle(
    picture: ObstaclePicture, quantity: str, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """A quantity along the beam."""
    ax = new_axes(ax)
    _, label, name = QUANTITIES[quantity]
    x, values = picture.x, picture.values[quantity]
    length, unit = picture.units(quantity)
    drawn = len(ax.lines)
    if quantity == "deflection":
        _draw_obstacles(ax, picture, length, unit)
    ax.plot(length.of(x), unit.of(values), color=BLUE, lw=1.8, label="elements", zorder=3)
    if quantity == "contact_force":
        ax.fill_between(length.of(x), unit.of(values), color=BLUE, alpha=0.12, lw=0.0)
        _draw_points(ax, picture.point_forces, length)
    if quantity == "deflection":
        ax.invert_yaxis()
    style_axes(ax, f"x ({length.name})", f"{label} ({unit.name})", name if title is None else title)
    if drawn or quantity == "deflection":  # there is a closed form beside it, or an obstacle
        draw_legend(ax)
    return ax


def landing_plot(landing: Landing, ax: Axes | None = None, *, title: str = "A beam lands") -> Axes:
    """Shapes of a beam that falls on an obstacle, from pale to dark, and where it will rest."""
    ax = new_axes(ax)
    model = landing.model
    x = np.linspace(0.0, model.beam.length, 400)
    shapes = landing.deflection(x)
    ground = landing.mortar.gaps / landing.mortar.weights
    length, unit = unit_for(model.beam.length, "m"), unit_for(ground, "m")
    at = np.linspace(0.0, model.beam.length, ground.size)
    low = 1.12 * float(unit.of(max(float(shapes.max()), float(ground.max()))))
    ax.fill_between(length.of(at), unit.of(ground), low, color=GROUND, lw=0.0, label="obstacle")
    # most of the motion comes first: times are chosen by how far the beam has moved
    way = np.r_[0.0, np.cumsum(np.abs(np.diff(shapes, axis=0)).max(axis=1))]
    for k, share in enumerate(np.linspace(0.0, 1.0, SHAPES)):
        row = int(np.argmin(np.abs(way - share * way[-1])))
        ax.plot(length.of(x), unit.of(shapes[row]), color=BLUE, alpha=0.25 + 0.7 * k / (SHAPES - 1), lw=1.4)
    rest = model.deflection(landing.resting_state, x)
    ax.plot(length.of(x), unit.of(rest), "--", color=ORANGE, lw=1.8, label="at rest")
    ax.set_ylim(low, min(0.0, float(unit.of(shapes.min()))) - 0.04 * low)
    style_axes(ax, f"x ({length.name})", f"deflection ({unit.name})", title)
    draw_legend(ax, loc="lower left")
    return ax


def landing_energy_plot(landing: Landing, ax: Axes | None = None, *, title: str = "Energy") -> Axes:
    """Where the energy of a landing beam goes: kept, taken by damping, taken by contacts."""
    ax = new_axes(ax)
    t, start = landing.t, landing.energy[0]
    unit, time = unit_for(start - landing.energy, "J"), unit_for(t, "s")
    end = landing.energy[-1]
    parts = np.stack((landing.energy - end, landing.damped, landing.lost))
    names = ("above that at rest", "taken by damping", "taken by contacts")
    ax.stackplot(time.of(t), *unit.of(parts), labels=names, colors=(SKY, GREEN, ORANGE), alpha=0.75, lw=0.0)
    settled = t[np.flatnonzero(landing.energy - end > 1e-3 * (start - end))]
    ax.set_xlim(0.0, float(time.of(min(2.0 * settled.max(initial=0.5 * t[-1] / 2.0), t[-1]))))
    style_axes(ax, f"time ({time.name})", f"energy ({unit.name})", title)
    draw_legend(ax, loc="center right")
    return ax


def _places(contact: ObstacleContact) -> np.ndarray:
    """Even places, and both sides of each node."""
    L = contact.problem.beam.length
    near = 1e-9 * L
    nodes = contact.nodes
    return np.unique(np.r_[np.linspace(0.0, L, POINTS), np.clip(np.r_[nodes - near, nodes], 0.0, L)])


def _draw_obstacles(ax: Axes, picture: ObstaclePicture, length: Unit, unit: Unit) -> None:
    x, w, below = picture.x, picture.values["deflection"], picture.below
    room = 0.08 * float(max(np.abs(w).max(), 1e-300))
    low = max(float(w.max()), float(below.min())) + room
    ax.fill_between(
        length.of(x), unit.of(np.minimum(below, low)), unit.of(low), color=GROUND, lw=0.0, label="obstacle"
    )
    if picture.above is not None:
        over = picture.above
        high = min(float(w.min()), float(over.max())) - room
        ax.fill_between(length.of(x), unit.of(high), unit.of(np.maximum(over, high)), color=GROUND, lw=0.0)


def _draw_points(ax: Axes, points: np.ndarray, length: Unit) -> None:
    """Point forces as arrows with their sizes."""
    if not points.size:
        return
    size = float(np.abs(points[:, 0]).max())
    force_unit = unit_for(size, "N")
    low, high = ax.get_ylim()
    tall = 0.85 * (high - low)
    for force, place in points:
        at = float(length.of(place))
        ax.annotate(
            "",
            (at, tall * force / size),
            (at, 0.0),
            arrowprops={"arrowstyle": "-|>", "color": ORANGE, "lw": 1.8},
        )
        text = f" {float(force_unit.of(force)):.3g} {force_unit.name}"
        ax.text(at, 0.9 * tall * force / size, text, color=DARK, fontsize=FONT["tick"])
    ax.plot([], [], color=ORANGE, lw=1.8, label="point force")
    ax.axhline(0.0, color=GREY, lw=0.8)
    draw_legend(ax)
