"""Contact force and penetration over one contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction.bouncing.bounce import BounceHistory
from traction.quantities import significant, unit_for
from traction.view.arguments import checked
from traction.view.bouncing.chosen_histories import (
    Histories,
    contact_of,
    falling,
    methods_of,
    name_histories,
    times_around,
)
from traction.view.bouncing.method_styles import choose_styles
from traction.view.chart import Chart, new_panels
from traction.view.figures import DARK, FONT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@checked
def contact_plot(
    histories: Histories,
    axes: Sequence[Axes] | None = None,
    *,
    contact: int = 0,
) -> tuple[Axes, Axes]:
    """Plot contact force and penetration over one contact.

    Parameters
    ----------
    histories
        Result of `tr.bounce`, a list of them, or a mapping from names in the legend.
    axes
        Axes to draw on; a new figure by default.
    contact
        Index of the contact, from 0.

    Returns
    -------
    tuple of Axes
        Those of the force and of the penetration.

    Raises
    ------
    InputError
        If a history is none of a falling body, or has fewer contacts.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> force, penetration = tr.view.contact_plot(fall)
    >>> force.get_ylabel(), penetration.get_ylabel()
    ('contact force (kN)', 'penetration (µm)')
    """
    named = name_histories(histories)
    curves = {name: ContactCurve.of(falling(name, history), contact) for name, history in named.items()}
    return draw_contacts(curves, methods_of(named), axes)


@dataclass(frozen=True, eq=False)
class ContactCurve:
    """Data of `contact_plot` for one contact: force and penetration since contact began."""

    t: np.ndarray  #: s
    force: np.ndarray  #: N
    depth: np.ndarray  #: m

    @classmethod
    def of(cls, history: BounceHistory, contact: int) -> ContactCurve:
        """One contact of a history, counted from 0."""
        interval = contact_of(history, contact)
        t = times_around(history, interval, room=0.0)
        force = history.body.mass * history.acceleration_at(t) + history.body.weight
        return cls(t - interval.start, force, np.maximum(0.0, -history.at(t)))


def draw_contacts(
    curves: Mapping[str, ContactCurve], methods: Sequence[str], axes: Sequence[Axes] | None = None
) -> tuple[Axes, Axes]:
    """Force above and penetration below, of contacts by the names in the legend, and their methods."""
    upper, lower = new_panels(axes, 2, (7.0, 6.0))
    time = unit_for([one.t[-1] for one in curves.values()], "s")
    force = Chart(upper, time, unit_for(np.concatenate([one.force for one in curves.values()]), "N"))
    depth = Chart(lower, time, unit_for(np.concatenate([one.depth for one in curves.values()]), "m"))
    for (name, one), style in zip(curves.items(), choose_styles(methods), strict=True):
        if len(curves) == 1:
            force.fill(one.t, one.force, color=style["color"], alpha=0.12)
        for chart, values in ((force, one.force), (depth, one.depth)):
            chart.plot(one.t, values, lw=2.0, label=name, **style)
            if len(curves) == 1:
                _mark_largest(chart, one.t, values)
    for ax in (upper, lower):
        ax.set_xlim(left=0.0)
        ax.set_ylim(bottom=0.0)
        ax.margins(y=0.12)
    if len(curves) > 1:
        force.legend(loc="lower center")
    force.finish("time since contact began", "contact force", "Contact force")
    if upper.get_shared_x_axes().joined(upper, lower):
        upper.set_xlabel("")
    depth.finish("time since contact began", "penetration", "Penetration")
    return upper, lower


def _mark_largest(chart: Chart, x: np.ndarray, values: np.ndarray) -> None:
    """The largest value, as a dot with its number."""
    i = int(np.argmax(values))
    spot = float(chart.x.of(x[i])), float(chart.y.of(values[i]))
    chart.ax.plot(*spot, "o", color=DARK, ms=5)
    chart.ax.annotate(
        f"{significant(spot[1], 4)} {chart.y.name}", spot, xytext=(0, 6), textcoords="offset points",
        ha="center", fontsize=FONT["tick"], color=DARK,
    )  # fmt: skip
