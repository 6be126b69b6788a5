"""Forces of a wheelset over its lateral shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.quantities import Unit
from traction.view.arguments import figure
from traction.view.chart import Chart
from traction.view.figures import BLUE, GREY, ORANGE
from traction.wheelsets.force_map import ForceMap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MILLIMETRES, KILONEWTONS = Unit("mm", 1e-3), Unit("kN", 1e3)
COMPONENTS = {"x": 0, "y": 1, "z": 2}
MOST_CURVES = 5  #: of different yaw angles in one figure


@figure
def force_map_plot(
    found: ForceMap, ax: Axes | None = None, *, component: str = "y", title: str | None = None
) -> Axes:
    """Plot the force on a wheelset over its lateral shift, a curve for each of up to five yaw angles.

    Parameters
    ----------
    found
        Result of `tr.force_map`.
    component
        "x", "y" or "z": along, across or vertical.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the component is not known.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> shifts = np.linspace(0.0, 4e-3, 3)
    >>> found = tr.force_map(wheelset, track, y=shifts, side="left", force=10e3, dx=0.4e-3, dy=0.4e-3)
    >>> tr.view.force_map_plot(found).get_title("left")
    'Force along y on the left wheel'
    """
    part = COMPONENTS[checks.choice("component", component, tuple(COMPONENTS))]
    chart = Chart(ax, MILLIMETRES, KILONEWTONS)
    chosen = np.unique(
        np.linspace(0, len(found.yaw) - 1, min(MOST_CURVES, len(found.yaw))).round().astype(int)
    )
    order = np.argsort(found.shift)
    mixed = np.linspace(0.0, 1.0, max(2, len(chosen)))
    for share, k in zip(mixed, chosen, strict=False):
        named = {"label": f"yaw {found.yaw[k] * 1e3:.3g} mrad"} if len(chosen) > 1 else {}
        color = _mix(BLUE, ORANGE, float(share))
        chart.plot(found.shift[order], found.force[order, k, part], color=color, lw=1.8, **named)
    chart.ax.axvline(0.0, color=GREY, lw=0.8)
    chart.draw_zero()
    if len(chosen) > 1:
        chart.legend()
    whose = "both wheels" if found.side == "both" else f"the {found.side} wheel"
    default = f"Force along {component} on {whose}"
    return chart.finish("lateral shift y", f"force F_{component}", title, default)


def _mix(first: str, second: str, share: float) -> tuple[float, float, float]:
    """A colour between two."""
    from matplotlib.colors import to_rgb

    red, green, blue = (1.0 - share) * np.array(to_rgb(first)) + share * np.array(to_rgb(second))
    return float(red), float(green), float(blue)
