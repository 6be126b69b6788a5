"""
Can local and global deformation be separated?
==============================================

`tr.rest` models a wheel on a bridge twice: locally as a half space, globally as a beam. Full finite elements
assume neither. Here half of a beam in plane strain is meshed, finest under the wheel, and the contact of a
rigid cylinder is solved in the mesh.

**The separation holds while the beam is thicker than about three half widths of the patch.** Above five, peak
pressure and width differ by less than 0.3 %, whatever the slenderness; at 1.7 by 4 %; where the half
width is as large as the thickness, the half space is not applicable. The local model fails there: the
stresses of the patch reach the bottom. The global model has an error of its own that does not depend on
the patch: near a force the beam is stiffer than its theory by about 0.2 F/E (Seewald 1927), 0.2 % of the
deflection where it is 8 times as long as thick, 2 % where 3 times.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr
from traction.app.finite_elements.contact import touching
from traction.app.finite_elements.elasticity import Factored, Solid, graded
from traction.app.finite_elements.thick_beam import BeamUnderCylinder

steel, a, R = tr.Material(2.1e11, 0.3), 1e-3, 0.5
force = math.pi * tr.Pair(tr.RIGID, steel).effective_modulus * a**2 / (4 * R)  # Hertz's half width is 1 mm

# %%
# The mesh: elements of a tenth of Hertz's half width under the wheel, which grow outwards. By symmetry the
# middle does not move along x. The end carries the parabolic shear stress of a support, and its neutral
# axis stays where it is. Unit forces on the nodes of the top give their compliance C. The contact is then
# small: forces f >= 0 with gap + C f - drop >= 0, zero where they touch, that add up to half the load.


def meshed(L, h, reach):
    """Places on the top, pressure there, and the deflection of the neutral axis."""
    down = graded(0.2 * a, 0.2 * a, h / 2)
    below = np.linspace(h / 2, h, max(2, math.ceil(h / 2 / np.diff(down)[-1])) + 1)
    solid = Solid((graded(0.1 * a, min(reach, 0.45 * L), L / 2), np.append(down, below[1:])), steel)
    middle, end, axis = solid.on(0, 0.0), solid.on(0, L / 2), solid.on(1, h / 2)
    solve = Factored(solid.stiffness, np.append(solid.along(0, middle), solid.along(1, end & axis)))
    looked = solid.on(1, 0.0) & (solid.nodes[0] <= 1.001 * min(reach, 0.45 * L))
    top, x = solid.along(1, looked), solid.nodes[0, looked]
    support = solid.traction((0, L / 2), 1, lambda _, z: 6 * z * (h - z) / h**3)
    loads = -np.repeat(support[:, None], top.size, axis=1)
    loads[top, np.arange(top.size)] += 1.0
    moved = solve(loads)
    forces = touching(moved[top], x**2 / (2 * R), 0.5 * force).forces
    share = solid.traction((1, 0.0), 1, lambda x, _: 1.0 + 0.0 * x)[top]  # length of the top at each node
    order = np.argsort(x)
    deflection = float((moved[solid.along(1, middle & axis)] @ forces)[0])
    return x[order], (forces / share)[order], forces[order], deflection


# %%
# `tr.rest` on the same: in plane strain the beam bends with :math:`EI/(1-\nu^2)`, the approach of wheel and
# bridge counts from the neutral axis, and the kink that shear makes under a force does not belong to the
# shape that the wheel meets. The same force acts on ever thinner beams. A slender one wraps around the wheel
# before its patch grows as wide as it is thick, a stubby one allows that.


def compared(thickness, slenderness):
    """The mesh and `tr.rest`; thickness over Hertz's half width, length over thickness."""
    h, L = thickness * a, slenderness * thickness * a
    x, p, f, w = meshed(L, h, (2.8 if thickness < 10.0 else 1.4) * a)  # thin beams wrap around the wheel
    half_width = 2 * math.sqrt(f @ x**2 / f.sum())  # of Hertz's pressure with the same second moment
    split = BeamUnderCylinder(L, h, R, steel).split(force, max(half_width, x[p > 0].max()))
    contact = split.contacts[0]
    ours = contact.peak_pressure, contact.semi_axes[0], float(split.deflection(L / 2))
    apart = 100 * np.abs(np.divide(ours, (p.max(), half_width, w)) - 1)
    return h / half_width, apart, (x, p), contact, slenderness


slender = [compared(thickness, 8.0) for thickness in (40.0, 21.0, 10.0, 7.0, 5.0, 4.5)]
stubby = [compared(thickness, 3.0) for thickness in (40.0, 20.0, 10.0, 5.0, 3.0, 2.5)]

figure, (left, right) = plt.subplots(1, 2, figsize=(12.5, 4.6), layout="constrained")
blue, orange, green, grey = "#0072B2", "#D55E00", "#009E73", "#8a8f98"
p0 = 2 * force / (math.pi * a)
shown = (slender[1], blue), (slender[4], green), (stubby[4], orange)
for (ratio, _, (x, p), contact, length), color in shown:
    label = f"tr.rest, h/a = {ratio:.1f}, L/h = {length:.0f}"
    left.plot(contact.grid.x / a, contact.pressure[0] / p0, color=color, lw=2.2, label=label)
    both, twice = np.r_[-x[:0:-2], x[::2]], np.r_[p[:0:-2], p[::2]]
    left.plot(both[twice > 0] / a, twice[twice > 0] / p0, "o", color=color, ms=5, mfc="white")
left.plot([], [], "o", color=grey, mfc="white", ms=5, label="finite elements")
left.set(xlim=(-2.6, 2.6), ylim=(-0.03, 1.28))
left.legend(fontsize=9.5, frameon=False, ncols=2, loc="upper center")
tr.view.style_axes(left, "x over Hertz's half width", "pressure over Hertz's", "Pressure under the wheel")
for cases, style in ((slender, "-"), (stubby, "--")):
    rows = np.array([apart for _, apart, *_ in cases]).T
    names = ("peak pressure", "half width", "deflection")
    for name, row, color in zip(names, rows, (blue, orange, green), strict=True):
        label = f"{name}, L/h = {cases[0][4]:.0f}"
        ratios = [one[0] for one in cases]
        right.loglog(ratios, row, style, marker="o", ms=5, color=color, lw=1.8, label=label)
right.axhspan(1e-3, 2.0, color=grey, alpha=0.12, lw=0)
right.text(44, 1.7, "within 2 %", fontsize=9.5, ha="right", va="top", color="#23272e")
right.set_ylim(1e-2, 60)
right.set_xticks([1, 2, 5, 10, 20, 40], ["1", "2", "5", "10", "20", "40"])
right.minorticks_off()
right.legend(fontsize=8.5, frameon=False, ncols=2, loc="upper right")
words = "thickness over half width of the patch", "difference (%)", "tr.rest against the mesh"
tr.view.style_axes(right, *words)
plt.show()

# %%
apart = {ratio: differences[:2].max() for ratio, differences, *_ in slender + stubby}
thick = max(value for ratio, value in apart.items() if ratio > 5.0)
thin = apart[min(apart)]
print(f"pressure and width: within {thick:.2f} % above h/a = 5, {thin:.0f} % off at h/a = {min(apart):.1f}")
assert thick < 0.3
assert thin > 20.0
