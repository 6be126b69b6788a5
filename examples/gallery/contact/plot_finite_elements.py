"""
Can local and global deformation be separated?
==============================================

`tr.rest` and `tr.cross` model a wheel on a bridge twice: locally as a half space, globally as a beam.
Full finite elements (scikit-fem) assume neither: a beam in plane strain is meshed, finest under the
wheel, and the contact of a rigid cylinder is solved in the mesh.

**The separation holds while the beam is thicker than about three half widths of the patch.** Above five, peak
pressure and width differ by less than 0.3 %, whatever the slenderness; at two by 4 %; where the half
width is as large as the thickness, the half space is not applicable. The local model fails there: the
stresses of the patch reach the bottom. The global model has an error of its own that does not depend on
the patch: near a force the beam is stiffer than its theory by about 0.2 F/E (Seewald 1927), 0.2 % of the
deflection where it is 8 times as long as thick, 2 % where 3 times.

In plane strain the beam bends with :math:`EI/(1-\\nu^2)`, the approach of wheel and bridge counts from
the neutral axis, and the kink that shear makes under a force does not belong to the shape that the wheel
meets: within a patch, sections do not shear.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr
from traction.app.finite_elements.crossing import RollingCylinder
from traction.app.finite_elements.thick_beam import BeamUnderCylinder

steel, a, R = tr.Material(2.1e11, 0.3), 1e-3, 0.5
force = math.pi * tr.Pair(tr.RIGID, steel).effective_modulus * a**2 / (4 * R)  # Hertz's half width is 1 mm


def pressed(thickness, slenderness):
    """The mesh, and `tr.rest`; thickness over Hertz's half width, length over thickness."""
    h = thickness * a
    case = BeamUnderCylinder(slenderness * h, h, R, steel)
    meshed = case.meshed(force, fine=0.1)
    return case, meshed, case.split(force, max(meshed.edge, meshed.half_width))


# %%
# The same force on ever thinner beams. A slender one wraps around the wheel before its patch grows as
# wide as it is thick, a stubby one allows that.
slender = [pressed(thickness, 8.0) for thickness in (40.0, 21.0, 10.0, 7.0, 5.0, 4.5)]
stubby = [pressed(thickness, 3.0) for thickness in (40.0, 20.0, 10.0, 5.0, 3.0, 2.5)]


def differences(cases):
    """Thickness over half width of the patch; differences of pressure, half width, deflection, in %."""
    rows = []
    for case, meshed, split in cases:
        contact, middle = split.contacts[0], 0.5 * case.length
        ours = contact.peak_pressure, contact.semi_axes[0], float(split.deflection(middle))
        theirs = meshed.peak_pressure, meshed.half_width, meshed.deflection
        rows.append([case.height / meshed.half_width, *(100 * abs(np.divide(ours, theirs) - 1))])
    return np.array(rows).T


figure, axes = plt.subplots(2, 2, figsize=(12.5, 8.6), layout="constrained")
blue, orange, green, grey = "#0072B2", "#D55E00", "#009E73", "#8a8f98"
ax, p0 = axes[0, 0], 2 * force / (math.pi * a)
for (case, meshed, split), color in ((slender[1], blue), (slender[4], green), (stubby[4], orange)):
    contact = split.contacts[0]
    ratio = case.height / meshed.half_width
    label = f"tr.rest, h/a = {ratio:.1f}, L/h = {case.length / case.height:.0f}"
    ax.plot(contact.grid.x / a, contact.pressure[0] / p0, color=color, lw=2.2, label=label)
    x = np.concatenate((-meshed.x[:0:-2], meshed.x[::2]))
    p = np.concatenate((meshed.pressure[:0:-2], meshed.pressure[::2]))
    ax.plot(x[p > 0] / a, p[p > 0] / p0, "o", color=color, ms=5, mfc="white")
ax.plot([], [], "o", color=grey, mfc="white", ms=5, label="finite elements")
ax.set(xlim=(-2.6, 2.6), ylim=(-0.03, 1.28))
ax.legend(fontsize=9.5, frameon=False, ncols=2, loc="upper center")
tr.view.style_axes(ax, "x over Hertz's half width", "pressure over Hertz's", "Pressure under the wheel")
ax = axes[0, 1]
names = ("peak pressure", "half width", "deflection")
for cases, style, length in ((slender, "-", 8), (stubby, "--", 3)):
    ratio, *columns = differences(cases)
    for name, column, color in zip(names, columns, (blue, orange, green), strict=True):
        label = f"{name}, L/h = {length}"
        ax.loglog(ratio, column, style, marker="o", ms=5, color=color, lw=1.8, label=label)
ax.axhspan(1e-3, 2.0, color=grey, alpha=0.12, lw=0)
ax.text(44, 1.7, "within 2 %", fontsize=9.5, ha="right", va="top", color="#23272e")
ax.set_ylim(1e-2, 60)
ax.set_xticks([1, 2, 5, 10, 20, 40], ["1", "2", "5", "10", "20", "40"])
ax.minorticks_off()
ax.legend(fontsize=8.5, frameon=False, ncols=2, loc="upper right")
tr.view.style_axes(ax, "thickness over half width of the patch", "difference (%)", "tr.rest against the mesh")

# A cylinder with a suspended mass crosses a beam of a thirtieth of steel's stiffness at 36 km/h:
# elastodynamics of the whole mesh, with Hertz's pressure moving over its top, against modes and half
# space. Nine others (heights of 1 to 2.5 m, radii, speeds of 5 to 20 m/s, sprung wheels, 250 and 600
# steps) agree within 0.5 % at midspan and 2.1 % in the force; where a heavy wheel without springs rings
# on an undamped beam, the force differs by 5 to 8 % of the weight.
bridge = BeamUnderCylinder(20.0, 1.8, 8.0, tr.Material(7e9, 0.3, 7850.0), damping=2e-4)
rolling = RollingCylinder(bridge, 15e3, tr.Suspension(135e3 * 7.5**2, 0.2 * 135e3 * 7.5, 135e3), 10.0)
meshed, split = rolling.meshed(250), rolling.split(250)
w, F = split.deflection(10.0), split.contact_forces[:, 0]
for ax, ours, theirs, quantity, title in (
    (axes[1, 0], 100 * w, 100 * meshed.deflection, "deflection (cm)", "Midspan while the cylinder crosses"),
    (axes[1, 1], F / rolling.weight, meshed.force / rolling.weight, "force over weight", "Contact force"),
):
    ax.plot(10.0 * split.t, ours, color=blue, lw=2.2, label="tr.cross")
    x = 10.0 * meshed.t[::5]
    ax.plot(x, theirs[::5], "o", color=orange, ms=4.5, mfc="white", label="finite elements")
    ax.legend(fontsize=9.5, frameon=False)
    tr.view.style_axes(ax, "position of the cylinder (m)", quantity, title)
axes[1, 0].invert_yaxis()
plt.show()

# %%
thick = max(column[0:2].max() for column in differences(slender)[1:])
off = [np.abs(np.interp(meshed.t, split.t, w) - meshed.deflection).max() / w.max()]
off.append(np.abs(np.interp(meshed.t, split.t, F) - meshed.force).max() / rolling.weight)
print(f"at rest within {thick:.2f} %; crossing: midspan {100 * off[0]:.2f} %, force {100 * off[1]:.1f} %")
assert thick < 0.5
assert max(off) < 0.015
