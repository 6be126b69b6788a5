"""
How fast do mortar elements converge on an obstacle?
====================================================

Errors of the deflection and of the force beyond the load, for all spaces of the contact force, both
theories, and meshes that are uniform or are stretched to the start of the contact. On a mesh that stands
still all are of about order two, with a factor that depends on where in an element the contact begins. With
a node there, densities leave Euler and Bernoulli's beam no error but rounding, and points one of order three;
Timoshenko's beam has errors of order two with points and up to four with linear densities, as soon as
elements are shorter than the shear layer (dashed line).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

sizes = np.geomspace(0.5, 0.005, 13)
colors = {"point": "#009E73", "constant": "#D55E00", "linear": "#0072B2", "dual": "#CC79A7"}
xi = np.linspace(0.0, 6.0, 3001)


def errors(epsilon, space, fitted):
    """L2 error of the deflection and error of the excess force, by size of the elements."""
    length = 6.0 if epsilon == 0.0 else 8.0
    shear = None if epsilon == 0.0 else epsilon**-2
    beam = tr.Beam(length, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"))
    exact, found = tr.obstacle.exact(epsilon), []
    for h in sizes:
        contact = tr.obstacle.solve(beam, 1.0, 1.0, round(length / h), multiplier=space, fitted=fitted)
        off = contact.deflection(xi) - exact.deflection(xi)
        found.append((np.sqrt(np.mean(off**2) * 6.0), abs(contact.excess_force - exact.excess_force)))
    return np.maximum(np.array(found).T, 1e-15)


def order(error, below):
    """Fitted to the sizes below a limit."""
    use = sizes < below
    return np.polyfit(np.log(sizes[use]), np.log(error[use]), 1)[0]


# %%
# Rows: what is compared; columns: theory and mesh.
figure, axes = plt.subplots(2, 4, figsize=(15.0, 7.4), sharex=True, sharey="row", layout="constrained")
orders = {}
for column, (epsilon, fitted) in enumerate(((0.0, False), (0.0, True), (0.23, False), (0.23, True))):
    for space, color in colors.items():
        both = zip(axes[:, column], errors(epsilon, space, fitted), ("w", "force"), strict=True)
        for ax, error, name in both:
            slope = orders[epsilon, fitted, space, name] = order(error, 0.2)
            exact = error.max() < 1e-9
            label = f"{space}, rounding" if exact else f"{space}, order {slope:.1f}"
            ax.loglog(sizes, error, "o-", color=color, ms=3.5, lw=1.4, label=label)
    theory = "Timoshenko, $\\epsilon$ = 0.23" if epsilon else "Euler-Bernoulli"
    words = "fitted" if fitted else "uniform"
    for ax, y in zip(axes[:, column], ("deflection, L2", "excess force"), strict=True):
        if epsilon:
            ax.axvline(epsilon, color="#8a8f98", ls="--", lw=1.0)
        title = f"{theory}, {words}" if ax is axes[0, column] else ""
        tr.view.style_axes(
            ax, "h" if ax is axes[1, column] else "", f"error, {y}" if column == 0 else "", title
        )
        ax.title.set_fontsize(10.5)
        ax.legend(fontsize=8.5, frameon=False, loc="upper left" if fitted and not epsilon else "lower right")
        ax.set_ylim(1e-15, 0.5)
plt.show()

# %%
# Timoshenko's deflection is of order two at least, for every space.
least = min(orders[0.23, True, space, "w"] for space in colors)
print(f"smallest order of the deflection on fitted meshes: {least:.2f}")
assert least > 1.95
assert all(1.7 < orders[eps, False, space, "w"] < 2.6 for eps in (0.0, 0.23) for space in colors)
assert abs(orders[0.0, True, "point", "w"] - 3.0) < 0.1
assert orders[0.23, True, "linear", "force"] > 3.0
