"""
How much of a rough surface really touches?
===========================================

A rubber block lies on a self-affine random surface with the Hurst exponent 0.8, which repeats itself
in both directions. While little of it touches, the real contact area grows in proportion to the load:
:math:`A/A_0 = \\kappa\\, p/(E^* h')` with the root mean square slope :math:`h'`. The theory of Persson gives
:math:`\\kappa = \\sqrt{8/\\pi} = 1.6`, that of Bush, Gibson and Thomas :math:`\\sqrt{2 \\pi} = 2.5`; computed
values lie between (Hyun, Pei, Molinari and Robbins 2004, *Phys. Rev. E* 70, 026117).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

pair = tr.Pair(tr.Material(5e6, 0.49), tr.RIGID)
n, side = 256, 1e-3
grid = tr.Grid(n, n, side / n, side / n)


def self_affine(hurst, longest, shortest, seed):
    """Random heights of unit slope, with the spectrum q^(-2 - 2 hurst) between two wavelengths (cells)."""
    noise = np.fft.fft2(np.random.default_rng(seed).standard_normal((n, n)))
    q = np.hypot(*np.meshgrid(np.fft.fftfreq(n), np.fft.fftfreq(n)))
    inside = (q >= 1.0 / longest) & (q <= 1.0 / shortest)
    amplitude = np.where(inside, np.maximum(q, 1.0 / n) ** (-1.0 - hurst), 0.0)
    spectrum = amplitude * noise
    slope = np.sqrt((np.abs(2.0 * np.pi * q / grid.dx * spectrum) ** 2).sum()) / n**2
    return np.fft.ifft2(spectrum / slope).real


# %%
# The root mean square slope is 0.05; the shortest wave has 8 elements.
heights = 0.05 * self_affine(0.8, longest=128, shortest=8, seed=3)
gap = heights - heights.min()

# %%
# Each load starts from the solution of the one before.
scale = pair.effective_modulus * 0.05
pressures = scale * np.array([0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32])
contacts, latest = [], None
for pressure in pressures:
    latest = tr.press(gap, grid, pair, force=pressure * side**2, periodic="xy", start=latest)
    contacts.append(latest)
fractions = np.array([contact.contact.mean() for contact in contacts])
kappa = fractions[2] / (pressures[2] / scale)

# %%
# The map shows the load at which a few percent of the surface touch.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.4), layout="constrained")
tr.view.pressure_map(contacts[3], left, title=f"{100 * fractions[3]:.0f} % of the surface touches")
right.loglog(pressures / scale, fractions, "o-", color="#0072B2", label="half space, periodic")
light = pressures[:5] / scale
right.loglog(light, kappa * light, "--", color="#D55E00", label=f"proportional, {kappa:.2f} p/(E* h')")
labels = ("mean pressure / (E* h')", "real area / nominal area", "Contact area grows with the load")
tr.view.style_axes(right, *labels, legend=True)
plt.show()

# %%
# The factor lies between the theories of Persson (1.6) and of Bush, Gibson and Thomas (2.5); at light loads
# the area grows nearly in proportion to the load.
power = np.polyfit(np.log(pressures[:4]), np.log(fractions[:4]), 1)[0]
print(f"area = {kappa:.2f} load/(E* h'), growing with the power {power:.2f} of the load")
assert 0.9 < power < 1.05
assert 1.6 < kappa < 2.5
