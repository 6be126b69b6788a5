"""
How fast do the frequencies of a clamped beam approach their asymptote?
=======================================================================

Table 1 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015): a clamped beam with E
= I = rho = L = 1 has the wave numbers that solve :math:`\\cos\\beta L\\,\\cosh\\beta L = 1`, and the
frequencies :math:`\\lambda = \\beta^2\\sqrt{EI/\\rho}`. The thesis notes that :math:`\\beta_n L`
approaches :math:`(n + 1/2)\\pi` "very quickly". How quickly can be said: with :math:`\\cosh z \\approx
e^z/2` the difference is :math:`2 e^{-(n + 1/2)\\pi}`, a factor of 23 per mode. Digits of the table are
cut off: its 61.672, 199.85 and 298.55 round to 61.673, 199.86 and 298.56.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

beam = tr.Beam(1.0, bending_stiffness=1.0, mass_per_length=1.0, supports=("clamped", "clamped"))
found = beam.frequencies(5)
wave_numbers = np.sqrt(found)
approximate = (np.arange(1, 6) + 0.5) * math.pi

# %%
# The table, with what the thesis prints beside it.
printed = np.array(
    [[4.73004, 22.373], [7.85320, 61.672], [10.9956, 120.90], [14.1371, 199.85], [17.2787, 298.55]]
)
print(" n   beta        (n+1/2) pi  lambda       printed beta, lambda")
for n, (beta, rough, omega, (b, w)) in enumerate(
    zip(wave_numbers, approximate, found, printed, strict=True), 1
):
    print(f" {n}   {beta:9.6f}   {rough:9.6f}   {omega:10.6f}   {b:8g}  {w:8g}")

# %%
# Differences from the asymptote, and the five modes.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.6), layout="constrained")
n = np.arange(1, 6)
left.semilogy(n, np.abs(wave_numbers - approximate), "o", ms=8, label="|β L - (n + 1/2) π|")
left.semilogy(n, 2.0 * np.exp(-approximate), "--", label="2 exp(-(n + 1/2) π)")
left.set_xticks(n)
tr.view.style_axes(left, "mode n", "difference", "A factor of 23 per mode", legend=True)
tr.view.mode_plot(beam, 5, right, title="The five modes of table 1")
plt.show()

# %%
# The roots are those of the frequency equation, and the asymptote is right to its next order.
residual = np.abs(np.cos(wave_numbers) - 1.0 / np.cosh(wave_numbers)).max()
ratio = np.abs(wave_numbers - approximate) / (2.0 * np.exp(-approximate))
print(f"residual of cos = 1/cosh: {residual:.0e}; difference over estimate {ratio[0]:.4f} to {ratio[-1]:.4f}")
assert residual < 1e-12
assert np.abs(ratio - 1.0).max() < 0.02
assert abs(found[3] - 199.859) < 1e-3
assert abs(found[4] - 298.556) < 1e-3
