"""
Restitution over the thickness of a plate
=========================================

**Task**: a ball strikes a plate. How much of its speed comes back, for plates of different thickness and
material?

No energy is lost in the contact itself: what is missing is bending waves in the plate.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

materials = {
    "steel": tr.Material(2.1e11, 0.3, density=7800.0),
    "glass": tr.Material(7.0e10, 0.22, density=2500.0),
}
thickness = np.array([3.0, 4.0, 6.0, 8.0, 12.0, 16.0]) * 1e-3
radius, speed = 0.005, 1.0

# %%
# **One impact** returns the whole history: force over time, contacts, rebound speed,
# restitution.
steel = materials["steel"]
ball = tr.Striker.sphere(radius, speed, tr.Pair(steel, steel))
plate = tr.Plate.of(steel, 0.004, 0.3, 0.3)  # thickness and both sides, m
history = tr.impact(plate, (0.15, 0.15), ball, t_end=1e-4)
contact = history.contacts[0]
print(
    f"peak force {contact.peak:.0f} N, contact time {1e6 * (contact.end - contact.start):.1f} µs"
)
print(f"restitution {history.restitution:.3f}")

# %%
# **The sweep.** A large plate is effectively infinite for a short impact, and Zener's equation
# holds; the finite one confirms it.
found, endless = {}, {}
for name, material in materials.items():
    ball = tr.Striker.sphere(radius, speed, tr.Pair(steel, material))
    plates = [tr.Plate.of(material, h, 0.3, 0.3) for h in thickness]
    found[name] = [
        tr.impact(one, (0.15, 0.15), ball, t_end=1e-4).restitution for one in plates
    ]
    infinite = [tr.InfinitePlate.of(material, h) for h in thickness]
    losses = [one.inelasticity(ball.mass, ball.speed, ball.law) for one in infinite]
    endless[name] = [tr.zener_restitution(loss) for loss in losses]

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
tr.view.impact_force_plot(history, left, title="Force on a steel plate of 4 mm")
for number, name in enumerate(materials):
    right.plot(
        1e3 * thickness,
        found[name],
        "o",
        color=f"C{number}",
        label=f"{name}, 0.3 m x 0.3 m",
    )
    right.plot(
        1e3 * thickness,
        endless[name],
        "--",
        color=f"C{number}",
        label=f"{name}, infinite (Zener)",
    )
tr.view.style_axes(
    right,
    "thickness (mm)",
    "restitution",
    "A steel ball of 5 mm radius at 1 m/s",
    legend=True,
)
plt.show()

# %%
worst = max(np.abs(np.subtract(found[name], endless[name])).max() for name in materials)
print(f"finite and infinite plates differ by at most {worst:.4f}")
assert worst < 0.01
assert all(np.diff(values).min() > 0.0 for values in found.values())
