"""
Does a crossing agree with elastodynamics of the whole beam?
============================================================

A cylinder with a suspended mass crosses a beam of a thirtieth of steel's stiffness at 36 km/h. `tr.cross`
separates local and global motion: modes of a beam, and a half space under the wheel. Full finite elements
(scikit-fem) do not. The beam is a mesh in plane strain that obeys

.. math:: M \\ddot u + \\beta K \\dot u + K u = \\int N^T p\\,\\mathrm{d}s, \\qquad
   p = p_0 \\sqrt{1 - s^2/a^2}, \\qquad a^2 = \\frac{4 F R\\,(1 - \\nu^2)}{\\pi E}.

Hertz's pressure moves over its top with the cylinder, whose drop z determines the force F: the mean of u
under that pressure is :math:`z - a^2/(8R)`. Each step of the method of Hilber, Hughes and Taylor solves for
u, z and F together.

In plane strain the beam of `tr.cross` bends with :math:`EI/(1-\\nu^2)`, and the approach of wheel and bridge
counts from its neutral axis (`BeamUnderCylinder.beam`).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr
from traction.app.finite_elements.crossing import RollingCylinder
from traction.app.finite_elements.thick_beam import BeamUnderCylinder

bridge = BeamUnderCylinder(20.0, 1.8, 8.0, tr.Material(7e9, 0.3, 7850.0), damping=2e-4)
rolling = RollingCylinder(bridge, 15e3, tr.Suspension(135e3 * 7.5**2, 0.2 * 135e3 * 7.5, 135e3), 10.0)
meshed, split = rolling.meshed(250), rolling.split(250)
w, F = split.deflection(10.0), split.contact_forces[:, 0]

# %%
# The lines are modes and half space, the dots the mesh.
figure, axes = plt.subplots(1, 2, figsize=(12.5, 4.4), layout="constrained")
for ax, ours, theirs, quantity, title in (
    (axes[0], 100 * w, 100 * meshed.deflection, "deflection (cm)", "Midspan while the cylinder crosses"),
    (axes[1], F / rolling.weight, meshed.force / rolling.weight, "force over weight", "Contact force"),
):
    ax.plot(10.0 * split.t, ours, color="#0072B2", lw=2.2, label="tr.cross")
    x = 10.0 * meshed.t[::5]
    ax.plot(x, theirs[::5], "o", color="#D55E00", ms=4.5, mfc="white", label="finite elements")
    ax.legend(fontsize=9.5, frameon=False)
    tr.view.style_axes(ax, "position of the cylinder (m)", quantity, title)
axes[0].invert_yaxis()
plt.show()

# %%
off = [np.abs(np.interp(meshed.t, split.t, w) - meshed.deflection).max() / w.max()]
off.append(np.abs(np.interp(meshed.t, split.t, F) - meshed.force).max() / rolling.weight)
print(f"midspan differs by {100 * off[0]:.2f} % of its peak, the force by {100 * off[1]:.1f} % of the weight")
assert max(off) < 0.015
