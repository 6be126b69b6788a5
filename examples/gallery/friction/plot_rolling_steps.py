"""
Can a wheel roll by steps of any length?
========================================

A cylinder that was pulled but did not roll (Cattaneo) begins to roll under the same force (towards
Carter), as in van der Wekken, Vollebregt and Vuik, *Occurrence and removal of wiggles in transient
rolling contact simulation*. Elements that move with the contact oscillate when a step is a tenth of an
element; interpolated in time they do not oscillate, but smooth the kink; whole cells fixed in the
material keep it, but the creepage becomes a staircase as cells enter and leave. Elements fixed in the
material that end where the contact ends are the default: tractions of steps of a tenth of an element and of
one element agree within 0.2 % of the bound, and the creepage of single steps scatters by 1 to 2 % about its
mean over an element, where that of whole cells scatters by 80 %.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

PAIR, MU, CELLS, STEP = tr.Pair(tr.STEEL, tr.STEEL), 0.3, 50, 0.1
SCHEMES = {
    "moving": "moving: oscillates",
    "moving-interpolated": "moving, interpolated: smooths",
    "world-fixed": "whole cells of the material: staircase",
    "covered": "covered elements (default)",
}

hertz = tr.hertz.line(0.5, PAIR, force=178.9e3, length=0.2)
grid = tr.Grid.line(CELLS + 10, 2.0 * hertz.semi_axes[0] / CELLS, length=0.2)
normal = tr.press(tr.Cylinder(0.5), grid, PAIR, force=178.9e3, tol=1e-9)
force = (-0.657 * MU * normal.force, None)
start = tr.shift(normal, MU, displacement=(None, 0.0, 0.0), force=force)


def rolled(scheme, step, cells):
    """Creepage of every step, and the contact at the end."""
    t, creepages = start, []
    for _ in range(round(cells / step)):
        t = tr.roll(t, MU, distance=step * grid.dx, creepage=(None, 0.0, 0.0), force=force, scheme=scheme)
        creepages.append(t.creepage[0])
    return np.array(creepages), t


# %%
# Tractions after 36 elements by steps of a tenth, beside those by steps of one; and the creepage on the way.
figure, axes = plt.subplots(2, 3, figsize=(12, 6.4), layout="constrained")
x, bound = 1e3 * grid.x, start.bound[0] / start.bound.max()
exact = rolled("covered", 1.0, 36)[1].traction[0, 0] / start.bound.max()
profiles, creepages = {}, {}
for ax, (scheme, title) in zip(
    (axes[0, 0], axes[0, 1], axes[1, 0], axes[1, 1]), SCHEMES.items(), strict=True
):
    creepages[scheme], t = rolled(scheme, STEP, 36)
    profiles[scheme] = t.traction[0, 0] / start.bound.max()
    ax.plot(x, -bound, "--", color="0.6", lw=1)
    ax.plot(x, exact, color="0.3", lw=3, alpha=0.4, label="one element per step")
    ax.plot(x, profiles[scheme], lw=1.4, color="#0072b2", label=f"{STEP:g} element per step")
    tr.view.style_axes(ax, "x (mm)", r"traction / ($\mu p_0$)", title)
axes[0, 0].legend(frameon=False, fontsize=9)

way = STEP * (np.arange(len(creepages["covered"])) + 0.5)
for ax, span, title in (
    (axes[0, 2], (0.0, 36.0), "Creepage, force held"),
    (axes[1, 2], (11.0, 14.0), "Three elements of it"),
):
    inside = (way >= span[0]) & (way <= span[1])
    for scheme, color, width in (("world-fixed", "#d55e00", 1.0), ("covered", "#0072b2", 1.8)):
        ax.plot(way[inside], 1e3 * creepages[scheme][inside], color=color, lw=width, label=scheme)
    tr.view.style_axes(ax, "distance rolled (elements)", "creepage (‰)", title)
axes[0, 2].legend(frameon=False, fontsize=9)
plt.show()


# %%
# How rough the tractions are, and how far single creepages scatter.


def variation(profile):
    return np.abs(np.diff(profile)).sum()


for scheme, profile in profiles.items():
    print(
        f"{scheme:<20} total variation {variation(profile):.3f}, one element per step {variation(exact):.3f}"
    )
scatter = {}
for scheme in ("world-fixed", "covered"):
    within = creepages[scheme][-100:].reshape(10, 10)  # ten elements, ten steps in each
    scatter[scheme] = np.abs(within / within.mean(axis=1, keepdims=True) - 1.0).max()
    print(f"{scheme:<20} creepage of single steps within {100 * scatter[scheme]:.1f} % of its mean")
assert scatter["covered"] < 0.025 < 0.5 < scatter["world-fixed"]
assert np.abs(profiles["covered"] - exact).max() < 2e-3
assert np.abs(profiles["moving-interpolated"] - exact).max() > 0.05
assert variation(profiles["moving"]) > 1.3 * variation(exact)
