"""Draws images/wheel-rail-conventions.svg: a wheelset in the axes of Traction and of CONTACT."""

from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

from matplotlib import pyplot as plt

import traction as tr
from draw_conventions import BLUE, DARK, GREY, ORANGE, arrow, words
from traction.wheelsets.geometry.curve_nodes import sample_curve

FILE = Path(__file__).parent / "images" / "wheel-rail-conventions.svg"
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
TRACK = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
LARGER = 2.4  #: profiles are drawn larger than the track


def bodies(ax):
    """Both wheels and rails, profiles enlarged about the nominal contact points."""
    wheel, rail = sample_curve(WHEELSET.profile.curve), TRACK.placed_rail("right").nodes
    for sign in (1.0, -1.0):
        across = sign * (-0.75 + LARGER * wheel[1])
        tread = LARGER * wheel[2]
        back = sign * (-0.75 + LARGER * wheel[1, [-1, -1, 0]])
        high = np.array([tread[-1], 0.30, 0.30])
        ax.fill(np.r_[across, back], np.r_[tread, high], color=BLUE, alpha=0.15, lw=0)
        ax.plot(across, tread, color=BLUE, lw=1.8)
        y = sign * (-0.75 + LARGER * (rail[1] + 0.75))
        ax.fill(y, LARGER * rail[2], color=ORANGE, alpha=0.15, lw=0)
        ax.plot(y, LARGER * rail[2], color=ORANGE, lw=1.8)
    ax.plot([-0.60, 0.60], [0.24, 0.24], color=BLUE, lw=1.4)
    ax.plot([-0.60, 0.60], [0.16, 0.16], color=BLUE, lw=1.4)


def axes_of(ax, sideways, upwards, label, color=DARK):
    """Axes at the middle of the track, x into the page."""
    arrow(ax, (0, 0), (0.36 * sideways, 0), color)
    arrow(ax, (0, 0), (0, 0.13 * upwards), color)
    ax.plot(0, 0, "o", ms=13, mfc="white", mec=color, mew=1.6)
    ax.plot(0, 0, "x", ms=7, color=color, mew=1.6)
    words(ax, 0.38 * sideways, 0.035, "y", color, ha="center")
    words(ax, 0.04, 0.13 * upwards, "z", color)
    words(ax, -0.06 * sideways, -0.045 * upwards, "x, forward", color, ha="center", fontsize=10)
    ax.set_title(label, loc="left", fontweight="bold", color=DARK)


def main():
    """Draw both panels."""
    figure, panels = plt.subplots(2, 1, figsize=(9.0, 6.6), layout="constrained")
    for ax, sideways, upwards, label, on in (
        (panels[0], -1.0, 1.0, "Traction, seen from behind: forces on the wheels", 1.0),
        (panels[1], 1.0, -1.0, 'CONTACT and convention="contact": forces on the rails', -1.0),
    ):
        bodies(ax)
        # seen from behind with x into the page, left is on the left
        axes_of(ax, sideways, upwards, label)
        for place in (-0.75, 0.75):
            arrow(ax, (place, -0.01), (place, -0.01 + 0.12 * on), GREY)
            words(ax, place + 0.03, 0.09 * on, "F_z > 0", GREY, fontsize=10)
        words(ax, -1.02, 0.33, "left wheel", BLUE, fontweight="bold")
        words(ax, 0.75, 0.33, "right wheel", BLUE, fontweight="bold")
        ax.set_xlim(-1.05, 1.05)
        ax.set_ylim(-0.2, 0.38)
        ax.set_aspect("equal")
        ax.axis("off")
    figure.savefig(FILE)


if __name__ == "__main__":
    main()
