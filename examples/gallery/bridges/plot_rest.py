"""
How does a wheel sit on a bridge?
=================================

Question 6 of the thesis *Using CONTACT in dynamical simulations*: a wheel on a bridge makes two deformations
at once. The bridge bends over its 20 m by millimetres (global), and under the wheel its surface is dented
over a centimetre by tenths of one (local). The undeformed distance of the contact problem is the profile of
the wheel plus the bent bridge; the pressure, distributed as it is, bends the bridge. `tr.rest` solves both
together, by Newton's method.

On this bridge, a wheel of 76 t, the answer is simple, since lengths are so different: the bridge gives way by
:math:`PL^3/(192 EI)`, the contact is Hertz's, and bending changes the patch by parts in ten thousand.
"""

import matplotlib.pyplot as plt

import traction as tr

L, EI, P = 20.0, 2.08e9, 76e3 * 9.81
bridge = tr.Bridge(tr.Beam(L, EI, 7900.0), tr.STEEL)
wheel = tr.Wheel(0.46, 76e3)

stands = tr.rest(wheel, bridge, L / 2, P)
hertz = tr.hertz.sphere(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=P)
bent, straight = stands.contacts[0], stands.on_straight_bridge[0]
print(f"{stands.iterations} Newton steps, equilibrium to {stands.equilibrium:.0e}")
print(f"beam {1e3 * stands.deflection(L / 2):.4f} mm, P L^3/192 EI {1e3 * P * L**3 / (192 * EI):.4f} mm")
print(f"approach {1e3 * stands.approaches[0]:.4f} mm, Hertz {1e3 * hertz.approach:.4f} mm")
print(f"peak pressure {bent.peak_pressure / 1e6:.1f} MPa, Hertz {hertz.peak_pressure / 1e6:.1f} MPa")
print(f"bending changes the peak pressure by {bent.peak_pressure / straight.peak_pressure - 1:.1e}")

# %%
# Local, global and their sum: along the bridge, where the dent is hardly seen, and around the wheel, where
# the beam hardly bends. Below, the pressure beside Hertz's, and the patch.
figure, axes = plt.subplots(2, 2, figsize=(12.0, 8.2), layout="constrained")
tr.view.rest_plot(stands, axes[0, 0], title="Along the bridge")
tr.view.rest_plot(stands, axes[0, 1], around=0, title="Under the wheel")
tr.view.section(bent, hertz, "x", axes[1, 0], title="Pressure along the bridge")
tr.view.pressure_map(bent, axes[1, 1], hertz=hertz, title="")
plt.show()

# %%
# The numbers.
assert stands.iterations <= 6
assert stands.equilibrium < 1e-10
assert abs(stands.deflection(L / 2) / (P * L**3 / (192 * EI)) - 1) < 1e-5
assert abs(stands.approaches[0] / hertz.approach - 1) < 2e-3
