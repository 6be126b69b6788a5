"""Figures of driven and braked wheels over a crossing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.quantities import unit_for
from traction.view.figures import BLUE, DARK, GREY, ORANGE, draw_legend, new_axes, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = ("force", "creepage", "stick")


def driving_plot(
    rolling: WheelRolling, ax: Axes | None = None, *, quantity: str = "force", title: str | None = None
) -> Axes:
    """Longitudinal "force" between its bounds, "creepage" xi or the share of "stick" of a wheel over time.

    Where the wheel slides, or is in the air, is shaded.
    """
    checks.instance("rolling", rolling, WheelRolling)
    checks.choice("quantity", quantity, SHOWN)
    ax = new_axes(ax)
    t = rolling.t
    _shade(ax, t, rolling.sliding, ORANGE, "slides")
    _shade(ax, t, rolling.contact_force == 0.0, GREY, "in the air")
    if quantity == "force":
        unit = unit_for(rolling.bound, "N")
        for sign, label in ((1.0, "bound ±µN"), (-1.0, "_bound")):
            ax.plot(t, sign * unit.of(rolling.bound), ls=(0, (4, 2)), color=GREY, lw=1.3, label=label)
        ax.plot(t, unit.of(rolling.force[:, 0]), color=BLUE, lw=2.0, label="on the wheel")
        ax.axhline(0.0, color=DARK, lw=0.7)
        words, label = "Longitudinal force", f"$F_x$ ({unit.name})"
    elif quantity == "creepage":
        ax.plot(t, 100.0 * rolling.creepage[:, 0], color=BLUE, lw=2.0, label="_creepage")
        ax.axhline(0.0, color=DARK, lw=0.7)
        words, label = "Longitudinal creepage", "ξ (%)"
    else:
        ax.plot(t, 100.0 * rolling.stick, color=BLUE, lw=2.0, label="_stick")
        ax.set_ylim(-3.0, 103.0)
        words, label = "Part of the patch that sticks", "stick (%)"
    ax.set_xlim(t[0], t[-1])
    if ax.get_legend_handles_labels()[0]:
        draw_legend(ax)
    return style_axes(ax, "time (s)", label, words if title is None else title)


def _shade(ax: Axes, t: np.ndarray, where: np.ndarray, color: str, label: str) -> None:
    """Mark the steps that are meant; they end at their times."""
    ends = np.flatnonzero(np.diff(np.r_[False, where, False].astype(int)))
    for number, (first, after) in enumerate(zip(ends[::2], ends[1::2], strict=True)):
        begin = t[max(first - 1, 0)]
        name = label if number == 0 else f"_{label}"
        ax.axvspan(begin, t[after - 1], color=color, alpha=0.15, lw=0.0, label=name)
