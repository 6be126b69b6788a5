"""
How exact is rolling on a grid?
===============================

A driven roller, solved by Carter (1926): a strip at the leading edge sticks, the rest slips. Classical
elements are whole cells, as in the program CONTACT; covered ones, the default, end where the contact ends
and carry a traction of the right shape there. The accuracy of a grid depends on where its cells end with
respect to the contact, so each number of cells is tried with eight positions of the edge: the bands reach
from the best to the worst. On average, covered elements are more than three times as accurate; where
cells end at the edge, more than 25 times.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
radius, friction, load = 0.5, 0.3, 178.9e3
hertz = tr.hertz.line(radius, steel, force=load)
theory = tr.carter.line(hertz, radius, friction, creepage=-0.4 * friction * hertz.half_width / radius)


def rolled(cells, discretisation):
    """Steady rolling at the creepage of the theory, with so many cells across the contact."""
    grid = tr.Grid.line(int(cells) + 6, 2.0 * hertz.half_width / cells, length=0.2)
    roller = tr.press(tr.Cylinder(radius), grid, steel, force=load, tol=1e-9)
    return tr.roll_steady(roller, friction, creepage=(theory.creepage, 0, 0), discretisation=discretisation)


# %%
# Errors of the force, for eight positions of the edge.
sizes = np.array([16, 24, 36, 54, 80, 120])
offsets = np.arange(8) / 8.0
errors = {
    name: np.array([[abs(rolled(n + d, name).force[0] / theory.force - 1.0) for d in offsets] for n in sizes])
    for name in ("classical", "covered")
}

figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
tr.view.traction_section(
    rolled(50, "covered"), "x", left, theory=theory.traction, title="Rolling to the right"
)
for (name, error), color in zip(errors.items(), ("#D55E00", "#0072B2"), strict=True):
    right.fill_between(sizes, error.min(axis=1), error.max(axis=1), color=color, alpha=0.15, lw=0.0)
    right.loglog(sizes, error.mean(axis=1), "o-", color=color, lw=1.8, label=f"{name} elements, average")
    right.loglog(sizes, error[:, 0], "--", color=color, lw=1.4, label="cells end at the edge")
right.set_xticks(sizes, [str(n) for n in sizes])
right.minorticks_off()
title = "Error of the force at given creepage"
tr.view.style_axes(right, "cells across the contact", "relative error", title, legend=True)
plt.show()

# %%
# On average over all positions of the edge, and where cells end at it.
gain = errors["classical"].mean() / errors["covered"].mean()
aligned = (errors["classical"][:, 0] / errors["covered"][:, 0]).mean()
print(f"covered elements are {gain:.1f} times as accurate on average, {aligned:.0f} times at best")
assert gain > 3.0
assert aligned > 25.0
