"""
Where does a beam take the energy of a ball?
============================================

A steel ball strikes a simply supported beam at many positions, with masses from a hundredth of the beam's to
three times as much: 4,000 impacts. The lightest ball keeps more than nine tenths of its speed everywhere; up
to a third of the beam's mass the loss grows. Heavier balls have ridges along which they rebound with almost
all their speed, some after several contacts (right), some after one long one: the beam returns what it took.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

modulus, density, radius = 2.2e6 * 9.80665e4, 7960.0, 0.01
steel = tr.Pair(tr.Material(modulus, 0.3), tr.Material(modulus, 0.3))
ball = tr.Striker(4 / 3 * math.pi * radius**3 * density, 0.01, radius=radius, pair=steel)
beam = tr.Beam(0.1535, modulus * 0.01**4 / 12, density * 0.01**2, supports=("pinned", "pinned"))

place = np.linspace(0.03, 0.5, 50)
ratio = np.geomspace(0.01, 3.0, 80)
sweep = tr.impact_sweep(beam, place * beam.length, ball, mass=ratio[:, None] * beam.mass, modes=30)

# %%
# Restitution and number of contacts over position and mass.
figure, axes = plt.subplots(1, 2, figsize=(13.0, 5.0), layout="constrained")
words = ("position over length", "mass of the ball over that of the beam")
tr.view.impact_map(place, ratio, sweep.restitution, axes[0], words=(*words, "restitution", "Restitution"))
mesh = axes[1].pcolormesh(place, ratio, sweep.contacts, cmap="cividis", shading="nearest")
axes[1].set_yscale("log")
figure.colorbar(mesh, ax=axes[1], label="contacts", ticks=range(1, int(sweep.contacts.max()) + 1))
tr.view.style_axes(axes[1], *words, "Contacts until the ball has left", grid=False)
plt.show()

# %%
# One of them again by itself.
one = tr.impact(beam, place[-1] * beam.length, tr.Striker(ratio[40] * beam.mass, 0.01, law=ball.law))
print(
    f"{sweep.peak.size} impacts; restitution {sweep.restitution.min():.3f} to {sweep.restitution.max():.3f}"
)
assert abs(sweep.restitution[40, -1] - one.restitution) < 1e-5
assert sweep.contacts.max() >= 3
assert sweep.restitution[0].min() > 0.9
assert 0.2 < ratio[sweep.restitution.min(axis=1).argmin()] < 0.5
heavy = sweep.restitution[ratio > 2.0] > 0.98
assert (sweep.contacts[ratio > 2.0][heavy] == 1).any()
assert (sweep.contacts[ratio > 2.0][heavy] > 1).any()
