"""
Where does a beam on an obstacle need elements?
===============================================

With epsilon = 0.023 the contact force is large in a layer a hundred times shorter than the free part. The
indicator is the work of the contact force on the gap that is left within an element: it asks for elements
behind the start of the contact only, since the free part is exact. The start itself is a node that moves
with the solution.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

epsilon = 0.023
exact = tr.obstacle.exact(epsilon)
beam = tr.Beam(5.0, 1.0, 1.0, shear_stiffness=epsilon**-2, supports=("clamped", "free"))
adapted = tr.obstacle.adapt(beam, 1.0, 1.0)
contact = adapted.contact

figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.8), layout="constrained")
xi = np.linspace(exact.free_length - 0.03, exact.free_length + 0.17, 4001)
left.plot(xi, exact.contact_force(xi), color="#D55E00", lw=3.0, alpha=0.5, label="closed form")
left.plot(xi, contact.contact_force(xi), color="#0072B2", lw=1.4, label=f"{contact.elements} elements")
shown = contact.nodes[(contact.nodes > xi[0]) & (contact.nodes < xi[-1])]
left.plot(shown, contact.contact_force(shown), "o", color="#0072B2", ms=3.5)
tr.view.style_axes(left, "$\\xi$", "contact force $\\rho$", "The layer, and the nodes in it", legend=True)
whole = left.inset_axes((0.42, 0.36, 0.55, 0.3))
whole.plot(contact.nodes, np.r_[np.nan, np.diff(contact.nodes)], ".", color="#0072B2", ms=4.0)
whole.set_yscale("log")
whole.set_title("length of the elements along the beam", fontsize=9.0)
whole.tick_params(labelsize=8.0)

even = np.array([40, 60, 90, 130, 200, 300, 450, 700])
uniform = [tr.obstacle.solve(beam, 1.0, 1.0, int(n)) for n in even]
forces = np.abs([one.excess_force - exact.excess_force for one in uniform])
right.loglog(even, forces, "s--", color="#8a8f98", lw=1.4, ms=4.0, label="uniform, force")
for values, true, color, name in (
    (adapted.excess_forces, exact.excess_force, "#0072B2", "adapted, force"),
    (adapted.free_lengths, exact.free_length, "#D55E00", "adapted, start of the contact"),
):
    right.loglog(adapted.elements, np.abs(values - true), "o-", color=color, lw=1.6, ms=4.5, label=name)
tr.view.style_axes(right, "elements", "error", "Errors against the number of elements", legend=True)
right.set_xticks([20, 50, 100, 200, 500], ["20", "50", "100", "200", "500"])
right.minorticks_off()
plt.show()

# %%
error = abs(contact.excess_force - exact.excess_force)
begin = contact.free_length - exact.free_length
print(f"{contact.elements} elements: force to {error:.1e}, start of the contact to {begin:.1e}")
assert contact.elements <= 200
assert error < 1e-6
assert abs(contact.free_length - exact.free_length) < 1e-5
