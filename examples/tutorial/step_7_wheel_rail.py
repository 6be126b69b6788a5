"""
7. From two profiles to forces
==============================

A vehicle is guided by its wheels. Given the profiles of wheel and rail, the position of
a wheelset and its load: where do they touch, how high is the pressure, and which forces
act on the wheelset?
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# A **profile** is a cross-section. Those of the standards are computed from their
# formulas; y points to the flange of a wheel or the gauge side of a rail, z upwards.
wheel = tr.Profile.standard("S1002")
rail = tr.Profile.standard("60E1")
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
tr.view.profile_plot(wheel, left)
tr.view.profile_plot(rail, right)
plt.show()

# %%
# Your own come from files: of Simpack (``.prw``, ``.prr``), MiniProf (``.whl``,
# ``.ban``), or text with two columns. Here a wheel is written, as if it had been
# measured with an error of 1 µm, and read again. The notes list what was done to the
# points.
folder = Path(tempfile.mkdtemp())
s = np.linspace(0.0, wheel.curve.length, 900)
y, z = wheel.curve.position(s)
noise = 1e-6 * np.random.default_rng(0).normal(size=s.size)
np.savetxt(folder / "wheel.txt", 1e3 * np.stack([y, z + noise], axis=1))
measured = tr.Profile.read(folder / "wheel.txt", "wheel")
print("\n".join(measured.notes))

# %%
# Two wheels on an axle are a **wheelset**, two rails at their gauge a **track**. The
# rails are inclined towards each other by 1:40.
wheelset = tr.Wheelset(wheel, radius=0.46, back_to_back=1.360)
track = tr.Track(rail, gauge=1.435, cant=1 / 40)

# %%
# First without forces: a rigid wheelset that moves sideways rolls on different radii at
# left and right. This difference steers it back. The **equivalent conicity** measures how
# strongly, and the resulting path is the kinematic wave.
shifts = np.linspace(-6e-3, 6e-3, 241)
functions = tr.contact_functions(wheelset, track, shifts)
wave = tr.kinematic_wave(wheelset, track, amplitude=3e-3)
print(f"equivalent conicity at 3 mm: {wave.conicity:.3f}")
print(f"wavelength {wave.wavelength:.2f} m, {wave.frequency(50.0):.1f} Hz at 50 m/s")

# %%
# Now with a load. The wheelset stands 4 mm to the left, with 160 kN on both wheels. All
# patches are found, each with its contact plane and grid; height and roll are those at
# which each wheel carries 80 kN. Forces act on the wheelset: x forward, y left, z up.
found = tr.wheel_rail(wheelset, track, y=4e-3, force=160e3, dx=0.5e-3, dy=0.25e-3)
print(f"roll {1e3 * found.roll:.3f} mrad, height {1e3 * found.z:.3f} mm")
for patch in found.patches:
    xi, eta, spin = patch.creepage
    print(
        f"{patch.side} wheel at {1e3 * patch.place[0]:.1f} mm on its rail: {patch.force[0] / 1e3:.1f} kN, "
        f"{patch.peak_pressure / 1e6:.0f} MPa, angle {patch.angle:.3f} rad, spin {spin:.2f} rad/m"
    )

# %%
# The left wheel near its flange root rolls on a larger radius than the right one. Both
# are fixed to the axle and turn equally fast, so they must slip: the rail pushes the
# left one forwards and the right one backwards. Their moment turns the wheelset back.
left_x, right_x = (
    sum(p.force[1] for p in found.patches if p.side == side) for side in ("left", "right")
)
print(f"along the track: left {left_x / 1e3:.1f} kN, right {right_x / 1e3:.1f} kN")

# %%
# Both contacts in place, with the pressure on the rail.
figure, axes = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
for ax, side in zip(axes, ("left", "right"), strict=True):
    tr.view.wheel_rail_plot(wheelset, track, found, ax, side=side)
plt.show()

# %%
# Vehicle simulations need the forces as functions of the position: a sweep over the
# lateral shift, here with coarse elements. A sweep without a program, with a report, is the
# built-in example ``traction run wheel-rail-benchmark``.
sweep = np.linspace(0.0, 5e-3, 11)
forces = [
    tr.wheel_rail(
        wheelset, track, y=shift, force=160e3, dx=0.8e-3, dy=0.4e-3, on_failure="return"
    )
    for shift in sweep
]
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.plot(
    1e3 * sweep,
    [one.force[1] / 1e3 for one in forces],
    "o-",
    color="#0072B2",
    label="lateral force",
)
moments = [one.moment_in("wheelset")[2] / 1e3 for one in forces]
ax.plot(1e3 * sweep, moments, "o-", color="#D55E00", label="yaw moment (kN m)")
tr.view.style_axes(
    ax, "lateral shift (mm)", "force (kN)", "What steers a wheelset", legend=True
)
plt.show()

# %%
# The certificate of the result, computed from the solution, states its errors.
print(found.certificate)
assert found.ok
assert abs(found.force[2] / 160e3 - 1.0) < 1e-4
assert left_x > 0.0 > right_x
assert abs(wave.conicity - 0.177) < 0.001
