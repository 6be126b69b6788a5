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
from traction.view.figures import (
    BLUE,
    DARK,
    GREY,
    ORANGE,
    draw_legend,
    new_axes,
    row_through,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 401  #: along the bridge
NEAR = 161  #: around each wheel


def rest_plot(
    rest: Rest,
    ax: Axes | None = None,
    *,
    around: int | None = None,
    reach: float | None = None,
    title: str | None = None,
) -> Axes:
    """Deflection of the bridge by bending, by the contact, and their sum, drawn downwards.

    Along the whole bridge, or `around` a wheel (counted from 0), `reach` (m) to either side of it (three
    times its patch unless given) and without what the beam gives way just there.
    """
    checks.instance("rest", rest, Rest)
    return draw_deflections(RestCurves.of(rest, around, reach), ax, title=title)


@dataclass(frozen=True, eq=False)
class RestCurves:
    """What `rest_plot` draws: deflections along the bridge, or around a wheel."""

    x: np.ndarray  #: m
    bent: np.ndarray  #: of the beam, m
    local: np.ndarray  #: by the contact, m
    around: int | None  #: wheel, counted from 0
    middle: float  #: place of that wheel, m
    there: float  #: deflection of the beam there, m

    @classmethod
    def of(cls, rest: Rest, around: int | None = None, reach: float | None = None) -> RestCurves:
        """Of a result."""
        x = _places(rest, around, reach)
        middle = 0.0 if around is None else float(rest.places[around])
        there = 0.0 if around is None else float(rest.deflection(rest.places[around]))
        return cls(x, rest.deflection(x), rest.local(x), around, middle, there)


def draw_deflections(curves: RestCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Bending, contact, and their sum."""
    ax = new_axes(ax)
    around, bent, local, shown = curves.around, curves.bent, curves.local, curves.x
    words, value = "place", "deflection"
    if around is not None:
        bent, shown = bent - curves.there, shown - curves.middle
        words = f"distance from wheel {around + 1}"
        value = f"deflection beyond {quantity(curves.there, 'm')}"
    unit, length = unit_for(bent + local, "m"), unit_for(shown, "m")
    ax.plot(length.of(shown), unit.of(bent), color=BLUE, lw=2.0, label="global: the beam bends")
    ax.plot(length.of(shown), unit.of(local), color=ORANGE, lw=1.8, label="local: the contact dents")
    ax.plot(length.of(shown), unit.of(bent + local), "--", color=DARK, lw=1.5, label="sum: top of the bridge")
    ax.axhline(0.0, color=GREY, lw=0.8)
    ax.set_xlim(float(length.of(shown[0])), float(length.of(shown[-1])))
    ax.invert_yaxis()
    if around is not None:  # room below the curves for the legend
        low, high = ax.get_ylim()
        ax.set_ylim(low + 0.3 * (low - high), high)
    draw_legend(ax, loc="lower center" if around is not None else "best")
    if title is None:
        title = "Deflection along the bridge" if around is None else f"Under wheel {around + 1}"
    return style_axes(ax, f"{words} ({length.name})", f"{value} ({unit.name})", title)


def rest_patch_plot(
    rest: Rest, ax: Axes | None = None, *, wheel: int = 0, along: str = "x", title: str | None = None
) -> Axes:
    """Pressure under a wheel on the bridge as it bends, and on a straight one under the same force."""
    checks.instance("rest", rest, Rest)
    k = _wheel(rest, wheel)
    words = f"Pressure under wheel {k + 1}" if title is None else title
    return draw_patches(rest.contacts[k], rest.on_straight_bridge[k], ax, along=along, title=words)


def draw_patches(
    bent: NormalContact, straight: NormalContact, ax: Axes | None = None, *, along: str = "x", title: str
) -> Axes:
    """Pressure of a patch on the bent bridge and on a straight one."""
    ax = new_axes(ax)
    places, row = row_through(bent, along)
    length = unit_for(np.abs(places).max(), "m")
    stress = unit_for(max(bent.peak_pressure, straight.peak_pressure), "Pa")
    line, other = stress.of(row(bent.pressure)), row_through(straight, along)[1]
    ax.fill_between(length.of(places), line, step="mid", color=BLUE, alpha=0.15, lw=0.0)
    ax.step(length.of(places), line, where="mid", color=BLUE, lw=2.0, label="on the bent bridge")
    ax.step(
        length.of(places), stress.of(other(straight.pressure)), where="mid", color=ORANGE, lw=1.6, ls="--",
        label="on a straight one",
    )  # fmt: skip
    ax.set_xlim(float(length.of(places[0])), float(length.of(places[-1])))
    ax.set_ylim(bottom=0.0)
    draw_legend(ax)
    way = "along" if along == "x" else "across"
    return style_axes(ax, f"{way} the bridge ({length.name})", f"pressure ({stress.name})", title)


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
