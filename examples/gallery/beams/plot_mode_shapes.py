"""
What are the modes of a clamped bridge?
=======================================

Figure 7 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015): the first five modes
of its bridge, clamped at both ends. The printed frequencies come from :math:`\\beta^2\\sqrt{\\rho/EI}`,
which is inverted, and the printed shape (5.16) has a wrong sign; with :math:`\\beta^2\\sqrt{EI/\\rho}`
the first frequency is 4.568 Hz. On the right the same bridge with a support at midspan: pairs of modes of
two clamped-pinned spans, in phase and in antiphase.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

L, EI, m = 20.0, 2e11 * 0.0104, 7900.0
bridge = tr.Beam(L, EI, m)
half = tr.Beam(L / 2, EI, m)
two_spans = tr.Beam.spans([half, half])

# %%
# Roots of cos cosh = 1, and the frequencies by the formula of the thesis.
roots = np.array([4.730040744862704, 7.853204624095838, 10.99560783800167])
omega = bridge.frequencies(3)
for root, found in zip(roots, omega, strict=True):
    upside_down = (root / L) ** 2 * math.sqrt(m / EI)
    print(
        f"{found:9.3f} rad/s = {found / (2 * math.pi):7.3f} Hz   (printed formula: {upside_down:.3e} rad/s)"
    )

# %%
# Two panels.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.5, 5.4), layout="constrained")
tr.view.mode_plot(bridge, 5, left, title="The bridge of the thesis")
tr.view.mode_plot(two_spans, 5, right, title="The same with a support at midspan")
plt.show()

# %%
# Frequencies to rounding; a middle support moves the first one to the second mode of the long beam.
assert np.abs(omega / ((roots / L) ** 2 * math.sqrt(EI / m)) - 1.0).max() < 1e-12
assert abs(omega[0] - 28.700) < 1e-3
assert abs(two_spans.frequencies(1)[0] / omega[1] - 1.0) < 1e-12
