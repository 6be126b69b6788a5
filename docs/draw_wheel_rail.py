"""Draws images/wheel_rail.png: a wheel on the gauge corner of its rail, and the pressure of both patches."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

import traction as tr

FILE = Path(__file__).parent / "images" / "wheel_rail.png"

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 30)
found = tr.wheel_rail(wheelset, track, side="left", y=5.55e-3, force=80e3, dx=0.2e-3, dy=0.1e-3)

figure, (left, right) = plt.subplots(
    1, 2, figsize=(14.0, 5.2), layout="constrained", gridspec_kw={"width_ratios": [1.35, 1.0]}
)
tr.view.wheel_rail_plot(wheelset, track, found, left, title="S1002 on 60E1, 80 kN, 5.55 mm towards the rail")
patch = max(found.patches, key=lambda one: one.force[0])
tr.view.traction_map(patch.tangential, right, title="Pressure and friction")
for ax in (left, right):
    for box in (ax, *ax.child_axes):
        box.tick_params(labelsize=12)
        box.xaxis.label.set_size(13)
        box.yaxis.label.set_size(13)
    ax.set_title(ax.get_title(loc="left"), loc="left", fontsize=16, fontweight="bold", pad=10.0)
for text in left.get_legend().get_texts():
    text.set_fontsize(13)
figure.savefig(FILE, dpi=102, bbox_inches="tight", pad_inches=0.12)
