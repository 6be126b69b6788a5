"""
Why do short steps make rolling contact oscillate?
==================================================

Figures 1 to 3 of van der Wekken, Vollebregt and Vuik, *Occurrence and removal of wiggles in transient
rolling contact simulation*, beside the default of `tr.roll`. Steady rolling on elements that move with
the contact solves (A - A') p = -w dq, where A' has the displacements a step of c elements earlier. At c =
1 the inverse of A - A' is close to its diagonal; at c = 0.01 it alternates from element to element, and
so do the tractions. The Fourier symbol shows why: a wave two elements long has zero slope at the centre
of every element, so that a short step does not see it. Linear elements do not see it either. With
elements fixed in the material the question does not arise: rolled on from the steady state by steps of
any length, the tractions stay as they are.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

PAIR, MU, CELLS = tr.Pair(tr.STEEL, tr.STEEL), 0.3, 50
COLORS = ("#23272e", "#0072b2", "#d55e00", "#009e73")

hertz = tr.hertz.line(0.5, PAIR, force=178.9e3, length=0.2)
grid = tr.Grid.line(CELLS + 4, 2.0 * hertz.half_width / CELLS, length=0.2)
normal = tr.press(tr.Cylinder(0.5), grid, PAIR, force=178.9e3, tol=1e-9)
force = -0.657 * MU * normal.force
x, bound = 1e3 * grid.x, MU * normal.pressure[0]
inside = tr.Grid.line(CELLS, grid.dx, length=0.2)


def moving(step, elements="constant"):
    """Steady rolling of the paper: elements that move with the contact."""
    operator = tr.RollingOperator(grid, PAIR, step, elements)
    return np.where(bound > 0.0, operator.roll_steady(bound, force=force).traction / bound.max(), np.nan)


def default(step, cells=6):
    """Rolled on from the steady state with the force held."""
    given = {"creepage": (None, 0.0, 0.0), "force": (force, None)}
    t = tr.roll_steady(normal, MU, **given)
    for _ in range(round(cells / step)):
        t = tr.roll(t, MU, distance=step * grid.dx, **given)
    return np.where(bound > 0.0, t.traction[0, 0] / bound.max(), np.nan)


figure, axes = plt.subplots(3, 3, figsize=(13.5, 11.5), layout="constrained")
found = {}
for ax, solve, title in ((axes[0, 0], moving, "Figure 1: moving elements"), (axes[0, 1], default, "tr.roll")):
    ax.plot(x, -bound / bound.max(), "--", color="0.6", lw=1.2)
    for k, (step, color) in enumerate(zip((1.0, 0.1, 0.02), COLORS, strict=False)):
        found[title[:4], step] = solve(step)
        ax.plot(x, found[title[:4], step] + 0.25 * k, color=color, lw=1.6, label=f"c = {step:g}")
    ax.set_ylim(-1.05, 0.85)
    tr.view.style_axes(ax, "x (mm)", r"$p_x$ / ($\mu p_0$), each 0.25 up", title, legend=True)
ax = axes[0, 2]
ax.plot(x, -bound / bound.max(), "--", color="0.6", lw=1.2)
for k, (elements, color) in enumerate(zip(tr.rolling_waves.ELEMENTS, COLORS[1:], strict=False)):
    ax.plot(x, moving(0.01, elements) + 0.25 * k, color=color, lw=1.6, label=f"{elements}, c = 0.01")
tr.view.style_axes(
    ax, "x (mm)", r"$p_x$ / ($\mu p_0$), each 0.25 up", "Linear elements oscillate too", legend=True
)

# Figures 2 and 3: the matrix and its inverse, in units of their largest entries.
for row, step in ((1, 1.0), (2, 0.01)):
    operator = tr.RollingOperator(inside, PAIR, step)
    parts = (("$A - A'$", operator.difference), ("its inverse", operator.inverse))
    for ax, (name, matrix) in zip(axes[row], parts, strict=False):
        image = ax.imshow(matrix / np.abs(matrix).max(), cmap="RdBu_r", vmin=-1.0, vmax=1.0)
        figure.colorbar(image, ax=ax, shrink=0.85)
        title = f"Figure {row + 1}: {name}, c = {step:g}"
        tr.view.style_axes(ax, "element", "element", title, grid=False)

# The symbol of A - A' over that of long waves, and what the inverse makes of the shortest wave.
theta = np.linspace(0.01, np.pi, 400)
for (elements, dash), gap in zip((("constant", "-"), ("linear", "--")), (0, 1), strict=True):
    for step, color in zip((1.0, 0.1, 0.01), COLORS, strict=False):
        size = np.abs(tr.rolling_waves.difference(theta, step, elements)) / step
        label = f"c = {step:g}" if gap == 0 else None
        axes[1, 2].semilogy(theta / np.pi, size, dash, color=color, lw=1.7, label=label)
    steps = np.geomspace(0.005, 1.0, 25)
    gains = [tr.rolling_waves.wiggle(step, elements).gain for step in steps]
    axes[2, 2].loglog(steps, gains, dash, color=COLORS[1], lw=1.8, label=f"{elements} elements")
axes[2, 2].loglog(steps, 1.0 / steps, ":", color="0.5", label="1/c")
labels = "wave number / π (1: two elements long)", "|A - A'| / c"
tr.view.style_axes(axes[1, 2], *labels, "Symbol (dashes: linear elements)", legend=True)
labels = "step c (elements)", "gain over long waves"
tr.view.style_axes(axes[2, 2], *labels, "Gain for the shortest wave", legend=True)
plt.show()

# %%
# Roughness: the change of slope from element to element, where the contact sticks.
stick = slice(CELLS // 2 + 2, CELLS)


def roughness(profile):
    return np.abs(np.diff(profile[stick], 2)).sum()


theirs, mine = (roughness(found[name, 0.02]) / roughness(found[name, 1.0]) for name in ("Figu", "tr.r"))
wave = tr.rolling_waves.wiggle(0.02)
print(f"waves of {wave.wavelength:g} elements, gain {wave.gain:.0f}")
print(f"roughness at c = 0.02 over that at c = 1: moving elements {theirs:.1f}, tr.roll {mine:.2f}")
assert wave.wavelength == 2.0
assert theirs > 3.0
assert mine < 1.1
