"""
Why does a measured creep curve start flat, and fall after its maximum?
=======================================================================

Measured creep curves of wheels start with a lower slope than in Kalker's theory, and fall after their
maximum. A constant coefficient of friction explains neither. A layer between the bodies (wear debris, oxides,
leaves) shears and reduces the initial slope. A coefficient that falls with the slip speed makes the curve
fall, and so does one that falls with the temperature of the surfaces. The full theory of rolling includes all
three here, the first two as in CONTACT (Vollebregt); they are shown one at a time and together.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
load, speed = 80e3, 20.0
a, b = tr.hertz.ellipse(0.46, 0.3, steel, force=load).semi_axes
grid = tr.Grid(28, 28, 2.2 * a / 28, 2.2 * b / 28)
wheel = tr.press(tr.Paraboloid(0.46, 0.3), grid, steel, force=load)

# %%
# The law falls from 0.35 at rest to 0.15 with the slip speed; the coefficient adapts over a few µm of slip.
# The layer is 60 micrometres thick and twenty times softer than steel. Friction by temperature falls from
# 0.35 up to 50 K above that of the bodies to 0.2 at 450 K above it.
law = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3))
layer = tr.Layer(shear_modulus=4e9, thickness=60e-6)
temperatures, factors = [50.0, 450.0], np.array([1.0, 4.0 / 7.0])
causes = {
    "constant friction": (0.35, None),
    "with a layer": (0.35, layer),
    "falling with slip speed": (law, None),
    "falling with temperature": (tr.friction.thermal(temperatures, 0.35 * factors), None),
    "all three": (tr.friction.thermal(temperatures, factors, law=law), layer),
}
creepages = np.concatenate((np.linspace(0.0, 0.006, 13), np.geomspace(0.007, 0.05, 10)))
curves = {
    name: np.array(
        [
            tr.roll_steady(wheel, friction, creepage=(-xi, 0.0, 0.0), speed=speed, layer=film).force[0]
            for xi in creepages
        ]
    )
    for name, (friction, film) in causes.items()
}

figure, axes = plt.subplots(1, 2, figsize=(11.0, 4.4), layout="constrained", sharey=True)
for ax, last, title in ((axes[0], 0.006, "The start"), (axes[1], 0.05, "The whole curve")):
    for name, force in curves.items():
        shown, dashed = creepages <= last, name == "constant friction"  # visible where curves coincide
        style = {"linestyle": "--", "color": "black", "zorder": 3} if dashed else {}
        ax.plot(100.0 * creepages[shown], force[shown] / load, label=name, **style)
    tr.view.style_axes(ax, "creepage -ξ (%)", "force over normal force", title)
axes[1].legend()
plt.show()

# %%
# The effect of each: initial slope, largest force and its creepage, and the force left at 5 %.
for name, force in curves.items():
    top = int(np.argmax(force))
    print(
        f"{name:24s} slope {force[1] / creepages[1] / load:5.1f}, largest {force[top] / load:.3f} "
        f"at {100.0 * creepages[top]:.2f} %, at 5 % {force[-1] / load:.3f}"
    )
slope = {name: force[1] / creepages[1] for name, force in curves.items()}
left = {name: force[-1] / force.max() for name, force in curves.items()}
assert slope["with a layer"] < 0.95 * slope["constant friction"] < 1.01 * slope["falling with temperature"]
assert slope["falling with slip speed"] > 0.99 * slope["constant friction"]
assert left["constant friction"] > 0.999 < left["with a layer"]
assert left["all three"] < left["falling with slip speed"] < left["falling with temperature"] < 0.95
