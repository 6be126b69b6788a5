"""
Why does a measured creep curve start flat, and fall after its maximum?
=======================================================================

Measured creep curves of wheels start with a lower slope than in Kalker's theory, and fall after their
maximum. A constant coefficient of friction explains neither. A layer between the bodies (wear debris, oxides,
leaves) shears and reduces the initial slope; a coefficient that falls with the slip speed makes the curve
fall. The full theory of rolling includes both here, as in CONTACT (Vollebregt); the two effects are shown
separately and together.
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
# The law falls from 0.35 at rest to 0.15; the coefficient adapts over a few µm of slip.
# The layer is 60 micrometres thick and twenty times softer than steel.
law = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3))
layer = tr.Layer(shear_modulus=4e9, thickness=60e-6)
causes = {
    "constant friction": (0.35, None),
    "with a layer": (0.35, layer),
    "with falling friction": (law, None),
    "with both": (law, layer),
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
        shown = creepages <= last
        ax.plot(100.0 * creepages[shown], force[shown] / load, label=name)
    tr.view.style_axes(ax, "creepage -ξ (%)", "force over normal force", title)
axes[1].legend()
plt.show()

# %%
# The effect of each: initial slope, largest force and its creepage, and the force left at 5 %.
for name, force in curves.items():
    top = int(np.argmax(force))
    print(
        f"{name:22s} slope {force[1] / creepages[1] / load:5.1f}, largest {force[top] / load:.3f} "
        f"at {100.0 * creepages[top]:.2f} %, at 5 % {force[-1] / load:.3f}"
    )
slope = {name: force[1] / creepages[1] for name, force in curves.items()}
assert slope["with a layer"] < 0.95 * slope["constant friction"]
assert slope["with falling friction"] > 0.99 * slope["constant friction"]
assert curves["with falling friction"][-1] < 0.8 * curves["with falling friction"].max()
assert curves["constant friction"][-1] > 0.999 * curves["constant friction"].max()
