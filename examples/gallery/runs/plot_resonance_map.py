"""
At which speeds do equal axles excite a bridge?
===============================================

Equal axles of 170 kN at a spacing :math:`d` excite a bridge of natural frequency :math:`f_1` whenever one
arrives after a whole number :math:`k` of oscillations: :math:`v = f_1 d / k`. A sweep over speed and spacing
is a map, and these speeds are its ridges: straight lines, of which the first, :math:`k = 1`, is the highest.

The same without a program, from a built-in example::

    traction sweep equal-axles --set "speed=40:120:21 m/s" --set "axle[0].spacing=12:24:13 m" --keep figures
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

FREQUENCY = 5.0
case = tr.Scenario.build(
    "moving-load",
    title="Ten equal axles on a bridge of 15 m",
    speed="90 m/s",
    beam={
        "length": "15 m",
        "bending_stiffness": "7.694081 GN m2",
        "mass_per_length": "15 t/m",
        "supports": ["pinned", "pinned"],
        "damping": 0.01,
    },
    axle=[{"force": "170 kN", "count": 10, "spacing": "18 m"}],
    model={"size": 1, "residual": False},
    time={"dt": "4 ms", "samples": 21},
    output={"points": 3},
)

# %%
# All combinations; of each variant only the key figures are kept. The result is one dataset over both keys.
sweep = tr.sweep(case, {"speed": "45:120:16 m/s", "axle[0].spacing": "12:24:7 m"}, keep="figures")
found = sweep.to_xarray()
peak = found["amplification"]
print(f"{len(sweep.table)} variants; dimensions {dict(peak.sizes)}; largest amplification {peak.max():.1f}")

# %%
# The map, and the speeds of resonance on it.
figure, ax = plt.subplots(figsize=(9.0, 5.4), layout="constrained")
tr.view.sweep_plot(sweep, "amplification", ax, title="Peak deflection over the static one")
spacing = np.array([11.0, 25.0])
for k, words in ((1, "v = f₁ d"), (2, "v = f₁ d/2")):
    ax.plot(FREQUENCY * spacing / k, spacing, color="white", lw=2.0, ls="--")
    place = (FREQUENCY * 19.5 / k, 19.5)
    ax.annotate(words, place, xytext=(10, -26), textcoords="offset points", color="white")
ax.set(xlabel="speed v (m/s)", ylabel="axle spacing d (m)", xlim=(42.5, 122.5))
plt.show()

# %%
# The ridge: at each spacing the worst speed is the speed of resonance, within a step of the sweep.
worst = peak.idxmax("speed").values
expected = FREQUENCY * found["axle_0_spacing"].values
assert sweep.ok
assert np.abs(worst - expected).max() <= 5.0
assert float(peak.max()) > 3.0
