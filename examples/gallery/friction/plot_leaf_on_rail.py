"""
How fast does a wheel lose its grip on a leaf?
==============================================

A braked wheel rolls over a slippery part of the rail at constant creepage. ``tr.friction.along_track`` gives
the coefficients along the rail, ``tr.roll`` moves the contact over them, and the force passes from one steady
value to the other. On the leaf it has settled once the whole contact is there, since tractions cannot exceed
the lower limit. Behind the leaf it takes longer: tractions below the limit grow only with the distance
rolled. Over a leaf shorter than the contact the force does not fall to the lower value.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
dry, slippery, creepage = 0.35, 0.08, (0.0025, 0.0, 0.0)
dx = 0.7e-3
wheel = tr.press(tr.Paraboloid(0.46, 0.30), tr.Grid(22, 18, dx, dx), steel, force=80e3)
half = wheel.semi_axes[0]


def roll_over(length):
    """Results from before a leaf of a length (m), which begins at 0, to well behind it."""
    friction = tr.friction.along_track([0.0, 0.0, length, length], [dry, slippery, slippery, dry])
    found = [tr.roll_steady(wheel, friction, creepage=creepage, position=-2.0 * half)]
    while found[-1].position < length + 4.0 * half:
        found.append(tr.roll(found[-1], friction, distance=dx, creepage=creepage))
    return found


# %%
# **Leaves of 40 and of 6 mm** under a contact 13 mm long. How much of the change of the force is still to
# come once the whole contact is on the leaf, behind it, and behind it by another contact length?
long, short = 40e-3, 6e-3
rolled = {length: roll_over(length) for length in (long, short)}
places = {length: np.array([t.position for t in found]) for length, found in rolled.items()}
forces = {length: np.array([-t.force[0] for t in found]) for length, found in rolled.items()}
low, high = (-tr.roll_steady(wheel, mu, creepage=creepage).force[0] for mu in (slippery, dry))
on, behind, later = (
    abs(np.interp(place, places[long], forces[long]) - steady) / (high - low)
    for place, steady in ((half, low), (long + half, high), (long + 3.0 * half, high))
)
print(f"contact {2e3 * half:.1f} mm long; steady braking forces {high / 1e3:.2f} and {low / 1e3:.2f} kN")
print(f"still to come: {on:.1%} on the leaf, {behind:.1%} behind it, {later:.1%} a contact length later")
print(f"over 6 mm the force falls to {min(forces[short]) / 1e3:.2f} kN")
assert on < 0.01 < later < 0.02 < behind
assert min(forces[short]) > 1.5 * low

# %%
# **With the profiles of wheel and rail**, ``tr.wheel_rail`` rolls on from the position before. The left wheel
# of a yawed wheelset creeps sideways, and the force along y falls within a contact length. Yaw puts its patch
# some 2 mm behind the wheelset's centre, whose place along the track is ``position``.
wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
known = {"side": "left", "yaw": 3e-3, "force": 80e3, "dx": dx, "dy": dx, "discretisation": "covered"}
edge = tr.friction.along_track([0.0, 0.0], [dry, slippery])
c = tr.wheel_rail(wheelset, track, friction=edge, position=-14e-3, **known)
yawed = [c]
while yawed[-1].patches[0].tangential.position < 12e-3:
    c = tr.wheel_rail(wheelset, track, friction=edge, previous=c, distance=2.0 * dx, **known)
    yawed.append(c)
way = 1e3 * np.array([c.patches[0].tangential.position for c in yawed])
lateral = np.array([c.force[1] for c in yawed])
ends = [tr.wheel_rail(wheelset, track, friction=mu, **known).force[1] for mu in (dry, slippery)]
print(f"force along y: {lateral[0] / 1e3:.2f} and {lateral[-1] / 1e3:.2f} kN")
assert np.allclose(lateral[[0, -1]], ends, rtol=0.005)

# %%
# Tractions stay on the rail as the contact moves on, and grow while it sticks. Where they reach the limit
# they slip.
figure, axes = plt.subplots(1, 3, figsize=(13.0, 4.2), layout="constrained")
for length, color, height in ((long, "#0072B2", 1.6), (short, "#D55E00", 0.7)):
    place, force = 1e3 * places[length], forces[length] / 1e3
    axes[0].plot(place, force, color=color, label=f"leaf of {1e3 * length:.0f} mm")
    axes[0].plot([0.0, 1e3 * length], [height, height], color=color, lw=5.0, solid_capstyle="butt")
axes[0].hlines([low / 1e3, high / 1e3], -14.0, 67.0, color="#333333", lw=1.0, ls="--", label="steady rolling")
axes[0].set(xlim=(-14.0, 67.0), ylim=(0.0, 27.5))
tr.view.style_axes(axes[0], "position of the wheel (mm)", "braking force (kN)", "Onto a leaf and off it")
axes[0].legend(loc="upper center", ncols=3, fontsize=8, columnspacing=1.0, handlelength=1.5)
row = wheel.grid.ny // 2
for place in (0.0, long / 2, long):
    t = min(rolled[long], key=lambda t: abs(t.position - place))
    x, first = 1e3 * (t.position + wheel.grid.x), place == 0.0
    axes[1].fill_between(
        x, t.bound[row] / 1e6, color="#999999", alpha=0.3, lw=0, label="limit" if first else None
    )
    axes[1].plot(x, -t.traction[0][row] / 1e6, color="#0072B2", lw=1.6, label="traction" if first else None)
axes[1].plot([0.0, 1e3 * long], [-12.0, -12.0], color="#0072B2", lw=5.0, solid_capstyle="butt")
title = "The wheel at 0, 20 and 40 mm"
tr.view.style_axes(axes[1], "along the rail (mm), rolling to the right", "traction (MPa)", title, legend=True)
axes[2].plot(way, lateral / 1e3, ".-", color="#0072B2", label="S1002 on 60E1, 3 mrad")
axes[2].hlines(np.array(ends) / 1e3, -16.0, 13.0, color="#333333", lw=1.0, ls="--", label="steady rolling")
axes[2].set_ylim(0.0, 27.5)
tr.view.style_axes(
    axes[2], "position of the patch (mm)", "force along y (kN)", "A yawed wheelset", legend=True
)
plt.show()
