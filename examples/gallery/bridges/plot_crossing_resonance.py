"""
At which speeds does a train of equal wheels excite resonance?
==============================================================

The bridge of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015; 20 m, clamped, 4.568
Hz) with 1 % damping is crossed by six wheels 25 m apart, each of 2 t under 14 t on a spring, in Hertzian
contact. Wheels that arrive once in k periods of the bridge excite resonance, at the speeds :math:`V = f_1
d/k = \\omega_1 d/(2 \\pi k)`. The sweep finds them within 1 %.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

beam = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.01)
bridge, spacing, count = tr.Bridge(beam, tr.STEEL), 25.0, 6
wheel = tr.Wheel(0.46, 2e3, suspension=tr.Suspension(1e6, 1e4, 14e3))
train = tr.Train([(wheel, spacing * k) for k in range(count)], spacing=spacing)
f1 = float(beam.frequencies(1)[0]) / (2.0 * np.pi)
expected = {k: f1 * spacing / k for k in (1, 2, 3, 4)}

# %%
# An even sweep, and finer ones around the four speeds.
near = np.concatenate([v * np.linspace(0.95, 1.05, 7) for v in expected.values()])
speeds = np.unique(np.concatenate([np.linspace(24.0, 128.0, 27), near]))
curve = tr.cross_resonance(bridge, train, speeds, contact="hertz", size=4, dt=1e-3)
response, load = curve.amplification[0], 16e3 * 9.81


def peak_near(v):
    """Speed of the largest response around v, on a parabola through three samples."""
    close = np.flatnonzero(np.abs(speeds / v - 1.0) < 0.07)
    k = int(np.clip(close[np.argmax(response[close])], 1, speeds.size - 2))
    bend, slope, _ = np.polyfit(speeds[k - 1 : k + 2] - speeds[k], response[k - 1 : k + 2], 2)
    return speeds[k] - slope / (2.0 * bend), response[k]


peaks = {k: peak_near(v) for k, v in expected.items()}
for k, (speed, size) in peaks.items():
    print(f"k = {k}: expected {expected[k]:6.2f} m/s, found {speed:6.2f} m/s, {size:.2f} times rest")

# %%
# Above the response over the speed with the speeds of the rule; below the bridge in and out of resonance.
figure = plt.figure(figsize=(12.0, 9.0), layout="constrained")
grid = figure.add_gridspec(3, 2, height_ratios=[1.5, 0.8, 1.0])
bent, pressed = figure.add_subplot(grid[0, :]), figure.add_subplot(grid[1, :])
bent.fill_between(speeds, 1.0, response, color="#0072B2", alpha=0.12)
bent.plot(speeds, response, color="#0072B2", lw=2.0)
pressed.plot(speeds, curve.force[0] / load, color="#D55E00", lw=2.0)
for k, v in expected.items():
    for ax in (bent, pressed):
        ax.axvline(v, color="#23272e", lw=1.0, ls="--")
    bent.annotate(f" k = {k}\n {v:.1f} m/s", (v, 0.87), xycoords=("data", "axes fraction"), fontsize=10)
for ax in (bent, pressed):
    ax.set_xlim(speeds[0], speeds[-1])
bent.set_ylim(0.8, 1.18 * response.max())
tr.view.style_axes(
    bent, "", "largest deflection / at rest", "Midspan, and the speeds V = ω₁d/(2πk) of the rule"
)
tr.view.style_axes(pressed, "speed (m/s)", "contact force / load", "Largest contact force of any wheel")
left, right = figure.add_subplot(grid[2, 0]), figure.add_subplot(grid[2, 1])
runs = [
    tr.cross(bridge, train, v, contact="hertz", size=4, dt=1e-3) for v in (peaks[2][0], 0.85 * peaks[2][0])
]
for ax, run, words in ((left, runs[0], "in resonance"), (right, runs[1], "out of resonance")):
    w = 1e3 * run.deflection(10.0)
    ax.plot(run.t, w, color="#0072B2", lw=1.6)
    arrive = spacing * np.arange(count) / (run.places[1, 0] / run.t[1])
    ax.plot(arrive, np.full(count, -9.0), color="#23272e", marker="v", ls="", ms=7.0)
    ax.set(ylim=(10.0, -10.0), xlim=(0.0, run.t[-1]))
    tr.view.style_axes(
        ax, "time (s)", "midspan (mm)", f"{run.places[1, 0] / run.t[1]:.1f} m/s, {words}; ▼ a wheel enters"
    )
plt.show()

# %%
# Peaks are within 1 % of the speeds of the rule, and in resonance the deflection is 1.5 times that beside it.
assert all(abs(peaks[k][0] / expected[k] - 1.0) < 0.01 for k in expected)
assert peaks[1][1] > peaks[2][1] > peaks[3][1] > peaks[4][1] > 1.05
assert abs(runs[0].largest("deflection", 10.0).value) > 1.5 * abs(runs[1].largest("deflection", 10.0).value)
