"""
Which contact force do finite elements find?
============================================

The benchmark of a beam on an obstacle with mortar elements: contact forces as points, or as constant,
linear or dual densities. On a mesh that is uniform (dots: nodes) the start of the contact falls into an
element, and all spaces smear or oscillate there; where it is coarser than the shear layer (h > epsilon),
none can follow the peak. With the mesh fitted, stretched so that a node lies where the contact begins, a
linear density follows the closed form; by the theory of Euler and Bernoulli it has a point force beside it.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

epsilon, length = 0.23, 8.0
beams = {
    "Euler-Bernoulli": tr.Beam(length, 1.0, 1.0, supports=("clamped", "free")),
    "Timoshenko": tr.Beam(length, 1.0, 1.0, shear_stiffness=epsilon**-2, supports=("clamped", "free")),
}
columns = (("Euler-Bernoulli", 0.13, 0.0), ("Timoshenko", 0.53, epsilon), ("Timoshenko", 0.13, epsilon))
colors = {"point": "#009E73", "constant": "#D55E00", "linear": "#0072B2", "dual": "#CC79A7"}
xi = np.linspace(2.0, 4.5, 5001)

figure, axes = plt.subplots(2, 3, figsize=(13.0, 7.4), sharex=True, layout="constrained")
for row, fitted in enumerate((False, True)):
    for ax, (theory, h, eps) in zip(axes[row], columns, strict=True):
        exact = tr.obstacle.exact(eps)
        ax.plot(xi, exact.contact_force(xi), color="#23272e", lw=2.4, alpha=0.5, label="closed form")
        for space, color in colors.items():
            contact = tr.obstacle.solve(
                beams[theory], 1.0, 1.0, round(length / h), multiplier=space, fitted=fitted
            )
            ax.plot(xi, contact.contact_force(xi), color=color, lw=1.3, label=space)
        at = contact.nodes[(contact.nodes > 2.0) & (contact.nodes < 4.5)]
        ax.plot(at, np.full(at.size, -0.25), ".", color="#8a8f98", ms=4.0, clip_on=False)
        ax.set_ylim(-0.3, 5.2 if eps else (9.0 if row == 0 else 2.2))
        title = f"{theory}, h = {h}, {'fitted' if fitted else 'uniform'}"
        tr.view.style_axes(ax, "$\\xi$" if row else "", "contact force $\\rho$", title)
        if eps == 0.0 and fitted:
            text = f"and a point force,\n{contact.point_force:.4f} at {contact.free_length:.4f}"
            ax.text(3.1, 1.55, text, fontsize=9.5)
axes[0, 2].legend(fontsize=9.5, frameon=False)
plt.show()

# %%
# Largest error of the linear density behind the start of the contact, over the peak.
fine = tr.obstacle.solve(beams["Timoshenko"], 1.0, 1.0, 160)
exact = tr.obstacle.exact(epsilon)
behind = np.linspace(exact.free_length + 1e-3, 5.0, 500)
off = np.abs(fine.contact_force(behind) - exact.contact_force(behind)).max()
error = off / exact.contact_force(behind).max()
print(f"h = 0.05: error of the density {100.0 * error:.2f} % of the peak")
assert error < 0.01
