"""
At which speeds do trains excite a bridge?
==========================================

The ten trains HSLM-A of EN 1991-2 cross a simply supported bridge of 15 m (5 Hz, 1 % damping) at 200
speeds each: 2,000 crossings. Coaches of length D that arrive once in k periods of the bridge excite
resonance, at the speeds :math:`f_1 D/k`: A1, with coaches of 18 m, at 324 km/h. The lower panels show
midspan at that speed, where each coach adds to the oscillation, and 15 % below it, where they do not add
up.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

bridge = tr.Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"), damping=0.01)
trains = [tr.Train.hslm(f"A{k}") for k in range(1, 11)]

# %%
# All trains, the first three modes; then the first mode alone around the resonance of A1.
curve = tr.resonance(bridge, trains, np.linspace(100.0, 420.0, 200) / 3.6)
near = tr.resonance(bridge, trains[0], np.arange(320.0, 328.0, 0.25) / 3.6, modes=1)
speed, size = near.peak("acceleration")
print(f"{curve.stats['crossings']} crossings in {curve.stats['seconds']:.1f} s")
print(f"HSLM-A1, first mode: {size:.3f} m/s² at {3.6 * speed:.2f} km/h; f1 D = {3.6 * 5 * 18:.0f} km/h")

# %%
# Curves, and midspan over time in and out of resonance.
in_step = tr.moving_load(bridge, trains[0], speed, size=3)
out_of_step = tr.moving_load(bridge, trains[0], 0.85 * speed, size=3)
figure = plt.figure(figsize=(12.0, 8.4), layout="constrained")
grid = figure.add_gridspec(2, 2, height_ratios=[1.35, 1.0])
tr.view.resonance_plot(curve, figure.add_subplot(grid[0, :]), title="Ten trains: acceleration at midspan")
left, right = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
for ax, run, v in ((left, in_step, speed), (right, out_of_step, 0.85 * speed)):
    tr.view.crossing_plot(run, 7.5, ax, title=f"HSLM-A1 at {3.6 * v:.0f} km/h")
    ax.set_ylim(62.0, -62.0)
plt.show()

# %%
# The peak is where the rule puts it, and the deflection is five times that out of resonance.
assert abs(3.6 * speed - 324.25) < 0.01
assert abs(size / 53.9023 - 1.0) < 1e-3
peaks = {name: 3.6 * curve.peak(which=k)[0] for k, name in enumerate(curve.names)}
assert abs(peaks["HSLM-A1"] / 324.0 - 1.0) < 0.02
assert abs(in_step.largest("deflection", 7.5).value) > 5 * abs(out_of_step.largest("deflection", 7.5).value)
