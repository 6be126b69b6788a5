"""Integration methods: their colours, dashes and markers in all figures, and what they do to oscillations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.integrators.stability import Stability
from traction.view.arguments import checked
from traction.view.chart import new_panels
from traction.view.figures import CYCLE, DARK, DASHES, FONT, ORANGE, Style, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: methods of one family share a hue; with the dashes they stay apart for colour-blind readers
METHOD_STYLES: dict[str, tuple[str, Style, str]] = {
    "euler-forward": ("#D55E00", DASHES[0], "v"),
    "euler-backward": ("#E69F00", DASHES[1], "^"),
    "symplectic-euler": ("#8C510A", DASHES[2], "D"),
    "rk4": ("#0072B2", DASHES[0], "o"),
    "radau-ia": ("#56B4E9", DASHES[1], "s"),
    "radau-iia": ("#1B3A6B", DASHES[3], "P"),
    "verlet": ("#009E73", DASHES[0], "o"),
    "newmark": ("#7CB342", DASHES[1], "s"),
    "hht": ("#CC79A7", DASHES[0], "v"),
    "generalized-alpha": ("#7B3294", DASHES[1], "^"),
    "energy-conserving": (DARK, DASHES[2], "*"),
}


@checked
def method_style(name: str) -> dict[str, Style]:
    """Return colour, dashes and marker of an integration method, the same in all figures.

    Parameters
    ----------
    name
        Name of the method.

    Returns
    -------
    dict
        Options for `ax.plot`.

    Raises
    ------
    InputError
        If the method is unknown.

    Examples
    --------
    >>> tr.view.method_style("rk4")["marker"]
    'o'
    """
    if name not in METHOD_STYLES:
        raise InputError(f"method = {checks.shown(name)} is not known; known are {', '.join(METHOD_STYLES)}.")
    color, dashes, marker = METHOD_STYLES[name]
    return {"color": color, "ls": dashes, "marker": marker}


def choose_styles(used: Sequence[str]) -> list[dict[str, Style]]:
    """Styles of the methods if all differ, otherwise of a cycle."""
    if len(used) > 1 and len(set(used)) == len(used) and set(used) <= set(METHOD_STYLES):
        lines = [METHOD_STYLES[name][:2] for name in used]
    else:  # the second of two equal curves is dashed, so that both are seen
        lines = [(CYCLE[i % len(CYCLE)], DASHES[i % len(DASHES)]) for i in range(len(used))]
    return [{"color": color, "ls": dashes} for color, dashes in lines]


@checked
def stability_plot(
    results: Stability | Sequence[Stability], axes: Sequence[Axes] | None = None
) -> tuple[Axes, Axes, Axes]:
    """Plot spectral radius, period error and damping ratio over omega*dt.

    Where the radius exceeds 1 oscillations grow: the region is shaded and each limit marked. Period and
    damping are not drawn beyond it, except for a method that is never stable.

    Parameters
    ----------
    results
        Result of `tr.stability`, or several.
    axes
        Axes to draw on; a new figure by default.

    Returns
    -------
    tuple of Axes
        Those of radius, period and damping.

    Raises
    ------
    InputError
        If there is no result of `tr.stability`.

    Examples
    --------
    >>> found = [tr.stability(name, [0.1, 1.0, 3.0]) for name in ("verlet", "newmark")]
    >>> radius, period, damping = tr.view.stability_plot(found)
    >>> radius.get_xlabel()
    'ω Δt'
    """
    several = [results] if isinstance(results, Stability) else list(results)
    if not several:
        raise InputError("results is empty: give results of tr.stability.")
    radius, period, damping = new_panels(axes, 3, (13.5, 4.6), columns=True)
    for result, style in zip(several, choose_styles([result.method for result in several]), strict=True):
        x = result.omega_dt
        radius.semilogx(x, result.spectral_radius, lw=1.9, label=result.method, **style)
        growing = (result.spectral_radius > 1.0 + 1e-9) & (result.limit > 0.0)
        for ax, values in ((period, 100.0 * result.period_error), (damping, 100.0 * result.damping_ratio)):
            ax.semilogx(x, np.where(growing, np.nan, values), lw=1.9, **style)
        if 0.0 < result.limit < x[-1]:
            radius.plot(result.limit, 1.0, "o", ms=6, mfc="white", mec=style["color"], mew=1.8, zorder=5)
    low = min(float(result.omega_dt.min()) for result in several)
    high = max(float(result.omega_dt.max()) for result in several)
    radius.axhspan(1.0, 1.6, color=ORANGE, alpha=0.10, lw=0.0)
    radius.text(low * 1.3, 1.5, "grows: unstable", color=ORANGE, fontsize=FONT["tick"], va="center")
    radius.set_ylim(0.0, 1.6)
    period.set_ylim(-20.0, 60.0)
    damping.set_ylim(-20.0, 60.0)
    for ax in (period, damping):
        ax.axhline(0.0, color=DARK, lw=0.8)
    damping.axhspan(-20.0, 0.0, color=ORANGE, alpha=0.10, lw=0.0)
    for ax in (radius, period, damping):
        ax.set_xlim(low, high)
    style_axes(radius, "ω Δt", "spectral radius", "Spectral radius")
    style_axes(period, "ω Δt", "period error (%)", "Period error")
    style_axes(damping, "ω Δt", "damping ratio (%)", "Numerical damping")
    if len(several) > 1:
        radius.figure.legend(
            *radius.get_legend_handles_labels(),
            loc="outside lower center", ncols=min(6, len(several)), fontsize=FONT["tick"], frameon=False,
        )  # fmt: skip
    return radius, period, damping
