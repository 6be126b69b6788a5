"""
What does a wheel flat do to wheel and bridge?
==============================================

Once per revolution a flat of 40 mm passes the rail: for 1.3 ms up to 0.2 mm of the tread is missing,
twice the approach of wheel and rail at rest. The wheel of 1 t cannot follow so fast: it lifts off, its
suspension pushes it down, and it lands with about three times its load. Then it oscillates on its contact,
at about 200 Hz, until the next revolution. `tr.cross` finds loss and return of contact within the same
equations, and the energy balance closes.

The acceleration of the bridge shows the impacts, its deflection does not: they last a hundredth of its
period.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

R, SPEED = 0.46, 30.0
bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, damping=0.01), tr.STEEL)
suspension = tr.Suspension(1e6, 2e4, mass=9e3)
round_wheel = tr.Wheel(R, 1e3, suspension=suspension)
flat_wheel = tr.Wheel(R, 1e3, suspension=suspension, irregularity=tr.Irregularity.flat(R, 0.04, at=1.0))

# %%
# A round wheel and one with a flat, by Hertz's contact; the second impact also by the half space.
smooth = tr.cross(bridge, [(round_wheel, 0.0)], SPEED, contact="hertz", size=20, dt=1e-4)
hit = tr.cross(bridge, [(flat_wheel, 0.0)], SPEED, contact="hertz", size=20, dt=1e-4)
solved = tr.cross(bridge, [(flat_wheel, 0.0)], SPEED, contact="half-space", size=20, dt=1e-4, t_end=0.16)
load = hit.contacts[0].load
flights = int(np.diff((~hit.in_contact[:, 0]).astype(int)).clip(0).sum())
blow = (solved.t > 0.12) & (solved.t < 0.16)
largest = [run.contact_forces[(run.t > 0.12) & (run.t < 0.16)].max() / load for run in (hit, solved)]
print(f"{flights} losses of contact, {hit.contact_forces.max() / load:.2f} times the load at most")
print(f"second impact: {largest[0]:.3f} times the load by Hertz, {largest[1]:.3f} by the half space")
print(f"energy balance error: {hit.energies.closure:.1e}")
deflections = [run.largest("deflection", 10.0).value for run in (smooth, hit)]
print(f"deflection at midspan {1e3 * deflections[0]:.3f} mm, with a flat {1e3 * deflections[1]:.3f} mm")
depth, on_contact = 0.04**2 / (16 * R), np.sqrt(hit.contacts[0].stiffness / 1e3) / (2 * np.pi)
print(f"depth {1e3 * depth:.2f} mm, approach at rest {1e3 * hit.approach[0, 0]:.2f} mm; {on_contact:.0f} Hz")

# %%
# The force over the whole crossing, the second impact in detail with the gap that opens, and the bridge.
figure, axes = plt.subplots(2, 2, figsize=(12.5, 8.0), layout="constrained")
ax = tr.view.wheel_force_plot(hit, axes[0, 0], title="Force under the wheel: an impact each 2.89 m")
ax.axhline(load / 1e3, color="#8a8f98", lw=1.0, ls="--")
ax = axes[0, 1]
ax.plot(1e3 * hit.t, hit.contact_forces[:, 0] / 1e3, lw=2.2, label="Hertz")
ax.plot(1e3 * solved.t[blow], solved.contact_forces[blow, 0] / 1e3, "--", color="#D55E00", label="half space")
ax.fill_between(
    1e3 * hit.t,
    0.0,
    350.0,
    where=~hit.in_contact[:, 0],
    color="#8a8f98",
    alpha=0.3,
    lw=0.0,
    label="no contact",
)
ax.set_xlim(126.0, 146.0)
ax.set_ylim(0.0, 350.0)
ax.legend(frameon=False)
tr.view.style_axes(ax, "time (ms)", "force (kN)", "The second impact")
ax = axes[1, 0]
flat = -flat_wheel.irregularity.height(hit.places[:, 0])
ax.plot(1e3 * hit.t, -1e3 * hit.approach[:, 0], lw=1.8, label="gap of wheel and rail")
ax.plot(1e3 * hit.t, 1e3 * flat, color="#009E73", lw=1.4, label="missing depth of the tread")
ax.axhline(0.0, color="#23272e", lw=0.8)
ax.set_xlim(126.0, 146.0)
ax.legend(frameon=False)
tr.view.style_axes(ax, "time (ms)", "gap (mm)", "Loss and return of contact")
ax = axes[1, 1]
ax.plot(hit.t, hit.acceleration(10.0), color="#D55E00", lw=0.8, label="with a flat")
ax.plot(smooth.t, smooth.acceleration(10.0), color="#0072B2", lw=1.8, label="round")
ax.legend(frameon=False, loc="upper left")
tr.view.style_axes(ax, "time (s)", "acceleration (m/s²)", "Midspan: acceleration")
plt.show()

# %%
# Contact is lost at every impact; the half space agrees with Hertz; the bridge deflects no further.
assert flights >= 7
assert hit.contact_forces.max() > 2.5 * load
assert abs(largest[1] / largest[0] - 1) < 0.02
assert abs(deflections[1] / deflections[0] - 1) < 0.03
assert hit.energies.closure < 1e-6
