"""Draws images/conventions.svg: the two bodies, the axes and the signs."""

from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

from matplotlib import pyplot as plt

from traction import hertz

BLUE, ORANGE, DARK, GREY = "#0072B2", "#D55E00", "#23272e", "#6b7280"
FILE = Path(__file__).parent / "images" / "conventions.svg"


def arrow(ax, start, end, color=DARK, width=1.8, style="-|>"):
    """An arrow from start to end, without the gap that annotate leaves."""
    properties = {"arrowstyle": style, "color": color, "lw": width, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops={**properties, "mutation_scale": 13})


def words(ax, x, y, text, color=DARK, **options):
    """Text in the drawing."""
    ax.text(x, y, text, color=color, **{"fontsize": 12, "ha": "left", "va": "center", **options})


def undeformed(ax):
    """Left: the gap before contact, and the axes."""
    x = np.linspace(-2.6, 2.6, 200)
    gap = 0.2 * x**2 + 0.25
    ax.fill_between(x, gap, 2.6, color=BLUE, alpha=0.15, lw=0)
    ax.plot(x, gap, color=BLUE, lw=2.2)
    ax.fill_between(x, -1.6, 0.0, color=ORANGE, alpha=0.15, lw=0)
    ax.plot(x, 0 * x, color=ORANGE, lw=2.2)
    words(ax, -2.4, 2.25, "body 1 (wheel, ball)", BLUE, fontweight="bold")
    words(ax, -2.4, -1.3, "body 2 (rail, plate)", ORANGE, fontweight="bold")
    arrow(ax, (1.7, 0.0), (1.7, 0.2 * 1.7**2 + 0.25), GREY, style="<|-|>")
    words(ax, 1.8, 0.4, "gap h(x, y)", GREY)
    arrow(ax, (0, 0), (1.25, 0))
    words(ax, 0.62, -0.22, "x, rolling", ha="center")
    arrow(ax, (0, 0), (0, 1.5))
    words(ax, 0.1, 1.42, "z, up into body 1")
    # y points into the page: x to the right, z up, right-handed
    ax.plot(0, 0, "o", ms=13, mfc="white", mec=DARK, mew=1.6)
    ax.plot(0, 0, "x", ms=7, color=DARK, mew=1.6)
    words(ax, -0.2, -0.25, "y, lateral\n(into the page)", ha="right", va="top")
    ax.set_title("Before contact", loc="left", fontweight="bold", color=DARK)


def deformed(ax):
    """Right: pressed together by the approach, with the tractions on body 1."""
    x = np.linspace(-2.6, 2.6, 400)
    # a sphere between equal bodies, in units that make the drawing large
    theory = hertz.sphere(2.5, 1.0, approach=0.9)
    rigid = 0.2 * x**2 - theory.approach
    moved = 0.5 * theory.displacement(x)
    upper, lower = rigid + moved, -moved
    ax.fill_between(x, upper, 2.6, color=BLUE, alpha=0.15, lw=0)
    ax.fill_between(x, -1.6, lower, color=ORANGE, alpha=0.15, lw=0)
    ax.plot(x, rigid, "--", color=BLUE, lw=1.2)
    ax.plot(x, 0 * x, "--", color=ORANGE, lw=1.2)
    ax.plot(x, upper, color=BLUE, lw=2.2)
    ax.plot(x, lower, color=ORANGE, lw=2.2)
    for place in np.linspace(-0.9, 0.9, 7):
        foot = -0.5 * float(theory.displacement(place))
        height = 0.75 * float(theory.pressure(place)) / theory.peak_pressure
        arrow(ax, (place, foot), (place, foot + height), DARK, 1.5)
    words(ax, 0.0, 0.55, "pressure p > 0 on body 1\n(body 2 feels the opposite)", ha="center", va="bottom")
    at, half = 1.25, 0.5 * float(theory.displacement(1.25))
    arrow(ax, (at, 0.0), (at, -half), ORANGE, 2.0)
    words(ax, at + 0.2, -0.68, "u₂ < 0", ORANGE)
    arrow(ax, (-at, 0.2 * at**2 - theory.approach), (-at, -half), BLUE, 2.0)
    words(ax, -at - 0.2, -0.68, "u₁ > 0", BLUE, ha="right")
    arrow(ax, (0.0, 0.0), (0.0, -theory.approach), GREY, style="<|-|>")
    words(ax, 0.08, -0.63, "approach δ", GREY, fontsize=11)
    arrow(ax, (-2.2, 2.45), (-2.2, 1.75), BLUE, 2.4)
    words(ax, -2.05, 2.1, "force F, moves down by δ", BLUE)
    words(ax, 0.0, -1.28, "$u = u_1 - u_2$          distance $= h + u - \\delta \\geq 0$", ha="center")
    ax.set_title("In contact", loc="left", fontweight="bold", color=DARK)


figure, axes = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
undeformed(axes[0])
deformed(axes[1])
for ax in axes:
    ax.set(xlim=(-2.75, 2.95), ylim=(-1.6, 2.6))
    ax.axis("off")
FILE.parent.mkdir(exist_ok=True)
# text as paths looks the same in every browser; a fixed salt makes the same file each time
with plt.rc_context({"svg.hashsalt": "traction"}):
    figure.savefig(FILE, metadata={"Date": None})
