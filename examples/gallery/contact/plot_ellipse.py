"""
How slender is the contact of two crossed cylinders?
====================================================

Two steel cylinders cross at a right angle; the upper one has a radius of 60 mm, the lower one is up to fifty
times flatter. The contact becomes an ellipse, less slender than the curvatures suggest: its axis ratio
follows from elliptic integrals (Johnson, *Contact Mechanics*, section 4.2b), here against the half-space
solution.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
force, radius = 5000.0, 0.060
ratios = np.array([1.0, 2.0, 5.0, 10.0, 20.0, 50.0])

# %%
# A grid of the shape of the contact serves slender and round ellipses equally well.
contacts = []
for ratio in ratios:
    a, b = tr.hertz.ellipse(ratio * radius, radius, steel, force=force).semi_axes
    grid = tr.Grid.around(1.3 * a, 1.3 * b, 64, 64)
    contacts.append(tr.press(tr.Paraboloid(ratio * radius, radius), grid, steel, force=force))

# %%
# The curve is Hertz's, the points are computed.
fine = np.geomspace(1.0, 50.0, 100)
curve = [tr.hertz.ellipse(r * radius, radius, steel, force=force).semi_axes for r in fine]
found = np.array([contact.semi_axes for contact in contacts])

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
left.loglog(fine, [a / b for a, b in curve], "--", color="#D55E00", label="Hertz")
left.loglog(ratios, found[:, 0] / found[:, 1], "o", color="#0072B2", label="half space")
left.loglog(fine, fine, ":", color="0.6", label="ratio of the radii")
left.set_xticks(ratios, [f"{ratio:g}" for ratio in ratios])
left.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
left.minorticks_off()
tr.view.style_axes(left, "ratio of the radii", "ratio of the semi-axes", "Shape of the contact", legend=True)
tr.view.pressure_map(contacts[2], right, ellipse=True, title="Pressure, radii 5 : 1")
plt.show()

# %%
# The computed axis ratio is right to a thousandth for every shape.
exact = np.array([1.0 / tr.hertz.axis_ratio(ratio * radius, radius) for ratio in ratios])
error = np.abs(found[:, 0] / found[:, 1] / exact - 1.0).max()
print(f"largest error of the axis ratio: {error:.1e}")
assert error < 1e-3
