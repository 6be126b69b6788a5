"""
Where below a contact does steel begin to yield?
================================================

The largest von Mises stress is not at the surface. Under a sphere it lies on the axis, 0.48 contact radii
deep for a Poisson ratio of 0.3, and is 0.62 times the peak pressure (Johnson, *Contact Mechanics*, sections
3.4d and 6.1).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

metal = tr.Material(210e9, 0.3)
pair = tr.Pair(metal, metal)
theory = tr.hertz.sphere(0.010, pair, force=500.0)
a = theory.radius

# %%
# The stress is exact for the computed pressure, which is constant over each element.
contact = tr.press(tr.Sphere(0.010), tr.Grid.around(1.3 * a, 1.3 * a, 64, 64), pair, force=500.0)
plane = tr.view.stress_plane(contact)

# %%
# Left the plane below the contact, right the axis with Hertz's stresses as dashes.
depth = np.linspace(0.0, 2.0 * a, 61)
points = np.stack(
    [np.full_like(depth, contact.center[0]), np.full_like(depth, contact.center[1]), -depth], -1
)
computed, hertz = contact.stress(points), theory.stress_on_axis(depth, 0.3)
p0 = theory.peak_pressure

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10.5, 4.2), layout="constrained", gridspec_kw={"width_ratios": [1.35, 1]}
)
tr.view.von_mises_map(contact, ax=left, plane=plane)
for name, found, exact, color in (
    ("von Mises", computed.von_mises, hertz.von_mises, "#0072B2"),
    ("minus vertical", -computed.zz, -hertz.sigma_z, "#009E73"),
    ("minus lateral", -computed.yy, -hertz.sigma_y, "#CC79A7"),
):
    right.plot(found / p0, depth / a, color=color, lw=2.5, alpha=0.6, label=name)
    right.plot(exact / p0, depth / a, "--", color="black", lw=1.0)
right.plot([], [], "--", color="black", lw=1.0, label="Hertz")
right.invert_yaxis()
tr.view.style_axes(right, "stress / peak pressure", "depth / contact radius", "On the axis", legend=True)
plt.show()

# %%
# Yield begins at the textbook depth and stress.
print(f"largest von Mises stress {plane.peak / p0:.3f} p0 at a depth of {-plane.peak_z / a:.2f} a")
assert abs(plane.peak / p0 - 0.62) < 0.005
assert abs(-plane.peak_z / a - 0.48) < 0.02
