"""
How exact is rolling on a grid?
===============================

A driven roller, for which Carter (1926) has the answer: a strip at the leading edge sticks, the rest slips.
Classical elements are whole cells, as in the reference program; covered ones, the default, end where the
contact does and carry a traction of the right shape there. How well a grid does depends on where its cells
end with respect to the contact, so each number of cells is tried with eight places of the edge: the bands
reach from the best to the worst. Where cells end at the edge, covered elements are forty times as accurate;
in the mean, five times.
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
# Errors of the force, for cells that end anywhere.
sizes = np.array([16, 24, 36, 54, 80, 120])
places = np.arange(8) / 8.0
errors = {
    name: np.array([[abs(rolled(n + d, name).force[0] / theory.force - 1.0) for d in places] for n in sizes])
    for name in ("classical", "covered")
}

figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
tr.view.traction_section(
    rolled(50, "covered"), "x", left, theory=theory.traction, title="Rolling to the right"
)
for (name, error), color in zip(errors.items(), ("#D55E00", "#0072B2"), strict=True):
    right.fill_between(sizes, error.min(axis=1), error.max(axis=1), color=color, alpha=0.15, lw=0.0)
    right.loglog(sizes, error.mean(axis=1), "o-", color=color, lw=1.8, label=f"{name} elements, mean")
    right.loglog(sizes, error[:, 0], "--", color=color, lw=1.4, label="cells end at the edge")
right.set_xticks(sizes, [str(n) for n in sizes])
right.minorticks_off()
title = "Error of the force at given creepage"
tr.view.style_axes(right, "cells across the contact", "relative error", title, legend=True)
plt.show()

# %%
# In the mean over all places of the edge, and where cells end at it.
gain = errors["classical"].mean() / errors["covered"].mean()
aligned = (errors["classical"][:, 0] / errors["covered"][:, 0]).mean()
print(f"covered elements are {gain:.1f} times as accurate in the mean, {aligned:.0f} times at best")
assert gain > 3.0
assert aligned > 25.0
