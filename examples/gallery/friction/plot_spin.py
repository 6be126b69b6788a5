"""
What does spin do to a rolling contact?
=======================================

A wheel on a tilted contact turns about its normal while it rolls: spin. It makes a lateral force without
any lateral creepage, which grows, reaches a maximum and falls again as slip spreads over the contact.
Longitudinal creepage lowers it: both share the same friction (Kalker 1967, 1990).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
friction, load = 0.3, 1e5
hertz = tr.hertz.ellipse(0.46, 0.3, steel, force=load)
a, b = hertz.semi_axes
size = np.sqrt(a * b)
wheel = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(34, 34, a / 15, b / 15), steel, force=load)
limit = friction * load
spins = np.array([0.0, 0.1, 0.2, 0.35, 0.5, 0.6, 0.7, 0.85, 1.0, 1.5, 2.0, 3.0, 4.0])  # rad/m

# %%
# Lateral force and spin moment over spin, for three longitudinal creepages.
figure, axes = plt.subplots(1, 3, figsize=(14.0, 4.6), layout="constrained", width_ratios=(1, 1, 1.25))
lateral = {}
for xi, color in ((0.0, "#0072B2"), (0.001, "#D55E00"), (0.003, "#009E73")):
    rolled = [tr.roll_steady(wheel, friction, creepage=(xi, 0.0, phi)) for phi in spins]
    fast = [tr.fastsim(hertz, friction, creepage=(xi, 0.0, phi)) for phi in spins]
    lateral[xi] = -np.array([t.force[1] for t in rolled]) / limit
    label = f"ξ = {100 * xi:g} %"
    axes[0].plot(spins, lateral[xi], "o-", color=color, ms=4, lw=1.8, label=label)
    axes[0].plot(spins, [-f.force[1] / limit for f in fast], "--", color=color, lw=1.2)
    axes[1].plot(spins, [-t.moment / (limit * size) for t in rolled], "o-", color=color, ms=4, lw=1.8)
    axes[1].plot(spins, [-f.moment / (limit * size) for f in fast], "--", color=color, lw=1.2)
axes[0].plot([], [], "--", color="#8a8f98", label="FASTSIM")
tr.view.style_axes(axes[0], "spin φ (rad/m)", r"$-F_y / \mu F_n$", "Lateral force", legend=True)
tr.view.style_axes(axes[1], "spin φ (rad/m)", r"$-M_z / \mu F_n \sqrt{ab}$", "Spin moment")
seen = tr.roll_steady(wheel, friction, creepage=(0.001, 0.0, 1.0))
tr.view.traction_map(seen, axes[2], rolling=1, title="ξ = 0.1 %, φ = 1 rad/m")
plt.show()

# %%
# The start of the curve is C23 of the linear theory; later the lateral force falls.
C23 = tr.kalker_coefficients(a / b, steel.poisson_ratio).C23
slope = steel.shear_modulus * size**3 * C23 * spins[1] / limit
print(f"at {spins[1]} rad/m: {lateral[0.0][1]:.4f}, linear {slope:.4f}; largest {lateral[0.0].max():.3f}")
assert abs(lateral[0.0][1] / slope - 1.0) < 0.1
assert lateral[0.0].max() > 1.05 * lateral[0.0][-1]
assert lateral[0.003].max() < lateral[0.0].max()
