"""
How does a wheel sit on a bridge?
=================================

Question 6 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015): a wheel deforms a
bridge in two ways at once. The bridge bends over its 20 m by millimetres (global), and its surface under
the wheel is indented over a centimetre by tenths of a millimetre (local). The gap of the contact problem
is the profile of the wheel plus the deflected bridge, and the pressure in turn bends the bridge.
`tr.rest` solves both together, by Newton's method.

On this bridge, under 76 t, the scales are far apart: the bridge deflects by :math:`PL^3/(192 EI)`, the
contact is Hertz's, and bending changes the pressure by parts in ten thousand.
"""

import matplotlib.pyplot as plt

import traction as tr

L, EI, P = 20.0, 2.08e9, 76e3 * 9.81
bridge = tr.Bridge(tr.Beam(L, EI, 7900.0), tr.STEEL)
wheel = tr.Wheel(0.46, 76e3)

stands = tr.rest(wheel, bridge, L / 2, P)
hertz = tr.hertz.sphere(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=P)
bent, straight = stands.contacts[0], stands.on_straight_bridge[0]
print(f"{stands.iterations} Newton steps, equilibrium residual {stands.equilibrium:.0e}")
print(f"beam {1e3 * stands.deflection(L / 2):.4f} mm, P L^3/192 EI {1e3 * P * L**3 / (192 * EI):.4f} mm")
print(f"approach {1e3 * stands.approaches[0]:.4f} mm, Hertz {1e3 * hertz.approach:.4f} mm")
print(f"peak pressure {bent.peak_pressure / 1e6:.1f} MPa, Hertz {hertz.peak_pressure / 1e6:.1f} MPa")
print(f"bending changes the peak pressure by {bent.peak_pressure / straight.peak_pressure - 1:.1e}")

# %%
# Local, global and their sum: along the bridge, where the indentation is hardly visible, and around the
# wheel, where the beam hardly bends. Below, the pressure beside Hertz's, and the patch.
figure, axes = plt.subplots(2, 2, figsize=(12.0, 8.2), layout="constrained")
tr.view.rest_plot(stands, axes[0, 0], title="Along the bridge")
tr.view.rest_plot(stands, axes[0, 1], around=0, title="Under the wheel")
tr.view.section(bent, hertz, "x", axes[1, 0], title="Pressure along the bridge")
tr.view.pressure_map(bent, axes[1, 1], hertz=hertz, title="")
plt.show()

# %%
# Deflection and approach are those of the closed forms.
assert 1e-4 < 1 - bent.peak_pressure / straight.peak_pressure < 1e-3
assert stands.iterations <= 6
assert stands.equilibrium < 1e-10
assert abs(stands.deflection(L / 2) / (P * L**3 / (192 * EI)) - 1) < 1e-5
assert abs(stands.approaches[0] / hertz.approach - 1) < 2e-3
