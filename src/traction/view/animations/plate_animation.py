"""Frames of a struck plate: its deflection seen from above, and the contact force over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.impacts.impact_history import ImpactHistory
from traction.quantities import unit_for
from traction.view.animations.film import Film
from traction.view.chart import draw_words
from traction.view.figures import MAP_INK, ORANGE, blank_figure
from traction.view.impact_curves import (
    ForceCurve,
    PlateShape,
    draw_forces,
    draw_plate,
    plate_places,
    time_unit,
)

PLACES = 61  #: along the longer side; the picture is smooth between them


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
