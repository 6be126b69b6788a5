"""Draws images/hero.png: a wheel on the edge of the rail crown, and the stress in the rail below."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

from coned_wheel import solve_case
from traction import view

FILE = Path(__file__).parent / "images" / "hero.png"

case = solve_case("crown edge", 1 / 30, cells=256)
plane = view.stress_plane(case.contact, along="y", half_width=6.4e-3, depth=9e-3, points=(91, 61))

figure, (left, right) = plt.subplots(
    1, 2, figsize=(14.0, 5.4), layout="constrained", gridspec_kw={"width_ratios": [1.0, 1.0]}
)
figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08, wspace=0.03)
view.pressure_map(
    case.contact, left, hertz=case.hertz, hertz_center=(0.0, 0.0), title="Wheel on rail, 100 kN: pressure"
)
view.von_mises_map(case.contact, ax=right, plane=plane, title="Stress in the rail, across the contact")
left.set_xlim(-8.6, 8.6)
for ax in (left, right):
    for box in (ax, *ax.child_axes):
        box.tick_params(labelsize=12)
        box.xaxis.label.set_size(13)
        box.yaxis.label.set_size(13)
    ax.set_title(ax.get_title(loc="left"), loc="left", fontsize=16, fontweight="bold", pad=10.0)
for text in (*left.get_legend().get_texts(), *right.texts):
    text.set_fontsize(13)
FILE.parent.mkdir(exist_ok=True)
figure.savefig(FILE, dpi=102, bbox_inches="tight", pad_inches=0.12)
