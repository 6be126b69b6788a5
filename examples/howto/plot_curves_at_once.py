"""
Creep curves of many speeds at once
===================================

**Task**: given a friction law with memory and a film between wheel and rail, find the creep curves
at many speeds, and how large the traction can become at each of them.

The members of a :class:`traction.Batch` may have friction laws, speeds, fields of friction and
layers, as in the single solvers. One call solves all curves.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

pair, load = tr.Pair(tr.STEEL, tr.STEEL), 80e3
a, b = tr.hertz.ellipse(0.46, 0.30, pair, force=load).semi_axes
grid = tr.Grid(20, 20, 2.2 * a / 20, 2.2 * b / 20)
contact = tr.press(tr.Paraboloid(0.46, 0.30), grid, pair, force=load)
law = tr.friction.exponential(0.12, (0.23, 0.8), memory=(3e-6, 1e-3))
film = tr.Layer(shear_modulus=4e9, thickness=50e-6)

# %%
# **One row for each member**: 36 creepages at each of 12 speeds. A single law, layer or contact
# applies to all members; ``friction`` may also be a list with a law for each.
xi, speeds = np.geomspace(2e-4, 0.2, 36), np.geomspace(2.0, 80.0, 12)
creepage, speed = (field.ravel() for field in np.meshgrid(xi, speeds))
creepages = np.column_stack((creepage, 0 * creepage, 0 * creepage))
found = tr.Batch(grid, pair).roll_steady(contact, law, creepages, speed=speed, layer=film)
print(found)
assert found.ok.all()

# %%
# Each member is certified: the slip is computed anew, the law evaluated there, and the tractions
# are compared with it. One of them beside the single solver:
k = 252
single = tr.roll_steady(contact, law, creepage=creepages[k], speed=speed[k], layer=film)
apart = np.abs(found.force[k] - single.force).max() / (law.static * load)
print(f"creepage {creepage[k]:.4f} at {speed[k]:.1f} m/s: {apart:.0e} of mu Fn apart")
assert apart < 1e-6

# %%
# **The maximum of each curve** is what traction control aims at: it falls with the speed, and is
# reached at less creepage, since slip speeds are creepages times the speed.
traction = -found.force[:, 0].reshape(speeds.size, xi.size) / load
best = traction.argmax(axis=1)
assert (np.diff(traction.max(axis=1)) < 0.0).all()

fig, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
colours = plt.get_cmap("viridis")(np.linspace(0.0, 0.9, speeds.size))
for row, curve in enumerate(traction):
    label = f"{speeds[row]:.0f} m/s" if row in (0, 4, 8, 11) else None
    ax.semilogx(100 * xi, curve, color=colours[row], label=label)
ax.plot(100 * xi[best], traction.max(axis=1), "k.", label="maximum")
ax.set(
    xlabel=r"longitudinal creepage $\xi$ (%)",
    ylabel=r"traction $F_x/F_n$",
    ylim=(0.0, None),
)
ax.legend()
plt.show()
