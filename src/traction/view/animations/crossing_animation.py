"""`animate_crossing`: axles move over a beam that bends under them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.errors import InputError
from traction.quantities import counted, unit_for
from traction.view.animations.film import Film, Trace, finish_film, frame_count
from traction.view.arguments import checked
from traction.view.chart import draw_words, draw_zero
from traction.view.figures import BLUE, DARK, GREY, ORANGE, blank_figure, style_axes
from traction.view.patches import PatchFrames, PatchPanel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = 161  #: along the beam
FACTORS = tuple(digit * 10.0**power for power in range(-1, 6) for digit in (1.0, 2.0, 5.0))
DEEP = 0.11  #: of the length, that the largest deflection is drawn with
WHEEL = 0.022  #: of the length, radius of a drawn wheel


@checked
def animate_crossing(
    crossing: Crossing,
    path: str | Path | None = None,
    *,
    x: float | None = None,
    during: tuple[float, float] | None = None,
    wheel: int | None = None,
    frames: int = 100,
    fps: float = 20.0,
) -> Film | Path:
    """Animate a crossing: beam and axles, deflection over time, wheel force and contact patch.

    The deflection is magnified as the picture states. The force is shaded while the wheel is on the bridge.

    Parameters
    ----------
    crossing
        The crossing, as `tr.cross` or `tr.moving_load` returns it.
    path, frames, fps
        As in `animate_bounce`.
    x
        Output position of the deflection, m; midspan by default.
    during
        First and last time, s; those of the crossing by default.
    wheel
        Index of the wheel whose force and patch are shown in elastic contact, from 0; by default the one
        whose force varies most.

    Returns
    -------
    Film or Path
        The beam under its axles, or the file.

    Raises
    ------
    InputError
        If there is no such wheel, the times are not within the crossing, or the suffix is neither .gif nor
        .html.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> crossing = tr.moving_load(beam, [(100e3, 0.0)], speed=30.0, size=5)
    >>> tr.view.animate_crossing(crossing, frames=3)
    Film: A beam and the axles on it, 3 frames at 20 per second
    """
    place = 0.5 * crossing.beam.length if x is None else x
    count = frame_count(frames)
    if wheel is not None:
        wheels = len(crossing.contacts) if isinstance(crossing, ContactCrossing) else 0
        if checks.count("wheel", wheel, 0) >= wheels:
            raise InputError(f"wheel = {wheel}: there are {counted(wheels, 'elastic contact')}, from 0.")
    film = CrossingFilm.of(crossing, place, count, during, wheel)
    return finish_film(stage_crossing(film, crossing.beam, fps=fps, x=place), path)


@dataclass(frozen=True, eq=False)
class CrossingFilm:
    """Frames of a crossing."""

    t: np.ndarray  #: of the curves over time, s
    deflection: np.ndarray  #: at a place over time, m
    force: np.ndarray | None  #: contact force of one wheel over time, N, with elastic contact
    on_bridge: np.ndarray | None  #: times at which that wheel enters and leaves the bridge, s
    rows: np.ndarray  #: which of these times are frames
    x: np.ndarray  #: along the beam, m
    bent: np.ndarray  #: deflections there, m, (frames, places)
    axles: np.ndarray  #: their places, m, (frames, axles)
    patches: PatchFrames | None  #: of that wheel

    @classmethod
    def of(
        cls,
        crossing: Crossing,
        x: float,
        frames: int,
        during: tuple[float, float] | None = None,
        wheel: int | None = None,
    ) -> CrossingFilm:
        """So many frames of a crossing, with the patch of a wheel."""
        rows = np.linspace(*_rows(crossing, during), frames).round().astype(int)
        line = np.linspace(0.0, crossing.beam.length, PLACES)
        bent = np.stack([crossing.deflection(float(one))[rows] for one in line], axis=1)
        force, span, patches = None, None, None
        if isinstance(crossing, ContactCrossing):
            forces = crossing.contact_forces
            shown = int(np.ptp(forces, axis=0).argmax()) if wheel is None else wheel
            force, patches = forces[:, shown], PatchFrames.of(crossing, rows, shown)
            on = crossing.t[crossing.on_beam[:, crossing.places.shape[1] - forces.shape[1] + shown]]
            span = on[[0, -1]] if on.size else None
        return cls(
            crossing.t, crossing.deflection(x), force, span, rows, line, bent, crossing.places[rows], patches
        )


def stage_crossing(film: CrossingFilm, beam: Beam, *, fps: float, x: float) -> Film:
    """A film of a beam, whose deflection over time is that at x (m), ready to be drawn."""
    stage = CrossingStage(film, beam, x)
    return Film(stage, film.rows.size, fps, "Axles cross a beam", "A beam and the axles on it")


def _rows(crossing: Crossing, during: tuple[float, float] | None) -> tuple[int, int]:
    """First and last of the times that are shown."""
    if during is None:
        return 0, crossing.t.size - 1
    low, high = checks.point("during", during, "s")
    if not crossing.t[0] <= low < high <= crossing.t[-1] * (1.0 + 1e-9):
        raise InputError(
            f"during = ({low}, {high}) s must rise and lie within the crossing, {crossing.t[0]} to "
            f"{crossing.t[-1]:.6g} s."
        )
    found = np.searchsorted(crossing.t, (low, high))
    return int(found[0]), min(int(found[1]), crossing.t.size - 1)


class CrossingStage:
    """Two panels, or four where there are contacts; `show` moves what moves."""

    def __init__(self, film: CrossingFilm, beam: Beam, x: float) -> None:
        self.film, self.beam, self.length = film, beam, beam.length
        self.patch: PatchPanel | None = None
        self.traces: list[Trace] = []
        if film.patches is not None and film.force is not None:
            self.figure = blank_figure(11.0, 6.0)
            places = self.figure.add_gridspec(2, 3, height_ratios=[1.25, 1.0], width_ratios=[1.0, 1.0, 0.9])
            upper, lower, third, last = (
                self.figure.add_subplot(place)
                for place in (places[0, :], places[1, 0], places[1, 1], places[1, 2])
            )
            if film.on_bridge is not None:
                third.axvspan(*film.on_bridge.tolist(), color=GREY, alpha=0.18, lw=0.0)
                draw_words(third, 0.02, 0.14, "shaded: on the bridge")
            title = f"Contact force, wheel {film.patches.wheel + 1}"
            self._add_trace(third, "force", film.force, "N", title, ORANGE)
            self.patch = PatchPanel(last, film.patches)
        else:
            self.figure = blank_figure(9.0, 5.2)
            upper, lower = self.figure.subplots(2, 1, height_ratios=[1.2, 1.0])
        largest = float(np.abs(film.bent).max()) or 1.0
        self.magnified = max((f for f in FACTORS if f * largest <= DEEP * self.length), default=FACTORS[0])
        self._set_beam(upper)
        self._add_trace(lower, "deflection", film.deflection, "m", f"Deflection at x = {x:g} m", BLUE)
        lower.invert_yaxis()

    def _add_trace(self, ax: Axes, name: str, values: np.ndarray, si: str, title: str, color: str) -> None:
        """A quantity over time."""
        t, rows, unit = self.film.t, self.film.rows, unit_for(values, si)
        self.traces.append(Trace(ax, t, unit.of(values), color, grey=1.0, line=1.8))
        draw_zero(ax)
        ax.set_xlim(t[rows[0]], t[rows[-1]])
        style_axes(ax, "time (s)", f"{name} ({unit.name})", title)

    @property
    def _first(self) -> int:
        """Number of the axle whose patch is shown; -1 of none."""
        if self.film.patches is None:
            return -1
        return int(np.argmin(np.abs(self.film.axles - self.film.patches.places[:, None]).sum(axis=0)))

    def _set_beam(self, ax: Axes) -> None:
        L, first = self.length, self._first
        ax.plot([-0.5 * L, 0.0], [0.0, 0.0], color=GREY, lw=3.0)
        ax.plot([L, 1.5 * L], [0.0, 0.0], color=GREY, lw=3.0)
        (self.line,) = ax.plot([], [], color=BLUE, lw=4.0, solid_capstyle="round")
        for place, held in zip(self.beam.ends, self.beam.supports, strict=True):
            if held.deflection > 0.0:
                ax.plot(place, -0.025 * L, "s" if held.rotation > 0.0 else "^", color=DARK, ms=9.0, zorder=5)
        turn = np.linspace(0.0, 2.0 * math.pi, 41)
        self.circle = WHEEL * L * np.stack((np.sin(turn), 1.0 + np.cos(turn)))
        self.wheels = [
            ax.fill([0.0], [0.0], fc=ORANGE if k == first else "white", ec=ORANGE, lw=2.2, zorder=6)[0]
            for k in range(self.film.axles.shape[1])
        ]
        self.words = draw_words(ax, 0.01, 0.97, va="top", fontsize=12.0, family="monospace")
        ax.set_xlim(-0.25 * L, 1.25 * L)
        ax.set_ylim(-(DEEP + 0.06) * L, 0.15 * L)
        ax.set_aspect("equal")
        ax.set_yticks([])
        style_axes(ax, "position x (m)", "", f"Deflection magnified {self.magnified:g} times", grid=False)
        ax.spines["left"].set_visible(False)

    def show(self, frame: int) -> None:
        """The state at the time of a frame."""
        film, n = self.film, self.film.rows[frame]
        drawn = -self.magnified * film.bent[frame]
        self.line.set_data(film.x, drawn)
        for wheel, place in zip(self.wheels, film.axles[frame], strict=True):
            height = float(np.interp(place, film.x, drawn)) if 0.0 <= place <= self.length else 0.0
            wheel.set_xy(np.column_stack((self.circle[0] + place, self.circle[1] + height)))
        for trace in self.traces:
            trace.show(trace.x[: n + 1], trace.y[: n + 1])
        if self.patch is not None:
            self.patch.show(frame)
        self.words.set_text(f"t = {film.t[n]:7.3f} s")
