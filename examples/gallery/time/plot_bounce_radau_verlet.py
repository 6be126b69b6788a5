"""
Do Radau's and Verlet's methods keep a ball bouncing on the half space?
=======================================================================

Figure 5 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015) shows several bounces
with forces from the contact program CONTACT, by Verlet's method and by Radau's: the first rises higher
with each bounce, and the thesis calls it "very unstable". Here are the same bounces, with the contact
solved on a grid at every evaluation of the force and both methods at the same fixed step, a thirtieth of
the contact time. Both return to the height of one metre; "Why did Verlet's method become unstable in the
thesis?" finds the cause of its growth.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

rubber = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
ball = {"ball_radius": 0.11, "pair": rubber, "height": 1.0, "t_end": 4.3}
exact = tr.bounce(**ball)  # Hertz's force, steps by tolerance
dt = exact.contacts[0].duration / 30.0

# %%
# Two methods on the half space, with steps that are not fitted to the contact.
names = {"radau-iia": "Radau IIA", "verlet": "Verlet"}
solved = {
    name: tr.bounce(**ball, contact="half-space", elements=20, method=method, dt=dt, locate_events=False)
    for method, name in names.items()
}
t = np.linspace(0.0, 4.3, 4301)
for name, run in solved.items():
    print(f"{name:10} {run.stats['force_evaluations']} contact problems solved")

# %%
# Height over time beside the solution for Hertz's force, the energy, and the third contact.
figure, axes = plt.subplots(1, 3, figsize=(15.0, 4.4), layout="constrained", width_ratios=(1.4, 1, 1))
axes[0].plot(t, exact.at(t), color="0.6", lw=4.0, alpha=0.6, label="Hertz")
third = exact.contacts[2]
near = np.linspace(third.start - 0.0006, third.end + 0.0006, 400)
axes[2].plot(1e3 * near, -1e3 * exact.at(near), color="0.6", lw=4.0, alpha=0.6, label="Hertz")
changes = {}
for (name, run), style in zip(solved.items(), ("-", "--"), strict=True):
    axes[0].plot(t, run.at(t), style, lw=1.4, label=f"half space, {name}")
    flying = run.q > 0.0
    changes[name] = run.energy / run.energy[0] - 1.0
    axes[1].plot(run.t[flying], 100.0 * changes[name][flying], ".", ms=3, label=name)
    axes[2].plot(1e3 * near, -1e3 * run.at(near), style, lw=1.4, label=f"half space, {name}")
tr.view.style_axes(axes[0], "time (s)", "height (m)", "Several bounces (thesis, figure 5)", legend=True)
tr.view.style_axes(axes[1], "time (s)", "change of energy (%)", "Energy in flight", legend=True)
tr.view.style_axes(axes[2], "time (ms)", "penetration (mm)", "The third contact", legend=True)
plt.show()

# %%
# The heights after each contact, from the energy in flight.
tops = {}
for name, run in solved.items():
    leaves = np.flatnonzero((run.q[:-1] < 0.0) & (run.q[1:] >= 0.0)) + 1
    tops[name] = run.energy[leaves] / run.energy[0]
    print(f"{name:10} rises to", ", ".join(f"{top:.4f} m" for top in tops[name]))
assert all(len(found) == 5 for found in tops.values())
assert max(np.abs(found - 1.0).max() for found in tops.values()) < 2e-3
assert np.abs(tops["Radau IIA"] - 1.0).max() < 3e-4
