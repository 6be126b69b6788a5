"""
How hard must one pull to part a sticking sphere?
=================================================

A small soft sphere sticks by the work of adhesion w. Short-ranged attraction of soft bodies (Johnson,
Kendall and Roberts 1971) lets go at :math:`-1.5 \\pi w R`, long-ranged attraction of hard ones
(Derjaguin, Muller and Toporov 1975) at :math:`-2 \\pi w R`; the cohesive-zone model joins them (Maugis 1992,
*J. Colloid Interface Sci.* 150, 243).
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

radius, work = 1e-6, 0.05
pair = tr.Pair(tr.Material(2e6, 0.49), tr.RIGID)
force_unit = math.pi * work * radius

# %%
# Each curve runs from no contact to a push as large as twice the pull-off force.
curves = {"DMT": tr.adhesion.curve(radius, pair, work, model="dmt")}
for tabor in (0.2, 0.7, 2.0):
    curves[f"Maugis, Tabor {tabor:g}"] = tr.adhesion.curve(
        radius, pair, work, model="maugis-dugdale", tabor=tabor
    )
curves["JKR"] = tr.adhesion.curve(radius, pair, work, model="jkr")

# %%
# Solid branches hold under a given force; dotted ones jump.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.4), layout="constrained")
colors = ("#D55E00", "#CC79A7", "#009E73", "#56B4E9", "#0072B2")
for (name, curve), color in zip(curves.items(), colors, strict=True):
    stable = curve.stable
    first = max(int(np.argmax(stable)) - 1, 0)
    for ax, x in ((left, curve.approach / 1e-9), (right, curve.radius / 1e-9)):
        ax.plot(x[first:], curve.force[first:] / force_unit, color=color, lw=1.8, label=name)
        ax.plot(x[: first + 1], curve.force[: first + 1] / force_unit, ":", color=color, lw=1.4)
for ax, label in ((left, "approach"), (right, "contact radius")):
    ax.axhline(0.0, color="0.6", lw=0.8)
    tr.view.style_axes(ax, f"{label} (nm)", "force / (π w R)", f"Force over {label}", legend=ax is left)
    ax.set_ylim(-2.2, 2.2)
plt.show()

# %%
# The pull-off forces grow from JKR to DMT as the attraction reaches farther.
pull_off = [curve.pull_off_force / force_unit for curve in curves.values()]
print("pull-off force / (pi w R):", ", ".join(f"{value:.3f}" for value in pull_off))
assert pull_off == sorted(pull_off)
assert abs(pull_off[0] + 2.0) < 1e-12
assert abs(pull_off[-1] + 1.5) < 1e-12
