"""Draws images/architecture.svg: how data flows through the rooms of the package, from a file to a figure."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.patches import FancyBboxPatch

BLUE, ORANGE, GREEN, PURPLE, DARK, GREY = "#0072B2", "#D55E00", "#009E73", "#8457A3", "#23272e", "#6b7280"
FILE = Path(__file__).parent / "images" / "architecture.svg"
ROW, TOP = 0.62, 6.0

#: title, colour, and the rooms of each stage from top to bottom: name and what it holds
STAGES = (
    (
        "scenario",
        GREY,
        (
            ("scenario/", "TOML, units, checks"),
            ("kinds/*/schema", "what a case may say"),
            ("cli/  app/", "commands"),
            ("studio/", "the same in a browser"),
        ),
    ),
    (
        "model",
        BLUE,
        (
            ("materials grid surfaces", "bodies and their gap"),
            ("profiles/", "wheels and rails in section"),
            ("beams/  trains/", "bridges, axles, vehicles"),
            ("laws/", "force over approach"),
            ("friction_laws/", "friction, layers"),
        ),
    ),
    (
        "solve",
        ORANGE,
        (
            ("contact/", "pressure, friction, rolling"),
            ("wheelsets/", "wheels on rails"),
            ("beams/exact, discrete", "modes, statics, elements"),
            ("integrators/", "eleven methods"),
            ("impacts/  bouncing/", "strikes and falls"),
            ("resting/  sliding/", "at rest, on a moving belt"),
            ("crossing/", "trains on bridges"),
        ),
    ),
    (
        "result",
        GREEN,
        (
            ("results of each solver", "values with a certificate"),
            ("outputs/", "labelled data, files"),
            ("results/", "run folders, checkpoints"),
            ("signals/", "spectra, peaks"),
        ),
    ),
    (
        "view",
        PURPLE,
        (
            ("view/", "figures, animations"),
            ("kinds/*/report", "story, tables, checks"),
            ("report", "one HTML page"),
        ),
    ),
)
BELOW = (
    ("halfspace/", "influence, products, stress"),
    ("theory/", "closed forms"),
    ("*/kernels/  compiled/", "machine code, kept between runs"),
    ("checks, errors, status", "what can go wrong, with a remedy"),
)


def draw_box(ax, x, y, width, title, note, color):
    """A room: its name and what it holds."""
    box = FancyBboxPatch((x, y), width, 0.5, boxstyle="round,pad=0.02,rounding_size=0.08", lw=1.2)
    box.set(facecolor=color + "1f", edgecolor=color)
    ax.add_patch(box)
    middle = x + width / 2
    ax.text(middle, y + 0.34, title, ha="center", va="center", fontsize=9.2, color=DARK, family="monospace")
    ax.text(middle, y + 0.13, note, ha="center", va="center", fontsize=8.5, color=GREY)


def draw_stage(ax, x, width, stage):
    """A column: one stage of the flow with its rooms."""
    title, color, rooms = stage
    ax.text(
        x + width / 2, TOP + 0.3, title, ha="center", va="center", fontsize=14, fontweight="bold", color=color
    )
    for k, (room, note) in enumerate(rooms):
        draw_box(ax, x, TOP - (k + 1) * ROW, width, room, note, color)


def draw():
    """The whole picture."""
    fig, ax = plt.subplots(figsize=(13.5, 6.1))
    width, gap = 2.55, 0.35
    for k, stage in enumerate(STAGES):
        x = k * (width + gap)
        draw_stage(ax, x, width, stage)
        if k:
            arrow = {"arrowstyle": "-|>", "color": DARK, "lw": 1.8, "mutation_scale": 16}
            ax.annotate("", (x + 0.45, TOP + 0.3), (x - gap - 0.45, TOP + 0.3), arrowprops=arrow)
    total = len(STAGES) * (width + gap) - gap
    share = (total + gap) / len(BELOW)
    bottom = TOP - max(len(rooms) for _, _, rooms in STAGES) * ROW - 0.95
    ax.text(
        0.0, bottom + 0.72, "underneath, imported by all of them", fontsize=10, color=GREY, style="italic"
    )
    for k, (room, note) in enumerate(BELOW):
        draw_box(ax, k * share, bottom, share - gap, room, note, DARK)
    ax.set(xlim=(-0.1, total + 0.1), ylim=(bottom - 0.1, TOP + 0.6))
    ax.axis("off")
    fig.savefig(FILE, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    mpl.rcParams["svg.hashsalt"] = "traction"
    draw()
