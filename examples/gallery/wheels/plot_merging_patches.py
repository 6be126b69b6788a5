"""
Do forces jump where contact patches merge?
===========================================

As a wheelset moves sideways, a patch appears at the gauge corner of the rail, grows beside the one on the
tread, and takes over the load. If each patch is treated separately, the force jumps where patches are joined
or separated. Here neighbouring patches share their plane and deformation to a degree that depends on their
distance, so that the force changes steeply but continuously: smaller steps of the lateral shift give smaller
changes of the force.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 30)
load = 60e3


def solve(y):
    """The left wheel at a lateral shift, m."""
    return tr.wheel_rail(wheelset, track, side="left", y=y, force=load, dx=0.4e-3, dy=0.2e-3)


# %%
# From the tread to the gauge corner. The largest pressure along x is taken at each place across the rail.
shifts = np.linspace(5.0e-3, 6.3e-3, 53)
solved = [solve(y) for y in shifts]
lateral = np.array([c.force[1] for c in solved])
places = np.linspace(-35e-3, 20e-3, 551)
pressure = np.zeros((places.size, shifts.size))
for column, c in enumerate(solved):
    for p in c.patches:
        across = p.place[0] + np.cos(p.angle) * p.normal.grid.y
        one = np.interp(places, across, p.normal.pressure.max(axis=1), left=0.0, right=0.0)
        pressure[:, column] = np.maximum(pressure[:, column], one)

# %%
# The step with the largest change, subdivided.
steepest = int(np.abs(np.diff(lateral)).argmax())
changes = []
for parts in (1, 2, 4, 8):
    steps = np.linspace(shifts[steepest], shifts[steepest + 1], parts + 1)
    changes.append(np.abs(np.diff([solve(y).force[1] for y in steps])).max() / load)
print("largest change of the lateral force over the load:", ", ".join(f"{100 * c:.2f} %" for c in changes))

# %%
# Left: where the wheel presses on the rail; the gauge side is below.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.6), layout="constrained")
shown = np.ma.masked_less_equal(pressure / 1e6, 0.0)
image = left.pcolormesh(1e3 * shifts, 1e3 * places, shown, cmap="viridis", rasterized=True)
figure.colorbar(image, ax=left, label="pressure (MPa)")
tr.view.style_axes(left, "lateral shift (mm)", "y on the rail (mm)", "Pressure across the rail", grid=False)
right.plot(1e3 * shifts, lateral / 1e3, "o-", ms=3.5, color="#D55E00")
tr.view.style_axes(right, "lateral shift (mm)", "force along y (kN)", "Lateral force on the wheelset")
plt.show()

# %%
# A jump would keep its size; here the change in a step decreases as the step is divided.
assert all(c.ok for c in solved)
assert changes[-1] < 0.3 * changes[0]
