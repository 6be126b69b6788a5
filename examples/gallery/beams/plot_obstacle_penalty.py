"""
Mortar or springs: what does a penalty do to the contact force?
===============================================================

Point-to-point contact puts springs between the nodes and the obstacle. Soft springs let the beam sink in
and spread the contact; stiff ones tend to point forces at nodes that touch. The start of the contact and
its force then depend on a stiffness that belongs to no body. A mortar density needs none. Right: two beams
with different meshes pressed on each other; a uniform load passes through mortar densities exactly (the
patch test), through node forces not.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

epsilon = 0.23
exact = tr.obstacle.exact(epsilon)
beam = tr.Beam(8.0, 1.0, 1.0, shear_stiffness=epsilon**-2, supports=("clamped", "free"))
xi = np.linspace(1.8, 4.5, 3001)

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14.0, 4.6), layout="constrained")
left.plot(xi, exact.contact_force(xi), color="#23272e", lw=2.6, alpha=0.5, label="closed form")
mortar = tr.obstacle.solve(beam, 1.0, 1.0, 80)
left.plot(xi, mortar.contact_force(xi), color="#0072B2", lw=1.6, label="mortar, linear")
for stiffness, color in ((2.0, "#F0C05A"), (20.0, "#E69F00"), (2000.0, "#D55E00")):
    soft = tr.obstacle.penalty(beam, 1.0, 1.0, 80, stiffness=stiffness)
    left.plot(xi, soft.contact_force(xi), color=color, lw=1.4, label=f"springs, {stiffness:g}")
tr.view.style_axes(left, "$\\xi$", "contact force $\\rho$", "80 elements: mortar and springs", legend=True)

springs = np.geomspace(1.0, 1e6, 25)
solutions = [tr.obstacle.penalty(beam, 1.0, 1.0, 80, stiffness=k) for k in springs]
total = float(exact.contact_force_integral(0.0, 8.0))
middle.loglog(springs, [abs(one.force - total) for one in solutions], color="#D55E00", lw=1.8, label="force")
sunk = [one.deflection(one.nodes).max() - 1.0 for one in solutions]
middle.loglog(springs, sunk, color="#E69F00", lw=1.8, label="penetration")
middle.axhline(abs(mortar.force - total), color="#0072B2", ls="--", lw=1.4, label="mortar, force")
tr.view.style_axes(middle, "stiffness of a spring", "error", "What a penalty costs", legend=True)

upper = tr.Beam(3.0, 2.0, 1.0, supports=("free", "free"))
lower = tr.Beam(3.0, 5.0, 1.0, supports=("guided", "guided"), foundation=4.0)
places = np.linspace(0.0, 3.0, 601)
for space, color in (("point", "#009E73"), ("linear", "#0072B2")):
    pair = tr.obstacle.press_together(upper, lower, 2.5, 0.1, (7, 10), multiplier=space)
    label = "forces at nodes" if space == "point" else "mortar, linear"
    right.plot(places, pair.contact_force(places), "-", color=color, lw=1.8, label=label)
right.axhline(2.5, color="#23272e", ls=":", lw=1.4, label="load")
right.set_ylim(0.0, 3.5)
tr.view.style_axes(right, "x", "force between the beams", "7 elements on 10: the patch test", legend=True)
plt.show()

# %%
patch = np.abs(pair.contact_force(places) / 2.5 - 1.0).max()
print(f"patch test: {patch:.0e}; action and reaction differ by {pair.certificate.action_reaction:.0e}")
assert patch < 1e-9
assert pair.certificate.action_reaction < 1e-14
assert abs(mortar.force - total) < 1e-5
