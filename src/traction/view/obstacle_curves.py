"""Figures of beams on obstacles: quantities along the beam, the elements, and a beam that lands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.beams.obstacle.infinite_beam import ScaledObstacle
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.quantities import Unit, significant, unit_for
from traction.resting.landing import Landing
from traction.view.arguments import checked, figure
from traction.view.chart import Chart
from traction.view.figures import BLUE, DARK, FONT, GREEN, GREY, GROUND_FILL, ORANGE, SKY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 2000  #: drawn along a beam, besides both sides of each node
SHAPES = 9  #: of a landing beam that are drawn
WORDS = (0.17, 0.075)  #: room of the size of a point force, of the width and height of a figure
#: quantity -> unit, label, title
QUANTITIES = {
    "deflection": ("m", "deflection", "Deflection"),
    "rotation": ("1", "rotation", "Rotation of the sections"),
    "moment": ("N m", "moment", "Bending moment"),
    "shear": ("N", "shear force", "Shear force"),
    "contact_force": ("N/m", "contact force", "Contact force per length"),
}


@figure
def obstacle_plot(
    contact: ObstacleContact,
    quantity: str = "deflection",
    ax: Axes | None = None,
    *,
    theory: ScaledObstacle | None = None,
    nodes: bool = False,
    title: str | None = None,
) -> Axes:
    """Plot a quantity along a beam on an obstacle.

    Deflections are drawn downwards, point forces as arrows.

    Parameters
    ----------
    contact
        Result of `tr.obstacle.solve`.
    quantity
        "deflection", "rotation", "moment", "shear" or "contact_force".
    theory
        Closed solution to add, `contact.benchmark`.
    nodes
        Mark the nodes.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the quantity is unknown.

    Examples
    --------
    >>> beam = tr.Beam(4.0, 1.0, 1.0, shear_stiffness=25.0, supports=("clamped", "free"))
    >>> contact = tr.obstacle.solve(beam, 1.0, 0.1, 40)
    >>> ax = tr.view.obstacle_plot(contact, "moment", nodes=True)
    >>> ax.get_title("left")
    'Bending moment'
    """
    checks.choice("quantity", quantity, tuple(QUANTITIES))
    picture = ObstaclePicture.of(contact, (quantity,))
    chart = picture.chart(quantity, ax)
    if theory is not None:
        closed = getattr(theory, quantity)(picture.x)
        chart.plot(picture.x, closed, "--", color=ORANGE, lw=1.6, label="closed form", zorder=3.5)
    if nodes:
        at = contact.nodes
        chart.plot(at, getattr(contact, quantity)(at), "o", color=BLUE, ms=3.5, zorder=4)
    return draw_obstacle(picture, quantity, chart.ax, title=title)


@dataclass(frozen=True, eq=False)
class ObstaclePicture:
    """Data of `obstacle_plot`: quantities along the beam, the obstacles, and point forces."""

    x: np.ndarray  #: m
    values: dict[str, np.ndarray]  #: of each quantity at x
    below: np.ndarray  #: the obstacle at x, m downwards
    above: np.ndarray | None  #: that above the beam
    point_forces: np.ndarray  #: force (N) and place (m) of each, (n, 2)

    @classmethod
    def of(cls, contact: ObstacleContact, quantities: Iterable[str] = tuple(QUANTITIES)) -> ObstaclePicture:
        """Data of a result."""
        x, problem = _places(contact), contact.problem
        points = [point for zone in contact.zones for point in zone.point_forces]
        return cls(
            x,
            {name: getattr(contact, name)(x) for name in quantities},
            problem.below(x),
            None if problem.above is None else -problem.above(x),
            np.array(points, dtype=float).reshape(-1, 2),
        )

    def chart(self, quantity: str, ax: Axes | None) -> Chart:
        """Axes for a quantity along the beam."""
        base = QUANTITIES[quantity][0]
        unit = Unit("1", 1.0) if base == "1" else unit_for(self.values[quantity], base)
        return Chart(ax, unit_for(float(self.x[-1]), "m"), unit)


def draw_obstacle(
    picture: ObstaclePicture, quantity: str, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """A quantity along the beam."""
    chart = picture.chart(quantity, ax)
    _, label, name = QUANTITIES[quantity]
    x, values = picture.x, picture.values[quantity]
    # a closed form is beside it, or an obstacle
    legend = bool(chart.ax.lines) or quantity == "deflection"
    if quantity == "deflection":
        _draw_grounds(chart, picture)
    chart.plot(x, values, color=BLUE, lw=1.8, label="elements", zorder=3)
    if quantity == "contact_force":
        chart.fill(x, values, color=BLUE, alpha=0.12)
        _draw_points(chart, picture.point_forces)
    if quantity == "deflection":
        chart.ax.invert_yaxis()
    return chart.finish("x", label, title, name, legend=legend)


@checked
def landing_plot(landing: Landing, ax: Axes | None = None, *, title: str = "A beam lands") -> Axes:
    """Plot shapes of a beam that falls on an obstacle.

    They darken with time; the shape at rest is dashed.

    Parameters
    ----------
    landing
        Fall of a beam on an obstacle, from `tr.land`.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Returns
    -------
    Axes
        The axes; deflections point downwards.

    Raises
    ------
    InputError
        If `landing` is none of `tr.land`.

    Examples
    --------
    >>> beam = tr.Beam(1.0, 100.0, 2.0, supports=("clamped", "clamped"), damping=tr.Rayleigh(5.0, 1e-4))
    >>> landing = tr.land(beam, 500.0, 2e-3, 16, t_end=0.05)
    >>> ax = tr.view.landing_plot(landing)
    >>> ax.get_ylabel()
    'deflection (mm)'
    """
    model, ground = landing.model, landing.mortar.gaps / landing.mortar.weights
    x = np.linspace(0.0, model.beam.length, 400)
    shapes = landing.deflection(x)
    chart = Chart(ax, unit_for(model.beam.length, "m"), unit_for(ground, "m"))
    low = 1.12 * float(chart.y.of(max(float(shapes.max()), float(ground.max()))))
    at = chart.x.of(np.linspace(0.0, model.beam.length, ground.size))
    chart.ax.fill_between(at, chart.y.of(ground), low, color=GROUND_FILL, lw=0.0, label="obstacle")
    # most of the motion comes first: times are chosen by how far the beam has moved
    way = np.r_[0.0, np.cumsum(np.abs(np.diff(shapes, axis=0)).max(axis=1))]
    for k, share in enumerate(np.linspace(0.0, 1.0, SHAPES)):
        row = int(np.argmin(np.abs(way - share * way[-1])))
        chart.plot(x, shapes[row], color=BLUE, alpha=0.25 + 0.7 * k / (SHAPES - 1), lw=1.4)
    chart.plot(x, model.deflection(landing.resting_state, x), "--", color=ORANGE, lw=1.8, label="at rest")
    chart.ax.set_ylim(low, min(0.0, float(chart.y.of(shapes.min()))) - 0.04 * low)
    chart.legend(loc="lower left")
    return chart.finish("x", "deflection", title)


@figure
def landing_energy_plot(landing: Landing, ax: Axes | None = None, *, title: str = "Energy") -> Axes:
    """Plot the energy of a landing beam: stored, dissipated by damping, dissipated by impacts.

    Parameters
    ----------
    landing, ax, title
        As in `landing_plot`.

    Raises
    ------
    InputError
        As `landing_plot`.

    Examples
    --------
    >>> beam = tr.Beam(1.0, 100.0, 2.0, supports=("clamped", "clamped"), damping=tr.Rayleigh(5.0, 1e-4))
    >>> ax = tr.view.landing_energy_plot(tr.land(beam, 500.0, 2e-3, 16, t_end=0.05))
    >>> ax.get_ylabel()
    'energy (J)'
    """
    t, start, end = landing.t, landing.energy[0], landing.energy[-1]
    chart = Chart(ax, unit_for(t, "s"), unit_for(start - landing.energy, "J"))
    parts = chart.y.of(np.stack((landing.energy - end, landing.damped, landing.lost)))
    names = ("above that at rest", "taken by damping", "taken by contacts")
    colors = (SKY, GREEN, ORANGE)
    chart.ax.stackplot(chart.x.of(t), *parts, labels=names, colors=colors, alpha=0.75, lw=0.0)
    settled = t[np.flatnonzero(landing.energy - end > 1e-3 * (start - end))]
    chart.limit_x(0.0, min(2.0 * settled.max(initial=0.5 * t[-1] / 2.0), t[-1]))
    chart.legend(loc="center right")
    return chart.finish("time", "energy", title)


def _places(contact: ObstacleContact) -> np.ndarray:
    """Even places, and both sides of each node."""
    L = contact.problem.beam.length
    near = 1e-9 * L
    nodes = contact.nodes
    return np.unique(np.r_[np.linspace(0.0, L, POINTS), np.clip(np.r_[nodes - near, nodes], 0.0, L)])


def _draw_grounds(chart: Chart, picture: ObstaclePicture) -> None:
    x, w, below, over = picture.x, picture.values["deflection"], picture.below, picture.above
    room = 0.08 * float(max(np.abs(w).max(), 1e-300))
    low = max(float(w.max()), float(below.min())) + room
    chart.fill(x, np.minimum(below, low), low, color=GROUND_FILL, label="obstacle")
    if over is not None:
        high = min(float(w.min()), float(over.max())) - room
        chart.fill(x, high, np.maximum(over, high), color=GROUND_FILL)


def _draw_points(chart: Chart, points: np.ndarray) -> None:
    """Point forces as arrows with their sizes."""
    if not points.size:
        return
    ax, size = chart.ax, float(np.abs(points[:, 0]).max())
    unit, (low, high) = unit_for(size, "N"), ax.get_ylim()
    box = {"boxstyle": "square,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.7}
    tall, arrow = 0.85 * (high - low), {"arrowstyle": "-|>", "color": ORANGE, "lw": 1.8}
    at, tips = chart.x.of(points[:, 1]), tall * points[:, 0] / size
    words = [f"{significant(float(unit.of(force)), 3)} {unit.name}" for force in points[:, 0]]
    ax.set_ylim(low, high + 0.25 * (high - low))  # the legend has the room above
    room = WORDS[0] * float(np.ptp(ax.get_xlim())), WORDS[1] * (high - low)
    for x, tip, text, level in zip(at, tips, words, place_words(at, tips, room), strict=True):
        ax.annotate("", (x, tip), (x, 0.0), arrowprops=arrow)
        ax.annotate(
            text, (x, level), xytext=(4.0, 0.0), textcoords="offset points", va="center", color=DARK,
            fontsize=FONT["tick"], bbox=box,
        )  # fmt: skip
    ax.plot([], [], color=ORANGE, lw=1.8, label="point force")
    ax.axhline(0.0, color=GREY, lw=0.8)
    chart.legend(loc="upper center", ncols=2)


def place_words(x: np.ndarray, levels: np.ndarray, room: tuple[float, float]) -> np.ndarray:
    """Heights near `levels` of words at x, such that none of width and height `room` cover each other."""
    wide, high = room
    placed: dict[int, float] = {}
    for k in np.argsort(x, kind="stable").tolist():
        near = sorted(level for other, level in placed.items() if abs(x[k] - x[other]) < wide)
        level = float(levels[k])
        for taken in near:  # from below: a word that is raised may meet the next one
            if abs(level - taken) < high:
                level = taken + high
        placed[k] = level
    return np.array([placed[k] for k in range(len(x))])
