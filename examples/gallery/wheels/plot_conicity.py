"""
What is the equivalent conicity of S1002 on 60E1?
=================================================

A wheelset with conical wheels follows a sine wave (Klingel 1883, *Organ für die Fortschritte des
Eisenbahnwesens* 20, 113). The equivalent conicity of other profiles is that of the cones with the same
wavelength; EN 15302 defines how to compute it from the rolling radius difference. It depends on the
amplitude, on the inclination of the rails, and on the gauge.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
rail = tr.Profile.standard("60E1")
amplitudes = np.linspace(0.5e-3, 6e-3, 23)

# %%
# Three methods compute it from the rolling radius difference: the wavelength by integration (the reference
# procedure of the standard), the first harmonic, and a straight line by least squares.
track = tr.Track(rail, cant=1 / 40)
found = {
    name: tr.conicity(wheelset, track, amplitudes, method=name)
    for name in ("integration", "harmonic", "regression")
}
functions = tr.contact_functions(wheelset, track, np.linspace(-6.5e-3, 6.5e-3, 401))

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13.5, 4.2), layout="constrained")
tr.view.contact_function_plot(functions, left)
for (name, values), color in zip(found.items(), ("#0072B2", "#009E73", "#D55E00"), strict=True):
    middle.plot(1e3 * amplitudes, values, color=color, lw=1.8, label=name)
tr.view.style_axes(
    middle, "amplitude (mm)", "equivalent conicity", "Conicity, rails inclined by 1:40", legend=True
)
for cant, color in ((40, "#0072B2"), (20, "#D55E00")):
    gauges = np.linspace(1.430, 1.440, 11)
    values = [tr.conicity(wheelset, tr.Track(rail, gauge=g, cant=1 / cant), 3e-3) for g in gauges]
    right.plot(1e3 * gauges, values, "o-", ms=3.5, color=color, label=f"rails inclined by 1:{cant}")
tr.view.style_axes(right, "gauge (mm)", "equivalent conicity", "Conicity at 3 mm", legend=True)
plt.show()

# %%
# A tighter gauge increases the conicity. A cone has the same conicity by all three methods; without roll it
# is the taper of the cone.
usual = tr.conicity(wheelset, track, 3e-3)
cone = tr.Wheelset(tr.Profile.conical(1 / 20), radius=0.46)
tapers = [tr.conicity(cone, track, 3e-3, method=name, roll=False) for name in found]
print(f"S1002 on 60E1 at 3 mm, 1:40: {usual:.4f}")
print("a cone of 1:20:", ", ".join(f"{value:.6f}" for value in tapers))
assert abs(usual - 0.177) < 0.001
assert max(abs(value - 0.05) for value in tapers) < 1e-6
