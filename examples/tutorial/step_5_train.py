"""
5. A train on a bridge
======================

Both halves together. A train is not a list of forces: its wheels have mass and springs,
and they touch the rail in a contact that is a spring as well. The bridge moves the
wheels, and the wheels move the bridge.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

beam = tr.Beam(20.0, 2.08e9, 7900.0, damping=0.01)
bridge = tr.Bridge(beam, tr.STEEL)

# %%
# **One wheel at rest.** Seen from afar the bridge bends; seen from near its surface is
# dented, as the plate of step 1 was. :func:`~traction.resting.rest.rest` solves both
# together.
wheel = tr.Wheel(0.46, 1800.0, suspension=tr.Suspension(0.8e6, 30e3, mass=17e3))
at_rest = tr.rest(wheel, bridge, at=10.0, force=18.8e3 * 9.81)
print(f"the bridge deflects by {1e3 * at_rest.deflection(10.0):.3f} mm")
print(f"wheel and rail approach each other by {1e3 * at_rest.approaches[0]:.3f} mm more")
print(f"peak pressure {at_rest.contacts[0].peak_pressure / 1e6:.0f} MPa")

# %%
# **The train**: sixteen such wheels, 8 m apart. Each has a mass of 1.8 t and carries 17
# t on a spring of 0.8 MN/m with a damper of 30 kN s/m. The first resonance is expected
# where an axle arrives once per period of the bridge.
spacing, count = 8.0, 16
train = [(wheel, spacing * k) for k in range(count)]
frequency = beam.frequencies(1)[0] / (2 * np.pi)
print(f"suspension {np.sqrt(0.8e6 / 17e3) / (2 * np.pi):.2f} Hz, bridge {frequency:.2f} Hz")
print(f"resonance expected at f₁ d = {spacing * frequency:.1f} m/s")

# %%
# **Cross.** ``contact`` says how detailed the contact is: "rigid" wheels, "hertz", or
# "half-space", where the contact patch under each wheel is solved on a grid. The rail is
# smooth. The bridge moves in six modes.
given = {"size": 6, "dt": 1e-3}
runs = {
    v: tr.cross(bridge, train, v, contact="hertz", **given)
    for v in (30.0, 33.0, 36.5, 40.0)
}
for speed, run in runs.items():
    largest = 1e3 * run.largest("deflection", 10.0).value
    print(f"{speed:4.1f} m/s: midspan deflects by up to {largest:.2f} mm")

# %%
# The resonance is where it was expected. For comparison, sixteen forces of the same size,
# as in step 4:
forces = tr.moving_load(beam, [(18.8e3 * 9.81, spacing * k) for k in range(count)], 36.5)
largest = 1e3 * forces.largest("deflection", 10.0).value
print(f"forces instead of wheels: {largest:.2f} mm at 36.5 m/s")

# %%
# Forces deflect the bridge more than wheels on springs do. Now the **contact** in detail,
# by the half space, for two axles at the same speed: the forces under the wheels agree
# with those of Hertz's contact.
detailed = tr.cross(bridge, train[:2], 36.5, contact="half-space", t_end=0.5, **given)
simple = tr.cross(bridge, train[:2], 36.5, contact="hertz", t_end=0.5, **given)
apart = (
    np.abs(detailed.contact_forces - simple.contact_forces).max() / simple.contacts[0].load
)
patch = detailed.patch(10.0 / 36.5)
print(f"forces differ by {100 * apart:.3f} % of the load")
print(f"peak pressure under the first wheel at midspan {patch.peak_pressure / 1e6:.0f} MPa")

# %%
# **Can it be trusted?** All energy is accounted for: the work of the train's drive and
# gravity, and what bridge, springs, dampers and contacts store and dissipate.
print(f"energy balance error (relative to work done) {detailed.energies.closure:.1e}")

# %%
figure, axes = plt.subplots(1, 3, figsize=(15, 4.4), layout="constrained")
for speed in (30.0, 36.5):
    axes[0].plot(runs[speed].t, 1e3 * runs[speed].deflection(10.0), label=f"{speed:g} m/s")
axes[0].invert_yaxis()
tr.view.style_axes(
    axes[0], "time (s)", "deflection (mm), downwards", "Midspan of the bridge", legend=True
)
tr.view.wheel_force_plot(
    {"half space": detailed, "Hertz": simple}, axes[1], title="Force under the first wheel"
)
tr.view.pressure_map(patch, axes[2], title="Its patch at midspan")
plt.show()

# %%
peaks = {speed: run.largest("deflection", 10.0).value for speed, run in runs.items()}
assert max(peaks, key=peaks.get) == 36.5
assert peaks[36.5] > 1.4 * max(peaks[33.0], peaks[40.0])
assert forces.largest("deflection", 10.0).value > 1.2 * peaks[36.5]
assert apart < 0.01
assert detailed.energies.closure < 1e-6

# %%
# **Next**: the same as a file, with a report, in :doc:`step_6_scenario`.
