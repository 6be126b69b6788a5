"""
Your own axle list on a three-span bridge
=========================================

**Task**: axle loads and distances of your vehicle, a bridge of three spans with different sections, and
the speed: deflections, moments and accelerations.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# **The bridge**: one :class:`~traction.beams.beam.Beam` for each span; the ends of a
# span that meet the next are continuous over a support. Outer supports are those of the
# first and the last span.
side = tr.Beam(18.0, 6.0e9, 9000.0, supports=("pinned", "pinned"), damping=0.01)
middle = tr.Beam(24.0, 9.0e9, 10500.0, supports=("pinned", "pinned"), damping=0.01)
bridge = tr.Beam.spans([side, middle, side])
hertz = bridge.frequencies(4) / (2 * np.pi)
print("natural frequencies", ", ".join(f"{f:.2f} Hz" for f in hertz))

# %%
# **The axles**: force (N) and distance (m) behind the first axle. A locomotive with six
# axles and two wagons:
locomotive = [(220e3, d) for d in (0.0, 2.1, 4.2, 11.5, 13.6, 15.7)]
wagons = [(180e3, 22.0 + 15.0 * k + d) for k in range(2) for d in (0.0, 1.8, 9.2, 11.0)]
axles = locomotive + wagons

# %%
# **Cross** at 35 m/s, and read the result anywhere: fields are functions of position,
# with one row for each time.
run = tr.moving_load(bridge, axles, 35.0)
places = {"middle of span 1": 9.0, "middle of span 2": 30.0, "middle of span 3": 51.0}
for name, x in places.items():
    w, m, a = (
        run.largest(quantity, x) for quantity in ("deflection", "moment", "acceleration")
    )
    print(f"{name}: {1e3 * w.value:.2f} mm, {m.value / 1e6:.2f} MN m, {a.value:.2f} m/s²")

# %%
# **Amplification** is the dynamic result over the same axles at rest in their worst
# position.
print(f"dynamic amplification in the main span {run.amplification('deflection', 30.0):.3f}")

# %%
# **Which speeds matter?** A sweep.
curve = tr.resonance(bridge, tr.Train(axles), np.linspace(15.0, 60.0, 91), x=30.0)
speed, size = curve.peak("acceleration")
print(f"largest acceleration {size:.2f} m/s² at {speed:.1f} m/s")

figure, axes = plt.subplots(1, 3, figsize=(15.5, 4.4), layout="constrained")
for name, x in places.items():
    axes[0].plot(run.t, 1e3 * run.deflection(x), label=name)
axes[0].invert_yaxis()
tr.view.style_axes(axes[0], "time (s)", "deflection (mm), downwards", "35 m/s", legend=True)
x = np.linspace(0.0, 60.0, 241)
moments = run.moment(x) / 1e6
axes[1].fill_between(x, moments.min(axis=0), moments.max(axis=0), alpha=0.35, lw=0.0)
axes[1].plot(x, moments[len(moments) // 2], lw=1.2, label="half-way")
for support in (18.0, 42.0):
    axes[1].axvline(support, color="0.5", ls=":")
tr.view.style_axes(
    axes[1], "x (m)", "bending moment (MN m)", "Envelope of the moments", legend=True
)
tr.view.resonance_plot(curve, axes[2], title="Main span over speed")
plt.show()

# %%
# The deflections over the inner supports are zero, and the spans bend together.
assert np.abs(run.deflection(18.0)).max() < 1e-9
assert run.largest("deflection", 30.0).value > run.largest("deflection", 9.0).value
