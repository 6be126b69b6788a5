"""
What does a roller rig measure that a track does not have?
==========================================================

On a test rig rollers turn below the wheels instead of rails: ``tr.Track(..., roller_radius=R)``. The
curvatures of wheel and roller add up, so that the contact is shorter and the pressure higher. The roller's
rotation adds to the spin, and with yaw the patches move away from the roller's top, where the normal force
has a part along x. All this vanishes as 1/R.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
rail = tr.Profile.standard("60E1")
position = {"side": "left", "y": -2e-3, "yaw": 4e-3, "force": 60e3, "speed": 10.0, "dx": 0.4e-3, "dy": 0.4e-3}


def solve(radius):
    """The left wheel, yawed, on a rail (None) or on a roller."""
    return tr.wheel_rail(wheelset, tr.Track(rail, cant=1 / 40, roller_radius=radius), **position)


# %%
# Patches of a rail and of a small roller.
on_rail, on_roller = solve(None), solve(0.35)
for name, c in (("rail", on_rail), ("roller of 0.35 m", on_roller)):
    patch = c.patches[0]
    a, b = patch.normal.semi_axes
    print(
        f"{name}: {2e3 * a:.1f} x {2e3 * b:.1f} mm, {patch.peak_pressure / 1e6:.0f} MPa, spin "
        f"{patch.creepage[2]:.3f} rad/m, {1e3 * patch.origin[0]:+.2f} mm ahead, F_x = {c.force[0]:+.0f} N"
    )

# %%
# Differences from a rail over the radius of the rollers.
radii = np.array([0.3, 0.6, 1.2, 2.4, 4.8, 9.6])
solved = [solve(radius) for radius in radii]


def measure(c):
    """Length of the patch, peak pressure, spin and lateral force."""
    patch = c.patches[0]
    return np.array([patch.normal.semi_axes[0], patch.peak_pressure, patch.creepage[2], c.force[1]])


off = np.abs(np.array([measure(c) for c in solved]) / measure(on_rail) - 1.0)

# %%
figure, axes = plt.subplots(1, 3, figsize=(12.0, 3.8), layout="constrained")
for one, name, c in zip(axes, ("Rail", "Roller of 0.35 m"), (on_rail, on_roller), strict=False):
    patch = c.patches[0].normal
    shown = np.ma.masked_less_equal(patch.pressure / 1e6, 0.0)
    image = one.pcolormesh(
        1e3 * patch.grid.x, 1e3 * patch.grid.y, shown, cmap="viridis", vmin=0.0, vmax=1200.0
    )
    figure.colorbar(image, ax=one, label="pressure (MPa)")
    tr.view.style_axes(one, "x (mm)", "along the surface (mm)", name, grid=False)
    one.set(xlim=(-9.0, 9.0), ylim=(-9.0, 9.0), aspect="equal")
for name, values in zip(
    ("length of the patch", "peak pressure", "spin", "lateral force"), off.T, strict=True
):
    axes[2].loglog(radii, 100.0 * values, "o-", ms=3.5, label=name)
tr.view.style_axes(
    axes[2], "roller radius (m)", "difference from a rail (%)", "Large rollers approach rails", legend=True
)
axes[2].set_ylim(0.01, 400.0)
plt.show()

# %%
# Spin differs by the wheel's radius over the roller's; the rest decreases as fast.
assert np.allclose(off[:, 2] * radii, 0.46, rtol=0.05)
order = -np.polyfit(np.log(radii[2:]), np.log(off[2:, :3]), 1)[0]
print("orders in 1/R:", order.round(2))
assert np.allclose(order, 1.0, atol=0.25)
