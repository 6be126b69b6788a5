"""`animate_rolling`: tractions of a contact that rolls on, and the creepage or force that goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.tangential_contact import TangentialContact
from traction.errors import InputError
from traction.quantities import unit_for
from traction.view.animations.film import Film, Trace, finish_film
from traction.view.arguments import checked
from traction.view.chart import colour_bar, draw_words
from traction.view.contacts import ContactMap, Cut, reach, window
from traction.view.figures import (
    BLUE,
    DARK,
    FONT,
    GREEN,
    GREY,
    MAP_INK,
    blank_figure,
    draw_legend,
    style_axes,
)
from traction.view.friction_curves import pale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_CHANGE = 1e-3  #: of a creepage over its size, below which it is given, and the force is shown
ARROWS = 14  #: across the contact
STRETCH = 1.12  #: of the largest bound, up to which tractions are drawn


@dataclass(frozen=True, eq=False)
class RollingHistory:
    """Creepage and force over the distance rolled, for `tr.view.animate_rolling`.

    Creepages are NaN where there is none, or none is to be shown; then the force is shown.
    """

    distance: np.ndarray  #: m, (n,)
    creepage: np.ndarray  #: xi, eta (-), (n, 2)
    force: np.ndarray  #: F_x, F_y over mu F_n, (n, 2)

    @classmethod
    def of(cls, distance: ArrayLike, creepage: ArrayLike, force: ArrayLike) -> RollingHistory:
        """Return the history of `distance` (m), `creepage` (xi, eta) and `force` over mu F_n."""
        way = checks.real_array("distance", distance, "m")
        clean = [np.array(a, dtype=float).reshape(way.size, 2) for a in (creepage, force)]
        return cls(way, *clean)


@checked
def animate_rolling(
    contacts: Sequence[TangentialContact],
    path: str | Path | None = None,
    *,
    distance: ArrayLike,
    history: RollingHistory | None = None,
    direction: int = 1,
    fps: float = 12.0,
) -> Film | Path:
    """Animate rolling contact: tractions, stick and slip, and creepage or force over the distance.

    Parameters
    ----------
    contacts
        Results of `tr.roll`, one for each frame.
    distance
        Distance rolled at each contact, m.
    history
        Creepage and force at more steps than are drawn.
    direction
        +1 or -1, rolling along x.
    path, fps
        As in `animate_bounce`.

    Returns
    -------
    Film or Path
        The patch as it rolls on, or the file.

    Raises
    ------
    InputError
        If there are fewer than two contacts, they lie on different grids, or their number differs from
        that of the distances.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> n = tr.press(tr.Cylinder(0.46), tr.Grid.line(40, 0.4e-3, length=0.1), pair, force=5e6)
    >>> steps = [tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0))]
    >>> for _ in range(3):
    ...     steps.append(tr.roll(steps[-1], 0.3, distance=0.4e-3, creepage=(1e-3, 0.0, 0.0)))
    >>> tr.view.animate_rolling(steps, distance=[0.0, 0.4e-3, 0.8e-3, 1.2e-3])
    Film: Tractions of a contact that rolls on, 4 frames at 12 per second
    """
    film = stage_rolling(contacts, distance=distance, history=history, direction=direction, fps=fps)
    return finish_film(film, path)


def stage_rolling(
    contacts: Sequence[TangentialContact],
    *,
    distance: ArrayLike,
    history: RollingHistory | None,
    direction: int,
    fps: float,
) -> Film:
    """The film of contacts one after the other, ready to be drawn."""
    shown = list(contacts)
    if len(shown) < 2 or not all(isinstance(t, TangentialContact) for t in shown):
        raise InputError("contacts must be two or more results of tr.shift and tr.roll, in their order.")
    if any(t.normal.grid != shown[0].normal.grid for t in shown):
        raise InputError("contacts lie on different grids; roll on one grid.")
    way = checks.finite_array("distance", distance, (len(shown),), "m")
    checks.choice("direction", direction, (1, -1))
    stage = RollingStage(shown, way, history or _history(shown, way), direction)
    return Film(stage, len(shown), fps, "Rolling", "Tractions of a contact that rolls on")


def _history(contacts: list[TangentialContact], way: np.ndarray) -> RollingHistory:
    """Of the contacts themselves; a shift has no creepage."""
    limits = np.array([max(t.friction * t.normal.force, 1e-300) for t in contacts])
    creepage = np.array([t.creepage[:2] for t in contacts])
    creepage[way == 0.0] = np.nan
    return RollingHistory.of(way, creepage, np.array([t.force for t in contacts]) / limits[:, None])


class RollingStage:
    """The panels; `show` moves what moves."""

    def __init__(
        self, contacts: list[TangentialContact], way: np.ndarray, history: RollingHistory, direction: int
    ) -> None:
        self.contacts, self.rolled = contacts, way
        largest = max(contacts, key=lambda t: float(t.normal.contact.sum()))
        self.seen = largest.normal  # its window holds the others
        self.bound = max(float(t.bound.max()) for t in contacts) or 1.0
        forces = np.abs([t.force for t in contacts]).max(axis=0)
        self.axis = 0 if forces[0] >= forces[1] else 1
        line = self.seen.grid.is_line
        self.figure = blank_figure(7.4 if line else 10.4, 5.4)
        grid = self.figure.add_gridspec(
            2, 1 if line else 2, height_ratios=[1.4, 1.0], width_ratios=[1.0] if line else [1.05, 1.25]
        )
        self.map = None if line else ContactMap(self.figure.add_subplot(grid[:, 0]), self.seen)
        centre, over_way = self.figure.add_subplot(grid[0, -1]), self.figure.add_subplot(grid[1, -1])
        if self.map is not None:
            self._set_map(self.map, "→" if direction > 0 else "←")
        self._set_centre(centre)
        self._set_over_way(over_way, way, history)

    def _set_map(self, view: ContactMap, arrow: str) -> None:
        """Size of the tractions, their direction, and what sticks."""
        from matplotlib.collections import LineCollection

        n, grid, ax = self.seen, self.seen.grid, view.ax
        self.image = view.draw(np.zeros(grid.shape), pale(), vmax=1.0)
        self.outline = LineCollection([], colors=DARK, linewidths=1.2)
        self.sticks = LineCollection([], colors=GREEN, linewidths=2.4)
        ax.add_collection(self.outline)
        ax.add_collection(self.sticks)
        sizes, counts = (grid.dx, grid.dy), (grid.nx, grid.ny)
        step = [
            max(1, round(np.ptp(window(n, name)) / size / ARROWS))
            for name, size in zip("xy", sizes, strict=True)
        ]
        i, j = (np.arange(m // 2 % k, m, k) for m, k in zip(counts, step, strict=True))
        self.thin = np.ix_(j, i)
        x, y = (view.x.of(places)[self.thin] for places in grid.mesh())
        nothing = np.full(x.shape, np.nan)
        spacing = float(view.x.of(step[0] * grid.dx))
        self.arrows = ax.quiver(
            x, y, nothing, nothing, angles="xy", scale_units="xy", scale=1.0 / (1.1 * spacing), width=0.005,
            color=MAP_INK, zorder=4,
        )  # fmt: skip
        view.limit(window(n, "x", 1.15), window(n, "y", 1.15))
        colour_bar(ax, self.image, r"traction / ($\mu p_0$)")
        view.finish_map(f"Tractions, rolling {arrow}; green: sticks")

    def _set_centre(self, ax: Axes) -> None:
        """Tractions along the centre line."""
        self.cut = Cut.through(self.seen, "x")
        self.unit = unit_for(reach(self.seen, "x"), "m")
        x, dashes = self.unit.of(self.cut.places), (0, (4, 2))
        self.bounds = [ax.plot(x, np.nan * x, ls=dashes, color=GREY, lw=1.3)[0] for _ in range(2)]
        self.bounds[0].set_label("bound")
        (self.traction,) = ax.step(x, np.nan * x, where="mid", color=BLUE, lw=2.0, label="traction")
        (self.stuck,) = ax.plot([], [], color=GREEN, lw=5.0, solid_capstyle="butt", label="sticks")
        ax.axhline(0.0, color=GREY, lw=0.7)
        ax.set_xlim(*self.unit.of(self.cut.clip(window(self.seen, "x"))))
        ax.set_ylim(-STRETCH, STRETCH)
        draw_legend(ax, loc="lower right", ncols=3, bbox_to_anchor=(1.0, 0.98))
        label = rf"$p_{'xy'[self.axis]}$ / ($\mu p_0$)"
        style_axes(ax, f"x ({self.unit.name})", label, "Centre line")

    def _set_over_way(self, ax: Axes, way: np.ndarray, history: RollingHistory) -> None:
        """Creepage, or force, over the distance."""
        creepage, force = history.creepage[:, self.axis], history.force[:, self.axis]
        known = creepage[np.isfinite(creepage)]
        varies = known.size > 1 and float(np.ptp(known)) > LEAST_CHANGE * float(np.abs(known).max())
        values, label = (100.0 * creepage, "creepage (%)") if varies else (force, r"force / ($\mu F_n$)")
        self.way = unit_for(history.distance, "m")
        self.trace = Trace(ax, self.way.of(history.distance), values, dot=8.0, edge=1.3)
        ax.set_xlim(*self.way.of([min(0.0, float(way.min())), float(history.distance.max())]))
        box = {"fc": "white", "ec": "none", "alpha": 0.75}
        self.words = draw_words(ax, 0.985, 0.06, ha="right", va="bottom", fontsize=FONT["label"], bbox=box)
        title = "Creepage" if varies else "Force"
        style_axes(ax, f"distance rolled ({self.way.name})", label, title)

    def show(self, frame: int) -> None:
        """The contact in a frame."""
        t, n = self.contacts[frame], self.contacts[frame].normal
        cut, places = Cut.through(n, "x"), self.cut.places
        bound = np.where(cut.of(n.contact), cut.of(t.bound) / self.bound, np.nan)
        for line, sign in zip(self.bounds, (1.0, -1.0), strict=True):
            line.set_ydata(sign * bound)
        self.traction.set_ydata(cut.of(t.traction[self.axis]) / self.bound)
        half, stick = 0.5 * n.grid.dx, cut.of(t.stick & n.contact)
        ends = np.stack([places - half, places + half, np.full(places.size, np.nan)], axis=1)
        level = np.where(stick[:, None], [0.0, 0.0, np.nan], np.nan)
        self.stuck.set_data(self.unit.of(ends.ravel()), level.ravel())
        if self.map is not None:
            self._show_map(self.map, t)
        way, values = self.trace.x, self.trace.y
        now = float(self.way.of(self.rolled[frame]))
        past = way <= now * (1.0 + 1e-9)
        self.trace.show(way[past], values[past], at=(now, float(np.interp(now, way, values))))
        self.words.set_text(f"{now:.4g} {self.way.name}")

    def _show_map(self, view: ContactMap, t: TangentialContact) -> None:
        size = np.hypot(*t.traction) / self.bound
        self.image.set_data(np.ma.masked_array(size, mask=~t.normal.contact))
        keep = t.normal.contact[self.thin]
        px, py = (np.where(keep, part[self.thin] / self.bound, np.nan) for part in t.traction)
        self.arrows.set_UVC(px, py)
        self.outline.set_segments(find_borders(view, t.normal.contact))
        self.sticks.set_segments(find_borders(view, t.stick & t.normal.contact))


def find_borders(view: ContactMap, marked: np.ndarray) -> list[np.ndarray]:
    """Sides of elements between those that are marked and those that are not."""
    grid = view.contact.grid
    x = view.x.of(np.append(grid.x - 0.5 * grid.dx, grid.x[-1] + 0.5 * grid.dx))
    y = view.y.of(np.append(grid.y - 0.5 * grid.dy, grid.y[-1] + 0.5 * grid.dy))
    padded = np.pad(marked, 1)
    j, i = np.nonzero(padded[1:-1, 1:] != padded[1:-1, :-1])
    upright = np.stack([np.stack([x[i], y[j]], 1), np.stack([x[i], y[j + 1]], 1)], axis=1)
    j, i = np.nonzero(padded[1:, 1:-1] != padded[:-1, 1:-1])
    level = np.stack([np.stack([x[i], y[j]], 1), np.stack([x[i + 1], y[j]], 1)], axis=1)
    return [*upright, *level]
