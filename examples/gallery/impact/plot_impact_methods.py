"""
How hard does a ball hit a beam?
================================

Figures 2 and 3 of Wei, Krishnaprasad and Dayawansa, *Modeling of impact on a flexible beam* (1993), which
have no numbers of their own: here a steel ball of 1 cm radius strikes at 1 cm/s the middle of a simply
supported steel beam, 1 cm x 1 cm x 15.35 cm (Timoshenko's classical case), and the tip of the same beam
clamped at one end. On rigid ground the force would be 7.1 N.

The modal method has the peak of the classical case to eight digits. Small increments (the force constant in
each) err in proportion to their length; the half sine of the energy method misses the peak by 8 % and 4 %,
and the shape at the tip altogether; three steps of Picard's iteration meet the peak to 1 %, but not the
history.
"""

import math

import matplotlib.pyplot as plt

import traction as tr

modulus, density, radius = 2.2e6 * 9.80665e4, 7960.0, 0.01
steel = tr.Pair(tr.Material(modulus, 0.3), tr.Material(modulus, 0.3))
ball = tr.Striker(4 / 3 * math.pi * radius**3 * density, 0.01, radius=radius, pair=steel)
section = {"bending_stiffness": modulus * 0.01**4 / 12, "mass_per_length": density * 0.01**2}
cases = {
    "Middle of a simply supported beam": (tr.Beam(0.1535, **section, supports=("pinned", "pinned")), 0.07675),
    "Tip of a cantilever": (tr.Beam(0.1535, **section, supports=("clamped", "free")), 0.1535),
}

# %%
# All methods on one axis; of the modal method and the increments also what follows the first contact.
figure, axes = plt.subplots(1, 2, figsize=(13.0, 4.8), layout="constrained")
peaks = {}
for ax, (title, (beam, at)) in zip(axes, cases.items(), strict=True):
    histories = {
        "modal": tr.impact(beam, at, ball, t_end=4e-4),
        "small increments of 5 µs": tr.impact(beam, at, ball, t_end=4e-4, method="small-increment", dt=5e-6),
        "of 2.5 µs": tr.impact(beam, at, ball, t_end=4e-4, method="small-increment", dt=2.5e-6),
        "energy: half sine": tr.impact(beam, at, ball, t_end=4e-4, method="energy"),
        "three steps of Picard": tr.impact(beam, at, ball, method="picard", iterations=3),
    }
    tr.view.impact_force_plot(histories, ax, title=title)
    ax.set_xlim(0.0, 400.0)
    peaks[title] = {name: history.contacts[0].peak for name, history in histories.items()}
plt.show()

# %%
# Peaks over that of the modal method, the force on rigid ground, and the published number of the classical
# case.
ground = ball.law.coefficient**0.4 * (1.25 * ball.mass * ball.speed**2) ** 0.6
print(f"rigid ground: {ground:.2f} N")
for title, found in peaks.items():
    exact = found["modal"]
    print(title, {name: f"{100.0 * (peak / exact - 1.0):+.1f} %" for name, peak in found.items()})
    halved = (found["of 2.5 µs"] / exact - 1.0) / (found["small increments of 5 µs"] / exact - 1.0)
    assert abs(halved - 0.5) < 0.02
    assert abs(found["three steps of Picard"] / exact - 1.0) < 0.015
assert abs(peaks["Middle of a simply supported beam"]["modal"] / 4.97713972 - 1.0) < 1e-8
