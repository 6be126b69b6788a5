"""
What does a rough rail add to a wheel force?
============================================

The profile of a rail is known by its spectrum only: every track has another one. A wheel with a suspended
mass crosses a bridge on twenty tracks of the spectrum of ERRI B176, drawn by their seeds. Left, the bands
of the wheel force on its way; right, the largest force of each track. Dashed is the force at rest.

The same without a program, with a coach::

    traction sweep coach-on-rough-track --set "irregularity.seed=integers(1, 1000000)" --samples 20
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheel = {"mass": "1.8 t", "suspension": [{"stiffness": "2.4 MN/m", "damping": "60 kN s/m", "mass": "8 t"}]}
case = tr.Scenario.build(
    "moving-load",
    title="A wheel on rough track",
    speed="60 m/s",
    beam={"length": "15 m", "bending_stiffness": "7.694 GN m2", "mass_per_length": "15 t/m", "damping": 0.01},
    axle=[wheel],
    irregularity={"type": "erri", "level": "high", "seed": 1},
    model={"size": 3},
    time={"samples": 51, "dt": "1 ms"},
    output={"points": 3},
)

# %%
# The seeds are samples; runs are kept in memory, since the bands on the way need their histories.
sweep = tr.sweep(case, {"irregularity.seed": "integers(1, 1000000)"}, samples=20)
place = sweep.runs[0].data["first_axle"].values
force = np.array([run.data["axle_force"].values[:, 0] for run in sweep.runs])
rest = 9.81 * (1800.0 + 8000.0)
low, middle, high = sweep.table.quantiles("largest wheel force", (0.05, 0.5, 0.95))
share = np.array([low, middle, high]) / rest
print(f"largest over static wheel force: {share[0]:.2f} to {share[2]:.2f}, median {share[1]:.2f}")

# %%
# Bands on the way, and the distribution of the largest force.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.6), layout="constrained", width_ratios=[3, 2])
edges = np.quantile(force, (0.05, 0.25, 0.5, 0.75, 0.95), axis=0) / 1e3
left.fill_between(
    place, edges[0], edges[4], color="#0072B2", alpha=0.18, lw=0, label="5 to 95 % of the tracks"
)
left.fill_between(place, edges[1], edges[3], color="#0072B2", alpha=0.42, lw=0, label="25 to 75 %")
left.plot(place, edges[2], color="#0072B2", lw=2.0, label="median")
left.axhline(rest / 1e3, color="#23272e", ls="--", lw=1.2, label="at rest")
tr.view.style_axes(
    left, "place of the wheel (m)", "wheel force (kN)", "Wheel force on the bridge", legend=True
)
ranked = np.sort(sweep.table["largest wheel force"]) / 1e3
right.step(ranked, (np.arange(ranked.size) + 1) / ranked.size, where="post", color="#0072B2", lw=2.0)
right.axvline(rest / 1e3, color="#23272e", ls="--", lw=1.2)
tr.view.style_axes(right, "largest wheel force (kN)", "share of the tracks", "Largest force of each track")
plt.show()

# %%
# All tracks are different, none keeps the force at rest, and half of them are above the median of the sweep.
assert sweep.ok
assert len(set(sweep.table["largest wheel force"])) == 20
assert sweep.table["largest wheel force"].min() > rest
assert abs((sweep.table["largest wheel force"] > middle).mean() - 0.5) < 1e-9
