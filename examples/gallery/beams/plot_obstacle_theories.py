"""
How rough is the contact force of a beam?
=========================================

A long clamped beam is pressed by a uniform load on a flat obstacle (Bosten, Denoël, Cosimo, Linn, Brüls).
By the theory of Euler and Bernoulli the shear force jumps where the contact begins, and the contact force
has a point force there, a third of the free length. Shear deformation smooths it over a layer of length
epsilon: the shear force is continuous, the contact force still jumps. Lengths are in (g EI/p)^(1/4),
deflections in the gap g.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

xi = np.linspace(0.0, 4.5, 9001)
cases = {0.0: ("#23272e", "Euler-Bernoulli"), 0.023: ("#0072B2", "0.023"), 0.23: ("#D55E00", "0.23")}

figure, axes = plt.subplots(2, 2, figsize=(11.0, 7.6), layout="constrained")
for epsilon, (color, name) in cases.items():
    exact = tr.obstacle.exact(epsilon)
    label = name if epsilon == 0.0 else f"Timoshenko, $\\epsilon$ = {name}"
    delta = exact.free_length
    for ax, quantity in zip(axes.flat, ("deflection", "moment", "shear", "contact_force"), strict=True):
        curve = getattr(exact, quantity)
        wide = {"lw": 4.0, "alpha": 0.4} if epsilon == 0.0 else {"lw": 1.6}
        ax.plot(xi, curve(xi), color=color, label=label, **wide)
        if quantity != "contact_force":
            ax.plot(delta, curve(delta * (1.0 - 1e-12)), "o", color=color, ms=6.0, mfc="white", zorder=4)

axes[0, 0].invert_yaxis()
force = axes[1, 1]
force.set_ylim(0.0, 8.0)
atom = tr.obstacle.exact(0.0)
arrow = {"arrowstyle": "-|>", "color": "#23272e", "lw": 1.8}
force.annotate("", (atom.free_length, 7.6), (atom.free_length, 0.0), arrowprops=arrow)
force.text(atom.free_length + 0.06, 7.0, f"point force $\\delta/3$ = {atom.point_force:.4f}", fontsize=9.5)
thin = tr.obstacle.exact(0.023)
peak = float(thin.contact_force(thin.free_length))
force.text(2.6, 7.55, f"to {peak:.0f}", fontsize=9.5, color="#0072B2", ha="right")
titles = ("Deflection; circles: first contact", "Bending moment", "Shear force", "Contact force per length")
for ax, title, y in zip(
    axes.flat, titles, ("$\\nu$", "$\\vartheta'$", "$\\vartheta''$", "$\\rho$"), strict=True
):
    tr.view.style_axes(ax, "$\\xi$", y, title, legend=ax is axes[0, 0])
plt.show()

# %%
# The free length is the fourth root of 72 without shear, and shorter by epsilon with little of it.
assert atom.free_length == 72.0**0.25
assert abs(tr.obstacle.exact(1e-6).free_length - (atom.free_length - 1e-6)) < 1e-11
print(f"delta = {atom.free_length:.6f}, point force {atom.point_force:.6f}")
