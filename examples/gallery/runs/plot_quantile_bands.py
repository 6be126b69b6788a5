"""
How sure is a peak acceleration?
================================

Stiffness and damping of a bridge are known within limits. A sweep draws samples of both, a Latin hypercube,
and axles cross the bridge at each speed with each of them. The bands hold 50 and 90 % of the samples; far
below resonance they are narrow, near it the damping decides. Dashed: crossings with the mean values.

The same without a program, from a built-in example::

    traction sweep equal-axles --set "speed=60:120:9 m/s" --set "beam.damping=uniform(0.005, 0.02)"
        --set "beam.bending_stiffness=lognormal(7.694, 0.4 GN m2)" --samples 10 --keep figures
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

case = tr.Scenario.build(
    "moving-load",
    title="Ten equal axles on a bridge of 15 m",
    speed="90 m/s",
    beam={
        "length": "15 m",
        "bending_stiffness": "7.694081 GN m2",
        "mass_per_length": "15 t/m",
        "supports": ["pinned", "pinned"],
        "damping": 0.0125,
    },
    axle=[{"force": "170 kN", "count": 10, "spacing": "18 m"}],
    model={"size": 1, "residual": False},
    time={"dt": "4 ms", "samples": 21},
    output={"points": 3},
)

# %%
# Nine speeds, each with the same ten samples of stiffness and damping; and the bridge of the mean values.
speeds = "60:120:9 m/s"
sampled = tr.sweep(
    case,
    {
        "speed": speeds,
        "beam.bending_stiffness": "lognormal(7.694, 0.4 GN m2)",
        "beam.damping": "uniform(0.005, 0.02)",
    },
    samples=10,
    seed=1,
    keep="figures",
)
mean = tr.sweep(case, {"speed": speeds}, keep="figures")
name = "peak acceleration"
low, median, high = sampled.table.quantiles(name, (0.05, 0.5, 0.95))
for speed, *edges in zip(mean.table["speed"], low, median, high, strict=True):
    print(f"{speed:5.1f} m/s: {edges[0]:5.2f} to {edges[2]:5.2f} m/s², median {edges[1]:5.2f}")

# %%
# Bands over speed, with the limit of EN 1990 for a deck with ballast.
figure, ax = plt.subplots(figsize=(9.0, 5.0), layout="constrained")
tr.view.sweep_bands(sampled, name, ax)
ax.plot(mean.table["speed"], mean.table[name], color="#23272e", ls="--", lw=1.5, label="mean values")
ax.axhline(3.5, color="#D55E00", lw=1.5, ls=":", label="EN 1990: 3.5 m/s², ballasted track")
title = "Peak acceleration of a bridge known within limits"
tr.view.style_axes(ax, "speed (m/s)", "peak acceleration (m/s²)", title, legend=True)
plt.show()

# %%
# Every crossing is done; the bands are widest near resonance, and wider than what the mean values suggest.
assert sampled.ok
assert mean.ok
width = high - low
assert mean.table["speed"][np.argmax(width)] in (82.5, 90.0, 97.5)
assert width.max() > 3.0 * width.min()
assert sampled.to_xarray()["peak_acceleration"].dims == ("speed", "sample")
