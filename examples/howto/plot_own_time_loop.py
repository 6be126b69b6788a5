"""
A contact law in your own time loop
===================================

**Task**: you have a simulation of your own, a multibody code or a loop of ten lines, and want the contact
force from a contact problem.

Every contact law has ``law.response(approach, memory)``: force, stiffness, stored
energy, and the memory that the next call begins from. Nothing is kept in the law, so
that steps can be repeated and several bodies can share one law.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
radius, mass = 0.05, 4.0


def bumpy(x, y):
    """A sphere with a flat facet of 6 mm diameter: no formula has its force."""
    sphere = (x**2 + y**2) / (2 * radius)
    return np.maximum(sphere, 3e-3**2 / (2 * radius))


# %%
# **The law**: solved on a grid whenever it is asked. ``tr.PowerLaw.hertz(radius,
# steel)`` would be Hertz's.
law = tr.HalfSpaceLaw(bumpy, tr.Grid.around(4.5e-3, 4.5e-3, 40, 40), steel)
print(f"touches from an approach of {1e6 * law.first_touch:.0f} µm on")

# %%
# **The loop**: velocity Verlet, for a body that arrives with 0.3 m/s. The approach
# grows as the body sinks; keep the memory of the step that you accept.
z, v, dt = 0.0, 0.3, 2e-6
approach = law.first_touch
memory = law.begin()
response = law.response(approach, memory)
rows = []
while not rows or response.force > 0.0:
    v -= 0.5 * dt * response.force / mass
    approach += dt * v
    response = law.response(approach, memory)
    memory = response.memory
    v -= 0.5 * dt * response.force / mass
    energy = 0.5 * mass * v**2 + response.energy
    rows.append(
        (dt * (len(rows) + 1), approach, response.force, response.stiffness, energy)
    )
t, depth, force, stiffness, energy = np.array(rows).T

# %%
# **An implicit loop** needs the stiffness for its Newton iterations:
# ``response.stiffness`` is the exact derivative of the force.
step = 1e-8
slope = (law(depth[50] + step) - law(depth[50] - step)) / (2 * step)
print(f"stiffness {stiffness[50] / 1e6:.2f} N/µm, by differences {slope / 1e6:.2f} N/µm")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
hertz = tr.PowerLaw.hertz(radius, steel)
left.plot(1e6 * (depth - law.first_touch), force / 1e3, label="sphere with a facet")
left.plot(
    1e6 * (depth - law.first_touch),
    hertz(depth - law.first_touch) / 1e3,
    "--",
    label="sphere (Hertz)",
)
tr.view.style_axes(
    left, "approach from first touch (µm)", "force (kN)", "Two laws", legend=True
)
right.plot(1e6 * t, force / 1e3)
tr.view.style_axes(right, "time (µs)", "force (kN)", f"The impact: {len(t)} steps")
plt.show()

# %%
print(f"rebound {-v:.4f} m/s; energy changes by {100 * np.ptp(energy) / energy[0]:.2f} %")
assert abs(stiffness[50] / slope - 1.0) < 1e-3
assert abs(-v / 0.3 - 1.0) < 5e-3
