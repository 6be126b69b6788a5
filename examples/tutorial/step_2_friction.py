"""
2. Friction: pull it, roll it
=============================

The ball of step 1 is pressed down. Now a force pulls it sideways, and then it rolls. By
Coulomb's law the traction, the tangential force per area, is at most the friction
coefficient times the pressure. It is not at that limit everywhere: parts of the contact
stick while others already slip.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
contact = tr.press(
    tr.Sphere(0.020), tr.Grid.around(0.62e-3, 0.62e-3, 60, 60), steel, force=1000.0
)
friction = 0.3  # so that the ball slides under 300 N

# %%
# **Pull.** :func:`~traction.contact.friction.shift.shift` takes the pressed contact and
# a tangential force: 200 N, two thirds of what makes the ball slide. The displacement
# is part of the result. It is called ``creepage`` here as well, a displacement in m
# along x and y, and a rotation in rad.
pulled = tr.shift(contact, friction, force=(200.0, 0.0))
print(f"the ball moves by {1e6 * abs(pulled.creepage[0]):.2f} µm")
print(
    f"{100 * pulled.stick.sum() / contact.contact.sum():.0f} % of the contact area sticks"
)

# %%
# **What came before matters.** Reduce the force to zero and tractions stay behind,
# since the ring that slipped cannot slip back freely. ``previous`` is the state from
# which a step begins.
released = tr.shift(contact, friction, force=(0.0, 0.0), previous=pulled)
left_behind = np.abs(released.traction[0]).max() / 1e6
print(f"no force, but tractions of up to {left_behind:.0f} MPa")

# %%
# **Roll.** In rolling, new material enters the contact at its leading edge all the
# time. What is given is the creepage: the speed of body 1 relative to body 2, divided
# by the rolling speed. Along x it is ξ, along y it is η, and the spin φ is the rotation
# about the normal, in rad per metre rolled. A ball driven so that it turns 0.2 % faster
# than it advances has ξ = -0.002; the force on it points forwards.
rolling = tr.roll_steady(contact, friction, creepage=(-0.002, 0.0, 0.0))
print(
    f"force on the ball {rolling.force[0]:.0f} N, of at most {friction * contact.force:.0f} N"
)
print(f"frictional loss {1e3 * rolling.dissipation:.1f} mJ per metre rolled")

# %%
# Pulled, the contact sticks in the middle and slips in a ring. Rolling forwards (to the
# right), it sticks at the leading edge, where material has just entered, and slips at
# the trailing edge.
figure, axes = plt.subplots(1, 3, figsize=(14, 4.6), layout="constrained")
tr.view.traction_map(pulled, axes[0], title="Pulled with 200 N")
tr.view.traction_map(rolling, axes[1], rolling=1, title="Rolling with 0.2 % creepage")
for t, name in ((pulled, "pulled"), (released, "released"), (rolling, "rolling")):
    row = t.normal.grid.ny // 2
    axes[2].plot(1e3 * t.normal.grid.x, t.traction[0, row] / 1e6, label=name)
tr.view.style_axes(
    axes[2], "x (mm)", "traction (MPa)", "Traction along the middle", legend=True
)
plt.show()

# %%
# **A creep curve**: force over creepage. At first everything sticks and the force is
# proportional to the creepage, with a coefficient that Kalker tabulated; in the end
# everything slips.
creepages = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0]) * 1e-3
forces = [
    tr.roll_steady(contact, friction, creepage=(-xi, 0.0, 0.0)).force[0] for xi in creepages
]
kalker = tr.kalker_coefficients(1.0, steel.poisson_ratio)
linear = (
    steel.shear_modulus
    * contact.semi_axes[0]
    * contact.semi_axes[1]
    * kalker.C11
    * creepages
)
figure, ax = plt.subplots(figsize=(7, 4.4), layout="constrained")
ax.plot(1e3 * creepages, forces, "o-", label="tr.roll_steady")
ax.plot(1e3 * creepages[:5], linear[:5], "--", label="Kalker's linear theory")
ax.axhline(friction * contact.force, color="0.5", lw=1.0, label="sliding")
tr.view.style_axes(
    ax, "creepage -ξ (1/1000)", "force on the ball (N)", "A creep curve", legend=True
)
plt.show()

# %%
# Checked whenever these pages are built:
assert abs(forces[1] / linear[1] - 1.0) < 0.1
assert forces[-1] > 0.98 * friction * contact.force
assert abs(pulled.force[0] - 200.0) < 1e-3
assert abs(released.force[0]) < 1e-3

# %%
# **Next**: let the ball fall, in :doc:`step_3_time`.
