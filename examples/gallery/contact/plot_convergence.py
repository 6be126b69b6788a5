"""
How fine must the grid be, and what does a finer one cost?
==========================================================

A sphere under given load on grids of 32 to 512 elements a side, against Hertz (1882). The approach converges
at about second order although the pressure has a square-root edge. Each grid starts from the solution on the
next coarser one; the iterations on the finest grid stay near a dozen.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
theory = tr.hertz.sphere(0.020, steel, force=1000.0)
sizes = np.array([32, 64, 128, 256, 512])
half = 1.31 * theory.radius

# %%
# The tolerance is tight, so that the error is that of the grid.
contacts = [
    tr.press(tr.Sphere(0.020), tr.Grid.around(half, half, n, n), steel, force=1000.0, tol=1e-9) for n in sizes
]
approach = np.array([abs(c.approach / theory.approach - 1.0) for c in contacts])
axes = np.array([abs(c.semi_axes[0] / theory.radius - 1.0) for c in contacts])
iterations = [c.iterations for c in contacts]

# %%
# The dashed line has order two.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.2), layout="constrained")
tr.view.convergence_plot(sizes, {"approach": approach, "contact radius": axes}, left, order=2)
left.set_xlabel("elements per side")
right.semilogx(sizes, iterations, "o-", color="#0072B2", lw=1.8)
tr.view.style_axes(right, "elements per side", "iterations on the finest grid", "Iterations hardly grow")
right.set_ylim(0, 2 * max(iterations))
right.set_xticks(sizes, [str(n) for n in sizes])
right.minorticks_off()
plt.show()

# %%
# The observed order of the approach, and the iterations.
order = -np.polyfit(np.log(sizes), np.log(approach), 1)[0]
print(f"order {order:.2f}; iterations {iterations}")
assert 1.8 < order < 2.2
assert max(iterations) <= 16
