"""
Why does a ball strike a beam several times?
============================================

A ball that strikes the tip of a cantilever separates when the tip springs away, and touches again when it
comes back: four contacts before it rebounds, the third with the largest force. The paper *Modeling of
impact on a flexible beam* solves for one contact; the same equation with a force that is never negative
describes all of them.
"""

import math

import matplotlib.pyplot as plt

import traction as tr

modulus, density, radius = 2.2e6 * 9.80665e4, 7960.0, 0.01
steel = tr.Pair(tr.Material(modulus, 0.3), tr.Material(modulus, 0.3))
ball = tr.Striker(4 / 3 * math.pi * radius**3 * density, 0.01, radius=radius, pair=steel)
beam = tr.Beam(0.1535, modulus * 0.01**4 / 12, density * 0.01**2, supports=("clamped", "free"))
history = tr.impact(beam, 0.1535, ball, t_end=2.5e-3)

# %%
# Force; ball and tip, with the contacts shaded; the beam at each peak and afterwards.
figure, axes = plt.subplots(1, 3, figsize=(15.0, 4.6), layout="constrained")
tr.view.impact_force_plot(history, axes[0], title="Four contacts")
tr.view.impact_motion_plot(history, axes[1], title="Ball and tip (contacts shaded)")
times = [*(contact.peak_time for contact in history.contacts), 2.4e-3]
tr.view.beam_shape_plot(history, times, axes[2], title="The beam at the peaks, and later")
plt.show()

# %%
# Momentum and energy are kept to 1e-9; the largest part of the beam's energy is in its second mode.
impulse = sum(contact.impulse for contact in history.contacts)
energy = history.modal_energy()
share = ", ".join(f"mode {k + 1} {100.0 * e / energy.sum():.1f} %" for k, e in enumerate(energy[:4]))
print(f"restitution {history.restitution:.6f}; energy of the beam: {share}")
assert [contact.peak for contact in history.contacts].index(max(c.peak for c in history.contacts)) == 2
assert len(history.contacts) == 4
assert energy.argmax() == 1
assert abs(impulse / (ball.mass * (ball.speed + history.rebound_speed)) - 1.0) < 1e-9
assert history.energies.imbalance < 1e-9
