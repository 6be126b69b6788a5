"""
Do the edges of a plate matter during an impact?
================================================

*Modeling of impact on a flexible beam* claims that its method carries over to plates. It does: a ball of 1 cm
radius strikes a steel plate of 5 mm at 1 m/s. The contact is over after 81 microseconds, before strong waves
return from an edge. Zener's equation for an infinite plate (1941), with its one parameter, has the same
restitution within 2e-5.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Material(2.1e11, 0.3, density=7800.0)
ball = tr.Striker.sphere(0.01, 1.0, tr.Pair(steel, steel))
plate = tr.Plate.of(steel, 0.005, 0.5, 0.4)
history = tr.impact(plate, (0.2, 0.2), ball, t_end=4e-4)

# %%
# Restitution over the thickness, by the modes of the plate and by Zener's equation.
thickness = np.array([0.003, 0.004, 0.005, 0.007, 0.01, 0.015])
endless = [tr.InfinitePlate.of(steel, h) for h in thickness]
loss = np.array([one.inelasticity(ball.mass, ball.speed, ball.law) for one in endless])
finite = [tr.impact(tr.Plate.of(steel, h, 0.5, 0.4), (0.25, 0.2), ball, t_end=1.5e-4) for h in thickness]
found = np.array([one.restitution for one in finite])

figure, axes = plt.subplots(1, 3, figsize=(16.0, 4.4), layout="constrained")
tr.view.plate_wave_plot(history, 4e-5, axes[0], title="During the contact, 40 µs")
tr.view.plate_wave_plot(history, 2e-4, axes[1], title="The wave meets the edges, 200 µs")
curve = np.linspace(0.0, 3.0, 61)
axes[2].plot(
    curve, [tr.zener_restitution(x) for x in curve], color="#23272e", lw=1.8, label="Zener's equation"
)
axes[2].plot(loss, found, "o", color="#D55E00", label="plates of 3 to 15 mm, 0.5 m x 0.4 m")
tr.view.style_axes(axes[2], "inelasticity parameter", "restitution", "Restitution", legend=True)
plt.show()

# %%
# All plates agree with the infinite one; the contact ends before the wave of the second panel.
print(f"contact of {1e6 * history.contacts[0].end:.0f} µs on the plate of 5 mm")
assert abs(history.contacts[0].end - 81e-6) < 1e-6
expected = np.array([tr.zener_restitution(x) for x in loss])
print("difference from Zener:", ", ".join(f"{d:+.1e}" for d in found - expected))
assert np.abs(found - expected).max() < 2e-5
