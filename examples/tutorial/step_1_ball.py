"""
1. A ball on a plate
====================

A steel ball of 20 mm radius is pressed on a steel plate with 1 kN. How large is the
area in which they touch, how high is the pressure, and how far do the bodies approach
each other? These three are the questions of every contact problem.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# A contact problem has three parts. First the **materials** of the two bodies: body 1
# is the upper one, body 2 the lower one. All quantities are in SI units: m, N, Pa.
steel = tr.Pair(tr.STEEL, tr.STEEL)
print(tr.STEEL)

# %%
# Second the **grid**: the part of the plate in which the bodies may touch, divided into
# rectangular elements. It only has to be larger than the contact. Here it reaches 0.8
# mm to each side of the centre, with 96 elements in each direction.
grid = tr.Grid.around(0.8e-3, 0.8e-3, 96, 96)

# %%
# Third the **gap** between the undeformed bodies: their shapes. A sphere, a cylinder, a
# paraboloid, a measured height map, or any array over the grid will do.
ball = tr.Sphere(0.020)

# %%
# Now press. The contact area is part of the solution: nothing about it is assumed,
# except that bodies cannot penetrate and cannot pull on each other.
contact = tr.press(ball, grid, steel, force=1000.0)
print(f"approach          {1e6 * contact.approach:.2f} µm")
print(f"peak pressure     {contact.peak_pressure / 1e6:.0f} MPa")
print(f"contact radius    {1e3 * contact.semi_axes[0]:.3f} mm")
print(f"contact stiffness {contact.stiffness / 1e6:.0f} N/µm")

# %%
# For a sphere Hertz found these numbers in 1882. The solver does not know his formula,
# so the comparison is a test.
hertz = tr.hertz.sphere(0.020, steel, force=1000.0)
for name, found, exact in (
    ("approach", contact.approach, hertz.approach),
    ("peak pressure", contact.peak_pressure, hertz.peak_pressure),
    ("contact radius", contact.semi_axes[0], hertz.radius),
):
    print(f"{name:14} differs from Hertz by {100 * (found / exact - 1):+.3f} %")

# %%
# Where no formula exists, two things show whether a result can be trusted. The
# **certificate** is computed from the solution itself: how far the bodies still
# overlap, and how well the force is met. And the **number of elements** across the
# contact says how well the grid resolves it: with 20 of them, errors are below 1 %.
print(contact.certificate)
coarse = tr.press(ball, tr.Grid.around(0.8e-3, 0.8e-3, 30, 30), steel, force=1000.0)
for one in (coarse, contact):
    error = 100 * (one.peak_pressure / hertz.peak_pressure - 1)
    print(f"{one.elements_across} elements across: peak pressure {error:+.3f} % from Hertz")

# %%
# Look at it from above, and through the middle.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
tr.view.pressure_map(contact, left, ellipse=True)
tr.view.section(contact, hertz, ax=right)
plt.show()

# %%
# A contact is not a linear spring: as the load grows, so does the area that carries it.
# Hertz's force grows with the power 3/2 of the approach; here it is measured from two
# computed contacts.
double = tr.press(ball, grid, steel, force=2000.0)
power = np.log(2.0) / np.log(double.approach / contact.approach)
print(f"force grows with the power {power:.3f} of the approach")
assert abs(power - 1.5) < 0.01
assert abs(contact.approach / hertz.approach - 1.0) < 1e-3
assert abs(coarse.peak_pressure / hertz.peak_pressure - 1.0) < 0.01

# %%
# **Next**: pull the ball sideways and roll it, in :doc:`step_2_friction`.
