"""
Does the contact under a wheel affect the bridge?
=================================================

The second half of question 7 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015):
a train crosses the bridge, and the contact of its wheels is solved. Four quarter cars cross the bridge of
the thesis at 108 km/h on a rail with short waves: with rigid wheels, with Hertz's contact, and with the
half space, solved on a grid that travels with each wheel and tabulated.

The deflection of the bridge is the same within parts in a thousand. The force under a wheel is not. A
wheel on its elastic contact oscillates at :math:`\\sqrt{k/m}`, 196 Hz here, far above the bridge, and the
forces at the 75 Hz of the waves are larger by the factor :math:`1/(1 - 75^2/196^2)` = 1.171, which rigid
wheels do not have. The formula is that of one wheel on a rigid track, where it holds within 0.002. The
compliance of the bridge lowers the factor by 0.003, and the vibration that the other wheels excite adds
0.008. Hertz's contact and the half space agree within a percent: the wheels are spherical within their
patches.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, damping=0.01), tr.STEEL)
car = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 2e4, mass=9e3))
train = [(car, 0.0), (car, 2.5), (car, 9.0), (car, 11.5)]
waves = tr.Irregularity.harmonic(0.1e-3, 0.4, np.pi / 2)  # 0.1 mm every 40 cm: 75 Hz at 30 m/s

# %%
# The same train with three contacts.
given = {
    "size": 12,
    "dt": 1e-4,
    "t_end": 0.8,
    "irregularity": waves,
}  # 51 steps per period of the wheel on its contact
runs = {
    name: tr.cross(bridge, train, 30.0, contact=name, **given) for name in ("half-space", "hertz", "rigid")
}
detailed, hertz, rigid = runs.values()
on_contact = math.sqrt(detailed.contacts[0].stiffness / 1e3) / (2 * math.pi)
apart = np.abs(detailed.contact_forces - hertz.contact_forces).max() / hertz.contacts[0].load
peaks = [run.largest("deflection", 10.0).value for run in runs.values()]
for (name, run), peak in zip(runs.items(), peaks, strict=True):
    print(f"{name:10}: {1e3 * peak:.4f} mm at midspan, {run.contact_forces.max() / 1e3:.1f} kN at most")
print(
    f"half space and Hertz differ by {100 * apart:.2f} % of the load; wheel on contact: {on_contact:.0f} Hz"
)
print(f"energy balance error (relative to work done): {detailed.energies.closure:.1e}")


# %%
# What the formula leaves out: the same factor of one wheel on a rigid bridge, and of one on this bridge.
def at_waves(run):
    """Amplitude of the force under the first wheel at 75 Hz, N."""
    found = tr.spectrum(run.t, run.contact_forces[:, 0])
    return float(found.amplitude[found.frequency > 50.0].max())


factors = {"four wheels": at_waves(hertz) / at_waves(rigid)}
rigid_bridge = tr.Bridge(tr.Beam(20.0, 1e16, 1e7), tr.STEEL)
for name, under in (("one wheel, rigid bridge", rigid_bridge), ("one wheel", bridge)):
    alone = [tr.cross(under, train[:1], 30.0, contact=kind, **given) for kind in ("hertz", "rigid")]
    factors[name] = at_waves(alone[0]) / at_waves(alone[1])
formula = 1.0 / (1.0 - (75.0 / on_contact) ** 2)
print(f"formula {formula:.4f}; " + ", ".join(f"{name} {value:.4f}" for name, value in factors.items()))

# %%
# The bridge, the force under the first wheel while it is on it, and what both consist of.
figure, axes = plt.subplots(2, 2, figsize=(12.5, 8.0), layout="constrained")
words = {"half-space": "half space", "hertz": "Hertz", "rigid": "rigid"}
ax = axes[0, 0]
for (name, run), style, width in zip(runs.items(), ("-", "--", ":"), (3.4, 2.0, 1.8), strict=True):
    ax.plot(run.t, 1e3 * run.deflection(10.0), style, lw=width, label=words[name])
ax.invert_yaxis()
ax.legend(frameon=False)
tr.view.style_axes(ax, "time (s)", "deflection (mm)", "Midspan: the same for all contacts")
named = {words[name]: run for name, run in runs.items()}
ax = tr.view.wheel_force_plot(named, axes[0, 1], title="Force under the first wheel")
ax.set_xlim(0.3, 0.4)
ax.set_ylim(0.0, 190.0)
natural = bridge.beam.frequencies(3) / (2 * math.pi)
ax = tr.view.spectrum_plot(
    detailed.spectrum("acceleration", 10.0), axes[1, 0], si="m/s2", natural=natural, marked=0, highest=40.0,
    title="Acceleration at midspan, natural frequencies",
)  # fmt: skip
content, known = detailed.force_spectrum(), tr.spectrum(rigid.t, rigid.contact_forces[:, 0])
ax = tr.view.spectrum_plot(content, axes[1, 1], si="N", marked=0, highest=260.0, title="Force under wheel 1")
ax.plot(known.frequency, known.amplitude / 1e3, ":", color="#009E73", lw=1.6)
heights = [at_waves(run) / 1e3 for run in (detailed, rigid)]
for height, name, color in zip(heights, ("half space", "rigid"), ("#0072B2", "#009E73"), strict=True):
    ax.plot(75.0, height, "o", color=color, ms=6)
    ax.text(80.0, height, f"{name}: {height:.1f} kN", va="center", color=color)
ax.axvline(on_contact, color="#D55E00", ls="--", lw=1.2)
ax.text(
    on_contact - 3.0,
    15.0,
    "wheel on its contact",
    rotation=90,
    ha="right",
    va="center",
    color="#D55E00",
)
plt.show()

# %%
# Hertz and half space agree within 0.5 %; the deflection is that under rigid wheels. The formula holds on
# a rigid bridge; step size and the curvature of Hertz's law account for less than 0.002.
assert apart < 5e-3
assert abs(peaks[0] / peaks[2] - 1) < 5e-4
assert abs(factors["one wheel, rigid bridge"] - formula) < 2e-3
assert -5e-3 < factors["one wheel"] - factors["one wheel, rigid bridge"] < -2e-3
assert 5e-3 < factors["four wheels"] - factors["one wheel"] < 1e-2
assert abs(heights[0] / heights[1] - factors["four wheels"]) < 1e-3
assert detailed.energies.closure < 1e-8
