"""
Which of two creepages belongs to a given force?
================================================

With falling friction, every force between that of fast sliding and the maximum of the creep curve belongs to
two creepages. Where the curve rises, more creepage gives more force, which is stable; where it falls, the
wheel runs away. A given force is solved on the rising branch, which continues from small creepage, and the
result states that there is another solution; a force above the maximum raises an error that states the
maximum. The tangents are exact on both branches.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
load, speed = 80e3, 20.0
a, b = tr.hertz.ellipse(0.46, 0.3, steel, force=load).semi_axes
grid = tr.Grid(24, 24, 2.2 * a / 24, 2.2 * b / 24)
wheel = tr.press(tr.Paraboloid(0.46, 0.3), grid, steel, force=load)
law = tr.friction.rational(0.1, (0.25, 0.8), memory=(3e-6, 1e-3))


def roll(creepage, force=None):
    """Rolling at a creepage -xi, or under a force on the wheel."""
    given = (None if creepage is None else -creepage, 0.0, 0.0)
    return tr.roll_steady(
        wheel, law, creepage=given, force=(force, None), speed=speed, discretisation="classical"
    )


# %%
# The curve with its tangents, and the creepage that is found for a force.
creepages = np.concatenate((np.linspace(0.0, 0.006, 16), np.geomspace(0.007, 0.03, 8)))
curve = [roll(xi) for xi in creepages]
forces = np.array([t.force[0] for t in curve])
pull = 0.9 * forces.max()
found = roll(None, pull)
beyond = np.interp(-pull, -forces[creepages > 0.005], creepages[creepages > 0.005])

figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
ax.plot(100 * creepages, forces / load, "C0")
ax.axhline(pull / load, color="0.6", lw=0.8)
for t, colour, name in (
    (found, "C2", "found, rising branch"),
    (roll(beyond), "C3", "other solution, falling branch"),
):
    xi, slope = -t.creepage[0], -t.tangent[0, 0]
    reach = np.array([-1.0, 1.0]) * (0.001 if slope > 1e6 else 0.006)
    ax.plot(100 * xi, t.force[0] / load, "o", color=colour, label=name)
    ax.plot(100 * (xi + reach), (t.force[0] + slope * reach) / load, "--", color=colour, lw=1.0)
ax.set_ylim(0.0, 1.1 * forces.max() / load)
tr.view.style_axes(ax, "creepage -ξ (%)", "force over normal force", "Two creepages for one force")
ax.legend()
plt.show()

# %%
# The message of the result, and the error above the maximum.
print(f"{pull / 1e3:.1f} kN at {-100 * found.creepage[0]:.3f} %: {found.message}")
assert found.tangent[0, 0] < 0.0 < roll(beyond).tangent[0, 0]
assert found.other_solutions
try:
    roll(None, 1.05 * forces.max())
except tr.InputError as error:
    print(f"refused: {error}")
