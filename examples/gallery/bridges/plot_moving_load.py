"""
How far does a bridge deflect under a moving load?
==================================================

Figure 8 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015): a load of 76 t
crosses a clamped bridge of 20 m. The thesis reads "about 0.3 cm" from its finite differences. At rest at
midspan the load already causes :math:`PL^3/(192 EI)` = 1.49 cm. The likely cause is one factor: a point
load on a grid is :math:`P/\\Delta x`, and without the division by the 0.2 m of a cell the deflection is
0.299 cm. Table
and text also disagree about the train: 76e4 kg should be 76e3, and the printed times of 3.33 s and 4.67 s
belong to 3 m/s, not to 30 m/s.

The right values are 1.4948 cm at 3 m/s, as at rest, and 1.5001 cm at 30 m/s, from exact modes with the
static flexibility of the higher ones; elements and differences agree.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

L, EI, m, P = 20.0, 2e11 * 0.0104, 7900.0, 76e3 * 9.81
bridge = tr.Beam(L, EI, m)

# %%
# Two speeds, and the discrete models at the higher one; the differences at the step of the thesis.
slow = tr.moving_load(bridge, [(P, 0.0)], 3.0)
fast = tr.moving_load(bridge, [(P, 0.0)], 30.0)
elements = tr.moving_load(bridge, [(P, 0.0)], 30.0, model="elements", size=100)
differences = tr.moving_load(bridge, [(P, 0.0)], 30.0, model="differences", size=100, dt=3.8976e-5)
for name, run in (("3 m/s", slow), ("30 m/s", fast), ("elements", elements), ("differences", differences)):
    peak = run.largest("deflection", L / 2)
    print(f"{name:12} {100 * peak.value:.5f} cm at midspan, t = {peak.time:.4f} s")
print(f"{'at rest':12} {100 * P * L**3 / (192 * EI):.5f} cm")

# %%
# The bridge as figure 8 shows it, at t = 4.67 s and 3 m/s; midspan over time; the bridge in space and
# time.
figure = plt.figure(figsize=(12.5, 7.6), layout="constrained")
grid = figure.add_gridspec(2, 2, width_ratios=[1.25, 1.0])
ax = figure.add_subplot(grid[0, 0])
x = np.linspace(0.0, L, 201)
shape, n = slow.deflection(x), int(np.argmin(np.abs(slow.t - 14.0 / 3.0)))
ax.plot(x, 100 * shape[n], color="#0072B2", lw=2.5, label="t = 4.67 s, load at 14 m")
ax.plot(x, 100 * shape.max(axis=0), "--", color="#8a8f98", lw=1.4, label="largest at any time")
at = slow.places[n, 0]
ax.plot(at, 100 * np.interp(at, x, shape[n]), "*", color="#D55E00", ms=15, label="the load")
ax.axhline(0.3, color="#23272e", lw=1.0, ls=":")
ax.text(6.6, 0.27, "printed in the thesis: 0.3 cm", fontsize=9.5, va="bottom")
ax.set_ylim(2.2, -0.1)
ax.legend(fontsize=9.5, frameon=False, loc="lower left", ncols=3)
tr.view.style_axes(ax, "x (m)", "deflection (cm)", "The bridge at 3 m/s")
ax = figure.add_subplot(grid[1, 0])
for run, speed, color in ((slow, 3.0, "#0072B2"), (fast, 30.0, "#D55E00")):
    ax.plot(run.t * speed, 100 * run.deflection(L / 2), color=color, lw=2.0, label=f"{speed:g} m/s")
ax.plot(slow.t * 3.0, 100 * slow.at_rest("deflection", L / 2), ":", color="#23272e", lw=1.4, label="at rest")
ax.set_ylim(1.9, -0.1)
ax.legend(fontsize=9.5, frameon=False, loc="lower left", ncols=3)
tr.view.style_axes(ax, "position of the load (m)", "deflection (cm)", "Midspan while the load crosses")
tr.view.crossing_map(fast, figure.add_subplot(grid[:, 1]), title="30 m/s, in space and time")
plt.show()

# %%
# The numbers, by modes, elements and differences; and that of the thesis, 0.2 m times its right value.
assert abs(fast.largest("deflection", 10.0).value / 0.0150010948 - 1.0) < 1e-8
assert abs(elements.largest("deflection", 10.0).value / 0.0150010948 - 1.0) < 1e-5
assert abs(differences.largest("deflection", 10.0).value / 0.0150010948 - 1.0) < 1e-3
assert abs(slow.largest("deflection", 10.0).value - 0.014948) < 1e-6
assert abs(0.2 * slow.largest("deflection", 10.0).value - 0.00299) < 1e-6
