"""
A crossing or finite elements: which is right?
==============================================

A wheel of 150 t/m without springs rolls over a beam that nothing damps. It vibrates on its contact at 25 to
50 Hz, with bending waves that are only three to six times as long as the beam is high, for a hundred periods:
the hardest case for `tr.cross`, whose bridge is a beam and whose contact is a half plane.

Here both meet the exact solution, an elastic strip in plane strain whose end sections are held
(`StripModes`). A load :math:`\\sin kx` on its top deflects it at rest by

.. math:: S(k) = \\frac{2(1-\\nu^2)}{Ek}\\,\\frac{\\sinh kh\\cosh kh + kh}{\\sinh^2 kh - (kh)^2}
   = \\frac{1}{EI k^4} + \\frac{6(1-\\nu)}{5\\,Gh\\,k^2} + \\dots,

and its waves in motion follow from polynomials over the depth. The mesh is the same body by finite elements,
its modes marched exactly in time.

**Between supports the beam is off by 1 % of the force, and the mesh by what its elements cannot resolve**:
1.7, 0.7, 0.5 % for elements of 3, 1.5 and 0.75 half widths of the patch. Sections grow where they are
compressed, so that the top of a beam moves less than its axis, and it vibrates with another shear coefficient
than it deflects with.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr
from traction.app.checks.finite_elements import heavy_wheel
from traction.app.finite_elements.mesh_modes import MeshModes
from traction.app.finite_elements.split_modes import SplitModes
from traction.app.finite_elements.strip_modes import StripModes

case = heavy_wheel()  # on the bridge of the other page on finite elements, without damping
bridge, weight = case.bridge, case.weight
exact = StripModes(bridge, weight)
beam = SplitModes.of_beam(bridge, weight)  # the model of `tr.cross`
top = SplitModes.of_strip(bridge, weight)  # bending waves and approach of the strip's top
mesh = MeshModes(case.mesh(2.5), 30)  # elements of 2.5 half widths of the patch

# %%
# The first waves, and the contact force from 2 m behind the first support, more than the height of the beam.
blue, orange, green = "#0072B2", "#D55E00", "#009E73"
steps, start = 2000, 2.0
forces = {
    name: case.vibrations(body, steps, start=start).force / weight
    for name, body in (("strip", exact), ("beam", beam), ("mesh", mesh), ("top", top))
}
x = np.linspace(start, bridge.length - start, steps + 1)
n = np.arange(1, 13)
kh = n * np.pi * bridge.height / bridge.length

figure, (left, right) = plt.subplots(1, 2, figsize=(12.5, 4.4), layout="constrained", width_ratios=(1, 1.7))
left.plot(kh, beam.frequencies[:12] / top.frequencies[:12] - 1, "o-", color=orange, label="frequency")
squares = (beam.top[:12] / top.top[:12]) ** 2
left.plot(kh, squares - 1, "s-", color=blue, label="amplitude of the top, squared")
left.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
left.legend(fontsize=9.5, frameon=False)
tr.view.style_axes(left, "wave number, kh", "beam over strip, minus 1", "What a beam leaves out")
right.plot(x, forces["strip"], color=blue, lw=2.0, label="strip, exact")
right.plot(x, forces["beam"], color=orange, lw=1.2, label="beam and half plane, as in tr.cross")
right.plot(x[::25], forces["mesh"][::25], "o", color=green, ms=4, mfc="white", label="finite elements")
right.legend(fontsize=9.5, frameon=False, ncols=3, loc="upper left")
right.set_ylim(top=right.get_ylim()[1] + 0.01)
tr.view.style_axes(right, "position of the wheel (m)", "contact force over weight", "Contact force, undamped")
plt.show()

# %%
# Over the support the beam of the theory has a kink, by shear, that a solid one rounds off over a quarter of
# its height. The wheel meets it at full speed: crossings from the very support differ by 5 to 6 %.
off = {name: np.abs(force - forces["strip"]).max() for name, force in forces.items()}
for name in ("beam", "top", "mesh"):
    print(f"{name}: the force differs by at most {100 * off[name]:.2f} % of the weight")
assert off["top"] < 4e-3
assert off["beam"] < 0.015
assert off["mesh"] < 0.015
