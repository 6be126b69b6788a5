"""
When is the contact of wheel and rail not an ellipse?
=====================================================

The head of a 60E1 rail consists of arcs of 300, 80 and 13 mm radius (EN 13674-1). While the contact stays
within one arc it is Hertz's ellipse. When the tread is inclined so that the contact lies across the 300/80
transition, the curvature at the first point of contact says little about the patch. The wheel has a rolling
radius of 460 mm and carries 100 kN; see also Kalker, *Three-Dimensional Elastic Bodies in Rolling Contact*,
chapter 5.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel, load, rolling_radius = tr.Pair(tr.STEEL, tr.STEEL), 100e3, 0.46
arc_radii = np.array([0.300, 0.080, 0.013])  # m
arc_ends = np.array([0.01025, 0.02600, 0.03530])  # half widths of the head at which they end, m

# %%
# Across the rail head the slope changes by dy/R, so that the angle t of the tangent at the end of each arc is
# known from the widths. Seen along a tread that is inclined by `tilt`, a piece of rail ds = R dt goes
# R cos(t - tilt) dt sideways and R sin(t - tilt) dt down: integrated, the gap below the tread. The tread
# touches where the rail has its slope, t = tilt.
ends = np.arcsin(np.cumsum(np.diff(arc_ends, prepend=0.0) / arc_radii))
angles = np.linspace(-ends[-1], ends[-1], 40001)
middle = 0.5 * (angles[1:] + angles[:-1])
radii = arc_radii[np.searchsorted(ends, np.abs(middle))]


def gap(tilt):
    """Lateral positions and gap of tread and rail, m, from the point of first contact."""
    y = np.r_[0.0, np.cumsum(radii * np.diff(np.sin(angles - tilt)))]
    z = np.r_[0.0, np.cumsum(radii * np.diff(2.0 * np.sin(0.5 * (angles - tilt)) ** 2))]  # 1 - cos
    return y - np.interp(tilt, angles, y), z - np.interp(tilt, angles, z)


# %%
# The grid fits the widest arc, and with it a patch that lies across two of them.
a, b = tr.hertz.ellipse(rolling_radius, arc_radii[0], steel, force=load).semi_axes
grid = tr.Grid.around(1.35 * a, 1.35 * b, 128, 128)
tilts = {"Parallel": 0.0, "Inclined 1:40": 1 / 40, "Inclined 1:30": 1 / 30, "Inclined 1:25": 1 / 25}
contacts, ellipses = {}, {}
for name, tilt in tilts.items():
    contacts[name] = tr.press(tr.RollingProfile(rolling_radius, *gap(tilt)), grid, steel, force=load)
    here = radii[np.searchsorted(middle, tilt)]  # of the rail where the tread touches first
    ellipses[name] = tr.hertz.ellipse(rolling_radius, here, steel, force=load)
    ratio = contacts[name].peak_pressure / ellipses[name].peak_pressure
    peak = contacts[name].peak_pressure / 1e6
    print(
        f"{name:14} rail radius {1e3 * here:3.0f} mm, peak pressure {peak:5.0f} MPa, over Hertz {ratio:.2f}"
    )

# %%
# Dashed is Hertz's ellipse from the curvature at the first point of contact, which lies at the origin.
figure, axes = plt.subplots(2, 2, figsize=(10, 7.0), layout="constrained", sharex=True, sharey=True)
for name, ax in zip(tilts, axes.flat, strict=True):
    tr.view.pressure_map(contacts[name], ax, hertz=ellipses[name], hertz_center=(0.0, 0.0), title=name)
    ax.images[0].set_clim(0.0, 1900.0)
    ax.set(xlim=(-9.5, 9.5), ylim=(-7.0, 7.0))
    ax.label_outer()
plt.show()

# %%
# At 1:30 the contact lies across the transition, and the peak pressure is a third above Hertz's.
excess = contacts["Inclined 1:30"].peak_pressure / ellipses["Inclined 1:30"].peak_pressure
assert 1.3 < excess < 1.4
assert abs(contacts["Parallel"].peak_pressure / ellipses["Parallel"].peak_pressure - 1.0) < 0.01
