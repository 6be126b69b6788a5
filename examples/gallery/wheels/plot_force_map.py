"""
How do the forces of a wheelset depend on shift and yaw?
========================================================

Simulations of vehicles and of wear need forces over many positions of a wheelset. ``tr.force_map`` computes
them with 40 kN on two wheels, S1002 on 60E1 inclined by 1:40. With ``device="gpu"`` the contacts of all
positions are solved together in batches on a GPU; ``device="cpu"`` does the same on the processor. There
position by position, the default, is about as fast with elements of 0.5 mm, and three times as fast with
elements of 0.2 mm.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

warnings.simplefilter("ignore", tr.CoarseGridWarning)  # elements of 0.7 mm are coarse at the flange

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
shifts, yaw = np.linspace(-6e-3, 6e-3, 25), np.linspace(-6e-3, 6e-3, 5)
given = {"yaw": yaw, "force": 40e3, "dx": 0.7e-3, "dy": 0.7e-3}
found = tr.force_map(wheelset, track, y=shifts, **given)

# %%
# Left: a yawed wheelset is pushed aside by creep forces; near the flange the inclined contact pushes it back.
# Right: the moment about the vertical axis turns a shifted wheelset towards the middle of the track, as the
# wheel that it is shifted to rolls on a larger radius.
figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.2), layout="constrained")
tr.view.force_map_plot(found, left, component="y")
mesh = right.contourf(1e3 * shifts, 1e3 * yaw, 1e-3 * found.moment[..., 2].T, 15, cmap="RdBu_r")
figure.colorbar(mesh, ax=right, label="moment M_z (kN m)")
tr.view.style_axes(right, "lateral shift y (mm)", "yaw (mrad)", "Moment about the vertical axis")
plt.show()

# %%
# Batches take the same steps, and forces agree to the tolerance of the contacts. Each position states how it
# ended, the errors by its certificate, and whether the single solver had to help.
inner = slice(8, 17)
batch = tr.force_map(wheelset, track, y=shifts[inner], device="cpu", **given)
limit = 0.3 * batch.normal_force[..., None]
difference = float(np.max(np.abs(batch.force - found.force[inner]) / limit))
print(f"{found.status.size} positions, all ok: {found.ok}")
print(f"in batches: forces differ by {difference:.0e} mu Fn, {batch.solved_singly} positions solved singly")
assert found.ok
assert difference < 1e-6
