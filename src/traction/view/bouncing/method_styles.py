"""Colours, dashes and markers of integration methods, the same in all figures."""

from __future__ import annotations

from collections.abc import Sequence

from traction import checks
from traction.errors import InputError
from traction.view.arguments import checked
from traction.view.figures import CYCLE, DARK, DASHES, Style

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
