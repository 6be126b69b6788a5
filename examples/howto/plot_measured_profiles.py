"""
Two measured profiles to a contact patch
========================================

**Task**: a wheel profile and a rail profile as lists of points, and the load: where do they touch, and
what is the patch?

Here the points are made up, with noise as a measurement has it; yours come from
``np.loadtxt``. Whole profiles from files, with the position of the wheelset, go through
``tr.Profile`` and ``tr.wheel_rail``: see step 7 of the tutorial.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.interpolate import make_smoothing_spline

import traction as tr

random = np.random.default_rng(2)
y = np.linspace(-0.025, 0.025, 251)  # lateral position, m; z is up for both
rail_points = -(y**2) / (2 * 0.30) + random.normal(0.0, 2e-6, y.size)  # crown of 300 mm
wheel_points = (
    y / 40 - 0.5 * y**2 / 1.5 + random.normal(0.0, 2e-6, y.size)
)  # hollow, inclined 1:40

# %%
# **Smooth.** Noise of some micrometres has curvatures far above those of the profiles,
# and each bump would carry pressure. A smoothing spline whose penalty suits the noise
# removes it.
smoothing = 1e-6
rail = make_smoothing_spline(y, rail_points, lam=smoothing)
wheel = make_smoothing_spline(y, wheel_points, lam=smoothing)

# %%
# **The gap** is the distance of the profiles, counted from where they touch first:
# shift the wheel sideways, subtract, and take the smallest distance off.
shift = 0.002  # the wheel is 2 mm off centre
lateral = np.linspace(-0.022, 0.022, 881)
gap = wheel(lateral - shift) - rail(lateral)
gap -= gap.min()
touch = lateral[gap.argmin()]
print(f"first touch at y = {1e3 * touch:.2f} mm")

# %%
# **Press.** :class:`~traction.surfaces.RollingProfile` adds the circle of the rolling
# radius to the lateral profile.
steel = tr.Pair(tr.STEEL, tr.STEEL)
grid = tr.Grid.around(8e-3, 8e-3, 72, 72, center=(0.0, touch))
contact = tr.press(tr.RollingProfile(0.46, lateral, gap), grid, steel, force=80e3)
a, b = contact.semi_axes
print(
    f"peak pressure {contact.peak_pressure / 1e6:.0f} MPa, patch {2e3 * a:.1f} x {2e3 * b:.1f} mm"
)

# %%
# **Roll** on the same patch, if needed.
rolling = tr.roll_steady(contact, 0.3, creepage=(-1e-3, 0.0, 0.05))
print(
    f"longitudinal force {rolling.force[0] / 1e3:.1f} kN, lateral {rolling.force[1] / 1e3:.1f} kN"
)

figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.4), layout="constrained")
left.plot(1e3 * y, 1e3 * rail_points, ".", ms=3, color="0.6", label="rail, measured")
left.plot(1e3 * lateral, 1e3 * rail(lateral), label="rail, smoothed")
left.plot(
    1e3 * lateral, 1e3 * (rail(lateral) + gap), label="wheel, smoothed, at first touch"
)
left.axvline(1e3 * touch, color="0.4", ls=":", lw=1.0)
tr.view.style_axes(
    left, "lateral position y (mm)", "height z (mm)", "Profiles", legend=True
)
tr.view.pressure_map(contact, right, title="Pressure")
plt.show()

# %%
# The exact profiles are known here: a relative lateral curvature of 1/0.3 - 1/1.5 per
# metre. The patch of the noisy ones agrees with them.
exact = tr.hertz.ellipse(0.46, 1.0 / (1.0 / 0.30 - 1.0 / 1.5), steel, force=80e3)
a, b = exact.semi_axes
print(
    f"without noise {exact.peak_pressure / 1e6:.0f} MPa, {2e3 * a:.1f} x {2e3 * b:.1f} mm"
)
assert abs(contact.peak_pressure / exact.peak_pressure - 1.0) < 0.05
