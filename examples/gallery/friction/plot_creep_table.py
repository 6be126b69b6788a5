"""
How close is a table of creep forces to the contact that it replaces?
=====================================================================

Models of running vehicles ask for creep forces millions of times. A table (`tr.creep_table`) returns them in
a microsecond, with derivatives, for ellipses of all sizes and loads. Its nodes are placed by the
error, which it states everywhere: here 2 % of mu N at most, for circles, in seconds. FaStrip, FASTSIM,
Polach's formula and the linear theory are compared with it.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

table = tr.creep_table(ratios=1.0, error=0.02)
contact = {"a": 6e-3, "b": 6e-3, "load": 80e3, "friction": 0.3}
limit = contact["friction"] * contact["load"]
print(table)

# %%
# Forces over creepage and spin: spin alone pulls the wheel sideways, and much of it lowers the force that
# creepage can transmit. Below, the error that the table states, over size and latitude of the creepage,
# the largest of all azimuths; nodes lie where the lines cross.
xi, phi = np.meshgrid(np.linspace(0.0, 6e-3, 41), np.linspace(-1.5, 1.5, 41))
fx, fy, _ = table.forces(np.stack((xi, 0.0 * xi, phi), axis=-1), **contact)
figure, axes = plt.subplot_mosaic("xy;ee", figsize=(8.0, 7.6), layout="constrained")
for part, force, name in ((axes["x"], fx, "x"), (axes["y"], fy, "y")):
    shades = part.contourf(100.0 * xi, phi, force / limit, levels=15, cmap="RdBu_r", vmin=-1.0, vmax=1.0)
    part.set(xlabel="creepage ξ (%)", ylabel="spin φ (rad/m)", title=f"Force along {name} over μN")
    figure.colorbar(shades, ax=part)
s, _, latitude = table.nodes
shades = axes["e"].pcolormesh(
    s, np.degrees(latitude), 100.0 * table.error_map.max(axis=1).T, edgecolors="0.6", lw=0.3
)
axes["e"].set(xlabel="s = r/(r + 1), r reduced creepage", ylabel="latitude (°): spin against creepage")
axes["e"].set_title("Stated error (% of μN)")
figure.colorbar(shades, ax=axes["e"])
plt.show()

# %%
# The claim, tried where the table has no nodes: elements that are 60 across.
steel = tr.Pair(tr.STEEL, tr.STEEL)
radius = 6e-3 / tr.hertz.sphere(1.0, steel, force=80e3).radius
ball = tr.Sphere(radius**3)  # whose contact has a radius of 6 mm
fine = tr.press(ball, tr.Grid(64, 64, 0.2e-3, 0.2e-3), steel, force=80e3)
rng = np.random.default_rng(0)
creepages = rng.uniform(-1.0, 1.0, (12, 3)) * (5e-3, 5e-3, 1.0)
solved = np.array([tr.roll_steady(fine, 0.3, creepage=one).force for one in creepages])
off = np.abs(np.stack(table.forces(creepages, **contact)[:2], axis=-1) - solved).max(axis=1) / limit
print(f"off by {100 * off.max():.2f} % of mu N at most; stated: {100 * table.error:.2f} %")
assert (off <= table.error_at(creepages, **contact)).all()

# %%
# Simplified theories, at 200 random creepages from none to full sliding:
beside = table.compare(**contact)
for name, largest in beside.largest.items():
    print(f"{name:8} {100 * beside.rms[name]:5.1f} % root mean square, {100 * largest:5.1f} % at most")
assert beside.rms["fastrip"] < beside.rms["fastsim"] < beside.rms["polach"] < beside.rms["linear"]
