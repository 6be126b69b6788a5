"""`animate_impact`: a striker and the beam or plate that it meets, and the contact force over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from traction import checks
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.structures.plate import Plate
from traction.quantities import unit_for
from traction.view.animations.film import Film, film_path, finish_film, frame_count
from traction.view.arguments import checked
from traction.view.chart import Chart, draw_words
from traction.view.figures import BLUE, MAP_INK, ORANGE, blank_figure
from traction.view.impact_curves import (
    BeamShapes,
    ForceCurve,
    PlateShape,
    Span,
    draw_forces,
    draw_plate,
    plate_places,
    time_unit,
)

PLACES = 61  #: along the longer side; the picture is smooth between them
BALL = 16.0  #: size of the drawn striker, points


@dataclass(frozen=True, eq=False)
class PlateFilm:
    """Data of the frames of a struck plate."""

    times: np.ndarray  #: s
    size: tuple[float, float]  #: along x and y, m
    shapes: np.ndarray  #: deflections, m, (frames, y, x)
    at: tuple[float, float]  #: struck place, m
    force: ForceCurve

    @classmethod
    def of(cls, history: ImpactHistory, times: np.ndarray) -> PlateFilm:
        """Frames of a history at some times (s)."""
        plate, x, y = plate_places(history, PLACES)
        x0, y0 = np.asarray(history.at, dtype=float)
        across, up = np.meshgrid(x, y)
        shapes = history.surface(across, up, times)
        force = ForceCurve.of(history, (float(times[0]), float(times[-1])))
        return cls(times, (plate.length, plate.width), shapes, (float(x0), float(y0)), force)


def stage_plate(film: PlateFilm, fps: float, method: str) -> Film:
    """The film, ready to be drawn."""
    return Film(PlateStage(film, method), film.times.size, fps, "Impact", "A striker and the plate it meets")


class PlateStage:
    """Plate above, force below; `show` moves what moves."""

    def __init__(self, film: PlateFilm, method: str) -> None:
        self.figure, self.film = blank_figure(8.5, 7.2), film
        self.length, self.time = unit_for(film.shapes, "m"), time_unit(float(film.times[-1]))
        upper, lower = self.figure.subplots(2, 1, height_ratios=[2.4, 1.0])
        # one scale for all frames: that of the largest deflection
        largest = np.unravel_index(np.abs(film.shapes).argmax(), film.shapes.shape)[0]
        shape = PlateShape(float(film.times[largest]), film.size, film.shapes[largest], film.at)
        draw_plate(shape, upper, title="Deflection of the plate")
        (self.image,) = upper.images
        self.clock = draw_words(upper, 0.99, 0.03, ha="right", family="monospace", color=MAP_INK)
        draw_forces({"": film.force}, [method], lower, title="")
        (self.now,) = lower.plot([0.0, 0.0], lower.get_ylim(), color=ORANGE, lw=1.5)

    def show(self, frame: int) -> None:
        """The state in a frame."""
        self.image.set_data(self.length.of(self.film.shapes[frame]))
        now = float(self.time.of(self.film.times[frame]))
        self.now.set_xdata([now, now])
        self.clock.set_text(f"{now:8.2f} {self.time.name}")


@checked
def animate_impact(
    history: ImpactHistory,
    path: str | Path | None = None,
    *,
    frames: int = 80,
    fps: float = 20.0,
    span: Span | None = None,
) -> Film | Path:
    """Animate a struck beam or plate.

    Parameters
    ----------
    history
        Result of `tr.impact`.
    path, frames, fps
        As in `animate_bounce`.
    span
        First and last time, s; by default until twice the end of the last contact.

    Returns
    -------
    Film or Path
        Striker and structure in motion, or the file.

    Raises
    ------
    InputError
        If the struck structure has no shape to show, or the suffix is neither .gif nor .html.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(beam, 0.25, striker, t_end=2e-3, modes=40)
    >>> tr.view.animate_impact(hit, frames=3)
    Film: A striker and the beam it meets, 3 frames at 20 per second
    """
    target = None if path is None else film_path(path)
    times = frame_times(history, frame_count(frames), span)
    if isinstance(history.structure, Plate):
        film = stage_plate(PlateFilm.of(history, times), fps, history.method)
    else:
        film = stage_impact(ImpactFilm.of(history, times), fps, history.method)
    return finish_film(film, target)


@dataclass(frozen=True, eq=False)
class ImpactFilm:
    """Data of the frames of the animation."""

    beam: BeamShapes  #: a shape for each frame
    striker: np.ndarray  #: displacement, m, (frames,)
    force: ForceCurve

    @classmethod
    def of(cls, history: ImpactHistory, times: np.ndarray) -> ImpactFilm:
        """Frames of a history at some times (s)."""
        rows = history.motion_at(times)
        # in contact the ball lies on the beam; the local approach is not drawn
        striker = np.minimum(rows[:, 0], rows[:, 2])
        force = ForceCurve.of(history, (float(times[0]), float(times[-1])))
        return cls(BeamShapes.of(history, times), striker, force)


def stage_impact(film: ImpactFilm, fps: float, method: str) -> Film:
    """The film, ready to be drawn."""
    stage = ImpactStage(film, method)
    return Film(stage, film.striker.size, fps, "Impact", "A striker and the beam it meets")


class ImpactStage:
    """Beam and striker above, force below; `show` moves what moves."""

    def __init__(self, film: ImpactFilm, method: str) -> None:
        self.figure, self.film = blank_figure(8.5, 5.6), film
        from matplotlib.transforms import ScaledTranslation

        beam, self.time = film.beam, time_unit(float(film.beam.times[-1]))
        upper, lower = self.figure.subplots(2, 1, height_ratios=[1.6, 1.0])
        chart = self.chart = Chart(upper, unit_for(beam.x[-1], "m"), unit_for(beam.shapes, "m"))
        # the marker stands on its point, as the ball on the beam
        lifted = upper.transData + ScaledTranslation(0.0, 0.5 * BALL / 72.0, self.figure.dpi_scale_trans)
        chart.plot(beam.x, beam.shapes[0], color=BLUE, lw=3.0)
        ball = {"color": ORANGE, "transform": lifted, "clip_on": False}
        chart.plot(beam.at, film.striker[0], "o", ms=BALL, **ball)
        self.beam, self.ball = upper.lines
        low, high = (float(chart.y.of(end)) for end in (beam.shapes.min(), beam.shapes.max()))
        room = 0.45 * (high - low)
        upper.set_ylim(high + room, low - 2.0 * room)
        chart.limit_x(0.0, beam.x[-1])
        self.clock = upper.text(0.99, 0.03, "", transform=upper.transAxes, ha="right", family="monospace")
        chart.finish("position x", "deflection", "Impact on a beam")
        draw_forces({"": film.force}, [method], lower, title="")
        (self.now,) = lower.plot([0.0, 0.0], lower.get_ylim(), color=ORANGE, lw=1.5)

    def show(self, frame: int) -> None:
        """The state in a frame."""
        self.beam.set_ydata(self.chart.y.of(self.film.beam.shapes[frame]))
        self.ball.set_ydata([self.chart.y.of(self.film.striker[frame])])
        now = float(self.time.of(self.film.beam.times[frame]))
        self.now.set_xdata([now, now])
        self.clock.set_text(f"{now:8.2f} {self.time.name}")


def frame_times(history: ImpactHistory, frames: int, span: Span | None = None) -> np.ndarray:
    """Times of so many frames (s), between two times or until twice the end of the last contact."""
    if span is not None:
        return np.linspace(*checks.point("span", span, "s"), frames)
    high = float(history.track.times[-1])
    ends = [contact.end for contact in history.contacts if np.isfinite(contact.end)]
    return np.linspace(0.0, min(high, 2.0 * ends[-1]) if ends else high, frames)
