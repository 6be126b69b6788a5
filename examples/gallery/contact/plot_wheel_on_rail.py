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

from traction import view
from traction.app.wheel_on_rail import solve_case

# %%
# The tilt is the angle of the tread with the top of the rail; the gap follows from the arcs.
tilts = {"parallel": 0.0, "inclined 1:40": 1 / 40, "inclined 1:30": 1 / 30, "inclined 1:25": 1 / 25}
cases = [solve_case(name, tilt) for name, tilt in tilts.items()]
for case in cases:
    ratio = case.contact.peak_pressure / case.hertz.peak_pressure
    print(
        f"{case.name:14s} peak pressure {case.contact.peak_pressure / 1e6:5.0f} MPa, over Hertz {ratio:.2f}"
    )

# %%
# Dashed is Hertz's ellipse from the curvature at the first point of contact, which lies at the origin.
figure, axes = plt.subplots(2, 2, figsize=(10, 7.0), layout="constrained", sharex=True, sharey=True)
for case, ax in zip(cases, axes.flat, strict=True):
    view.pressure_map(
        case.contact, ax, hertz=case.hertz, hertz_center=(0.0, 0.0), title=case.name.capitalize()
    )
    ax.images[0].set_clim(0.0, 1900.0)
for ax in axes.flat:
    ax.set(xlim=(-9.5, 9.5), ylim=(-7.0, 7.0))
    ax.label_outer()
plt.show()

# %%
# Across the transition the peak pressure is a third above Hertz.
excess = cases[2].contact.peak_pressure / cases[2].hertz.peak_pressure
assert 1.3 < excess < 1.4
