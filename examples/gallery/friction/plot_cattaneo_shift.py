"""
Where does a pressed ball slip before it slides?
================================================

A ball is pressed down and pulled sideways with 87.5 % of the force that would make it slide. Cattaneo
(1938) and Mindlin (1949): a ring at the edge slips, where the pressure is low, and the middle still sticks,
up to half the radius here. The picture shows the tractions on the ball over the pressure, and a cut through
the middle.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
friction, load = 0.3, 1500.0
hertz = tr.hertz.sphere(0.1, steel, force=load)
pull = 0.875 * friction * load
theory = tr.cattaneo.sphere(hertz, friction, pull)

# %%
# The force is given, the displacement found.
half = 1.15 * hertz.radius
ball = tr.press(tr.Sphere(0.1), tr.Grid.around(half, half, 81, 81), steel, force=load)
shifted = tr.shift(ball, friction, force=(pull, 0.0))
print(f"shift {1e6 * shifted.creepage[0]:.4f} µm, theory {1e6 * theory.shift:.4f} µm in size")

figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.8), layout="constrained")
tr.view.traction_map(shifted, left, title="The ring slips")
tr.view.traction_section(shifted, "x", right, theory=lambda x: theory.traction(np.abs(x)))
plt.show()

# %%
# The closed form neglects that slip has a small part across the force, which the numbers have.
x, y = ball.grid.mesh()
error = np.abs(shifted.traction[0] - theory.traction(np.hypot(x, y)))
radius = np.sqrt(shifted.stick.sum() * ball.grid.cell_area / np.pi)
print(f"stick radius {1e3 * radius:.4f} mm, theory {1e3 * theory.stick_radius:.4f} mm")
assert abs(radius - theory.stick_radius) < ball.grid.dx
assert np.quantile(error[ball.contact], 0.9) < 0.02 * theory.bound
assert abs(abs(shifted.creepage[0]) / theory.shift - 1.0) < 0.01
