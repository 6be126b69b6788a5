"""
Which quick theory to trust, and when
=====================================

**Task**: creep forces in microseconds to a millisecond, with a known error. The full theory
(`tr.roll_steady`) is the reference; Kalker's linear theory, Polach's formula, FASTSIM and
FaStrip are compared with it over the whole space of creepages, on a circle.

Creepages are *reduced*: 1 is the one at which the linear theory reaches the friction limit.

=================  ==========================================================================
without spin       FaStrip: within 3 %. FASTSIM within 4 %, Polach within 7 % of the limit.
some spin (< 0.5)  FASTSIM within 5 %, FaStrip within 8 %. Not Polach's formula.
much spin (> 0.5)  FaStrip: within 8 %. FASTSIM within 15 %. For more accuracy, a table of the
                   full theory, `tr.creep_table`.
falling friction   without spin FaStrip within 2 %, FASTSIM 3 %, Polach 5 %; in full sliding,
                   1 %. The quick theories use the slip of rigid bodies, without memory.
not elliptical     the full theory: all quick theories assume Hertz's ellipse.
=================  ==========================================================================
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
mu, load, radius = 0.3, 80e3, 0.46
ball = tr.hertz.sphere(radius, steel, force=load)
a = ball.radius
grid = tr.Grid.around(1.06 * a, 1.06 * a, 24, 24)
n = tr.press(tr.Sphere(radius), grid, steel, force=load)
k = tr.kalker_coefficients(1.0, steel.poisson_ratio)
reduced = (
    mu * load / steel.shear_modulus / np.array([k.C11 * a**2, k.C22 * a**2, k.C23 * a**3])
)


def linear(c):
    """Kalker's linear theory, cut at the friction limit."""
    force = np.array(k.force(c, (a, a), steel.shear_modulus)[:2])
    return force * min(1.0, mu * load / max(np.hypot(*force), 1e-9))


theories = {
    "linear": linear,
    "Polach": lambda c: tr.polach(ball, mu, creepage=c).force,
    "FASTSIM": lambda c: tr.fastsim(ball, mu, creepage=c).force,
    "FaStrip": lambda c: tr.fastrip(ball, mu, creepage=c).force,
}

# %%
# **The errors** of (Fx, Fy) relative to the friction limit: the largest over six directions of the
# creepage, for each magnitude and each spin.
sizes, spins = 2.0 ** np.arange(-3.0, 2.6, 0.75), np.array([0.0, 0.25, 0.5, 1.0, 2.0])
angles = np.arange(6) * np.pi / 3 + 0.2
errors = {name: np.zeros((spins.size, sizes.size)) for name in theories}
for i, spin in enumerate(spins):
    for j, size in enumerate(sizes):
        for angle in angles:
            c = np.array([size * np.cos(angle), size * np.sin(angle), spin]) * reduced
            full = tr.roll_steady(n, mu, creepage=c, tol=1e-4).force
            for name, theory in theories.items():
                off = np.hypot(*np.subtract(theory(c), full)) / (mu * load)
                errors[name][i, j] = max(errors[name][i, j], off)
for name, error in errors.items():
    rows = ", ".join(
        f"{100 * error[i].max():.0f} % at {spin:g}" for i, spin in enumerate(spins)
    )
    print(f"{name:8} largest error by spin: {rows}")

# %%
# **Falling friction**: 0.4 at rest, 0.16 at high slip speed, at 20 m/s; the full theory with a
# short memory, the quick theories with the slip of rigid bodies.
V, creepages = 20.0, np.geomspace(2e-4, 0.15, 16)
law = tr.friction.polach(0.4, 0.4, 0.6)
lasting = tr.friction.polach(0.4, 0.4, 0.6, memory=(1e-6, 1e-3))
full = [
    tr.roll_steady(n, lasting, creepage=(-x, 0, 0), speed=V).force[0] for x in creepages
]
curves = {
    "Polach": [
        tr.polach(ball, law, creepage=(-x, 0, 0), speed=V).force[0] for x in creepages
    ],
    "FASTSIM": [
        tr.fastsim(ball, law, creepage=(-x, 0, 0), speed=V).force[0] for x in creepages
    ],
    "FaStrip": [
        tr.fastrip(ball, law, creepage=(-x, 0, 0), speed=V).force[0] for x in creepages
    ],
}

figure, axes = plt.subplot_mosaic("abcd;eeee", figsize=(11.5, 7.4), layout="constrained")
for place, (name, error) in zip("abcd", errors.items(), strict=True):
    shades = axes[place].imshow(
        100 * error, origin="lower", aspect="auto", vmax=25.0, cmap="magma_r"
    )
    for (i, j), value in np.ndenumerate(100 * error):
        colour = "w" if value > 12 else "k"
        axes[place].text(
            j, i, f"{value:.0f}", ha="center", va="center", color=colour, fontsize=8
        )
    axes[place].set_xticks(range(0, sizes.size, 2), [f"{s:.2g}" for s in sizes[::2]])
    axes[place].set_yticks(range(spins.size), [f"{s:g}" for s in spins])
    axes[place].set(
        title=f"{name}: error (%)", xlabel="reduced creepage", ylabel="reduced spin"
    )
axes["e"].semilogx(100 * creepages, np.array(full) / 1e3, "k", lw=2, label="full theory")
for name, curve in curves.items():
    axes["e"].semilogx(100 * creepages, np.array(curve) / 1e3, "--", label=name)
title = "Falling friction, 20 m/s"
tr.view.style_axes(axes["e"], "creepage -ξ (%)", "force on the wheel (kN)", title)
axes["e"].legend(frameon=False)
plt.show()

# %%
# The statements in the table above are checked.
for name, curve in curves.items():
    off = np.abs(np.subtract(curve, full)) / (0.4 * load)
    slides = creepages > 0.01
    print(
        f"{name:8} falling friction: {100 * off.max():.1f} %, {100 * off[slides].max():.1f} % in sliding"
    )
assert np.abs(np.subtract(curves["FaStrip"], full)).max() < 0.02 * 0.4 * load
assert errors["FaStrip"][0].max() < 0.03
assert errors["FASTSIM"][0].max() < 0.04
assert errors["Polach"][0].max() < 0.07
assert errors["FASTSIM"][:3].max() < 0.05
assert errors["FaStrip"].max() < 0.08
assert errors["FASTSIM"].max() < 0.15
assert errors["Polach"][1:].max() > 0.1
