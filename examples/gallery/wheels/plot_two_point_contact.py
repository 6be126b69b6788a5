"""
How do tread and flange root share the load?
============================================

A wheelset with S1002 wheels on 60E1 rails, inclined by 1:20, is pushed to the left. Near 6 mm the flange root
of the left wheel reaches the gauge corner of the rail: the wheel touches on the tread and at the corner.
Within half a millimetre the corner takes over the whole load, and the guiding force rises.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 20)

# %%
# All patches are found for each shift, with a vertical force of 60 kN. Those more than 20 mm from the middle
# of the rail are at the gauge corner.
shifts = np.linspace(5.8e-3, 6.5e-3, 29)
solved = [tr.wheel_rail(wheelset, track, side="left", y=y, force=60e3, dx=0.4e-3, dy=0.2e-3) for y in shifts]
corner = np.array([sum(p.force[0] for p in c.patches if abs(p.place[0]) > 20e-3) for c in solved])
tread = np.array([sum(p.force[0] for p in c.patches if abs(p.place[0]) <= 20e-3) for c in solved])
guiding = np.array([-c.force[1] for c in solved])
both = np.flatnonzero((corner > 0.0) & (tread > 0.0))
print(f"tread and corner touch from {1e3 * shifts[both[0]]:.2f} to {1e3 * shifts[both[-1]]:.2f} mm")
print(f"the force to the right grows from {guiding[0] / 1e3:.1f} to {guiding[-1] / 1e3:.1f} kN")

# %%
# Left: wheel and rail with the pressure of all patches, where tread and corner share the load most evenly.
shown = both[np.argmax(np.minimum(corner, tread)[both])]
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.6), layout="constrained")
tr.view.wheel_rail_plot(wheelset, track, solved[shown], left)
for force, name, color in ((tread, "tread", "#0072B2"), (corner, "gauge corner", "#D55E00")):
    right.plot(1e3 * shifts, force / 1e3, "o-", ms=3.5, color=color, label=f"normal force, {name}")
right.plot(1e3 * shifts, guiding / 1e3, color="0.3", lw=1.4, label="force to the right")
tr.view.style_axes(right, "lateral shift (mm)", "force (kN)", "Which patch carries the wheel", legend=True)
plt.show()

# %%
# The vertical force equals the load at every shift.
vertical = np.array([c.force[2] for c in solved])
print(f"vertical force {vertical.min():.1f} to {vertical.max():.1f} N")
assert len(both) >= 5
assert np.abs(vertical / 60e3 - 1.0).max() < 1e-4
assert guiding[-1] > 10 * guiding[0]
