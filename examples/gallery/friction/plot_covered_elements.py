"""
Why must elements end at the edge of the contact?
=================================================

Kalker's creep coefficients of a circle and of an ellipse, on grids from 12 to 48 cells across. Classical
elements, as in the program CONTACT, are whole cells: the contact then has the outline of a staircase. Their
error decreases only with the first power of the cell, and the spin coefficient C33 of a contact that is long
in the rolling direction has an error of a third at 26 cells. Covered elements end at the true edge, and have
less than a tenth of that error.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

material = tr.Material.from_shear_modulus(1.0, 0.25)
pair = tr.Pair(material, material)
sizes = np.array([12, 18, 26, 36, 48])
names = ("C11", "C22", "C23", "C33")
ratios = (1.0, 3.0)


def coefficients(ratio, cells, discretisation):
    """Creep coefficients from the forces' derivatives by the creepages where nothing slips."""
    radii = 1.0, tr.hertz.radius_ratio(1.0 / ratio)
    a, b = tr.hertz.ellipse(*radii, pair, force=1.0).semi_axes
    grid = tr.Grid(cells + 4, cells + 4, 2.0 * a / cells, 2.0 * b / cells)
    contact = tr.press(tr.Paraboloid(*radii), grid, pair, force=1.0, tol=1e-9)
    rest = tr.roll_steady(contact, 1.0, creepage=(0.0, 0.0, 0.0), discretisation=discretisation)
    (xx, *_), (_, yy, ys), (_, sy, ss) = rest.tangent  # of (Fx, Fy, Mz) by (xi, eta, phi), with G = 1
    c = np.sqrt(a * b)
    return -xx / c**2, -yy / c**2, 0.5 * (sy - ys) / c**3, -ss / c**4


# %%
# The reference is the table of the package: from 36 and 72 cells, extrapolated.
errors = {}
for ratio in ratios:
    known = tr.kalker_coefficients(ratio, pair.poisson_ratio)
    exact = np.array([getattr(known, name) for name in names])
    for kind in ("classical", "covered"):
        found = [coefficients(ratio, int(n), kind) for n in sizes]
        errors[ratio, kind] = np.maximum(np.abs(np.array(found) / exact - 1.0), 1e-5)

figure, axes = plt.subplots(1, 2, figsize=(11.0, 4.6), layout="constrained", sharey=True)
for ax, ratio in zip(axes, ratios, strict=True):
    for k, color in enumerate(("#0072B2", "#D55E00", "#009E73", "#CC79A7")):
        for kind, style in (("classical", "o-"), ("covered", "s--")):
            label = f"{names[k]}" if kind == "classical" else None
            ax.loglog(sizes, 100.0 * errors[ratio, kind][:, k], style, color=color, lw=1.7, ms=5, label=label)
    for style, label in (("o-", "classical elements"), ("s--", "covered elements")):
        ax.plot([], [], style, color="#8a8f98", label=label)
    ax.set_xticks(sizes, [str(n) for n in sizes])
    ax.minorticks_off()
    title = "Circle" if ratio == 1.0 else f"Ellipse, a/b = {ratio:g}"
    tr.view.style_axes(ax, "cells across each axis", "error (%)", title)
handles, labels = axes[0].get_legend_handles_labels()
figure.legend(handles, labels, loc="outside lower center", ncols=6, fontsize=9.5, frameon=False)
plt.show()

# %%
# The worst of the four coefficients.
worst = {key: error[3].max() for key, error in errors.items()}
for (ratio, kind), error in worst.items():
    print(f"a/b = {ratio:g}, {kind} elements, 36 cells: {100 * error:.2f} %")
assert all(worst[ratio, "covered"] < 0.1 * worst[ratio, "classical"] for ratio in ratios)
assert 0.28 < errors[3.0, "classical"][2, 3] < 0.38  # C33 with 26 cells
orders = [-np.polyfit(np.log(sizes), np.log(errors[r, "classical"].max(axis=1)), 1)[0] for r in ratios]
print("order of the worst error, classical elements:", ", ".join(f"{order:.2f}" for order in orders))
assert all(0.8 < order < 1.2 for order in orders)
