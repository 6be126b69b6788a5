"""Figures of wheels at rest on a bridge: local and global deflection, patches with and without bending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.quantities import counted, quantity, unit_for
from traction.resting.rest_result import Rest
from traction.view.arguments import figure
from traction.view.chart import Chart
from traction.view.contacts import Cut, draw_pressure
from traction.view.figures import BLUE, DARK, GREY, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 401  #: along the bridge
NEAR = 161  #: around each wheel


@dataclass(frozen=True, eq=False)
class RestCurves:
    """Data of `rest_plot`: deflections along the bridge, or around a wheel."""

    x: np.ndarray  #: m
    bent: np.ndarray  #: of the beam, m
    local: np.ndarray  #: by the contact, m
    around: int | None  #: wheel, counted from 0
    middle: float  #: place of that wheel, m
    there: float  #: deflection of the beam there, m

    @classmethod
    def of(cls, rest: Rest, around: int | None = None, reach: float | None = None) -> RestCurves:
        """Data of a result."""
        x = _places(checks.instance("rest", rest, Rest), around, reach)
        middle = 0.0 if around is None else float(rest.places[around])
        there = 0.0 if around is None else float(rest.deflection(rest.places[around]))
        return cls(x, rest.deflection(x), rest.local(x), around, middle, there)


@figure
def rest_plot(
    rest: Rest | RestCurves,
    ax: Axes | None = None,
    *,
    around: int | None = None,
    reach: float | None = None,
    title: str | None = None,
) -> Axes:
    """Plot the deflection of a bridge by bending, by local contact, and their sum, downwards.

    Around a wheel, the bending under it is subtracted.

    Parameters
    ----------
    rest
        Result of `tr.rest`.
    around
        Index of a wheel to draw around, from 0; the whole bridge by default.
    reach
        Distance to either side of that wheel, m; three times its patch by default.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If there is no such wheel, or `reach` is not positive.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> rest = tr.rest(tr.Wheel(0.46, 900.0), bridge, at=10.0, force=80e3)
    >>> ax = tr.view.rest_plot(rest, around=0)
    >>> ax.get_title("left")
    'Under wheel 1'
    """
    curves = rest if isinstance(rest, RestCurves) else RestCurves.of(rest, around, reach)
    around, bent, local, x = curves.around, curves.bent, curves.local, curves.x
    place, value, words = "position x", "deflection", "Deflection along the bridge"
    if around is not None:
        bent, x = bent - curves.there, x - curves.middle
        place, value = f"distance from wheel {around + 1}", f"deflection beyond {quantity(curves.there, 'm')}"
        words = f"Under wheel {around + 1}"
    chart = Chart(ax, unit_for(x, "m"), unit_for(bent + local, "m"))
    chart.plot(x, bent, color=BLUE, lw=2.0, label="global: the beam bends")
    chart.plot(x, local, color=ORANGE, lw=1.8, label="local: the contact dents")
    chart.plot(x, bent + local, "--", color=DARK, lw=1.5, label="sum: top of the bridge")
    chart.ax.axhline(0.0, color=GREY, lw=0.8)
    chart.limit_x(x[0], x[-1])
    chart.ax.invert_yaxis()
    if around is not None:  # room below the curves for the legend
        low, high = chart.ax.get_ylim()
        chart.ax.set_ylim(low + 0.3 * (low - high), high)
    chart.legend(loc="lower center" if around is not None else "best")
    return chart.finish(place, value, title, words)


@figure
def rest_patch_plot(
    rest: Rest, ax: Axes | None = None, *, wheel: int = 0, along: str = "x", title: str | None = None
) -> Axes:
    """Plot the pressure under a wheel on the deflected bridge and on a straight one.

    Parameters
    ----------
    wheel
        Index of the wheel, from 0.
    along
        Direction of the section, "x" or "y".
    rest, ax, title
        As in `rest_plot`.

    Raises
    ------
    InputError
        If there is no such wheel, or `along` is unknown.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> rest = tr.rest(tr.Wheel(0.46, 900.0), bridge, at=10.0, force=80e3)
    >>> ax = tr.view.rest_patch_plot(rest)
    >>> ax.get_title("left")
    'Pressure under wheel 1'
    """
    k = _wheel(rest, wheel)
    words = f"Pressure under wheel {k + 1}" if title is None else title
    return draw_patches(rest.contacts[k], rest.on_straight_bridge[k], ax, along=along, title=words)


def draw_patches(
    bent: NormalContact, straight: NormalContact, ax: Axes | None = None, *, along: str = "x", title: str
) -> Axes:
    """Pressure of a patch on the bent bridge and on a straight one."""
    cut, other = Cut.through(bent, along), Cut.through(straight, along)
    stress = unit_for(max(bent.peak_pressure, straight.peak_pressure), "Pa")
    chart = Chart(ax, unit_for(np.abs(cut.places).max(), "m"), stress)
    draw_pressure(chart, cut, bent, "on the bent bridge", lw=2.0)
    flat = other.of(straight.pressure)
    chart.step(cut.places, flat, color=ORANGE, lw=1.6, ls="--", label="on a straight one")
    chart.limit_x(cut.places[0], cut.places[-1])
    chart.ax.set_ylim(bottom=0.0)
    way = "along" if along == "x" else "across"
    return chart.finish(f"{way} the bridge", "pressure", title, legend=True)


def _places(rest: Rest, around: int | None, reach: float | None) -> np.ndarray:
    length = rest.bridge.beam.length
    if around is None:
        every = [np.linspace(0.0, length, POINTS)]
        for place, contact in zip(rest.places, rest.contacts, strict=True):
            wide = contact.grid.nx * contact.grid.dx
            every.append(place + wide * np.linspace(-2.0, 2.0, NEAR))
        x = np.concatenate(every)
        return np.unique(x[(x >= 0.0) & (x <= length)])
    k = _wheel(rest, around)
    half = 3.0 * rest.contacts[k].semi_axes[0] if reach is None else checks.positive("reach", reach, "m")
    x = rest.places[k] + half * np.linspace(-1.0, 1.0, POINTS)
    return np.asarray(x[(x >= 0.0) & (x <= length)])


def _wheel(rest: Rest, wheel: int) -> int:
    k = checks.count("wheel", wheel, 0)
    if k >= len(rest.wheels):
        raise InputError(
            f"wheel = {k}: the bridge carries {counted(len(rest.wheels), 'wheel')}, counted from 0."
        )
    return k
