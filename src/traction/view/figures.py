"""Style of all figures: colours, fonts, axes, legends; `chart` has the pieces they are drawn with.

Each figure takes results and optional axes, and returns the axes. matplotlib is loaded where one is drawn, so
that `import traction` does not need it.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from traction import checks
from traction.errors import InputError
from traction.view.arguments import figure, no_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours and matplotlib's viridis and cividis stay apart for colour-blind readers.
BLUE, ORANGE, GREEN, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
GREY, DARK = "#8a8f98", "#23272e"
#: of what lies on maps, and behind them: these stay in a dark page, as the maps do
MAP_INK, MAP_FLOOR = "#23272f", "#440155"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, DARK)
MARKERS = "osD^vP"
FAMILY = "viridis"  #: colours of curves and maps that follow a number
GROUND_FILL, STEEL_FILL = "#f6e3d3", "#dbe9f4"
LARGEST = 100.0  #: inches of a figure
FONT = {"title": 12.0, "label": 10.5, "tick": 9.5}

Style = Any  #: what matplotlib takes as an option, and its artists
#: solid, dashed, dotted, dash-dotted: of curves that may cover each other
DASHES: tuple[Style, ...] = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (4, 1.2, 1, 1.2)))


def blank_figure(width: float = 7.0, height: float = 4.6) -> Figure:
    """Return an empty figure that belongs to no window.

    Parameters
    ----------
    width
        Width, inches.
    height
        Height, inches.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    InputError
        If a size is not positive or above 100 inches, or matplotlib is not installed.

    Examples
    --------
    >>> figure = tr.view.blank_figure(6.0, 4.0)
    >>> figure.get_size_inches().tolist()
    [6.0, 4.0]
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise no_matplotlib() from error
    for name, size in (("width", width), ("height", height)):
        if checks.positive(name, size, "inches") > LARGEST:
            raise InputError(f"{name} = {size} inches must be at most {LARGEST}.")
    return Figure(figsize=(width, height), layout="constrained")


@figure
def style_axes(ax: Axes, x: str, y: str, title: str, *, grid: bool = True, legend: bool = False) -> Axes:
    """Apply the style of all figures to your own axes.

    Parameters
    ----------
    ax
        Axes.
    x
        Label of x.
    y
        Label of y.
    title
        Title.
    grid
        Whether to draw a grid.
    legend
        Whether to draw a legend.

    Raises
    ------
    InputError
        If `ax` are not axes of matplotlib, or a label is not a string.

    Examples
    --------
    >>> ax = tr.view.blank_figure().subplots()
    >>> _ = ax.plot([0.0, 1.0], [0.0, 2.0])
    >>> tr.view.style_axes(ax, "time (s)", "force (N)", "Contact force").get_xlabel()
    'time (s)'
    """
    ax.set_xlabel(x, fontsize=FONT["label"])
    ax.set_ylabel(y, fontsize=FONT["label"])
    ax.set_title(title, fontsize=FONT["title"], fontweight="bold", loc="left", color=DARK, pad=8.0)
    ax.tick_params(labelsize=FONT["tick"], color=GREY)
    for name in ("top", "right"):
        ax.spines[name].set_visible(False)
    for name in ("left", "bottom"):
        ax.spines[name].set_color(GREY)
    if grid:
        ax.grid(color=GREY, alpha=0.25, lw=0.6)
        ax.set_axisbelow(True)
    if legend:
        draw_legend(ax)
    return ax


def draw_legend(ax: Axes, **options: Style) -> None:
    """The legend of all figures here."""
    ax.legend(fontsize=FONT["tick"], frameon=True, framealpha=0.9, edgecolor="none", **options)


def pyplot() -> ModuleType:
    """matplotlib.pyplot, or a sentence that says how to get it."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise no_matplotlib() from error
    return plt
