"""
Rolling of bodies of different materials
========================================

**Task**: a rubber-tyred or aluminium roller on steel. Pressure then shears the surfaces, and tractions
change the pressure: both have to be solved together.

Give the two materials; everything else is as for like bodies. The result holds the
final normal contact in ``t.normal``.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

aluminium = tr.Material(71e9, 0.33)
unlike, like = tr.Pair(aluminium, tr.STEEL), tr.Pair(tr.STEEL, tr.STEEL)
print(
    f"mismatch K: aluminium on steel {unlike.mismatch:.4f}, steel on steel {like.mismatch:.4f}"
)

# %%
# A ball of 50 mm radius under 2 kN, rolled **freely**: no force along x, no creepage
# across, so ``creepage`` has None where the force is given and the other way round.
grid = tr.Grid.around(1.35e-3, 1.35e-3, 50, 50)
pressed = tr.press(tr.Sphere(0.05), grid, unlike, force=2000.0)
free = tr.roll_steady(pressed, 0.2, creepage=(None, 0.0, 0.0), force=(0.0, None))
print(f"a free ball of aluminium creeps by ξ = {1e6 * free.creepage[0]:.1f} in a million")
print(
    f"tractions of up to {np.abs(free.traction[0]).max() / 1e6:.1f} MPa without any force"
)

# %%
# **Creep curves** of both pairs. The mismatch moves the curve of the unlike pair
# sideways by the free creepage.
creepages = np.linspace(-1.5e-3, 1.5e-3, 9)
curves = {}
for name, pair in (("aluminium on steel", unlike), ("steel on steel", like)):
    contact = tr.press(tr.Sphere(0.05), grid, pair, force=2000.0)
    curves[name] = [
        tr.roll_steady(contact, 0.2, creepage=(xi, 0.0, 0.0)).force[0] for xi in creepages
    ]

figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.4), layout="constrained")
row = grid.ny // 2
left.plot(1e3 * grid.x, free.traction[0, row] / 1e6, label="traction, free rolling")
for sign in (1, -1):
    left.plot(1e3 * grid.x, sign * 0.2 * free.normal.pressure[row] / 1e6, ":", color="0.5")
tr.view.style_axes(
    left, "x (mm)", "traction (MPa)", "Free rolling (dots: friction limit)", legend=True
)
for name, forces in curves.items():
    right.plot(1e3 * creepages, forces, "o-", label=name)
tr.view.style_axes(
    right, "creepage ξ (1/1000)", "force on the ball (N)", "Creep curves", legend=True
)
plt.show()

# %%
# Without force and creepage, like bodies have no tractions.
at_rest = np.interp(0.0, creepages, curves["aluminium on steel"])
print(
    f"force at creepage zero: aluminium {at_rest:.1f} N, steel {curves['steel on steel'][4]:.1e} N"
)
assert abs(free.force[0]) < 1e-3
assert abs(curves["steel on steel"][4]) < 1e-6
assert abs(np.interp(free.creepage[0], creepages, curves["aluminium on steel"])) < 5.0
