"""Contact patches under the wheels of a crossing: one that changes over time, and several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.errors import InputError
from traction.quantities import counted, quantity, unit_for
from traction.view.arguments import figure
from traction.view.chart import Chart, colour_bar, draw_words
from traction.view.contacts import edges
from traction.view.figures import CYCLE, DARK, FAMILY, MAP_FLOOR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 49  #: per side, at which Hertz's pressure is shown


class Patch(NamedTuple):
    """Pressure (Pa) over positions from the centre of a wheel (m)."""

    x: np.ndarray
    y: np.ndarray
    pressure: np.ndarray  #: (y, x)

    @property
    def reach(self) -> tuple[float, float]:
        """Largest distances along x and y under pressure, m."""
        pressed = self.pressure > 0.0
        if not pressed.any():
            return 0.0, 0.0
        x, y = self.x[pressed.any(axis=0)], self.y[pressed.any(axis=1)]
        return float(np.abs(x).max()), float(np.abs(y).max())


def patches_of(crossing: ContactCrossing, rows: np.ndarray, wheel: int = 0) -> list[Patch]:
    """Patches of a wheel at some of the times of a crossing."""
    contact = crossing.contacts[wheel]
    a, b = contact.hertz.semi_axes
    found = []
    for approach in crossing.approach[rows, wheel]:
        solved = contact.patch(float(approach))
        if isinstance(solved, NormalContact):
            found.append(Patch(solved.grid.x, solved.grid.y, solved.pressure))
        else:
            room = 1.3 * max(1.0, solved.semi_axes[0] / a)
            x, y = np.linspace(-room * a, room * a, POINTS), np.linspace(-room * b, room * b, POINTS)
            found.append(Patch(x, y, np.asarray(solved.pressure(*np.meshgrid(x, y)))))
    return found


class PatchFrames(NamedTuple):
    """Patches of a wheel one after the other, as they are drawn."""

    patches: tuple[Patch, ...]
    places: np.ndarray  #: of the wheel, m
    on_bridge: np.ndarray  #: whether the wheel is on the bridge
    forces: np.ndarray  #: N
    semi_axes: tuple[float, float]  #: of Hertz's patch at rest, m
    wheel: int

    @classmethod
    def of(cls, crossing: ContactCrossing, rows: np.ndarray, wheel: int = 0) -> PatchFrames:
        """At some of the times of a crossing."""
        forces = crossing.contact_forces
        axle = crossing.places.shape[1] - forces.shape[1] + wheel
        patches, axes = patches_of(crossing, rows, wheel), crossing.contacts[wheel].hertz.semi_axes
        places, on = crossing.places[rows, axle], crossing.on_beam[rows, axle]
        return cls(tuple(patches), places, on, forces[rows, wheel], axes, wheel)


class PatchPanel:
    """The patch under a wheel, seen from above, that changes from frame to frame; dashes: Hertz's at rest."""

    def __init__(self, ax: Axes, frames: PatchFrames) -> None:
        self.patches = frames.patches
        self.labels = [
            f"{f'x = {place:.1f} m' if on else 'off the bridge'}, {quantity(force, 'N', 3)}"
            for place, on, force in zip(
                frames.places.tolist(), frames.on_bridge.tolist(), frames.forces.tolist(), strict=True
            )
        ]
        reach = np.array([patch.reach for patch in self.patches]).max(axis=0)
        length = unit_for(reach.max(), "m")
        self.chart = Chart(ax, length, length)
        peak = max(float(patch.pressure.max()) for patch in self.patches)
        self.stress = unit_for(peak, "Pa")
        wide, high = length.of(np.array([1.25, 1.45]) * np.maximum(reach, 1e-12))
        self.image = ax.imshow(
            np.zeros((2, 2)), origin="lower", cmap=FAMILY, vmin=0.0, vmax=float(self.stress.of(peak)),
            extent=(-1.0, 1.0, -1.0, 1.0), interpolation="bilinear",
        )  # fmt: skip
        ax.set_xlim(-wide, wide)
        ax.set_ylim(-high, high)
        ax.set_facecolor(MAP_FLOOR)
        turn = np.linspace(0.0, 2.0 * np.pi, 121)
        a, b = frames.semi_axes
        self.chart.plot(a * np.cos(turn), b * np.sin(turn), "--", color="white", lw=1.3)
        self.words = draw_words(ax, 0.02, 0.97, va="top", color="white")
        colour_bar(ax, self.image, f"pressure ({self.stress.name})")
        self.chart.finish("along the rail", "across", f"Contact patch, wheel {frames.wheel + 1}", grid=False)
        ax.set_aspect("equal")

    def show(self, frame: int) -> None:
        """The patch of a frame."""
        patch = self.patches[frame]
        ends = [edges(places, float(places[1] - places[0])) for places in (patch.x, patch.y)]
        self.image.set_data(self.stress.of(patch.pressure))
        self.image.set_extent(tuple(self.chart.x.of(ends).ravel().tolist()))
        self.words.set_text(self.labels[frame])


@figure
def patch_plot(
    crossing: ContactCrossing,
    times: ArrayLike,
    ax: Axes | None = None,
    *,
    wheel: int = 0,
    title: str | None = None,
) -> Axes:
    """Plot the pressure along the rail through the centre of a wheel's patch at several times.

    Each curve is labelled with its time and the wheel force.

    Parameters
    ----------
    crossing
        Result of `tr.cross` in elastic contact.
    times
        Times, s.
    wheel
        Index of the wheel, from 0.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If there is no such wheel, or the contact is not elastic.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    >>> crossing = tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="hertz", size=5)
    >>> ax = tr.view.patch_plot(crossing, [0.1, 0.3])
    >>> ax.get_title("left")
    'Pressure under wheel 1'
    """
    chosen = checks.finite_array("times", times, unit="s").ravel()
    if not chosen.size:
        raise InputError("times is empty; give at least one time, s.")
    k = checks.count("wheel", wheel, 0)
    if k >= len(crossing.contacts):
        raise InputError(
            f"wheel = {k}: the train has {counted(len(crossing.contacts), 'wheel')}, counted from 0."
        )
    rows = np.array([int(np.argmin(np.abs(crossing.t - t))) for t in chosen])
    return draw_patches(PatchFrames.of(crossing, rows, k), crossing.t[rows], ax, title=title)


def draw_patches(
    frames: PatchFrames, times: np.ndarray, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Pressure along the rail through the middle of patches, labelled with their times (s)."""
    found, widest = frames.patches, max(patch.reach[0] for patch in frames.patches)
    stress = unit_for(max(float(patch.pressure.max()) for patch in found), "Pa")
    chart = Chart(ax, unit_for(widest, "m"), stress)
    every = zip(found, times.tolist(), frames.forces.tolist(), CYCLE * len(found), strict=False)
    for patch, t, force, color in every:
        middle = patch.pressure[np.argsort(np.abs(patch.y))[: 2 - patch.y.size % 2]].mean(axis=0)
        label = f"t = {quantity(t, 's', 3)}: {quantity(force, 'N', 3)}"
        chart.plot(patch.x, middle, lw=1.9, color=color, label=label)
    chart.limit_x(-1.35 * widest, 1.35 * widest)
    chart.ax.set_ylim(bottom=0.0)
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    words = f"Pressure under wheel {frames.wheel + 1}"
    return chart.finish("along the rail", "pressure", title, words, legend=True)
