"""
How far do forces lag behind on a wandering patch?
==================================================

A wheelset follows an alignment error of the track: within some contact lengths it moves sideways and back.
Lateral slip and the place of the patch on the rail change with it. Steady theories take each position as if
the wheel had always been there. In transient rolling the tractions stay on the rail from position to
position, while the patch moves over the profile: ``tr.wheel_rail(previous=, distance=)``. Forces
then lag behind by about half the length of the contact, and their peaks are lower.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
given = {"side": "left", "force": 60e3, "speed": 10.0, "dx": 0.8e-3, "dy": 0.8e-3}
step = 3e-3


def follow_error(length):
    """Forces along y (N) in transient and in steady rolling, over the distance rolled (m)."""
    height = 5e-4 * length
    x = step * np.arange(round(1.6 * length / step) + 1)
    y = -1e-3 - height * np.where(x < length, 0.5 * (1.0 - np.cos(2.0 * np.pi * x / length)), 0.0)
    c = tr.wheel_rail(wheelset, track, y=y[0], discretisation="covered", **given)
    rolled, steady, heights = [c.force[1]], [c.force[1]], [c.z]
    for before, now in pairwise(y):
        c = tr.wheel_rail(wheelset, track, y=now, previous=c, distance=step, **given)
        speed = (now - before) * given["speed"] / step, (c.z - heights[-1]) * given["speed"] / step
        s = tr.wheel_rail(wheelset, track, y=now, velocity=speed, discretisation="covered", **given)
        rolled.append(c.force[1])
        steady.append(s.force[1])
        heights.append(c.z)
    return x, np.array(rolled), np.array(steady), 2.0 * c.patches[0].normal.semi_axes[0]


# %%
# Three alignment errors of different lengths and the same slope, so that the lateral slip is the same. The
# lag is the distance between the places where the steady and the transient force pass through zero.
found = {length: follow_error(length) for length in (40e-3, 80e-3, 160e-3)}
lags = []
for length, (x, rolled, steady, contact) in found.items():
    middle = (x > 0.25 * length) & (x < 0.8 * length)
    falls = [np.interp(0.0, -force[middle], x[middle]) for force in (rolled, steady)]
    lags.append(falls[0] - falls[1])
    print(
        f"{1e3 * length:.0f} mm: lag {1e3 * lags[-1]:.1f} mm = {lags[-1] / contact:.2f} contact lengths, "
        f"largest force {np.abs(rolled).max() / np.abs(steady).max():.2f} of the steady one"
    )

# %%
figure, axes = plt.subplots(1, 3, figsize=(12.0, 3.8), layout="constrained", sharey=True)
for one, (length, (x, rolled, steady, _)) in zip(axes, found.items(), strict=True):
    one.plot(1e3 * x, steady / 1e3, "--", color="#333333", label="steady rolling")
    one.plot(1e3 * x, rolled / 1e3, color="#0072B2", lw=1.8, label="transient rolling")
    title = f"Alignment error {1e3 * length:.0f} mm long"
    tr.view.style_axes(one, "distance rolled (mm)", "force along y (kN)", title)
axes[0].legend()
plt.show()

# %%
# The shorter the alignment error, the more steady rolling overestimates the force.
peaks = [np.abs(rolled).max() / np.abs(steady).max() for _, rolled, steady, _ in found.values()]
assert peaks[0] < peaks[1] < peaks[2]
assert all(0.2 * contact < lag < contact for lag, (*_, contact) in zip(lags, found.values(), strict=True))
