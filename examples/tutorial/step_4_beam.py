"""
4. A beam, and a load that moves
================================

The other half of the problem: what carries the contact bends. A bridge is described by
its length, its bending stiffness EI, its mass per length and its supports. This one is
20 m long and clamped at both ends.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

bridge = tr.Beam(
    20.0,
    bending_stiffness=2.08e9,
    mass_per_length=7900.0,
    supports=("clamped", "clamped"),
    damping=0.01,  # 1 % of critical, in every mode
)

# %%
# **At rest.** A locomotive axle of 200 kN at midspan. Deflections are positive
# downwards.
force = 200e3
bent = bridge.bend([(force, 10.0)])
print(f"midspan deflects by {1e3 * bent.deflection(10.0):.3f} mm")
print(f"F L³/(192 EI) is   {1e3 * force * 20.0**3 / (192 * 2.08e9):.3f} mm")

# %%
# **Natural frequencies** are exact, from the frequency equation of the beam.
hertz = bridge.frequencies(3) / (2 * np.pi)
print("natural frequencies", ", ".join(f"{f:.3f} Hz" for f in hertz))

# %%
# **A moving load.** The axle crosses at 30 m/s. ``loads`` is a list of forces and their
# distances behind the first axle, so a train is a longer list.
one = tr.moving_load(bridge, [(force, 0.0)], 30.0)
peak = one.largest("deflection", 10.0)
print(
    f"moving, midspan deflects by up to {1e3 * peak.value:.3f} mm at t = {peak.time:.3f} s"
)
print(f"dynamic amplification {peak.value / bent.deflection(10.0):.3f}")

# %%
# **Many axles.** Axles at a distance d arrive once per period of the bridge at the
# speed :math:`v = f_1 d`: each then pushes when the bridge is already on its way down,
# and the deflection grows from axle to axle. With d = 8 m:
spacing = 8.0
resonant = spacing * hertz[0]
axles = [(force, spacing * k) for k in range(16)]
in_step = tr.moving_load(bridge, axles, resonant)
off = tr.moving_load(bridge, axles, 0.75 * resonant)
print(f"v = f₁ d = {resonant:.1f} m/s")
for name, run in (("at this speed", in_step), ("a quarter slower", off)):
    largest = 1e3 * run.largest("deflection", 10.0).value
    print(f"{name:17} midspan deflects by up to {largest:.2f} mm")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.4), layout="constrained")
left.plot(one.t, 1e3 * one.deflection(10.0), label="30 m/s")
left.plot(
    one.t,
    1e3 * one.at_rest("deflection", 10.0),
    ":",
    color="0.4",
    label="at rest in each place",
)
for run, name in (
    (in_step, f"{resonant:.1f} m/s, in resonance"),
    (off, f"{0.75 * resonant:.1f} m/s"),
):
    right.plot(run.t, 1e3 * run.deflection(10.0), label=name)
for ax, title in ((left, "One axle"), (right, "Sixteen axles, 8 m apart")):
    ax.invert_yaxis()
    tr.view.style_axes(
        ax, "time (s)", "midspan deflection (mm), downwards", title, legend=True
    )
plt.show()

# %%
# A sweep over speed shows the peak at :math:`f_1 d`, and smaller ones where a whole
# number of periods fits between two axles.
speeds = np.linspace(10.0, 50.0, 201)
curve = tr.resonance(bridge, tr.Train(axles), speeds)
figure, ax = plt.subplots(figsize=(9, 4.2), layout="constrained")
tr.view.resonance_plot(
    curve, ax, quantity="deflection", title="Largest midspan deflection over speed"
)
for k in (1, 2, 3):
    ax.axvline(3.6 * resonant / k, color="0.5", ls="--", lw=1.0)
plt.show()

# %%
# Checked whenever these pages are built:
assert abs(curve.peak("deflection")[0] / resonant - 1.0) < 0.05
assert (
    in_step.largest("deflection", 10.0).value > 2.0 * off.largest("deflection", 10.0).value
)
assert abs(bent.deflection(10.0) / (force * 20.0**3 / (192 * 2.08e9)) - 1.0) < 1e-9

# %%
# **Next**: wheels instead of forces, in :doc:`step_5_train`.
