"""
How does a bridge vibrate when its load is lifted?
==================================================

Free vibration from a given shape, equations (5.17) to (5.20) of the thesis *Using CONTACT in dynamical
simulations* (H. de Looij, 2015), for its bridge of 20 m, clamped at both ends. A locomotive of 76 t
stands at the quarter point and is suddenly removed. Two formulas of the thesis are corrected: the factor
in (5.19) is 1/L, since the integral of w_n^2 is L, and the frequency in (5.14) is beta^2 sqrt(EI/rho),
which makes 4.568 Hz instead of the 1.7e-5 Hz of its table 3. Modes are exact in time; elements and
differences follow as long as their frequencies are right.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

bridge = tr.Beam(20.0, bending_stiffness=2e11 * 0.0104, mass_per_length=7900.0)
loaded = bridge.bend([(76e3 * 9.81, 5.0)])

# %%
# Modes are exact in time. The share of the initial shape that they do not represent is small.
times = {"t_end": 1.0, "dt": 5e-4}
free = bridge.vibrate(loaded, **times, size=40)
hertz = free.frequencies / (2.0 * np.pi)
print(f"first frequency {hertz[0]:.4f} Hz")
print(f"{1.0 - free.initial.captured:.1e} of the shape is not represented by {hertz.size} modes")

# %%
# The same by elements and by differences, step by step.
others = {
    "20 elements": bridge.vibrate(loaded, **times, model="elements", size=20),
    "20 cells": bridge.vibrate(loaded, **times, model="differences", size=20),
}
errors = {name: np.abs(run.deflection(10.0) - free.deflection(10.0)).max() for name, run in others.items()}
print(*(f"{name}: up to {1e3 * error:.2f} mm from the modes" for name, error in errors.items()), sep="\n")

# %%
# Shapes during half a period of the first mode, and the coordinates of three modes over time (5.20).
figure, axes = plt.subplots(1, 3, figsize=(15.0, 4.8), layout="constrained")
x = np.linspace(0.0, 20.0, 201)
colours = plt.get_cmap("viridis")(np.linspace(0.0, 0.9, 7))
for share, colour in zip(np.linspace(0.0, 0.5, 7), colours, strict=True):
    k = round(share / hertz[0] / times["dt"])
    axes[0].plot(x, 1e3 * free.deflection(x)[k], color=colour, lw=1.8, label=f"{1e3 * free.t[k]:.0f} ms")
axes[0].plot(5.0, 1e3 * loaded.deflection(5.0), "v", color="#222222", ms=9)
axes[0].set_ylim(9.0, -13.0)
tr.view.style_axes(axes[0], "x (m)", "deflection (mm), downwards", "Half a period (mark: where the load was)")
axes[0].legend(fontsize=8.5, frameon=False, ncols=4, loc="upper center")

early = free.t <= 0.45
for k, colour in enumerate(("#1f4e79", "#c8553d", "#588157")):
    height = 1e3 * np.abs(bridge.modes(3).deflection(x)[k]).max()
    label = f"{hertz[k]:.2f} Hz"
    axes[1].plot(1e3 * free.t[early], height * free.modal[early, k], color=colour, lw=1.7, label=label)
axes[1].set_ylim(-8.5, 11.0)
tr.view.style_axes(axes[1], "t (ms)", "largest deflection of a mode (mm)", "Modes 1, 2 and 3")
axes[1].legend(fontsize=9, frameon=False, ncols=3, loc="upper center")

late = free.t >= 0.75
mid = 1e3 * free.deflection(10.0)[late]
axes[2].plot(1e3 * free.t[late], mid, color="#1f4e79", lw=4.5, alpha=0.45, label="40 modes")
for (name, run), colour in zip(others.items(), ("#222222", "#c8553d"), strict=True):
    mid = 1e3 * run.deflection(10.0)[late]
    axes[2].plot(1e3 * run.t[late], mid, color=colour, lw=1.3, label=name)
axes[2].set_ylim(-8.5, 11.0)
tr.view.style_axes(axes[2], "t (ms)", "midspan deflection (mm)", "After three periods, by three models")
axes[2].legend(fontsize=9, frameon=False, ncols=3, loc="upper center")
plt.show()

# %%
# Energy is conserved, the frequency is right, and 20 elements are ten times as accurate as 20 cells.
assert np.ptp(free.energy) < 1e-10 * free.energy[0]
assert abs(hertz[0] - 4.568) < 5e-4
assert errors["20 elements"] < 1e-4 < 0.1 * errors["20 cells"]
