"""
At which step do finite differences of a bridge become unstable?
================================================================

Figure 9 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015): a load crosses its
bridge, divided into 100 cells, by Verlet's method. Von Neumann's analysis of a grid without ends limits
the step to dx^2/2 sqrt(rho/EI) = 3.8977e-5 s (5.37). Between two clamps the highest frequency is slightly
lower, and the limit is 3.89868e-5 s: a step of 3.898e-5 s, above von Neumann's limit, is still stable,
and the 3.899e-5 s of figure 9 is not. For RK4 the thesis found dt <= 0.188 rho dx^4/EI, a limit that
shrinks with dx^4, because its program mixed up the stages. The limit of RK4 is 2 sqrt 2/omega, here
5.5136e-5 s: like that of Verlet's method it shrinks with dx^2, and it is 1.4 times as long.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr
from traction.beams.discrete.discrete_march import march_beam

bridge = tr.Beam(20.0, bending_stiffness=2e11 * 0.0104, mass_per_length=7900.0)
grid = bridge.differences(100)
force, speed = 76e3 * 9.81, 30.0
limits = {name: grid.stability_limit(name) for name in ("verlet", "rk4")}
print(f"von Neumann: {grid.von_neumann_limit('verlet'):.4e} s")
print(*(f"{name}: {limit:.5e} s" for name, limit in limits.items()), sep="\n")


def crossing(dt, method, t_end=0.06):
    """Times and states, whether they explode or not."""
    t = dt * np.arange(round(t_end / dt) + 1)
    places = speed * t[:, None]
    forces = np.full_like(places, force)
    return t, march_beam(grid, t, places, forces, method, allow_unstable=True)[0]


# %%
# A step above the limit raises an error that states the limit, unless `allow_unstable` is given.
try:
    march_beam(grid, 3.899e-5 * np.arange(9), np.zeros((9, 1)), np.zeros((9, 1)), "verlet")
except tr.InputError as error:
    print(error)

# %%
# The bridge as the instability begins, and how fast it grows above the limit.
figure, axes = plt.subplots(1, 3, figsize=(15.0, 4.8), layout="constrained")
x = np.linspace(0.0, 20.0, 2001)
for dt, colour, width in ((3.899e-5, "#c8553d", 0.9), (3.898e-5, "#1f4e79", 2.0)):
    t, q = crossing(dt, "verlet")
    k = round(0.0255 / dt)
    axes[0].plot(x, 1e3 * grid.deflection(q[k], x), color=colour, lw=width, label=f"dt = {dt:.3e} s")
axes[0].plot(speed * 0.0255, 0.0, "v", color="#222222", ms=9, label="load", clip_on=False)
tr.view.style_axes(axes[0], "x (m)", "deflection (mm), downwards", "After 26 ms, Verlet's method")
axes[0].set_ylim(0.5, -0.62)
axes[0].legend(fontsize=9, frameon=False, ncols=3, loc="upper center", columnspacing=1.0)

growth = {}
for ax, name in zip(axes[1:], limits, strict=True):
    shares = (0.999, 0.9999, 1.0001, 1.001)
    for share, colour in zip(shares, ("#588157", "#1f4e79", "#e09f3e", "#c8553d"), strict=True):
        t, q = crossing(share * limits[name], name, t_end=0.2 if name == "verlet" else 0.6)
        with np.errstate(over="ignore"):
            size = np.abs(q).max(axis=1)
        growth[name, share] = size[-1]
        shown = (size > 0.0) & (size < 1e40)
        ax.semilogy(1e3 * t[shown], size[shown], color=colour, lw=1.6, label=f"{share:g} of the limit")
    ax.set_ylim(1e-6, 1e12)
    title = f"{name}, limit {limits[name]:.5e} s"
    tr.view.style_axes(ax, "t (ms)", "largest deflection (m)", title, legend=True)
plt.show()

# %%
# 0.1 % below the limit the bridge deflects by its few millimetres; 0.1 % above it the deflection exceeds
# a thousand kilometres.
assert abs(limits["verlet"] / 3.89868e-5 - 1.0) < 1e-6
assert abs(limits["rk4"] / 5.5136e-5 - 1.0) < 1e-5
for name in limits:
    assert growth[name, 0.999] < 0.02
    assert growth[name, 1.001] > 1e6
