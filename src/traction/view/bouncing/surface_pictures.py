"""Body and deformed ground at one time, cut through the lowest point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.bouncing.falling_body import FallingBody
from traction.errors import InputError
from traction.quantities import Unit, unit_for
from traction.view.arguments import checked
from traction.view.chart import Chart, draw_words
from traction.view.figures import BLUE, DARK, GROUND_FILL, ORANGE, STEEL_FILL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOM = 2.4  #: half width of a picture of the contact over its largest radius
FACTORS = tuple(digit * 10.0**power for power in range(6) for digit in (1.0, 2.0, 5.0))


@checked
def surface_plot(
    history: BounceHistory,
    t: float,
    ax: Axes | None = None,
    *,
    legend: bool = True,
    half_width: float | None = None,
    magnification: float | None = None,
    title: str | None = None,
) -> Axes:
    """Plot body and deformed ground at one time, cut through the lowest point.

    A thick line is where they touch.

    Parameters
    ----------
    history
        Result of `tr.bounce`.
    t
        Time, s.
    half_width
        Extent to either side, m; 2.4 times the largest contact radius by default.
    magnification
        Magnification of heights; by default the least of 1, 2, 5, 10, ... that shows the penetration.
    legend, ax, title
        Whether to draw a legend; axes to draw on, a new figure by default, and their title.

    Returns
    -------
    Axes
        The axes, with lengths along both in one unit.

    Raises
    ------
    InputError
        If the body never touches the ground; if a half width or a magnification is not positive.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> ax = tr.view.surface_plot(fall, fall.contacts[0].peak_time)
    >>> ax.get_title("left")
    'Surfaces at t = 142.82 ms'
    """
    cut = SurfaceCut.of(history, t, Scene.of(history, half_width, magnification))
    words = f"Surfaces at t = {1e3 * t:.2f} ms" if title is None else title
    return draw_surfaces(cut, ax, legend=legend, title=words)


@dataclass(frozen=True, eq=False)
class SurfaceCut:
    """Data of `surface_plot`: body and ground at one time, cut through the lowest point."""

    scene: Scene
    height: float  #: of the lowest point, m
    upper: np.ndarray  #: height of the body's surface over `scene.x`, m
    lower: np.ndarray  #: of the ground's

    @classmethod
    def of(cls, history: BounceHistory, t: float, scene: Scene) -> SurfaceCut:
        """Surfaces of a history at time t, s."""
        return cls(scene, float(history.at(t)), *history.surfaces(t, scene.x))


def draw_surfaces(cut: SurfaceCut, ax: Axes | None = None, *, legend: bool = True, title: str) -> Axes:
    """Body and deformed ground."""
    scene, x = cut.scene, cut.scene.x
    chart = Chart(ax, scene.unit, scene.unit)
    chart.plot(x, np.zeros_like(x), "--", color=ORANGE, lw=1.2, label="ground, undeformed")
    chart.ax.fill_between(chart.x.of(x), chart.y.of(cut.lower), scene.bottom, color=GROUND_FILL, lw=0.0)
    chart.ax.fill_between(chart.x.of(x), chart.y.of(cut.upper), scene.top, color=STEEL_FILL, lw=0.0)
    chart.plot(x, cut.lower, color=ORANGE, lw=2.0, label="ground")
    chart.plot(x, cut.upper, color=BLUE, lw=2.0, label="body")
    touching = cut.upper - cut.lower < 1e-3 * max(scene.depth, 1e-30)
    if touching.any() and cut.height < 0.0:
        where = np.where(touching, cut.lower, np.nan)
        chart.plot(x, where, color=DARK, lw=3.5, solid_capstyle="butt", label="contact")
    scene.frame(chart.ax)
    if legend:
        chart.legend(loc="upper center", ncols=2)
    return chart.finish("x", "height", title, grid=False)


@dataclass(frozen=True, eq=False)
class Scene:
    """The frame of a picture of a body on the ground: places, limits in the unit drawn, and magnification."""

    x: np.ndarray  #: m
    depth: float  #: of the deepest penetration, m
    rise: float  #: up to which it is drawn, m
    magnification: float  #: of heights

    def __post_init__(self) -> None:
        if not (np.diff(self.x) > 0.0).all():
            raise InputError(
                "the places x of a picture must increase; those stored are damaged: run the case again."
            )

    @property
    def unit(self) -> Unit:
        """In which it is drawn."""
        return unit_for(float(self.x[-1]), "m")

    @property
    def bottom(self) -> float:
        """Lower limit, in that unit; the legend has the room above."""
        return float(self.unit.of(-1.45 * self.depth))

    @property
    def top(self) -> float:
        """Upper limit, likewise."""
        return float(self.unit.of(self.rise))

    @classmethod
    def of(cls, history: BounceHistory, half_width: float | None, magnification: float | None) -> Scene:
        """A frame for the largest contact of a history."""
        depth = float(history.penetration.max())
        if depth <= 0.0:
            raise InputError("the body does not touch the ground: there is no deformation to show.")
        if half_width is None:
            half = _half_width(history.body, depth)
        else:
            half = checks.positive("half_width", half_width, "m")
        if magnification is None:
            magnification = next((f for f in FACTORS if f * depth >= 0.09 * half), FACTORS[-1])
        factor = checks.positive("magnification", magnification)
        rise = max(1.1 * depth, 0.62 * half / factor)
        return cls(np.linspace(-half, half, 481), depth, rise, factor)

    def frame(self, ax: Axes) -> None:
        """Limits and scales; says by how much heights are magnified."""
        ends = self.unit.of(self.x[[0, -1]])
        ax.set_xlim(*ends)
        ax.set_ylim(self.bottom, self.top)
        ax.set_aspect(self.magnification)
        true = self.magnification == 1.0
        words = "true to scale" if true else f"heights magnified {self.magnification:g} times"
        draw_words(ax, 0.99, 0.03, words, ha="right", va="bottom")


def _half_width(body: FallingBody, depth: float) -> float:
    """Half width (m) of a picture of the contact and its surroundings, as far as the shape is known."""
    grid, reach = body.law.grid, 1e-6
    most = math.inf if grid is None else 0.5 * grid.nx * grid.dx
    # half the depth: the ground around deforms too
    while reach < min(most, 1e3) and knows(body, reach) and rise(body, reach) < 0.5 * depth:
        reach *= 1.1
    half = ROOM * min(reach, most)
    while not knows(body, half):
        half *= 0.9
    return half


def rise(body: FallingBody, x: float) -> float:
    """Height of the body's surface at (x, 0) above its lowest point, m."""
    return float(body.surface.height(np.array([x]), np.zeros(1))[0])


def knows(body: FallingBody, half: float) -> bool:
    """Whether the shape reaches that far: a height map or an exact ball ends somewhere."""
    try:
        return bool(np.isfinite([rise(body, half), rise(body, -half)]).all())
    except InputError:
        return False
