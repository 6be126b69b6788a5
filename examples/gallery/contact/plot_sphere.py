"""
Does a steel ball on a steel plate follow Hertz?
================================================

A ball of 20 mm radius is pressed on a plate with 1 kN. The half-space solution does not use Hertz's formulas:
it finds the contact area by itself. The lines compare its pressure with :math:`p_0 \\sqrt{1 - r^2/a^2}`
(Hertz 1882; Johnson, *Contact Mechanics*, section 4.2).
"""

import matplotlib.pyplot as plt

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
theory = tr.hertz.sphere(0.020, steel, force=1000.0)

# %%
# The grid only has to be larger than the contact; the contact itself is part of the solution.
grid = tr.Grid.around(0.8e-3, 0.8e-3, 96, 96)
contact = tr.press(tr.Sphere(0.020), grid, steel, force=1000.0)
print(contact)

# %%
# Pressure from above with the ellipse of the same moments, and through the centre with Hertz beside it.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
tr.view.pressure_map(contact, left, ellipse=True)
tr.view.section(contact, theory, ax=right)
plt.show()

# %%
# The approach agrees to four digits.
error = contact.approach / theory.approach - 1.0
print(f"approach {tr.view.quantity(contact.approach, 'm')}, Hertz differs by {error:.1e}")
assert abs(error) < 1e-4
