"""
What is the approach of a roller on a half plane?
=================================================

A roller of 10 mm radius carries 200 kN/m. Pressure and width of the contact are those of plane strain, but a
half plane moves without bound: its approach exists only for a strip of given length L, and grows with ln L
(Johnson, *Contact Mechanics*, sections 4.2c and 5.6).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
radius, load = 0.010, 200e3
theory = tr.hertz.line(radius, steel, force=load)
spacing = 2.4 * theory.half_width / 200

# %%
# Without a length the pressure is known, and asking for the approach is an error that says so.
plain = tr.press(tr.Cylinder(radius), tr.Grid.line(200, spacing), steel, force=load)
try:
    plain.approach
except tr.UndefinedError as error:
    print(error)

# %%
# With a length the approach is defined.
lengths = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.5])
approaches = [
    tr.press(tr.Cylinder(radius), tr.Grid.line(200, spacing, length=L), steel, force=load).approach
    for L in lengths
]
exact = np.array([tr.hertz.line(radius, steel, force=load, length=L).approach for L in lengths])

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.0), layout="constrained")
tr.view.section(plain, theory, ax=left)
right.semilogx(1e3 * lengths, 1e6 * exact, "--", color="#D55E00", label="closed form")
right.semilogx(1e3 * lengths, 1e6 * np.array(approaches), "o", color="#0072B2", label="half space")
right.set_xticks(1e3 * lengths, [f"{1e3 * length:g}" for length in lengths])
right.minorticks_off()
title = "Approach depends on the length"
tr.view.style_axes(right, "length of the strip (mm)", "approach (µm)", title, legend=True)
plt.show()

# %%
# Both agree to three digits at every length.
error = np.abs(approaches / exact - 1.0).max()
print(f"largest error of the approach: {error:.1e}")
assert error < 1e-3
