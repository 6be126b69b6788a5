"""
A rough surface: contact area over load
=======================================

**Task**: a measured height map, and the load: how much of it touches, at which pressures?

The map is any array of heights over a regular grid. Here one is generated; the
:doc:`gallery </gallery/contact/plot_rough_surface>` compares such areas with theory.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

n, side = 128, 1e-3
grid = tr.Grid(n, n, side / n, side / n)
random = np.random.default_rng(5)
q = np.hypot(*np.meshgrid(np.fft.fftfreq(n), np.fft.fftfreq(n)))
spectrum = np.where((q > 1 / 64) & (q < 1 / 8), np.maximum(q, 1 / n) ** -1.8, 0.0)
heights = np.fft.ifft2(spectrum * np.fft.fft2(random.standard_normal((n, n)))).real
heights *= 1e-6 / heights.std()  # 1 µm rms

# %%
# **The gap** is counted from the highest summit of the surface, if the other body is
# flat. ``periodic="xy"`` repeats the map, so that it stands for a large surface;
# without it the map is a block with edges.
gap = heights.max() - heights
pair = tr.Pair(tr.Material(2e9, 0.35), tr.STEEL)  # a polymer on steel
slope = np.sqrt(
    np.mean(
        np.gradient(heights, grid.dx, axis=0) ** 2
        + np.gradient(heights, grid.dx, axis=1) ** 2
    )
)
print(f"rms height {1e6 * heights.std():.2f} µm, rms slope {slope:.3f}")

# %%
# **Loads**: begin each from the solution before, which saves iterations. At the smallest loads summits are a
# few elements wide, which `tr.press` would report.
warnings.simplefilter("ignore", tr.CoarseGridWarning)
pressures = np.geomspace(0.2e6, 50e6, 9)
contacts, latest = [], None
for pressure in pressures:
    latest = tr.press(
        gap, grid, pair, force=pressure * side**2, periodic="xy", start=latest
    )
    contacts.append(latest)
areas = np.array([contact.contact.mean() for contact in contacts])
for pressure, area, contact in zip(pressures, areas, contacts, strict=True):
    peak = contact.peak_pressure / 1e6
    print(
        f"{pressure / 1e6:6.2f} MPa: {100 * area:5.2f} % touch, peak pressure {peak:6.0f} MPa"
    )

figure, axes = plt.subplots(1, 3, figsize=(14.5, 4.2), layout="constrained")
image = axes[0].imshow(1e6 * heights, extent=(0, 1, 0, 1), cmap="viridis")
figure.colorbar(image, ax=axes[0], label="height (µm)")
tr.view.style_axes(axes[0], "x (mm)", "y (mm)", "The surface", grid=False)
tr.view.pressure_map(
    contacts[5], axes[1], title=f"Pressure at {pressures[5] / 1e6:.1f} MPa"
)
axes[2].loglog(pressures / 1e6, 100 * areas, "o-")
tr.view.style_axes(axes[2], "mean pressure (MPa)", "area in contact (%)", "Area over load")
plt.show()

# %%
# At light loads the area is nearly proportional to the load.
growth = np.polyfit(np.log(pressures[:5]), np.log(areas[:5]), 1)[0]
print(f"area grows with the power {growth:.2f} of the load")
assert 0.8 < growth < 1.05
assert (np.diff(areas) > 0.0).all()
