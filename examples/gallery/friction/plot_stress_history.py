"""
What does the rail feel as a wheel rolls over it?
=================================================

A point of the rail sees the contact come and go: a cycle of stress, on which rolling contact fatigue depends.
The shear stress on planes parallel to the surface reverses in every passage. Traction of a driving wheel
makes the cycle uneven, near the surface more than deeper down.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

pair = tr.Pair(tr.STEEL, tr.STEEL)
grid = tr.Grid(48, 48, 0.35e-3, 0.35e-3)
normal = tr.press(tr.Paraboloid(0.46, 0.30), grid, pair, force=1e5)
driving = tr.roll_steady(normal, 0.3, creepage=(-2e-3, 0.0, 0.0))
a, p0 = normal.semi_axes[0], normal.peak_pressure

# %%
# The points lie below the running line at three depths. The contact moves over them in steps of one element.
depths = np.array([0.1, 0.5, 1.0]) * a
points = np.stack([0.0 * depths, 0.0 * depths, -depths], axis=-1)
travelled = grid.dx * np.arange(-40, 41)
freely = tr.stress_history(normal, points, travelled)
driven = tr.stress_history(driving, points, travelled)

figure, axes = plt.subplots(1, 3, figsize=(10.5, 3.6), layout="constrained", sharey=True)
for i, (ax, depth) in enumerate(zip(axes, depths, strict=True)):
    ax.plot(travelled / a, freely.xz[:, i] / p0, "--", color="black", lw=1.2, label="rolling freely")
    ax.plot(travelled / a, driven.xz[:, i] / p0, color="#0072B2", lw=2.0, label="driving")
    ax.axhline(0.0, color="0.6", lw=0.8)
    tr.view.style_axes(
        ax,
        "position of the contact / a",
        "shear stress xz / peak pressure" if i == 0 else "",
        f"depth {depth / a:.1f} a",
        legend=i == 0,
    )
plt.show()

# %%
# Without traction the two extremes are equal and opposite. With it, their sum is more than three times as
# large at 0.1 a as at 1.0 a.
for name, cycle in (("freely", freely), ("driving", driven)):
    low, high = cycle.xz.min(axis=0) / p0, cycle.xz.max(axis=0) / p0
    for depth, least, most in zip(depths / a, low, high, strict=True):
        print(f"{name:8} depth {depth:.1f} a: from {least:+.3f} to {most:+.3f} of the peak pressure")

uneven = np.abs(driven.xz.min(axis=0) + driven.xz.max(axis=0)) / p0
assert uneven[0] > 3.0 * uneven[2]
np.testing.assert_allclose(freely.xz.min(axis=0), -freely.xz.max(axis=0), rtol=1e-3)
