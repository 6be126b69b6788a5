"""Pieces of figures: axes in suitable units, panels, colour bars, words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction.errors import InputError
from traction.printable import literal
from traction.quantities import Unit as Unit
from traction.quantities import quantity as quantity  # for `tr.view`, as the units
from traction.quantities import unit_for as unit_for
from traction.view.figures import DARK, FAMILY, FONT, GREY, Style, draw_legend, pyplot, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

SECONDS = Unit("s", 1.0)
FAR = 3.0  #: largest value over the variation of curves, from which an axis leaves out zero
CONSTANT = 1e-3  #: variation of curves over the largest value, below which they are constant
PLAIN = {"m/s": Unit("m/s", 1.0), "m/s2": Unit("m/s²", 1.0)}  #: SI units that are shown as they are


class Chart:
    """Axes on which SI values are drawn in a unit along x and one along y."""

    def __init__(self, ax: Axes | None, x: Unit, y: Unit) -> None:
        self.ax, self.x, self.y = new_axes(ax), x, y

    def plot(self, x: ArrayLike, y: ArrayLike, *form: str, **style: Style) -> None:
        """A line or marks."""
        self.ax.plot(self.x.of(x), self.y.of(y), *form, **_labelled(style))

    def step(self, x: ArrayLike, y: ArrayLike, **style: Style) -> None:
        """A value for each element around x."""
        self.ax.step(self.x.of(x), self.y.of(y), where="mid", **_labelled(style))

    def fill(self, x: ArrayLike, low: ArrayLike, high: ArrayLike = 0.0, **style: Style) -> None:
        """The area between two lines."""
        self.ax.fill_between(self.x.of(x), self.y.of(low), self.y.of(high), **{"lw": 0.0, **_labelled(style)})

    def shade(self, spans: Sequence[tuple[float, float]] | np.ndarray, label: str, **style: Style) -> None:
        """Stretches of x, named once."""
        for number, (low, high) in enumerate(spans):
            name = f"_{label}" if number else literal(label)
            self.ax.axvspan(float(self.x.of(low)), float(self.x.of(high)), lw=0.0, label=name, **style)

    def limit_x(self, low: ArrayLike, high: ArrayLike) -> None:
        """Ends of the axis."""
        self.ax.set_xlim(float(self.x.of(low)), float(self.x.of(high)))

    def draw_zero(self) -> None:
        """A line at zero, unless all values are far from it: their variation would not be seen."""
        draw_zero(self.ax)

    def legend(self, **options: Style) -> None:
        """The legend of all figures here."""
        draw_legend(self.ax, **options)

    def finish(self, x: str, y: str, title: str | None, default: str = "", **options: bool) -> Axes:
        """Label the axes, with their units, and the figure; options are those of `style_axes`."""
        words = default if title is None else literal(title)
        return style_axes(self.ax, f"{x} ({self.x.name})", f"{y} ({self.y.name})", words, **options)


def draw_zero(ax: Axes) -> None:
    """A line at zero on axes with curves, unless all values are far from it beside their variation.

    Values that vary by no more than round-off are drawn with zero too: they are constant.
    """
    low, high = sorted(ax.get_ylim())
    largest, spread = max(abs(low), abs(high)), high - low
    if low < 0.0 < high or largest < FAR * spread or spread < CONSTANT * largest:
        ax.axhline(0.0, color=DARK, lw=0.8)


def _labelled(style: Style) -> Style:
    """The style of a curve whose label, which may be a name of the user, is shown as it is."""
    return {**style, "label": literal(style["label"])} if isinstance(style.get("label"), str) else style


def shown_unit(values: ArrayLike, si: str) -> Unit:
    """The unit in which values, given in the SI unit `si`, are drawn."""
    return PLAIN[si] if si in PLAIN else unit_for(values, si)


def colour_bar(ax: Axes, mapped: ScalarMappable, label: str, **options: Style) -> None:
    """A bar as high as the axes, also where equal scales shrink them."""
    bar = ax.figure.colorbar(mapped, cax=ax.inset_axes((1.03, 0.0, 0.04, 1.0)), **options)
    bar.set_label(label, fontsize=FONT["label"])
    bar.ax.tick_params(labelsize=FONT["tick"], color=GREY)
    bar.outline.set_visible(False)


def draw_words(ax: Axes, x: float, y: float, words: str = "", **style: Style) -> Style:
    """Text at a position of the axes, from 0 to 1; returns matplotlib's text."""
    return ax.text(x, y, words, transform=ax.transAxes, **{"color": DARK, "fontsize": FONT["tick"], **style})


def family_colors(count: int, most: float = 1.0) -> list[Style]:
    """Colours from dark to bright, up to a share `most` of the brightness."""
    from matplotlib import colormaps

    return [colormaps[FAMILY](most * k / max(count - 1, 1)) for k in range(count)]


def new_axes(ax: Axes | None) -> Axes:
    """The given axes, or those of a new pyplot figure."""
    return new_panels(None if ax is None else [ax], 1)[0]


def new_panels(
    axes: Sequence[Axes] | None, count: int, size: tuple[float, float] = (7.0, 4.6), *, columns: bool = False
) -> list[Axes]:
    """The given axes, or those of a new figure (inches), below each other or in columns, that share x."""
    if axes is not None:
        panels = list(np.ravel(np.asarray(axes, dtype=object)))
        if len(panels) != count:
            raise InputError(f"axes has {len(panels)} axes, expected {count}.")
        return panels
    rows, across = (1, count) if columns else (count, 1)
    made = pyplot().subplots(rows, across, figsize=size, layout="constrained", sharex=True, squeeze=False)[1]
    return list(made.flat)
