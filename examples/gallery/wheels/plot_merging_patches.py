"""
Do forces jump where contact patches merge?
===========================================

As a wheelset moves sideways, patches appear on new parts of the profiles, grow, merge and part. Programs that
treat them one by one show a jump of the force there. Here neighbours share their plane and their deformation
by their distance, so that forces are steep but continuous: smaller steps of the lateral shift have smaller
changes of the force.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 20)
load = 60e3


def solve(y):
    """The left wheel at a lateral shift, m."""
    return tr.wheel_rail(wheelset, track, side="left", y=y, force=load, dx=0.4e-3, dy=0.2e-3)


# %%
# From one patch on the tread to one at the gauge corner, through two and three.
shifts = np.linspace(5.9e-3, 6.45e-3, 56)
solved = [solve(y) for y in shifts]
lateral = np.array([c.force[1] for c in solved])
print("patches:", " ".join(str(len(c.patches)) for c in solved))

# %%
# The step with the largest change, divided again and again.
steepest = int(np.abs(np.diff(lateral)).argmax())
changes = []
for parts in (1, 2, 4, 8):
    places = np.linspace(shifts[steepest], shifts[steepest + 1], parts + 1)
    changes.append(np.abs(np.diff([solve(y).force[1] for y in places])).max() / load)
print("largest change of the lateral force over the load:", ", ".join(f"{100 * c:.2f} %" for c in changes))

# %%
# Left: the patches on the rail; the size of a ring is the normal force.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.4), layout="constrained")
for y, c in zip(shifts, solved, strict=True):
    for p in c.patches:
        size = 12.0 * np.sqrt(p.force[0] / load)
        left.plot(1e3 * y, 1e3 * p.place[0], "o", color="#0072B2", mfc="none", ms=size)
tr.view.style_axes(left, "lateral shift (mm)", "y on the rail (mm)", "Patches on the rail")
right.plot(1e3 * shifts, lateral / 1e3, "o-", ms=3.5, color="#D55E00")
tr.view.style_axes(right, "lateral shift (mm)", "force along y (kN)", "Lateral force on the wheelset")
plt.show()

# %%
# A jump would keep its size.
assert {1, 2} <= {len(c.patches) for c in solved}
assert changes[-1] < 0.5 * changes[0]
